"""`indelible doctor` compares all that the store says twice: each damage is found, and mended by `--repair` at once."""

from __future__ import annotations

from contextlib import closing
from pathlib import Path
from typing import Any, NamedTuple

import pytest

import on_postgres
import store_file
from command_line import opened, settings
from indelible.admin import doctor
from indelible.core.context.context import Context
from indelible.store.sqlite.connection import FILE
from indelible.store.tables.terms import CODE_WORDS, SPARSE, WORDS
from indelible.toolsets import registry
from indelible.toolsets.context.chats.chunk_links import QUEUED
from made_up_meaning import embed_all, seal_all, with_meaning
from stored_code import Code

HANDBOOK = "\n\n".join(
    f"# Part {n}\n\n" + " ".join(f"The wombat{n} of burrow {k} digs at night." for k in range(40)) for n in range(3)
)


def call(ctx: Context, tool: str, **arguments: Any) -> Any:
    return registry.call(ctx, registry.find_tool(tool), arguments).value


def fill(ctx: Context) -> None:
    """One thing of each kind, relations, something replaced, overwritten and deleted, source code, sealed blocks."""
    for n in range(20):
        call(ctx, "store_memory", content=f"Deploy {n} of the wombat{n} goes out on day{n}", tags=[f"day:{n}"])
    (first, second, third, *_) = [each["id"] for each in call(ctx, "export_memories")]
    call(ctx, "associate_memories", source_id=first, target_id=second, relationship="SUPERSEDES")
    call(ctx, "update_memory", id=third, content="Deploys were moved to the marsupial day")
    call(ctx, "delete_memory", id=first)
    call(ctx, "matrix_store", problem="the queue hangs", solution="restart the daemon", scope="global")
    failure = {"errorType": "build", "errorMessage": "burrow locked", "rootCause": "two dig", "fixApplied": "lock"}
    call(ctx, "matrix_failure", **failure)
    call(ctx, "create_entities", entities=[{"name": "Wombat", "entityType": "animal", "observations": ["digs"]}])
    call(ctx, "store_memory", content="The handbook is read by everybody")
    store_document(ctx)
    call(ctx, "add_todo", title="dig deeper")
    call(ctx, "log_chat", content="Does the wombat1 of burrow 7 dig at night?", conversation_id="talk")
    code = Code(ctx.store, "/shop")
    code.symbols("src/cart.py", "Cart.total", "Cart.clear")
    embedding = with_meaning(ctx)
    embed_all(embedding)
    seal_all(ctx)


def store_document(ctx: Context) -> None:
    from indelible.toolsets.context.documents import documents

    documents.store(ctx, documents.NewDocument("handbook.md", HANDBOOK))


@pytest.fixture(scope="module")
def full(tmp_path_factory: pytest.TempPathFactory) -> Path:
    data = tmp_path_factory.mktemp("full") / "data"
    with opened(data) as ctx:
        fill(ctx)
    return data


@pytest.fixture
def data(full: Path, tmp_path: Path) -> Path:
    copy = tmp_path / "data"
    store_file.copy(full, copy)
    return copy


def sql(data: Path, *statements: str) -> list[tuple[Any, ...]]:
    with closing(store_file.opened(data / FILE, write=True)) as connection:
        if not on_postgres.is_chosen():
            connection.pragma("foreign_keys", 1)  # what hangs on a row goes with it, as in our own connections
        return [row for statement in statements for row in connection.execute(statement).fetchall()]


class Damage(NamedTuple):
    """Statements that plant it, and a part of what doctor says of it."""

    said: str
    statements: tuple[str, ...]


def damage(said: str, *statements: str) -> Damage:
    return Damage(said, statements)


