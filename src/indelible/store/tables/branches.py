"""Which branches are not merged into which others, by project: a setting that a run of the index writes.

Only what is known for sure is in it: a branch that does not exist, and one of which nobody looked, is not unmerged.
"""

import json
from collections.abc import Mapping
from typing import Any

from indelible.store.database import Transaction, once
from indelible.store.tables import settings

SETTING = settings.BRANCHES

Facts = Mapping[str, Any]


def every(tx: Transaction) -> dict[str, Facts]:
    """Return the facts of each project: `seen`, a digest of its branches, `unmerged` and `forks`, see `merges`."""
    stored = once(tx, (settings.STORED, SETTING), lambda: settings.find(tx, SETTING))
    return {} if stored is None else dict(json.loads(stored))


def unmerged(tx: Transaction, namespace: str, branch: str) -> frozenset[str]:
    """Return the branches of a project that are known not to be merged into one."""
    facts = every(tx).get(namespace, {}) if branch else {}
    return frozenset(facts.get("unmerged", {}).get(branch, ()))


def fork(tx: Transaction, namespace: str, base: str, branch: str) -> str:
    """Return the last commit that an unmerged branch of a project and another have in common, "" if not known."""
    return str(every(tx).get(namespace, {}).get("forks", {}).get(base, {}).get(branch, ""))


def put(tx: Transaction, namespace: str, facts: Facts) -> None:
    """Write the facts of a project."""
    settings.put(tx, SETTING, json.dumps({**every(tx), namespace: dict(facts)}, ensure_ascii=False))
