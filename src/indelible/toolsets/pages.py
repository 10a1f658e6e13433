"""Long lists of an answer, a page at a time: no more than an agent can read, and what is left out is said."""

from collections.abc import Callable, Sequence
from typing import Annotated, Any, TypeVar

from pydantic import Field

from indelible.core.context.context import Context
from indelible.sanitize.prompt_frame import json_text
from indelible.search.model_tokens.token_bound import at_most
from indelible.toolsets.registry import WHOLE

ROOM = 2_000  # tokens of a page that was given no limit; one item is always on it
MOST = 10_000

Limit = Annotated[int | None, Field(ge=1, le=MOST, description="Entries; default: 2,000 tokens"), WHOLE]
Cursor = Annotated[
    str | None, Field(pattern="^[0-9]{1,9}$", max_length=9, description="Where to go on, as an answer said")
]

T = TypeVar("T")


def start_of(cursor: str | None) -> int:
    """Return the place in the list at which a page begins."""
    return int(cursor or 0)


def fitting(
    ctx: Context,
    following: Sequence[T],
    start: int,
    total: int,
    limit: int | None,
    written: Callable[[T], Any],
) -> list[T]:
    """Return the first of the items that follow `start` in a list of `total`: so many, or as many as there is room for.

    `written` gives what an item adds to the answer, as JSON. What is left out is noted on the call.
    """
    count = min(len(following), limit or len(following))
    if limit is None:
        room = ROOM
        for place, item in enumerate(following):
            room -= at_most(json_text(written(item))) + 1
            if room < 0 and place:
                count = place
                break
    end = start + count
    if end < total:
        ctx.call.searched.more = f"{count} of {total:,} are here; go on with cursor {str(end)!r}, or set limit"
    return list(following[:count])


def page(
    ctx: Context, items: Sequence[T], limit: int | None, cursor: str | None, written: Callable[[T], Any]
) -> list[T]:
    """Return the page of a whole list; see `fitting`."""
    start = start_of(cursor)
    return fitting(ctx, items[start:], start, len(items), limit, written)
