"""Projects that an earlier version wrongly merged into one: a directory and the repositories below it.

Records stored with a path (captured sessions, indexed code and the records related to it) show which project they
belong to; an upgrade moves these (`separate_projects`). The user decides about the rest (`split`, `keep`): until then
`doctor` reports the project, and deleting it by name is refused.
"""

from collections.abc import Collection, Iterable

from indelible.core.context.call import Call
from indelible.core.context.context import Context
from indelible.core.context.scoping import Aliases
from indelible.core.records import trash
from indelible.dataclass import dataclass
from indelible.errors import Conflict, InvalidInput, NotFound
from indelible.model import COMMIT, INDEXED_KINDS, Record
from indelible.project import NAME, REPOSITORY, is_path, repository_at, upwards
from indelible.store.database import Transaction
from indelible.store.tables import activity, edges, projects, records, repositories, source_files
from indelible.store.views import code_links
from indelible.toolsets.context.documents import documents
from indelible.toolsets.memory import deletion

UPGRADE = "project upgrade"  # as whose call the upgrade moves records
PAGE = 500  # records that are read together
CODE = "related to code in"
SESSION = "captured in"


@dataclass(frozen=True, slots=True)
class Proposed:
    """A record that belongs to another project `to`, with the reason `why`."""

    record: Record
    to: str
    why: str


@dataclass(frozen=True, slots=True)
class Moved:
    """The records that a split moved to project `to`, and those that `stay` because `to` has the same already."""

    to: str
    moved: list[Record]
    stay: list[Record]


def unanswered(ctx: Context, tx: Transaction) -> dict[str, list[str]]:
    """Return the namespaces that may mix several projects, each with the paths that were taken for its parts."""
    found: dict[str, list[str]] = {}
    mixed = projects.merged(tx)
    stored = set(records.namespaces(tx)) if mixed else set()
    for alias, namespace in mixed.items():
        if namespace in stored:
            found.setdefault(namespace, []).append(alias)
    return found


def finding(namespace: str, parts: Iterable[str]) -> str:
    """Return a sentence for `doctor`: which paths a project may wrongly include, and how to separate them."""
    named = ", ".join(repr(part)[:200] for part in parts)
    return (
        f"namespace {namespace!r:.200} may hold memories of {named} too: an earlier version stored them under it. "
        f"`indelible project split {namespace}` proposes which belong where and moves them; "
        f"`indelible project keep {namespace}` says that all of it is one project"
    )


def refuse(ctx: Context, tx: Transaction, names: Collection[str]) -> None:
    """Raise Conflict if one of the namespaces to be deleted may mix several projects."""
    mixed = unanswered(ctx, tx)
    for namespace in sorted(mixed.keys() & set(names)):
        raise Conflict(f"{finding(namespace, mixed[namespace])}. Nothing was deleted")


# --- Where something belongs ---


def proposal(ctx: Context, tx: Transaction, namespace: str) -> list[Proposed]:
    """Return the records of a mixed namespace that belong to one of the parts, by session directory or related code."""
    parts = unanswered(ctx, tx).get(namespace, [])
    places = (namespace, *parts)  # an undo moves records back, and not what stands beside them
    known = [each for place in places for each in _sessions(ctx, tx, place)]
    sessions = {name: part for name, cwd in known if (part := _part(parts, cwd))}
    code = {record: part for place in places for record, part in _code(ctx, tx, place, parts).items()}
    found = []
    for record in _of_itself(ctx, tx, namespace):
        if record.session in sessions:
            found.append(Proposed(record, sessions[record.session], SESSION))
            continue
        targets = [edge.target for edge in edges.of_records(tx, [record.id]) if edge.source == record.id]
        named = {code[each] for each in targets if each in code}
        if len(named) == 1:
            found.append(Proposed(record, named.pop(), CODE))
    return found


