"""Writing a store as a tree of Markdown files, again and again: only what differs is written.

A file that somebody changed since it was written is never overwritten or removed, and a file that Indelible did not
write is never touched: an import takes edits back (`hand_edits`), and both are named.
"""

from collections.abc import Collection, Iterable, Mapping, Sequence
from contextlib import suppress
from dataclasses import field
from functools import partial
from pathlib import Path
from typing import Any

from indelible.core.context.context import Context
from indelible.core.context.ids import name_of_key
from indelible.core.records import exporting
from indelible.core.records.trust import TYPED_BY
from indelible.dataclass import dataclass
from indelible.errors import InvalidInput
from indelible.filesystem import FileLock
from indelible.transfer.markdown import layout, manifest, pages
from indelible.transfer.markdown.manifest import Entry

_ACCESS = ("access_count", "last_accessed_at")
_DERIVED = ("replaced_by",)  # which the relations say


@dataclass(slots=True)
class Written:
    """The paths of files by what became of them; `kept` has the reason why each was left as it is."""

    written: list[str] = field(default_factory=list)
    unchanged: list[str] = field(default_factory=list)
    removed: list[str] = field(default_factory=list)
    restored: list[str] = field(default_factory=list)
    kept: dict[str, str] = field(default_factory=dict)


def export(ctx: Context, root: Path, as_of: int | None = None, *, restores: bool = True) -> Written:
    """Bring the tree below `root` to what the store holds, or held at a time; the directory is made if missing.

    Files that are missing are written again, if it `restores`. Raises InvalidInput where `root` is no directory or
    cannot be written.
    """
    with locked(root):
        there = () if restores else manifest.load(root).values()
        missing = [each.uid for each in there if not (root / each.path).exists()]
        return write(root, list(exporting.export_all(ctx, as_of)), away=missing)


def locked(root: Path) -> FileLock:
    """Return the lock of a tree, which an export and an import hold. Raises InvalidInput where there can be none."""
    try:
        manifest.refuse_links(root, manifest.FOLDER + "/" + manifest.LOCK)
        (root / manifest.FOLDER).mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise InvalidInput(
            f"{root} cannot hold a tree: {error.strerror}; give a directory that can be written"
        ) from None
    return FileLock(root / manifest.FOLDER / manifest.LOCK)


def write(
    root: Path,
    items: Sequence[Mapping[str, Any]],
    taken: Mapping[str, str] | None = None,
    away: Collection[str] = (),
) -> Written:
    """Bring the tree to these items, the lock held. `taken` are files whose edits the store has, by path their digest.

    `away` are uids of records whose files stay as they are, or away.
    """
    done = Written()
    before, taken = manifest.load(root), taken or {}
    paths = layout.paths(items)
    contents = dict(_contents(items, paths))
    states = {item["uid"]: manifest.state_of(item) for item in items if item["uid"] in paths}
    entries: dict[str, Entry] = {}
    kept = _keep_edited(root, before, taken, done)
    for uid, path in paths.items():
        if uid in kept or uid in away:
            continue
        content = contents[path]
        if _put(root, path, content, before.get(path), taken, done):
            entries[path] = Entry(path, uid, manifest.digest(content), states[uid])
    for path in sorted({*before, *taken} - entries.keys()):
        entry = before.get(path)
        if entry is not None and (entry.uid in kept or entry.uid in away):
            entries[path] = entry
        elif path not in done.kept:
            _remove(root, path, done)
    _put_side_files(root, items, entries.values())
    return done


def _keep_edited(root: Path, before: Mapping[str, Entry], taken: Mapping[str, str], done: Written) -> set[str]:
    """Note the files that were edited since they were written and not taken in; returns the uids of their records."""
    kept = set()
    for path, entry in before.items():
        try:
            content = manifest.content_of(root, path)
        except (InvalidInput, OSError) as error:
            done.kept[path] = str(error)
            kept.add(entry.uid)
            continue
        if content is not None and manifest.digest(content) not in (entry.sha256, taken.get(path)):
            done.kept[path] = "was edited since it was written; `indelible import --from markdown` takes the edit in"
            kept.add(entry.uid)
    return kept


def _put(root: Path, path: str, content: bytes, before: Entry | None, taken: Mapping[str, str], done: Written) -> bool:
    """Write a file if it is not so already; whether it is there then."""
    try:
        there = manifest.content_of(root, path)
        if there == content:
            done.unchanged.append(path)
            return True
        if there is not None and before is None and manifest.digest(there) != taken.get(path):
            done.kept[path] = "is there and was not written by Indelible; move it away"
            return False
        manifest.put(root, path, content)
    except InvalidInput as error:
        done.kept[path] = str(error)
        return False
    (done.restored if there is None and before is not None else done.written).append(path)
    return True


def _remove(root: Path, path: str, done: Written) -> None:
    try:
        manifest.refuse_links(root, path)
        (root / path).unlink()
    except FileNotFoundError:
        return
    except (InvalidInput, OSError) as error:
        done.kept[path] = str(error)
        return
    done.removed.append(path)
    with suppress(OSError):  # it holds other files
        for folder in (root / path).parents:
            if folder == root:
                break
            folder.rmdir()


def _contents(items: Sequence[Mapping[str, Any]], paths: Mapping[str, str]) -> Iterable[tuple[str, bytes]]:
    links: dict[str, dict[str, str]] = {}
    for item in items:
        if item["uid"] in paths:
            named = links.setdefault(name_in_relations(item), {})
            named.setdefault(item["namespace"] or "", layout.name_of(paths[item["uid"]]))
    for item in items:
        if item["uid"] in paths:
            page = pages.written(_without_person(item), partial(_link, links, item["namespace"] or ""))
            yield paths[item["uid"]], page.encode()


def _link(links: Mapping[str, Mapping[str, str]], own: str, edge: Mapping[str, Any]) -> str:
    """Return the file that a relation of a record in the namespace `own` leads to, "" where there is not just one."""
    found = links.get(edge["target"], {})
    named = edge.get("target_namespace", own) or ""
    return found[named] if named in found else next(iter(found.values()), "") if len(found) == 1 else ""


def name_in_relations(item: Mapping[str, Any]) -> str:
    """Return the name by which exported relations know a record."""
    return name_of_key(item["kind"], item["id"])


def _without_person(item: Mapping[str, Any]) -> dict[str, Any]:
    """Return an item without the person who typed its text: no import brings that."""
    return {**item, "metadata": {name: value for name, value in item["metadata"].items() if name != TYPED_BY}}


def _put_side_files(root: Path, items: Sequence[Mapping[str, Any]], entries: Iterable[Entry]) -> None:
    left_out = {*_ACCESS, *_DERIVED}
    others = [item for item in items if not layout.has_file(item)]
    others.sort(key=lambda item: (item["kind"], item["created_at"], item["uid"]))
    bare = [{name: value for name, value in _without_person(item).items() if name not in left_out} for item in others]
    used = sorted((item for item in items if item["access_count"]), key=lambda item: item["uid"])
    named = [
        {"path": each.path, "uid": each.uid, "sha256": each.sha256, "state": each.state}
        for each in sorted(entries, key=lambda each: each.path)
    ]
    access = [{name: item[name] for name in ("uid", *_ACCESS)} for item in used]
    for name, values in ((manifest.RECORDS, bare), (manifest.ACCESS, access), (manifest.MANIFEST, named)):
        path, content = f"{manifest.FOLDER}/{name}", manifest.lines(values)
        if manifest.content_of(root, path) != content:
            manifest.put(root, path, content)
