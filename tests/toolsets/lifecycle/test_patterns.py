"""Patterns without hooks: what memories say in their metadata, linked decisions, calls of our own tools."""

from math import log

import pytest

from indelible.errors import InvalidInput
from indelible.store.tables import activity
from indelible.store.tables.activity import Activity


def told(name, session="s1", **metadata):
    return {"content": f"told {name}", "namespace": "/n", "metadata": {"session_id": session, **metadata}}


def put(memory, *items):
    assert memory.import_memories(memories=list(items))["errors"] == []


def named(memory, type_, least=1, namespace="/n"):
    found = memory.detect_patterns(min_frequency=least, namespace=namespace)["patterns"]
    return {each["description"].split("`")[1]: each["frequency"] for each in found if each["pattern_type"] == type_}


def events(memory, *rows):
    ctx = memory.context
    given = [
        Activity(
            session=f"codex:{session}",
            event=f"e{n}",
            time=n,
            client="codex",
            what="tool",
            namespace="/n",
            action=action,
            subject=subject,
            outcome="ok",
            detail={"cwd": cwd, "tool": tool, **more},
        )
        for n, (session, tool, action, subject, cwd, more) in enumerate(rows)
    ]
    ctx.store.write(lambda tx: activity.add(tx, given))


def test_an_empty_store_has_no_patterns(memory):
    assert memory.detect_patterns() == {"patterns": [], "count": 0}
    assert memory.pattern_insights(min_frequency=1) == "No patterns detected yet."
    assert memory.detect_patterns(namespace="/nowhere") == {"patterns": [], "count": 0}


@pytest.mark.parametrize(
    "wrong", [{"min_frequency": 0}, {"min_frequency": 1.5}, {"namespace": ""}, {"limit": 3}], ids=str
)
def test_bad_input_is_refused(memory, wrong):
    with pytest.raises(InvalidInput):
        memory.detect_patterns(**wrong)
    with pytest.raises(InvalidInput):
        memory.pattern_insights(**wrong)


def test_what_memories_say_of_their_tool_pattern_and_file_is_counted(memory):
    put(
        memory,
        told("a", tool="Grep", pattern="TODO"),
        told("b", "s2", tool="Grep", pattern=" TODO  "),
        told("c", "s2", tool="Read", file_path="/n/src/é.rs"),
        told("d", "s3", tool="Read", file_path="src/e\u0301.rs"),
        told("e", "s3", tool=7, pattern=None, file_path=["x"]),  # which says nothing
        {**told("f", tool="Grep", pattern="TODO"), "namespace": "/m"},
        told("g", tool="Grep", pattern="TODO", origin="capture", trust="untrusted"),  # its event is what counts
    )
    assert named(memory, "repeated_search") == {"TODO": 2}
    assert named(memory, "repeated_search", namespace=None) == {"TODO": 3}
    assert named(memory, "file_hotspot") == {"src/é.rs": 2}
    assert named(memory, "tool_preference") == {"Grep": 2, "Read": 2}
    (search,) = memory.detect_patterns(min_frequency=2, namespace="/n")["patterns"][:1]
    assert search["confidence"] == pytest.approx(log(3) / log(6), abs=1e-4)
    assert len(search["related_memories"]) == 2


def test_what_has_expired_is_no_pattern(memory):
    put(memory, *(told(name, pattern="TODO", expires_at="2020-01-01") for name in "ab"), told("c", pattern="TODO"))
    assert named(memory, "repeated_search", least=1) == {"TODO": 1}


def confidences(memory, least=1):
    found = memory.detect_patterns(min_frequency=least, namespace="/n")["patterns"]
    return {each["description"].split("`")[1]: each["confidence"] for each in found}


def test_confidence_grows_with_what_was_seen_and_is_never_certain(memory):
    files = {"often.rs": 20, "some.rs": 6, "once.rs": 1}
    put(memory, *(told(f"{name} {n}", file_path=name) for name, times in files.items() for n in range(times)))
    often, some, once = (confidences(memory)[name] for name in files)
    assert 1 > often > some > once > 0.5
    put(memory, *(told(f"elsewhere {n}", f"s{n + 2}", pattern="TODO") for n in range(8)))
    assert confidences(memory)["often.rs"] < often, "of nine sessions the same says less than of one"


def test_the_confidence_of_a_preference_goes_with_its_share(memory):
    put(memory, *(told(f"{tool} {n}", tool=tool) for tool, times in (("Grep", 6), ("Read", 3)) for n in range(times)))
    found = confidences(memory)
    assert 2 / 3 > found["Grep"] > found["Read"] > 0
    assert found["Read"] < 1 / 3


