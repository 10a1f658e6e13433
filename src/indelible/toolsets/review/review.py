"""The review of a change: what else it concerns, the worst first, in a number of tokens."""

import math
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

from indelible.code_states import is_gone, mark
from indelible.core.context import ids, visibility
from indelible.core.context.context import Context
from indelible.core.recall import freshness, recall
from indelible.core.recall.candidates import Query
from indelible.errors import InvalidInput
from indelible.model import Record
from indelible.sanitize.prompt_frame import one_line, visible
from indelible.sanitize.secret_spans import redact_text
from indelible.source.history import diff as diffs
from indelible.source.history import missing
from indelible.source.history.diff import Diff
from indelible.source.history.git import GitFailed
from indelible.store.database import Transaction
from indelible.store.tables import edges, records
from indelible.toolsets.review import code, findings, history, place
from indelible.toolsets.review.code import Around
from indelible.toolsets.review.findings import (
    DECISION,
    FAILURE,
    FILE,
    LONGEST,
    MOST_TEXTS,
    PITFALL,
    STALE,
    TEST,
    Finding,
    Review,
)
from indelible.toolsets.review.place import Place
from indelible.toolsets.review.shapes import FILES

EXPLAINS = ("EXPLAINS",)

_TO_SYMBOL, _TO_FILE = 0.9, 0.5  # how bad it is to overlook what is known about a changed symbol, or about its file
_GONE, _MOVED = 0.85, 0.6  # the same of a text that a change makes stale
_OF_KIND = {FAILURE: 0.95, DECISION: 1.0, PITFALL: 0.9}


class _Related(NamedTuple):
    """A record about changed code: the greatest weight of its links, and what they lead to."""

    record: Record
    weight: float
    to_symbol: bool
    about: str


def review(
    ctx: Context, range_: str | None = None, *, staged: bool = False, text: str | None = None, limit: int = FILES
) -> Review:
    """Return the review of a range of commits, of what is staged, or of a diff as text: exactly one of them.

    Up to `limit` files that may be missing are named. Raises InvalidInput for none or several, for what is no range or
    diff, and where git cannot be asked for what only it knows; Forbidden for a caller whose files are not here.
    """
    if (range_ is not None) + staged + (text is not None) != 1:
        raise InvalidInput("give exactly one of range (A..B), staged (true) and diff (its text)")
    where, why = place.found(ctx, ctx.settings.start)
    if text is not None:
        diff = diffs.parse(text)
        if not diff.files:
            raise InvalidInput("diff has no file; give it as `git diff` prints it, with its lines diff --git and @@")
    else:
        diff, where = _compared(where, why, range_)
    return of_diff(ctx, diff, where, limit, range_)


def staged_at(ctx: Context, directory: Path) -> tuple[Diff, Place]:
    """Return what is staged in the work tree around a directory. Raises InvalidInput where git cannot be asked."""
    where, why = place.found(ctx, directory)
    return _compared(where, why, None)


def _compared(where: Place | None, why: str, range_: str | None) -> tuple[Diff, Place]:
    if where is None:
        raise InvalidInput(f"{why}; give the change as diff, the output of `git diff`. Nothing was read")
    try:
        return history.compared(where.git, range_), where
    except GitFailed as error:
        raise InvalidInput(f"git could not compare: {error}; give the change as diff") from error


def _without_secrets(diff: Diff) -> Diff:
    """Return a diff whose lines hold no secrets: names in them are shown."""
    for file in diff.files:
        for side in ("removed", "added", "context"):
            lines = getattr(file, side)
            clean, found = redact_text("\n".join(lines))
            if found:
                setattr(file, side, clean.split("\n"))
    return diff


def of_diff(ctx: Context, diff: Diff, where: Place | None, limit: int, range_: str | None = None) -> Review:
    """Return the review of a diff in a work tree, None where there is none; secrets in its lines are replaced.

    `range_` is what was compared, None for what is not committed yet.
    """
    diff = _without_secrets(diff)
    known = history.around(where, diff, range_)
    lacks = list(known.lacks)
    if diff.cut:
        lacks.append("the diff: it is too long, and its end was not looked at")
    with ctx.store.read() as tx:
        around = place.around(ctx, tx, diff, where, lacks)
        found = [*_files(diff, known, around, limit), *_tests(tx, around, diff), *_texts(ctx, tx, around)]
    if not around.files:
        found += _by_words(ctx, diff)
    names = list(dict.fromkeys(each.row.qualified_name for each in around.changed))
    return findings.fitting(len(diff.files), names, found, lacks)


# --- Files that may be missing ---


def _files(diff: Diff, known: history.Known, around: Around, limit: int) -> Iterator[Finding]:
    names = {each.row.record: each.row.name for each in around.changed}
    names |= {record: path for path, record in around.files.items()}
    uses = [
        missing.Use(use.path, str(use.user), names.get(use.of, ""), use.confidence, use.among) for use in around.uses
    ]
    evidence = missing.Evidence(
        diff.paths,
        known.changes.beside(diff.paths),
        known.changes.in_series(diff.paths),
        known.alike,
        uses,
        known.names,
        known.mentions,
        known.changes.recency,
        known.changes.recent(),
        known.files or frozenset(use.path for use in uses),
    )
    ranked = missing.ranked(evidence)
    total = sum(math.exp(min(each.score - ranked[0].score, 0)) for each in ranked) if ranked else 1.0
    for each in ranked[:limit]:
        chance = math.exp(each.score - ranked[0].score) / total
        why = _why(each)
        yield Finding(FILE, each.path, why or "changed lately", 0.35 + 0.6 * chance if why else 0.1)


