"""Is what `indelible import` took found as well as what store_memory stored? Recall@10 of 50 questions.

    python bench/imports.py --locomo locomo.json     500 turns of a conversation and questions about them
    python bench/imports.py                          the texts of tests/golden/memories.jsonl, made-up ones to 500
    python bench/imports.py --sources codemem,mem0   only these; default: all

Each source is written as its tool keeps it (to its schema), imported by the command into a store of its own, and asked
with recall_memory; the baseline stores the same texts with store_memory, with the headings where a source has them in
its texts. What a source says of times is of today, a second apart, as what store_memory stores: how old a memory is
counts in its rank, and which of two is the newer. The first set has words in common with its questions only here and
there; of the second nearly every answer is found. LoCoMo (CC BY-NC 4.0) is not in the tree:
https://github.com/snap-research/locomo. Exit code 1 where a source finds less.
"""

import argparse
import json
import os
import re
import sqlite3
import subprocess
import sys
import tempfile
from collections.abc import Callable, Sequence
from contextlib import closing
from datetime import UTC, datetime
from pathlib import Path

from indelible import open_memory

HERE = Path(__file__).parent
MEMORIES = HERE.parent / "tests" / "golden" / "memories.jsonl"
QUESTIONS = HERE / "confidence_questions.json"
ENTRIES, ASKED, RANKS = 500, 50, 10
NOW = datetime.now(UTC).replace(microsecond=0)
FIRST = int(NOW.timestamp()) - ENTRIES  # of the first entry
HEADED = ("instructions",)  # sources in whose texts the headings are

Write = Callable[[Path, Sequence[str]], Path]
Question = tuple[str, set[str]]  # and the texts that answer it


