"""The index of code: the map of a codebase, and what is remembered of code that has changed since."""

import argparse
from typing import Any

from indelible.cli.opening import Adding
from indelible.toolsets.code import DEFAULT_TOKENS, LEAST_TOKENS, MOST_TOKENS


def add(command: Adding) -> None:
    """Declare the commands."""
    stale = command("stale", _stale, "list memories that name code which has changed, moved or gone since")
    stale.add_argument("-k", "--limit", type=int, default=20, help="memories to list; default: %(default)s")
    map_ = command("map", _map, "show the most central symbols of indexed code, by file")
    map_.add_argument("path", nargs="?", metavar="PATH", help="a directory of the codebase; default: the project")
    map_.add_argument(
        "--tokens",
        type=int,
        default=DEFAULT_TOKENS,
        metavar="N",
        help=f"maximum number of tokens, {LEAST_TOKENS} to {MOST_TOKENS:,}; default: %(default)s",
    )
    map_.add_argument("--focus", nargs="+", default=[], metavar="FILE", help="files or folders to focus on")
    map_.add_argument("--query", default="", metavar="TEXT", help="what to focus on, in words or names")


def _map(arguments: argparse.Namespace) -> int:
    from indelible.cli import answers
    from indelible.cli.opening import open_existing
    from indelible.cli.terminal import counted, out
    from indelible.core.context.dispatch import Asked, perform
    from indelible.stderr import say
    from indelible.toolsets.code import stale

    ctx = open_existing(arguments)
    try:
        given = {name: getattr(arguments, name) for name in ("path", "tokens", "focus", "query")}
        drawn = perform(ctx, Asked("map", {k: v for k, v in given.items() if v is not None}), _drawn).value
        elsewhere = "" if arguments.path else stale.read_elsewhere(ctx)
    finally:
        ctx.close()
    answers.give({"map": drawn.text, "symbols": drawn.symbols, "files": drawn.files, "left_out": drawn.left_out})
    if drawn.text:
        out(drawn.text)
    else:
        say("no symbol fits; raise --tokens" if drawn.left_out else "the code that is indexed here has no symbols")
    if drawn.left_out:
        shown = f"{counted(drawn.symbols, 'symbol')} of {counted(drawn.files, 'file')}"
        say(f"{shown}; {drawn.left_out:,} more are left out: --tokens, --focus")
    _say_where(elsewhere)
    return 0


def _stale(arguments: argparse.Namespace) -> int:
    from indelible.cli import answers
    from indelible.cli.opening import open_existing
    from indelible.cli.terminal import cut, out, printable, screen_width
    from indelible.code_states import mark
    from indelible.core.context import ids
    from indelible.stderr import say
    from indelible.toolsets.code import stale

    ctx = open_existing(arguments)
    try:
        found, count = stale.stale(ctx, arguments.limit)
        is_indexed, elsewhere = bool(found) or stale.is_indexed(ctx), stale.read_elsewhere(ctx)
    finally:
        ctx.close()
    answers.give({"records": [stale.fields(each) for each in found], "count": count})
    for each in found:
        first = next((line for line in each.record.text.splitlines() if line.strip()), "")
        out(f"{printable(ids.shown(each.record))}  {printable(mark(each.code))}")
        out(f"    {cut(printable(first), screen_width() - 4)}")
    if not is_indexed:
        say("no code of this project is indexed: `indelible index` does it, and again after changes")
    elif not found:
        say(
            "nothing that is remembered names code which has changed, moved or gone since; `indelible index` reads "
            "what has changed since it ran"
        )
    elif count > len(found):
        say(f"{count - len(found):,} more; -k lists them")
    _say_where(elsewhere)
    return 0


def _say_where(elsewhere: str) -> None:
    """Say where the code was read last, if that is not here."""
    from indelible.cli.terminal import printable
    from indelible.stderr import say

    if elsewhere:
        say(f"the code of this project was last read in {printable(elsewhere)}: `indelible index` reads what is here")


def _drawn(ctx: Any, clean: dict[str, Any]) -> Any:
    from pathlib import Path

    from indelible.toolsets.code import code_map

    path = clean.get("path")
    focus = tuple(_as_known(each) for each in clean["focus"])
    asked = code_map.Asked(clean["tokens"], focus, clean["query"])
    return code_map.of_directory(ctx, None if path is None else Path(path), asked)


def _as_known(path: str) -> str:
    """A path that is there from here as an absolute one; any other is one from the root of the codebase."""
    import os

    return os.path.realpath(path) if os.path.exists(path) else path.rstrip("/")
