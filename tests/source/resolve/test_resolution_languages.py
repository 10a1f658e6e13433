"""What refers to what, in small codebases of each language."""

import pytest

from code_edges_of import edges, edges_of, index
from indelible.source.resolve.outlines import pack, unpack


def check(files, expected, **places):
    """The edges are those that are listed, one a line, and no others."""
    found = edges(files, **places)
    wanted = {line.strip() for line in expected.strip().splitlines()}
    assert (set(found) - wanted, wanted - set(found)) == (set(), set())


PYTHON = {
    "what a file defines": (
        {
            "a.py": """
def helper(): pass
class A:
    def run(self):
        helper()
        self.other()
        unknown()
        def inner(): pass
        inner()
    def other(self): pass
    @classmethod
    def made(cls): return cls.other(cls())
""",
        },
        """
        a.A.run CALLS a.helper
        a.A.run CALLS a.A.other
        a.A.run CALLS a.A.run.inner
        a.A.made CALLS a.A.other
        a.A.made CALLS a.A
        """,
    ),
    "imports": (
        {
            "p/__init__.py": "from .core import Store as Keep\nfrom . import core\nfrom .names import *\n",
            "p/core.py": "class Store:\n    def put(self): pass\ndef _hidden(): pass\n",
            "p/names.py": "def shout(): pass\ndef _whisper(): pass\n",
            "p/sub/__init__.py": "",
            "p/sub/deep.py": "from ..core import Store\nfrom ... import gone\nfrom .. import core as c\n"
            "def f():\n    Store()\n    c.Store()\n",
            "q.py": "import os, p, p.sub.deep as d\nimport p.core\nfrom p import Keep, shout\n"
            "def g():\n    Keep().put()\n    p.core.Store()\n    d.f()\n    shout()\n    p._whisper()\n    os.path()\n",
        },
        """
        p/__init__.py IMPORTS p.core.Store
        p/__init__.py IMPORTS p/core.py
        p/__init__.py IMPORTS p/names.py
        p/sub/deep.py IMPORTS p.core.Store
        p/sub/deep.py IMPORTS p/core.py
        p.sub.deep.f CALLS p.core.Store
        q.py IMPORTS p/__init__.py
        q.py IMPORTS p/sub/deep.py
        q.py IMPORTS p/core.py
        q.py IMPORTS p.core.Store
        q.py IMPORTS p.names.shout
        q.g CALLS p.core.Store
        q.g CALLS p.core.Store.put
        q.g CALLS p.sub.deep.f
        q.g CALLS p.names.shout
        """,
    ),
    "bases": (
        {
            "base.py": "class Base:\n    def save(self): pass\n    def load(self): pass\n"
            "class Mixin:\n    def load(self): pass\n",
            "own.py": "import base\nfrom base import Mixin\nclass Own(Mixin, base.Base):\n"
            "    def save(self):\n        super().save()\n        self.load()\n        super().nothing()\n",
        },
        """
        own.py IMPORTS base.py
        own.py IMPORTS base.Mixin
        own.Own INHERITS base.Mixin
        own.Own INHERITS base.Base
        own.Own.save CALLS base.Base.save
        own.Own.save CALLS base.Mixin.load
        """,
    ),
    "hidden names": (
        {
            "a.py": """
def run(): pass
def call(): pass
class C:
    def call(self): pass
    def f(self, run):
        run()
        call()
    def g(self):
        from elsewhere import run
        run()
""",
        },
        "a.C.f CALLS a.call",
    ),
    "rings": (
        {
            "a.py": "from b import x\nfrom b import *\nclass A(A): pass\nx()\n",
            "b.py": "from a import x\nfrom a import *\n",
        },
        """
        a.py IMPORTS b.py
        b.py IMPORTS a.py
        """,
    ),
    "types that are written": (
        {
            "store.py": "class Store:\n    def put(self): pass\n    def get(self): pass\ndef opened() -> Store: pass\n",
            "use.py": """
from store import Store, opened
import store
class User:
    def __init__(self, kept: Store):
        self.kept = kept
        self.own = Store()
    def run(self, other: store.Store):
        self.own.put()
        other.get()
        here = Store()
        here.put()
        opened().get()
        either = Store()
        either = 3 or opened
        unknown.put()
""",
        },
        """
        use.py IMPORTS store.Store
        use.py IMPORTS store.opened
        use.py IMPORTS store.py
        use.User.__init__ CALLS store.Store
        use.User.run CALLS store.Store
        use.User.run CALLS store.Store.put
        use.User.run CALLS store.Store.get
        use.User.run CALLS store.opened
        """,
    ),
}


