"""What is stored of source code: codebases, their files and symbols, and the names that these are found by."""

from dataclasses import replace

import pytest

from indelible.errors import Forbidden
from indelible.model import Edge
from indelible.store.namespace_filter import LimitedStore
from indelible.store.tables import edges, pending, records, repositories, source_files, symbol_names, symbols, terms
from indelible.store.tables.source_files import FileRow
from indelible.store.tables.symbols import SymbolRow, tail_of
from samples import edge, keep, link, record
from stored_code import PROJECT, Code

OTHER = "/other"


@pytest.fixture
def code(db):
    return Code(db)


def search(db, part, kinds=(), limit=20, namespaces=(PROJECT,)):
    with db.read() as tx:
        return [each.row.qualified_name for each in symbols.search_names(tx, part, namespaces, kinds, limit)]


def ending(db, name, limit=100, whole=False, namespaces=(PROJECT,)):
    with db.read() as tx:
        found, more = symbols.by_tail(tx, name, namespaces, limit, whole)
    return [each.row.qualified_name for each in found], more


def ask(db, function, *arguments, **named):
    with db.read() as tx:
        return function(tx, *arguments, **named)


# --- Records and relations by the thousand ---


def test_many_records_are_stored_as_each_alone_would_be(db):
    one, two = record("a", tags=("ключ", 'a "b"'), metadata={"деталь": [1, None, "\n"]}), record("б", namespace="/x")
    mixed = [one, two, record("s", kind="symbol", type="class", text="日本\t\\ 'x' \"y\" 🗄️", content_hash="")]
    ids = db.write(lambda tx: records.add_many(tx, mixed))
    with db.read() as tx:
        found = records.by_ids(tx, ids)
    assert [found[i] for i in ids] == [replace(each, id=i) for i, each in zip(ids, mixed, strict=True)]
    assert ids == sorted(ids)


def test_an_id_of_many_is_never_given_again(db):
    first = db.write(lambda tx: records.add_many(tx, [record("a"), record("b")]))
    db.write(lambda tx: records.delete_many(tx, first))
    second = db.write(lambda tx: records.add_many(tx, [record("c"), record("d")]))
    alone = db.write(lambda tx: records.insert(tx, record("e")))
    assert max(first) < min(second) <= max(second) < alone
    assert db.write(lambda tx: records.add_many(tx, [])) == []


def test_of_many_records_none_is_stored_where_a_key_is_taken(db):
    keep(db, record("taken"))
    with pytest.raises(Exception, match=r"(?i)unique"):
        db.write(lambda tx: records.add_many(tx, [record("free"), record("taken", content_hash="other")]))
    assert ask(db, records.by_key, "free") == []
    assert keep(db, record("after"))[0].id


def test_keys_of_code_may_change_places(code, db):
    a, b = code.symbols("a.py", "one", "two")
    db.write(lambda tx: records.rekey_many(tx, {a: "sym:two@a.py", b: "sym:one@a.py"}))
    assert ask(db, records.keys_of, [a, b]) == {a: ("symbol", "sym:two@a.py"), b: ("symbol", "sym:one@a.py")}
    (memory,) = keep(db, record("m"))
    db.write(lambda tx: records.rekey_many(tx, {memory.id: "n"}))
    assert ask(db, records.keys_of, [memory.id]) == {memory.id: ("memory", "m")}


def of_index(source, target, relation="CALLS", **fields):
    return Edge(source, target, relation, relation, 0.75, 7, {"origin": "index", "line": 3}, **fields)


def test_a_relation_that_somebody_made_stays_as_it_is_under_the_index(code, db):
    a, b, c = code.symbols("a.py", "one", "two", "three")
    link(db, edge(a, b, "CALLS"))
    db.write(lambda tx: edges.add_many(tx, [of_index(a, b), of_index(a, c), of_index(b, c, "IMPORTS")]))
    found = {(e.source, e.target): e for e in ask(db, edges.of_records, [a, b, c])}
    assert found[a, b].metadata == {}
    assert replace(found[a, c], id=0, uid="") == of_index(a, c)
    assert ask(db, edges.held, [a, b, c]) == {a, b}
    assert [(e.source, e.target) for e in ask(db, edges.of_index, [a])] == [(a, c)]
    assert db.write(lambda tx: edges.drop_index_edges(tx, [a])) == 1
    assert [(e.source, e.target) for e in ask(db, edges.of_records, [a, b, c])] == [(a, b), (b, c)]
    assert db.write(lambda tx: edges.drop_all_index_edges(tx, [c])) == 1
    (left,) = ask(db, edges.of_records, [a, b, c])
    assert db.write(lambda tx: edges.drop_many(tx, [left.id])) == 1


