"""Whose a solution is: boosts for the same repository and a similar stack, and `repo` solutions, which stay at home."""

import pytest

from angles import call, with_angles
from indelible.core.records import exporting
from indelible.errors import NotFound
from indelible.toolsets.memory import importing
from repositories import ORIGIN, repository, worktree

pytestmark = pytest.mark.process

REACT = {"dependencies": {"react": "18", "express": "4"}, "devDependencies": {"typescript": "5"}}


@pytest.fixture
def app(tmp_path):
    return repository(tmp_path / "work" / "app", ORIGIN, name="app", **REACT)


@pytest.fixture
def homes(app, tmp_path):
    """Directories of one repository: itself, a folder in it, a worktree, a clone."""
    (app / "src").mkdir()
    clone = repository(tmp_path / "elsewhere" / "copy", "https://github.com/Team/App", name="app", **REACT)
    return [app, app / "src", worktree(app, tmp_path / "work" / "app-feature"), clone]


@pytest.fixture
def alike(tmp_path):
    return repository(tmp_path / "work" / "alike", name="alike", **REACT)


@pytest.fixture
def different(tmp_path):
    folder = repository(tmp_path / "work" / "different")
    (folder / "Cargo.toml").write_text('[package]\nname = "different"\n[dependencies]\naxum = "0.7"\n')
    return folder


def recalled(memory, **arguments):
    found = call(with_angles(memory.context), "matrix_recall", query="q", **arguments)
    return [(s["similarity"], s.get("contextBoost")) for s in found["solutions"]]


def store(memory, problem, scope="global"):
    return call(with_angles(memory.context), "matrix_store", problem=problem, solution="s", scope=scope)["id"]


def test_the_same_repository_is_boosted_wherever_it_is_checked_out(open_store, homes):
    store(open_store(start=homes[0]), "p (0.60)")
    for home in homes:
        assert recalled(open_store(start=home)) == [(0.69, "same_repo")]


def test_a_similar_stack_is_boosted_a_little_and_another_one_not(open_store, app, alike, different, tmp_path):
    store(open_store(start=app), "p (0.60)")
    assert recalled(open_store(start=alike)) == [(0.648, "similar_stack")]
    assert recalled(open_store(start=different)) == [(0.6, None)]
    assert recalled(open_store(start=tmp_path)) == [(0.6, None)]  # the home directory is no project


def test_without_a_repository_nothing_is_the_same(open_store, tmp_path, app):
    store(open_store(start=tmp_path), "p (0.60)")
    assert recalled(open_store(start=tmp_path)) == recalled(open_store(start=app)) == [(0.6, None)]


@pytest.mark.parametrize(
    ("problem", "least", "same", "similar", "other"),
    [
        ("p (0.27)", 0.3, 1, 0, 0),  # 0.3105, 0.2916
        ("p (0.29)", 0.3, 1, 1, 0),  # 0.3335, 0.3132
        ("p (0.26)", 0.3, 0, 0, 0),  # 0.299
        ("p (0.90)", 1, 1, 0, 0),  # 1.035, 0.972
        ("p (0.93)", 1, 1, 1, 0),  # 1.0695, 1.0044
    ],
)
def test_the_threshold_is_held_against_the_boosted_similarity(
    open_store, app, alike, different, problem, least, same, similar, other
):
    store(open_store(start=app), problem)
    counts = [len(recalled(open_store(start=home), minScore=least)) for home in (app, alike, different)]
    assert counts == [same, similar, other]


def test_a_boosted_similarity_is_shown_as_one_at_most_and_ordered_by_as_it_is(open_store, app, different):
    store(open_store(start=different), "best (0.99)")
    store(open_store(start=app), "boosted (0.90)")  # 1.035
    found = call(with_angles(open_store(start=app).context), "matrix_recall", query="q")["solutions"]
    assert [(s["problem"], s["similarity"]) for s in found] == [("boosted (0.90)", 1.0), ("best (0.99)", 0.99)]


def test_a_changed_manifest_changes_what_is_similar_at_once(open_store, app, different):
    memory = open_store(start=different)
    store(open_store(start=app), "p (0.60)")
    assert recalled(memory) == [(0.6, None)]
    (different / "Cargo.toml").unlink()
    (different / "package.json").write_text((app / "package.json").read_text())
    assert recalled(memory) == [(0.648, "similar_stack")]


def test_the_stack_survives_export_and_import(open_store, app, alike):
    memory = open_store(start=app)
    store(memory, "p (0.60)")
    things = list(exporting.export_all(memory.context))
    other = open_store("other", start=alike)
    assert importing.import_items(other.context, things).errors == []
    ctx = with_angles(other.context)
    from made_up_meaning import embed_all

    embed_all(ctx)
    found = call(ctx, "matrix_recall", query="q")["solutions"]
    assert [(s["similarity"], s["contextBoost"]) for s in found] == [(0.648, "similar_stack")]


