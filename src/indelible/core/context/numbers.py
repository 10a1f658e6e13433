"""The numbers of documents, chunks, todos, attempts and messages: what callers name them by.

As long as everybody may see everything they count from one. What counts tells how much there is: as soon as there may
be callers who are limited to namespaces, numbers are drawn by lot from a range of their own, and tell nobody anything.
Those that were given before stay what they are.
"""

import secrets

from indelible.core.context.context import Context
from indelible.core.context.visibility import limits_somebody
from indelible.store.database import Transaction
from indelible.store.namespace_filter import whole
from indelible.store.views import chats, documents

FIRST, END = 10**12, 10**13  # the range of numbers that are drawn: all have 13 digits, which JavaScript can count to


def take(ctx: Context, tx: Transaction, count: int) -> range:
    """Numbers in a row that nothing has, and nothing had."""
    if not ctx.grant.limited and not limits_somebody(ctx, tx):
        return documents.take_numbers(tx, ctx.tenant, count)
    while True:
        first = _drawn(count)
        row = range(first, first + count)
        keys = [key for number in row for key in (str(number), chats.key_of(number))]
        if not documents.any_of(whole(tx), ctx.tenant, keys):
            return row


def keep(ctx: Context, tx: Transaction, number: int) -> None:
    """Give a number to nothing any more, nor those below it where it is one that counts."""
    if not is_drawn(number):
        documents.raise_numbers(tx, ctx.tenant, number)


def is_drawn(number: int) -> bool:
    """Whether a number is of the range that numbers are drawn from."""
    return FIRST <= number < END


def is_given(ctx: Context, tx: Transaction, number: int) -> bool:
    """Whether a number may be something's: one that counts was given, of one that is drawn it cannot be told."""
    return is_drawn(number) or number <= documents.last_number(tx, ctx.tenant)


def _drawn(count: int) -> int:
    return FIRST + secrets.randbelow(END - FIRST - count)
