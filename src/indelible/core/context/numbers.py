"""Numbers of documents, chunks, todos, attempts and messages, by which callers name them.

While every caller may see everything, numbers count from one. A counter reveals how much is stored: once there may be
callers limited to namespaces, numbers are drawn at random from a separate range and reveal nothing. Numbers given
before keep their values.
"""

from indelible.core.context.context import Context
from indelible.core.context.visibility import has_limited_callers
from indelible.store.database import Transaction
from indelible.store.namespace_filter import whole
from indelible.store.views import chats, documents

# Imported late (start, cli): secrets

FIRST, END = 10**12, 10**13  # the range of numbers that are drawn: all have 13 digits, which JavaScript can count to


def take(ctx: Context, tx: Transaction, count: int) -> range:
    """Return consecutive numbers that no record has or had."""
    if not ctx.session.grant.limited and not has_limited_callers(ctx, tx):
        return documents.take_numbers(tx, count)
    while True:
        first = _drawn(count)
        row = range(first, first + count)
        keys = [key for number in row for key in (str(number), chats.key_of(number))]
        if not documents.any_of(whole(tx), keys):
            return row


def keep(ctx: Context, tx: Transaction, number: int) -> None:
    """Mark a number as taken, and all below it if it is one of the counter's."""
    if not is_drawn(number):
        documents.raise_numbers(tx, number)


def is_drawn(number: int) -> bool:
    """Whether a number is in the range of random numbers."""
    return FIRST <= number < END


def is_given(ctx: Context, tx: Transaction, number: int) -> bool:
    """Whether a number may be in use: known for the counter's; always False for random ones, to reveal nothing."""
    return is_drawn(number) or number <= documents.last_number(tx)


def _drawn(count: int) -> int:
    import secrets

    return FIRST + secrets.randbelow(END - FIRST - count)