def _why(found: missing.Missing) -> str:
    reasons = []
    if found.pair:
        reasons.append(f"belongs to {found.pair}")
    if found.uses:
        reasons.append(f"depends on {', '.join(found.uses[:3])}")
    if found.names:
        reasons.append(f"has the name {', '.join(found.names[:3])}")
    elif found.names_around:
        reasons.append(f"has {', '.join(found.names_around[:3])}, which the changed lines stand beside")
    if found.together is not None and found.together.often > 1:
        reasons.append(f"changed with {found.together.with_path} in {found.together.often} commits")
    elif found.series is not None and found.series.often > 1:
        reasons.append(f"changed within hours of {found.series.with_path} {found.series.often} times")
    if found.alike is not None and not reasons:
        reasons.append(f"changed in {found.alike.commit[:10]}, whose message is alike")
    return "; ".join(reasons)


def _tests(tx: Transaction, around: Around, diff: Diff) -> Iterator[Finding]:
    """Yield the tests that reach the changed symbols, directly or by one more call."""
    names = {each.row.record: each.row.name for each in around.changed}
    direct = [use for use in around.uses if use.of in names]
    through = code.users_of(tx, {use.user for use in direct}, diff.paths)
    reached: dict[str, tuple[float, str]] = {}
    of_user = {use.user: names[use.of] for use in direct}
    for use, share in [*((use, 1.0) for use in direct), *((use, 0.5) for use in through)]:
        if missing.is_test(use.path):
            name = names.get(use.of) or of_user.get(use.of, "")
            if name and share * use.confidence > reached.get(use.path, (0.0, ""))[0]:
                reached[use.path] = (share * use.confidence, name)
    for path, (share, name) in sorted(reached.items(), key=lambda item: (-item[1][0], item[0])):
        yield Finding(TEST, path, f"reaches {name}", 0.4 * share)


# --- What is known about the code ---


def _texts(ctx: Context, tx: Transaction, around: Around) -> Iterator[Finding]:
    """Yield decisions, pitfalls and failures about changed symbols and files, and what the change makes stale."""
    found_names = {each.row.record: each.row.qualified_name for each in around.changed}
    in_changed = {each.row.record for each in around.changed}
    left = {record: "" if state is None else state.name for record, state in around.after.items()}
    targets = {**left, **{record: path for path, record in around.files.items()}, **found_names}
    related: dict[int, _Related] = {}
    links = edges.incoming(tx, targets, EXPLAINS) if targets else []
    sources = {source for source, *_ in links}
    known = records.by_ids(tx, sorted(sources - visibility.hidden(ctx, tx, sources))) if sources else {}
    stale = freshness.made_stale(tx, known, around.after)
    for source, target, _, weight in links:
        if source not in known:
            continue
        before = related.get(source)
        to_symbol = target in in_changed
        if before is None or (to_symbol, weight) > (before.to_symbol, before.weight):
            related[source] = _Related(known[source], weight, to_symbol, targets[target])
    for each in related.values():
        if each.record.id in stale:
            states = stale[each.record.id]
            how_bad = _GONE if is_gone(states) else _MOVED
            why = f"{mark(states)} by this: {_text(each.record)}"
            yield Finding(STALE, ids.shown(each.record), why, how_bad * min(1.0, each.weight))
            continue
        kind = _kind(each.record)
        if kind:
            severity = (_TO_SYMBOL if each.to_symbol else _TO_FILE) * min(1.0, each.weight) * _OF_KIND[kind]
            yield Finding(kind, ids.shown(each.record), f"about {each.about}: {_text(each.record)}", severity)


def _kind(record: Record) -> str:
    if record.replaced:
        return ""
    if record.kind == "memory":
        return DECISION if record.type in ("decision", "preference", "style", "habit") else PITFALL
    return {"failure": FAILURE, "solution": PITFALL}.get(record.kind, "")


def _text(record: Record) -> str:
    text = one_line(visible(record.text))
    return text if len(text) <= LONGEST else text[: LONGEST - 1].rstrip() + "…"


def _by_words(ctx: Context, diff: Diff) -> Iterator[Finding]:
    """Yield what memories say about the files by their names, where no index has them."""
    asked = " ".join(dict.fromkeys(path for each in diff.files[:20] for path in (each.path, each.old_path)))
    kinds = ("memory", "failure", "solution")
    for hit in recall.ranked(ctx, Query(asked[:2_000], MOST_TEXTS, kinds=kinds)):
        kind = _kind(hit.record)
        if kind and not hit.weak:
            yield Finding(kind, ids.shown(hit.record), f"by its words: {_text(hit.record)}", 0.5 * hit.score)
