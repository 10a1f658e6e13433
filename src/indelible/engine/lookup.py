"""From the ids that callers know to records."""

from collections.abc import Sequence

from indelible.engine.context import Context, own_namespace
from indelible.errors import Conflict, NotFound
from indelible.model import KINDS, Record
from indelible.store import records
from indelible.store.database import Transaction


def find(ctx: Context, tx: Transaction, argument: str, given: str, kinds: Sequence[str] = ("memory",)) -> Record:
    """The record of an id: among the toolset's own kinds first, then among all; `kind:id` names the kind.

    Within a kind the own project's record comes first, then the oldest. Raises NotFound, and Conflict where a bare
    id fits several foreign kinds.
    """
    found = candidates(ctx, tx, given)
    own = [record for record in found if record.kind in kinds]
    if own:
        return own[0]
    foreign = sorted({record.kind for record in found})
    if len(foreign) > 1:
        names = ", ".join(f"{kind}:{given}" for kind in foreign)
        raise Conflict(f"{argument} {given!r} names several things; say which: {names}")
    if found:
        return found[0]
    raise NotFound(f"{argument} {given!r} is unknown; ids come from recall_memory, store_memory or export_memories")


def find_own(ctx: Context, tx: Transaction, argument: str, given: str, kind: str) -> Record:
    """The record of an id that a toolset may change: of its own kind only. Raises NotFound."""
    found = candidates(ctx, tx, given)
    own = [record for record in found if record.kind == kind]
    if own:
        return own[0]
    if found:
        raise NotFound(f"{argument} {given!r} is a {found[0].kind}, not a {kind}; use the tools of its own kind")
    raise NotFound(f"{argument} {given!r} is unknown: there is no {kind} with that id")


def candidates(ctx: Context, tx: Transaction, given: str) -> list[Record]:
    """Every record that an id may mean: the own project's first, then the oldest first."""
    found = records.by_key(tx, ctx.tenant, given)
    kind, colon, rest = given.partition(":")
    if colon and kind in KINDS:
        found += [record for record in records.by_key(tx, ctx.tenant, rest) if record.kind == kind]
    own = own_namespace(ctx, tx) if len(found) > 1 else ""
    return sorted(found, key=lambda record: (record.namespace != own, record.id))
