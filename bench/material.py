"""Made-up entities and solutions of the same words as the made-up memories, and what agents ask for them.

Nearly half of the entities have free names; the others are canonical ones, with the keys and envelopes that agents
write: commands, errors, fixes, dependencies, documents, concepts.
"""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise
from random import Random
from typing import Any

import generate

TYPES = ("person", "module", "decision", "service")  # of entities with free names
CANONICAL = ("Command", "Error", "Fix", "Dependency", "Doc", "Concept")
RELATED = {  # type of an entity, type of an earlier one that it is related to, relation
    "Command": ("Error", "EMITS"),
    "Error": ("Dependency", "CAUSED_BY"),
    "Fix": ("Error", "RESOLVES"),
    "Doc": ("Concept", "REFERENCES"),
    "Dependency": ("module", "used_by"),
    "Concept": ("decision", "explains"),
    **{type_: (type_, "depends_on") for type_ in TYPES},
}
CUTS = (14, 27)  # words at which a text of 40 is cut into observations
PROBLEM = 14  # words of it that are a problem; what follows solves it
SCOPES = ("global", "global", "stack", "stack", "repo")
FILES = 200
SEED = 13


@dataclass(frozen=True, slots=True)
class Entity:
    """An entity, and its relation to one that was made before it: (relation, name)."""

    name: str
    type: str
    observations: tuple[dict[str, Any] | str, ...]
    relation: tuple[str, str] | None

    @property
    def given(self) -> dict[str, Any]:
        """As create_entities takes it."""
        return {"name": self.name, "entityType": self.type, "observations": list(self.observations)}

    @property
    def related(self) -> list[dict[str, str]]:
        """As create_relations takes it."""
        if self.relation is None:
            return []
        return [{"from": self.name, "to": self.relation[1], "relationType": self.relation[0]}]


@dataclass(frozen=True, slots=True)
class Solution:
    """A solution as matrix_store takes it."""

    problem: str
    solution: str
    scope: str
    tags: tuple[str, ...]
    files: tuple[str, ...]


def entities(texts: Sequence[str]) -> list[Entity]:
    """An entity of each text, with a name of its own."""
    from indelible.sanitize.secret_spans import redact_text

    made: list[Entity] = []
    names: set[str] = set()
    by_type: dict[str, list[str]] = {}
    for number, text in enumerate(texts):
        draw = Random(f"{SEED}/{number}")
        type_ = CANONICAL[number % 10 - 4] if number % 10 >= 4 else TYPES[draw.randrange(len(TYPES))]
        name, first = _MADE.get(type_, _free)(text, number, by_type)
        if redact_text(name)[1]:  # cut, a key would have no hash any more
            type_, (name, first) = TYPES[0], _free(text, number, by_type)
        if name in names:
            name = f"{name} {number}"
        names.add(name)
        words = text.split()
        parts = [" ".join(words[a:b]) for a, b in pairwise((0, *CUTS, len(words)))]
        observations: tuple[dict[str, Any] | str, ...] = (*first, *(parts[1:] if first else parts))
        wanted, relation = RELATED[type_]
        others = by_type.get(wanted, [])
        # the earlier the likelier: some have many relations, most have few
        related = (relation, others[int(draw.random() ** 2 * len(others))]) if others else None
        made.append(Entity(name, type_, observations, related))
        by_type.setdefault(type_, []).append(name)
    return made


Naming = tuple[str, tuple[dict[str, Any], ...]]  # a name, and the envelopes that go with it


def _telling(text: str, count: int) -> list[str]:
    """Words that name a subject, in letters and digits."""
    found = ["".join(filter(str.isalnum, word)) for word in generate.telling_words(text)]
    return [word for word in found if word][:count] or ["thing"]


def _free(text: str, number: int, by_type: dict[str, list[str]]) -> Naming:
    return " ".join(_telling(text, 2)), ()


