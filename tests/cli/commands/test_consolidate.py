"""`indelible consolidate` and `indelible patterns`: what they say and do, and that a dry run tells it before."""

import json
import re
from datetime import UTC, datetime, timedelta

import pytest

from command_line import export, opened
from indelible.admin import dry_run
from indelible.cli import main
from indelible.toolsets.memory import importing

OLD = (datetime.now(UTC) - timedelta(days=200)).isoformat()
OF_A_CAPTURE = {"origin": "capture", "trust": "untrusted"}


def files(data):
    return sorted(path.name for path in data.iterdir() if not re.search(r"-|\.lock$", path.name))


def item(name, content, **more):
    return {"id": name, "content": content, "created_at": OLD, "updated_at": OLD, "namespace": "n", **more}


RING = [f"r{n}" for n in range(5)]
ITEMS = [
    item("twin", "Deploys go out on Tuesdays", memory_type="habit", tags=["deploy"], importance=0.4),
    item("kept", "Deploys go out on Tuesdays.", memory_type="habit", importance=0.6, access_count=1),
    item("worthless", "The lamp is green", importance=0.05),
    item("seen", "Captured long ago", metadata=OF_A_CAPTURE),
    item("ring", "Deploys need a green build", memory_type="decision", tags=["deploy", "ci"]),
    *(item(id_, f"Job {id_} is retried after a deploy") for id_ in RING),
    item(
        "last",
        "The end",
        edges=[{"source": a, "target": b, "relationship": "RELATES_TO"} for a in RING for b in RING if a < b],
    ),
]


@pytest.fixture
def data(tmp_path):
    data = tmp_path / "data"
    with opened(data) as ctx:
        assert importing.import_items(ctx, ITEMS).errors == []
    return data


@pytest.fixture
def run(data, capsys):
    """Run a command: its exit code, what it wrote, what it said."""

    def command(*arguments):
        code = main.main([*arguments, "--data", str(data)])
        told = capsys.readouterr()
        return code, told.out, told.err

    return command


LINES = [
    "decay: 11 memories less important",
    "cluster: 1 memory merged into 1 that says the same",
    "forget: 1 memory forgotten",
    "creative: 1 new relation",
    "summarize: 1 summary of 1 group of 5 or more",
    "captured: 1 memory deleted as never used",
]


def of_cycles(out):
    return [line for line in out.splitlines() if re.match(r"[a-z]+: \d", line)]


def test_all_cycles_run_and_a_second_run_does_nothing(run, data):
    code, out, _ = run("consolidate")
    assert code == 0
    assert of_cycles(out) == LINES
    assert "`indelible undo` reverts the last of them" in out
    after = export(data)
    code, out, _ = run("consolidate")
    assert of_cycles(out)[1] == "cluster: 0 memories merged"
    assert [re.sub(r"\d+", "0", line, count=1) for line in of_cycles(out)] == of_cycles(out)
    assert "undo" not in out
    assert export(data) == after


def test_everything_can_be_taken_back_operation_by_operation(run, data):
    before = export(data)
    run("consolidate")
    for tool in ("fold_captured", "summarize", "creative", "forget", "cluster", "decay"):
        code, out, _ = run("undo")
        assert code == 0
        assert tool in out
    assert export(data) == before


def test_a_dry_run_tells_what_a_run_does_and_changes_nothing(run, data):
    before = export(data), files(data)
    code, dry, _ = run("consolidate", "--dry-run")
    assert code == 0
    assert dry.endswith("nothing was changed\n")
    assert (export(data), files(data)) == before
    assert not list(data.glob(f"{dry_run.PREFIX}*"))
    code, real, _ = run("consolidate")
    assert of_cycles(dry) == of_cycles(real) == LINES
    for line in (
        r"importance 0\.4 to 0\.36 +twin +Deploys go out on Tuesdays",
        r"tags deploy +kept +Deploys",
        r"deleted +twin +Deploys go out on Tuesdays",
        r"deleted +worthless +The lamp is green",
        r"RELATES_TO (kept|ring) \(0\.5\) +(ring|kept) +Deploys [^>]+ -> Deploys ",
        r"stored +[0-9a-f]{8} +Summary of 5 related memories",
        r"deleted +seen +Captured long ago",
    ):
        assert re.search(line, dry), line


def test_one_cycle_runs_alone_with_its_option(run, data):
    assert of_cycles(run("consolidate", "decay", "--threshold-days", "300")[1]) == ["decay: 0 memories less important"]
    assert of_cycles(run("consolidate", "forget", "--importance-threshold", "0.45")[1]) == [
        "forget: 2 memories forgotten"
    ]
    assert of_cycles(run("consolidate", "summarize", "--cluster-size", "6", "--dry-run")[1]) == [
        "summarize: 0 summaries of 0 groups of 6 or more"
    ]
    assert json.loads(run("call", "consolidation_status")[1])["cycles"]["decay"]["affected"] == 0


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (("forget", "--cluster-size", "3"), "--cluster-size belongs to `consolidate summarize`"),
        (("decay", "--threshold-days", "0"), "threshold_days must be between 1 and 36500, got 0"),
        (("forget", "--importance-threshold", "2"), "importance_threshold"),
    ],
)
def test_a_wrong_option_is_refused_and_nothing_is_done(run, data, arguments, words):
    before = export(data)
    code, out, said = run("consolidate", *arguments)
    assert (code, out) == (1, "")
    assert words in said
    assert export(data) == before


def test_where_nothing_may_be_written_only_a_dry_run_goes(run, data, monkeypatch):
    monkeypatch.setenv("INDELIBLE_READ_ONLY", "1")
    code, _, said = run("consolidate")
    assert code == 1
    assert "--dry-run" in said
    assert of_cycles(run("consolidate", "--dry-run")[1]) == LINES


def test_the_copy_of_a_dry_run_that_was_killed_goes_with_a_later_one(data):
    import os

    left, fresh = data / f"{dry_run.PREFIX}old", data / f"{dry_run.PREFIX}new"
    for place in (left, fresh):
        place.mkdir()
        (place / "indelible.db").write_bytes(b"x")
    os.utime(left, (1, 1))
    with opened(data) as ctx, dry_run.copied(ctx):
        assert not left.exists()
        assert fresh.exists()


def test_patterns_are_told_and_none_too(run):
    assert run("patterns", "--namespace", "nowhere")[1] == "No patterns detected yet.\n"
    assert json.loads(run("patterns", "--json", "--namespace", "nowhere")[1])["result"] == {"patterns": [], "count": 0}
    code, _, said = run("patterns", "--min-frequency", "0")
    assert code == 1
    assert "min_frequency" in said
