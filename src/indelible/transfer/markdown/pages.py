"""One record as the text of a file, and back: its front matter, its text, its relations.

The record has the form of an exported item (core/records/item_schema), so that both kinds of export hold the same.
"""

import json
import re
from collections.abc import Callable, Mapping
from dataclasses import field
from typing import Any

from indelible.core.records import entity_fields
from indelible.dataclass import dataclass
from indelible.errors import InvalidInput
from indelible.transfer.markdown import front_matter

# The kinds that have a file each, and the folder of each in that of its project.
FOLDERS = {
    "memory": "memories",
    "solution": "solutions",
    "failure": "failures",
    "entity": "entities",
    "document": "documents",
    "message": "chats",
    "todo": "todos",
    "attempt": "attempts",
}
RELATIONS = "## Relations"
# What is a property of its own in the front matter, out of the metadata.
_TEXTS = ("trust", "origin", "stated_by", "expires_at", "valid_from", "valid_to")
_PINNED = "pinned"
_OWN = frozenset(
    "uid id kind type title project created updated tags importance confidence replaced session position metadata "
    "body".split()
)
_RENAMED = {"type": "memory_type", "title": "label", "created": "created_at", "updated": "updated_at"}

_AS_IT_IS = "text"  # of an entity of another tool, whose text is not the list of its observations

_SECTION = re.compile(r"(?:\A|\n)(?:\n)?## Relations[ \t]*(?=\n|\Z)")
_RELATION = re.compile(
    r"- (?P<name>(?:[^\[\]`% ]++| ++(?=[^\[\]`% ]))*+) *+"
    r"(?:\[\[(?P<link>[^\[\]]+)\]\]|`(?P<target>[^`]+)`)(?: *+%% (?P<more>\{.*\}) %%)? *+"
)
_SHOWN = re.compile(r"[^\s\[\]`%](?:[^\n\r\[\]`%]*[^\s\[\]`%])?")
_MORE = frozenset("relationship target source_namespace target_namespace weight metadata created_at".split())


@dataclass(frozen=True, slots=True)
class Relation:
    """A line of the section Relations: the target by its file (`link`) or by its id (`target`), one of them "".

    `more` are further fields of an exported relation.
    """

    name: str
    link: str
    target: str
    more: dict[str, Any] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Page:
    """A file as it was read: the item without its relations, and those."""

    item: dict[str, Any]
    relations: list[Relation]

    @property
    def uid(self) -> str:
        """Return the uid of its record, "" for one that was written by hand."""
        return str(self.item.get("uid", ""))


def written(item: Mapping[str, Any], link_of: Callable[[Mapping[str, Any]], str]) -> str:
    """Return the text of an item's file; `link_of` gives the file that one of its relations leads to, "" for none."""
    metadata = dict(item["metadata"])
    body, lists = item["content"], _observations(item)
    if lists is not None:
        del metadata["observations"]
        body = "\n".join("- " + each.replace("\n", "\n  ") for each in lists)
    lines = [_line(edge, link_of(edge)) for edge in item["edges"]]
    text = f"{front_matter.written(_fields(item, metadata))}\n{body}\n"
    if lines:
        return f"{text}\n{RELATIONS}\n\n" + "\n".join(lines) + "\n"
    return text if _reads_as(body) else f"{text}\n{RELATIONS}\n"


def _reads_as(body: str) -> bool:
    """Whether a text without relations is read back as it is, whatever it ends with."""
    try:
        return _split(f"\n{body}\n") == (body, [])
    except InvalidInput:
        return False


def _observations(item: Mapping[str, Any]) -> list[str] | None:
    """Return the observations of an entity whose text is just those, so that its file lists them."""
    given = item["metadata"].get("observations")
    if item["kind"] != "entity" or not isinstance(given, list) or not all(isinstance(each, str) for each in given):
        return None
    return given if item["content"] == entity_fields.text_of(item["id"], given) else None


