"""Ctrl-C in the middle of each command: exit code 130, one sentence, a sound store, and a terminal as it was.

Where a command can wait for no key, the interrupt comes in a function in the middle of it, so that it always does.
"""

import gc
import importlib
import json
import os
import signal

import pytest

import every_command
import terminals
import varied_store
from command_line import assert_sound
from indelible.cli import interrupts
from indelible.cli.main import COMMANDS, main
from told import spooled, whole_session
from varied_store import ATTACK, FIRST

pytestmark = [
    pytest.mark.process,
    pytest.mark.sqlite("its file, which is copied for each test"),
    pytest.mark.skipif(os.name == "nt", reason="signals and pseudo-terminals of Unix"),
]
BREATHE = "batching.breathe"
SERVERS = {"serve", "ui", "encoder", "hook"}  # which end in good order, with 0
# What is interrupted where.
STEPS = {
    "remember": (["remember", "x"], "toolsets.registry.call"),
    "call": (["call", "list_namespaces"], "toolsets.registry.call"),
    "recall": (["recall", "pnpm"], "core.recall.recall.recall"),
    "list": (["list"], "toolsets.memory.inspection.newest"),
    "show": (["show", FIRST], "toolsets.memory.inspection.inspect"),
    "import": (["import", "{root}/items.jsonl"], BREATHE),
    "add": (["add", "{root}/more"], BREATHE),
    "index": (["index", "{root}/more"], BREATHE),
    "export": (["export"], "cli.commands.transfer.harmless_json"),
    "backup": (["backup", "{root}/copy.db"], "admin.backups.verify"),
    "restore": (["restore", "{root}/kept.db"], "admin.backups._prepare"),
    "pin": (["pin", FIRST], "toolsets.memory.memories.pin"),
    "unpin": (["unpin", FIRST], "toolsets.memory.memories.pin"),
    "sync": (["sync", "{root}"], "admin.sync.noting.note"),
    "delete": (["delete", FIRST], "toolsets.memory.deletion.delete"),
    "undo": (["undo"], "core.records.undo.undo"),
    "drain": (["drain"], "capture.ingest._batch"),
    "purge": (["purge", "--yes", ATTACK], "admin.purge._clean"),
    "redact": (["redact", "--stored"], "admin.purge._clean"),
    "consolidate": (["consolidate"], "toolsets.lifecycle.forget.fold_captured"),
    "doctor": (["doctor", "--repair"], "admin.doctor.mend"),
    "reembed": (["reembed"], "admin.embedding_worker.wait_for_model"),
    "migrate": (["migrate", "--from", "{root}/data", "--to", "{root}/other"], "transfer.migration._compare"),
    "promote": (["promote", "--all", "--yes"], "capture.promotion.promote_all"),
    "unsetup": (["unsetup", "claude-code"], "cli.setup.registration.take_back"),
    "database": (["database", "upgrade"], "admin.upgrade.upgrade"),
    "tenant": (["tenant", "usage"], "admin.tenant_usage.refuse_file"),
    "token": (["token", "list"], "admin.tokens.listed"),
    "model": (["model", "use", "builtin"], "admin.model_use.use"),
    "patterns": (["patterns"], "toolsets.registry.call"),
}
NOT_AGAIN = {"database", "tenant", "reembed", "model"}  # without a database, without a model
AGAIN = {"purge": ["purge"]}  # the words that do the rest, where they are not the same
ASKED = {
    "setup": (["setup"], b"[Y/n] "),
    "promote": (["promote", "--all"], b"[y/N] "),
    "purge": (["purge", ATTACK], b"[y/N] "),
    "model": (["model", "install", "nonsense"], b"[y/N] "),
    "review": (["review"], b"quit: "),
}


@pytest.fixture(scope="module")
def made(tmp_path_factory):
    made = varied_store.build(tmp_path_factory.mktemp("interrupted"))
    root = made.kept
    (root / "items.jsonl").write_text("".join(json.dumps({"content": f"item {n}"}) + "\n" for n in range(600)))
    (root / "more").mkdir()
    for number in range(3):
        (root / "more" / f"part{number}.py").write_text(f"def part{number}():\n    return {number}\n")
    spooled(root / "data", whole_session(made.root / "shop", "s3").events)
    return made


