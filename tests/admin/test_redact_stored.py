"""Secrets that older rules let in are taken out of every byte, and nothing brings them back."""

from __future__ import annotations

import json
import shutil
import subprocess
import sys
from pathlib import Path
from random import Random

import pytest

import store_file
from command_line import assert_sound, done, export, indelible, killed_at, opened
from indelible.admin import backups, stored_secrets
from indelible.core.records import insert
from mcp_client import McpClient, environment
from secret_formats import drawn
from store_file import found_in

pytestmark = pytest.mark.process

SECRET = drawn(Random(21), "ghp_{a 36}")
LATER = drawn(Random(22), "nvapi-{w 64}")
WORD = "wombatledger"
WORDS = ",".join(f"{at:03}" for at in range(500))  # without a space, at which a chunk would end

# A server of an older version: it knows no rules at all.
OLDER = """
import json, sys
from indelible.sanitize import entropy, redact, secret_spans
for module in (entropy, redact, secret_spans):
    module.redact_text = lambda text: (text, {})
    module.spans_of = lambda text: []
redact.assigned_rule = lambda *given, **named: None
from indelible.cli.main import main
for arguments in json.loads(sys.argv[1]):
    if main([*arguments, "--data", sys.argv[2]]):
        sys.exit(f"{arguments} failed")
"""


def older(*commands: list[str], data: Path) -> None:
    """Run commands of an older version, which lets every secret in."""
    program = [sys.executable, "-c", OLDER, json.dumps(commands), str(data)]
    ran = subprocess.run(program, capture_output=True, env=environment(), cwd=data.parent, check=False)
    assert ran.returncode == 0, ran.stderr.decode()


def keep_all(data: Path) -> None:
    """Store a secret by every tool that keeps text otherwise than the others."""
    entity = {"name": f"svc {SECRET}", "entityType": "service", "observations": [f"uses {SECRET}"]}
    gone = data.parent / "gone.jsonl"
    gone.write_text(json.dumps({"id": "gone", "content": f"to be deleted {SECRET}", "metadata": {"a": [SECRET]}}))
    older(
        ["remember", f"The {WORD} signs in with {SECRET} at night", "--tag", "ops"],
        ["remember", f"Another says {LATER}"],
        ["call", "create_entities", "--entities", json.dumps([entity])],
        ["call", "add_todo", "--title", "rotate", "--description", f"it is {SECRET}"],
        ["call", "store_memory", "--content", f"# Keys\n\nThe key is {SECRET}.", "--file-name", "keys.md"],
        ["import", str(gone)],
        ["call", "delete_memory", "--id", "gone"],
        data=data,
    )
    gone.unlink()


def holding(data: Path) -> list[str]:
    """The files, and tables of a store in PostgreSQL, in which a secret stands."""
    named = {
        name for name, body in store_file.tables(data).items() for said in (SECRET, LATER) if said.encode() in body
    }
    return sorted(named | {path for said in (SECRET, LATER) for path in found_in(data, said.encode())})