def _fields(item: Mapping[str, Any], metadata: dict[str, Any]) -> dict[str, front_matter.Value]:
    fields: dict[str, front_matter.Value] = {"uid": item["uid"], "id": item["id"], "kind": item["kind"]}
    if item["memory_type"]:
        fields["type"] = item["memory_type"]
    if item.get("label", "") != _usual_label(item):
        fields["title"] = item.get("label", "")
    if item["namespace"]:
        fields["project"] = item["namespace"]
    fields |= {"created": item["created_at"], "updated": item["updated_at"], "tags": item["tags"]}
    fields |= {"importance": item["importance"], "confidence": item["confidence"]}
    if metadata.get(_PINNED) is True:
        fields[_PINNED] = metadata.pop(_PINNED)
    fields |= {name: metadata.pop(name) for name in _TEXTS if isinstance(metadata.get(name), str)}
    if item.get("replaced"):
        fields["replaced"] = True
    if item["session"]:
        fields["session"] = item["session"]
    fields["position"] = item["position"]
    if item["kind"] == "entity" and _observations(item) is None:
        fields["body"] = _AS_IT_IS
    if metadata:
        fields["metadata"] = json.dumps(metadata, ensure_ascii=False)
    return fields


def _usual_label(item: Mapping[str, Any]) -> str:
    return str(item["id"]) if item["kind"] == "entity" else ""


def _line(edge: Mapping[str, Any], link: str) -> str:
    more = {name: edge[name] for name in ("source_namespace", "target_namespace") if name in edge}
    if edge["weight"] != 1.0:
        more["weight"] = edge["weight"]
    if edge["metadata"]:
        more["metadata"] = edge["metadata"]
    more["created_at"] = edge["created_at"]
    name = edge["relationship"]
    if not _SHOWN.fullmatch(name):
        more["relationship"], name = name, "RELATES_TO"
    end = f"[[{link}]]"
    if not link:
        shown = _SHOWN.fullmatch(edge["target"])
        end = f"`{edge['target']}`" if shown else "`…`"
        more |= {} if shown else {"target": edge["target"]}
    comment = json.dumps(more, ensure_ascii=False).replace("%", "\\u0025")
    return f"- {name} {end} %% {comment} %%"


def read(content: str) -> Page:
    """Return what the text of a file says. Raises InvalidInput that names what cannot be read.

    What a file without a uid leaves out is left out of the item too; properties that Indelible does not know go to
    the metadata.
    """
    if content.startswith(f"{front_matter.FENCE}\r\n"):  # an editor of Windows wrote all of it
        content = content.replace("\r\n", "\n")
    head, rest = front_matter.split(content)
    fields = {} if head is None else front_matter.parse(head)
    body, lines = _split(rest)
    item: dict[str, Any] = {}
    for name in ("uid", "id", "kind", "type", "title", "created", "updated", "session"):
        if name in fields:
            item[_RENAMED.get(name, name)] = _text(fields, name)
    item |= {name: _number(fields, name) for name in ("importance", "confidence", "position") if name in fields}
    if "project" in fields:
        item["namespace"] = _text(fields, "project") or None
    if "tags" in fields:
        item["tags"] = _list(fields, "tags")
    if "replaced" in fields:
        item["replaced"] = _flag(fields, "replaced")
    item["metadata"] = _metadata(fields)
    item["content"] = body
    if "uid" in item:
        item = _completed(item)
    if item.get("kind") == "entity" and fields.get("body") != _AS_IT_IS:
        given = _listed(body)
        item["metadata"]["observations"] = given
        item["content"] = entity_fields.text_of(str(item.get("id", "")), given)
    return Page(item, lines)


def _completed(item: Mapping[str, Any]) -> dict[str, Any]:
    """Return the item of a file with a uid with what an export leaves out where it is as usual."""
    if lost := [name for name in ("id", "kind") if not item.get(name)]:
        raise InvalidInput(f"has the line uid and none for {lost[0]}; put that back, or delete the line uid too")
    completed = {"namespace": None, "memory_type": "", "tags": [], "session": "", **item}
    if usual := _usual_label(completed):
        completed.setdefault("label", usual)
    return completed


