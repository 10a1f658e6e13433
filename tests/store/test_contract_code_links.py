"""What links memory to code, as both databases find it: names in codebases, links, what changed, what is in hand."""

import pytest

from indelible.store.namespace_filter import LimitedStore
from indelible.store.tables import activity, changes, edges, records, repositories, source_files, symbols
from indelible.store.tables.activity import Activity
from indelible.store.tables.source_files import FileRow
from indelible.store.tables.symbols import SymbolRow
from indelible.store.views import code_links
from samples import TENANT, edge, of_tenant, stored

PATHS = ("store.py", "src/store.py", "src/é b.py", "src/deep/store.py")


@pytest.fixture
def code(db):
    """A codebase with four files and five symbols, and another one with two: ids by path or qualified name."""

    def work(tx):
        ids = {}
        for namespace, paths in (("/a", PATHS), ("/b", ("src/store.py",))):
            codebase = repositories.find_or_add(tx, namespace, "", f"{namespace}/root").id
            ids[namespace] = codebase
            for path in paths:
                (file,) = stored(tx, f"file:{path}", kind="file", namespace=namespace)
                source_files.put_many(tx, codebase, [FileRow(file, path, "python", "h", 1, 1, 1, b"", b"")])
                ids[namespace + path] = file
        names = ["a.Store", "a.Store.write", "b.write", "b.Write", "b.rewrite"]
        for name in names:
            (ids[name],) = stored(tx, f"sym:{name}", kind="symbol", namespace="/a")
        (ids["other"],) = stored(tx, "sym:c.write", kind="symbol", namespace="/b")
        own = [
            SymbolRow(ids[name], ids["/asrc/store.py"], name.rpartition(".")[2], name, is_test=name == "b.write")
            for name in names
        ]
        symbols.put_many(tx, [*own, SymbolRow(ids["other"], ids["/bsrc/store.py"], "write", "c.write")])
        return ids

    return db.write(work)


def test_files_are_found_by_their_paths_and_by_how_these_end(db, code):
    with db.read() as tx:
        own, both = [code["/a"]], [code["/a"], code["/b"]]
        found = code_links.files_at(tx, own, ["store.py", "src/é b.py", "deep/store.py"])
        assert [file.path for file in found] == ["store.py", "src/é b.py"]
        assert len(code_links.files_at(tx, both, ["src/store.py"])) == 2
        assert code_links.files_at(tx, [], ["store.py"]) == []
        assert code_links.files_at(of_tenant(tx, TENANT + 1), own, ["store.py"]) == []
        below = {
            end: [file.path for file in code_links.files_below(tx, own, [end], 9)]
            for end in ("store.py", "deep/store.py", "é b.py", "tore.py", "src/store.py", "b.py")
        }
        assert below == {
            "store.py": ["src/store.py", "src/deep/store.py"],
            "deep/store.py": ["src/deep/store.py"],
            "é b.py": ["src/é b.py"],
            **{end: [] for end in ("tore.py", "src/store.py", "b.py")},
        }
        assert len(code_links.files_below(tx, own, ["store.py"], 1)) == 1


def test_symbols_are_found_by_how_their_names_end(db, code):
    with db.read() as tx:
        found = code_links.symbols_called(tx, [code["/a"]], ["write.", "write.Store.", "rite."], 9)
        names = {start: [each.qualified_name for each in some] for start, some in found.items()}
        assert names == {"write.": ["a.Store.write", "b.write"], "write.Store.": ["a.Store.write"]}
        assert [each.is_test for each in found["write."]] == [False, True]
        assert len(code_links.symbols_called(tx, [code["/a"]], ["write."], 1)["write."]) == 1
        both = code_links.symbols_called(tx, [code["/a"], code["/b"]], ["write."], 9)
        assert len(both["write."]) == 3


