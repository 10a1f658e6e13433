"""Solutions, failures, entities and vectors beside memories, through the engine: the same on both databases."""

import json
from concurrent.futures import ThreadPoolExecutor

import pytest

import purging
from indelible.core.context.call import Call
from indelible.core.context.context import context_on
from indelible.core.context.session import Session
from indelible.core.indexes.embedder import Embedder
from indelible.core.recall import expansion
from indelible.core.recall.candidates import Query
from indelible.core.recall.recall import recall
from indelible.core.records import exporting, relations, undo
from indelible.errors import Conflict, NotFound
from indelible.project import Location
from indelible.settings import Settings
from indelible.toolsets.graph import graph as graph_graph
from indelible.toolsets.graph import recipes, search
from indelible.toolsets.graph.graph import Observed
from indelible.toolsets.memory import impact, importing, memories
from indelible.toolsets.solutions import failures, matching, solutions
from indelible.toolsets.solutions.failures import NewFailure
from indelible.toolsets.solutions.solutions import NewSolution
from indelible.toolsets.vectors import vectors
from made_up_meaning import embed_all, with_meaning

ERROR = "err#wombaterror: burrow 7 is locked"
FAILURE = NewFailure("build", "WombatError: burrow 7 is locked", "two dig", "take a lock", files=["src/burrow.ts"])


@pytest.fixture
def process(open_db, tmp_path):
    """A context on the store as another process would have it, for a project if one is named."""

    def open_it(project=None):
        db = open_db()
        (tmp_path / (project or "none")).mkdir(exist_ok=True)
        at = None if project is None else Location(str(tmp_path / project), None)
        return context_on(db, Settings(data=tmp_path), Embedder(None), session=Session(at))

    return open_it


def called(ctx, tool):
    return ctx.for_call(Call(tool=tool))


def entity(name, type_="thing", *observations):
    return {"name": name, "entityType": type_, "observations": list(observations)}


def related(source, relation, target):
    return {"from": source, "to": target, "relationType": relation}


def exported(ctx):
    """Everything but the counts of accesses, which a look changes."""
    kept = ({name: value for name, value in item.items() if "access" not in name} for item in exporting.export_all(ctx))
    return sorted(map(json.dumps, kept))


def fill(ctx):
    """Something of each kind, related in a ring; what they are called."""
    names = {
        "memory": memories.store(ctx, memories.NewMemory("Wombat builds run at night"))["id"],
        "solution": solutions.store(ctx, NewSolution("wombat hangs", "kick it", "global", ["zoo"], ["a.ts"]))["id"],
        "failure": failures.record(ctx, FAILURE)["id"],
        "entity": "Wombat Works",
        "vector": vectors.memorize(ctx, vectors.NewEntry("note", {3: 0.5}, "a wombat digs")),
    }
    graph_graph.create_entities(ctx, [entity("Wombat Works", "company", "digs", '{"a": 1}'), entity("Ground")])
    graph_graph.create_relations(ctx, [related("Wombat Works", "digs in", "Ground")])
    ring = [f"{kind}:{name}" for kind, name in names.items()]
    for source, target in zip(ring, [*ring[1:], ring[0]], strict=True):
        relations.associate(ctx, source, target, "LEADS_TO", 0.5)
    return names


def test_every_kind_is_found_walked_exported_and_taken_in_elsewhere(process):
    ctx, other = process(), process()
    names = fill(ctx)
    for reader in (ctx, other):
        hits = recall(reader, Query("wombat", 20))
        assert {hit.record.kind: hit.record.key for hit in hits if hit.record.key != "Ground"} == names
        assert len(expansion.recall_with_expansion(reader, Query("wombat", 20), 2)) >= len(names)
        assert len(impact.recall_with_impact(reader, Query("wombat", 20))) == len(hits)
        walked = {step.record.kind for step in relations.traverse(reader, names["memory"], 5, "bfs")}
        assert walked == {*names, "file"}
    before = exported(ctx)
    done = importing.import_items(other, [json.loads(item) for item in before])
    assert (done.ids, done.errors, done.skipped) == ([], [], len(before))
    assert exported(other) == before