# --- Codebases and files ---


def test_a_codebase_is_one_however_often_and_from_where_it_is_indexed(db):
    def found(root, folder=""):
        return db.write(lambda tx: repositories.find_or_add(tx, PROJECT, folder, root))

    first, again, within = found("/a"), found("/b"), found("/b/lib", "lib")
    assert (again.id, again.root, again.indexed, again.summary) == (first.id, "/b", 0, {})
    assert ask(db, repositories.last_indexed) is None
    db.write(lambda tx: repositories.finished(tx, within.id, 9, 2, {"files": 3, "sprache": "日本"}))
    last = ask(db, repositories.last_indexed)
    assert (last.id, last.indexed, last.version) == (within.id, 9, 2)
    assert last.summary == {"files": 3, "sprache": "日本"}
    assert [each.folder for each in ask(db, repositories.in_namespace, PROJECT)] == ["", "lib"]
    assert ask(db, repositories.in_namespace, OTHER) == []
    assert [each.id for each in ask(db, repositories.everything)] == [first.id, within.id]


def test_what_is_known_of_files_is_read_without_what_they_say(code, db):
    a, b = code.file("src/a.py"), code.file("b.go", language="go", size=1 << 40, modified=1 << 60)
    first, second = ask(db, source_files.of_repository, code.repository.id)
    assert (first.path, first.language, first.size, first.modified, first.record) == ("b.go", "go", 1 << 40, 1 << 60, b)
    assert (second.hash, second.lines, second.resolved) == ("hash of src/a.py", 3, False)
    assert ask(db, source_files.by_records, [a, b, 999]) == {a: second, b: first}
    assert ask(db, source_files.by_path, code.repository.id, "src/a.py") == second
    assert ask(db, source_files.outlines, code.repository.id, ["b.go", "none"]) == {"b.go": b"b.go"}
    assert [(each.record, each.looked_up) for each in ask(db, source_files.lookups, code.repository.id)] == [
        (b, b"\1\0\0\0"),
        (a, b"\1\0\0\0"),
    ]


def test_a_file_is_resolved_until_it_is_written_again(code, db):
    a, b = code.file("a.py"), code.file("b.py")
    db.write(lambda tx: source_files.mark_resolved(tx, [a, b]))
    assert all(file.resolved for file in ask(db, source_files.by_records, [a, b]).values())
    db.write(lambda tx: source_files.mark_unresolved(tx, [a]))
    row = FileRow(b, "b.py", "python", "new", 1, 6, 9, b"", b"new")
    db.write(lambda tx: source_files.put_many(tx, code.repository.id, [row]))
    assert not any(file.resolved for file in ask(db, source_files.by_records, [a, b]).values())
    db.write(lambda tx: source_files.touch_many(tx, {b: 77}))
    found = ask(db, source_files.by_records, [b])[b]
    assert (found.hash, found.modified, found.resolved) == ("new", 77, False)
    assert ask(db, source_files.outlines, code.repository.id, ["b.py"]) == {"b.py": b"new"}


def test_files_may_change_places(code, db):
    a, b = code.file("a.py"), code.file("b.py")
    other = db.write(lambda tx: repositories.find_or_add(tx, PROJECT, "lib", "/lib"))
    db.write(lambda tx: source_files.move(tx, code.repository.id, {a: "b.py", b: "a.py"}))
    assert {each.record: each.path for each in ask(db, source_files.of_repository, code.repository.id)} == {
        a: "b.py",
        b: "a.py",
    }
    db.write(lambda tx: source_files.move(tx, other.id, {a: "x/b.py"}))
    assert [each.path for each in ask(db, source_files.of_repository, other.id)] == ["x/b.py"]