def main() -> int:
    """Print recall@10 of each source and of store_memory."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--sources", default=",".join(SOURCES), help="separated by commas; default: %(default)s")
    parser.add_argument("--locomo", type=Path, metavar="FILE", help="LoCoMo's conversations")
    given = parser.parse_args()
    asked = given.sources.split(",")
    texts, questions = _of_locomo(given.locomo) if given.locomo else _own_set()
    with tempfile.TemporaryDirectory(prefix="indelible-imports-") as folder:
        stored: dict[bool, float] = {}
        worse = 0
        for name in asked:
            headed = name in HEADED
            if headed not in stored:
                kept = [_headed(n, text) if headed else text for n, text in enumerate(texts)]
                stored[headed] = _recall(_stored(Path(folder) / f"stored-{headed}", kept), questions)
            found = _recall(_imported(Path(folder) / name, name, texts), questions)
            print(f"{name:20} {found:.3f}  store_memory {stored[headed]:.3f}", flush=True)
            worse += found < stored[headed]
    return 1 if worse else 0


def _of_locomo(path: Path) -> tuple[list[str], list[Question]]:
    """Return the first turns of the longest conversation, and questions whose evidence is all among them."""
    sample = max(json.loads(path.read_text()), key=lambda each: len(json.dumps(each["conversation"])))
    turns = [turn for part in sample["conversation"].values() if isinstance(part, list) for turn in part]
    by_id = {turn["dia_id"]: f"{turn['speaker']}: {turn['text']}" for turn in turns}
    texts = list(dict.fromkeys(" ".join(text.split()) for text in by_id.values()))[:ENTRIES]
    known = set(texts)
    found = []
    for each in sample["qa"]:
        ids = re.findall(r"D\d+:\d+", " ".join(each.get("evidence", [])))
        answers = {" ".join(by_id.get(id_, "").split()) for id_ in ids}
        if answers and answers <= known:
            found.append((each["question"], answers))
    return texts, found[:ASKED]


def _own_set() -> tuple[list[str], list[Question]]:
    questions = json.loads(QUESTIONS.read_text())["answered"][:ASKED]
    return _texts(), [(question, {answer}) for question, answer in questions]


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


def _recall(data: Path, questions: Sequence[Question]) -> float:
    """Return the share of the answering texts that are among the first ten hits, on average over the questions."""
    found = []
    with open_memory(data, project="bench") as memory:
        for question, answers in questions:
            hits = [hit["content"] for hit in memory.recall_memory(query=question, k=RANKS, namespace=None)]
            found.append(sum(any(answer in hit for hit in hits) for answer in answers) / len(answers))
    return sum(found) / len(found)


def _database(path: Path, script: str, row: str, rows: Sequence[tuple[object, ...]]) -> Path:
    with closing(sqlite3.connect(path)) as connection, connection:
        connection.executescript(script)
        connection.executemany(row, rows)
    return path


def _codemem(place: Path, texts: Sequence[str]) -> Path:
    script = """CREATE TABLE memories (id TEXT PRIMARY KEY, content TEXT NOT NULL, memory_type TEXT NOT NULL,
        namespace TEXT, created_at INTEGER NOT NULL, updated_at INTEGER NOT NULL)"""
    rows = [(f"m-{n}", text, FIRST + n, FIRST + n) for n, text in enumerate(texts)]
    return _database(place / "c.db", script, "INSERT INTO memories VALUES (?, ?, 'context', 'bench', ?, ?)", rows)


def _service(place: Path, texts: Sequence[str]) -> Path:
    script = """CREATE TABLE memories (id INTEGER PRIMARY KEY, content_hash TEXT UNIQUE NOT NULL, content TEXT NOT NULL,
        tags TEXT, memory_type TEXT, metadata TEXT, created_at REAL, deleted_at REAL)"""
    row = "INSERT INTO memories (content_hash, content, created_at) VALUES (?, ?, ?)"
    return _database(place / "s.db", script, row, [(f"h{n}", text, FIRST + n) for n, text in enumerate(texts)])


def _mem0(place: Path, texts: Sequence[str]) -> Path:
    script = """CREATE TABLE history (id TEXT PRIMARY KEY, memory_id TEXT, old_memory TEXT, new_memory TEXT, event TEXT,
        created_at DATETIME, updated_at DATETIME, is_deleted INTEGER, actor_id TEXT, role TEXT)"""
    row = "INSERT INTO history VALUES (?, ?, NULL, ?, 'ADD', ?, NULL, 0, NULL, NULL)"
    rows = [(f"e{n}", f"i{n}", text, _time(n).isoformat()) for n, text in enumerate(texts)]
    return _database(place / "history.db", script, row, rows)


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


def _notes(texts: Sequence[str]) -> str:
    return "\n\n".join(f"## Note {n}\n\n{text}" for n, text in enumerate(texts))


def _headed(number: int, text: str) -> str:
    """Return a text as it is taken from a file of instructions, where its heading belongs to it."""
    return f"Note {number}\n{text}"


def _time(number: int) -> datetime:
    return datetime.fromtimestamp(FIRST + number, UTC)


def _instructions(place: Path, texts: Sequence[str]) -> Path:
    (place / "CLAUDE.md").write_text(_notes(texts))
    return place / "CLAUDE.md"


def _codex(place: Path, texts: Sequence[str]) -> Path:
    (place / "memories").mkdir()
    (place / "memories" / "MEMORY.md").write_text(f"# Task Group: bench\n\n{_notes(texts)}")
    return place / "memories"


def _ltmc(place: Path, texts: Sequence[str]) -> Path:
    script = """CREATE TABLE Resources (id INTEGER PRIMARY KEY, file_name TEXT, type TEXT, created_at TEXT);
        CREATE TABLE ResourceChunks (id INTEGER PRIMARY KEY, resource_id INTEGER, chunk_text TEXT, vector_id INTEGER)"""
    resources = [(n, f"note_{n}.md", _time(n).isoformat()) for n in range(1, len(texts) + 1)]
    _database(place / "ltmc.db", script, "INSERT INTO Resources VALUES (?, ?, 'document', ?)", resources)
    rows = [(n, n, text, n) for n, text in enumerate(texts, 1)]
    return _database(place / "ltmc.db", "", "INSERT INTO ResourceChunks VALUES (?, ?, ?, ?)", rows)


def _numbered(texts: Sequence[str]) -> list[tuple[object, ...]]:
    return [(n, text, n) for n, text in enumerate(texts, 1)]


def _basic_memory(place: Path, texts: Sequence[str]) -> Path:
    (place / "notes").mkdir()
    for n, text in enumerate(texts):
        (place / "notes" / f"note_{n}.md").write_text(f"---\ntitle: Note {n}\n---\n\n{text}\n")
    return place / "notes"


def _claude_mem(place: Path, texts: Sequence[str]) -> Path:
    script = """CREATE TABLE observations (id INTEGER PRIMARY KEY, project TEXT, type TEXT, title TEXT, narrative TEXT,
        created_at_epoch INTEGER)"""
    row = f"INSERT INTO observations VALUES (?, 'bench', 'discovery', NULL, ?, {FIRST}000 + ?)"
    return _database(place / "claude-mem.db", script, row, _numbered(texts))


def _specstory(place: Path, texts: Sequence[str]) -> Path:
    (place / "history").mkdir()
    marks = [f"_**{('User (', 'Agent (model ')[n % 2]}{_time(n):%Y-%m-%d %H:%M:%SZ})**_" for n in range(len(texts))]
    said = "\n\n---\n\n".join(f"{mark}\n\n{text}" for mark, text in zip(marks, texts, strict=True))
    (place / "history" / f"{NOW:%Y-%m-%d_%H-%MZ}-talk.md").write_text(f"# Talk\n\n{said}\n")
    return place / "history"


SOURCES: dict[str, Write] = {
    "claude-memory": _claude_memory,
    "instructions": _instructions,
    "codex": _codex,
    "codemem": _codemem,
    "ltmc": _ltmc,
    "mcp-memory-service": _service,
    "basic-memory": _basic_memory,
    "serena": _serena,
    "claude-mem": _claude_mem,
    "mem0": _mem0,
    "specstory": _specstory,
}


if __name__ == "__main__":
    sys.exit(main())
