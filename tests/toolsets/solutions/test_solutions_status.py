"""matrix_status: what there is, and what the current repository is made of."""

import json

import pytest

from repositories import ORIGIN, repository, worktree

EMPTY = {"solutions": 0, "failures": 0, "repos": 0}


def test_an_empty_store_of_no_project(memory):
    assert memory.matrix_status() == {
        "status": "operational",
        "database": "connected",
        "currentRepo": {"name": "", "languages": [], "frameworks": [], "patterns": []},
        "stats": EMPTY,
        "topTags": [],
        "recentSolutions": [],
    }


@pytest.mark.process
@pytest.mark.parametrize(
    ("files", "expected"),
    [
        (
            {
                "package.json": {
                    "name": "shop",
                    "dependencies": {"express": "4"},
                    "devDependencies": {"typescript": "5"},
                }
            },
            ("shop", ["typescript"], ["express"], ["api"]),
        ),
        (
            {"Cargo.toml": '[package]\nname = "tool"\n[dependencies]\nclap = "4"\n'},
            ("tool", ["rust"], ["clap"], ["cli"]),
        ),
        ({"go.mod": "module example.org/team/thing/v2\n"}, ("thing", ["go"], [], [])),
        ({}, ("app", [], [], [])),
        ({"package.json": "{broken"}, ("app", [], [], [])),
    ],
)
def test_the_current_repository_is_read_from_its_manifests(open_store, tmp_path, files, expected):
    folder = repository(tmp_path / "work" / "app")
    for name, content in files.items():
        (folder / name).write_text(content if isinstance(content, str) else json.dumps(content))
    shown = open_store(start=folder).matrix_status()["currentRepo"]
    assert tuple(shown.values()) == expected


@pytest.mark.process
def test_the_origin_names_a_repository_without_a_manifest(open_store, tmp_path):
    folder = repository(tmp_path / "work" / "checkout", ORIGIN)
    assert open_store(start=folder).matrix_status()["currentRepo"]["name"] == "app"


def test_a_project_that_is_a_name_has_no_more_than_that(open_store, tmp_path):
    assert open_store(project="my-team", start=tmp_path).matrix_status()["currentRepo"] == {
        "name": "my-team",
        "languages": [],
        "frameworks": [],
        "patterns": [],
    }


@pytest.mark.process
def test_a_changed_manifest_is_seen_by_a_running_server(open_store, tmp_path):
    folder = repository(tmp_path / "work" / "app", name="before")
    memory = open_store(start=folder)
    assert memory.matrix_status()["currentRepo"]["name"] == "before"
    (folder / "package.json").write_text('{"name": "afterwards"}')
    assert memory.matrix_status()["currentRepo"]["name"] == "afterwards"
    (folder / "package.json").unlink()
    assert memory.matrix_status()["currentRepo"]["name"] == "app"


@pytest.mark.process
def test_a_manifest_that_is_a_link_to_nothing_hides_no_change(open_store, tmp_path):
    folder = repository(tmp_path / "work" / "app", name="before")
    (folder / "requirements.txt").symlink_to("nowhere.txt")
    memory = open_store(start=folder)
    assert memory.matrix_status()["currentRepo"]["name"] == "before"
    (folder / "package.json").write_text('{"name": "afterwards"}')
    assert memory.matrix_status()["currentRepo"]["name"] == "afterwards"


@pytest.mark.process
def test_repositories_are_counted_once_however_they_are_checked_out(open_store, tmp_path):
    app = repository(tmp_path / "work" / "app", ORIGIN)
    homes = [
        app,
        worktree(app, tmp_path / "work" / "feature"),
        repository(tmp_path / "elsewhere" / "copy", "https://github.com/Team/App"),
        repository(tmp_path / "work" / "other"),
        tmp_path,  # of no repository
    ]
    for n, home in enumerate(homes):
        memory = open_store(start=home)
        memory.matrix_store(problem=f"p{n}", solution="s", scope="global")
        memory.matrix_failure(errorType="other", errorMessage="e" * (n + 1), rootCause="r", fixApplied="f")
    assert memory.matrix_status()["stats"] == {"solutions": 5, "failures": 5, "repos": 2}


def test_memories_are_no_solutions(memory):
    memory.store_memory(content="Axum was chosen", tags=["framework"])
    memory.matrix_store(problem="p", solution="s", scope="global", tags=["only"])
    assert memory.codemem_stats()["storage"]["memories"] == 1
    status = memory.matrix_status()
    assert (status["stats"], status["topTags"]) == ({**EMPTY, "solutions": 1}, ["only"])


def test_the_ten_most_frequent_tags_come_by_count_then_name(memory):
    for n in range(12):
        memory.matrix_store(
            problem=f"p{n}", solution="s", scope="global", tags=[f"t{n:02}", *(["äö", "b"] if n < 3 else [])]
        )
    assert memory.matrix_status()["topTags"] == ["b", "äö", *(f"t{n:02}" for n in range(8))]


def test_the_five_newest_solutions_are_shown(memory):
    keys = [memory.matrix_store(problem=f"p{n}" * 60, solution="s", scope="stack")["id"] for n in range(7)]
    memory.matrix_reward(solutionId=keys[6], outcome="success")
    recent = memory.matrix_status()["recentSolutions"]
    assert [each["id"] for each in recent] == keys[:1:-1]
    assert (recent[0]["score"], recent[0]["scope"], recent[0]["problem"]) == (0.55, "stack", "p6" * 60)
    assert recent[0]["created_at"] == "2026-03-01T12:00:00Z"