def test_a_codebase_that_is_forgotten_leaves_its_records(code, db):
    ids = code.symbols("a.py", "one", "two")
    assert db.write(lambda tx: repositories.delete_in(tx, [OTHER])) == 0
    assert db.write(lambda tx: repositories.delete(tx, code.repository.id)) == 1
    assert ask(db, symbols.by_records, ids) == {}
    assert len(ask(db, records.by_ids, [*ids, code.files["a.py"]])) == 3
    assert search(db, "one") == []


# --- Symbols ---


def test_a_symbol_is_read_as_it_was_written(code, db):
    file = code.file("src/ü.py")
    (own,) = db.write(lambda tx: records.add_many(tx, [code.record("sym:k", "symbol", "t", type="method")]))
    row = SymbolRow(own, file, "größe", "m.K.größe", "def größe(self) -> int", "Wie groß.", "private", 4, 3, 9, "m.K")
    row = row._replace(is_test=True, body_hash="ab", places=(("def größe(self, x)", 11, 12),))
    db.write(lambda tx: symbols.put_many(tx, [row]))
    found = ask(db, symbols.by_records, [own, file, 999])
    assert found == {own: symbols.Found(row, "method", "sym:k", PROJECT, "src/ü.py", "python", code.repository.id)}
    changed = row._replace(name="size", qualified_name="m.K.size", line=5, places=(), is_test=False)
    db.write(lambda tx: symbols.put_many(tx, [changed]))
    assert ask(db, symbols.of_file, file) == [found[own]._replace(row=changed)]
    assert (search(db, "größe"), search(db, "siz")) == ([], ["m.K.size"])


def test_the_symbols_of_files_come_in_the_order_of_the_source(code, db):
    code.symbols("b.py", "x.b", "x.a")
    code.symbols("a.py", "y.c")
    found = ask(db, symbols.of_files, code.files.values())
    assert [each.row.qualified_name for each in found] == ["y.c", "x.b", "x.a"]
    assert ask(db, symbols.count_of, code.repository.id) == 3
    assert ask(db, symbols.count_in, [PROJECT, OTHER]) == 3


@pytest.mark.parametrize(
    ("name", "tail"),
    [
        ("a.b.c", "c.b.a."),
        ("crate::db::Store", "Store.db.crate."),
        ("pkg/http.Client", "Client.http.pkg."),
        (".c", "c."),
        ("", ""),
        ("::", ""),
        ("Größe", "Größe."),
    ],
)
def test_a_name_is_turned_around_by_its_segments(name, tail):
    assert tail_of(name) == tail


def test_a_symbol_is_found_by_the_end_of_its_qualified_name(code, db):
    code.symbols("a.py", "app.db.Store.put", "app.db.Store", "app.db.Stores.put", "put")
    Code(db, OTHER).symbols("a.py", "other.Store.put")
    assert ending(db, "put") == (["put", "app.db.Store.put", "app.db.Stores.put"], False)
    assert ending(db, "Store.put") == (["app.db.Store.put"], False)
    assert ending(db, "Store::put", namespaces=[PROJECT, OTHER]) == (["other.Store.put", "app.db.Store.put"], False)
    assert ending(db, "put", whole=True) == (["put"], False)
    assert ending(db, "put", limit=2) == (["put", "app.db.Store.put"], True)
    assert ending(db, "ut") == ending(db, "db.put") == ending(db, "") == ending(db, "put", namespaces=()) == ([], False)


def test_a_part_finds_the_very_name_first_then_beginnings_then_the_shorter(code, db):
    code.symbols("a.py", "m.restored", "m.Store", "b.store_all", "a.store_all", "m.my_store", "x.STORES", "m.other")
    assert search(db, "store") == [
        *("m.Store", "x.STORES", "a.store_all", "b.store_all", "m.my_store", "m.restored"),
    ]
    assert search(db, "STORE", limit=2) == ["m.Store", "x.STORES"]
    assert search(db, "nothing") == search(db, "store", namespaces=[OTHER]) == []


