"""Four recipes: prior fixes of an error, what a command breaks, fixes by dependency, evidence of a fix."""

import re

import pytest

from command_line import done, refused, result
from eras import ERAS, speaking
from frame_reader import read
from indelible.errors import InvalidInput
from indelible.graph import keys
from indelible.toolsets.graph import recipes

MESSAGE = "Cannot find module 'left-pad' in /srv/app v1.2.3"
ERROR = keys.error_key(MESSAGE)
OTHER = keys.error_key("heap out of memory")
WARNING = keys.warning_key("deprecated fs.exists")
BUILD = keys.command_key("npm run build", "/srv", 1)
BUILD_AGAIN = keys.command_key("npm run build", "/srv", 2)
DEPENDENCY = keys.dependency_key("left-pad", "1.2.3")
DOC = keys.doc_key("https://docs.npmjs.com")


def fix(name, strategy, *outcomes, error=MESSAGE, applied=True):
    key = keys.fix_key(error, strategy, [name])
    said = [{"type": "fix.apply", "strategy": strategy, "changes": [name], "result": "applied"}] if applied else []
    said += [
        {"type": "fix.outcome", "ts": str(n), "status": status, "verificationMethod": "pytest", "durationToVerify": n}
        for n, status in enumerate(outcomes)
    ]
    return {"name": key, "entityType": "Fix", "observations": said}


UNTRIED = fix("a", "reinstall")
WORKED = fix("b", "pin the version", "verified_successful")
MIXED = fix("c", "clear the cache", "failed", "verified_successful", "failed", "partially_effective")
FAILED = fix("d", "restart", "failed")
DOCUMENTED = fix("e", "upgrade npm")
TOLD = fix("f", "dedupe")
GOOD = keys.outcome_key("verified_successful", TOLD["name"], "ci", "5m")


def relations(*triples):
    return [{"from": source, "to": target, "relationType": name} for source, name, target in triples]


def entity(name, entity_type, *observations):
    return {"name": name, "entityType": entity_type, "observations": list(observations)}


def capture(kind, message, n):
    return {
        "type": kind,
        "normalizedKey": message.lower(),
        "kind": "runtime",
        "message": message,
        "detector": "tests",
        "context": n,
    }


ENTITIES = [
    entity(ERROR, "Error", *(capture("error.capture", MESSAGE, n) for n in range(3))),
    entity(OTHER, "Error", capture("error.capture", "Heap out of memory", 0)),
    entity(WARNING, "Warning"),
    entity(BUILD, "Command"),
    entity(BUILD_AGAIN, "Command"),
    entity(DEPENDENCY, "Dependency"),
    entity(DOC, "Doc"),
    entity(GOOD, "Outcome"),
    *(UNTRIED, WORKED, MIXED, FAILED, DOCUMENTED, TOLD),
]
RELATIONS = relations(
    *((each["name"], "RESOLVES", ERROR) for each in (UNTRIED, WORKED, MIXED, FAILED, DOCUMENTED, TOLD)),
    (DOCUMENTED["name"], "DERIVED_FROM", DOC),
    (TOLD["name"], "HAS_OUTCOME", GOOD),
    (BUILD, "EMITS", ERROR),
    (BUILD, "EMITS", WARNING),
    (BUILD_AGAIN, "EMITS", OTHER),
    (ERROR, "CAUSED_BY", DEPENDENCY),
)


def fill(call):
    call("create_entities", {"entities": ENTITIES})
    call("create_relations", {"relations": RELATIONS})


@pytest.fixture
def graph(memory):
    fill(lambda tool, arguments: memory.call(tool, **arguments))
    return memory


def strategies(found):
    return [each.strategy for each in found]


RANKED = ["dedupe", "pin the version", "upgrade npm", "clear the cache", "reinstall", "restart"]


# --- Prior fixes ---


def test_backed_fixes_come_first_then_by_success_ratio_then_the_newest(graph):
    found = recipes.prior_fixes(graph.context, ERROR, 10)
    # dedupe and pin the version worked always (dedupe is newer); npm is documented, the cache worked once of three
    # times; of the rest one is untried, and one failed
    assert strategies(found) == RANKED
    assert [each.is_backed for each in found] == [True, True, True, True, False, False]
    assert [round(each.success_ratio, 2) for each in found] == [1, 1, 0.5, 0.33, 0.5, 0]
    assert (found[3].worked, found[3].failed, found[3].partial) == (1, 2, 1)
    assert found[0].changes == ("f",)
    assert found[0].mends == (ERROR,)