@pytest.mark.parametrize(("files", "expected"), PYTHON.values(), ids=PYTHON)
def test_python(files, expected):
    check(files, expected)


def test_typescript_and_javascript():
    check(
        {
            "src/store.ts": (
                "export class Store { put() { this.flush(); } flush() {} }\nexport function open(): "
                "Store {}\nfunction hidden() {}"
            ),
            "src/index.ts": "export { Store as Keep, open } from './store';\nexport * from './more';",
            "src/more.js": "export function shout() { whisper(); }\nfunction whisper() {}",
            "src/only.tsx": "export default function Panel() { return 1; }",
            "app/main.ts": "import { Keep, shout, open } from '../src';\nimport * as s from '../src/store.js';\n"
            "import Panel from '../src/only';\nimport fs from 'fs';\n"
            "class Own extends Keep { run() { super.put(); this.flush(); new Keep(); shout(); "
            "s.open().put(); Panel(); fs.x(); s.nothing(); } }",
            "old.js": (
                "const { shout } = require('./src/more');\nconst m = require('./src/more');\nfunction "
                "f() { shout(); m.shout(); }"
            ),
            "web/a.ts": (
                "import { open } from '@acme/core';\nimport { shout } from '@acme/core/more';\nopen(); shout();"
            ),
        },
        """
        src/store.Store.put CALLS src/store.Store.flush
        src/index.ts IMPORTS src/store.Store
        src/index.ts IMPORTS src/store.open
        src/index.ts IMPORTS src/more.js
        src/more.shout CALLS src/more.whisper
        app/main.ts IMPORTS src/store.Store
        app/main.ts IMPORTS src/more.shout
        app/main.ts IMPORTS src/store.open
        app/main.ts IMPORTS src/store.ts
        app/main.ts IMPORTS src/only.Panel
        app/main.Own INHERITS src/store.Store
        app/main.Own.run CALLS src/store.Store.put
        app/main.Own.run CALLS src/store.Store.flush
        app/main.Own.run CALLS src/store.Store
        app/main.Own.run CALLS src/more.shout
        app/main.Own.run CALLS src/store.open
        app/main.Own.run CALLS src/only.Panel
        old.js IMPORTS src/more.shout
        old.js IMPORTS src/more.js
        old.f CALLS src/more.shout
        web/a.ts IMPORTS src/store.open
        web/a.ts IMPORTS src/more.shout
        web/a.ts CALLS src/store.open
        web/a.ts CALLS src/more.shout
        """,
        npm_packages={"@acme/core": ""},
    )


