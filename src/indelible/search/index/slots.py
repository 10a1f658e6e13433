"""The slots of an index: the record of each slot, whether it lives, and whether it passes the filters.

Records stand in *slots*, numbered in the order in which this process read them. A changed record gets new slots and
its old ones die, so arrays parallel to the slots only ever grow.
"""

import json
import struct
from collections.abc import Collection, Iterable, Mapping, Sequence
from copy import copy
from itertools import repeat
from typing import Any
from zlib import crc32

import numpy as np
from numpy.typing import NDArray

Ints = NDArray[np.int64]
Mask = NDArray[np.bool_]
Group = tuple[str, str, str]  # namespace, kind, type

MOST_MASKS = 8  # that are kept: a recall asks each index for one or two
ALIGNED = 8  # bytes; arrays at other places are copied by every call that needs them aligned


def distinct(ids: Ints) -> Ints:
    """Return integers ascending and each once; of some hundreds in a third of the time of `np.unique`."""
    ascending = np.sort(ids)
    first = np.ones(len(ascending), np.bool_)
    np.not_equal(ascending[1:], ascending[:-1], out=first[1:])
    return ascending[first]


def places_in(ascending: Ints, sought: Ints) -> Ints:
    """Return the place of each in ascending integers, its first where it repeats; -1 where it is not among them."""
    if not len(ascending):
        return np.full(len(sought), -1, np.int64)
    places = ascending.searchsorted(sought)
    np.minimum(places, len(ascending) - 1, out=places)
    places[ascending[places] != sought] = -1
    return places


class Column:
    """An array that grows at its end: (n,), or with `rows` (rows, n), where each row is contiguous for scans."""

    def __init__(self, dtype: Any, rows: int | None = None):
        self._data: NDArray[Any] = np.zeros(1024 if rows is None else (rows, 1024), dtype)
        self._length = 0

    def __len__(self) -> int:
        return self._length

    def extend(self, values: Any) -> None:
        """Append one value (with rows: one column) a slot."""
        values = np.asarray(values, self._data.dtype)
        wanted = self._length + values.shape[-1]
        if wanted > self._data.shape[-1]:
            size = max(wanted, self._data.shape[-1] * 2)
            grown = np.zeros((*self._data.shape[:-1], size), self._data.dtype)
            grown[..., : self._length] = self.values
            self._data = grown
        self._data[..., self._length : wanted] = values
        self._length = wanted

    def frozen(self) -> "Column":
        """Return it as it is now: what is appended later is not in it, what is written into its values is."""
        return copy(self)

    @property
    def values(self) -> NDArray[Any]:
        """The array so far, as a view: valid until the next `extend`."""
        return self._data[..., : self._length]


