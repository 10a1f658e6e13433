"""Taking edits by hand back in: each file that differs from what was written is taken, or named with the reason.

What was written last is known by two digests (`manifest`): a file that has its own still was not edited, a record that
has its own still was not changed in the store. Where both were, the store's stays, and the edit is kept beside it.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import field
from functools import partial
from pathlib import Path
from typing import Any

from indelible.clock import time_value
from indelible.core.context.context import Context
from indelible.core.records import exporting
from indelible.dataclass import dataclass
from indelible.errors import IndelibleError, InvalidInput
from indelible.store.database import Transaction
from indelible.store.tables import records, versions
from indelible.toolsets.memory import importing
from indelible.transfer.markdown import edited, layout, manifest, reading, tree
from indelible.transfer.markdown.manifest import Entry
from indelible.transfer.markdown.reading import File

CONFLICT = ".conflict"  # behind the name of a file whose edit was not taken


@dataclass(slots=True)
class Taken:
    """The paths of files by what became of them; `conflicts` has where each edit is kept, `refused` why it stays.

    `missing` are files that were deleted by hand and whose records are still there.
    """

    added: list[str] = field(default_factory=list)
    changed: list[str] = field(default_factory=list)
    deleted: list[str] = field(default_factory=list)
    missing: list[str] = field(default_factory=list)
    conflicts: dict[str, str] = field(default_factory=dict)
    refused: dict[str, str] = field(default_factory=dict)
    unchanged: int = 0


@dataclass(slots=True)
class _Plan:
    """The changes that an import makes.

    `new` are files that were written by hand, `away` the uids of records whose files stay as they are, or away, `taken`
    the files that may be written anew then, by path their digest, `files` the uids of all that could be read, and
    `uids` all records that the tree has.
    """

    add: list[tuple[str, dict[str, Any]]] = field(default_factory=list)
    edit: list[tuple[str, dict[str, Any]]] = field(default_factory=list)
    delete: list[Entry] = field(default_factory=list)
    conflicts: list[str] = field(default_factory=list)
    new: set[str] = field(default_factory=set)
    away: set[str] = field(default_factory=set)
    taken: dict[str, str] = field(default_factory=dict)
    files: dict[str, str] = field(default_factory=dict)
    uids: set[str] = field(default_factory=set)


def take_in(
    ctx: Context,
    root: Path,
    pause: Callable[[], None] | None = None,
    *,
    deletes: bool = False,
    keeps_files: bool = False,
) -> Taken:
    """Take in what was edited, added and, with `deletes`, deleted by hand in a tree, and write the tree anew.

    A tree without a manifest is only read: somebody else's notes are not changed. With `keeps_files` ours is only read
    too, for a dry run on a copy of the store. Raises InvalidInput where `root` is
    no directory.
    """
    if not root.is_dir():
        raise InvalidInput(f"{root} is not a directory; give the one that `indelible export --to markdown` wrote")
    if not (root / manifest.FOLDER / manifest.MANIFEST).is_file():
        return _taken_in(ctx, root, pause, deletes=deletes, writes=False)
    with tree.locked(root):
        return _taken_in(ctx, root, pause, deletes=deletes, writes=not keeps_files)


def _taken_in(ctx: Context, root: Path, pause: Callable[[], None] | None, *, deletes: bool, writes: bool) -> Taken:
    stored = {item["uid"]: item for item in exporting.export_all(ctx)}
    done = Taken()
    plan = _planned(ctx, root, stored, done, deletes=deletes)
    related = _edit(ctx, stored, plan, done)
    _delete(ctx, stored, plan, done)  # first: a new file may say what one that was deleted said
    _add(ctx, plan, related, done, pause)
    if writes:
        for path in plan.conflicts:
            done.conflicts[path] = _set_aside(root, path)
        places = [*plan.files.items(), *((entry.path, entry.uid) for entry in manifest.load(root).values())]
        away = plan.away | {uid for path, uid in places if path in done.refused}
        taken = {path: digest for path, digest in plan.taken.items() if plan.files[path] not in away}
        tree.write(root, [item for item in exporting.export_all(ctx) if item["uid"] in plan.uids], taken, away)
    else:
        done.conflicts |= dict.fromkeys(plan.conflicts, "")
    return done


# --- What there is to do ---


def _planned(ctx: Context, root: Path, stored: Mapping[str, dict[str, Any]], done: Taken, *, deletes: bool) -> _Plan:
    folders = {layout.folder_of(name): name for name in {item["namespace"] or "" for item in stored.values()}}
    read = reading.read(root, folders)
    done.refused |= read.problems
    base = {entry.uid: entry for entry in manifest.load(root).values()}
    named: dict[str, list[Mapping[str, Any]]] = {}
    by_uid: dict[str, list[File]] = {}
    for file in read.files:
        named.setdefault(layout.name_of(file.path), []).append(file.page.item)
        by_uid.setdefault(file.page.uid, []).append(file)
    others = (str(value.get("uid")) for value in manifest.values(root, manifest.RECORDS))
    plan = _Plan(uids={*by_uid, *base, *others}, away=read.unread - by_uid.keys())
    plan.files = {file.path: file.page.uid for file in read.files}
    for uid, entry in base.items():  # what others still link to, though its file is away
        if uid not in by_uid and uid in stored:
            named.setdefault(layout.name_of(entry.path), []).append(stored[uid])
    for uid, files in by_uid.items():
        if len(files) > 1:
            for file in files:
                other = next(each.path for each in files if each is not file)
                done.refused[file.path] = f"has the uid of {other} too; delete one of them, or the line uid in one"
            continue
        try:
            _plan_file(ctx, files[0], named, stored.get(uid), base.get(uid), plan, done)
        except InvalidInput as error:
            done.refused[files[0].path] = str(error)
    _plan_others(ctx, root, stored, by_uid, plan)
    there = {*by_uid, *read.unread, *(entry.uid for entry in base.values() if entry.path in read.problems)}
    away = [entry for uid, entry in base.items() if uid in stored and uid not in there]
    _plan_away(away, stored, plan, done, deletes=deletes)
    return plan


def _plan_away(
    away: Sequence[Entry], stored: Mapping[str, dict[str, Any]], plan: _Plan, done: Taken, *, deletes: bool
) -> None:
    """Decide what becomes of records that are there and whose files are not."""
    for entry in away:
        if deletes and manifest.state_of(stored[entry.uid]) == entry.state:
            plan.delete.append(entry)
            continue
        plan.away.add(entry.uid)
        if deletes:
            done.refused[entry.path] = "was deleted by hand, and its record was changed in the store since: it stays"
        else:
            done.missing.append(entry.path)


def _plan_file(
    ctx: Context,
    file: File,
    named: Mapping[str, Sequence[Mapping[str, Any]]],
    there: dict[str, Any] | None,
    entry: Entry | None,
    plan: _Plan,
    done: Taken,
) -> None:
    """Decide what becomes of a file. Raises InvalidInput where it cannot be taken in."""
    is_edited = entry is None or file.sha256 != entry.sha256
    if there is None and not file.is_new and _was_deleted(ctx, file.page.item):
        if is_edited:
            plan.conflicts.append(file.path)
        else:
            done.refused[file.path] = (
                "is unchanged, and its record was deleted in the store since: an export removes it"
            )
            plan.away.add(file.page.uid)
        return
    if there is not None and not is_edited:
        done.unchanged += 1
        plan.taken[file.path] = file.sha256  # it may have been moved
        return
    item = reading.with_relations(ctx, file, named)
    if there is None:
        plan.add.append((file.path, item))
        plan.new.update([file.path] if file.is_new else [])
    elif manifest.state_of(edited.completed(item)) == manifest.state_of(there):
        done.unchanged += 1
    elif entry.state != manifest.state_of(there) if entry else item.get("updated_at") != there["updated_at"]:
        plan.conflicts.append(file.path)
        return
    else:
        plan.edit.append((file.path, item))
    plan.taken[file.path] = file.sha256


def _was_deleted(ctx: Context, item: Mapping[str, Any]) -> bool:
    """Whether a record that is not in the store was there once."""
    with ctx.store.read() as tx:
        return any(record.uid == item["uid"] for record in versions.of_key(tx, str(item.get("id", ""))))


def _plan_others(
    ctx: Context,
    root: Path,
    stored: Mapping[str, dict[str, Any]],
    by_uid: Mapping[str, Sequence[File]],
    plan: _Plan,
) -> None:
    """Add records without a file that the store lacks, and what the files lack: how often each was returned."""
    used = {value.get("uid"): value for value in manifest.values(root, manifest.ACCESS)}
    new_documents = {f"document:{item.get('id')}" for _, item in plan.add if item.get("kind") == "document"}
    others = []
    for value in manifest.values(root, manifest.RECORDS):
        uid, session = value.get("uid"), value.get("session")
        is_part = value.get("kind") == "chunk" and isinstance(session, str) and session.startswith("document:")
        if uid in stored or uid in by_uid or (is_part and session not in new_documents) or _was_deleted(ctx, value):
            continue
        others.append(("", value))
    plan.add.sort(key=lambda each: (str(each[1].get("created_at", "~")), each[1]["uid"]))
    plan.add += others
    for _, item in plan.add:
        for name in ("access_count", "last_accessed_at"):
            if name in used.get(item.get("uid"), {}):
                item[name] = used[item["uid"]][name]


# --- Doing it ---


def _edit(
    ctx: Context, stored: Mapping[str, dict[str, Any]], plan: _Plan, done: Taken
) -> list[tuple[str, dict[str, Any]]]:
    """Change the records whose files were edited; returns the items of those that got relations, with only these."""
    related = []
    for path, item in plan.edit:
        there = stored[item["uid"]]
        try:
            change = edited.change(ctx, there, item)
            ctx.store.write(partial(edited.write, ctx, there, change))
        except IndelibleError as error:
            done.refused[path] = str(error)
            continue
        ctx.call.redacted.extend(change.findings)
        done.changed.append(path)
        if change.added:
            related.append((path, {**item, "edges": change.added}))
    return related


def _add(
    ctx: Context,
    plan: _Plan,
    related: list[tuple[str, dict[str, Any]]],
    done: Taken,
    pause: Callable[[], None] | None,
) -> None:
    """Import what is new, and new relations of what is known."""
    every = [*plan.add, *related]
    result = importing.import_items(ctx, [item for _, item in every], pause)
    wrong: dict[int, list[str]] = {}
    for error in result.errors:
        wrong.setdefault(error["index"], []).append(error["error"])
    for at, (path, item) in enumerate(every):
        if at in wrong:
            reasons = "; ".join(wrong[at])
            done.refused[path or f"{manifest.FOLDER}/{manifest.RECORDS}: {item.get('kind')} {item.get('id')}"] = reasons
    with ctx.store.read() as tx:
        for path, item in plan.add:
            if _is_stored(tx, item):
                done.added += [path] if path else []
                continue
            plan.away.add(item["uid"])
            if path in plan.new:
                done.refused.setdefault(path, "says what is stored already; delete it")
            elif path and path not in done.refused:
                done.unchanged += 1  # its text is that of another record


def _is_stored(tx: Transaction, item: Mapping[str, Any]) -> bool:
    created = item.get("created_at")
    if created is None:  # it was written by hand, and has the id that it was given
        return any(each.uid == item["uid"] for each in records.by_key(tx, item["id"]))
    try:
        moment = time_value(created, "created_at")
    except InvalidInput:  # it was refused for that
        return False
    return records.by_uid(tx, item["uid"], item.get("kind", "memory"), moment) is not None


def _delete(ctx: Context, stored: Mapping[str, dict[str, Any]], plan: _Plan, done: Taken) -> None:
    if plan.delete:
        ctx.write_behind.before_deletion()
    for entry in plan.delete:
        try:
            ctx.store.write(partial(edited.delete, ctx, stored[entry.uid]))
        except IndelibleError as error:
            done.refused[entry.path] = str(error)
            plan.away.add(entry.uid)
            continue
        done.deleted.append(entry.path)


def _set_aside(root: Path, path: str) -> str:
    """Keep an edit that was not taken under another name, which no import reads; returns that."""
    number = 1
    while (root / (kept := f"{path}{CONFLICT}{'' if number == 1 else number}")).exists():
        number += 1
    (root / path).rename(root / kept)
    return kept