@pytest.mark.parametrize(
    ("part", "found"),
    [
        ("größe", ["Größe", "GRÖSSE_größe"]),
        ("ÖS", ["Größe", "GRÖSSE_größe"]),  # `ß` is `ss` where cases are one
        ("ключ", ["ключ"]),
        ("КЛЮЧ", ["ключ"]),
        ("日", ["日本語"]),
        ("a%b", ["a%b_c"]),
        ("%", ["a%b_c"]),
        ("b_c", ["a%b_c"]),
        ("_", ["GRÖSSE_größe", "a%b_c", "ab_"]),
        ("ab", ["ab_", "abc"]),
        ("'", []),
        ('"', []),
        ("a b", []),
    ],
)
def test_a_part_is_found_whatever_its_letters_and_signs(code, db, part, found):
    code.symbols("a.py", "Größe", "GRÖSSE_größe", "ключ", "日本語", "a%b_c", "ab_", "abc")
    assert sorted(search(db, part)) == sorted(found)


def test_a_search_may_ask_for_kinds(code, db):
    code.symbols("a.py", "m.run", "m.run_all")
    code.symbols("a.py", "m.Runner", kind="class")
    assert search(db, "run", kinds=["class"]) == ["m.Runner"]
    assert search(db, "run", kinds=["class", "function"]) == ["m.run", "m.Runner", "m.run_all"]
    assert search(db, "run", kinds=["none"]) == []


def test_a_rare_kind_is_found_behind_many_names(code, db):
    code.symbols("a.py", *(f"m.get_{number:04}" for number in range(900)))
    code.symbols("a.py", "m.the_getter_of_it", kind="class")
    assert search(db, "get", kinds=["class"]) == ["m.the_getter_of_it"]
    assert search(db, "get", limit=3) == ["m.get_0000", "m.get_0001", "m.get_0002"]


def test_of_as_close_names_the_own_come_first_then_the_qualified_name(code, db):
    code.symbols("a.py", "b.get", "a.get", "z.got")
    Code(db, OTHER).symbols("a.py", "a.get.get", "0.gets")
    with db.read() as tx:
        found = symbols.search_names(tx, "ge", [PROJECT, OTHER], own=[PROJECT])
        others = symbols.search_names(tx, "get", [PROJECT, OTHER], own=[OTHER], limit=2)
    assert [each.row.qualified_name for each in found] == ["a.get", "b.get", "a.get.get", "0.gets"]
    assert [each.row.qualified_name for each in others] == ["a.get.get", "a.get"]


@pytest.mark.parametrize("part", ["g", "ge", "get", "gEt", "get_", "get_it_of_0", "t_it_of_", "_", "of", "è", "tè"])
def test_the_closest_of_very_many_names_are_the_same_as_if_all_were_looked_at(code, db, monkeypatch, part):
    names = [f"m.get_it_of_{number:02x}" for number in range(40)] + [f"m.{'x' * n}get{'y' * n}" for n in range(9)]
    names += ["m.Get", "m.GET_", "m.g", "m.e", "m.gè", "m.getè", "a.get_it_of_00"]
    code.symbols("a.py", *names)
    folded = part.casefold()
    last = {name: name.rpartition(".")[2] for name in names}
    expected = sorted(
        (symbol_names.closeness(last[name], folded), name) for name in names if folded in last[name].casefold()
    )
    for few, most in ((1, 1), (2, 7), (5, 20), (256, 100)):  # how many names are read at first, symbols wanted
        monkeypatch.setattr(symbol_names, "_FEW", few)
        assert search(db, part, limit=most) == [name for _, name in expected][:most]


def test_a_part_of_a_qualified_name_is_looked_for_behind_all_symbols_of_a_name(code, db):
    code.symbols("a.py", *(f"m.C{number:03}.op" for number in range(30)), "m.Wide::op", "m.größe.op")
    with db.read() as tx:
        for within in ("Wide.op", "wide.OP", "GRÖSSE.op", "m.wide.op"):
            (found,) = symbols.search_names(tx, "op", [PROJECT], limit=1, within=within)
            assert found.row.qualified_name in ("m.Wide::op", "m.größe.op")
        assert symbols.search_names(tx, "op", [PROJECT], limit=1, within="nowhere.op") == []


