"""`indelible import --from claude-code` as one operation: its dry run, its undo, and an import after that."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from indelible.capture import pausing
from indelible.cli.main import main

AXUM = "We decided to use Axum instead of Actix: it shares the tower middleware."
RULE = "Always use snake_case for the columns of the database."


@pytest.fixture
def shop(tmp_path, monkeypatch) -> Path:
    """The project of the sessions, in which the commands run."""
    place = tmp_path / "home" / "shop"
    place.mkdir(parents=True)
    monkeypatch.setenv("HOME", str(place.parent))
    monkeypatch.setenv("INDELIBLE_DATA", str(tmp_path / "data"))
    monkeypatch.setenv("INDELIBLE_ENCODER", "off")
    monkeypatch.chdir(place)
    return place


@pytest.fixture
def run(shop, capfd) -> Callable[..., str]:
    """Run a command, which must succeed; the last line that it said, if any."""

    def ran(*arguments: str) -> str:
        capfd.readouterr()
        assert main(list(arguments)) == 0
        return next(reversed(capfd.readouterr().err.splitlines()), "")

    return ran


@pytest.fixture
def records(shop, capfd) -> Callable[[], dict[str, dict[str, Any]]]:
    """What the store holds, by content."""

    def listed() -> dict[str, dict[str, Any]]:
        capfd.readouterr()
        assert main(["export"]) == 0
        found = map(json.loads, capfd.readouterr().out.splitlines())
        return {each["content"]: {**each, "updated_at": ""} for each in found}

    return listed


def transcript(shop: Path, session: str, *prompts: str) -> str:
    """A folder with the transcript of a session of so many prompts, the second one asked half an hour later."""
    folder = shop.parent / session
    folder.mkdir()
    lines = []
    for number, prompt in enumerate(prompts):
        common = {"sessionId": session, "cwd": str(shop), "timestamp": f"2026-03-02T09:{number:02}:00.000Z"}
        asked = {"role": "user", "content": prompt}
        answer = {"id": f"m{number}", "role": "assistant", "content": [{"type": "text", "text": "Done."}]}
        lines += [
            {**common, "type": "user", "uuid": f"{session}-u{number}", "promptId": f"p{number}", "message": asked},
            {**common, "type": "assistant", "uuid": f"{session}-a{number}", "message": answer},
        ]
    (folder / f"{session}.jsonl").write_text("".join(json.dumps(line) + "\n" for line in lines))
    return str(folder)


def test_a_dry_run_takes_nothing_and_says_what_the_import_does(shop, run, records):
    folder = transcript(shop, "one", AXUM)
    said = run("import", "--from", "claude-code", folder, "--dry-run")
    assert records() == {}
    assert said.startswith("read 1 transcript: ")
    counts = said.removesuffix(" would be captured, updated or taken back")
    assert run("import", "--from", "claude-code", folder).startswith(f"{counts} captured, updated or taken back; ")
    assert AXUM in records()


def test_a_line_that_cannot_be_read_is_named_by_its_file_and_number(shop, run, capfd):
    folder = transcript(shop, "s1", RULE)
    path = Path(folder) / "s1.jsonl"
    path.write_text(f"[1]\n\n{path.read_text()}" + '{"type": "us')
    capfd.readouterr()
    assert main(["import", "--from", "claude-code", folder, "--json"]) == 3
    (first, last) = json.loads(capfd.readouterr().out)["result"]["problems"]
    assert first == f"{path}: line 1 is no JSON object, or not written whole yet"
    assert last.startswith(f"{path}: line 5 ")


def test_a_dry_run_leaves_out_what_is_paused(shop, run):
    run("pause", "--project", str(shop))
    assert (shop.parents[1] / "data" / pausing.FILE).exists()
    said = run("import", "--from", "claude-code", transcript(shop, "one", AXUM), "--dry-run")
    assert said.startswith("1 transcript of paused projects was left out")


def test_an_undo_takes_back_all_that_an_import_did_to_memories(shop, run, records):
    run("import", "--from", "claude-code", transcript(shop, "one", AXUM))
    before = records()
    run("import", "--from", "claude-code", transcript(shop, "two", AXUM, RULE))
    after = records()
    assert RULE in after
    assert after[AXUM]["metadata"]["said"] == 2
    assert after[AXUM]["importance"] > before[AXUM]["importance"]
    run("undo")
    assert records() == before


def test_what_an_undo_took_back_another_import_captures_again_and_nothing_that_was_deleted(shop, run, records):
    folder = transcript(shop, "one", AXUM, RULE)
    run("import", "--from", "claude-code", folder)
    whole = records()
    run("undo")
    assert records() == {}
    run("import", "--from", "claude-code", folder)
    assert list(records()) == list(whole)
    run("delete", records()[RULE]["id"])
    run("import", "--from", "claude-code", folder)
    assert set(records()) == set(whole) - {RULE}
