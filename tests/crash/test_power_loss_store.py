"""Power loss on the real store: whatever the disk kept, it opens, is sound, and holds every acknowledged fact."""

from __future__ import annotations

import random
import threading
from collections.abc import Callable, Iterable
from pathlib import Path

import pytest
from power_loss import Sweep, crash_images, sweep
from recorded_writes import Create, Entry, Found, Recorder, Sync, recording_vfs

from command_line import settings
from indelible.core.context.call import Call
from indelible.core.context.context import Context, open_context
from indelible.core.context.write_behind import WriteBehind
from indelible.core.records import embedding_queue, relations, undo
from indelible.model import Record
from indelible.store.sqlite.connection import FILE
from indelible.store.sqlite.integrity import names_are_sound
from indelible.store.tables import access, edges, embeddings, records, terms, trash
from indelible.store.tables import pending as waiting
from indelible.toolsets.context.chats import chats, chunk_links
from indelible.toolsets.graph import graph
from indelible.toolsets.memory import importing, memories
from indelible.toolsets.solutions import failures, solutions
from indelible.toolsets.solutions.failures import NewFailure
from indelible.toolsets.solutions.solutions import NewSolution
from indelible.toolsets.vectors import vectors
from made_up_meaning import seal_all, with_meaning
from stored_code import Code

pytestmark = pytest.mark.sqlite("the file under a loss of power")


EMBEDDED_AND_WAITING = "SELECT record FROM pending WHERE late <= 1 AND record IN (SELECT record FROM embedding)"
GUIDE = [  # what messages are about
    {"id": "900001", "kind": "document", "content": "The words 1.", "label": "a.md", "memory_type": "document"},
    {"id": "900002", "kind": "chunk", "content": "The words 1.", "session": "document:900001", "position": 1},
]


def stored(key: str, content: str) -> str:
    return f"{key} says {content}"


def gone(key: str) -> str:
    return f"{key} is in the trash only"


def related(source: str, target: str, weight: float) -> str:
    return f"{source} -> {target} by {weight}"


