"""Power loss, simulated: the disks that it may leave behind, by a log of what reached the disk (`recorded_writes`).

    with recording_vfs(directory) as recorder:
        connection = apsw.Connection(str(directory / "x.db"), vfs=recorder.name)
        ...write, commit...
        recorder.mark("the first row")          # after its write was acknowledged
    result = sweep(crash_images(recorder.log), scratch, open_and_read)
    assert result.images > 100 and not result.failures

The rules of the simulated disk:
- What was written to a file before its last sync is durable. A sector (512 bytes) is written whole or not at all.
- Each unsynced sector holds any of its states since the sync, independently of all others.
- The size of a file is any that it had since the sync. Where it grew and the data did not arrive, there are zeros.
- A name (a creation, a deletion) is durable only after a sync of its directory. SQLite does that at the first sync
  of a WAL or a journal that it opened, and with a deletion if it asks for it; the fsync of a file alone does not.
Not modelled: a sector torn inside (SQLite relies on powersafe overwrite), data damaged after its sync, and what other
code than SQLite does to the files. The -shm file is memory: recovery rebuilds it.
"""

from __future__ import annotations

import random
import shutil
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from hashlib import blake2b
from pathlib import Path
from typing import Literal, TypeVar

import apsw
from recorded_writes import (
    Change,
    Create,
    Delete,
    Entry,
    Found,
    Mark,
    Sync,
    SyncDirectory,
    Truncate,
    Withdraw,
    Write,
    parent_of,
)

SECTOR = 512
Variant = Literal["dropped", "kept", "torn", "reordered"]
Reader = Callable[[Path], set[str]]
T = TypeVar("T")


@dataclass
class _Disk:
    """Files by inode, and the names that lead to them."""

    files: dict[int, bytearray] = field(default_factory=dict)
    names: dict[str, int] = field(default_factory=dict)

    def apply(self, change: Change) -> None:
        match change:
            case Create(name, inode):
                self.names[name] = inode
            case Delete(name):
                self.names.pop(name, None)
            case Write(inode, offset, data):
                content = self.files.setdefault(inode, bytearray())
                content.extend(bytes(max(0, offset - len(content))))
                content[offset : change.end] = data
            case Truncate(inode, size):
                content = self.files.setdefault(inode, bytearray())
                del content[size:]
                content.extend(bytes(size - len(content)))

    def contents(self, changes: Iterable[Change]) -> dict[str, bytes]:
        """What the names lead to if `changes` reach the disk too; the disk itself stays as it is."""
        after = _Disk({inode: bytearray(data) for inode, data in self.files.items()}, dict(self.names))
        for change in changes:
            after.apply(change)
        return {name: bytes(after.files.get(inode, b"")) for name, inode in after.names.items()}


@dataclass
class _Machine:
    """The computer at one point of the log: what is durable, what is not yet, and what was promised."""

    durable: _Disk = field(default_factory=_Disk)
    pending: list[Change] = field(default_factory=list)
    acknowledged: set[str] = field(default_factory=set)
    databases: set[str] = field(default_factory=set)
    syncs: int = 0

    def advance(self, entry: Entry) -> None:
        match entry:
            case Found(name, inode, data):
                self.durable.names[name] = inode
                self.durable.files[inode] = bytearray(data)
            case Sync() | SyncDirectory():
                self._settle(entry)
            case Mark(keys):
                self.acknowledged.update(keys)
            case Withdraw(keys):
                self.acknowledged.difference_update(keys)
            case _:
                self.pending.append(entry)
        if isinstance(entry, Found | Create) and entry.is_database:
            self.databases.add(entry.name)

    def _settle(self, sync: Sync | SyncDirectory) -> None:
        self.syncs += 1
        pending, self.pending = self.pending, []
        for change in pending:
            if _covers(sync, change):
                self.durable.apply(change)
            else:
                self.pending.append(change)

    def size_after(self, inode: int, changes: Iterable[Change]) -> int:
        """The size of a file once `changes` were made to what is durable, in bytes."""
        size = len(self.durable.files.get(inode, b""))
        for change in changes:
            if isinstance(change, Write) and change.inode == inode:
                size = max(size, change.end)
            elif isinstance(change, Truncate) and change.inode == inode:
                size = change.size
        return size


def _covers(sync: Sync | SyncDirectory, change: Change) -> bool:
    if isinstance(change, Create | Delete):
        return isinstance(sync, SyncDirectory) and sync.directory == parent_of(change.name)
    return isinstance(sync, Sync) and sync.inode == change.inode


