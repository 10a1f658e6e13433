"""Source code in a store as a run of the index leaves it there, without any source."""

from collections.abc import Iterable, Mapping

from indelible.api import Memory
from indelible.model import Record
from indelible.store.tables import records, repositories, source_files, symbols
from indelible.store.tables.source_files import FileRow
from indelible.store.tables.symbols import SymbolRow
from indelible.toolsets.code import links

Files = Mapping[str, Iterable[str]]  # path: the qualified names in it; one that ends with `()` is a test


class Codebase:
    """One codebase of a project."""

    def __init__(self, memory: Memory, namespace: str, root: str = "/home/me/app", folder: str = ""):
        self._ctx = memory.context
        self._namespace = namespace
        self.ids: dict[str, int] = {}  # by path or qualified name
        self._repository = self._ctx.store.write(lambda tx: repositories.find_or_add(tx, namespace, folder, root).id)

    def add(self, files: Files) -> None:
        """Write files with their symbols, and what an index does at the end of its run."""
        self.write(files)
        links.after_index(self._ctx)

    def write(self, files: Files) -> None:
        """The same as far as a run comes that is killed before its end."""
        for path, names in files.items():
            file = self._record("file", f"file:{path}", path, {})
            row = FileRow(file, path, "python", "h", 1, 1, 1, b"", b"")
            self._ctx.store.write(lambda tx, row=row: source_files.put_many(tx, self._repository, [row]))
            for name in names:
                self.put(name, path)

    def put(self, name: str, path: str) -> None:
        """Write a symbol; one that is there stays the same record, whatever it was called or said to be gone."""
        is_test, name = name.endswith("()"), name.removesuffix("()")
        record = self.ids.get(name) or self._record("symbol", f"sym:{name}@{path}", name, {"file_path": path})
        self.ids[name] = record
        self._row(record, name, path, is_test=is_test)

    def rename(self, old: str, new: str, path: str) -> None:
        """The same symbol under another name, perhaps in another file."""
        record = self.ids[new] = self.ids.pop(old)
        self._ctx.store.write(lambda tx: records.rekey_many(tx, {record: f"sym:{new}@{path}"}))
        self._row(record, new, path)
        links.after_index(self._ctx, changed=[record])

    def lose(self, *names: str) -> None:
        """Symbols go from the source; what something is linked to is kept."""
        ids = [self.ids[name] for name in names]
        self._ctx.store.write(lambda tx: symbols.mark_deleted(tx, ids, self._ctx.now()))
        links.after_index(self._ctx, removed=ids)

    def find_again(self, name: str, path: str) -> None:
        """A symbol is there again."""
        self._row(self.ids[name], name, path)
        links.after_index(self._ctx, changed=[self.ids[name]])

    def move(self, old: str, new: str) -> None:
        """A file gets another path."""
        record = self.ids[new] = self.ids.pop(old)

        def work(tx):
            source_files.move(tx, self._repository, {record: new})
            records.rekey_many(tx, {record: f"file:{new}"})

        self._ctx.store.write(work)
        links.after_index(self._ctx, changed=[record])

    def _record(self, kind: str, key: str, label: str, metadata: dict[str, str]) -> int:
        now = self._ctx.now()
        record = Record(
            *(key, kind, label, now, now),
            namespace=self._namespace,
            type="function" if kind == "symbol" else "",
            label=label,
            metadata=metadata,
        )
        (self.ids[label],) = self._ctx.store.write(lambda tx: records.add_many(tx, [record]))
        return self.ids[label]

    def _row(self, record: int, name: str, path: str, is_test: bool = False) -> None:
        last = name.replace("::", ".").replace("/", ".").rpartition(".")[2]
        row = SymbolRow(record, self.ids[path], last, name, is_test=is_test)
        self._ctx.store.write(lambda tx: symbols.put_many(tx, [row]))
