"""Files and folders as documents of the server's project, each under its path in the project."""

import os
from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from dataclasses import field
from pathlib import Path

from indelible.batching import no_pause
from indelible.core.context.context import Context
from indelible.core.context.scoping import without_secrets
from indelible.core.records import insert
from indelible.dataclass import dataclass
from indelible.errors import InvalidInput
from indelible.project import Location, locate
from indelible.sanitize.validate import LONGEST, admit, is_blank
from indelible.search import chunking
from indelible.source.tree import files
from indelible.source.tree.files import Skipped
from indelible.store.views import documents as stored
from indelible.toolsets.context.documents import documents
from indelible.toolsets.context.documents.documents import NewDocument

CODE = "code"  # the type of what is no prose
ORIGIN = "file"  # of a document that was stored from a file: what others stored is not deleted with one

Report = Callable[[int, int, Path], None]  # how many files of how many are done, and which comes next


@dataclass(slots=True)
class Added:
    """The result of adding files: the numbers of new, changed and unchanged documents, and the skipped files.

    `orphaned` are the names of documents whose files were deleted, and `pruned` is True if these were deleted too.
    """

    new: int = 0
    changed: int = 0
    unchanged: int = 0
    orphaned: list[str] = field(default_factory=list)
    pruned: bool = False
    skipped: list[Skipped] = field(default_factory=list)

    @property
    def reasons(self) -> dict[str, int]:
        """How many files were skipped for each reason, most first; `failed` is one of the reasons."""
        return dict(Counter("failed" if each.failed else each.why for each in self.skipped).most_common())

    @property
    def failed(self) -> bool:
        """Whether a file could not be added because of an error."""
        return any(each.failed for each in self.skipped)


def _no_report(done: int, total: int, path: Path) -> None:
    """Do not report progress."""


def add(
    ctx: Context,
    given: Sequence[Path],
    type_: str | None = None,
    report: Report = _no_report,
    pause: Callable[[], None] = no_pause,
    *,
    prune: bool = False,
) -> Added:
    """Store files, and those of directories that git does not ignore, as documents; each file is one transaction.

    Unchanged documents are not touched; `pause` is called after each write. A file given by its own path is added even
    if git ignores it. Secrets are redacted and noted in `ctx.call.redacted`. The type is `type_`, else `code` for files
    that are not prose. With `prune`, documents of the given directories whose files were deleted are moved to the
    trash. Raises InvalidInput for a path that does not exist, before anything is stored.
    """
    if type_ is not None:
        type_, _ = admit(type_, "the type")
        if is_blank(type_):
            raise InvalidInput(f"the type must have at least one visible character, got {type_!r}; leave it out")
    paths, skipped = _files(given)
    done = Added(skipped=skipped, pruned=prune)
    known = _digests(ctx)
    name_of = _Names(ctx)
    for number, path in enumerate(paths):
        ctx.call.stop_if_cancelled()
        report(number, len(paths), path)
        text = files.text_of(path, LONGEST)
        if isinstance(text, Skipped):
            done.skipped.append(text)
            continue
        try:
            name, _ = admit(name_of(path), "the name of a file")
            if known.get(name) == insert.content_hash(text):
                done.unchanged += 1
                continue
            _store(ctx, NewDocument(name, text, type_ or _type_of(name)), done)
        except InvalidInput as error:
            done.skipped.append(Skipped(path, str(error), failed=True))
            continue
        pause()
    for name, id_ in _of_deleted_files(ctx, given, known, name_of):
        ctx.call.stop_if_cancelled()
        if not prune or documents.delete(ctx, id_):
            done.orphaned.append(name)
            pause()
    return done