class Slots:
    """The table of slots of one index. A record holds one or several consecutive slots, all in one group."""

    def __init__(self) -> None:
        self.records = Column(np.int64)
        self.groups = Column(np.uint32)
        self.alive = Column(np.bool_)
        self.count = 0  # living records
        self._blocks: list[tuple[slice, int, int]] = []  # slots by ascending record, lowest and highest record
        self._first_of: dict[int, int] = {}  # first slot of the living records that no block holds
        self._group_names: dict[Group, int] = {}
        self._within: frozenset[str] | None = None
        self._masks: dict[Any, Mask] = {}  # by what they were asked for; another dictionary after each change
        self._shared = False  # with slots that are frozen: what they would see change is copied first

    def __len__(self) -> int:
        """Return the number of slots, dead ones too."""
        return len(self.records)

    def frozen(self) -> "Slots":
        """Return the slots as they are now, whatever is added or removed later.

        This copies nothing, and neither does what is added later: that stands behind the end of these. The next removal
        copies.
        """
        self._shared = True
        view = copy(self)
        view.records, view.groups, view.alive = self.records.frozen(), self.groups.frozen(), self.alive.frozen()
        return view

    def _unshare(self) -> None:
        if self._shared:
            living = self.alive.values
            self.alive = Column(np.bool_)
            self.alive.extend(living)
            self._blocks, self._first_of = list(self._blocks), dict(self._first_of)
            self._group_names = dict(self._group_names)
            self._shared = False

    def within(self, namespaces: Iterable[str]) -> "Slots":
        """Return the slots as they are now, frozen, only those of some namespaces living."""
        view = self.frozen()
        view._within = frozenset(namespaces)
        living = self.mask(None, None, view._within)
        view.alive = Column(np.bool_)
        view.alive.extend(living)
        view._masks = {}
        records = self.records.values[living]
        view.count = min(1, len(records)) + int(np.count_nonzero(records[1:] != records[:-1]))
        return view

    def add(self, records: Sequence[int], groups: Sequence[Group]) -> int:
        """Append a slot for each of `records`, where the repeats of one stand together; gives the first slot.

        A record that is here already must be removed before.
        """
        ids = np.array(records, np.int64)
        first = self._append(ids, self._numbers(groups))
        if not len(ids):
            return first
        block, lowest, highest = self._blocks[-1] if self._blocks else (slice(0, 0), int(ids[0]), -1)
        if block.stop == first and ids[0] > highest and (ids[1:] >= ids[:-1]).all():  # the last block goes on
            self._blocks = [*self._blocks[:-1], (slice(block.start, len(self)), lowest, int(ids[-1]))]
        else:
            backwards = zip(reversed(records), range(len(self) - 1, first - 1, -1), strict=True)
            self._first_of.update(backwards)  # the first slot wins
        return first

    def add_block(self, records: Ints, groups: NDArray[Any], names: Sequence[Group]) -> int:
        """Append a slot for each of `records` (ascending, none of them here yet), its group being an index into
        `names`; gives the first slot. A block costs no dictionary entries.
        """
        self._unshare()
        numbers = self._numbers(names)
        first = self._append(records, numbers[groups] if len(records) else np.zeros(0, np.uint32))
        if len(records):
            self._blocks.append((slice(first, len(self)), int(records[0]), int(records[-1])))
        return first

    def remove(self, record: int) -> tuple[int, int]:
        """Remove all slots of a record; returns them as `span` does. Unknown records are ignored."""
        first, number = self.span(record)
        if number:
            self._unshare()
            self._first_of.pop(record, None)
            self.alive.values[first : first + number] = False
            self._masks = {}
            self.count -= 1
        return first, number

    def span(self, record: int) -> tuple[int, int]:
        """Return the first slot and the number of slots of a living record; (-1, 0) where there is none."""
        first = self._first_of.get(record, -1)
        if 0 <= first < len(self):  # one behind the end was added after these slots were frozen
            records, after = self.records.values, first + 1
            while after < len(records) and records[after] == record:
                after += 1
            return first, after - first
        for block, lowest, highest in self._blocks:
            if lowest <= record <= highest:
                records = self.records.values[block]
                low = int(np.searchsorted(records, record))
                if records[low] == record and self.alive.values[block.start + low]:
                    return block.start + low, int(np.searchsorted(records, record, side="right")) - low
        return -1, 0

    def slots_of(self, records: Sequence[int] | Ints) -> Ints:
        """The living slot of each record, the first where it has several, -1 where there is none."""
        wanted = np.asarray(records, np.int64)
        if self._first_of:
            found = np.fromiter(map(self._first_of.get, wanted.tolist(), repeat(-1)), np.int64, len(wanted))
            found[found >= len(self)] = -1  # added after these slots were frozen
        else:
            found = np.full(len(wanted), -1)
        for block, lowest, highest in self._blocks:
            inside: Ints | slice = slice(None)
            if len(self._blocks) > 1:
                inside = np.flatnonzero((wanted >= lowest) & (wanted <= highest))
                if not len(inside):
                    continue
            places = places_in(self.records.values[block], wanted[inside])
            here = (places >= 0) & self.alive.values[block][places]
            found[inside] = np.where(here, places + block.start, found[inside])
        if self._within is not None:
            found[(found >= 0) & ~self.alive.values[np.maximum(found, 0)]] = -1
        return found

    def views_of(self, slots: Ints) -> Ints:
        """Return for each living slot its index among its record's slots, from 0."""
        records, alive = self.records.values, self.alive.values
        views = np.zeros(len(slots), np.int64)
        going = np.arange(len(slots))
        while len(going):
            before = slots[going] - views[going] - 1
            same = (before >= 0) & (records[before] == records[slots[going]]) & alive[before]
            going = going[same]
            views[going] += 1
        return views

    def mask(
        self,
        kinds: Iterable[str] | None,
        type_: str | None,
        namespaces: Iterable[str] | None,
        without: Collection[Group] = (),
    ) -> Mask:
        """Return a mask of living slots that pass the filters and are of no group in `without`; None passes all.

        It is kept until something changes, since most recalls of a process ask for the same: it cannot be written to.
        """
        wanted = None if kinds is None else frozenset(kinds)
        within = None if namespaces is None else frozenset(namespaces)
        asked = wanted, type_, within, frozenset(without)
        mask = self._masks.get(asked)
        if mask is None:
            mask = self._new_mask(*asked)
            mask.flags.writeable = False
            if len(self._masks) >= MOST_MASKS:
                self._masks.clear()
            self._masks[asked] = mask
        return mask

    def _new_mask(
        self,
        kinds: frozenset[str] | None,
        type_: str | None,
        namespaces: frozenset[str] | None,
        without: frozenset[Group],
    ) -> Mask:
        passing = np.array(
            [
                (kinds is None or kind in kinds)
                and (type_ is None or type_ == own_type)
                and (namespaces is None or namespace in namespaces)
                and (namespace, kind, own_type) not in without
                for namespace, kind, own_type in self._group_names
            ],
            np.bool_,
        )
        if passing.all():
            return self.alive.values.copy()
        mask: Mask = passing[self.groups.values]
        mask &= self.alive.values
        return mask

    @property
    def namespaces(self) -> set[str]:
        """Return every namespace that a visible record has or had."""
        found = {namespace for namespace, _, _ in self._group_names}
        return found if self._within is None else found & self._within

    def _append(self, records: Ints, groups: NDArray[np.uint32]) -> int:
        first = len(self)
        self.records.extend(records)
        self.groups.extend(groups)
        self.alive.extend(np.ones(len(records), np.bool_))
        self._masks = {}
        self.count += min(1, len(records)) + int(np.count_nonzero(records[1:] != records[:-1]))
        return first

    def _numbers(self, groups: Sequence[Group]) -> NDArray[np.uint32]:
        names = self._group_names
        if self._shared and not names.keys() >= set(groups):
            names = self._group_names = dict(names)  # frozen slots may be going through theirs
        return np.array([names.setdefault(group, len(names)) for group in groups], np.uint32)


