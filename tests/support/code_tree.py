"""A small tree of source in eight languages, and what an index has of it."""

from pathlib import Path

from indelible.core.context.context import Context, open_context
from indelible.settings import Settings
from indelible.store.tables import edges, source_files, symbols
from indelible.toolsets.code import index as code_index
from indelible.toolsets.code.index import Indexed

FILES = {
    "pyproject.toml": '[project]\nname = "shop"\n',
    "shop/__init__.py": "from shop.store import Store\n",
    "shop/store.py": (
        "class Base:\n    def load(self): return read()\n\n"
        "class Store(Base):\n    def save(self): self.load()\n\ndef read() -> Store: pass\n"
    ),
    "shop/use.py": (
        "from shop import Store\nfrom .store import read\n\n"
        "def go():\n    s = Store()\n    s.save()\n    read().load()\n"
    ),
    "web/index.ts": "import { Cart } from './cart';\nexport function start() { new Cart().add(1); }\n",
    "web/cart.ts": (
        "export class Cart {\n  add(n: number) { return total(n); }\n}\nexport function total(n) { return n; }\n"
    ),
    "src/lib.rs": "mod shape;\npub trait Area { fn area(&self) -> f64; }\n",
    "src/shape.rs": (
        "pub struct Square { pub a: f64 }\nimpl Square { pub fn new() -> Square { side() } }\n"
        "fn side() -> Square { todo!() }\n"
    ),
    "src/impls.rs": (
        "use crate::shape::Square;\nuse crate::Area;\nimpl Area for Square { fn area(&self) -> f64 { 1.0 } }\n"
    ),
    "go.mod": "module example.org/shop\n",
    "pay/pay.go": "package pay\n\ntype Card struct{}\n\nfunc (c *Card) Charge() { log() }\n\nfunc log() {}\n",
    "pay/more.go": "package pay\n\nfunc All(c *Card) { c.Charge() }\n",
    "c/a.h": "int count(int n);\n",
    "c/a.c": '#include "a.h"\nint count(int n) { return n; }\n',
    "c/b.c": '#include "a.h"\nint twice(int n) { return count(n) + count(n); }\n',
    "j/A.java": "package j;\npublic class A { void run() { new B().stop(); } }\n",
    "j/B.java": "package j;\npublic class B { void stop() {} }\n",
}


class Tree:
    """A directory of files, and stores that it is indexed into."""

    def __init__(self, folder: Path) -> None:
        self.folder, self.root = folder, folder / "tree"
        self.root.mkdir(parents=True)
        self.contexts: list[Context] = []

    def write(self, files: dict[str, str]) -> None:
        for path, text in files.items():
            file = self.root / path
            file.parent.mkdir(parents=True, exist_ok=True)
            file.write_text(text, encoding="utf-8")

    def open(self, name: str = "data") -> Context:
        home = self.folder / "home"
        self.contexts.append(open_context(Settings(data=self.folder / name, start=self.folder, home=home)))
        return self.contexts[-1]

    def index(self, ctx: Context, **how: object) -> Indexed:
        return code_index.index(ctx, self.root, **how)  # type: ignore[arg-type]

    def close(self) -> None:
        for ctx in self.contexts:
            ctx.close()


def stored(ctx: Context, found: Indexed) -> tuple[set[str], set[str]]:
    """The symbols and the edges of a codebase, by path and name."""
    with ctx.store.read() as tx:
        files = source_files.of_repository(tx, found.repository)
        there = [each for each in symbols.of_files(tx, [file.record for file in files]) if not each.row.gone]
        names = {file.record: file.path for file in files if file.hash}
        shown = {
            f"{each.path} {each.kind} {each.row.qualified_name} {each.row.signature} {each.row.line} {each.row.places}"
            for each in there
        }
        names |= {each.row.record: f"{each.path}:{each.row.qualified_name}" for each in there}
        related = {
            f"{names[edge.source]} {edge.relation} {names[edge.target]} {edge.weight:.2f} {edge.metadata}"
            for edge in edges.of_index(tx, names)
        }
    return shown | {f"{file.path} {file.hash} {file.resolved}" for file in files if file.hash}, related