def test_the_index_of_names_becomes_one_piece_and_finds_the_same(code, db):
    for number in range(9):
        code.symbols("a.py", f"m.reading_{number}")
    before = search(db, "eading")
    for _ in range(3):
        db.write(symbol_names.merge)
    with db.read() as tx:
        assert symbol_names.pieces(tx) == 1
    assert search(db, "eading") == before == [f"m.reading_{number}" for number in range(9)]


def test_a_name_goes_with_the_last_symbol_that_has_it(code, db):
    a, b = code.symbols("a.py", "x.run", "y.run")
    db.write(lambda tx: symbols.delete_code(tx, [a]))
    assert search(db, "run") == ["y.run"]
    db.write(lambda tx: records.delete(tx, b))
    assert names(db) == []
    code.symbols("b.py", "z.walk")
    db.write(lambda tx: symbols.delete_code(tx, [code.files["b.py"]]))
    assert names(db) == search(db, "walk") == []


@pytest.mark.parametrize("names_then", [("two", "one"), ("three", "one"), ("two", "two")])
def test_symbols_that_are_renamed_together_may_take_each_others_names(code, db, names_then):
    ids = code.symbols("a.py", "m.one", "m.two")
    file = code.files["a.py"]
    rows = [SymbolRow(id_, file, name, f"m{id_}.{name}") for id_, name in zip(ids, names_then, strict=True)]
    db.write(lambda tx: symbols.put_many(tx, rows))
    assert ask(db, symbols.by_records, ids)[ids[0]].row.name == names_then[0]
    assert sorted(names(db)) == sorted(set(names_then))
    assert search(db, names_then[1][:3])[-1].endswith(names_then[1])


def names(db):
    with db.read() as tx:
        return [name for _, name in tx.rows("symbols.names")]


def test_what_left_the_source_is_kept_and_not_found_until_it_comes_back(code, db):
    (own,) = code.symbols("a.py", "m.run")
    db.write(lambda tx: symbols.mark_deleted(tx, [own], 1234))
    (found,) = ask(db, symbols.by_records, [own]).values()
    assert found.row.gone == 1234
    assert (search(db, "run"), ending(db, "run")) == ([], ([], False))
    assert ask(db, symbols.count_of, code.repository.id) == 0
    db.write(lambda tx: symbols.put_many(tx, [found.row._replace(gone=0)]))
    assert search(db, "run") == ["m.run"]


def test_only_code_is_deleted_as_code(code, db):
    (own,) = code.symbols("a.py", "m.run")
    (memory,) = keep(db, record("m", namespace=PROJECT))
    link(db, edge(memory.id, own, "EXPLAINS"))
    db.write(lambda tx: terms.put_many(tx, terms.CODE_WORDS, [(own, 1, b"\1\0\0\0\1")]))
    assert db.write(lambda tx: symbols.delete_code(tx, [own, memory.id, 999])) == 1
    assert ask(db, edges.of_records, [memory.id]) == []
    assert ask(db, records.by_ids, [own, memory.id]).keys() == {memory.id}


def test_what_says_no_more_than_the_source_is_told_from_what_somebody_related(code, db):
    a, b, c, d = code.symbols("a.py", "one", "two", "three", "four")
    (imported,) = keep(db, record("queue.drain", kind="symbol", namespace=PROJECT, content_hash=""))
    (memory,) = keep(db, record("m", namespace=PROJECT))
    mentioned = replace(edge(memory.id, b, "EXPLAINS"), metadata={"origin": "mention"})
    link(db, of_index(a, c), mentioned, edge(memory.id, c, "EXPLAINS"), edge(d, memory.id))
    everything = [a, b, c, d, imported.id, memory.id, code.files["a.py"]]
    assert ask(db, symbols.derived, everything) == {a: "symbol", b: "symbol", code.files["a.py"]: "file"}
    assert ask(db, symbols.is_indexed, c)
    assert not ask(db, symbols.is_indexed, imported.id)