@pytest.mark.parametrize(
    ("path", "cwd", "file"),
    [
        ("/n/src/a.rs", "/n", "src/a.rs"),
        ("src/a.rs", "/n", "src/a.rs"),
        ("a.rs", "/n/src", "src/a.rs"),
        ("../src/a.rs", "/n/docs", "src/a.rs"),
        ("/code/clone/src/a.rs", "/code/clone", "src/a.rs"),  # another worktree of the project
        ("/etc/hosts", "/n", "/etc/hosts"),
        ("src\\a.rs", "", "src/a.rs"),
    ],
)
def test_a_file_is_named_as_in_its_project(memory, path, cwd, file):
    events(memory, ("1", "Read", "read", path, cwd, {}), ("2", "Edit", "edit", path, cwd, {"edits": [{"path": path}]}))
    assert named(memory, "file_hotspot", 2) == {file: 2}


def test_one_edit_of_several_files_counts_each_of_them_once(memory):
    edits = [{"path": "a"}, {"path": "b"}, {"path": "a"}]
    events(memory, ("1", "apply_patch", "edit", "a", "/n", {"edits": edits}))
    assert named(memory, "file_hotspot") == {"a": 1, "b": 1}


def test_the_files_of_two_projects_are_two(memory):
    put(memory, *({**told(f"{n}{p}", file_path="src/main.rs"), "namespace": p} for n in range(2) for p in ("/n", "/m")))
    found = memory.detect_patterns(min_frequency=2)["patterns"]
    hotspots = [each["description"] for each in found if each["pattern_type"] == "file_hotspot"]
    assert hotspots == [f"`src/main.rs` of {project} opened or edited 2 times" for project in ("/m", "/n")]


def test_one_tool_alone_is_no_preference(memory):
    events(memory, *[("1", "Bash", "command", "make", "/n", {})] * 1)
    assert named(memory, "tool_preference") == {}


def decision(name, *tags, **metadata):
    item = {"id": name, "content": name, "memory_type": "decision", "tags": list(tags), "namespace": "/n"}
    return {**item, "metadata": metadata}


CHAINS = {
    "linked in a row": (["LEADS_TO", "EVOLVED_INTO"], {"api": 3}),
    "linked otherwise": (["RELATES_TO", "SUPERSEDES"], {}),
    "linked in part": (["LEADS_TO", "RELATES_TO"], {}),
}


@pytest.mark.parametrize("name", CHAINS)
def test_a_topic_with_enough_linked_decisions_is_a_chain(memory, name):
    links, chains = CHAINS[name]
    put(memory, decision("a", "api"), decision("b", "api", "decision"), decision("c", "api"), decision("d", "api"))
    for source, target, relation in zip("ab", "bc", links, strict=True):
        memory.associate_memories(source_id=source, target_id=target, relationship=relation)
    assert named(memory, "decision_chain", 3) == chains


def test_a_file_of_linked_decisions_is_a_chain_too(memory):
    put(memory, decision("a", file_path="/n/src/a.rs"), decision("b", files=["src/a.rs", "src/b.rs"]))
    memory.associate_memories(source_id="b", target_id="a", relationship="DERIVED_FROM")
    assert named(memory, "decision_chain") == {"src/a.rs": 2, "src/b.rs": 1}
    found = memory.detect_patterns(min_frequency=2, namespace="/n")["patterns"]
    (chain,) = (each for each in found if each["pattern_type"] == "decision_chain")
    assert chain["related_memories"] == ["b", "a"]


def test_calls_of_our_own_tools_count_but_those_that_ask_for_patterns_do_not(memory):
    for _ in range(3):
        memory.recall_memory(query="anything")
        memory.pattern_insights()
        memory.consolidate_decay()
    memory.codemem_stats()
    found = memory.detect_patterns(min_frequency=3)
    assert found == memory.detect_patterns(min_frequency=3)
    assert [each["description"] for each in found["patterns"]] == [
        "`recall_memory`: 3 of 4 calls of Indelible's tools (75%)"
    ]
    assert memory.detect_patterns(min_frequency=1, namespace="/n") == {"patterns": [], "count": 0}


def test_insights_name_our_own_tools_by_their_titles(memory):
    memory.recall_memory(query="anything")
    memory.codemem_stats()
    lines = memory.pattern_insights(min_frequency=1).splitlines()
    assert [line.partition(":")[0] for line in lines if line.startswith("-")] == ["- Recall memories", "- Statistics"]


def test_names_of_others_making_stay_in_one_line_without_control_characters(memory):
    put(memory, *(told(str(n), tool="Grep", pattern="a`b\x1b[31m\n# Ignore\u202e" + "x" * 300) for n in range(2)))
    (found,) = memory.detect_patterns(min_frequency=2, namespace="/n")["patterns"]
    assert "\n" not in found["description"]
    assert not {"\x1b", "\u202e"} & set(found["description"])
    assert found["description"].count("`") == 2
    assert len(found["description"]) < 180


def test_the_most_frequent_comes_first_and_ties_go_by_name(memory):
    put(
        memory,
        *(told(f"{p}{n}", tool="Grep", pattern=p) for p, times in (("b", 2), ("a", 2), ("c", 3)) for n in range(times)),
    )
    assert list(named(memory, "repeated_search")) == ["c", "a", "b"]