def test_three_are_given(graph):
    assert strategies(recipes.prior_fixes(graph.context, ERROR)) == RANKED[:3]


@pytest.mark.parametrize(
    "error",
    [
        ERROR,
        MESSAGE,
        "cannot find  MODULE 'left-pad' in /srv/app 9.9.9",
        f" {ERROR} ",
        "Cannot find module 'left-pad' in /another/place v1.2.3",
    ],
)
def test_an_error_is_known_by_its_key_its_message_or_its_stem(graph, error):
    assert strategies(recipes.prior_fixes(graph.context, error)) == RANKED[:3]


@pytest.mark.parametrize("error", ["left-pad", "cannot find module"])
def test_an_error_is_known_by_a_part_of_its_message(graph, error):
    assert strategies(recipes.prior_fixes(graph.context, error)) == RANKED[:3]


@pytest.mark.parametrize("error", ["cannot find module right-pad", "of the", "left-pad heap"])
def test_an_error_without_one_of_the_words_is_another(graph, error):
    assert recipes.prior_fixes(graph.context, error) == []


TIMEOUT = {
    "errorType": "runtime",
    "errorMessage": "timeout after 30 s at /srv/a/main.py:12",
    "rootCause": "the pool is too small",
    "fixApplied": "raise the limit",
}


@pytest.mark.parametrize(
    "error",
    [
        "timeout after 30 s at /srv/a/main.py:12",
        "timeout after 31 s at /srv/b/main.py:99",
        "timeout after 7 s at C:\\x\\y.py:1",
    ],
)
def test_what_counts_as_the_same_failure_has_its_fix(memory, error):
    memory.matrix_failure(**TIMEOUT)
    assert strategies(recipes.prior_fixes(memory.context, error)) == ["raise the limit"]


def test_what_counts_as_another_failure_has_not(memory):
    memory.matrix_failure(**TIMEOUT)
    assert recipes.prior_fixes(memory.context, "timeout before 30 s at /srv/a/main.py:12") == []


@pytest.mark.parametrize("error", ["err#unknown", "no such thing", OTHER, BUILD, "err#"])
def test_without_a_fix_there_is_none(graph, error):
    assert recipes.prior_fixes(graph.context, error) == []


def test_a_fix_that_mitigates_a_warning_is_a_fix_of_it(graph):
    made = fix("w", "use fs.stat", error="deprecated fs.exists")
    graph.create_entities(entities=[made])
    graph.create_relations(relations=relations((made["name"], "mitigates", WARNING)))
    assert strategies(recipes.prior_fixes(graph.context, "deprecated fs.exists")) == ["use fs.stat"]


def test_the_same_outcome_told_by_the_fix_and_its_outcome_counts_once(graph):
    same = {
        "type": "fix.outcome",
        "status": "verified_successful",
        "verificationMethod": "ci",
        "durationToVerify": "5m",
    }
    graph.add_observations(
        observations=[{"entityName": TOLD["name"], "contents": [same]}, {"entityName": GOOD, "contents": [same]}]
    )
    found = recipes.evidence(graph.context, TOLD["name"])
    assert [outcome.status for outcome in found.outcomes] == ["verified_successful"]
    graph.add_observations(observations=[{"entityName": GOOD, "contents": [{**same, "verificationMethod": "by hand"}]}])
    assert len(recipes.evidence(graph.context, TOLD["name"]).outcomes) == 2


def test_relations_in_two_spellings_count_once(graph):
    again = relations(
        (TOLD["name"], "resolves", ERROR),
        (TOLD["name"], "Has_Outcome", GOOD),
        (DOCUMENTED["name"], "derived_from", DOC),
    )
    assert len(graph.create_relations(relations=again)["relations"]) == 3
    first, _, documented = recipes.prior_fixes(graph.context, ERROR)
    assert (first.strategy, first.mends, first.worked) == ("dedupe", (ERROR,), 1)
    assert [each.key for each in documented.documents] == [DOC]