def test_rust():
    check(
        {
            "Cargo.toml": "tool",
            "src/lib.rs": "pub mod db;\nmod util;\npub use db::Store;\nuse crate::util::{self, help as h, deep::*};\n"
            "pub fn run() { h(); util::help(); below(); Store::open().put(); crate::db::free(); "
            "std::mem::drop(1); say!(); }\n"
            "macro_rules! say { () => {} }",
            "src/db.rs": "use super::util::help;\npub struct Store {}\npub trait Keep { fn keep(&self) { "
            "self.put(); } fn put(&self); }\n"
            "impl Store { pub fn open() -> Result<Self, E> { Self::fresh() } fn fresh() -> Self { "
            "free(); help(); Store {} } }\n"
            "impl Keep for Store { fn put(&self) { self.keep(); } }\npub fn free() {}",
            "src/util/mod.rs": (
                "pub mod deep;\npub fn help() { self::deep::below(); inner::f(); }\nmod inner { pub fn "
                "f() { super::help(); } }"
            ),
            "src/util/deep.rs": "pub fn below() { super::super::run(); }",
        },
        """
        src/lib.rs IMPORTS src/db.rs
        src/lib.rs IMPORTS src/util/mod.rs
        src/lib.rs IMPORTS src/util/deep.rs
        src/lib.rs IMPORTS tool::db::Store
        src/lib.rs IMPORTS tool::util::help
        tool::run CALLS tool::util::help
        tool::run CALLS tool::util::deep::below
        tool::run CALLS tool::db::Store::open
        tool::run CALLS tool::db::Store::put
        tool::run CALLS tool::db::free
        tool::run CALLS tool::say
        src/db.rs IMPORTS tool::util::help
        tool::db::Store IMPLEMENTS tool::db::Keep
        tool::db::Keep::keep CALLS tool::db::Keep::put
        tool::db::Store::open CALLS tool::db::Store::fresh
        tool::db::Store::fresh CALLS tool::db::free
        tool::db::Store::fresh CALLS tool::util::help
        tool::db::Store::fresh CALLS tool::db::Store
        tool::db::Store::put CALLS tool::db::Keep::keep
        src/util/mod.rs IMPORTS src/util/deep.rs
        tool::util::help CALLS tool::util::deep::below
        tool::util::help CALLS tool::util::inner::f
        tool::util::inner::f CALLS tool::util::help
        tool::util::deep::below CALLS tool::run
        """,
    )


def test_go():
    check(
        {
            "main.go": 'package main\nimport (\n"errors"\n"example.com/tool/internal/db"\nu '
            '"example.com/tool/util"\n)\n'
            "func main() { s := db.Open(); u.Help(); errors.New(); local() }",
            "more.go": "package main\nfunc local() {}",
            "internal/db/db.go": "package db\ntype Base struct{}\nfunc (b *Base) Close() {}\n"
            "type Store struct { Base }\n"
            "func Open() *Store { return &Store{} }",
            "internal/db/more.go": (
                "package db\nfunc (s *Store) Put() { check() }\nfunc check() { Open().Put(); Open().Close() }"
            ),
            "util/util.go": "package util\nfunc Help() {}",
            "errors/errors.go": "package errors\nfunc New() {}",
        },
        """
        main.go IMPORTS internal/db/db.go
        main.go IMPORTS util/util.go
        main.main CALLS db.Open
        main.main CALLS util.Help
        main.main CALLS main.local
        db.Store INHERITS db.Base
        db.Open CALLS db.Store
        db.Store.Put CALLS db.check
        db.check CALLS db.Open
        db.check CALLS db.Store.Put
        db.check CALLS db.Base.Close
        """,
    )


def test_java():
    check(
        {
            "a/Base.java": "package a; public class Base { void save() { log(); } static void log() {} }",
            "a/Keeps.java": "package a; public interface Keeps extends More { }  interface More { void keep(); }",
            "a/b/Own.java": "package a.b; import a.Base; import a.*; import static a.Base.log;\n"
            "class Own extends Base implements Keeps { void run() { save(); this.save(); "
            "super.save(); log(); Base.log(); "
            "new Own().save(); new Beside().go(); Outer.nothing(); } }",
            "a/b/Beside.java": (
                "package a.b; class Beside { Beside() {} void go() { new Inner().x(); } class Inner { "
                "void x() { go(); } } }"
            ),
        },
        """
        a.Base.save CALLS a.Base.log
        a.Keeps EXTENDS a.More
        a/b/Own.java IMPORTS a.Base
        a/b/Own.java IMPORTS a/Base.java
        a/b/Own.java IMPORTS a/Keeps.java
        a/b/Own.java IMPORTS a.Base.log
        a.b.Own INHERITS a.Base
        a.b.Own IMPLEMENTS a.Keeps
        a.b.Own.run CALLS a.Base.save
        a.b.Own.run CALLS a.Base.log
        a.b.Own.run CALLS a.b.Own
        a.b.Own.run CALLS a.b.Beside
        a.b.Own.run CALLS a.b.Beside.go
        a.b.Beside.go CALLS a.b.Beside.Inner
        a.b.Beside.go CALLS a.b.Beside.Inner.x
        a.b.Beside.Inner.x CALLS a.b.Beside.go
        """,
    )


