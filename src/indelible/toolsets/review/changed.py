"""Everything that changed in a project since a time or a commit, in a number of tokens."""

from collections.abc import Sequence
from datetime import timedelta
from typing import Any

from indelible.clock import age_value, micros, time_text, time_value
from indelible.core.context import ids, visibility
from indelible.core.context.context import Context
from indelible.errors import InvalidInput
from indelible.model import Record
from indelible.sanitize.prompt_frame import json_text
from indelible.source.history import log
from indelible.source.history.git import Git, GitFailed
from indelible.source.history.log import Commit
from indelible.store.database import Transaction
from indelible.store.tables import records
from indelible.toolsets.review import history, place
from indelible.toolsets.review.findings import LONGEST, fits, short
from indelible.toolsets.review.place import Place
from indelible.toolsets.review.shapes import ChangedShape, CommitShape, TextShape

MOST_COMMITS, MOST_RECORDS, MOST_SYMBOLS = 500, 500, 200  # that are looked at
KINDS = ("memory", "solution", "failure")
DAYS = ("today", "yesterday")
LONGEST_AGE = 3  # characters
SESSION = "session"  # what a memory of a whole session was captured as


def what_changed(ctx: Context, since: str) -> ChangedShape:
    """Return the commits, changed symbols, memories and sessions of the caller's project since a time or a commit.

    A time is an age (`12h`, `2d`, `3w`), `today` or `yesterday` (when that day began here), or in ISO 8601. Raises
    InvalidInput for what is neither a time nor a commit of the repository.
    """
    where, why = place.found(ctx, ctx.settings.start)
    lacks = [] if where is not None else [f"git: {why}"]
    start, commits, symbols = _of_time(ctx, since), list[Commit](), list[str]()
    if where is not None:
        try:
            start, commits, before = _of_git(where.git, since, start)
            symbols = _symbols(ctx, where, before, lacks) if before else []
        except GitFailed as error:
            lacks.append(f"git: {error}")
    if start is None:
        raise _no_time(since)
    with ctx.store.read() as tx:
        found = _records(ctx, tx, start)
    sessions = [each for each in found if each.metadata.get("captured") == SESSION]
    memories = [each for each in found if each.metadata.get("captured") != SESSION]
    parts: dict[str, list[Any]] = {
        "commits": [_commit(each) for each in commits],
        "symbols": [short(name) for name in symbols],
        "memories": [_text(each) for each in memories],
        "sessions": [_text(each) for each in sessions],
    }
    return _fitting(time_text(start), parts, lacks)


def _of_time(ctx: Context, since: str) -> int | None:
    """Return the time that is given, None where it is none: the name of a commit."""
    age = age_value(since) if len(since) <= LONGEST_AGE else None  # longer ones may be the hash of a commit
    if age is not None:
        return ctx.now() - age
    if since in DAYS:
        day = ctx.clock().astimezone() - timedelta(days=DAYS.index(since))
        return micros(day.replace(hour=0, minute=0, second=0, microsecond=0))
    try:
        return time_value(since, "since")
    except InvalidInput:
        return None


def _no_time(since: str) -> InvalidInput:
    return InvalidInput(
        "since must be an age such as 12h or 2d, today, yesterday, an ISO 8601 time such as 2025-08-08T10:30:00Z or a "
        f"commit of this repository, got {since!r:.80}"
    )


def _of_git(git: Git, since: str, start: int | None) -> tuple[int, list[Commit], str]:
    """Return the time, the commits since then, newest first, and the last commit before them, "" for none."""
    if start is None:
        try:
            before = git.commit(since)
        except InvalidInput as error:
            raise _no_time(since) from error
        (own,) = log.commits(git, before, most=1)
        return own.time, log.commits(git, without=before, most=MOST_COMMITS), before
    second = -(-start // 1_000_000) - 1  # git counts whole seconds, and takes the last one in
    if not git.head():
        return start, [], ""
    found = git.run("rev-list", "-1", f"--before={second}", "HEAD").content.decode("ascii", "replace").strip()
    newer = log.commits(git, without=found, most=MOST_COMMITS)
    return start, [each for each in newer if each.time >= start], found


def _symbols(ctx: Context, where: Place, before: str, lacks: list[str]) -> list[str]:
    """Return the names of the symbols that commits since one changed, as the index has them."""
    diff = history.compared(where.git, f"{before}..HEAD")
    with ctx.store.read() as tx:
        around = place.around(ctx, tx, diff, where, lacks, with_uses=False)
    return list(dict.fromkeys(each.row.qualified_name for each in around.changed))[:MOST_SYMBOLS]


def _records(ctx: Context, tx: Transaction, start: int) -> list[Record]:
    """Return what was stored in the caller's project since a time, newest first."""
    scope = ctx.scope(tx)
    newest = records.created_in(tx, KINDS, start, ctx.now() + 1, MOST_RECORDS)
    seen = set(newest) - visibility.hidden(ctx, tx, newest)
    known = records.by_ids(tx, [each for each in newest if each in seen])
    own = scope.own_among({each.namespace for each in known.values()}) if scope.own else set()
    ordered = [known[each] for each in newest if each in known]
    return [each for each in ordered if not scope.own or each.namespace in own]


def _commit(commit: Commit) -> CommitShape:
    subject = short(commit.subject)
    return {"id": commit.hash[:12], "subject": subject, "time": time_text(commit.time), "files": commit.file_count}


def _text(record: Record) -> TextShape:
    return {"id": ids.shown(record), "type": record.type or record.kind, "text": short(record.text, LONGEST)}


def _fitting(since: str, parts: dict[str, list[Any]], lacks: Sequence[str]) -> ChangedShape:
    """Return an answer of what there is room for: of the longest list the last is left out, until it fits."""
    left_out: dict[str, int] = {}
    shown = {name: list(found) for name, found in parts.items()}
    for name, found in shown.items():  # no more than could fit
        if len(found) > MOST_SYMBOLS // 2:
            left_out[name] = len(found) - MOST_SYMBOLS // 2
            del found[MOST_SYMBOLS // 2 :]
    while True:
        answer: ChangedShape = {
            "since": since,
            "commits": shown["commits"],
            "symbols": shown["symbols"],
            "memories": shown["memories"],
            "sessions": shown["sessions"],
            "left_out": left_out,
            "lacks": [short(each) for each in dict.fromkeys(lacks)],
        }
        sizes = {name: len(json_text(found)) for name, found in shown.items() if found}
        if not sizes or fits(json_text(answer)):
            return answer
        longest = max(sizes, key=lambda name: (sizes[name], name))
        shown[longest].pop()
        left_out[longest] = left_out.get(longest, 0) + 1
