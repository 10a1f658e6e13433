"""`bench/largest.py` copies the rows that the product would write, goes on where it was stopped, and says what grew."""

import json
import subprocess
import sys
from contextlib import closing
from pathlib import Path

import complete
import filling
import largest
import largest_fill
import largest_report
import psycopg
import pytest

import on_postgres
from indelible.core.indexes import sealing
from indelible.embed.local import MODEL
from indelible.store.postgres.database import open_postgres
from indelible.store.tables import settings

ROOT = Path(__file__).parents[2]

pytestmark = [
    pytest.mark.process,
    pytest.mark.one_server("about bench/largest.py, which copies into one server as its administrator"),
]
UNTIL = 1_790_000_000_000_000
COUNT = 300  # records of a piece
# Columns that are of the moment, or drawn anew by each writer.
OF_THE_MOMENT = {"record": {"known", "uid"}, "change": {"time"}, "posting_block": set(), "model": set()}
TABLES = ("record", "terms", "embedding", "change", "pending", "record_number", "posting_block", "model", "edge")


@pytest.fixture(scope="module")
def topics(tmp_path_factory):
    path = tmp_path_factory.mktemp("topics") / "topics.npz"
    complete.meaningless(50).save(path)
    return path


@pytest.fixture
def new_database(administrator):
    """A database: the URL of its owner, and of the administrator."""

    def made():
        url = on_postgres.database(administrator)
        return url, url.replace(f"//{on_postgres.ROLE}@", "//postgres@")

    return made


def rows(admin, tenant):
    """All rows of a tenant, by table, without what is of the moment."""
    found = {}
    with psycopg.connect(admin) as connection:
        for table in TABLES:
            cursor = connection.execute(f"SELECT * FROM {table} WHERE tenant = {tenant}")
            names = [column.name for column in cursor.description]
            kept = [n for n, name in enumerate(names) if name not in OF_THE_MOMENT.get(table, ())]
            found[table] = sorted(tuple(row[n] for n in kept) for row in cursor.fetchall())
    return found


@pytest.mark.slow
def test_what_is_copied_is_what_the_product_writes(new_database, topics, monkeypatch):
    monkeypatch.setattr(sealing, "SEAL_AFTER", COUNT // 2)
    written_url, written = new_database()
    with closing(open_postgres(written_url)) as store:
        filling.put_all(store, iter([complete.batch(topics, 0, COUNT, UNTIL, largest_fill.LARGE)]), COUNT)
        for partition, block in sealing.blocks_due(store):
            sealing.seal(store, partition, block)

    copied_url, copied = new_database()
    largest_fill.prepare(copied_url, [largest_fill.LARGE])
    piece = largest_fill.Piece(largest_fill.LARGE, 0, COUNT)
    assert largest_fill.copy(copied, topics, UNTIL, piece) == COUNT
    assert largest_fill.seal(copied_url, largest_fill.LARGE) == 3  # words, sparse terms, vectors

    ours, theirs = rows(copied, largest_fill.LARGE), rows(written, largest_fill.LARGE)
    assert theirs.pop("record_number") == []  # whoever wrote those says it afterwards
    assert [row[:2] for row in ours.pop("record_number")] == [(largest_fill.LARGE, COUNT)]
    assert {table: len(each) for table, each in ours.items()} == {table: len(each) for table, each in theirs.items()}
    assert ours == theirs
    assert len(ours["change"]) == 2 * COUNT
    with closing(open_postgres(copied_url)) as store, store.read() as tx:
        assert settings.find(tx, "tokenizer") is not None


@pytest.mark.slow
def test_a_piece_is_copied_once_and_the_log_goes_on_after_the_last_one(new_database, topics):
    url, admin = new_database()
    largest_fill.prepare(url, [1, 2])
    pieces = [largest_fill.Piece(2, 0, 40), largest_fill.Piece(1, 0, 20), largest_fill.Piece(2, 40, 20)]
    assert [largest_fill.copy(admin, topics, UNTIL, piece) for piece in pieces] == [40, 20, 20]
    assert [largest_fill.copy(admin, topics, UNTIL, piece) for piece in pieces] == [0, 0, 0]
    found = rows(admin, 2)
    assert [row[0] for row in found["record"]] == list(range(1, 61))
    assert sorted(row[0] for row in found["change"]) == list(range(1, 121))
    assert [row[:2] for row in found["record_number"]] == [(2, 60)]
    with closing(open_postgres(url, tenant=2)) as store, store.read() as tx:
        assert tx.run("embeddings.model", name=MODEL)


def test_pieces_are_all_records_of_all_tenants_the_large_one_spread_among_the_others():
    sizes = largest_fill.sizes(1_000_003, 12, 300_000)
    assert sizes[largest_fill.LARGE] == 300_000
    assert sum(sizes.values()) == 1_000_003
    assert max(sizes[n] for n in range(2, 13)) - min(sizes[n] for n in range(2, 13)) <= 1
    pieces = largest_fill.pieces(1_000_003, 12, 300_000)
    for tenant, size in sizes.items():
        own = [piece for piece in pieces if piece.tenant == tenant]
        assert [piece.first for piece in own] == list(range(0, size, complete.BATCH))
        assert sum(piece.count for piece in own) == size
    half = pieces[: len(pieces) // 2]
    assert 0.4 < sum(piece.count for piece in half if piece.tenant == largest_fill.LARGE) / 300_000 < 0.6


def test_the_table_of_growth_has_bytes_a_record_at_each_point_the_largest_first():
    points = [
        {"records": 10, "objects": {"record": 1000, "record / record_key": 500, "tiny": 0}},
        {"records": 100, "objects": {"record": 10_000, "record / record_key": 20_000, "tiny": 10}},
    ]
    lines = largest_report.growth(points).splitlines()
    assert lines[2:] == [
        "| record / record_key | 50.0 | 200.0 | 4.00 | 0 |",
        "| record | 100.0 | 100.0 | 1.00 | 0 |",
        "| all others | 0.0 | 0.1 |  | 0 |",
        "| all | 150.0 | 300.1 | 2.00 | 0 |",
    ]


def test_a_folder_with_a_store_of_another_size_is_refused(tmp_path):
    (tmp_path / largest.STATE).write_text(json.dumps({"size": [100, 2, 50], "points": [], "notes": {}}))
    command = [sys.executable, ROOT / "bench" / "largest.py", "--folder", tmp_path, "--records", "200", "--large", "50"]
    done = subprocess.run([*command, "--tenants", "2"], capture_output=True, text=True, check=False)
    assert done.returncode == 1
    assert "[100, 2, 50]" in done.stderr


@pytest.mark.full
def test_a_small_run_has_every_figure(tmp_path):
    page = tmp_path / "page.md"
    page.write_text("<!-- largest -->\n<!-- /largest -->\n")
    sizes = ["--records", "2000", "--tenants", "3", "--large", "1000"]
    command = [sys.executable, ROOT / "bench" / "largest.py", *sizes, "--write", page]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    written = page.read_text()
    assert "| table / index | bytes a record at" in written
    for what in (
        "fill to 2,000 records",
        "the tenant of 1,000: store_memory",
        "a tenant of 500: recall_memory",
        "VACUUM",
    ):
        assert what in written
