"""The table of slots, held against a dictionary of what each record should hold."""

import struct
from zlib import crc32

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from indelible.search.index.slots import MOST_MASKS, Column, Slots, lowest, pack_arrays, unpack_arrays

A, B = ("a", "memory", "context"), ("b", "solution", "")


def slots_of_views(table, records_and_views, group=A):
    """Put records with their numbers of slots, as an index does."""
    for record, _ in records_and_views:
        table.remove(record)
    flat = [record for record, views in records_and_views for _ in range(views)]
    return table.add(flat, [group] * len(flat))


def block(table, records, group=A):
    return table.add_block(np.array(records, np.int64), np.zeros(len(records), np.uint32), [group])


def test_a_record_holds_all_its_slots_in_a_row_and_loses_all_at_once():
    table = Slots()
    assert slots_of_views(table, [(7, 3), (8, 1), (9, 2)]) == 0
    assert [table.span(record) for record in (7, 8, 9, 10)] == [(0, 3), (3, 1), (4, 2), (-1, 0)]
    assert table.remove(7) == (0, 3)
    assert table.remove(7) == (-1, 0)
    assert np.flatnonzero(table.mask(None, None, None)).tolist() == [3, 4, 5]
    assert table.slots_of([9, 7, 8, 5]).tolist() == [4, -1, 3, -1]
    assert table.count == 2
    assert len(table) == 6


def test_a_record_replaced_right_behind_itself_keeps_the_new_slots_only():
    table = Slots()
    slots_of_views(table, [(5, 2)])
    slots_of_views(table, [(5, 3)])
    assert table.span(5) == (2, 3)
    assert table.count == 1
    assert table.views_of(np.array([4, 2, 3])).tolist() == [2, 0, 1]


def test_a_block_holds_records_of_several_slots_until_they_are_replaced():
    table = Slots()
    slots_of_views(table, [(900, 1)])
    block(table, [10, 20, 20, 20, 30])
    assert table.span(20) == (2, 3)
    assert table.slots_of([30, 20, 900, 15, 31, 5]).tolist() == [5, 2, 0, -1, -1, -1]
    slots_of_views(table, [(30, 2)])
    assert table.span(30) == (6, 2)
    assert table.views_of(np.array([6, 7, 1, 2, 3, 4])).tolist() == [0, 1, 0, 0, 1, 2]
    table.remove(20)
    assert table.slots_of([20, 10, 30]).tolist() == [-1, 1, 6]
    assert table.count == 3


def test_the_groups_of_a_block_pass_the_filters_by_their_names():
    table = Slots()
    slots_of_views(table, [(1, 1)], B)
    table.add_block(np.array([4, 5, 6]), np.array([1, 0, 1], np.uint32), [A, B])
    assert np.flatnonzero(table.mask(None, None, {"a"})).tolist() == [2]
    assert np.flatnonzero(table.mask(("solution",), None, None)).tolist() == [0, 1, 3]
    assert np.flatnonzero(table.mask(None, "context", None)).tolist() == [2]
    assert table.namespaces == {"a", "b"}


@given(
    st.lists(
        st.one_of(
            st.tuples(st.just("put"), st.dictionaries(st.integers(1, 30), st.integers(1, 4), min_size=1, max_size=5)),
            st.tuples(st.just("block"), st.dictionaries(st.integers(1, 30), st.integers(1, 4), max_size=5)),
            st.tuples(st.just("remove"), st.integers(1, 30)),
        ),
        max_size=25,
    )
)
def test_every_order_of_changes_leaves_each_record_the_slots_of_its_last_one(steps):
    table, known, at = Slots(), {}, 0
    for step, what in steps:
        if step == "remove":
            table.remove(what)
            known.pop(what, None)
            continue
        own = what if step == "put" else {record: n for record, n in sorted(what.items()) if record not in known}
        if step == "put":
            slots_of_views(table, list(own.items()))
        else:
            block(table, [record for record, views in own.items() for _ in range(views)])
        for record, views in own.items():
            known[record] = (at, views)
            at += views
    everything = list(range(32))
    assert [table.span(record) for record in everything] == [known.get(record, (-1, 0)) for record in everything]
    assert table.slots_of(everything).tolist() == [known.get(record, (-1, 0))[0] for record in everything]
    living = sorted(slot for first, views in known.values() for slot in range(first, first + views))
    assert np.flatnonzero(table.mask(None, None, None)).tolist() == living
    assert table.count == len(known)
    views = {first + view: view for first, number in known.values() for view in range(number)}
    assert table.views_of(np.array(living, np.int64)).tolist() == [views[slot] for slot in living]


