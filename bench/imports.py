"""Is what `indelible import` took found as well as what store_memory stored? Recall@10 of 50 questions.

    python bench/imports.py                 every source below; --sources codemem,mem0 only these

The texts are those of tests/golden/memories.jsonl with made-up ones to 500, the questions those of
confidence_questions.json that they answer. Each source is written as its tool keeps it (to its schema), imported by the
command into a store of its own, and asked with recall_memory; the baseline stores the same texts with store_memory.
Exit code 1 where a source finds fewer.
"""

import argparse
import json
import os
import sqlite3
import subprocess
import sys
import tempfile
from collections.abc import Callable, Sequence
from contextlib import closing
from pathlib import Path

from indelible import open_memory

HERE = Path(__file__).parent
MEMORIES = HERE.parent / "tests" / "golden" / "memories.jsonl"
QUESTIONS = HERE / "confidence_questions.json"
ENTRIES, ASKED, RANKS = 500, 50, 10
WHEN = "2026-01-01T00:00:00+00:00"

Write = Callable[[Path, Sequence[str]], Path]


def main() -> int:
    """Print recall@10 of each source and of store_memory."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--sources", default=",".join(SOURCES), help="separated by commas; default: %(default)s")
    asked = parser.parse_args().sources.split(",")
    texts, questions = _texts(), json.loads(QUESTIONS.read_text())["answered"][:ASKED]
    with tempfile.TemporaryDirectory(prefix="indelible-imports-") as folder:
        stored = _recall(_stored(Path(folder) / "stored", texts), questions)
        print(f"{'store_memory':20} {stored:.3f}")
        worse = 0
        for name in asked:
            found = _recall(_imported(Path(folder) / name, name, texts), questions)
            print(f"{name:20} {found:.3f}")
            worse += found < stored
    return 1 if worse else 0


def _texts() -> list[str]:
    own = [json.loads(line)["content"] for line in MEMORIES.read_text().splitlines()]
    places = ("gateway", "billing job", "mail relay", "image resizer", "search indexer")
    more = [f"The {places[n % 5]} of site {n} runs on host {n * 7 % 89} in rack {n % 11}." for n in range(ENTRIES)]
    return [*own, *more][:ENTRIES]


def _stored(place: Path, texts: Sequence[str]) -> Path:
    with open_memory(place / "data", project="bench") as memory:
        for text in texts:
            memory.store_memory(content=text)
    _embed(place / "data")
    return place / "data"


def _imported(place: Path, name: str, texts: Sequence[str]) -> Path:
    place.mkdir()
    path = SOURCES[name](place, texts)
    _command("import", "--from", name, str(path), "--data", str(place / "data"), "--project", "bench")
    _embed(place / "data")
    return place / "data"


def _embed(data: Path) -> None:
    _command("reembed", "--wait", "--data", str(data))


def _command(*arguments: str) -> None:
    subprocess.run([sys.executable, "-m", "indelible", *arguments], check=True, env=os.environ, capture_output=True)


def _recall(data: Path, questions: Sequence[tuple[str, str]]) -> float:
    """Return the share of questions of which the answering text is among the first ten hits."""
    with open_memory(data, project="bench") as memory:
        found = [
            any(answer in hit["content"] for hit in memory.recall_memory(query=question, k=RANKS, namespace=None))
            for question, answer in questions
        ]
    return sum(found) / len(found)


def _database(path: Path, script: str, row: str, rows: Sequence[tuple[object, ...]]) -> Path:
    with closing(sqlite3.connect(path)) as connection, connection:
        connection.executescript(script)
        connection.executemany(row, rows)
    return path


def _codemem(place: Path, texts: Sequence[str]) -> Path:
    script = """CREATE TABLE memories (id TEXT PRIMARY KEY, content TEXT NOT NULL, memory_type TEXT NOT NULL,
        namespace TEXT, created_at INTEGER NOT NULL, updated_at INTEGER NOT NULL)"""
    rows = [(f"m-{n}", text, 1_760_000_000 + n, 1_760_000_000 + n) for n, text in enumerate(texts)]
    return _database(place / "c.db", script, "INSERT INTO memories VALUES (?, ?, 'context', 'bench', ?, ?)", rows)


def _service(place: Path, texts: Sequence[str]) -> Path:
    script = """CREATE TABLE memories (id INTEGER PRIMARY KEY, content_hash TEXT UNIQUE NOT NULL, content TEXT NOT NULL,
        tags TEXT, memory_type TEXT, metadata TEXT, created_at REAL, deleted_at REAL)"""
    row = "INSERT INTO memories (content_hash, content, created_at) VALUES (?, ?, 1760000000.0)"
    return _database(place / "s.db", script, row, [(f"h{n}", text) for n, text in enumerate(texts)])


def _mem0(place: Path, texts: Sequence[str]) -> Path:
    script = """CREATE TABLE history (id TEXT PRIMARY KEY, memory_id TEXT, old_memory TEXT, new_memory TEXT, event TEXT,
        created_at DATETIME, updated_at DATETIME, is_deleted INTEGER, actor_id TEXT, role TEXT)"""
    row = f"INSERT INTO history VALUES (?, ?, NULL, ?, 'ADD', '{WHEN}', NULL, 0, NULL, NULL)"
    return _database(place / "history.db", script, row, [(f"e{n}", f"i{n}", text) for n, text in enumerate(texts)])


def _claude_memory(place: Path, texts: Sequence[str]) -> Path:
    folder = place / "projects" / "-bench" / "memory"
    folder.mkdir(parents=True)
    for n, text in enumerate(texts):
        (folder / f"fact_{n}.md").write_text(f"---\nname: fact {n}\nmetadata:\n  type: project\n---\n{text}\n")
    return folder


def _serena(place: Path, texts: Sequence[str]) -> Path:
    folder = place / ".serena" / "memories"
    folder.mkdir(parents=True)
    for n, text in enumerate(texts):
        (folder / f"fact_{n}.md").write_text(text)
    return folder


SOURCES: dict[str, Write] = {
    "codemem": _codemem,
    "mcp-memory-service": _service,
    "mem0": _mem0,
    "claude-memory": _claude_memory,
    "serena": _serena,
}


if __name__ == "__main__":
    sys.exit(main())
