"""`indelible doctor --repair`: caches are built again; of a damaged file everything readable goes to a new one."""

from __future__ import annotations

import json
import random
import re
import shutil
from collections.abc import Callable
from contextlib import closing
from hashlib import sha256
from pathlib import Path
from typing import Any

import apsw
import pytest

import store_file
from command_line import assert_sound, contents, done, export, indelible, memory, opened
from indelible.core.indexes import partitions, sealing
from indelible.core.records import embedding_queue
from indelible.store.sqlite.connection import FILE
from indelible.store.tables import embeddings
from indelible.store.tables.terms import DENSE, SPARSE, WORDS
from indelible.toolsets import registry
from indelible.toolsets.memory import importing, memories
from made_up_meaning import embed_all, seal_all, with_meaning
from mcp_client import McpClient

pytestmark = pytest.mark.process

RECORDS = 400
PAGE = 4096


@pytest.fixture(scope="module")
def full(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A store with many records, relations, access counts, a sealed block and something in the trash."""
    data = tmp_path_factory.mktemp("full") / "data"
    items = [{"id": f"m{n}", **memory(n), "access_count": n % 3, "edges": edges_of(n)} for n in range(RECORDS)]
    with opened(data) as ctx:
        assert importing.import_items(ctx, items).errors == []
        sealing.seal(ctx.store, partitions.words(), 0)
        memories.update(ctx, "m5", "changed", None)
        memories.delete(ctx, "m6")
    return data


def edges_of(number: int) -> list[dict[str, str]]:
    """A tree: each record leads to the one of half its number."""
    return [{"source": f"m{number}", "target": f"m{number // 2}", "relationship": "LEADS_TO"}] * (number > 0)


@pytest.fixture
def data(full: Path, tmp_path: Path) -> Path:
    """A copy of that store for one test."""
    copy = tmp_path / "data"
    store_file.copy(full, copy)
    return copy


@pytest.fixture(scope="module")
def full_of_meaning(full: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The same with every record embedded, and a sealed block of every space."""
    data = tmp_path_factory.mktemp("meaning") / "data"
    store_file.copy(full, data)
    with opened(data) as ctx:
        embed_all(with_meaning(ctx))
        seal_all(ctx)
    return data


@pytest.fixture
def embedded(full_of_meaning: Path, tmp_path: Path) -> Path:
    """A copy of that store for one test."""
    copy = tmp_path / "embedded"
    store_file.copy(full_of_meaning, copy)
    return copy


def sql(data: Path, *statements: str) -> list[tuple[Any, ...]]:
    """What the statements give."""
    with closing(store_file.opened(data / FILE, write=True)) as connection:
        return [row for statement in statements for row in connection.execute(statement)]


def found(data: Path, number: int) -> bool:
    with opened(data) as ctx:
        hits = registry.call(ctx, registry.find_tool("recall_memory"), {"query": f"queue{number}", "k": 1}).value
    return [hit["content"] for hit in hits] == [memory(number)["content"]]


# --- Caches ---

LOST: dict[str, tuple[str, ...]] = {
    "all words": ("DELETE FROM terms", "DELETE FROM posting_block"),
    "some words": ("DELETE FROM terms WHERE record % 7 = 1", "DELETE FROM posting_block"),
    "all words but the sealed ones": ("DELETE FROM terms",),
    "a spoilt block": ("UPDATE posting_block SET body = substr(body, 100, 500)",),
    "an empty block": ("UPDATE posting_block SET body = substr(body, 1, 0)",),
    "a cut block": ("UPDATE posting_block SET body = substr(body, 1, length(body) / 2)",),
}


@pytest.mark.parametrize("lost", LOST)
@pytest.mark.sweep(2)
def test_the_index_is_built_again_whatever_was_lost_of_it(data: Path, lost: str):
    before = export(data)
    sql(data, *LOST[lost])
    examined = indelible("doctor", data=data)
    assert examined.returncode == 1
    assert b"fault: " in examined.stdout
    assert b"indelible doctor --repair" in examined.stdout
    assert b"Traceback" not in examined.stderr
    repaired = done("doctor", "--repair", data=data)
    assert "the store is sound" in repaired
    assert re.search(r"indexed [\d,]+ records again|built the index again", repaired)
    assert "the store is sound" in done("doctor", data=data)
    assert export(data) == before
    assert all(found(data, number) for number in (0, 1, 8, RECORDS // 2, RECORDS - 1))


def test_a_block_that_was_only_lost_is_no_fault(data: Path):
    sql(data, "DELETE FROM posting_block")
    assert "the store is sound" in done("doctor", data=data)
    assert found(data, 77)


def test_repair_of_a_sound_store_changes_nothing_in_it(data: Path):
    before = export(data)
    assert "the store is sound" in done("doctor", "--repair", data=data)
    assert export(data) == before
    assert not list((data / "backups").glob("salvaged*")) if (data / "backups").exists() else True


def test_repair_beside_a_running_server_is_seen_by_it(data: Path):
    with McpClient(data) as client:
        assert client.call("recall_memory", {"query": "queue77", "k": 1})
        sql(data, "DELETE FROM terms", "DELETE FROM posting_block")
        done("doctor", "--repair", data=data)
        client.call("store_memory", {"content": "stored after the repair"})
        assert client.call("recall_memory", {"query": "queue77", "k": 1})[0]["id"] == "m77"
        assert client.call("recall_memory", {"query": "stored after the repair", "k": 1})
    assert_sound(data)


# --- Embeddings ---


def test_what_only_waits_for_its_embedding_is_no_fault(data: Path):
    assert f"embedded: 0, pending: {RECORDS - 1:,}\nthe store is sound" in done("doctor", data=data)
    with opened(data) as ctx:
        assert embedding_queue.work_off(with_meaning(ctx)) == embedding_queue.BATCH
    said = f"embedded: {embedding_queue.BATCH}, pending: {RECORDS - 1 - embedding_queue.BATCH:,}\nthe store is sound"
    assert said in done("doctor", data=data)
    assert said in done("doctor", "--repair", data=data)


PARTS = {WORDS: "words", SPARSE: "sparse terms", DENSE: "vectors"}


@pytest.mark.parametrize("space", PARTS)
@pytest.mark.sweep(1)
def test_a_damaged_block_of_any_space_is_named_and_embeddings_survive_its_repair(embedded: Path, space: int):
    kept = "SELECT * FROM embedding ORDER BY record, view", "SELECT * FROM terms ORDER BY record, space"
    before = sql(embedded, *kept)
    sql(embedded, f"UPDATE posting_block SET body = substr(body, 1, length(body) / 2) WHERE space = {space}")
    said = indelible("doctor", data=embedded).stdout.decode()
    assert f"fault: 1 block of the index is damaged ({PARTS[space]}); `indelible doctor --repair`" in said
    assert said.count("fault: ") == 1
    assert "the store is sound" in done("doctor", "--repair", data=embedded)
    assert f"embedded: {RECORDS - 1:,}, pending: 0\nthe store is sound" in done("doctor", data=embedded)
    assert sql(embedded, *kept) == before


def test_records_whose_vectors_were_lost_are_embedded_again_after_a_repair(embedded: Path):
    sql(embedded, "DELETE FROM embedding WHERE record % 3 = 0")
    ((left,),) = sql(embedded, "SELECT count(DISTINCT record) FROM embedding")
    lost = RECORDS - 1 - left
    said = indelible("doctor", data=embedded).stdout.decode()
    assert f"fault: {lost} records are never embedded; `indelible doctor --repair` puts them on the list" in said
    assert f"fault: {RECORDS - 1} of {left} records of made up are indexed" in said  # the sealed block has all
    assert "fault: 2 blocks of the index are damaged (sparse terms, vectors)" in said
    repaired = done("doctor", "--repair", data=embedded)
    assert f"embedded: {left:,}, pending: {lost:,}\nthe store is sound" in repaired
    with opened(embedded) as ctx:
        embed_all(with_meaning(ctx))
    assert f"embedded: {RECORDS - 1:,}, pending: 0\nthe store is sound" in done("doctor", data=embedded)


def test_embeddings_of_several_models_are_sound_side_by_side(embedded: Path):
    sql(
        embedded,
        "DELETE FROM pending WHERE record % 2 = 0",
        "INSERT INTO pending (record, tenant) SELECT id, tenant FROM record WHERE id % 2 = 0",
    )
    with opened(embedded) as ctx:
        embed_all(with_meaning(ctx, "another model", terms=False))
        seal_all(ctx)
        with ctx.store.read() as tx:
            by_model = embeddings.count_by_model(tx)
            assert set(by_model) == {"made up", "another model"}
    counts = ", ".join(f"{count:,} by {model}" for model, count in by_model.items())
    assert f"embedded: {RECORDS - 1:,} ({counts}), pending: 0\nthe store is sound" in done("doctor", data=embedded)


@pytest.mark.sqlite("salvage of a damaged file")
def test_what_is_salvaged_waits_for_its_embedding(embedded: Path):
    overwrite(embedded / FILE, pages_of(embedded, "record")[20], noise)
    file, _ = salvaged(embedded)
    restored(embedded, file)
    assert sql(embedded, "SELECT DISTINCT space FROM terms") == [(WORDS,)]
    done("doctor", "--repair", data=embedded)
    kept = len(contents(embedded))
    assert RECORDS * 0.9 < kept < RECORDS
    assert f"embedded: 0, pending: {kept:,}\nthe store is sound" in done("doctor", data=embedded)
    with opened(embedded) as ctx:
        embed_all(with_meaning(ctx))
    assert_sound(embedded)


# --- A damaged file ---


def pages_of(data: Path, table: str) -> list[int]:
    """The numbers of the leaf pages of a table, in their order in the table."""
    connection = apsw.Connection(str(data / FILE))
    rows = connection.execute(
        "SELECT pageno FROM dbstat WHERE name = ? AND pagetype = 'leaf' ORDER BY path", (table,)
    ).fetchall()
    connection.close()
    return [page for (page,) in rows]


def overwrite(path: Path, page: int, new: Callable[[bytes], bytes]) -> None:
    with path.open("r+b") as file:
        file.seek((page - 1) * PAGE)
        content = new(file.read(PAGE))
        assert len(content) == PAGE
        file.seek((page - 1) * PAGE)
        file.write(content)


def noise(old: bytes) -> bytes:
    return random.Random(7).randbytes(PAGE)


def zeros(old: bytes) -> bytes:
    return bytes(PAGE)


def noise_behind_the_header(old: bytes) -> bytes:
    """The page still says that it is a leaf with so many cells; what they hold is noise."""
    cells = int.from_bytes(old[3:5], "big")
    kept = 8 + 2 * cells
    return old[:kept] + random.Random(8).randbytes(PAGE - kept)


def wrong_bytes_in_texts(old: bytes) -> bytes:
    """The page is sound for SQLite, but some of its texts are no UTF-8 any more."""
    return old.replace(b"drained", b"dr\xff\xfened")


SPOILING = (noise, zeros, noise_behind_the_header)
WHICH = ("middle", "first", "last", "every fifth")
# Each place and each kind of damage once; a full run has every kind at every place.
PLAIN = {("middle", noise), ("first", zeros), ("last", noise_behind_the_header), ("every fifth", noise)}


def salvaged(data: Path) -> tuple[Path, str]:
    """Repair; (the new file, what was said). The damaged files stay as they are, byte for byte."""
    before = digests(data)
    ran = indelible("doctor", "--repair", data=data)
    said = ran.stdout.decode()
    assert (ran.returncode, ran.stderr) == (1, b"")  # the store itself is not mended
    assert digests(data) == before
    (file,) = (data / "backups").glob("salvaged-*.db")
    assert str(file) in said
    assert f"indelible restore {file}" in said
    return file, said


def digests(data: Path) -> dict[str, str]:
    names = (FILE, f"{FILE}-wal")
    contents = {name: (data / name).read_bytes() for name in names if (data / name).exists()}
    return {name: sha256(content).hexdigest() for name, content in contents.items() if content}


def restored(data: Path, file: Path) -> Path:
    """Do what the doctor advises: move the damaged file away, restore the new one."""
    for name in (FILE, f"{FILE}-wal", f"{FILE}-shm"):
        if (data / name).exists():
            (data / name).rename(data / f"damaged-{name}")
    done("restore", file, data=data)
    return data


@pytest.mark.parametrize(
    ("which", "spoil"),
    [
        pytest.param(which, spoil, marks=() if (which, spoil) in PLAIN else pytest.mark.full)
        for which in WHICH
        for spoil in SPOILING
    ],
    ids=lambda part: part if isinstance(part, str) else part.__name__,
)
@pytest.mark.sqlite("salvage of a damaged file")
@pytest.mark.sweep(1)
def test_what_can_be_read_of_a_damaged_file_goes_to_a_new_one(data: Path, which: str, spoil: Callable[[bytes], bytes]):
    wanted = {json.loads(line)["id"]: json.loads(line) for line in export(data).splitlines()}
    leaves = pages_of(data, "record")
    picked = {"middle": leaves[20:23], "first": leaves[:1], "last": leaves[-1:], "every fifth": leaves[::5]}[which]
    for page in picked:
        overwrite(data / FILE, page, spoil)
    examined = indelible("doctor", data=data)
    assert examined.returncode == 1
    assert b"doctor --repair" in examined.stdout
    file, said = salvaged(data)
    got = re.search(r"record: ([\d,]+) rows saved", said)
    assert got is not None
    saved = int(got[1].replace(",", ""))
    assert RECORDS * (1 - len(picked) / len(leaves)) * 0.9 <= saved < RECORDS
    after = {json.loads(line)["id"]: json.loads(line) for line in export(restored(data, file)).splitlines()}
    assert len(after) == saved
    for key, record in after.items():
        kept = [edge for edge in wanted[key]["edges"] if edge["target"] in after]
        assert record == {**wanted[key], "edges": kept}
    done("doctor", "--repair", data=data)
    assert_sound(data)


@pytest.mark.sqlite("salvage of a damaged file")
def test_all_that_was_salvaged_is_found_by_words_at_once(data: Path):
    """Its words were on another page than the record, and lost: nobody repairs a second time."""
    for page in pages_of(data, "terms")[2:5]:
        overwrite(data / FILE, page, noise)
    file, said = salvaged(data)
    assert re.search(r"indexed [\d,]+ records again", said)
    restored(data, file)
    assert_sound(data)
    numbers = [number for number in range(RECORDS) if number not in (5, 6)]
    assert all(found(data, number) for number in numbers[::100])


@pytest.mark.sqlite("salvage of a damaged file")
def test_a_text_that_is_no_utf8_any_more_does_not_stop_the_salvage(data: Path):
    leaves = pages_of(data, "record")
    overwrite(data / FILE, leaves[10], wrong_bytes_in_texts)
    overwrite(data / FILE, leaves[30], noise)
    file, said = salvaged(data)
    assert "unreadable" in said
    done("doctor", "--repair", data=restored(data, file))
    assert RECORDS * 0.9 < len(contents(data)) < RECORDS
    assert_sound(data)


BESIDE = ["edge", "terms", "access", "trash", "change", "sqlite_autoindex_record_1", "embedding", "pending", "model"]


@pytest.mark.parametrize("table", BESIDE)
@pytest.mark.sqlite("salvage of a damaged file")
@pytest.mark.sweep(2)
def test_damage_beside_the_records_costs_no_record(request: pytest.FixtureRequest, table: str):
    data: Path = request.getfixturevalue("embedded" if table in ("embedding", "model") else "data")
    wanted = {json.loads(line)["id"]: json.loads(line)["content"] for line in export(data).splitlines()}
    for page in pages_of(data, table)[:3]:
        overwrite(data / FILE, page, noise)
    file, _ = salvaged(data)
    done("doctor", "--repair", data=restored(data, file))
    after = {json.loads(line)["id"]: json.loads(line)["content"] for line in export(data).splitlines()}
    assert after == wanted
    assert_sound(data)
    assert found(data, 77)


@pytest.mark.sqlite("salvage of a damaged file")
def test_the_log_beside_a_damaged_file_is_read_and_left_as_it_is(data: Path):
    copy = data.parent / "crashed"
    copy.mkdir(mode=0o700)
    with McpClient(data) as client:
        for number in range(20):
            client.call("store_memory", memory(number, "late"))
        for name in (FILE, f"{FILE}-wal"):  # as a crash leaves them
            shutil.copyfile(data / name, copy / name)
    assert (copy / f"{FILE}-wal").stat().st_size > 0
    overwrite(copy / FILE, pages_of(data, "record")[20], noise)
    file, _ = salvaged(copy)
    after = contents(restored(copy, file))
    assert {memory(number, "late")["content"] for number in range(20)} <= after


@pytest.mark.sqlite("salvage of a damaged file")
def test_a_file_without_a_readable_schema_is_refused_with_the_remedy(data: Path):
    overwrite(data / FILE, 1, noise)
    before = digests(data)
    ran = indelible("doctor", "--repair", data=data)
    said = (ran.stdout + ran.stderr).decode()
    assert ran.returncode == 1
    assert "Traceback" not in said
    assert "indelible restore" in said
    assert digests(data) == before


@pytest.mark.sqlite("salvage of a damaged file")
def test_a_cut_file_is_salvaged_as_far_as_it_goes(data: Path):
    content = (data / FILE).read_bytes()
    (data / FILE).write_bytes(content[: len(content) * 9 // 10 // PAGE * PAGE])
    file, _ = salvaged(data)
    done("doctor", "--repair", data=restored(data, file))
    assert len(contents(data)) > RECORDS // 2
    assert_sound(data)


@pytest.mark.sqlite("salvage of a damaged file")
def test_ids_of_lost_records_are_not_given_to_new_ones(data: Path):
    # The trash and the logs of others name rows by their ids.
    leaves = pages_of(data, "record")
    overwrite(data / FILE, leaves[-1], noise)
    file, _ = salvaged(data)
    restored(data, file)
    with opened(data) as ctx:
        memories.store(ctx, memories.NewMemory("new"))
    connection = apsw.Connection(str(data / FILE))
    assert connection.execute("SELECT id FROM record WHERE text = 'new'").fetchall() == [(RECORDS + 1,)]
    connection.close()