def lowest(values: NDArray[Any], count: int) -> Ints:
    """Return the places of the `count` lowest values, ascending; ties go to the lower place."""
    if count <= 0:
        return np.zeros(0, np.int64)
    if count >= len(values):
        return np.arange(len(values))
    last = np.partition(values, count - 1)[count - 1]
    kept = values < last
    kept[np.flatnonzero(values == last)[: count - int(np.count_nonzero(kept))]] = True
    return np.flatnonzero(kept)


def best_of(scores: NDArray[np.float32], count: int) -> Ints:
    """The slots of the `count` highest positive scores, ascending; ties go to the lower slot."""
    positive = np.flatnonzero(scores > 0)
    return positive[lowest(-scores[positive], count)]


def pack_arrays(records: Sequence[int], groups: Sequence[Group], arrays: Mapping[str, NDArray[Any]]) -> bytes:
    """Slots and the named arrays of an index beside them, as one blob with a checksum.

    Raises ValueError where the records are not ascending (repeats are fine): blocks are searched by record.
    """
    numbers = np.array(records, np.int64)
    if np.any(numbers[1:] < numbers[:-1]):
        raise ValueError("the records of a block must be ascending; sort the entries by record")
    names: dict[Group, int] = {}
    own = np.array([names.setdefault(group, len(names)) for group in groups], np.uint32)
    every: dict[str, NDArray[Any]] = {"records": numbers, "groups": own, **arrays}
    ordered = sorted(every.items(), key=lambda item: -item[1].itemsize)  # wide ones first: all stand aligned
    layout = [(name, array.dtype.str, len(array)) for name, array in ordered]
    header = json.dumps({"layout": layout, "groups": list(names)}).encode()
    header += b" " * (-len(header) % ALIGNED)
    body = b"".join([struct.pack("<I", len(header)), header, *(array.tobytes() for _, array in ordered)])
    return struct.pack("<I", crc32(body)) + body


def unpack_arrays(body: bytes) -> tuple[dict[str, NDArray[Any]], list[Group]]:
    """The arrays (`records` and `groups` among them), and the (namespace, kind, type) of each group.

    Raises ValueError for a body that is not what `pack_arrays` made.
    """
    if len(body) < 8 or crc32(memoryview(body)[4:]) != int.from_bytes(body[:4], "little"):
        raise ValueError("a sealed block is damaged")
    (length,) = struct.unpack_from("<I", body, 4)
    header = json.loads(body[8 : 8 + length])
    arrays: dict[str, NDArray[Any]] = {}
    at = 8 + length
    for name, dtype, count in header["layout"]:
        array = np.frombuffer(body, dtype, count, at)
        at += array.nbytes
        arrays[name] = array if array.flags.aligned else array.copy()
    return arrays, [(a, b, c) for a, b, c in header["groups"]]
