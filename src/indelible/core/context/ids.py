"""From the ids that callers know to records, and back."""

import re
from collections.abc import Sequence

from indelible.core.context import numbers, visibility
from indelible.core.context.context import Context
from indelible.core.context.scoping import namespaces_to_read, own_namespace
from indelible.errors import Conflict, NotFound
from indelible.model import KINDS, NUMBERED_KINDS, Record
from indelible.store.database import Transaction
from indelible.store.tables import records
from indelible.store.views import chats, documents

LONGEST_QUOTED = 200  # characters of an unknown id that an error repeats

_SHOWN = {"doc": ("document",), "chunk": ("chunk",), "resource": (*NUMBERED_KINDS, chats.MESSAGE)}
_NUMBERED = re.compile(r"(doc|chunk|resource)_([0-9]+)")
_OWN_MAKING = re.compile(r"(?:sol|fail)_[0-9a-f]{8}|[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}", re.IGNORECASE)
_BEGINNING = re.compile(r"[0-9a-f]{8}(?:-[0-9a-f-]{0,26})?")  # of a UUID


def find(ctx: Context, tx: Transaction, argument: str, given: str, kinds: Sequence[str] = ("memory",)) -> Record:
    """The record of an id: among the toolset's own kinds first, then among all; `kind:id` names the kind.

    Within a kind the own project's record comes first, then the oldest. The first eight or more characters of a
    memory's UUID stand for it where no other begins so. Raises NotFound, and Conflict where a bare id fits several
    foreign kinds, or the beginnings of several.
    """
    found = candidates(ctx, tx, given)
    named = _named_kind(given)
    own = [record for record in found if record.kind == named] or [r for r in found if r.kind in kinds]
    if own:
        return own[0]
    foreign = sorted({record.kind for record in found})
    if len(foreign) > 1:
        names = ", ".join(f"{kind}:{given}" for kind in foreign)
        raise Conflict(f"{argument} {_quoted(given)} names several things; say which: {names}")
    if found:
        return found[0]
    raise NotFound(
        f"{argument} {_quoted(given)} is unknown; ids come from the answers of tools that store, find or export"
    )


def find_own(ctx: Context, tx: Transaction, argument: str, given: str, kind: str) -> Record:
    """The record of an id that a toolset may change: of its own kind only. Raises NotFound."""
    found = candidates(ctx, tx, given)
    own = [record for record in found if record.kind == kind]
    if own:
        return own[0]
    if found:
        raise NotFound(f"{argument} {_quoted(given)} is a {found[0].kind}, not a {kind}; use the tools of its own kind")
    raise NotFound(f"{argument} {_quoted(given)} is unknown: there is no {kind} with that id")


def _quoted(given: str) -> str:
    """An id as an error repeats it: what may be a whole text in the wrong place is cut."""
    return repr(given if len(given) <= LONGEST_QUOTED else given[:LONGEST_QUOTED] + "…")


def candidates(ctx: Context, tx: Transaction, given: str) -> list[Record]:
    """Every record that an id may mean, of those that this server sees: the own project's first, then the oldest."""
    found = _called(ctx, tx, given)
    kind = _named_kind(given)
    if kind:
        found += _called(ctx, tx, given.removeprefix(f"{kind}:"), kind)
    own = _own(ctx, tx, found)
    once = {record.id: record for record in found if visibility.is_visible(ctx, tx, record)}.values()
    return sorted(once, key=lambda record: (record.namespace not in own, record.key != given, record.id))


def _named_kind(given: str) -> str:
    """The kind that `kind:id` names, "" where an id names none."""
    kind, colon, _ = given.partition(":")
    return kind if colon and kind in KINDS else ""


def _own(ctx: Context, tx: Transaction, found: Sequence[Record]) -> set[str]:
    """The namespaces among the records' that are the server's project, where there is a choice."""
    if len(found) < 2:
        return set()
    return namespaces_to_read(ctx, tx, own_namespace(ctx, tx), {record.namespace for record in found}) or set()


def shown(record: Record) -> str:
    """The id that callers are shown: `doc_N` and `chunk_N` for what has a bare number."""
    return shown_key(record.kind, record.key)


