"""The one place that notes what a call answers with: counted as an access, and named in the call's event."""

from collections.abc import Collection, Iterable

from indelible.core.context.context import Context
from indelible.model import Record


def returned(ctx: Context, shown: Collection[Record], names: Iterable[str] | None = None) -> None:
    """Note that a call answers with records: each is counted as accessed once more, a repeated one as often as it is.

    `names` are what the event of the call says it touched; the keys of the records where none are given.
    """
    noted(ctx, (record.id for record in shown), (record.key for record in shown) if names is None else names)


def noted(ctx: Context, ids: Iterable[int], names: Iterable[str]) -> None:
    """Do the same for a caller that has row ids and no records. Nothing is written now: see `WriteBehind`."""
    ctx.write_behind.returned(ids, ctx.now())
    ctx.call.touched.extend(names)