def _metadata(fields: Mapping[str, Any]) -> dict[str, Any]:
    text = _text(fields, "metadata") if "metadata" in fields else "{}"
    try:
        metadata = json.loads(text)
    except (ValueError, RecursionError) as error:
        raise InvalidInput(f"metadata must be JSON in quotes, got {text[:80]!r}: {error}") from error
    if not isinstance(metadata, dict):
        raise InvalidInput(f"metadata must be a JSON object, got {text[:80]!r}")
    for name in fields:
        if name == _PINNED:
            metadata.update({_PINNED: True} if _flag(fields, name) else {})
        elif name in _TEXTS:
            metadata[name] = _text(fields, name)
        elif name not in _OWN:
            metadata[name] = fields[name]
    return metadata


def _text(fields: Mapping[str, Any], name: str) -> str:
    value = fields[name]
    if not isinstance(value, str):
        raise InvalidInput(f"{name} must be text, got {json.dumps(value)[:80]}")
    return value


def _flag(fields: Mapping[str, Any], name: str) -> bool:
    text = _text(fields, name).lower()
    if text not in ("true", "false", ""):
        raise InvalidInput(f"{name} must be true or false, got {text[:80]!r}")
    return text == "true"


def _number(fields: Mapping[str, Any], name: str) -> float:
    text = _text(fields, name)
    try:
        return int(text) if name == "position" else float(text)
    except ValueError as error:
        raise InvalidInput(f"{name} must be a number, got {text[:80]!r}") from error


def _list(fields: Mapping[str, Any], name: str) -> list[str]:
    value = fields[name]
    if isinstance(value, str):  # as one line, the way some editors have it
        value = [each.strip() for each in value.split(",") if each.strip()]
    if not isinstance(value, list) or not all(isinstance(each, str) for each in value):
        raise InvalidInput(f"{name} must be a list of texts such as [a, b], got {json.dumps(value)[:80]}")
    return value


def _split(rest: str) -> tuple[str, list[Relation]]:
    """Return the text and the relations of what follows a front matter."""
    body = rest.removeprefix("\n")
    sections = list(_SECTION.finditer(body))
    if not sections:
        return body.removesuffix("\n"), []
    found = sections[-1]
    lines = [line for line in body[found.end() :].split("\n") if line.strip()]
    others = [line for line in lines if not line.startswith("- ")]
    if others and not any(_RELATION.fullmatch(line) for line in lines):
        return body.removesuffix("\n"), []  # a heading of the text
    if others:
        raise InvalidInput(f"{others[0][:80]!r} stands below the relations; move it above `{RELATIONS}`")
    return body[: found.start()], [_relation(line) for line in lines]


def _relation(line: str) -> Relation:
    found = _RELATION.fullmatch(line)
    if found is None:
        raise InvalidInput(f"{line[:80]!r} is no relation; write `- RELATES_TO [[file]]`")
    more = {}
    if found["more"]:
        try:
            more = json.loads(found["more"])
        except (ValueError, RecursionError) as error:
            raise InvalidInput(f"{line[:80]!r} has a comment that is not JSON: {error}") from error
        if unknown := sorted(set(more) - _MORE):
            raise InvalidInput(f"{line[:80]!r} has the unknown field {unknown[0]!r} in its comment")
    name = more.pop("relationship", "") or found["name"].strip() or "RELATES_TO"
    return Relation(name, found["link"] or "", more.pop("target", "") or found["target"] or "", more)


def _listed(body: str) -> list[str]:
    """Return the observations that the body of an entity's file lists. Raises InvalidInput for another text."""
    found: list[str] = []
    for line in body.split("\n") if body else ():
        if line.startswith("- ") or line == "-":
            found.append(line[2:])
        elif found and (line.startswith("  ") or not line.strip()):
            found[-1] += "\n" + line[2:]
        elif line.strip():
            raise InvalidInput(
                f"{line[:80]!r} is no observation; write each as `- text`, further lines indented by two"
            )
    return found