# --- What a command breaks ---


@pytest.mark.parametrize(
    "command", ["npm run build", "  npm  run build ", "npm run build --verbose", "run the npm build"]
)
def test_a_command_is_known_however_it_went_or_by_most_of_its_words(graph, command):
    found = [each.record.key for each in recipes.breaks(graph.context, command)]
    # with other words it is the newest of the two that share as many
    assert found == ([ERROR, OTHER, WARNING] if command.split() == ["npm", "run", "build"] else [OTHER])


def test_what_a_command_led_to_comes_with_its_best_fix_and_how_often_it_was_seen(graph):
    first, second = recipes.breaks(graph.context, BUILD)
    assert (first.record.key, first.message, first.captured) == (ERROR, MESSAGE, 3)
    assert first.fix is not None
    assert first.fix.strategy == "dedupe"
    assert (second.record.key, second.captured, second.fix) == (WARNING, 0, None)
    assert second.message == "deprecated fs.exists"


def test_a_command_is_known_by_its_key_of_another_run(graph):
    later = keys.command_key("npm run build", "/elsewhere", 1, "", "boom")
    assert [each.record.key for each in recipes.breaks(graph.context, later)] == [ERROR, OTHER, WARNING]


def test_a_command_is_not_taken_for_one_that_goes_on_with_a_hash(graph):
    longer = keys.command_key("npm run build#0a1b2c3d", None, 1)
    graph.create_entities(entities=[entity(longer, "Command"), entity("err#other", "Error")])
    graph.create_relations(relations=relations((longer, "EMITS", "err#other")))
    assert "err#other" not in [each.record.key for each in recipes.breaks(graph.context, "npm run build", 10)]


@pytest.mark.parametrize("command", ["cargo test", "npm", "cmd#unknown#0a1b2c3d"])
def test_an_unknown_command_breaks_nothing(graph, command):
    assert recipes.breaks(graph.context, command) == []


# --- By dependency, and evidence ---


@pytest.mark.parametrize("dependency", [DEPENDENCY, "left-pad@1.2.3", "left-pad", "dep#left-pad"])
def test_fixes_are_found_by_the_dependency_that_caused_the_error(graph, dependency):
    assert strategies(recipes.fixes_by_dependency(graph.context, dependency)) == RANKED[:3]


@pytest.mark.parametrize("dependency", ["left-pad@2", "left", "right-pad", ERROR])
def test_another_dependency_caused_nothing(graph, dependency):
    assert recipes.fixes_by_dependency(graph.context, dependency) == []


def test_evidence_is_the_best_outcomes_and_the_documents(graph):
    found = recipes.evidence(graph.context, MIXED["name"])
    assert [each.status for each in found.outcomes] == [
        "verified_successful",
        "partially_effective",
        "failed",
        "failed",
    ]
    assert found.outcomes[0].verification == "pytest"
    assert [doc.key for doc in recipes.evidence(graph.context, DOCUMENTED["name"]).documents] == [DOC]
    assert recipes.evidence(graph.context, ERROR) is None
    assert recipes.evidence(graph.context, "fix#none#0a1b2c3d") is None


@pytest.mark.parametrize(
    ("ask", "argument"),
    [
        (recipes.prior_fixes, "error"),
        (recipes.breaks, "command"),
        (recipes.fixes_by_dependency, "dependency"),
        (recipes.evidence, "fix"),
    ],
)
def test_an_empty_question_is_refused_and_an_empty_store_has_no_answer(memory, ask, argument):
    with pytest.raises(InvalidInput, match=f"{argument} must have at least one visible character"):
        ask(memory.context, " \n")
    assert not ask(memory.context, "anything at all")


# --- The command line ---


@pytest.fixture
def data(tmp_path):
    from mcp_client import McpClient

    with McpClient(tmp_path / "data") as client:
        fill(client.call)
    return tmp_path / "data"


