"""MEMORY_FILE_PATH, VECFS_FILE and MATRIX_DB: a server beside the file of another tool, with what is in it."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import apsw
import pytest

import forked
from command_line import BOUND_BY_MODES, done, export
from existing_files import BAD, GOOD, SEARCH, ended, entry, many, served, told, write_lines, write_matrix
from indelible.core.context.call import Caller
from indelible.core.context.context import open_context
from indelible.errors import InvalidInput
from indelible.settings import Settings
from indelible.toolsets import registry
from indelible.transfer.auto_import import Importer
from mcp_client import Call, McpClient, environment


@pytest.fixture
def matrix(tmp_path: Path) -> Path:
    return write_matrix(tmp_path / "matrix.db")


# --- VecFS ---


@pytest.mark.process
@pytest.mark.sqlite("where the file is")
def test_a_server_beside_a_file_of_vecfs_has_its_entries(tmp_path: Path):
    file = write_lines(tmp_path / "vectors.jsonl", *BAD)
    before = file.read_bytes()
    recall = Call("recall_memory", {"query": "linter"})
    (matches, hits), errors = served({"VECFS_FILE": str(file)}, tmp_path, SEARCH, recall)
    assert [match["id"] for match in matches] == ["日本語", "lint", "silent"]
    assert matches[1]["metadata"] == {"topic": "ci", "text": "Run the linter first"}
    assert (matches[1]["vector"], matches[1]["score"]) == ({"3": 0.42, "17": -0.31}, 1.5)
    assert [(hit["id"], hit["kind"], hit["created_at"]) for hit in hits] == [("lint", "vector", "2026-02-14T03:00:00Z")]
    said = told(errors)
    for words in BAD.values():
        assert any(line.startswith(words) for line in said), (words, said)
    assert said[-1] == "imported 3, skipped 0 that were known, 5 problems"
    assert file.read_bytes() == before
    assert (tmp_path / "vectors.jsonl.db" / "indelible.db").is_file()


@pytest.mark.process
def test_a_file_is_taken_in_once(tmp_path: Path):
    file = write_lines(tmp_path / "vectors.jsonl")
    env = {"VECFS_FILE": str(file)}
    served(env, tmp_path, Call("delete", {"id": "lint"}), Call("feedback", {"id": "silent", "scoreAdjustment": 1}))
    (matches,), errors = served(env, tmp_path, SEARCH)
    assert {match["id"]: match["score"] for match in matches} == {"日本語": 0, "silent": 1}
    assert told(errors) == []


@pytest.mark.process
def test_a_file_that_comes_later_is_taken_in_then(tmp_path: Path):
    env = {"VECFS_FILE": str(tmp_path / "later.jsonl")}
    (matches,), _ = served(env, tmp_path, SEARCH)
    assert matches == []
    write_lines(tmp_path / "later.jsonl")
    (matches,), _ = served(env, tmp_path, SEARCH)
    assert len(matches) == 3


@pytest.mark.process
@pytest.mark.parametrize("indent", [None, 2])
def test_a_file_may_be_one_array(tmp_path: Path, indent: int | None):
    file = tmp_path / "vectors.json"
    file.write_text(json.dumps([*GOOD, {"id": "bad"}], indent=indent), encoding="utf-8")
    (matches,), errors = served({"VECFS_FILE": str(file)}, tmp_path, SEARCH)
    assert len(matches) == 3
    assert told(errors)[0].startswith("entry 4: vector must be an object")


@pytest.mark.process
@pytest.mark.parametrize("content", [b"", b"\n\n", b"[]", b"[1, 2", b"\xff\xfe\x00", b"null\n5\n"])
def test_a_server_answers_whatever_is_in_the_file(tmp_path: Path, content: bytes):
    file = tmp_path / "odd.jsonl"
    file.write_bytes(content)
    (matches,), _ = served({"VECFS_FILE": str(file)}, tmp_path, SEARCH)
    assert matches == []


@pytest.mark.process
def test_two_servers_that_start_at_once_take_a_file_in_once(tmp_path: Path):
    lines = [entry(f"e{n}", {"1": 1, str(n + 2): 1}, f"text {n}") for n in range(300)]
    file = tmp_path / "vectors.jsonl"
    file.write_text("".join(json.dumps(line) + "\n" for line in lines))
    data, env = tmp_path / "data", {"VECFS_FILE": str(file)}
    clients = [McpClient(data, env=env) for _ in range(2)]
    with clients[0] as one, clients[1] as two:
        for client in (one, two):
            assert len(client.call("search", {"vector": {"1": 1}, "limit": 1000})) == 300
    assert len(export(data).splitlines()) == 300


@pytest.mark.process
def test_a_read_only_server_takes_nothing_in(tmp_path: Path):
    file = write_lines(tmp_path / "vectors.jsonl")
    done("remember", "which makes the store", data=tmp_path / "vectors.jsonl.db")
    (matches,), errors = served({"VECFS_FILE": str(file)}, tmp_path, SEARCH, options=("--read-only",))
    assert matches == []
    assert "was not taken in: this server is read-only" in told(errors)[-1]


# --- claude-matrix ---


@pytest.mark.process
def test_a_server_beside_a_database_of_matrix_has_its_solutions_and_failures(tmp_path: Path, matrix: Path):
    before = matrix.read_bytes()
    recall = Call("recall_memory", {"query": "OAuth tokens"})
    (hits,), errors = served({"MATRIX_DB": str(matrix)}, tmp_path, recall)
    assert told(errors) == ["imported 3, skipped 0 that were known, 0 problems"]
    (hit,) = (hit for hit in hits if hit["id"] == "sol_0000000a")  # below the one that supersedes it
    assert (hit["kind"], hit["namespace"]) == ("solution", "/src/shop")
    kept = {record["id"]: record for record in map(json.loads, export(tmp_path / "matrix.db.db").splitlines())}
    solution, other, failure = (kept[key] for key in ("sol_0000000a", "sol_0000000b", "fail_0000000a"))
    assert (solution["memory_type"], solution["tags"], solution["access_count"]) == ("global", ["oauth", "auth"], 4)
    assert solution["created_at"] == "2025-01-02T03:04:05Z"
    told_of_it = solution["metadata"]
    assert (told_of_it["problem"], told_of_it["score"], told_of_it["successes"]) == ("OAuth tokens expire", 0.55, 1)
    assert (told_of_it["files"], told_of_it["notes"][0]["notes"]) == (["src/auth.ts"], "worked at once")
    assert told_of_it["fingerprint"]["frameworks"] == ["react"]
    assert (other["namespace"], other["memory_type"], other["content"]) == (
        None,
        "stack",
        "Docker image is large\n\nUse several stages",
    )
    assert [(edge["relationship"], edge["target"]) for edge in other["edges"]] == [
        ("SUPERSEDES", "solution:sol_0000000a")
    ]
    assert (failure["memory_type"], failure["metadata"]["occurrences"]) == ("runtime", 4)
    assert failure["metadata"]["errorMessage"] == "Cannot read property of undefined"
    assert matrix.read_bytes() == before
    _, errors = served({"MATRIX_DB": str(matrix)}, tmp_path, recall)
    assert told(errors) == []


@pytest.mark.process
def test_what_is_no_database_is_said_and_the_server_answers(tmp_path: Path):
    file = tmp_path / "matrix.db"
    file.write_text("not a database " * 100)
    (hits,), errors = served({"MATRIX_DB": str(file)}, tmp_path, Call("recall_memory", {"query": "x"}))
    assert hits == []
    assert "cannot be read as a database of claude-matrix" in told(errors)[0]


@pytest.mark.process
def test_a_database_without_these_tables_is_empty(tmp_path: Path):
    connection = apsw.Connection(str(tmp_path / "matrix.db"))
    connection.execute("CREATE TABLE other (id)")
    connection.close()
    _, errors = served({"MATRIX_DB": str(tmp_path / "matrix.db")}, tmp_path)
    assert told(errors) == ["imported 0, skipped 0 that were known, 0 problems"]


# --- The reference memory server ---


@pytest.mark.process
@pytest.mark.sqlite("where the file is")
def test_a_server_beside_a_memory_file_has_its_graph(tmp_path: Path):
    file = tmp_path / "memory.json"
    lines = [
        {"type": "entity", "name": "Ada", "entityType": "person", "observations": ["likes the park"]},
        {"type": "entity", "name": "park", "entityType": "place", "observations": []},
        {"type": "relation", "from": "Ada", "to": "park", "relationType": "visits"},
    ]
    file.write_text("\n".join(map(json.dumps, lines)) + "\n{bad\n", encoding="utf-8")
    (graph,), errors = served({"MEMORY_FILE_PATH": str(file)}, tmp_path, Call("read_graph"))
    assert {each["name"] for each in graph["entities"]} == {"Ada", "park"}
    assert [(each["from"], each["relationType"], each["to"]) for each in graph["relations"]] == [
        ("Ada", "visits", "park")
    ]
    assert told(errors)[-1].endswith("1 problem")
    assert (tmp_path / "memory.json.db" / "indelible.db").is_file()


@pytest.mark.sqlite("where the file is, and a lock on it")
@pytest.mark.slow
def test_a_call_waits_for_a_large_file_and_is_never_answered_with_a_part(tmp_path: Path):
    """Nothing can be written until the call asks whether its caller still waits: until then the graph is empty."""
    file = tmp_path / "memory.json"
    lines = [{"type": "entity", "name": f"thing {n}", "entityType": "thing", "observations": []} for n in range(4_000)]
    file.write_text("\n".join(map(json.dumps, lines)), encoding="utf-8")
    ctx = open_context(Settings.load(None, environ={"MEMORY_FILE_PATH": str(file)}))
    lock = apsw.Connection(str(ctx.settings.data / "indelible.db"))
    lock.execute("BEGIN IMMEDIATE")

    def waits() -> bool:
        if lock.in_transaction:
            lock.execute("ROLLBACK")
        return False

    importer = Importer(ctx)
    try:
        importer.start()
        graph = registry.call(ctx, registry.find_tool("read_graph"), {}, caller=Caller(cancelled=waits)).value
        assert len(graph["entities"]) == 4_000
    finally:
        lock.close()
        importer.stop()
        ctx.close()


@pytest.mark.process
@pytest.mark.sqlite("where the file is")
def test_an_import_that_a_server_without_input_began_is_finished_by_the_next_start(tmp_path: Path):
    """`indelible serve < /dev/null` ends at once: nothing of the file is lost, whatever it had reached."""
    file = tmp_path / "memory.json"
    lines = [{"type": "entity", "name": f"thing {n}", "entityType": "thing", "observations": []} for n in range(2_000)]
    file.write_text("\n".join(map(json.dumps, lines)), encoding="utf-8")
    env = {"MEMORY_FILE_PATH": str(file)}
    left = forked.run(["serve"], input=b"", env=environment(env), cwd=tmp_path)
    assert left.returncode == 0, left.stderr.decode()
    said = told(left.stderr.decode())
    ends = ("imported 2,000, ", "imported 2000, ", "broken off; it goes on with the next start")
    assert [line.startswith(ends) for line in said] == [True], said
    (graph,), _ = served(env, tmp_path, Call("read_graph", {}))
    assert len(graph["entities"]) == 2_000


# --- Where the store is ---


def load(tmp_path: Path, data: str | None = None, **environ: str) -> Settings:
    return Settings.load(data, environ=environ)


@pytest.mark.parametrize("variable", ["MEMORY_FILE_PATH", "VECFS_FILE", "MATRIX_DB"])
def test_the_store_is_beside_the_file_unless_somebody_says_where(tmp_path: Path, variable: str):
    file, named, flag = tmp_path / "file", str(tmp_path / "named"), str(tmp_path / "flag")
    settings = load(tmp_path, **{variable: str(file)})
    assert settings.data == tmp_path / "file.db"
    assert settings.existing == ((variable, file),)
    assert load(tmp_path, **{variable: str(file), "INDELIBLE_DATA": named}).data == Path(named)
    settings = load(tmp_path, flag, **{variable: str(file), "INDELIBLE_DATA": named})
    assert (settings.data, settings.existing) == (Path(flag), ((variable, file),))
    assert load(tmp_path, flag, **{variable: ""}).existing == ()


def test_of_several_files_the_store_is_beside_the_first_and_takes_in_all(tmp_path: Path):
    settings = load(tmp_path, MATRIX_DB=str(tmp_path / "c"), MEMORY_FILE_PATH=str(tmp_path / "a"), VECFS_FILE="~/b")
    assert settings.data == tmp_path / "a.db"
    assert [variable for variable, _ in settings.existing] == ["MEMORY_FILE_PATH", "VECFS_FILE", "MATRIX_DB"]
    assert settings.existing[1][1] == Path.home() / "b"


def test_a_home_that_nobody_has_is_refused_by_the_variable(tmp_path: Path):
    with pytest.raises(InvalidInput, match="VECFS_FILE is '~nobody-of-this-name/x'"):
        load(tmp_path, VECFS_FILE="~nobody-of-this-name/x")


def test_a_blank_variable_and_a_path_that_leads_nowhere_are_refused_by_the_variable(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
):
    with pytest.raises(InvalidInput, match="MATRIX_DB is '  ', which names no file"):
        load(tmp_path, MATRIX_DB="  ")
    (tmp_path / "gone").mkdir()
    monkeypatch.chdir(tmp_path / "gone")
    (tmp_path / "gone").rmdir()
    with pytest.raises(InvalidInput, match=r"VECFS_FILE is 'v\.jsonl', and the working directory no longer exists"):
        load(tmp_path, VECFS_FILE="v.jsonl")


@pytest.mark.process
def test_an_explicit_store_takes_the_file_in_too(tmp_path: Path):
    file = write_lines(tmp_path / "vectors.jsonl")
    with McpClient(tmp_path / "data", env={"VECFS_FILE": str(file)}) as client:
        assert len(client.call("search", {"vector": [1]})) == 3
    assert not (tmp_path / "vectors.jsonl.db").exists()


# --- Where something is wrong ---

ENTITY = '{"type": "entity", "name": "Ada", "entityType": "person", "observations": []}\n'


@pytest.mark.process
def test_a_file_that_cannot_be_read_keeps_no_other_out(tmp_path: Path):
    (tmp_path / "bad").write_text("no database " * 100)
    (tmp_path / "array").write_text("[1, 2")
    (tmp_path / "memory").write_text(ENTITY)
    write_lines(tmp_path / "vectors")
    recall = Call("recall_memory", {"query": "linter"})
    env = {"MATRIX_DB": "bad", "VECFS_FILE": "vectors", "MEMORY_FILE_PATH": "memory"}
    (graph, hits), errors = served(env, tmp_path, Call("read_graph"), recall)
    assert ([each["name"] for each in graph["entities"]], [hit["id"] for hit in hits]) == (["Ada"], ["lint"])
    assert [line.partition(",")[0] for line in told(errors)[:2]] == ["imported 1", "imported 3"]
    env = {"VECFS_FILE": "array", "MATRIX_DB": "bad", "MEMORY_FILE_PATH": "memory", "INDELIBLE_DATA": "other"}
    (graph, _), errors = served(env, tmp_path, Call("read_graph"), recall)
    assert [each["name"] for each in graph["entities"]] == ["Ada"]
    said = told(errors)
    assert said[0].startswith("imported 1, ")
    assert "array begins like an array and is not JSON" in said[1]
    assert "bad cannot be read as a database of claude-matrix" in said[2]


@pytest.mark.process
@pytest.mark.parametrize("variable", ["MEMORY_FILE_PATH", "VECFS_FILE", "MATRIX_DB"])
def test_a_directory_is_no_file_and_the_server_answers(tmp_path: Path, variable: str):
    (tmp_path / "folder").mkdir()
    (hits,), errors = served({variable: "folder"}, tmp_path, Call("recall_memory", {"query": "x"}))
    assert hits == []
    assert told(errors) == [
        f"{variable} is {tmp_path / 'folder'}, which is not a file; give the file of that tool, or one still to be "
        "created"
    ]


@pytest.mark.process
@pytest.mark.skipif(sys.platform != "linux", reason="processes bound by modes")
@pytest.mark.parametrize("variable", ["MEMORY_FILE_PATH", "VECFS_FILE", "MATRIX_DB"])
@pytest.mark.sweep(1)
def test_a_file_that_nobody_may_read_is_said_and_the_server_answers(tmp_path: Path, variable: str):
    file = write_lines(tmp_path / "closed")
    file.chmod(0)
    with McpClient(tmp_path / "data", env={variable: str(file)}, python=BOUND_BY_MODES) as client:
        assert client.call("search", SEARCH.arguments) == []
        (said,) = told(ended(client))
    assert str(file) in said
    assert file.stat().st_mode & 0o777 == 0


@pytest.mark.process
@pytest.mark.skipif(sys.platform != "linux", reason="processes bound by modes")
def test_a_directory_that_cannot_be_written_to_is_refused_with_the_remedy(tmp_path: Path):
    (tmp_path / "closed").mkdir()
    file = write_lines(tmp_path / "closed" / "vectors.jsonl")
    (tmp_path / "closed").chmod(0o500)
    command = [*BOUND_BY_MODES, "-m", "indelible", "serve"]
    env = environment({"VECFS_FILE": str(file)})
    ran = subprocess.run(command, capture_output=True, env=env, cwd=tmp_path, check=False, timeout=50)
    assert ran.returncode == 1
    assert b"vectors.jsonl.db cannot hold data: Permission denied; give a directory on a local disk (--data DIR" in (
        ran.stderr
    )
    assert [path.name for path in file.parent.iterdir()] == ["vectors.jsonl"]
    with McpClient(tmp_path / "data", env={"VECFS_FILE": str(file)}, python=BOUND_BY_MODES) as client:
        assert len(client.call("search", SEARCH.arguments)) == 3


@pytest.mark.process
@pytest.mark.parametrize("variable", ["MEMORY_FILE_PATH", "VECFS_FILE", "MATRIX_DB"])
def test_nothing_of_the_users_file_is_changed(tmp_path: Path, matrix: Path, variable: str):
    (tmp_path / "memory.json").write_text(ENTITY + "{bad\n")
    write_lines(tmp_path / "vectors.jsonl", *BAD)
    file = {"MEMORY_FILE_PATH": tmp_path / "memory.json", "VECFS_FILE": tmp_path / "vectors.jsonl"}.get(
        variable, matrix
    )
    before = {path: (path.read_bytes(), path.stat().st_mtime_ns, path.stat().st_mode) for path in tmp_path.iterdir()}
    stores = Call("memorize", {"id": "lint", "vector": [1]}), Call("delete_entities", {"entityNames": ["Ada"]})
    _, errors = served({variable: str(file)}, tmp_path, *stores)
    assert told(errors)[-1].startswith("imported ")
    after = {path: (path.read_bytes(), path.stat().st_mtime_ns, path.stat().st_mode) for path in before}
    assert after == before
    assert set(tmp_path.iterdir()) - set(before) == {Path(f"{file}.db")}


@pytest.mark.process
def test_a_server_answers_while_it_takes_in_a_large_file(tmp_path: Path):
    file = tmp_path / "vectors.jsonl"
    file.write_text(many(3000))
    with McpClient(tmp_path / "data", env={"VECFS_FILE": str(file)}) as client:
        client.call("memorize", {"id": "mine", "vector": {"2": 1}})
        counts = [0]
        while counts[-1] < 3001:
            counts.append(client.call("codemem_stats")["graph"]["nodes"])
        assert counts == sorted(counts)
        assert len(client.call("search", {"vector": {"1": 1}, "limit": 9999})) == 3001
        assert told(ended(client)) == ["imported 3000, skipped 0 that were known, 0 problems"]


# --- Set-up and doctor ---


@pytest.mark.process
def test_set_up_says_that_a_variable_of_this_shell_is_not_written_down(tmp_path: Path):
    env = environment({"HOME": str(tmp_path), "VECFS_FILE": str(tmp_path / "vectors.jsonl")})
    ran = forked.run(["setup", "cursor"], env=env, cwd=tmp_path)
    assert ran.stderr.decode().splitlines() == [
        "VECFS_FILE is set here, but a client may not have it; write it into the `env` of the entry",
        "with --hooks, Cursor would also report what happens, and start with a brief of the project",
    ]
    assert "VECFS_FILE" not in (tmp_path / ".cursor" / "mcp.json").read_text()


@pytest.mark.process
@pytest.mark.sqlite("where the file is")
def test_doctor_looks_at_the_store_beside_the_file(tmp_path: Path):
    file = write_lines(tmp_path / "vectors.jsonl")
    env = {"HOME": str(tmp_path), "VECFS_FILE": str(file)}
    served(env, tmp_path)
    ran = forked.run(["doctor"], env=environment(env), cwd=tmp_path)
    assert ran.stdout.decode().splitlines()[:2] == [f"store: {file}.db", "records: 3"]