def test_a_failure_is_found_by_what_only_its_twins_say_and_its_twins_are_not(process):
    ctx = process()
    key = failures.record(ctx, FAILURE)["id"]
    for query in ("src/burrow.ts", "WombatError burrow locked", "take a lock"):
        assert [hit.record.key for hit in recall(ctx, Query(query, 5))] == [key]
    graph_graph.delete_entities(ctx, [ERROR])
    assert [hit.record.key for hit in recall(ctx, Query("WombatError burrow locked", 5))] == [key]


def test_one_error_recorded_by_two_processes_at_once_is_one_record_with_every_occurrence(process):
    contexts = [process(), process()]
    with ThreadPoolExecutor(4) as pool:
        done = list(pool.map(lambda n: failures.record(contexts[n % 2], FAILURE), range(40)))
    assert len({each["id"] for each in done}) == 1
    assert sorted(each["occurrences"] for each in done) == list(range(1, 41))
    assert len(failures.newest(contexts[0], 9)) == 1
    assert len(graph_graph.read_graph(contexts[1])["entities"]) == 2


def test_rewards_and_feedback_of_two_processes_at_once_lose_none(process):
    contexts = [process(), process()]
    key = solutions.store(contexts[0], NewSolution("wombat hangs", "kick it", "global"))["id"]
    vectors.memorize(contexts[0], vectors.NewEntry("v", {1: 1.0}))

    def work(n):
        solutions.reward(contexts[n % 2], key, "success", f"note {n}")
        vectors.feedback(contexts[n % 2], "v", 1.0)

    with ThreadPoolExecutor(4) as pool:
        list(pool.map(work, range(30)))
    record, _ = solutions.one(contexts[1], key, "solution")
    assert record.metadata["successes"] == len(solutions.notes_of(record)) == 30
    assert vectors.search(contexts[1], {1: 1.0}, 1)[0]["score"] == 30.0


def test_entities_of_two_processes_at_once_are_all_there_once(process):
    contexts = [process(), process()]
    graph_graph.create_entities(contexts[0], [entity("hub")])

    def work(n):
        ctx = contexts[n % 2]
        graph_graph.create_entities(ctx, [entity(f"e{n // 2}"), entity(f"own{n}")])
        graph_graph.create_relations(ctx, [related(f"own{n}", "in", "hub")])
        graph_graph.add_observations(ctx, [Observed("hub", [f"seen {n}"])])

    with ThreadPoolExecutor(4) as pool:
        list(pool.map(work, range(30)))
    graph = graph_graph.read_graph(contexts[0])
    assert sorted(each["name"] for each in graph["entities"]) == sorted(
        ["hub", *(f"e{n}" for n in range(15)), *(f"own{n}" for n in range(30))]
    )
    assert len(graph["relations"]) == 30
    (hub,) = graph_graph.open_nodes(contexts[1], ["hub"])["entities"]
    assert sorted(hub["observations"]) == sorted(f"seen {n}" for n in range(30))


def test_nodes_are_searched_by_parts_keys_fields_and_words(process):
    ctx, other = process(), process()
    failures.record(ctx, FAILURE)
    graph_graph.create_entities(
        ctx,
        [
            entity("Ännchen 日本", "person", "speaks ESPAÑOL 100%_'x"),
            entity("dep#left-pad@1.3.0", "Dependency"),
            entity("cmd#npm test#0a1b2c3d", "Command"),
        ],
    )
    graph_graph.create_relations(ctx, [related("cmd#npm test#0a1b2c3d", "EMITS", ERROR)])

    def found(query, **part):
        return [each["name"] for each in search.search_nodes(other, query, **part)["entities"]]

    assert found("ännchen") == found("español") == found("100%_'x") == found("日本") == ["Ännchen 日本"]
    assert found("wombat")[0] == ERROR
    assert found("", limit=2, offset=1) == found("")[1:3]
    assert found("type:Dependency|person") == ["Ännchen 日本", "dep#left-pad@1.3.0"]
    assert found("dep#left-pad@2.0.0") == ["dep#left-pad@1.3.0"]
    assert found("nothing") == []
    assert [fix.strategy for fix in recipes.prior_fixes(other, FAILURE.message)] == ["take a lock"]
    assert [each.record.key for each in recipes.breaks(other, "npm test")] == [ERROR]
    graph_graph.delete_relations(ctx, [related("cmd#npm test#0a1b2c3d", "EMITS", ERROR)])
    assert recipes.breaks(other, "npm test") == []
    graph_graph.delete_observations(ctx, [Observed("Ännchen 日本", ["speaks ESPAÑOL 100%_'x"])])
    assert found("español") == []
    undo.undo(called(ctx, "undo"))
    assert found("español") == ["Ännchen 日本"]