SYMBOL = "SELECT record FROM symbol ORDER BY record LIMIT 1"
MEMORY = "SELECT max(id) FROM record WHERE kind = 'memory'"
DAMAGES = {
    "a text that is another": damage(
        "does not fit the hash", f"UPDATE record SET text = 'Something else' WHERE id = ({MEMORY})"
    ),
    "a hash that is another": damage(
        "does not fit the hash", f"UPDATE record SET content_hash = 'abc' WHERE id = ({MEMORY})"
    ),
    "a solution's text": damage(
        "does not fit the hash", "UPDATE record SET text = text || ' not' WHERE kind = 'solution'"
    ),
    "a failure's signature": damage(
        "does not fit the hash", "UPDATE record SET content_hash = 'abc' WHERE kind = 'failure'"
    ),
    "words of another text": damage(
        "the words by which recall finds 1 record are lost",
        f"UPDATE terms SET body = (SELECT body FROM terms AS other WHERE other.record = ({MEMORY}) - 1 AND space = 1) "
        f"WHERE record = ({MEMORY}) AND space = {WORDS}",
    ),
    "a wrong number of words": damage(
        "the words by which recall finds", f"UPDATE terms SET size = 900 WHERE record = ({MEMORY}) AND space = {WORDS}"
    ),
    "words in the space of code": damage(
        "the words by which recall finds",
        f"UPDATE terms SET space = {CODE_WORDS} WHERE record = ({MEMORY}) AND space = {WORDS}",
    ),
    "cut words of code": damage(
        "the words by which recall finds",
        f"UPDATE terms SET body = substr(body, 1, length(body) - 1) WHERE record = ({SYMBOL}) AND space = {CODE_WORDS}",
    ),
    "a vector without its first window": damage(
        "vectors or sparse terms", f"UPDATE embedding SET view = 7 WHERE record = ({MEMORY})"
    ),
    "a code of another vector": damage(
        "vectors or sparse terms",
        f"UPDATE embedding SET code = (SELECT code FROM embedding AS other WHERE other.record = ({MEMORY}) - 1 LIMIT 1)"
        f" WHERE record = ({MEMORY})",
    ),
    "a short vector": damage(
        "vectors or sparse terms",
        f"UPDATE embedding SET vector = substr(vector, 1, 10) WHERE record = ({MEMORY})",
    ),
    "sparse terms of code for a memory": damage(
        "vectors or sparse terms", f"UPDATE terms SET space = 6 WHERE record = ({MEMORY}) AND space = {SPARSE}"
    ),
    "tags that are no JSON": damage(
        "tags or metadata that cannot be read", f"UPDATE record SET tags = '[\"a' WHERE id = ({MEMORY})"
    ),
    "a trash that is not JSON": damage(
        "rows of trash have body", "UPDATE trash SET body = '{' WHERE id = (SELECT max(id) FROM trash)"
    ),
    "a relation's metadata": damage("rows of edge have metadata", "UPDATE edge SET metadata = '[]'"),
    "a canonical relation": damage(
        "another canonical form",
        "UPDATE edge SET canonical = 'RELATES' WHERE canonical = 'CONTAINS_OBSERVATION' OR 1 = 1",
    ),
    "a uid of another record": damage(
        "1 records have the uid of another one",
        f"UPDATE record SET uid = (SELECT uid FROM record AS other WHERE other.id = ({MEMORY}) - 1) "
        f"WHERE id = ({MEMORY})",
    ),
    "a counter that is behind": damage("the counter of documents and todos", "UPDATE sequence SET last = 1"),
    "a negative access count": damage(
        "access counts are below 1",
        f"INSERT INTO access (record, tenant, count, last) SELECT ({MEMORY}), tenant, -3, 5 "
        f"FROM record WHERE id = ({MEMORY})",
    ),
    "a symbol's tail": damage("by the end of their names", f"UPDATE symbol SET tail = 'x.' WHERE record = ({SYMBOL})"),
    "a symbol that is none": damage(
        "belong to records of another kind",
        f"UPDATE symbol SET record = ({MEMORY}) WHERE record = ({SYMBOL})",
    ),
    "a chunk that is gone": damage(
        "have not all of the text",
        "DELETE FROM record WHERE id = (SELECT min(id) + 1 FROM record WHERE kind = 'chunk')",
    ),
    "a document that is gone": damage("of which chunks are left", "DELETE FROM record WHERE kind = 'document'"),
    "a document in the queue": damage(
        "wait for an embedding that they are not to have",
        "INSERT INTO pending (record, tenant) SELECT id, tenant FROM record WHERE kind = 'document'",
    ),
    "a message on no list": damage(
        "are never linked by meaning",
        f"INSERT INTO setting (tenant, name, value) SELECT tenant, '{QUEUED}', '1' FROM record WHERE id = ({MEMORY})",
        "DELETE FROM pending WHERE late = 2",
    ),
    "a block of another time": damage(
        "sealed at a change that is not in the log", "UPDATE posting_block SET change = 1000000"
    ),
    "a block without the newest words": damage(
        "block of the index is damaged (words)",
        f"UPDATE terms SET size = size + 1 WHERE record = ({MEMORY}) AND space = {WORDS}",
    ),
    "a block of other codes": damage(
        "(vectors)",
        "UPDATE embedding SET vector = "
        f"(SELECT vector FROM embedding AS other WHERE other.record = ({MEMORY}) - 1 LIMIT 1), "
        f"code = (SELECT code FROM embedding AS other WHERE other.record = ({MEMORY}) - 1 LIMIT 1) "
        f"WHERE record = ({MEMORY})",
    ),
    "a replaced record": damage(
        "count as current that a relation replaces",
        "INSERT INTO edge (tenant, source, target, relation, canonical, created) "
        f"SELECT tenant, id, id - 1, 'SUPERSEDES', 'SUPERSEDES', 1 FROM record WHERE id = ({MEMORY})",
    ),
    "a kept answer": damage(
        "answers that are kept for retried calls",
        "INSERT INTO applied (tenant, key, digest, result, time) "
        f"SELECT tenant, 'k', 'd', '{{', 1 FROM record WHERE id = ({MEMORY})",
    ),
}


