"""The code that a record names, as it stands in the working tree now: to be read beside the record."""

import re
from collections.abc import Sequence
from pathlib import Path
from typing import NamedTuple

from indelible.code_states import CodeState
from indelible.core.context.context import Context
from indelible.sanitize.secret_spans import mark_of, spans_of
from indelible.source import source
from indelible.source.indexing import hash_of
from indelible.store.tables.symbols import segments
from indelible.store.views import code_links, freshness
from indelible.store.views.code_links import Code

MOST = 6  # symbols and files of one record
LINES = 40  # of one of them


class Excerpt(NamedTuple):
    """A symbol or file that a record names: its state since, its path, and its lines now, numbered from `line`.

    `more` lines follow. Without a `text` `missing` says why there is none. `shifted` tells that the file is another
    than the index has, so that the lines are those around the symbol's name, or else those where it stood.
    """

    state: CodeState
    path: str
    line: int = 1
    text: str = ""
    more: int = 0
    shifted: bool = False
    missing: str = ""


def beside(ctx: Context, record: int) -> list[Excerpt]:
    """Return what the record of a row id names, as it is on this machine: at most MOST, the surest links first."""
    with ctx.store.read() as tx:
        if not code_links.any_repository(tx):
            return []
        states = freshness.by_target(tx, record)
        named = sorted(states, key=lambda target: -states[target].weight)[:MOST]
        targets = code_links.targets(tx, named)
    return [_excerpt(targets[each], states[each]) for each in named if each in targets]


def _excerpt(code: Code, state: CodeState) -> Excerpt:
    if code.gone:
        return Excerpt(state, code.path, missing="it has left the source")
    body = source.read(Path(code.root), code.path)
    if isinstance(body, str):
        return Excerpt(state, code.path, missing=body or "the file is not here any more")
    lines = _without_secrets(body.decode("utf-8", "replace")).splitlines()
    shifted = hash_of(body) != code.hash
    start = max(1, code.start_line)
    count = code.end_line - start + 1 if code.name else len(lines)
    if shifted and code.name:
        start = _nearest(lines, segments(code.name)[-1], start)
    end = min(len(lines), start - 1 + count)
    shown = lines[start - 1 : min(end, start - 1 + LINES)]
    return Excerpt(state, code.path, start, "\n".join(shown), max(0, end - start + 1 - len(shown)), shifted)


def _without_secrets(text: str) -> str:
    """Return a text with a mark for each secret, and as many lines as before.

    What is stored of code has none; the file has them, and who may read the page need not be who may read the file.
    """
    pieces, done = list[str](), 0
    for start, end, rule in spans_of(text):
        pieces += (text[done:start], mark_of(rule), "\n" * text.count("\n", start, end))
        done = end
    return "".join([*pieces, text[done:]])


def _nearest(lines: Sequence[str], name: str, line: int) -> int:
    """Return the line, from 1, that has a name and is the nearest to one; that line itself where none has it."""
    word = re.compile(rf"\b{re.escape(name)}\b")
    having = [number for number, each in enumerate(lines, 1) if word.search(each)]
    return min(having, key=lambda number: abs(number - line), default=line)
