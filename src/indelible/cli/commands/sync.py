"""Making the stores of several machines one, without a server: through files in a directory that they share."""

import argparse
import getpass
import sys
from pathlib import Path
from typing import TYPE_CHECKING

from indelible.cli import answers
from indelible.cli.opening import Adding, as_bulk, open_context_of, settings_of, tell_redacted
from indelible.cli.paths import absolute
from indelible.cli.terminal import can_ask, counted, out
from indelible.errors import InvalidInput
from indelible.filesystem import create_private, prepare
from indelible.stderr import say

if TYPE_CHECKING:
    from indelible.admin.sync.sync import Done

NAMED = 10  # conflicts and problems that are named
KEY_FILE = "sync.key"  # in the data directory


def add(command: Adding) -> None:
    """Declare the command."""
    sync = command("sync", _sync, "become one store with those of your other machines, through files in a directory")
    sync.add_argument(
        "directory",
        metavar="DIR",
        type=Path,
        nargs="?",
        help="a git work tree, a USB stick or a folder that some service copies from machine to machine",
    )
    sync.add_argument("--plain", action="store_true", help="do not encrypt: whoever can read DIR reads your memories")
    sync.add_argument("--key", action="store_true", help="ask for the key of your other machines first, and keep it")
    sync.add_argument("--show-key", action="store_true", help="print the key, to give it to another machine of yours")


def _sync(arguments: argparse.Namespace) -> int:
    path = settings_of(arguments).data / KEY_FILE
    if arguments.plain and (arguments.key or arguments.show_key):
        raise InvalidInput("--plain needs no key; leave out --key and --show-key")
    if arguments.directory is None and not (arguments.key or arguments.show_key):
        raise InvalidInput("DIR is missing: give the directory that your machines share")
    if arguments.key:
        _keep(path, _asked())
    if arguments.show_key:
        return _show(path)
    if arguments.directory is None:
        answers.give({"key": "kept"})
        out("the key is kept")
        return 0
    return _run(arguments, path)


def _run(arguments: argparse.Namespace, path: Path) -> int:
    from indelible.admin.sync import sync

    directory = absolute(arguments.directory, "DIR")
    ctx = open_context_of(arguments)
    try:
        as_bulk(ctx, "sync")
        done = sync.sync(ctx, directory, lambda: None if arguments.plain else _key(path, directory), say)
    finally:
        ctx.close()
    tell_redacted(done.redacted)
    return _tell(done)


def _key(path: Path, directory: Path) -> bytes:
    """Return the key of this user's machines, made where this is the first of them."""
    from indelible.admin.sync import bundles

    kept = _kept(path)
    if kept is not None:
        return kept
    if any(not bundle.plain for bundle in bundles.others(directory)[0]):
        raise InvalidInput(
            "another machine's files are here, and this one has no key to read them: run `indelible sync --show-key` "
            f"there, then `indelible sync {directory} --key` here"
        )
    key = bundles.new_key()
    _keep(path, key)
    say(
        f"made a key ({path}): without it nobody reads what is in DIR. On another machine: "
        "`indelible sync DIR --key`, with what `indelible sync --show-key` prints here"
    )
    return key


def _kept(path: Path) -> bytes | None:
    from indelible.admin.sync.bundles import key_of

    try:
        return key_of(path.read_text(encoding="utf-8"))
    except FileNotFoundError:
        return None
    except UnicodeDecodeError as error:
        raise InvalidInput(f"{path} holds no key; delete it, and give the key with --key") from error


def _keep(path: Path, key: bytes) -> None:
    from indelible.admin.sync.bundles import key_text

    before = _kept(path)
    if before is not None and before != key:
        raise InvalidInput(f"another key is kept in {path}; delete that file first, if no machine uses it any more")
    prepare(path.parent)
    create_private(path)
    path.write_text(key_text(key) + "\n", encoding="utf-8")


def _asked() -> bytes:
    from indelible.admin.sync.bundles import key_of

    return key_of(getpass.getpass("key: ") if can_ask() else sys.stdin.readline())


def _show(path: Path) -> int:
    from indelible.admin.sync.bundles import key_text

    key = _kept(path)
    if key is None:
        raise InvalidInput("there is no key yet: the first `indelible sync DIR` makes one")
    answers.give({"key": key_text(key)})
    out(key_text(key))
    return 0


def _tell(done: "Done") -> int:
    taken = done.taken
    answers.give(
        {
            "machine": done.machine,
            "others": done.machines,
            "noted": done.noted,
            "added": taken.added,
            "changed": taken.changed,
            "deleted": taken.deleted,
            "relations": taken.relations,
            "purged": done.purged,
            "written": done.written,
            "waiting": len(taken.waiting),
            "conflicts": taken.conflicts,
            "problems": [*taken.refused, *done.problems],
        }
    )
    for line in _first(taken.conflicts, "conflict"):
        say(line)
    for line in _first([*taken.refused, *done.problems], "problem"):
        say(line)
    others = counted(done.machines, "other machine") if done.machines else "no other machine yet"
    out(
        f"in sync with {others}: {taken.added:,} new, {taken.changed:,} changed, {taken.deleted:,} deleted, "
        f"{counted(taken.relations, 'relation')}, {done.purged:,} purged here; "
        f"{counted(done.noted, 'change')} of this machine for the others"
    )
    if taken.waiting:
        say(f"{counted(len(taken.waiting), 'entry')} name what is not here yet: they wait for a later sync")
    if taken.conflicts:
        say("of each conflict both are kept: `indelible history ID` has the other one")
    return 1 if taken.refused or done.problems else 0


def _first(lines: list[str], what: str) -> list[str]:
    more = len(lines) - NAMED
    return [*(f"{what}: {line}" for line in lines[:NAMED]), *([f"and {more:,} more"] if more > 0 else [])]