def _command(text: str, number: int, by_type: dict[str, list[str]]) -> Naming:
    from indelible.graph import keys

    command = " ".join(_telling(text, 3))  # without flags: what follows some of them is taken for a secret
    place, code = f"/home/me/{number}", number % 2
    done = {"type": "command.exec", "cmd": command, "cwd": place, "exitCode": code}
    return keys.command_key(command, place, code), (done,)


def _error(text: str, number: int, by_type: dict[str, list[str]]) -> Naming:
    from indelible.graph import keys

    message = f"Error: {' '.join(text.split()[: CUTS[0]])} ({number})"
    captured = {"normalizedKey": keys.normalized_key(message), "kind": "runtime", "message": message, "detector": "me"}
    return keys.error_key(message), ({"type": "error.capture", **captured},)


def _fix(text: str, number: int, by_type: dict[str, list[str]]) -> Naming:
    from indelible.graph import keys

    strategy, changes = " ".join(text.split()[: CUTS[0]]), [{"file": f"src/{number}.py"}]
    errors = by_type.get("Error", ["err#unknown"])
    applied = {"type": "fix.apply", "strategy": strategy, "changes": changes, "result": "applied"}
    return keys.fix_key(errors[-1], strategy, changes), (applied,)


def _dependency(text: str, number: int, by_type: dict[str, list[str]]) -> Naming:
    from indelible.graph import keys

    return keys.dependency_key("-".join(_telling(text, 2)), f"1.{number}.0"), ()


def _doc(text: str, number: int, by_type: dict[str, list[str]]) -> Naming:
    from indelible.graph import keys

    url = f"https://example.org/{'-'.join(_telling(text, 3))}/{number}"
    return keys.doc_key(url), ({"type": "doc.note", "url": url, "accessed_at": "2025-08-08T10:30:00Z"},)


def _concept(text: str, number: int, by_type: dict[str, list[str]]) -> Naming:
    from indelible.graph import keys

    return keys.concept_key(f"{'-'.join(_telling(text, 2))}-{number}"), ()


_MADE: dict[str, Callable[[str, int, dict[str, list[str]]], Naming]] = {
    "Command": _command,
    "Error": _error,
    "Fix": _fix,
    "Dependency": _dependency,
    "Doc": _doc,
    "Concept": _concept,
}


def solutions(texts: Sequence[str], more: Sequence[str]) -> Iterator[Solution]:
    """A solution of each text: its first words are the problem, the rest and the text of `more` solve it."""
    for number, (text, rest) in enumerate(zip(texts, more, strict=True)):
        draw, words = Random(f"{SEED}/{number}"), text.split()
        tags = [f"{draw.choice(('api', 'build', 'data', 'ui'))}:{word.lower()}" for word in _telling(text, 2)]
        files = [f"src/part_{draw.randrange(FILES)}.py" for _ in range(draw.randrange(3))]
        solved = f"{' '.join(words[PROBLEM:])}\n\n```\n{rest}\n```"
        yield Solution(" ".join(words[:PROBLEM]), solved, draw.choice(SCOPES), tuple(tags), tuple(dict.fromkeys(files)))


# --- What is asked ---


def a_word(entity: Entity, text: str, number: int) -> str:
    """A telling word of an entity."""
    telling = generate.telling_words(text) or ["thing"]
    return telling[number % len(telling)]


def a_phrase(entity: Entity, text: str, number: int) -> str:
    """Two neighbouring words of an observation."""
    words = str(entity.observations[-1]).split()
    at = number % (len(words) - 1)
    return f"{words[at]} {words[at + 1]}".lower()


def a_name(entity: Entity, text: str, number: int) -> str:
    """The whole name."""
    return entity.name


def another_version(entity: Entity, text: str, number: int) -> str:
    """The key of the same thing in another version or place, which nobody stored; of a free name, with a typo."""
    if entity.type == "Dependency":
        return entity.name.rpartition("@")[0] + "@99.1"
    if entity.type in ("Command", "Fix"):
        return entity.name[:-8] + "0123abcd"
    return entity.name[:-1] + "~"
