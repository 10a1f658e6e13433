"""Redaction: secrets out of every text before it is hashed, stored, embedded or logged."""

from typing import TypeAlias

from indelible.dataclass import dataclass
from indelible.sanitize.secret_rules import assigned_rule
from indelible.sanitize.secret_spans import LONGEST_NAME, redact_path, redact_text

JSON: TypeAlias = "bool | int | float | str | list[JSON] | dict[str, JSON] | None"


@dataclass(frozen=True, slots=True)
class Finding:
    """The number of secrets that one rule replaced in one argument; never the secret itself."""

    rule: str
    argument: str
    count: int


def redact(value: JSON, argument: str) -> tuple[JSON, list[Finding]]:
    """Redact every string inside `value`, keys of objects too; findings are merged and sorted by rule.

    A string also counts as secret by the key it stands under. Keys that become equal are numbered, none is lost. A
    clean value comes back as the same object. `argument` is the name that the findings carry. In a path, which
    may be the name of a project, a mark has the beginning of a digest: two that differ in secrets alone stay two.
    """
    counts: dict[str, int] = {}
    top: list[JSON] = [value]
    work: list[tuple[JSON, str, list[JSON] | dict[str, JSON], int | str]] = [(value, "", top, 0)]
    while work:
        node, name, parent, place = work.pop()
        fresh: JSON = node
        if isinstance(node, str):
            fresh = _redact_named(node, name, counts)
        elif isinstance(node, list):
            fresh = items = list(node)
            work.extend((item, name, items, index) for index, item in enumerate(node))
        elif isinstance(node, dict):
            keys = _redact_keys(node, counts)
            fresh = members = dict(zip(keys, node.values(), strict=True))
            work.extend((item, old, members, new) for new, (old, item) in zip(keys, node.items(), strict=True))
        parent[place] = fresh  # type: ignore[index]
    findings = [Finding(rule, argument, counts[rule]) for rule in sorted(counts)]
    return (top[0] if findings else value), findings


def _redact_named(text: str, name: str, counts: dict[str, int]) -> str:
    clean, found = redact_text(text)
    if not found and name:
        rule = assigned_rule(name.lower()[-LONGEST_NAME:], text, quoted=True)
        clean, found = (f"[REDACTED:{rule}]", {rule: 1}) if rule else (text, {})
    elif found:
        clean = redact_path(text) or clean
    for rule, count in found.items():
        counts[rule] = counts.get(rule, 0) + count
    return clean


def _redact_keys(node: dict[str, JSON], counts: dict[str, int]) -> list[str]:
    keys: list[str] = []
    taken = set(node)
    for key in node:
        clean = fresh = _redact_named(key, "", counts)
        number = 2
        while fresh != key and fresh in taken:
            fresh, number = f"{clean} ({number})", number + 1
        taken.add(fresh)
        keys.append(fresh)
    return keys