def _of_deleted_files(
    ctx: Context, given: Sequence[Path], known: Iterable[str], name_of: "_Names"
) -> list[tuple[str, int]]:
    """Return (name, row id) of the documents of the given directories whose files were deleted."""
    directories = [Path(os.path.realpath(path)) for path in given if path.is_dir()]
    orphaned = [name for name in known if any(_is_deleted(name_of.paths(name, each), each) for each in directories)]
    with ctx.store.read() as tx:
        own = ctx.scope(tx).own
        found = [documents.named(ctx, tx, name, own) for name in orphaned]
    return [(each.label, each.id) for each in found if each is not None and each.metadata.get("origin") == ORIGIN]


def _is_deleted(paths: Sequence[str], directory: Path) -> bool:
    """Return whether the first path lies in a directory and none of the paths exists; False if that is uncertain."""
    return paths[0].startswith(os.path.join(directory, "")) and not any(map(_may_be_there, paths))


def _may_be_there(path: str) -> bool:
    try:
        os.lstat(path)
    except (FileNotFoundError, NotADirectoryError):
        return False
    except OSError:
        return True
    return True


def _store(ctx: Context, new: NewDocument, done: Added) -> None:
    content, findings = admit(new.content, new.file_name)
    ctx.call.redacted.extend(findings)
    answer = documents.store(ctx, NewDocument(new.file_name, content, new.type, origin=ORIGIN))
    if answer["status"] == "duplicate":  # but for its secrets, which are not stored
        done.unchanged += 1
    elif answer["created"]:
        done.new += 1
    else:
        done.changed += 1


def _type_of(name: str) -> str:
    return CODE if chunking.syntax_of(name) == "code" else documents.TYPE


def _files(given: Sequence[Path]) -> tuple[list[Path], list[Skipped]]:
    """Return the files of the given paths, and the skipped ones in directories, each once."""
    for path in given:
        if not os.path.exists(path):
            raise InvalidInput(f"{str(path)!r} does not exist; give files or directories that exist")
    found: dict[Path | Skipped, None] = {}
    for path in given:
        real = Path(os.path.realpath(path))
        found.update(dict.fromkeys(files.files(real) if real.is_dir() else [real]))
    return [each for each in found if isinstance(each, Path)], [each for each in found if isinstance(each, Skipped)]


def _digests(ctx: Context) -> dict[str, str]:
    """The content hashes of the project's documents, by name."""
    with ctx.store.read() as tx:
        own = ctx.scope(tx).own
        found = stored.digests(tx)
        same = {own} | (ctx.scope(tx).of_project(own, {namespace for namespace, _ in found}) if own else set())
    return {name: digest for (namespace, name), digest in found.items() if namespace in same}


class _Names:
    """Names files by their paths in the project, equal in all of its worktrees and clones, else by absolute paths."""

    def __init__(self, ctx: Context) -> None:
        self._own = ctx.session.location
        self._home = ctx.settings.home
        self._tops: dict[Path, Path | None] = {}

    def __call__(self, path: Path) -> str:
        top = self._top(path.parent)
        return (path if top is None else path.relative_to(top)).as_posix()

    def paths(self, name: str, directory: Path) -> list[str]:
        """Return the paths that a name may stand for: in the worktree or clone of a directory, and in the project."""
        tops = [self._top(directory) or "", self._own.path if self._own is not None else ""]
        return [os.path.normpath(os.path.join(top, name)) for top in tops]

    def _top(self, directory: Path) -> Path | None:
        if directory not in self._tops:
            self._tops[directory] = self._found_top(directory)
        return self._tops[directory]

    def _found_top(self, directory: Path) -> Path | None:
        """Return the directory to which the names of a directory's files are relative, None if they are absolute."""
        if self._own is None:
            return None
        top = files.repository_top(directory)
        if top is not None and _is_same(locate(None, {}, top, self._home), self._own):
            return top
        return Path(self._own.path) if directory.is_relative_to(self._own.path) else None


def _is_same(location: Location | None, own: Location) -> bool:
    if location is None:
        return False
    return without_secrets(location).path == own.path or (own.origin is not None and location.origin == own.origin)