def test_bases_of_cpp_are_found_in_the_namespaces_around():
    check(
        {
            "a.h": "namespace out { struct A { void run(); }; namespace in { struct C {}; } }",
            "b.h": '#include "a.h"\nnamespace out { struct B : A { void go() { run(); } };\n'
            "namespace deep { class D : public A, in::C { struct E : B {}; }; } }\nstruct F : A {};",
        },
        """
        b.h IMPORTS a.h
        out::B INHERITS out::A
        out::B::go CALLS out::A::run
        out::deep::D INHERITS out::A
        out::deep::D INHERITS out::in::C
        out::deep::D::E INHERITS out::B
        """,
    )


def test_a_property_of_a_constructors_parameter_has_its_type():
    check(
        {
            "db.ts": "export class Db { query() {} }",
            "a.ts": 'import { Db } from "./db";\n'
            "export class A { constructor(private readonly db: Db) {} run() { this.db.query(); } }",
        },
        """
        a.ts IMPORTS db.Db
        a.A.run CALLS db.Db.query
        """,
    )


def test_c_and_cpp():
    check(
        {
            "inc/db.h": "int db_open(void);\n#define LOUD(x) x\nstruct db { int a; };",
            "src/db.c": (
                '#include "db.h"\nstatic int help(void) { return 1; }\nint db_open(void) { return help() + LOUD(2); }'
            ),
            "src/main.c": (
                '#include "../inc/db.h"\n#include <stdio.h>\nint far(void);\nint main(void) { '
                'printf("x"); help(); LOUD(1); far_away(); return db_open(); }'
            ),
            "src/test.cc": "class Suite { void db_open(); };\nTEST_F(Suite, x) { db_open(); }",
            "src/far.c": "int far_away(void) { return 0; }\nstatic int help(void) { return 2; }",
            "cpp/store.hpp": (
                "namespace n { class Base { public: void close(); }; class Store : public Base { public: "
                "void put(); static Store make(); }; void free_one(); }"
            ),
            "cpp/store.cpp": (
                '#include "store.hpp"\nnamespace n { void Store::put() { close(); this->close(); '
                "free_one(); } void Base::close() {} }\nvoid n::free_one() {}"
            ),
            "cpp/use.cpp": (
                '#include "store.hpp"\nusing namespace n;\nvoid go() { n::free_one(); free_one(); '
                "Store::make().put(); auto s = new Store(); std::move(1); }"
            ),
        },
        """
        src/db.c IMPORTS inc/db.h
        db_open CALLS help
        db_open CALLS LOUD
        src/main.c IMPORTS inc/db.h
        main CALLS LOUD
        main CALLS far_away
        main CALLS db_open
        n::Store INHERITS n::Base
        cpp/store.cpp IMPORTS cpp/store.hpp
        n::Store::put CALLS n::Base::close
        n::Store::put CALLS n::free_one
        cpp/use.cpp IMPORTS cpp/store.hpp
        go CALLS n::free_one
        go CALLS n::Store::make
        go CALLS n::Store::put
        go CALLS n::Store
        """,
    )


@pytest.mark.parametrize("files", [files for files, _ in PYTHON.values()], ids=PYTHON)
def test_the_outlines_of_all_other_files_are_enough_to_resolve_one(files):
    whole = index(files)
    for path in files:
        others = index(files)
        for other in files:
            if other != path:
                others.put(other, unpack(pack(whole.files[other].parsed)))
        assert edges_of(others, path) == edges_of(whole, path)