def _torn(machine: _Machine, rng: random.Random) -> list[Change]:
    """A prefix of the unsynced changes whose last write is cut at a sector; its size may be there all the same."""
    position = rng.randrange(len(machine.pending))
    survivors, last = machine.pending[:position], machine.pending[position]
    if not isinstance(last, Write):
        return survivors
    boundaries = range((last.offset // SECTOR + 1) * SECTOR, last.end, SECTOR)
    if not boundaries:
        return survivors
    size = machine.size_after(last.inode, [*survivors, last])
    survivors.append(Write(last.inode, last.offset, last.data[: rng.choice(boundaries) - last.offset]))
    if rng.random() < 0.5:
        survivors.append(Truncate(last.inode, size))
    return survivors


def _pieces(write: Write) -> Iterator[tuple[int, Write]]:
    """The sectors that a write touches, each with its part of the data."""
    for sector in range(write.offset // SECTOR, -(-write.end // SECTOR)):
        start, end = max(write.offset, sector * SECTOR), min(write.end, (sector + 1) * SECTOR)
        yield sector, Write(write.inode, start, write.data[start - write.offset : end - write.offset])


# What reaches the disk on its own: a name, the size of a file, a sector of it.
_Place = tuple[Literal["name"], str] | tuple[Literal["size"], int] | tuple[Literal["sector"], int, int]


def _parts(change: Change) -> list[tuple[_Place, Change]]:
    """A change as the disk sees it: what it does to each place."""
    match change:
        case Create(name) | Delete(name):
            return [(("name", name), change)]
        case Truncate(inode):
            return [(("size", inode), change)]
        case Write(inode):
            return [(("sector", inode, sector), piece) for sector, piece in _pieces(change)]


def _reordered(machine: _Machine, rng: random.Random) -> list[Change]:
    """The changes that survive if each place stops at a random one of its states since the last sync."""
    histories: dict[_Place, list[int]] = {}
    for index, change in enumerate(machine.pending):
        for place, _ in _parts(change):
            histories.setdefault(place, []).append(index)
        if isinstance(change, Write):
            histories.setdefault(("size", change.inode), []).append(index)
    # Most of it arrived, half, or little: an even draw for each sector would seldom lose just one.
    complete = rng.choice((0.1, 0.5, 0.95))
    ends = {
        place: len(machine.pending) if rng.random() < complete else rng.choice(history)
        for place, history in histories.items()
    }
    survivors = [
        part for index, change in enumerate(machine.pending) for place, part in _parts(change) if index < ends[place]
    ]
    for place, end in ends.items():
        if place[0] == "size":
            survivors.append(Truncate(place[1], machine.size_after(place[1], machine.pending[:end])))
    return survivors


def _survivors(variant: Variant, machine: _Machine, rng: random.Random) -> list[Change]:
    match variant:
        case "dropped":
            return []
        case "kept":
            return machine.pending
        case "torn":
            return _torn(machine, rng)
        case "reordered":
            return _reordered(machine, rng)


@dataclass(frozen=True)
class CrashImage:
    """A disk that a power loss may leave: `files` by name, and the keys that were promised by then."""

    description: str
    variant: Variant
    position: int
    acknowledged: frozenset[str]
    databases: frozenset[str]
    files: Mapping[str, bytes]

    @property
    def digest(self) -> bytes:
        """Equal for images with the same files and the same promises."""
        digest = blake2b(repr(sorted(self.acknowledged)).encode())
        for name, data in sorted(self.files.items()):
            digest.update(f"|{name}|{len(data)}|".encode())
            digest.update(data)
        return digest.digest()

    def write_to(self, directory: Path) -> None:
        """Write the files below `directory`, which must not hold any of them yet."""
        for name, data in self.files.items():
            path = directory / name
            path.parent.mkdir(parents=True, exist_ok=True)
            with path.open("xb") as file:
                file.write(data)


def _walk(log: Sequence[Entry]) -> Iterator[tuple[int, _Machine]]:
    """The points of the log at which power is lost: before and after each sync, after each mark, at the end.

    A position counts the entries that have happened. The machine is one object that moves on with the iteration.
    """
    machine = _Machine()
    for position in range(len(log) + 1):
        if position:
            machine.advance(log[position - 1])
        after = bool(position) and isinstance(log[position - 1], Sync | SyncDirectory | Mark)
        if after or position == len(log) or isinstance(log[position], Sync | SyncDirectory):
            yield position, machine


def _spread(items: list[T], count: int, rng: random.Random) -> list[T]:
    """`count` of the items in their order, one at random out of each of as many equal stretches."""
    if count >= len(items):
        return items
    return [items[rng.randrange(i * len(items) // count, (i + 1) * len(items) // count)] for i in range(count)]


def crash_images(
    log: Sequence[Entry], *, torn: int = 1, reordered: int = 2, every: int = 1, limit: int | None = None, seed: int = 0
) -> Iterator[CrashImage]:
    """The disks that a power loss at any sync or acknowledgement of the log may leave, in the order of the log.

    At each point: nothing of what is unsynced, all of it, `torn` draws of a torn prefix, `reordered` draws of any of
    its sectors. One point in `every` is taken, and at most `limit` images, both spread over the whole log. Images
    that repeat an earlier one are left out, which the limit does not make up for. The same log, seed and numbers
    give the same images.
    """
    if every < 1 or (limit is not None and limit < 1):
        raise ValueError(f"every={every}, limit={limit}: allowed is 1 or more; leave limit out to take all images")
    rng = random.Random(seed)
    points = [(position, bool(machine.pending)) for position, machine in _walk(log)]
    points = _spread(points, -(-len(points) // every), rng)
    draws: list[tuple[Variant, int]] = [("dropped", 0), ("kept", 0)]
    draws += [("torn", draw) for draw in range(torn)] + [("reordered", draw) for draw in range(reordered)]
    plan = [(position, *draw) for position, pending in points for draw in (draws if pending else draws[:1])]
    wanted: dict[int, list[tuple[Variant, int]]] = {}
    for position, variant, draw in plan if limit is None else _spread(plan, limit, rng):
        wanted.setdefault(position, []).append((variant, draw))
    seen: set[bytes] = set()
    for position, machine in _walk(log):
        for variant, draw in wanted.get(position, ()):
            survivors = _survivors(variant, machine, random.Random(f"{seed}/{position}/{variant}/{draw}"))
            image = CrashImage(
                f"entry {position} of {len(log)}, {machine.syncs} syncs done: {variant}, draw {draw}, seed {seed}",
                variant,
                position,
                frozenset(machine.acknowledged),
                frozenset(machine.databases),
                machine.durable.contents(survivors),
            )
            if image.digest not in seen:
                seen.add(image.digest)
                yield image


@dataclass(frozen=True)
class Failure:
    """An image that did not keep the promise: why, and the acknowledged keys that are gone."""

    image: str
    reason: str
    missing: frozenset[str] = frozenset()


def _damage(database: Path) -> str | None:
    """What integrity_check says of a database, None if it is sound or was never created."""
    if not database.exists():
        return None
    try:
        connection = apsw.Connection(str(database), flags=apsw.SQLITE_OPEN_READWRITE)
        try:
            rows = [str(row[0]) for row in connection.execute("PRAGMA integrity_check")]
        finally:
            connection.close()
    except apsw.Error as error:
        return f"{database.name}: {error}"
    return None if rows == ["ok"] else f"{database.name}: {'; '.join(rows)}"


def check(
    image: CrashImage,
    directory: Path,
    open_and_read: Reader,
    refusals: tuple[type[Exception], ...] = (apsw.Error,),
) -> Failure | None:
    """Start up on what the power loss left: it opens, is sound and holds every acknowledged key, or a Failure.

    `open_and_read` gets the directory with the files, opens them with the default VFS (which recovers them), closes
    them and returns the keys found. The errors in `refusals` mean that it could not be opened or read; any other
    error is raised. The integrity check follows, so that the recovery is the product's own.
    """
    image.write_to(directory)
    try:
        found = open_and_read(directory)
    except refusals as error:
        return Failure(image.description, f"cannot be opened: {type(error).__name__}: {error}", image.acknowledged)
    missing = image.acknowledged - found
    damage = [text for name in sorted(image.databases) if (text := _damage(directory / name))]
    if damage:
        return Failure(image.description, f"damaged: {'; '.join(damage)}", missing)
    return Failure(image.description, "acknowledged keys are missing", missing) if missing else None


@dataclass(frozen=True)
class Sweep:
    """How many images were checked, and those that failed."""

    images: int
    failures: list[Failure]


def sweep(
    images: Iterable[CrashImage],
    directory: Path,
    open_and_read: Reader,
    refusals: tuple[type[Exception], ...] = (apsw.Error,),
) -> Sweep:
    """Check every image in a directory of its own below `directory`; the files of those that fail stay there."""
    count, failures = 0, []
    for image in images:
        count += 1
        place = directory / f"image-{count}"
        place.mkdir(parents=True)
        failure = check(image, place, open_and_read, refusals)
        if failure is None:
            shutil.rmtree(place)
        else:
            failures.append(failure)
    return Sweep(count, failures)