@pytest.mark.parametrize("name", DAMAGES)
@pytest.mark.sweep(8)
def test_each_damage_is_found_and_mended_at_once(data: Path, name: str):
    planted = DAMAGES[name]
    assert doctor.examine(settings(data)).sound
    sql(data, *planted.statements)
    found = doctor.examine(settings(data))
    assert planted.said in "\n".join(line for line in found.lines if line.startswith("fault: ")), found.lines
    repaired = doctor.repair(settings(data))
    assert repaired.sound, repaired.lines
    assert doctor.examine(settings(data)).sound


def recalled(data: Path, query: str) -> str:
    with opened(data) as ctx:
        hits = call(ctx, "recall_memory", query=query, k=1)
    return hits[0]["content"] if hits else ""


def test_a_text_that_the_trash_has_comes_back(data: Path):
    (before,) = sql(data, "SELECT key, text FROM record WHERE text LIKE 'Deploys were moved%'")
    with opened(data) as ctx:
        call(ctx, "update_memory", id=before[0], content="Deploys are never")
        call(ctx, "update_memory", id=before[0], content=before[1])
    sql(data, "UPDATE record SET text = 'Deploys were mmm' WHERE text LIKE 'Deploys were moved%'")
    assert doctor.repair(settings(data)).sound
    assert sql(data, f"SELECT text FROM record WHERE key = '{before[0]}'") == [(before[1],)]
    assert recalled(data, "marsupial day") == before[1]


@pytest.mark.sqlite("backups of a file")
def test_a_text_that_a_backup_has_comes_back(data: Path):
    from indelible.admin import backups

    with opened(data) as ctx:
        assert backups.daily(ctx) is not None
    sql(data, "UPDATE record SET text = 'lost' WHERE text LIKE 'Deploy 7 of%'")
    assert doctor.repair(settings(data)).sound
    assert recalled(data, "wombat7") == "Deploy 7 of the wombat7 goes out on day7"


def test_a_text_that_nobody_has_is_kept_as_it_is_and_its_record_named(data: Path):
    (key,) = sql(data, "SELECT key FROM record WHERE text LIKE 'Deploy 7 of%'")[0]
    sql(data, f"UPDATE record SET text = 'Deploy seven of the platypus' WHERE key = '{key}'")
    repaired = doctor.repair(settings(data))
    assert f"mended 1 record whose text did not fit its hash ({key})" in repaired.lines
    assert recalled(data, "platypus") == "Deploy seven of the platypus"


def test_a_server_that_runs_finds_what_a_repair_mended(data: Path):
    """It loaded the index while words and a block were wrong."""
    sql(data, f"DELETE FROM terms WHERE space = {WORDS}", "DELETE FROM posting_block")
    with opened(data) as server:
        assert call(server, "recall_memory", query="wombat7", k=1) == []
        assert doctor.repair(settings(data)).sound
        assert call(server, "recall_memory", query="wombat7", k=1)[0]["content"].startswith("Deploy 7")


def test_a_document_that_was_lost_is_made_of_its_chunks(data: Path):
    sql(data, "DELETE FROM record WHERE kind = 'document'")
    assert doctor.repair(settings(data)).sound
    ((label, text),) = sql(data, "SELECT label, text FROM record WHERE kind = 'document'")
    assert label == "handbook.md"
    assert set(HANDBOOK.split()) == set(text.split())


def test_what_a_document_lacks_is_cut_again_and_found(data: Path):
    sql(data, "DELETE FROM record WHERE kind = 'chunk' AND text LIKE '%wombat1 %'")
    assert doctor.repair(settings(data)).sound
    chunks = sql(data, "SELECT text FROM record WHERE kind = 'chunk'")
    assert any("wombat1 of burrow 17" in text for (text,) in chunks)


def test_repair_of_a_sound_store_says_that_nothing_was_to_mend(data: Path):
    lines = doctor.repair(settings(data)).lines
    assert not [line for line in lines if line.startswith(("mended", "indexed", "built", "forgot", "fault"))]


def test_every_check_has_a_name_of_its_own_and_is_in_the_manual():
    from indelible.admin.checks import CHECKS, FIRST

    names = [check.name for check in (*FIRST, *CHECKS)]
    assert len(set(names)) == len(names)
    page = Path(__file__).parents[2] / "docs" / "how-to" / "find-out-what-is-wrong.md"
    text = " ".join(page.read_text(encoding="utf-8").split())
    assert [name for name in names if name not in text] == []