def test_symbols_wait_for_their_embedding_unless_words_do(code, db):
    for kind in ("function", "method", "class", "interface", "macro", "test", "constant", "variable", "module"):
        code.symbols("a.py", f"m.{kind}", kind=kind)
    assert ask(db, pending.count) == 5
    found = {each.kind: each.row.record for each in ask(db, symbols.of_file, code.files["a.py"])}
    with db.read() as tx:
        own = records.by_ids(tx, [found["constant"], found["class"]])
    db.write(lambda tx: records.update(tx, replace(own[found["constant"]], type="function")))
    db.write(lambda tx: records.update(tx, replace(own[found["class"]], type="constant")))
    assert ask(db, pending.count) == 5
    assert ask(db, pending.forgotten) == 0


# --- Who is limited to namespaces ---


def test_code_of_elsewhere_is_not_there_for_who_is_limited(db):
    here, there = Code(db, PROJECT), Code(db, OTHER)
    (own,), (foreign,) = here.symbols("a.py", "m.run"), there.symbols("a.py", "n.run")
    limited = LimitedStore(db, frozenset({PROJECT}), "tok_a")
    both = [PROJECT, OTHER]
    assert search(limited, "run", namespaces=both) == ["m.run"]
    assert ending(limited, "run", namespaces=both) == (["m.run"], False)
    assert ask(limited, symbols.by_records, [own, foreign]).keys() == {own}
    assert ask(limited, source_files.of_repository, there.repository.id) == []
    assert ask(limited, source_files.outlines, there.repository.id, ["a.py"]) == {}
    assert [each.namespace for each in ask(limited, repositories.everything)] == [PROJECT]
    assert ask(limited, symbols.derived, [own, foreign]) == {own: "symbol"}


def test_code_of_elsewhere_cannot_be_changed_by_who_is_limited(db):
    here, there = Code(db, PROJECT), Code(db, OTHER)
    (own,), (foreign,) = here.symbols("a.py", "m.run"), there.symbols("a.py", "n.run")
    limited = LimitedStore(db, frozenset({PROJECT}), "tok_a")
    row = ask(db, symbols.by_records, [foreign])[foreign].row
    file = FileRow(there.files["a.py"], "b.py", "python", "", 1, 1, 1, b"", b"")
    for work in (
        lambda tx: repositories.find_or_add(tx, "/third", "", "/x"),
        lambda tx: records.add_many(tx, [here.record("ok", "symbol", "t"), there.record("new", "symbol", "t")]),
        lambda tx: edges.add_many(tx, [of_index(own, foreign)]),
        lambda tx: symbols.put_many(tx, [row]),
        lambda tx: symbols.put_many(tx, [row._replace(record=own)]),  # in a file of elsewhere
        lambda tx: source_files.put_many(tx, there.repository.id, [file]),
        lambda tx: terms.put_many(tx, terms.CODE_WORDS, [(foreign, 1, b"")]),
    ):
        with pytest.raises(Forbidden):
            limited.write(work)
    limited.write(lambda tx: repositories.delete(tx, there.repository.id))
    limited.write(lambda tx: symbols.delete_code(tx, [foreign, there.files["a.py"]]))
    limited.write(lambda tx: symbols.mark_deleted(tx, [foreign], 1))
    limited.write(lambda tx: records.rekey_many(tx, {foreign: "sym:stolen"}))
    limited.write(lambda tx: source_files.mark_resolved(tx, [there.files["a.py"]]))
    limited.write(lambda tx: edges.drop_all_index_edges(tx, [foreign]))
    found = ask(db, symbols.by_records, [foreign])[foreign]
    assert (found.row, found.key) == (row, "sym:n.run@a.py")
    assert not ask(db, source_files.by_records, [there.files["a.py"]])[there.files["a.py"]].resolved


def test_who_is_limited_indexes_where_the_token_holds(db):
    limited = LimitedStore(db, frozenset({PROJECT}), "tok_a")
    own = Code(limited)
    ids = own.symbols("a.py", "m.run", "m.walk")
    limited.write(lambda tx: edges.add_many(tx, [of_index(*ids)]))
    assert search(db, "run") == ["m.run"]
    limited.write(lambda tx: repositories.finished(tx, own.repository.id, 5, 1, {}))
    assert ask(db, repositories.last_indexed).id == own.repository.id
    assert limited.write(lambda tx: symbols.delete_code(tx, ids)) == 2
    assert names(db) == []