def _of_itself(ctx: Context, tx: Transaction, namespace: str) -> list[Record]:
    """Return the records of a namespace that can be moved alone: no source code and no chunks of documents."""
    ids = records.ids_in(tx, {namespace}, None)
    pages = (records.by_ids(tx, ids[at : at + PAGE]).values() for at in range(0, len(ids), PAGE))
    return [each for page in pages for each in page if each.kind not in (*INDEXED_KINDS, "chunk")]


def _sessions(ctx: Context, tx: Transaction, namespace: str) -> list[tuple[str, str]]:
    """The captured sessions of a namespace, each with the directory that it began in."""
    return [(row.session, str(row.detail.get("cwd", ""))) for row in activity.firsts(tx, namespace)]


def _code(ctx: Context, tx: Transaction, namespace: str, parts: Collection[str]) -> dict[int, str]:
    """The files and symbols of a namespace that lie in a part, by row id."""
    found: dict[int, str] = {}
    for each in repositories.in_namespace(tx, namespace):
        for file in source_files.of_repository(tx, each.id):
            part = _part(parts, f"{each.root}/{file.path}")
            if part:
                found[file.record] = part
                found.update(dict.fromkeys(code_links.in_files(tx, [file.record]), part))
    return found


def _part(parts: Collection[str], path: str) -> str:
    """The innermost of the parts that a path lies in, "" for none."""
    return next((at for at in upwards(path) if at in parts), "") if is_path(path) else ""


# --- Moving it ---


def split(ctx: Context, namespace: str, to: str, chosen: Collection[int]) -> Moved:
    """Move records of a project to another, as one operation that `undo` takes back.

    A document goes with its parts. Raises NotFound where `namespace` has none of them.
    """

    def work(tx: Transaction) -> tuple[list[int], list[int]]:
        own = set(records.ids_in(tx, {namespace}, None))
        moving = [each for each in sorted(chosen) if each in own]
        return _move(ctx, tx, moving, to)

    moved, stay = ctx.write(work)
    ctx.write(lambda tx: _answer(ctx, tx, namespace, to))
    with ctx.store.read() as tx:
        known = records.by_ids(tx, [*moved, *stay])
    return Moved(to, [known[each] for each in moved if each in known], [known[each] for each in stay if each in known])


def _move(ctx: Context, tx: Transaction, ids: Iterable[int], to: str) -> tuple[list[int], list[int]]:
    moved, stay = [], []
    for id_ in ids:
        record = records.by_ids(tx, [id_])[id_]
        if not _has_room(ctx, tx, record, to):
            stay.append(id_)
            continue
        together = [id_, *(documents.chunks_of(ctx, tx, record) if record.kind == "document" else ())]
        for each in records.by_ids(tx, together).values():
            trash.keep(ctx, tx, each, "update")
            records.move(tx, each.id, to)
        moved.append(id_)
    return moved, stay


def _has_room(ctx: Context, tx: Transaction, record: Record, to: str) -> bool:
    if records.by_keys(tx, to, record.kind, [record.key]):
        return False
    if record.kind == "memory" and not record.replaced:
        return records.by_content(tx, to, record.content_hash) is None
    if record.kind == "document" and record.label:
        return documents.named(ctx, tx, record.label, to) is None
    return True


def _answer(ctx: Context, tx: Transaction, namespace: str, to: str) -> None:
    for alias, of in projects.merged(tx).items():
        if of == namespace and alias == to:
            projects.note_answer(tx, alias)


def keep(ctx: Context, namespace: str) -> list[str]:
    """Note that all of a namespace is one project; return the paths that are parts of it. Raises NotFound."""

    def work(tx: Transaction) -> list[str]:
        parts = [alias for alias, of in projects.merged(tx).items() if of == namespace]
        for alias in parts:
            projects.note_answer(tx, alias)
        return parts

    parts = ctx.write(work)
    if not parts:
        raise NotFound(
            f"namespace {namespace!r:.200} is one project; `indelible doctor` lists those that may be several"
        )
    return parts


