"""The files of a tree as they are now, as pages, and each that cannot be read with the reason."""

import os
import re
import uuid
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import field
from pathlib import Path
from typing import Any

from indelible.clock import time_text
from indelible.core.context.context import Context
from indelible.core.records import entity_fields
from indelible.core.records.item_schema import SHARED_KINDS
from indelible.dataclass import dataclass
from indelible.errors import InvalidInput
from indelible.store.tables.records import new_uid
from indelible.transfer.markdown import layout, manifest, pages
from indelible.transfer.markdown.pages import Page
from indelible.transfer.markdown.tree import name_in_relations


@dataclass(frozen=True, slots=True)
class File:
    """A file of the tree; `is_new` says that it was written by hand, and that its uid was given when it was read."""

    path: str
    sha256: str
    page: Page
    is_new: bool


_UID = re.compile(rb"^uid: *[\"']?([0-9a-f]{32})\b", re.MULTILINE)


@dataclass(slots=True)
class Tree:
    """The files in the order of their paths, and why others cannot be read, by path; `unread` are uids in those."""

    files: list[File] = field(default_factory=list)
    problems: dict[str, str] = field(default_factory=dict)
    unread: set[str] = field(default_factory=set)


def read(root: Path, namespaces: Mapping[str, str]) -> Tree:
    """Return what is in a tree; hidden folders and files that are not Markdown are passed over.

    `namespaces` are the projects of known folders: a file that was put there belongs to that project.
    """
    tree = Tree()
    for path, problem in _found(root, ""):
        content = b""
        try:
            if problem:
                raise InvalidInput(problem)
            content = _content(root, path)
            page = pages.read(_text(content))
        except (InvalidInput, OSError) as error:
            tree.problems[path] = str(error)
            tree.unread.update(uid.decode() for uid in _UID.findall(content))
            continue
        is_new = not page.uid
        if is_new:
            _complete(page.item, path, namespaces)
        tree.files.append(File(path, manifest.digest(content), page, is_new))
    return tree


def _found(root: Path, folder: str) -> Iterator[tuple[str, str]]:
    """Yield the path of each file of Markdown and link, and why it is not read, "" where it is."""
    for entry in sorted(os.scandir(root / folder), key=lambda entry: entry.name):
        path = f"{folder}/{entry.name}" if folder else entry.name
        if entry.name.startswith("."):
            continue
        if entry.is_symlink():
            yield path, "is a link; links are not followed"
        elif entry.is_dir(follow_symlinks=False):
            yield from _found(root, path)
        elif entry.name.lower().endswith(".md"):
            plain = path.encode("utf-8", "replace").decode()
            yield (path, "") if plain == path else (plain, "has a name that is not UTF-8; rename it")


def _content(root: Path, path: str) -> bytes:
    manifest.refuse_links(root, path)
    size = (root / path).stat().st_size
    if size > manifest.LONGEST:
        raise InvalidInput(f"has {size:,} bytes, at most {manifest.LONGEST:,} are read; split it into parts")
    content = (root / path).read_bytes()
    if not content.strip():  # as a full disk or a failed copy leaves a file: nobody deleted it
        raise InvalidInput("is empty; write its text, or delete it")
    return content


def _text(content: bytes) -> str:
    try:
        return content.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise InvalidInput(f"is not UTF-8 at byte {error.start}; save it as UTF-8") from error


def _complete(item: dict[str, Any], path: str, namespaces: Mapping[str, str]) -> None:
    """Give a file that was written by hand what each record has: a uid, an id, a project."""
    item["uid"] = new_uid()
    stem = layout.name_of(path)
    if item.get("kind") == "entity":
        item["id"] = item.get("id") or item.get("label") or stem
        item["label"] = item["id"]
        observations = item["metadata"].get("observations", [])
        item["content"] = entity_fields.text_of(item["id"], observations)
    elif not item.get("id"):
        item["id"] = str(uuid.uuid4())
    folder = path.partition("/")[0]
    if "namespace" not in item and folder in namespaces:
        item["namespace"] = namespaces[folder] or None


def with_relations(ctx: Context, file: File, named: Mapping[str, Sequence[Mapping[str, Any]]]) -> dict[str, Any]:
    """Return a file's record as an exported item, its links followed to the records of other files.

    Raises InvalidInput for a link that leads to no file, or to several.
    """
    item = file.page.item
    own = name_in_relations({"kind": "memory", **item})
    return {**item, "edges": [_edge(ctx, item, own, each, named) for each in file.page.relations]}


def _edge(
    ctx: Context,
    item: Mapping[str, Any],
    own: str,
    relation: pages.Relation,
    named: Mapping[str, Sequence[Mapping[str, Any]]],
) -> dict[str, Any]:
    by_hand = "created_at" not in relation.more
    more = {"weight": 1.0, "metadata": {}, "created_at": time_text(ctx.now(), fraction=True), **relation.more}
    name, target = relation.name, relation.target
    if relation.link:
        found = named.get(layout.name_of(relation.link), ())
        if len(found) != 1:
            several = f"there are {len(found)} files of that name" if found else "there is no such file"
            raise InvalidInput(f"has a relation to [[{relation.link:.200}]], and {several}")
        end = {"kind": "memory", "namespace": None, **found[0]}
        if end.get("uid") == item["uid"] and end["kind"] != "entity":
            raise InvalidInput(f"has a relation to itself, [[{relation.link:.200}]], which only an entity may have")
        target = name_in_relations(end)
        if end["kind"] in SHARED_KINDS and end["namespace"] and end["namespace"] != item.get("namespace"):
            more.setdefault("target_namespace", end["namespace"])
        if by_hand and not (item.get("kind") == end["kind"] == "entity"):
            name = name.upper()
    return {"source": own, "target": target, "relationship": name, **more}
