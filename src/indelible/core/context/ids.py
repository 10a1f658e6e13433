"""Lookup of records by the ids that callers know, and the ids shown for records."""

import re
from collections.abc import Collection, Sequence

from indelible.core.context import numbers, visibility
from indelible.core.context.context import Context
from indelible.errors import Conflict, NotFound
from indelible.model import KINDS, NUMBERED_KINDS, Record
from indelible.store.database import Transaction
from indelible.store.tables import records, trash
from indelible.store.views import chats, documents

BEGINNING = 8  # characters of a UUID that are enough for `find`
LONGEST_QUOTED = 200  # characters of an unknown id that an error repeats

_SHOWN = {"doc": ("document",), "chunk": ("chunk",), "resource": (*NUMBERED_KINDS, chats.MESSAGE)}
_NUMBERED = re.compile(r"(doc|chunk|resource)_([0-9]+)")
_OWN_MAKING = re.compile(r"(?:sol|fail)_[0-9a-f]{8}|[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}", re.IGNORECASE)
_BEGINNING = re.compile(r"[0-9a-f]{8}(?:-[0-9a-f-]{0,26})?")  # of a UUID


def find(ctx: Context, tx: Transaction, argument: str, given: str, kinds: Sequence[str] = ("memory",)) -> Record:
    """Return the record of an id: among the toolset's own kinds first, then among all; `kind:id` names the kind.

    Within a kind the record of the caller's project comes first, then the oldest. The first eight or more characters
    of a memory's UUID are enough where they are unambiguous. Raises NotFound, and Conflict where a bare id fits
    several foreign kinds, or a prefix fits several memories.
    """
    found = candidates(ctx, tx, given)
    named = _named_kind(given)
    own = [record for record in found if record.kind == named] or [r for r in found if r.kind in kinds]
    if own:
        return own[0]
    foreign = sorted({record.kind for record in found})
    if len(foreign) > 1:
        names = ", ".join(f"{kind}:{given}" for kind in foreign)
        raise Conflict(f"{argument} {_quoted(given)} matches several records; choose one of: {names}")
    if found:
        return found[0]
    raise NotFound(
        f"{argument} {_quoted(given)} is unknown: no record has that id; recalls and `indelible list` show ids"
    )


def find_own(ctx: Context, tx: Transaction, argument: str, given: str, kind: str) -> Record:
    """Return the record of an id that a toolset may change: of its own kind only. Raises NotFound."""
    found = candidates(ctx, tx, given)
    own = [record for record in found if record.kind == kind]
    if own:
        return own[0]
    if found:
        raise NotFound(f"{argument} {_quoted(given)} is a {found[0].kind}, not a {kind}; use the tools of its own kind")
    raise NotFound(f"{argument} {_quoted(given)} is unknown: there is no {kind} with that id")


def _quoted(given: str) -> str:
    """Return an id as an error quotes it, cut: it may be a whole text given in the wrong place."""
    return repr(given if len(given) <= LONGEST_QUOTED else given[:LONGEST_QUOTED] + "…")


def candidates(ctx: Context, tx: Transaction, given: str) -> list[Record]:
    """Return every visible record that an id may mean: those of the caller's project first, then the oldest."""
    found = _called(ctx, tx, given)
    kind = _named_kind(given)
    if kind:
        found += _called(ctx, tx, given.removeprefix(f"{kind}:"), kind)
    own = _own(ctx, tx, found)
    once = {record.id: record for record in found if visibility.is_visible(ctx, tx, record)}.values()
    return sorted(once, key=lambda record: (record.namespace not in own, record.key != given, record.id))


def _named_kind(given: str) -> str:
    """Return the kind that a `kind:id` names, "" for a bare id."""
    kind, colon, _ = given.partition(":")
    return kind if colon and kind in KINDS else ""


def _own(ctx: Context, tx: Transaction, found: Sequence[Record]) -> set[str]:
    """Return the namespaces among the records' that are the server's project; empty if there is only one record."""
    if len(found) < 2:
        return set()
    return ctx.scope(tx).own_among({record.namespace for record in found})


def shown(record: Record) -> str:
    """Return the id that callers are shown: `doc_N` and `chunk_N` for records with a bare number as key."""
    return shown_key(record.kind, record.key)


def shown_key(kind: str, key: str) -> str:
    """Return the shown id of a kind and a key."""
    prefix = {"document": "doc_", "chunk": "chunk_"}.get(kind, "")
    return prefix + key if key.isdecimal() else key


def name_of(record: Record) -> str:
    """Return the name of a record as the end of a relation: a memory's id, `kind:id` for any other kind.

    A memory whose id looks like `kind:id` itself (an import may bring one) is named with its kind too.
    """
    return name_of_key(record.kind, record.key)


def name_of_key(kind: str, key: str) -> str:
    """Return the name of a kind and a key as the end of a relation, see `name_of`."""
    return key if kind == "memory" and not _named_kind(key) else f"{kind}:{key}"


def short(tx: Transaction, record: Record) -> str:
    """Return the shortest name that `find` takes for a record: of a memory's UUID the first part if it is unambiguous.

    For other records it is the same as `name_of`.
    """
    return shorts(tx, [record])[record.id]


def shorts(tx: Transaction, found: Collection[Record]) -> dict[int, str]:
    """Return the same of several records, by their row ids."""
    begun = _beginnings(tx, [(record.kind, record.key) for record in found])
    return {record.id: beginning or name_of(record) for record, beginning in zip(found, begun, strict=True)}