@pytest.fixture
def user(made, monkeypatch):
    """This process as that of a user in the project, with the store as it was at first."""
    made.renew()
    monkeypatch.setenv("HOME", str(made.root / "home"))
    monkeypatch.setenv("INDELIBLE_DATA", str(made.root / "data"))
    monkeypatch.setenv("XDG_RUNTIME_DIR", str(made.root))
    monkeypatch.chdir(made.root / "shop")
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    yield made
    signal.signal(signal.SIGINT, before)
    gc.enable()


def interrupting(monkeypatch, step):
    """Let Ctrl-C come where a function is called for the first time."""
    module, _, name = step.rpartition(".")
    module = importlib.import_module(f"indelible.{module}")
    function, pending = getattr(module, name), [signal.SIGINT]

    def interrupted(*given, **named):
        if pending:
            signal.raise_signal(pending.pop())
        return function(*given, **named)

    monkeypatch.setattr(module, name, interrupted)
    return pending


@pytest.mark.parametrize("command", STEPS)
@pytest.mark.sweep(10)
def test_an_interrupt_is_answered_with_one_sentence_and_leaves_a_sound_store(command, user, monkeypatch, capfd):
    arguments, step = STEPS[command]
    given = every_command.Run(tuple(arguments)).of(user)
    if command == "restore":
        assert main(["backup", str(user.root / "kept.db")]) == 0
    with monkeypatch.context() as patch:
        pending = interrupting(patch, step)
        assert main(given) == 130
        assert not pending
    said = capfd.readouterr().err
    assert said.splitlines()[-1] == interrupts.sentence(given)
    assert said.count("stopped; ") == 1
    assert "Traceback" not in said
    if command not in NOT_AGAIN:
        assert main(AGAIN.get(command, given)) == 0, capfd.readouterr().err
    assert_sound(user.root / "data")


def test_a_purge_that_was_interrupted_is_finished_before_the_next_one_begins(user, monkeypatch, capfd):
    given = ["purge", "--yes", ATTACK]
    with monkeypatch.context() as patch:
        interrupting(patch, "admin.purge._clean")
        assert main(given) == 130
    assert main(given) == 1
    said = capfd.readouterr().err
    assert f"an earlier purge of {ATTACK} was interrupted; it is finished first" in said
    assert "is unknown" in said
    assert main(["purge"]) == 2, "nothing is left of it"


@pytest.mark.process
@pytest.mark.parametrize("command", ASKED)
def test_ctrl_c_at_a_question_changes_nothing(command, made):
    arguments, words = ASKED[command]
    made.renew()
    typing = begun(arguments, made)
    typing.until(words)
    typing.type(terminals.INTERRUPT)
    # Between a question and the read behind it Python only notes a signal, and reads on: people type Ctrl-C again.
    recorded = typing.recorded(again=terminals.INTERRUPT)
    said = (recorded.output + recorded.errors).decode().replace("\r\n", "\n")
    assert (recorded.code, recorded.modes_kept) == (130, True)
    sentence = interrupts.sentence(arguments, at_first_question=command != "review")
    assert " ".join(sentence.split()) in " ".join(said.split())
    assert "Traceback" not in said
    assert not (made.root / "home" / ".claude.json").exists()


@pytest.mark.process
def test_ctrl_c_in_an_import_that_waits_for_its_file_says_how_to_go_on(made):
    made.renew()
    pipe = made.root / "items"
    os.mkfifo(pipe)
    typing = begun(["import", str(pipe)], made)
    with open(pipe, "wb", buffering=0) as items:  # as soon as the command reads it
        items.write(b'{"content": "one"}\n')
        typing.type(terminals.INTERRUPT)
        recorded = typing.recorded()
    assert (recorded.code, recorded.modes_kept) == (130, True)
    assert "the same command continues" in " ".join(recorded.errors.decode().split())
    assert b"Traceback" not in recorded.errors
    assert_sound(made.root / "data")


def begun(arguments, made):
    env = every_command.environment_of(made)
    return terminals.Typing(arguments, terminals.TERMINAL, env=env, cwd=made.root / "shop")


def test_every_command_that_changes_something_has_its_sentence():
    reads = {name for name in COMMANDS if interrupts.sentence([name]).endswith(interrupts.UNCHANGED)}
    assert reads == {
        *("recall", "why", "list", "show", "brief", "map", "stats", "fixes", "breaks", "key", "solutions", "failures"),
        *(
            "stale",
            "review-diff",
            "what-changed",
            "export",
            "history",
            "captured",
            "patterns",
            "doctor",
            "tools",
            "schema",
            "completion",
            *SERVERS,
        ),
    }
