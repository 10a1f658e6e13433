"""Files and symbols in a store, written as the index of source code writes them, without any source."""

from __future__ import annotations

from typing import Any

from indelible.model import Record
from indelible.search import tokens
from indelible.store.database import Database, Transaction
from indelible.store.tables import records, repositories, source_files, terms
from indelible.store.tables import symbols as symbols_table
from indelible.store.tables.source_files import FileRow
from indelible.store.tables.symbols import SymbolRow, tail_of

PROJECT = "/shop"


class Code:
    """A codebase in a store, filled as the index fills it."""

    def __init__(self, db: Database, namespace: str = PROJECT) -> None:
        self.db, self.namespace = db, namespace
        self.files: dict[str, int] = {}
        place = (namespace, "", f"/home{namespace}")
        self.repository = db.write(lambda tx: repositories.find_or_add(tx, *place))

    def file(self, path: str, **fields: Any) -> int:
        """A file of the codebase; its record."""
        values: dict[str, Any] = {"language": "python", "hash": f"hash of {path}", "size": 9, "modified": 5, "lines": 3}
        values |= {"looked_up": b"\1\0\0\0", "outline": path.encode(), **fields}

        def work(tx: Transaction) -> int:
            (own,) = self.add(tx, [self.record(f"file:{path}", "file", path)])
            source_files.put_many(tx, self.repository.id, [FileRow(own, path, **values)])
            return own

        self.files[path] = self.db.write(work)
        return self.files[path]

    def symbols(
        self, path: str, *qualified_names: str, kind: str = "function", said: str = "", **fields: Any
    ) -> list[int]:
        """Symbols of a file, each on a line of its own; their records."""
        file = self.files.get(path) or self.file(path)

        def work(tx: Transaction) -> list[int]:
            made = [
                self.record(
                    f"sym:{name}@{path}", "symbol", f"def {name}{said}", type=kind, metadata={"file_path": path}
                )
                for name in qualified_names
            ]
            ids = self.add(tx, made)
            rows = [
                SymbolRow(id_, file, tail_of(name).split(".")[0], name, start_line=line, **fields)
                for line, (id_, name) in enumerate(zip(ids, qualified_names, strict=True), 1)
            ]
            symbols_table.put_many(tx, rows)
            return ids

        return self.db.write(work)

    def record(self, key: str, kind: str, text: str, **fields: Any) -> Record:
        """A record of the codebase that is not stored yet."""
        values: dict[str, Any] = {"namespace": self.namespace, **fields}
        return Record(key, kind, text, 10, 10, label=text, **values)

    def add(self, tx: Transaction, made: list[Record]) -> list[int]:
        """Store records, each with a word that it is found by."""
        ids = records.add_many(tx, made)
        terms.put_many(tx, terms.CODE_WORDS, [(i, 1, tokens.pack({1: 1})) for i in ids])
        return ids