@pytest.fixture(scope="module")
def filled(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A store that an older version wrote, and its backup. It is copied, not changed."""
    data = tmp_path_factory.mktemp("older") / "data"
    keep_all(data)
    with opened(data) as ctx:
        if backups.is_file(ctx):
            assert backups.daily(ctx) is not None
    return data


@pytest.fixture
def data(filled: Path, tmp_path: Path) -> Path:
    data = tmp_path / "data"
    store_file.copy(filled, data)
    assert holding(data)
    return data


def test_doctor_counts_them_by_rule_and_never_says_what_they_are(data: Path):
    said = done("doctor", data=data)
    assert "secrets that older rules missed: github-token (" in said
    assert "nvidia-key (1)" in said
    assert SECRET not in said
    assert "would" not in done("redact", "--stored", "--dry-run", data=data).splitlines()[0]
    assert holding(data)


def test_they_are_taken_out_of_all_that_is_stored_and_undo_brings_none_back(tmp_path: Path):
    data = tmp_path / "data"
    keep_all(data)
    with opened(data) as ctx:
        if backups.is_file(ctx):
            assert backups.daily(ctx) is not None
    said = done("redact", "--stored", data=data)
    assert "github-token" in said
    assert holding(data) == []
    assert_sound(data)
    assert "secrets that older rules" not in done("doctor", data=data)
    assert f"The {WORD} signs in with [REDACTED:github-token] at night" in export(data)
    assert WORD in done("recall", f"{WORD} night", data=data)
    done("undo", data=data)
    assert "to be deleted [REDACTED:github-token]" in export(data)
    assert holding(data) == []
    assert "no stored secret" in done("redact", "--stored", data=data)


def test_hashes_fit_what_is_left_and_two_that_become_the_same_stay_two(tmp_path: Path):
    data = tmp_path / "data"
    other = drawn(Random(23), "ghp_{a 36}")
    older(*(["remember", f"The {WORD} has {secret}"] for secret in (SECRET, other)), data=data)
    done("redact", "--stored", data=data)
    contents = sorted(json.loads(line)["content"] for line in export(data).splitlines())
    mark = f"The {WORD} has [REDACTED:github-token]"
    assert contents == [mark, f"{mark} (2)"]
    with opened(data) as ctx, ctx.store.read() as tx:
        from indelible.store.tables import records

        assert all(each.content_hash == insert.content_hash(each.text) for each in records.after(tx, 0, 9))
    assert done("remember", mark, data=data)
    assert len(export(data).splitlines()) == 2


def test_a_running_server_says_none_of_it_any_more(data: Path):
    with McpClient(data) as client:
        assert SECRET in json.dumps(client.call("recall_memory", {"query": f"{WORD} night"}))
        done("redact", "--stored", data=data)
        said = json.dumps(client.call("recall_memory", {"query": f"{WORD} night"}))
        assert WORD in said
        assert SECRET not in said
    assert holding(data) == []


STEPS = (
    "admin.purge_files.mend_waiting",
    "admin.stored_secrets._mend_records",
    "store.tables.purge.drop_blocks",
    "store.sqlite.pages.vacuum",
    "admin.purge_backups._replace",
    "admin.purge_journal.remove",
)


@pytest.mark.skipif(sys.platform == "win32", reason="there is no SIGKILL")
@pytest.mark.sqlite("bytes of the file and its copies")
@pytest.mark.parametrize("step", STEPS)
@pytest.mark.sweep(2)
def test_one_that_was_killed_is_completed_by_the_next(data: Path, step: str):
    killed_at(step, "redact", "--stored", data=data)
    ran = indelible("redact", "--stored", data=data)
    assert ran.returncode == 0, ran.stderr.decode()
    assert holding(data) == []


def test_the_index_of_source_code_forgets_a_file_with_one_and_reads_it_again(tmp_path: Path):
    data, app = tmp_path / "data", tmp_path / "app"
    (app / ".git").mkdir(parents=True)
    (app / ".git" / "HEAD").write_text("ref: refs/heads/main\n")
    (app / "keys.py").write_text(f'def {WORD}_sign():\n    """Signs with {SECRET}."""\n')
    older(["index", str(app)], data=data)
    with opened(data) as ctx, ctx.store.read() as tx:
        assert stored_secrets.count(ctx, tx)
    done("redact", "--stored", data=data)
    assert holding(data) == []
    done("index", str(app), data=data)
    assert holding(data) == []
    assert f"{WORD}_sign" in done("call", "search_symbols", "--query", f"{WORD}_sign", data=data)


@pytest.mark.sqlite("a backup is a file")
def test_what_restore_and_migrate_bring_as_it_was_is_counted_by_doctor(data: Path, tmp_path: Path):
    backup = tmp_path / "by-hand.db"
    done("backup", backup, data=data)
    done("redact", "--stored", data=data)
    assert "secrets that older rules" not in done("doctor", data=data)
    done("restore", backup, data=data)
    assert "secrets that older rules missed: github-token (" in done("doctor", data=data)
    done("migrate", "--from", str(data), "--to", str(tmp_path / "other"), data=data)
    assert "secrets that older rules missed: github-token (" in done("doctor", data=tmp_path / "other")


def test_relations_and_failures_that_become_the_same_stay_two_and_fit_their_signatures(tmp_path: Path):
    data = tmp_path / "data"
    other = drawn(Random(23), "ghp_{a 36}")
    entities = [{"name": name, "entityType": "service", "observations": []} for name in ("web", "db", "old")]
    relations = [{"from": "web", "to": "db", "relationType": f"signs in with {secret}"} for secret in (SECRET, other)]
    relations.append({"from": "web", "to": "old", "relationType": f"knew {SECRET}"})
    failure = ["call", "matrix_failure", "--errorType", "runtime", "--rootCause", "a key", "--fixApplied", "it"]
    older(
        ["call", "create_entities", "--entities", json.dumps(entities)],
        ["call", "create_relations", "--relations", json.dumps(relations)],
        ["call", "delete_entities", "--entityNames", json.dumps(["old"])],
        *([*failure, "--errorMessage", f"KeyRefused: {kind} refused {SECRET}"] for kind in ("alpha", "beta")),
        *([*failure, "--errorMessage", f"TokenRefused: refused {secret} here"] for secret in (SECRET, other)),
        data=data,
    )
    done("redact", "--stored", data=data)
    mark = "signs in with [REDACTED:github-token]"
    graph = json.loads(done("call", "read_graph", data=data))
    named = sorted(each["relationType"] for each in graph["relations"] if each["from"] == "web")
    assert named == [mark, f"{mark} (2)"]
    assert holding(data) == []
    assert_sound(data)


def test_what_the_border_of_a_chunk_cuts_of_a_secret_goes_too(tmp_path: Path):
    data, random = tmp_path / "data", Random(24)
    found = [drawn(random, "ghp_{a 36}") for _ in range(56)]
    things = [
        {"file_name": f"d{at}.md", "content": WORDS[: 900 + 2 * at] + secret + WORDS[::-1]}
        for at, secret in enumerate(found)
    ]
    texts = tmp_path / "texts"
    texts.mkdir()
    for each in things:
        (texts / each["file_name"]).write_text(each["content"])
    older(["add", str(texts)], data=data)
    (texts / "d7.md").write_text("nothing")
    older(["add", str(texts)], data=data)
    shutil.rmtree(texts)
    done("redact", "--stored", data=data)
    said = store_file.kept(data)
    assert [at for at, secret in enumerate(found) if any(secret[i : i + 8].encode() in said for i in range(33))] == []
    assert_sound(data)
    assert "chunk" not in done("doctor", data=data)