@pytest.mark.parametrize("embedded", [False, True])
def test_solutions_are_recalled_with_the_failures_near_them(process, embedded):
    ctx = with_meaning(process()) if embedded else process()
    best = solutions.store(ctx, NewSolution("wombat queue hangs at night", "kick it", "global"))["id"]
    solutions.store(ctx, NewSolution("nothing of the kind", "wait", "stack"))
    failed = failures.record(ctx, NewFailure("runtime", "wombat queue hangs", "at night", "kick it"))["id"]
    if embedded:
        embed_all(ctx)
    found = matching.recall(ctx, "wombat queue hangs at night", 1, 0.3, None)
    assert [match.record.key for match in found.solutions] == [best]
    assert found.total == 1
    assert matching.recall(ctx, "wombat", 5, 0.0, "stack").total == 1
    if not embedded:
        assert [match.record.key for match in found.failures] == [failed]
    again = matching.recall(ctx, "wombat queue hangs at night", 1, 0.3, None)
    assert (found.solutions[0].uses, again.solutions[0].uses) == (0, 1)


def test_a_repo_solution_is_seen_from_its_repository_only(process):
    own, other = process("own"), process("other")
    key = solutions.store(own, NewSolution("wombat hangs", "kick it", "repo", ["secret"]))["id"]
    first, last = (
        memories.store(own, memories.NewMemory(f"The {name} decision", "decision"))["id"] for name in ("ibis", "heron")
    )
    for source, target in ((first, key), (key, last)):
        relations.associate(own, source, target, "LEADS_TO", 1.0)
    from indelible.toolsets.memory import decisions

    for ctx, seen in ((own, 1), (other, 0)):
        assert len([hit for hit in recall(ctx, Query("wombat", 9)) if hit.record.key == key]) == seen
        assert matching.recall(ctx, "wombat", 9, 0.0, None).total == seen
        assert len(decisions.decision_chain(ctx, None, "ibis")) == 1 + seen
        assert len(relations.traverse(ctx, first, 9, "dfs")) == 1 + 2 * seen
        assert solutions.status(ctx).tags == ["secret"][:seen]
    with pytest.raises(NotFound, match="is unknown"):
        solutions.reward(other, key, "success", None)


def test_a_purge_takes_the_twins_and_an_undo_brings_everything_back(process):
    ctx, other = process("own"), process()
    fill(ctx)
    before = exported(ctx)
    path = ctx.session.location.path
    gone = purging.purge(called(ctx, "purge"), path)
    assert gone == {"entity": 2, "failure": 1, "file": 2, "memory": 1, "solution": 1}
    assert {hit.record.kind for hit in recall(other, Query("wombat", 20))} == {"entity", "vector"}
    assert recall(other, Query("burrow locked", 20)) == []
    undo.undo(called(ctx, "undo"))
    assert exported(other) == before
    again = failures.record(ctx, FAILURE)
    assert again["occurrences"] == 2
    purging.purge(called(ctx, "purge"), path)
    failures.record(ctx, FAILURE)
    with pytest.raises(Conflict, match="cannot be restored"):
        undo.undo(called(ctx, "undo"))