def test_links_are_told_with_what_they_lead_to_and_whether_that_is_gone(db, code):
    def work(tx):
        memory, decision, other = stored(tx, "m", "d", "o")
        tx.run("records.update", **{**_columns(tx, decision), "type": "decision"})
        for target, weight in ((code["a.Store"], 0.9), (code["/astore.py"], 0.5)):
            assert code_links.add(tx, memory, target, weight, {"name": "Store"}, 10)
        assert not code_links.add(tx, memory, code["a.Store"], 0.1, {"name": "Store"}, 10)
        edges.add(tx, edge(decision, code["a.Store"], "EXPLAINS"))
        edges.add(tx, edge(memory, other, "EXPLAINS"))
        return memory, decision

    memory, decision = db.write(work)
    with db.read() as tx:
        symbol, file = code_links.of_sources(tx, [memory])
        assert (symbol.tail, symbol.path, symbol.weight, symbol.gone) == ("Store.a.", "", 0.9, False)
        assert (file.tail, file.path, file.gone) == ("", "store.py", False)
        assert symbol.by_mention
        assert not code_links.of_sources(tx, [decision])[0].by_mention
        assert code_links.explaining(tx, [code["a.Store"]]) == [memory, decision]
        assert code_links.decisions_about(tx, [code["a.Store"]]) == {code["a.Store"]: [("d", 10, decision, 1.0)]}
        assert code_links.explaining_deleted(tx) == []
        files = [code["/asrc/store.py"]]
        assert code_links.about(tx, [memory], [], files) == [(memory, code["a.Store"], files[0], 0.9)]
        assert code_links.about(tx, [memory], [code["/astore.py"]], []) == [(memory, code["/astore.py"], 0, 0.5)]
    db.write(lambda tx: symbols.mark_deleted(tx, [code["a.Store"]], 77))
    db.write(lambda tx: code_links.change(tx, file, 0.25, {"origin": "mention", "name": "x"}))
    with db.read() as tx:
        assert code_links.explaining_deleted(tx) == [memory]
        assert code_links.deleted_among(tx, [code["a.Store"], code["b.write"], memory]) == {code["a.Store"]}
        symbol, file = code_links.of_sources(tx, [memory])
        assert (symbol.gone, file.weight, file.metadata["name"]) == (True, 0.25, "x")


def test_a_file_that_is_gone_says_so_in_its_metadata(db, code):
    file = code["/astore.py"]
    db.write(lambda tx: tx.run("records.update", **{**_columns(tx, file), "metadata": '{"gone":77}'}))
    with db.read() as tx:
        assert code_links.deleted_among(tx, [file, code["/asrc/store.py"]]) == {file}


def test_a_link_that_somebody_makes_too_is_theirs(db, code):
    def work(tx):
        (memory,) = stored(tx, "m")
        code_links.add(tx, memory, code["a.Store"], 0.9, {"name": "Store"}, 10)
        old = edges.find(tx, memory, code["a.Store"], "EXPLAINS")
        code_links.adopt(tx, old)
        return edges.find(tx, memory, code["a.Store"], "EXPLAINS")

    mine = db.write(work)
    assert (mine.metadata, mine.weight) == ({}, 0.9)


def test_the_log_tells_of_texts_and_of_code_and_of_nothing_else(db, code):
    with db.read() as tx:
        before = changes.last(tx)

    def work(tx):
        ids = [*stored(tx, "m"), *stored(tx, "v", kind="vector"), *stored(tx, "s", kind="solution")]
        records.update(tx, records.by_ids(tx, ids)[ids[0]])
        return ids

    memory, _, solution = db.write(work)
    with db.read() as tx:
        last = changes.last(tx)
        found = code_links.changed(tx, before, last)
        assert [(each.record, each.kind) for each in found] == [(memory, "memory"), (solution, "solution")]
        assert code_links.changed(tx, last, last) == []
        assert code_links.names_of(tx, [code["a.Store.write"], code["/asrc/é b.py"], memory]) == {
            *("write", "src/é b.py")
        }
        assert code_links.after(tx, ["", "/a"], 0, 9) == [memory, solution]
        assert [each.text for each in code_links.texts(tx, [memory, code["a.Store"]])] == ["text of m"]


def test_what_is_in_hand_is_what_was_read_or_edited_last(db):
    def event(name, time, subject, action="edit", namespace="/a", what="tool"):
        return Activity("c:s", name, time, "c", what, namespace, action, subject)

    happened = [
        *(event("1", 10, "old"), event("2", 20, "b"), event("3", 30, "a", "read"), event("4", 40, "b")),
        *(event("5", 50, "x", "command"), event("6", 60, "y", namespace="/b"), event("7", 70, ""), event("8", 15, "c")),
    ]
    db.write(lambda tx: activity.add(tx, happened))
    with db.read() as tx:
        assert code_links.subjects(tx, ["/a"], 15, 9) == ["b", "a", "c"]
        assert code_links.subjects(tx, ["/a"], 15, 1) == ["b"]
        assert code_links.subjects(tx, [], 15, 9) == []


def test_who_is_limited_to_other_namespaces_finds_nothing(db, code):
    with LimitedStore(db, frozenset({"/b"}), "who").read() as tx:
        assert code_links.any_repository(tx)
        both = [code["/a"], code["/b"]]
        assert [file.repository for file in code_links.files_at(tx, both, ["src/store.py"])] == [code["/b"]]
        assert code_links.files_below(tx, [code["/a"]], ["store.py"], 9) == []
        found = code_links.symbols_called(tx, both, ["write."], 9)
        assert [each.qualified_name for each in found["write."]] == ["c.write"]
        assert code_links.in_files(tx, [code["/asrc/store.py"]]) == []
    with LimitedStore(db, frozenset({"/c"}), "who").read() as tx:
        assert not code_links.any_repository(tx)


def _columns(tx, record):
    values = records.parameters(records.by_ids(tx, [record])[record])
    return {
        name: values[name]
        for name in values
        if name not in ("namespace", "kind", "key", "session", "position", "created")
    }