# --- Solutions of scope `repo` ---


@pytest.fixture
def private(open_store, app):
    """The id of a `repo` solution of the app, with a memory that relates to it."""
    memory = open_store(start=app)
    key = memory.matrix_store(
        problem="wombat queue hangs", solution="restart the wombat", scope="repo", tags=["secret-tag"]
    )["id"]
    memory.store_memory(content="The marmot service is old", links=[key])
    return key


def ids(found):
    return [solution["id"] for solution in found["solutions"]]


def test_a_repo_solution_is_recalled_in_its_repository_only(open_store, private, homes, alike, tmp_path):
    for home in homes:
        for scope in ("all", "repo"):
            assert ids(open_store(start=home).matrix_recall(query="wombat queue", scopeFilter=scope)) == [private]
    for home in (alike, tmp_path):
        found = open_store(start=home).matrix_recall(query="wombat queue", minScore=0)
        assert (found["solutions"], found["totalFound"]) == ([], 0)


def everywhere(memory, key, namespace):
    """What each way to look tells of a solution: the ids that it shows."""
    other = memory.recall_memory(query="marmot service")[0]["id"]
    return {
        "recall_memory": [hit["id"] for hit in memory.recall_memory(query="wombat queue hangs")],
        "of its namespace": [hit["id"] for hit in memory.recall_memory(query="wombat queue", namespace=namespace)],
        "by relation": [hit["id"] for hit in memory.recall_memory(query="marmot service")],
        "expansion": [
            step for hit in memory.recall_with_expansion(query="marmot service") for step in hit["expansion_path"]
        ],
        "impact": [hit["id"] for hit in memory.recall_with_impact(query="wombat queue hangs")],
        "traverse": [node["id"] for node in memory.graph_traverse(start_id=other)],
        "export": [edge["target"] for item in memory.export_memories() for edge in item["edges"]],
        "recent": [solution["id"] for solution in memory.matrix_status()["recentSolutions"]],
    }


def test_no_recall_list_or_graph_answer_elsewhere_shows_a_repo_solution(open_store, private, app, alike):
    own, foreign = open_store(start=app), open_store(start=alike)
    for name, shown in everywhere(own, private, str(app)).items():
        assert any(private in each for each in shown), name
    for name, shown in everywhere(foreign, private, str(app)).items():
        assert not any(private in each for each in shown), name
    assert own.matrix_status()["topTags"] == ["secret-tag"]
    assert foreign.matrix_status()["topTags"] == []


def test_elsewhere_the_id_of_a_repo_solution_is_unknown(open_store, private, alike):
    memory = open_store(start=alike)
    note = memory.store_memory(content="note")["id"]
    for attempt in (
        lambda: memory.matrix_reward(solutionId=private, outcome="failure"),
        lambda: memory.graph_traverse(start_id=private),
        lambda: memory.associate_memories(source_id=note, target_id=f"solution:{private}", relationship="RELATES_TO"),
        lambda: memory.store_memory(content="x", links=[private]),
    ):
        with pytest.raises(NotFound, match="is unknown"):
            attempt()


def test_a_walk_does_not_pass_through_a_repo_solution_of_another_repository(open_store, private, app, alike):
    own = open_store(start=app)
    beyond = own.store_memory(content="Beyond it lies the ibis cache", links=[private])["id"]
    start = own.recall_memory(query="marmot service")[0]["id"]
    foreign = open_store(start=alike)
    assert beyond in {node["id"] for node in own.graph_traverse(start_id=start)}
    assert beyond not in {node["id"] for node in foreign.graph_traverse(start_id=start)}
    reached = foreign.recall_with_expansion(query="marmot service", expansion_depth=3)
    assert beyond not in {hit["id"] for hit in reached}


def test_the_same_repo_solution_of_two_repositories_is_two(open_store, app, alike):
    one, other = (
        open_store(start=home).matrix_store(problem="p", solution="s", scope="repo")["id"] for home in (app, alike)
    )
    assert one != other


def test_a_clone_stores_what_its_origin_has_only_once(open_store, homes):
    keys = {open_store(start=home).matrix_store(problem="p", solution="s", scope="repo")["id"] for home in homes}
    assert len(keys) == 1


def test_an_export_of_everything_has_the_solutions_of_all_repositories(open_store, private, alike):
    things = exporting.export_all(open_store(start=alike).context)
    assert private in {item["id"] for item in things}