class Writer:
    """One thread's random work on memories of its own; each fact is promised once its call returned."""

    def __init__(self, ctx: Context, recorder: Recorder, name: str, seed: int):
        self.ctx, self.recorder, self.name = ctx, recorder, name
        self.rng = random.Random(f"{seed}/{name}")
        self.write_behind = WriteBehind(ctx.store)
        self.known: dict[str, str] = {}  # what may be changed and deleted, by id
        self.anchors: list[str] = []  # what may be related
        self.weights: dict[tuple[str, str], float] = {}
        self.deleted: list[tuple[str, str, str]] = []  # (operation, id, content)
        self.returned = 0
        self.count = 0
        self.solved: list[str] = []  # solutions, by id
        self.rewards: dict[str, int] = {}

    def run(self, steps: int) -> None:
        for _ in range(3):
            self.anchors.append(self.remember())
        work: list[Callable[[], object]] = [self.store, self.update, self.delete, self.relate]
        work += [self.take_in, self.touch, self.seal, self.bring_back, self.embed]
        work += [self.solve, self.reward, self.fail, self.describe, self.memorize, self.index, self.say]
        for _ in range(steps):
            self.rng.choices(work, (8, 4, 3, 3, 2, 2, 1, 2, 2, 1, 1, 1, 1, 1, 1, 2))[0]()

    def text(self) -> str:
        self.count += 1
        return f"{self.name} {self.count} " + " ".join(f"word{self.rng.randrange(500)}" for _ in range(30))

    def call(self, tool: str) -> Context:
        return self.ctx.for_call(Call(tool=tool))

    def remember(self) -> str:
        content = self.text()
        key = memories.store(self.call("store_memory"), memories.NewMemory(content))["id"]
        self.recorder.mark(stored(key, content))
        return key

    def store(self) -> None:
        content = self.text()
        key = memories.store(self.call("store_memory"), memories.NewMemory(content))["id"]
        self.known[key] = content
        self.recorder.mark(stored(key, content))

    def update(self) -> None:
        if self.known:
            key = self.rng.choice(list(self.known))
            content = self.text()
            self.recorder.withdraw(stored(key, self.known[key]))
            memories.update(self.call("update_memory"), key, content, None)
            self.known[key] = content
            self.recorder.mark(stored(key, content))

    def delete(self) -> None:
        if self.known:
            key = self.rng.choice(list(self.known))
            content = self.known.pop(key)
            self.recorder.withdraw(stored(key, content))
            calling = self.call("delete_memory")
            memories.delete(calling, key)
            self.deleted.append((calling.call.operation, key, content))
            self.recorder.mark(gone(key))

    def bring_back(self) -> None:
        if self.deleted:
            operation, key, content = self.deleted.pop()
            self.recorder.withdraw(gone(key))
            undo.undo(self.call("undo"), operation)
            self.known[key] = content
            self.recorder.mark(stored(key, content))

    def relate(self) -> None:
        source, target = self.rng.sample(self.anchors, 2)
        weight = round(self.rng.random(), 6)
        if (source, target) in self.weights:
            self.recorder.withdraw(related(source, target, self.weights[source, target]))
        relations.associate(self.call("associate_memories"), source, target, "LEADS_TO", weight)
        self.weights[source, target] = weight
        self.recorder.mark(related(source, target, weight))

    def take_in(self) -> None:
        first, second = (f"{self.name}-{self.count}-{n}" for n in range(2))
        edge = {"source": first, "target": second, "relationship": "LEADS_TO", "weight": 0.5}
        items = [{"id": first, "content": self.text(), "edges": [edge]}, {"id": second, "content": self.text()}]
        done = importing.import_items(self.call("import_memories"), items)
        assert (done.ids, done.errors) == ([first, second], [])
        self.recorder.mark(*(stored(item["id"], item["content"]) for item in items), related(first, second, 0.5))

    def touch(self) -> None:
        with self.ctx.store.read() as tx:
            (record,) = records.by_key(tx, self.anchors[0])
        self.write_behind.returned([record.id], self.ctx.now())
        self.write_behind.flush()
        self.returned += 1
        self.recorder.mark(f"{self.anchors[0]} was returned {self.returned} times")

    def solve(self) -> None:
        problem = self.text()
        key = solutions.store(self.call("matrix_store"), NewSolution(problem, "solved", "global"))["id"]
        self.solved.append(key)
        self.recorder.mark(stored(key, f"{problem}\n\nsolved"))

    def reward(self) -> None:
        if self.solved:
            key = self.rng.choice(self.solved)
            solutions.reward(self.call("matrix_reward"), key, "success", None)
            self.rewards[key] = self.rewards.get(key, 0) + 1
            self.recorder.mark(f"{key} was rewarded {self.rewards[key]} times")

    def fail(self) -> None:
        message = self.text()
        told = f"{self.name} {self.count}"  # digits tell no failures apart, those of the names of writers neither
        signed = "".join(chr(97 + int(letter)) if letter.isdigit() else letter for letter in told)
        key = failures.record(self.call("matrix_failure"), NewFailure("test", f"{signed} {message}", "c", "f"))["id"]
        self.recorder.mark(stored(key, f"test: {signed} {message}\nCause: c\nFix: f"), f"{key} has its entities")

    def describe(self) -> None:
        name, said = f"{self.name} entity {self.count}", self.text()
        new: graph.Entity = {"name": name, "entityType": "thing", "observations": [said]}
        graph.create_entities(self.call("create_entities"), [new])
        self.recorder.mark(stored(name, f"{name}\n{said}"))

    def index(self) -> None:
        self.count += 1
        name, path = f"run_{self.count}", f"{self.count}.py"
        Code(self.ctx.store, f"/{self.name}").symbols(path, name, "main", said=f" by {self.name}")
        self.recorder.mark(*(stored(f"sym:{each}@{path}", f"def {each} by {self.name}") for each in (name, "main")))

    def memorize(self) -> None:
        name, text = f"{self.name} vector {self.count}", self.text()
        vectors.memorize(self.call("memorize"), vectors.NewEntry(name, {self.count: 0.5}, text))
        self.recorder.mark(stored(name, text))

    def seal(self) -> None:
        seal_all(self.ctx)

    def say(self) -> None:
        content = self.text()
        key = chats.log(self.call("log_chat"), chats.NewMessage(content, self.name))["id"]
        self.recorder.mark(stored(key, content))

    def embed(self) -> None:
        """Embed what waits, and link messages that were linked by their words; so may the other writers' work be."""
        warm = with_meaning(self.ctx)
        embedding_queue.work_off(warm)
        chunk_links.catch_up(warm)