def chosen_of(
    ctx: Context, namespace: str, ids: Collection[str] = (), session: str | None = None, before: int | None = None
) -> list[int]:
    """Return the row ids of a project's records: by ids, by session, created before a time (microseconds), or all.

    Source code is not among them: it is indexed where it lies.
    """
    with ctx.store.read() as tx:
        if ids:
            named = [deletion.named(ctx, tx, each) for each in ids]
            other = next((each for each in named if each.namespace != namespace), None)
            if other is not None:
                raise InvalidInput(f"ID {other.key!r} is stored in {other.namespace!r:.200}, not in {namespace!r:.200}")
            return [each.id for each in named]
        own = _of_itself(ctx, tx, namespace)
    if session is not None:
        own = [each for each in own if session in (each.session, each.session.partition(":")[2])]
    if before is not None:
        own = [each for each in own if each.created < before]
    return [each.id for each in own]


# --- The upgrade ---


def separate_projects(ctx: Context) -> int:
    """Move records of mixed projects to the project that their stored paths show; return how many were moved.

    Cheap if there are no mixed projects. Paths that are rightly part of a project (a plain directory, a clone or a
    worktree of it) are noted as such.
    """
    if ctx.settings.read_only or not ctx.settings.own_machine:
        return 0
    with ctx.store.read() as tx:
        noted = projects.noted(tx)
        due = {alias: of for alias, of in projects.merged(tx).items() if noted[alias].kind == ""}
    if not due:
        return 0
    ctx = ctx.for_call(Call(tool=UPGRADE))

    def work(tx: Transaction) -> int:
        known = Aliases(projects.noted(tx), is_local=True)
        for alias, namespace in due.items():
            _note_kind(ctx, tx, alias, namespace, known.kind(alias), known.project(alias))
        _note_clones(ctx, tx, set(due.values()), known)
        moved = 0
        for namespace, parts in unanswered(ctx, tx).items():
            if namespace in due.values():
                for each in proposal(ctx, tx, namespace):
                    moved += len(_move(ctx, tx, [each.record.id], each.to)[0])
                _move_beside(ctx, tx, namespace, parts)
        return moved

    return ctx.write(work)


def _note_kind(ctx: Context, tx: Transaction, alias: str, namespace: str, kind: str, project: str | None) -> None:
    """Note the kind of a path that was taken for a part of a project, as far as it can be determined."""
    if project == namespace:  # rightly
        projects.note_answer(tx, alias)
        projects.change(tx, alias, namespace, kind)
        return
    projects.change(tx, alias, alias, REPOSITORY if kind == REPOSITORY else NAME)
    found = repository_at(alias) if kind == REPOSITORY else None
    if found is not None and found.origin is not None:
        known = projects.noted(tx)
        if found.origin in known and known[found.origin].namespace == namespace:
            projects.change(tx, found.origin, alias, NAME)


def _note_clones(ctx: Context, tx: Transaction, mixed: Collection[str], known: Aliases) -> None:
    """Note clones elsewhere of repositories taken for a part: a shared origin had joined them to the whole project."""
    noted = projects.noted(tx)
    for alias, was in noted.items():
        found = repository_at(alias) if was.namespace in mixed and is_path(alias) and not was.kind else None
        if found is not None and known.project(alias) is None:
            own = noted.get(found.origin or "")
            projects.change(tx, alias, alias if own is None else own.namespace, REPOSITORY)


def _move_beside(ctx: Context, tx: Transaction, namespace: str, parts: Collection[str]) -> None:
    """Move the sessions and the indexed code of the parts to their own projects."""
    for session, cwd in _sessions(ctx, tx, namespace):
        part = _part(parts, cwd)
        if part:
            activity.move(tx, session, part)
    for each in repositories.in_namespace(tx, namespace):
        part = _part(parts, each.root)
        if not part:
            continue
        files = [file.record for file in source_files.of_repository(tx, each.id)]
        for record in [*files, *code_links.in_files(tx, files)]:
            records.move(tx, record, part)
        for record, codebase in records.keys_in(tx, namespace, COMMIT).values():
            if codebase == each.id:
                records.move(tx, record, part)
        repositories.move(tx, each.id, part)
