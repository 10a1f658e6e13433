"""One run of the index over a codebase: which files are parsed, what is written, and in which order."""

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence

from indelible.core.context.context import Context
from indelible.sanitize.redact import Finding
from indelible.source import indexing, source
from indelible.source.indexing import AGAIN, GONE, NEW, SAME, SKIPPED, Project, Read, Wanted
from indelible.source.resolve.affected import Changes, affected
from indelible.source.resolve.outlines import Names, module_in, references_in, unpack
from indelible.source.source import Found as FoundFile
from indelible.source.source import Scan
from indelible.store.tables import source_files
from indelible.store.tables.source_files import SourceFile
from indelible.toolsets.code import moves, package_graph
from indelible.toolsets.code.edge_writer import CodeRelater
from indelible.toolsets.code.roots import Codebase
from indelible.toolsets.code.workers import CRASHES, IN_PLACE, Edges, Outline, Ready, workers
from indelible.toolsets.code.writer import CodeWriter, Written

Report = Callable[[int, int | None, str], None]  # numbers of finished and of all steps, and the next step

READING, RELATING = "reading", "relating"
SPOKEN_OF = (".rs",)  # of what these define other files say something, see `affected`
NAMED, OTHERS = 20, "other files"  # so many files are named of which secrets were redacted
TOGETHER = 500  # outlines that are read from the store at a time