def shown_key(kind: str, key: str) -> str:
    """The same of a kind and a key."""
    prefix = {"document": "doc_", "chunk": "chunk_"}.get(kind, "")
    return prefix + key if key.isdecimal() else key


def name_of(record: Record) -> str:
    """How a relation names its end: a memory by its id, anything else by `kind:id`.

    A memory whose id, as an import may bring it, begins like that itself is named with its kind too.
    """
    return record.key if record.kind == "memory" and not _named_kind(record.key) else f"{record.kind}:{record.key}"


def key_of(given: str) -> str:
    """The key that a shown id stands for, also one that names its kind: the inverse of `shown`."""
    kind = _named_kind(given)
    name = given.removeprefix(f"{kind}:") if kind else given
    numbered = _NUMBERED.fullmatch(name)
    return name if numbered is None else numbered[2]


def numbered(ctx: Context, tx: Transaction, number: str) -> list[Record]:
    """What has a number: at most one thing, unless an import brought others."""
    found = [record for record in records.by_key(tx, ctx.tenant, number) if record.kind in NUMBERED_KINDS]
    return found or _message(ctx, tx, number)


def _message(ctx: Context, tx: Transaction, number: str) -> list[Record]:
    """The message of a number: its key, where we gave that, else in its metadata."""
    if len(number) > LONGEST_NUMBER or not numbers.is_given(ctx, tx, int(number)):
        return []
    ours = records.by_key(tx, ctx.tenant, chats.key_of(int(number)))
    named = [record for record in ours if record.kind == chats.MESSAGE and str(chats.number_of(record)) == number]
    return named or chats.numbered(tx, ctx.tenant, number)


def reserved_number(given: str) -> str | None:
    """The number that an id reserves where nothing has it yet: of `N`, `resource_N` and `doc_N`; None for others."""
    numbered = _NUMBERED.fullmatch(given)
    if numbered is not None and numbered[1] != "chunk":
        return numbered[2]
    return given if given.isascii() and given.isdecimal() else None


def is_generated(given: str) -> bool:
    """Whether an id has the form of one that only a store gives: of a memory (UUID), a solution or a failure.

    An unknown one is a mistake and no name of something that is still to come.
    """
    kind = _named_kind(given)
    return _OWN_MAKING.fullmatch(given.removeprefix(f"{kind}:") if kind else given) is not None


def _called(ctx: Context, tx: Transaction, name: str, kind: str = "") -> list[Record]:
    """By its id, by its number as it is shown, or as a document by its file name; of a kind where one is named."""
    found = [*records.by_key(tx, ctx.tenant, name), *documents.named(tx, ctx.tenant, name)]
    shown_number = _NUMBERED.fullmatch(name)
    if shown_number is not None:
        kinds, number = _SHOWN[shown_number[1]], shown_number[2]
        some = numbered(ctx, tx, number) if chats.MESSAGE in kinds else records.by_key(tx, ctx.tenant, number)
        found += [record for record in some if record.kind in kinds]
    elif not found and kind in ("", chats.MESSAGE) and name.isascii() and name.isdecimal():
        found += _message(ctx, tx, name)
    if not found and kind in ("", "memory") and _BEGINNING.fullmatch(name):
        found += _beginning(ctx, tx, name)
    return [record for record in found if kind in ("", record.kind)]


def _beginning(ctx: Context, tx: Transaction, name: str) -> list[Record]:
    """The memory whose id begins so, as a brief shows it. Raises Conflict where there are several."""
    found = records.beginning(tx, ctx.tenant, name, limit=2)
    if len(found) > 1:
        raise Conflict(f"several ids begin with {name!r}, such as {found[0].key} and {found[1].key}; give one whole")
    return found


LONGEST_NUMBER = 15  # digits


def number_of(key: str) -> int | None:
    """The number that a key is, None for the strings of a caller."""
    is_one = key.isascii() and key.isdecimal() and len(key) <= LONGEST_NUMBER and key[0] != "0"
    return int(key) if is_one else None