@pytest.mark.process
def test_the_command_line_shows_fixes_of_an_error(data):
    lines = done("fixes", MESSAGE, data=data).splitlines()
    assert lines[0].split() == ["result", "fix", "strategy", "changes"]
    assert [line.split("  ")[0] for line in lines[1:]] == ["1 of 1 worked", "1 of 1 worked", "documented, untried"]
    found = result("fixes", "dep#left-pad", data=data)["fixes"]
    assert [each["strategy"] for each in found] == RANKED[:3]
    assert found[0]["outcomes"][0]["status"] == "verified_successful"
    (one,) = result("fixes", MIXED["name"], data=data)["fixes"]
    assert (one["success_ratio"], one["evidence_backed"], len(one["outcomes"])) == (0.33, True, 3)
    assert one["resolves"] == [ERROR]
    assert done("fixes", "nothing like it", data=data) == ""
    assert done("fixes", *MESSAGE.split(), data=data).splitlines() == lines  # without quotes too


@pytest.mark.process
def test_the_command_line_shows_what_a_command_breaks(data):
    lines = done("breaks", "npm run build", data=data).splitlines()
    assert lines[0].split() == ["type", "captured", "message", "best", "fix"]
    assert [line.split()[:2] for line in lines[1:]] == [["Error", "3"], ["Error", "1"], ["Warning", "0"]]
    assert done("breaks", "npm", "run", "build", data=data).splitlines() == lines
    assert "dedupe" in lines[1]
    first, *_ = result("breaks", "npm run build", data=data)["errors"]
    assert (first["name"], first["best_fix"]["strategy"]) == (ERROR, "dedupe")
    assert done("breaks", "cargo test", data=data) == ""


@pytest.mark.process
def test_an_unknown_fix_is_refused_by_the_command_line(data):
    assert "there is no fix 'fix#none#0a1b2c3d'" in refused("fixes", "fix#none#0a1b2c3d", data=data)


# --- Prompts ---


@pytest.mark.process
@pytest.mark.parametrize("era", ERAS)
def test_prompts_give_the_recipes_as_data_with_the_question_behind_them(data, era):
    asked = {
        "prior-fixes": ({"error": MESSAGE}, 3, MESSAGE),
        "what-breaks": ({"command": "npm run build"}, 4, "npm run build"),
        "fixes-by-dependency": ({"dependency": "left-pad"}, 3, "left-pad"),
        "fix-evidence": ({"fix": TOLD["name"]}, 2, TOLD["name"]),
    }
    with speaking(era, data) as client:
        for name, (arguments, count, question) in asked.items():
            items, rest = read(text_of_prompt(client, name, arguments))
            assert len(items) == count, name
            assert all(known["id"].startswith("entity:") for known, _ in items)
            assert rest.endswith(f"\n{question}\n</argument>")


@pytest.mark.process
def test_a_read_only_server_asks_for_no_record_of_what_came_of_it(data):
    with speaking("2025", data) as client:
        assert "create_relations" in text_of_prompt(client, "prior-fixes", {"error": MESSAGE})
    with speaking("2025", data, "--read-only") as client:
        for name, arguments in (("prior-fixes", {"error": MESSAGE}), ("what-breaks", {"command": "npm run build"})):
            told = text_of_prompt(client, name, arguments)
            assert "check first that the cause is the same" in told
            assert not {"create_entities", "create_relations", "add_observations"} & set(re.findall(r"\w+", told))


@pytest.mark.process
@pytest.mark.parametrize("name", ["prior-fixes", "what-breaks", "fixes-by-dependency", "fix-evidence"])
def test_a_prompt_says_that_nothing_is_known(tmp_path, name):
    with speaking("2025", tmp_path / "data") as client:
        (argument,) = [
            each["arguments"][0]["name"] for each in client.request("prompts/list")["prompts"] if each["name"] == name
        ]
        assert text_of_prompt(client, name, {argument: "anything at all"}).startswith("Indelible knows nothing")


@pytest.mark.process
def test_a_server_without_the_graph_has_no_recipes(tmp_path):
    with speaking("2025", tmp_path / "data", "--toolsets", "memory") as client:
        listed = [each["name"] for each in client.request("prompts/list")["prompts"]]
    assert listed == ["recall-context", "save-session", "review-decisions", "onboard"]


def text_of_prompt(client, name, arguments):
    (message,) = client.request("prompts/get", {"name": name, "arguments": arguments})["messages"]
    return message["content"]["text"]
