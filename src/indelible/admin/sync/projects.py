"""Projects that machines have at different paths: one by the origin that their clones share.

Records keep the namespace that they were stored with, on every machine, so that all become alike. What is carried is
which namespaces are names of one origin's project; a machine notes them as aliases, as for clones of its own.
"""

from collections.abc import Iterable
from hashlib import blake2b

from indelible.admin.sync.merging import Entry
from indelible.core.context.context import Context
from indelible.core.context.scoping import Aliases
from indelible.core.records.bounds import LONGEST_NAME
from indelible.project import NAME, REPOSITORY, is_path
from indelible.store.database import Transaction
from indelible.store.tables import projects, records
from indelible.store.tables.sync_states import HERE

PROJECT = "project"  # the part of a store that these entries are of
STAMP = "0" * 25  # they have no history: what is noted once stays


def entries(tx: Transaction) -> list[Entry]:
    """Return an entry for each origin that is noted, with the names of its project, by origin."""
    noted = projects.noted(tx)
    known = Aliases(noted)
    stored = set(records.namespaces(tx))
    found = []
    for alias in sorted(noted):
        namespace = None if is_path(alias) else known.project(alias)
        if namespace is None or namespace == alias:
            continue
        names = {name for name in stored if known.project(name) == namespace} | {namespace}
        uid = blake2b(alias.encode(), digest_size=16).hexdigest()
        content = {"origin": alias, "namespace": namespace, "names": sorted(names)}
        found.append(Entry(uid, PROJECT, HERE, stamp=STAMP, content=content))
    return found


def take(ctx: Context, some: Iterable[Entry]) -> None:
    """Note the names of projects that another machine has; what is noted here stays as it is."""
    told = [each.content for each in some if each.part == PROJECT and _is_sound(each)]
    if told:
        ctx.store.write(lambda tx: _note(ctx, tx, told))


def _is_sound(entry: Entry) -> bool:
    origin, namespace, names = (entry.content.get(name) for name in ("origin", "namespace", "names"))
    if not (isinstance(origin, str) and isinstance(namespace, str) and isinstance(names, list)):
        return False
    every = [origin, namespace, *names]
    return not is_path(origin) and all(isinstance(each, str) and 0 < len(each) <= LONGEST_NAME for each in every)


def _note(ctx: Context, tx: Transaction, told: Iterable[dict[str, object]]) -> None:
    for each in told:
        noted = projects.noted(tx)
        known = Aliases(noted)
        origin, theirs = str(each["origin"]), str(each["namespace"])
        ours = known.project(origin) or known.project(theirs) or theirs
        if origin not in noted:
            projects.add(tx, origin, ours, ctx.now(), NAME)
        for name in {theirs, *each["names"]} - noted.keys():  # type: ignore[misc]
            projects.add(tx, str(name), ours, ctx.now(), REPOSITORY if is_path(str(name)) else NAME)