def shorts_shown(tx: Transaction, named: Sequence[tuple[str, str]]) -> list[str]:
    """Return the same of kinds and keys for where the kind stands beside each; the records may be deleted."""
    begun = _beginnings(tx, named)
    return [beginning or shown_key(*each) for beginning, each in zip(begun, named, strict=True)]


def _beginnings(tx: Transaction, named: Sequence[tuple[str, str]]) -> list[str]:
    """Return the first part of each memory's UUID where no other memory begins so, "" for any other kind and key."""
    fit = {key for kind, key in named if kind == "memory" and _OWN_MAKING.fullmatch(key) and _BEGINNING.match(key)}
    fit -= records.begun_alike(tx, sorted(fit), BEGINNING)
    return [key[:BEGINNING] if kind == "memory" and key in fit else "" for kind, key in named]


def past_keys(tx: Transaction, given: str) -> list[str]:
    """Return the keys of changed and deleted records that an id may mean, the likeliest first.

    Raises Conflict where the beginning of an id fits several.
    """
    keys = dict.fromkeys((given, key_of(given)))
    beginning = key_of(given)
    if _BEGINNING.fullmatch(beginning):
        begun = trash.keys_beginning(tx, beginning)
        if len(begun) > 1:
            raise _several(beginning, begun)
        keys |= dict.fromkeys(begun)
    return list(filter(None, keys))


def key_of(given: str) -> str:
    """Return the key of a shown id, with or without a kind: the inverse of `shown`."""
    kind = _named_kind(given)
    name = given.removeprefix(f"{kind}:") if kind else given
    numbered = _NUMBERED.fullmatch(name)
    return name if numbered is None else numbered[2]


def numbered(ctx: Context, tx: Transaction, number: str) -> list[Record]:
    """Return the records with a number: at most one, unless an import brought others."""
    found = [record for record in records.by_key(tx, number) if record.kind in NUMBERED_KINDS]
    return found or _message(ctx, tx, number)


def _message(ctx: Context, tx: Transaction, number: str) -> list[Record]:
    """Return the messages of a number: by key where the store gave it, else by metadata."""
    if len(number) > LONGEST_NUMBER or not numbers.is_given(ctx, tx, int(number)):
        return []
    ours = records.by_key(tx, chats.key_of(int(number)))
    named = [record for record in ours if record.kind == chats.MESSAGE and str(chats.number_of(record)) == number]
    return named or chats.numbered(tx, number)


def reserved_number(given: str) -> str | None:
    """Return the number in `N`, `resource_N` or `doc_N`, which a new record may reserve; None for other ids."""
    numbered = _NUMBERED.fullmatch(given)
    if numbered is not None and numbered[1] != "chunk":
        return numbered[2]
    return given if given.isascii() and given.isdecimal() else None


def is_generated(given: str) -> bool:
    """Whether an id has the form that only a store gives: of a memory (UUID), a solution or a failure.

    An unknown id of this form is a mistake, never the name of a record still to be created.
    """
    kind = _named_kind(given)
    return _OWN_MAKING.fullmatch(given.removeprefix(f"{kind}:") if kind else given) is not None


def is_exact(given: str) -> bool:
    """Whether a text has the form of an id and of nothing else that somebody would search for.

    That is an id that a store gives, the beginning of a memory's, or one of these with its kind.
    """
    name = key_of(given) if given.partition(":")[0] in KINDS else given
    return any(form.fullmatch(name) for form in (_OWN_MAKING, _BEGINNING, _NUMBERED))


def _called(ctx: Context, tx: Transaction, name: str, kind: str = "") -> list[Record]:
    """Return the records with this id, shown number or (documents) file name; of one kind where it is named."""
    found = [*records.by_key(tx, name), *documents.named(tx, name)]
    shown_number = _NUMBERED.fullmatch(name)
    if shown_number is not None:
        kinds, number = _SHOWN[shown_number[1]], shown_number[2]
        some = numbered(ctx, tx, number) if chats.MESSAGE in kinds else records.by_key(tx, number)
        found += [record for record in some if record.kind in kinds]
    elif not found and kind in ("", chats.MESSAGE) and name.isascii() and name.isdecimal():
        found += _message(ctx, tx, name)
    if not found and kind in ("", "memory") and _BEGINNING.fullmatch(name):
        found += _beginning(tx, name)
    return [record for record in found if kind in ("", record.kind)]


def _beginning(tx: Transaction, name: str) -> list[Record]:
    """Return the memory whose id begins so, as a brief abbreviates it, of each project that has it.

    Raises Conflict where there are several.
    """
    keys = records.keys_beginning(tx, name)
    if len(keys) > 1:
        raise _several(name, keys)
    return [record for key in keys for record in records.by_key(tx, key) if record.kind == "memory"]


def _several(beginning: str, keys: Sequence[str]) -> Conflict:
    return Conflict(f"several ids begin with {beginning!r}, such as {keys[0]} and {keys[1]}; give the full id")


LONGEST_NUMBER = 15  # digits


def number_of(key: str) -> int | None:
    """Return the number of a numeric key, None for keys that callers chose."""
    is_one = key.isascii() and key.isdecimal() and len(key) <= LONGEST_NUMBER and key[0] != "0"
    return int(key) if is_one else None
