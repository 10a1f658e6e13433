"""Figures of the use of context, from links and from the events of calls."""

from collections import Counter
from collections.abc import Sequence
from datetime import timedelta

from indelible.clock import EPOCH
from indelible.core.context import ids
from indelible.core.context.context import Context
from indelible.dataclass import dataclass
from indelible.store.database import Transaction
from indelible.store.tables import events, records
from indelible.store.tables.events import Conversation
from indelible.store.views import chats, chunk_links
from indelible.store.views.chunk_links import Referenced

MOST_REFERENCED = 10
LONGEST_SUMMARY = 100  # characters
LONGEST_READ = 10 * LONGEST_SUMMARY  # characters of a text that a summary is made of
HOURS = 24
# Whose calls use context, or make it usable. Who asks for figures changes none.
USES = (
    "retrieve_memory",
    "retrieve_by_type",
    "build_context",
    "ask_with_context",
    "route_query",
    "log_chat",
    "store_context_links",
    "get_context_links_for_message",
    "get_messages_for_chunk",
    "link_resources",
    "query_graph",
    "auto_link_documents",
    "get_document_relationships",
)


@dataclass(frozen=True, slots=True)
class Usage:
    """Figures of all links; `links_per_message` and `daily_average` are 0 where there is nothing to divide.

    `daily_average` is over the days with calls that use context, `peak_hour` the hour of the day (UTC, 0 to 23) with
    most of these calls (the earliest on a tie, None without any); folded days count for the average only.
    """

    links: int
    chunks: int
    messages: int
    links_per_message: float
    most_referenced: list[Referenced]
    daily_average: float
    peak_hour: int | None


@dataclass(frozen=True, slots=True)
class Talk:
    """A conversation in which a tool was called: how often, when last (microseconds since 1970 UTC), its subject."""

    id: str
    calls: int
    last: int
    summary: str


@dataclass(frozen=True, slots=True)
class Talks:
    """The conversations of a tool, the latest first; how many there are in all, and how many calls in them."""

    shown: list[Talk]
    total: int
    calls: int


def statistics(ctx: Context) -> Usage:
    """Figures of the links of the whole store, and of the calls that use them."""
    ctx.write_behind.flush_if_possible()
    with ctx.store.read() as tx:
        referenced, links = chunk_links.counts(tx, MOST_REFERENCED)
        counts = records.count_by_kind(tx)
        hours = events.hours(tx, USES)
        days = _folded(ctx, tx)
        for hour, count in hours.items():
            days[_day_of(hour)] += count
    messages = counts.get("message", 0)
    return Usage(
        links=links,
        chunks=counts.get("chunk", 0),
        messages=messages,
        links_per_message=links / messages if messages else 0.0,
        most_referenced=referenced,
        daily_average=days.total() / len(days) if days else 0.0,
        peak_hour=_peak(hours),
    )


def _folded(ctx: Context, tx: Transaction) -> Counter[str]:
    days: Counter[str] = Counter()
    for day, tool, _, count in events.days(tx):
        if tool in USES:
            days[day] += count
    return days


def _day_of(hour: int) -> str:
    """Return the day of an hour since 1970, as folded events name it."""
    return (EPOCH + timedelta(hours=hour)).date().isoformat()


def _peak(hours: dict[int, int]) -> int | None:
    by_hour: Counter[int] = Counter()
    for hour, count in hours.items():
        by_hour[hour % HOURS] += count
    return min(by_hour, key=lambda hour: (-by_hour[hour], hour), default=None)


def conversations(ctx: Context, tool: str, limit: int) -> Talks:
    """The conversations in which a tool was called, as far as events are kept; the latest first, ties by id."""
    ctx.write_behind.flush_if_possible()
    with ctx.store.read() as tx:
        found = events.conversations(tx, tool)
        shown = found[:limit]
        named = events.records_of(tx, [each.event for each in shown])
        talks = [
            Talk(each.id, each.calls, each.last, _summary(ctx, tx, each, named.get(each.event, []))) for each in shown
        ]
    return Talks(talks, len(found), sum(each.calls for each in found))


def _summary(ctx: Context, tx: Transaction, talk: Conversation, named: Sequence[str]) -> str:
    """Return the first words of the user, else the text of the first record that the newest call stored or found.

    Events keep no texts, so the arguments of a call are not known.
    """
    opening = chats.first_prompt(tx, talk.id, LONGEST_READ)
    if not opening:
        texts = (record.text for key in named for record in ids.candidates(ctx, tx, key)[:1])
        opening = next((text for text in texts if text.strip()), "")
    line = " ".join(opening[:LONGEST_READ].split())
    return line if len(line) <= LONGEST_SUMMARY else line[: LONGEST_SUMMARY - 1].rstrip() + "…"