def facts(directory: Path) -> set[str]:
    """Open what the power loss left as the product does, check that nothing is torn, and read every fact."""
    ctx = open_context(settings(directory))
    try:
        with ctx.store.read() as tx:
            found = {record.id: record for record in records.after(tx, 0, 100_000)}
            assert terms.records_without(tx) == 0, "records without their words"
            assert waiting.forgotten(tx) == 0, "records that are neither embedded nor waiting for it"
            assert waiting.unlinked(tx) == [], "messages that are to be linked again and do not wait for it"
            assert tx.connection.execute(EMBEDDED_AND_WAITING).fetchall() == [], "records that will be embedded twice"
            indexed = 0
            for code in (False, True):
                with ctx.indexes.records.current(tx, code=code) as caches:
                    indexed += caches.words.count
            assert indexed == len(found), "the index does not fit the records"
            for model, count in embeddings.count_by_model(tx).items():
                indexed = 0
                for code in (False, True):
                    with ctx.indexes.records.current(tx, model, code=code) as caches:
                        assert caches.meaning is not None
                        indexed += caches.meaning.vectors.slots.count
                assert indexed == count, "the index does not fit the embeddings"
            known = {stored(record.key, record.text) for record in found.values()}
            for edge in edges.of_records(tx, found):
                assert {edge.source, edge.target} <= found.keys(), "a relation without its end"
                known.add(related(found[edge.source].key, found[edge.target].key, edge.weight))
            for record, used in access.of_records(tx, list(found)).items():
                known |= {f"{found[record].key} was returned {n} times" for n in range(1, used.count + 1)}
            keys = {record.key for record in found.values()}
            known |= of_experience(found.values(), keys)
            known |= {gone(thing.key) for thing in trash.recent(tx, 100_000) if thing.key not in keys}
        assert ctx.store.check() == []
        assert names_are_sound(ctx.settings.data / FILE), "the index of names does not fit the names"
        return known
    finally:
        ctx.close()


def of_experience(found: Iterable[Record], keys: set[str]) -> set[str]:
    """What solutions and failures tell of rewards and entities."""
    known = set()
    for record in found:
        rewarded = record.metadata.get("successes", 0) if record.kind == "solution" else 0
        known |= {f"{record.key} was rewarded {n} times" for n in range(1, rewarded + 1)}
        if record.kind == "failure":
            assert set(record.metadata["entities"]) <= keys, "a failure without its entities"
            known.add(f"{record.key} has its entities")
    return known


def record(data: Path, seed: int, steps: int, synchronous: str) -> tuple[Entry, ...]:
    """The log of a mixed workload: three threads that share one context's commits, one with a context of its own."""
    data.mkdir(mode=0o700)
    with recording_vfs(data) as recorder:
        contexts = [open_context(settings(data), vfs=recorder.name, synchronous=synchronous) for _ in range(2)]
        for ctx in contexts:  # a checkpoint every few commits, as months of work would have them
            ctx.store.write(lambda tx: tx.connection.execute("PRAGMA wal_autocheckpoint=30").fetchall())
        assert importing.import_items(contexts[0], GUIDE).errors == []
        writers = [Writer(contexts[n == 3], recorder, f"writer{n}", seed) for n in range(4)]
        failures: list[BaseException] = []

        def run(writer: Writer) -> None:
            try:
                writer.run(steps)
            except BaseException as error:
                failures.append(error)
                raise

        threads = [threading.Thread(target=run, args=(writer,)) for writer in writers]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        for ctx in contexts:
            ctx.close()
        assert not failures
        return recorder.log


def checkpoints(log: tuple[Entry, ...]) -> int:
    """How often the database file itself was synced: only a checkpoint does that, once the store is made."""
    (database,) = {entry.inode for entry in log if isinstance(entry, Found | Create) and entry.name == FILE}
    return sum(isinstance(entry, Sync) and entry.inode == database for entry in log)


def lose_power(tmp_path: Path, log: tuple[Entry, ...], seed: int, limit: int | None = None) -> Sweep:
    """Start the product on what a power loss at the points of the log may leave."""
    images = crash_images(log, seed=seed, limit=limit)
    # Whatever is raised while such a disk is opened and read, the promise is broken.
    return sweep(images, tmp_path / "images", facts, (Exception,))


@pytest.mark.slow
def test_the_store_keeps_every_acknowledged_fact_when_the_power_fails(tmp_path: Path):
    log = record(tmp_path / "data", 1, 30, "FULL")
    result = lose_power(tmp_path, log, 1, 160)
    assert result.failures == []
    assert result.images > 120
    assert checkpoints(log) > 3  # fewer where threads wait for the processor: more commit together


@pytest.mark.full
@pytest.mark.parametrize("seed", range(10, 22))
def test_the_store_keeps_every_acknowledged_fact_at_every_point(tmp_path: Path, seed: int):
    log = record(tmp_path / "data", seed, 8, "FULL")
    result = lose_power(tmp_path, log, seed)
    assert result.failures == []
    assert result.images > 150
    assert checkpoints(log) > 2


@pytest.mark.slow
@pytest.mark.full
def test_a_store_that_does_not_sync_is_caught_by_the_same_test(tmp_path: Path):
    log = record(tmp_path / "data", 1, 30, "OFF")
    result = lose_power(tmp_path, log, 1, 60)
    assert any(failure.missing for failure in result.failures)
