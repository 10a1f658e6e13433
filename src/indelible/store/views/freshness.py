"""How the code that texts name is now, by the links that texts have; see `views/code_links`.

A hook loads this module, which imports nothing that it need not.
"""

import json
from collections.abc import Iterable, Mapping
from typing import Any

from indelible.code_states import CHANGED, FRESH, GONE, MOVED, CodeState
from indelible.store.database import Transaction, listed

MAY_SUPERSEDE = "MAY_SUPERSEDE"
EXPLAINS = "EXPLAINS"

Pairs = list[tuple[int, int]]
Versions = list[tuple[int, int, float]]
ByRecord = dict[int, tuple[CodeState, ...]]


def any_code(tx: Transaction) -> bool:
    """Whether any code is indexed, as `code_links.any_repository`, without imports a hook need not load."""
    return bool(tx.rows("code_links.any_repository"))


def with_newer(tx: Transaction, ids: Iterable[int]) -> tuple[Versions, Pairs, ByRecord]:
    """Return what `edges.newer` does, and the code that the records name, each name once, in one statement."""
    newer: Versions = []
    contradicting: Pairs = []
    links = []
    for record, other, relation, weight, *link in tx.rows("freshness.with_newer", ids=listed(ids)):
        if relation == EXPLAINS:
            links.append((int(record), float(weight), *link))
        elif relation == MAY_SUPERSEDE:
            newer.append((int(record), int(other), float(weight)))
        else:
            contradicting.append((int(record), int(other)))
    return newer, contradicting, _by_record(links)


def of_records(tx: Transaction, ids: Iterable[int]) -> ByRecord:
    """Return the code that those records name, each name once; records that name none are left out."""
    return _by_record(row[:-1] for row in tx.rows("freshness.of_records", ids=listed(ids)))


def by_target(tx: Transaction, record: int) -> dict[int, CodeState]:
    """Return the code that a record names, by the row ids of symbols and files."""
    found = {}
    for *link, target in tx.rows("freshness.of_records", ids=listed([record])):
        ((_, (state,)),) = _by_record([tuple(link)]).items()
        found[int(target)] = state
    return found


def after_change(tx: Transaction, ids: Iterable[int], after: Mapping[int, CodeState | None]) -> ByRecord:
    """Return the same of what is in `after`, by row ids of symbols and files: in these states; None: in their own."""
    found: dict[int, dict[str, CodeState]] = {}
    for *link, target in tx.rows("freshness.of_records", ids=listed(ids)):
        if target in after:
            ((record, (own,)),) = _by_record([tuple(link)]).items()
            state = after[target] or own
            found.setdefault(record, {}).setdefault(own.name, state._replace(name=own.name, weight=own.weight))
    return {record: tuple(states.values()) for record, states in found.items()}


def stale(tx: Transaction, namespaces: Iterable[str]) -> ByRecord:
    """Return the same of all records of the namespaces, without those that name only what is as it was."""
    found = _by_record(tx.rows("freshness.stale", namespaces=json.dumps(sorted(namespaces), ensure_ascii=False)))
    return {record: states for record, states in found.items() if any(each.state != FRESH for each in states)}


def _by_record(links: Iterable[tuple[Any, ...]]) -> ByRecord:
    """Return the states of links (record, weight, name, state, name of the code, whether it is gone)."""
    found: dict[int, dict[str, CodeState]] = {}
    for record, weight, name, now, code, gone in links:
        of_it = found.setdefault(int(record), {})
        of_it.setdefault(name or code, _state(name or code, float(weight), now, bool(gone)))
    return {record: tuple(states.values()) for record, states in found.items()}


def _state(name: str, weight: float, now: str | None, gone: bool) -> CodeState:
    if now is None:
        return CodeState(name, GONE if gone else FRESH, weight)
    what = json.loads(now)
    state = what["is"] if what["is"] in (CHANGED, MOVED, GONE) else FRESH
    rest = bool(what.get("changed", False)), what.get("to", ""), what.get("commit", ""), float(what.get("part", 0.0))
    return CodeState(name, state, weight, *rest)
