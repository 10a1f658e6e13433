"""Basic Memory's notes: Markdown with front matter, observations and relations, in `~/basic-memory` or its projects.

`- [category] text #tag (context)` is an observation, `- relation [[Target]] (context)` a relation, wherever it stands.
A note becomes an entity of its title with its observations and relations; the text beside them memories by its
sections, of which its title is a tag. One of plain text that no other names is these memories alone: an entity that
says nothing would only stand beside them in every search. Taken from github.com/basicmachines-co/basic-memory
(NOTE-FORMAT in its documentation); projects from `~/.basic-memory/config.json` (read on 2026-11-29, version 0.24.1).
"""

import json
import re
from collections.abc import Iterator
from dataclasses import field
from pathlib import Path
from typing import Any

from indelible.core.records import entities, entity_fields
from indelible.dataclass import dataclass
from indelible.errors import InvalidInput
from indelible.transfer.sources import texts
from indelible.transfer.sources.source import Entry, Refused, Source, Surroundings

_OBSERVATION = re.compile(r"[ \t]*[-*+][ \t]+\[([^\[\]()\n]{1,200})\](?![(\[])[ \t]+(\S.*)$")
_RELATION = re.compile(
    r"[ \t]*+[-*+][ \t]++(?:((?:[^\[\]\n \t]++|[ \t]++(?=[^\[\]\n \t]))++)[ \t]++)?\[\[([^\[\]\n]{1,1000})\]\](.*)$"
)
_LONGEST = 200  # characters of the name of a relation
_TASK = frozenset(" xX-")
_FENCE = re.compile(r"[ \t]*(?:`{3,}|~{3,})")


@dataclass(slots=True)
class _Note:
    """A note: its title, type and tags, its observations and relations, and the text beside them."""

    title: str
    type: str
    tags: list[str]
    observations: list[str] = field(default_factory=list)
    relations: list[tuple[str, str]] = field(default_factory=list)
    rest: str = ""

    @property
    def is_plain(self) -> bool:
        """Whether it is text alone."""
        return not (self.observations or self.relations) and any(texts.parts(self.rest))


def _places(around: Surroundings) -> list[Path]:
    config = (around.named("BASIC_MEMORY_CONFIG_DIR") or around.home / ".basic-memory") / "config.json"
    named = [Path(path).expanduser() for path in _projects(config)]
    folders = [*named, around.named("BASIC_MEMORY_HOME") or around.home / "basic-memory"]
    return list(dict.fromkeys(folder for folder in folders if folder.is_absolute() and folder.is_dir()))


def _projects(config: Path) -> list[str]:
    """The folders of the projects: by name a path, or since 0.19 an object with its path."""
    try:
        listed = json.loads(texts.read(config)).get("projects", {})
        found = [each.get("path") if isinstance(each, dict) else each for each in listed.values()]
    except (OSError, InvalidInput, ValueError, RecursionError, AttributeError):
        return []
    return [path for path in found if isinstance(path, str) and path]


def _read(place: Path, around: Surroundings) -> Iterator[Entry | Refused]:
    """Give the text of each note first, then all entities: relations may name notes that come later."""
    folder = place.parent if place.is_file() else place
    notes: dict[str, list[tuple[Path, _Note, str]]] = {}
    titles: dict[str, str] = {}
    for path in texts.files(place, ".md"):
        name = path.relative_to(folder).with_suffix("").as_posix()
        try:
            values, text = texts.front_matter(texts.read(path))
            when = texts.changed(path)
        except (InvalidInput, OSError) as error:
            yield Refused(str(path), str(error))
            continue
        note = _note(values, text, path)
        for alias in (name, path.stem, _text(values, "permalink"), note.title):
            titles.setdefault(alias.lower(), note.title)
        notes.setdefault(note.title, []).append((path, note, when))
        item = {"namespace": None, "tags": texts.tags(note.title, *note.tags), "metadata": {"note": note.title}}
        for part in texts.parts(note.rest):
            times = {"created_at": when, "updated_at": when}
            yield Entry(f"{folder}/{name}{part.own}", f"{path}{part.own}", {**item, **times, "content": part.content})
    yield from _entities(notes, titles)


def _entities(notes: dict[str, list[tuple[Path, _Note, str]]], titles: dict[str, str]) -> Iterator[Entry]:
    """The entities of all notes that say more than their text, those of one title as one; of targets without a note."""
    unwritten: dict[str, tuple[Path, str]] = {}
    every = [note for some in notes.values() for _, note, _ in some]
    named = {titles.get(target.lower(), target) for note in every for _, target in note.relations}
    for title, some in notes.items():
        if title not in named and all(note.is_plain for _, note, _ in some):
            continue
        path, first, when = some[0]
        observations = list(dict.fromkeys(text for _, note, _ in some for text in note.observations))
        pairs = dict.fromkeys(pair for _, note, _ in some for pair in note.relations)
        edges = []
        for relation, target in pairs:
            end = titles.get(target.lower(), target)
            if end not in notes:
                unwritten.setdefault(end, (path, when))
            ends = {"source": f"entity:{title}", "target": f"entity:{end}"}
            edges.append({**ends, "source_namespace": None, "target_namespace": None, "relationship": relation})
        # What one of several notes says is not all that is said of it.
        own = title if len(some) == 1 else f"{title} ({', '.join(str(path) for path, _, _ in some)})"
        yield Entry(own, str(path), _entity(title, first.type, observations, edges, when))
    for title, (path, when) in unwritten.items():
        yield Entry(f"[[{title}]]", f"{path} [[{title}]]", _entity(title, "note", [], [], when))


def _entity(title: str, type_: str, observations: list[str], edges: list[dict[str, Any]], when: str) -> dict[str, Any]:
    return {
        "id": title,
        "kind": "entity",
        "label": title,
        "memory_type": type_,
        "content": entity_fields.text_of(title, observations),
        "namespace": None,
        "metadata": {"observations": observations},
        "edges": edges,
        "created_at": when,
        "updated_at": when,
    }


def _note(values: dict[str, Any], text: str, path: Path) -> _Note:
    note = _Note(_text(values, "title") or path.stem, _text(values, "type") or "note", texts.listed(values.get("tags")))
    note.title = note.title.encode()[: entities.LONGEST_NAME].decode(errors="ignore")
    rest = []
    fenced = False
    for line in text.split("\n"):
        fenced ^= _FENCE.match(line) is not None
        observation = None if fenced else _OBSERVATION.match(line)
        relation = None if fenced else _RELATION.match(line)
        if observation is not None and observation[1] not in _TASK:
            note.observations.append(f"[{observation[1]}] {observation[2].strip()}")
        elif relation is not None and len(relation[1] or "") <= _LONGEST:
            note.relations.append(((relation[1] or "relates_to").strip(), relation[2].split("|")[0].strip()))
        else:
            rest.append(line)
    note.rest = "\n".join(rest)
    return note


def _text(values: dict[str, Any], name: str) -> str:
    value = values.get(name)
    return value.strip() if isinstance(value, str) else ""


SOURCE = Source("basic-memory", "Basic Memory's notes", _places, _read)