class Run:
    """One run. After `run` its figures are those of the codebase."""

    def __init__(
        self,
        ctx: Context,
        codebase: Codebase,
        scan: Scan,
        ready: Ready,
        report: Report,
        pause: Callable[[], None],
        meanwhile: Callable[[], object],
        *,
        everything: bool,
    ) -> None:
        self._ctx, self._codebase, self.scan, self._report, self._pause = ctx, codebase, scan, report, pause
        self._ready, self._meanwhile = ready, meanwhile
        with ctx.store.read() as tx:
            found = source_files.of_repository(tx, codebase.repository.id)
        self._manifests = [file for file in found if file.language == package_graph.MANIFEST]
        stored = [file for file in found if file.language != package_graph.MANIFEST]
        unread = {file.path: file for file in stored if not file.hash}
        self._kept_removed = {path: file for path, file in unread.items() if file.resolved}  # held by what is no code
        self._salvaged = {path: file for path, file in unread.items() if not file.resolved}
        self._known = {file.path: file for file in stored if file.hash}
        self._all_again = everything or codebase.repository.version not in (0, indexing.VERSION)
        self._names: dict[str, bytes] = {}
        self._fresh: dict[str, Read] = {}  # what was written, without its rows
        self._progress = 0
        self._writer = CodeWriter(ctx, codebase, found, pause)
        self._removed: dict[str, SourceFile] = {}
        self._moved: set[str] = set()  # new paths
        self._apart = False  # whether a file is read that crashed its parser before
        complete = codebase.repository.indexed > 0 and all(file.resolved for file in self._known.values())
        self.resumed = bool(self._known) and not complete
        self.skipped = Counter(scan.skipped)
        self._with_secrets: set[str] = set()
        self.crashing: dict[str, str] = {}  # path and hash of the files that crash their parser
        self.references = 0
        self.languages: dict[str, int] = {}
        self.wrote = codebase.repository.indexed == 0 or "symbols" not in codebase.repository.summary

    @property
    def done(self) -> Written:
        """The records that were written."""
        return self._writer.done

    @property
    def files(self) -> list[int]:
        """The records of the files that were new or had changed."""
        return [self.done.file_ids[path] for path in self._fresh if path in self.done.file_ids]

    @property
    def parsed(self) -> int:
        """How many files were new or had changed."""
        return len(self._fresh)

    @property
    def removed(self) -> int:
        """How many files were deleted from the index."""
        return len(self._removed)

    @property
    def edges(self) -> int:
        """How many more edges there are than before, without those of containment."""
        return self._writer.done.edges

    def run(self) -> None:
        """Run the index. Raises Cancelled between two transactions, and StoreError."""
        wanted = self._wanted()
        stored = {**self._known, **self._salvaged}
        self._removed = {path: file for path, file in stored.items() if not self._exists(path)}
        self._pause()
        self._leave_out_crashing(wanted)
        if len(wanted) > IN_PLACE:
            self._leave_out_touched(wanted)
        if len(wanted) > IN_PLACE:
            self._large(wanted)
        elif wanted or self._removed:
            self._small(wanted)
        moves.forget_unheld(self._ctx, self._codebase, self._writer.done, self._unheld(), self._pause)
        package_graph.relate(self._ctx, self._codebase, self._writer, self._manifests, self._pause)
        self._count()

    def _unheld(self) -> list[SourceFile]:
        """Return the removed files that were kept because of relations, which are checked again."""
        return [file for path, file in self._kept_removed.items() if path not in self.scan.files]

    # --- What is to be read ---

    def _wanted(self) -> dict[str, Wanted]:
        """Return the files that may have changed, and those whose edges must be resolved again, by path."""
        summary = self._codebase.repository.summary
        moved_layout = bool(self._known) and summary.get("layout") != self.scan.layout_digest
        other_names = self._renamed() if moved_layout else set()
        relate_all = bool(self._known) and summary.get("manifests") != self.scan.manifests
        wanted = {}
        for path, found in self.scan.files.items():
            file = self._known.get(path)
            if file is None or self._all_again or path in other_names:
                wanted[path] = Wanted(path, "", True)
            elif not file.resolved or relate_all:
                wanted[path] = Wanted(path, file.hash, True)
            elif (file.size, file.modified) != (found.size, found.modified):
                wanted[path] = Wanted(path, file.hash, False)
        return wanted

    def _leave_out_crashing(self, wanted: dict[str, Wanted]) -> None:
        """Leave out files that crashed their parser and have not changed since."""
        before: dict[str, str] = self._codebase.repository.summary.get("crashing", {})
        for path in wanted.keys() & before.keys():
            body = source.read(self._codebase.root, path)
            if isinstance(body, bytes) and indexing.hash_of(body) == before[path] and not self._all_again:
                del wanted[path]
                self.crashing[path] = before[path]
                self.skipped[CRASHES] += 1
            else:
                self._apart = True

    def _leave_out_touched(self, wanted: dict[str, Wanted]) -> None:
        """Leave out files of which only the time is another: where many are read, all files are parsed."""
        touched = {}
        for path in [path for path, each in wanted.items() if each.hash and not each.resolve]:
            body = source.read(self._codebase.root, path)
            if isinstance(body, bytes) and indexing.hash_of(body) == wanted[path].hash:
                del wanted[path]
                touched[self._known[path].record] = indexing.modified(self._codebase.root, path)
        self._touch(touched)

    def _touch(self, touched: Mapping[int, int]) -> None:
        """Note the times of files, by record."""
        if touched:
            self._ctx.store.write(lambda tx: source_files.touch_many(tx, touched))

    def _renamed(self) -> set[str]:
        """Return the files whose qualified names have a new prefix: a package or crate was added, removed or moved."""
        self._load_names()
        layout = self.scan.layout
        found = set()
        for path, file in self._known.items():
            module = indexing.module_of(path, file.language, layout)
            if module is not None and path in self._names and module != module_in(self._names[path]):
                found.add(path)
        return found

    def _load_names(self) -> None:
        if not self._names:
            with self._ctx.store.read() as tx:
                found = source_files.lookups(tx, self._codebase.repository.id)
            self._names = {each.path: each.looked_up for each in found if each.looked_up}

    def _project(self) -> Project:
        scan = self.scan
        return Project(
            str(self._codebase.root),
            scan.packages,
            dict(scan.crates),
            dict(scan.go_modules),
            dict(scan.npm_packages),
        )

    # --- Many files ---

    def _large(self, wanted: Mapping[str, Wanted]) -> None:
        """Parse all files and state all relations anew; writing and parsing overlap."""
        known = [file.record for file in self._known.values()]
        if known:
            self._ctx.store.write(lambda tx: source_files.mark_unresolved(tx, known))
        again = {path: Wanted(path, file.hash, True) for path, file in self._known.items() if path in self.scan.files}
        asked = {**again, **{path: each._replace(resolve=True) for path, each in wanted.items()}}
        total = 2 * len(asked)
        edges: Iterator[list[Edges]] = iter(())
        with workers(self._project(), len(asked), self._ready) as pool:
            for reads, are_last in pool.read(self._sized(asked.values())):
                fresh = self._sorted_out(reads)
                if are_last:
                    edges = pool.edges(self._others())
                if self._removed:
                    self._writer.moved(self._moves(fresh))
                self._writer.store(fresh)
                self._report_steps(len(reads), total, READING)
            self._settle()
            self._meanwhile()
            self._relate(edges, frozenset(asked), total)

    # --- Few files ---

    def _small(self, wanted: Mapping[str, Wanted]) -> None:
        """Parse the files, then those whose edges they affect; nothing is written before all are parsed."""
        with workers(self._project(), len(wanted), self._ready, apart=self._apart) as here:
            reads = [read for batch, _ in here.read(self._sized(wanted.values())) for read in batch]
            fresh = self._sorted_out(reads)
            if not (self._removed or any(read.outcome in (NEW, AGAIN) for read in reads)):
                return  # only their times are others
            stated = {read.path for read in reads if read.outcome in (NEW, AGAIN)}
            again = self._affected(fresh, stated) - stated
            if len(wanted) + len(again) > IN_PLACE:
                self._widened(wanted, fresh, again)
                return
            others = {path: Wanted(path, self._known[path].hash, True) for path in again}
            more = [read for batch, _ in here.read(self._sized(others.values())) for read in batch]
            total = 2 * (len(reads) + len(more))
            self._write_small(fresh, again, total)
            again -= {read.path for read in more if read.outcome != AGAIN}  # changed meanwhile: the next run's
            self._relate(here.edges(self._others()), frozenset(stated | again), total)

    def _widened(self, wanted: Mapping[str, Wanted], fresh: Sequence[Read], again: set[str]) -> None:
        """Do the same where a few files affect the edges of many, which further processes parse."""
        hashes = {read.path: read.hash for read in fresh}
        asked = {path: each._replace(resolve=True) for path, each in wanted.items()}
        asked |= {path: Wanted(path, self._known[path].hash, True) for path in again}
        with workers(self._project(), len(asked), self._ready) as pool:
            reads = [read for batch, _ in pool.read(self._sized(asked.values())) for read in batch]
            kept = [r for r in reads if r.outcome != NEW or hashes.get(r.path) == r.hash]  # others changed meanwhile
            total = 2 * len(asked)
            self._fresh.clear()
            self._write_small(self._sorted_out([read for read in kept if read.outcome == NEW]), again, total)
            stated = frozenset(r.path for r in kept if r.outcome in (NEW, AGAIN))
            self._relate(pool.edges(self._others()), stated, total)

    def _write_small(self, fresh: Sequence[Read], again: Iterable[str], total: int) -> None:
        if self._removed:
            self._writer.moved(self._moves(fresh))
        self._writer.store(fresh, [self._known[path].record for path in again])
        self._report_steps(total // 2, total, RELATING)
        self._settle()

    def _affected(self, fresh: Sequence[Read], stated: set[str]) -> set[str]:
        """Return the unchanged files whose edges may have changed."""
        changes = Changes()
        before = [read.path for read in fresh if read.path in self._known]
        with self._ctx.store.read() as tx:
            repository = self._codebase.repository.id
            went = [path for path in self._removed if path in self._known]
            old = source_files.outlines(tx, repository, [*before, *went])
        for read in fresh:
            changes.add(read.path, unpack(old[read.path]) if read.path in old else None, unpack(read.outline))
        for path in self._removed:
            if path in old:
                changes.add(path, unpack(old[path]), None)
        came = [read for read in fresh if read.path not in self._known]
        spoken_of = any(path.endswith(SPOKEN_OF) for path in stated)
        if not (came or self._removed or changes or spoken_of):
            return set()
        self._load_names()
        names = {path: Names.unpack(packed) for path, packed in self._names.items() if path not in self._removed}
        names |= {read.path: Names.unpack(read.names) for read in fresh}
        if came or self._removed:
            changes.packages((module_in(packed) for packed in self._names.values()), (n.module for n in names.values()))
        return affected(changes, stated, names) & set(self._known)

    # --- What both do ---

    def _sized(self, wanted: Iterable[Wanted]) -> list[tuple[Wanted, int]]:
        nothing = FoundFile("", 0, 0)
        return [(each, self.scan.files.get(each.path, nothing).size) for each in wanted]

    def _sorted_out(self, reads: Sequence[Read]) -> list[Read]:
        """Return the files to write; notes those that are no longer source files, and those with only a new time."""
        touched = {}
        for read in reads:
            file = self._known.get(read.path)
            if read.outcome in (GONE, SKIPPED) and file is not None:
                self._removed[read.path] = file
            if read.outcome == SKIPPED:
                self.skipped[read.why] += 1
            if read.why == CRASHES:
                self.crashing[read.path] = read.hash
            if read.outcome in (SAME, AGAIN) and file is not None and read.modified != file.modified:
                touched[file.record] = read.modified
        self._touch(touched)
        fresh = [read for read in reads if read.outcome == NEW]
        for read in fresh:
            self._note_redacted(read)
        self._fresh.update((read.path, read._replace(rows=())) for read in fresh)
        return fresh

    def _note_redacted(self, read: Read) -> None:
        """Note the secrets redacted in a file: of the first files by path, of all others together."""
        if read.redacted:
            self._with_secrets.add(read.path)
            place = read.path if len(self._with_secrets) <= NAMED else OTHERS
            self._ctx.call.redacted.extend(Finding(rule, place, count) for rule, count in read.redacted)

    def _moves(self, fresh: Sequence[Read]) -> dict[str, SourceFile]:
        come = {read.path: read.hash for read in fresh if read.path not in self._known}
        come = {path: hash_ for path, hash_ in come.items() if path not in self._kept_removed | self._salvaged}
        found = moves.moved_files(list(self._removed.values()), come)
        for file in found.values():
            self._removed.pop(file.path, None)
        self._moved.update(found)
        return found

    def _settle(self) -> None:
        moves.settle(self._ctx, self._codebase, self._writer, list(self._removed.values()), self._pause)
        self.wrote = True

    def _relate(self, edges: Iterable[list[Edges]], stated: frozenset[str], total: int) -> None:
        fresh = stated - self._known.keys() - self._kept_removed.keys() - self._salvaged.keys() - self._moved
        relater = CodeRelater(self._ctx, self._codebase, self._writer.done, fresh, self._pause)
        for some in edges:
            relater.state(some)
            self._report_steps(len(some), total, RELATING)
        relater.finish()
        moves.forget(self._ctx, self._writer.done, self._writer.done.strangers, self._pause)

    def _others(self) -> Iterator[Outline]:
        """Yield the outlines of all files: those written by this run, and the stored ones."""
        for read in self._fresh.values():
            yield read.path, read.language, module_in(read.names), read.outline
        paths = [path for path in self._staying() if path not in self._fresh]
        if paths:
            self._load_names()
        for at in range(0, len(paths), TOGETHER):
            with self._ctx.store.read() as tx:
                repository = self._codebase.repository.id
                found = source_files.outlines(tx, repository, paths[at : at + TOGETHER])
            for path, outline in found.items():
                if path in self._names:
                    yield path, self._known[path].language, module_in(self._names[path]), outline

    def _staying(self) -> list[str]:
        """Return the paths of files that were stored before and still exist."""
        return [path for path in self._known if self._exists(path) and path not in self._removed]

    def _exists(self, path: str) -> bool:
        return path in self.scan.files or path in self.scan.left_out

    def _report_steps(self, steps: int, total: int, what: str) -> None:
        self._progress = min(total, self._progress + steps)
        self._report(self._progress, total, what)

    def _count(self) -> None:
        """Compute the figures of the codebase."""
        languages = {path: self._known[path].language for path in self._staying()}
        languages |= {path: read.language for path, read in self._fresh.items()}
        self.languages = dict(sorted(Counter(languages.values()).items(), key=lambda each: (-each[1], each[0])))
        if self.wrote:
            if len(self._fresh) < len(languages):
                self._load_names()
            names = [self._names[path] for path in languages if path not in self._fresh and path in self._names]
            names += [read.names for read in self._fresh.values()]
            self.references = sum(map(references_in, names))