def test_an_empty_table_knows_nothing():
    table = Slots()
    assert slots_of_views(table, []) == 0
    assert block(table, []) == 0
    assert (len(table), table.count, table.span(1)) == (0, 0, (-1, 0))
    assert table.mask(("memory",), None, None).tolist() == []
    assert table.slots_of([]).tolist() == []
    assert table.views_of(np.zeros(0, np.int64)).tolist() == []


@pytest.mark.parametrize("rows", [None, 3])
def test_a_column_keeps_its_values_while_it_grows(rows):
    column, expected = Column(np.uint16, rows), []
    for size in (1, 1000, 30, 5000, 0, 2):
        values = np.arange(size * (rows or 1), dtype=np.uint16)
        column.extend(values if rows is None else values.reshape(rows, size))
        expected.append(values if rows is None else values.reshape(rows, size))
    assert np.array_equal(column.values, np.concatenate(expected, axis=-1))
    assert len(column) == 6033


@given(st.lists(st.integers(0, 12), max_size=80), st.integers(0, 90))
def test_the_lowest_are_those_that_sorting_everything_gives(values, count):
    every = sorted((value, place) for place, value in enumerate(values))
    assert lowest(np.array(values, np.uint16), count).tolist() == sorted(place for _, place in every[:count])


# --- Sealed arrays ---


def test_sealed_arrays_come_back_aligned_with_their_groups():
    arrays = {"odd": np.arange(7, dtype=np.uint8), "wide": np.arange(3, dtype=np.uint64)}
    found, names = unpack_arrays(pack_arrays([3, 3, 9], [B, B, A], arrays))
    assert names == [B, A]
    assert found["groups"].tolist() == [0, 0, 1]
    assert found["records"].tolist() == [3, 3, 9]
    for name, array in arrays.items():
        assert np.array_equal(found[name], array)
        assert found[name].dtype == array.dtype
    assert all(array.flags.aligned for array in found.values())


def test_a_block_sealed_before_arrays_were_aligned_is_still_read():
    header = b'{"layout": [["counts", "|u1", 1], ["records", "<i8", 1]], "groups": [["a", "memory", ""]]}'
    body = struct.pack("<I", len(header)) + header + b"\x07" + struct.pack("<q", 42)
    found, names = unpack_arrays(struct.pack("<I", crc32(body)) + body)
    assert found["records"].tolist() == [42]
    assert found["records"].flags.aligned
    assert names == [("a", "memory", "")]


@pytest.mark.parametrize("at", [0, 4, 30, -1])
def test_a_block_with_one_changed_byte_is_refused(at):
    body = bytearray(pack_arrays([1, 2], [A, B], {"counts": np.arange(50, dtype=np.uint8)}))
    body[at] ^= 1
    with pytest.raises(ValueError, match="damaged"):
        unpack_arrays(bytes(body))


@pytest.mark.parametrize("length", [0, 3, 7, 40])
def test_a_block_that_was_cut_is_refused(length):
    body = pack_arrays([1, 2], [A, B], {"counts": np.arange(50, dtype=np.uint8)})
    with pytest.raises(ValueError, match="damaged"):
        unpack_arrays(body[:length])


def test_records_out_of_order_are_not_sealed():
    with pytest.raises(ValueError, match="ascending"):
        pack_arrays([2, 1], [A, A], {})


def test_a_mask_is_kept_until_something_changes_and_is_nobodys_to_write_to():
    table = Slots()
    slots_of_views(table, [(1, 1), (2, 1)])
    first = table.mask(["memory"], None, ["a"])
    assert table.mask(("memory",), None, {"a"}) is first
    with pytest.raises(ValueError, match="read-only"):
        first[0] = False
    before = table.frozen()
    slots_of_views(table, [(3, 1)], B)
    table.remove(1)
    assert table.mask(["memory"], None, ["a"]).tolist() == [False, True, False]
    assert before.mask(["memory"], None, ["a"]).tolist() == [True, True]
    assert table.within(["b"]).mask(None, None, None).tolist() == [False, False, True]
    for number in range(MOST_MASKS + 2):
        assert not table.mask(["memory"], None, [str(number)]).any()
    assert table.mask(["memory"], None, ["a"]).tolist() == [False, True, False]
