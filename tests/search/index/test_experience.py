"""The cache of what solutions and failures are about."""

import numpy as np
import pytest

from indelible.search.index.experience import Experience, Known

AXES = np.eye(4, dtype="<f2")


def known(record, axis=None, scope="global", namespace="/a", kind="solution", **fields):
    vector = None if axis is None else AXES[axis].tobytes()
    values = {"created": record, "score": 0.5, "stack": "", **fields}
    return Known(record, (namespace, kind, scope), vector=vector, **values)


def found(experience, mask):
    return experience.records[np.flatnonzero(mask)].tolist()


def test_records_pass_by_kind_scope_and_group():
    experience = Experience(4)
    experience.put_many(
        [
            known(1),
            known(2, scope="repo"),
            known(3, scope="repo", namespace="/b"),
            known(4, kind="failure", scope="build"),
        ]
    )
    assert found(experience, experience.mask("solution", None, ())) == [1, 2, 3]
    assert found(experience, experience.mask("solution", "repo", ())) == [2, 3]
    assert found(experience, experience.mask("solution", None, {("/b", "solution", "repo")})) == [1, 2]
    assert found(experience, experience.mask("failure", None, ())) == [4]


def test_an_empty_one_has_no_rows():
    experience = Experience()
    assert len(experience.mask("solution", None, ())) == len(experience.records) == 0


def test_cosines_are_exact_and_what_has_no_vector_says_so():
    experience = Experience(4)
    experience.put_many([known(1, 0), known(2), known(3, 2)])
    query = np.array([0.6, 0, 0.8, 0], np.float32)
    assert experience.embedded.tolist() == [True, False, True]
    assert experience.cosines(query)[[0, 2]].tolist() == pytest.approx([0.6, 0.8])


def test_a_record_that_is_put_again_or_removed_leaves_nothing_behind():
    experience = Experience(4)
    experience.put_many([known(n, 0) for n in range(3000)])
    for n in range(0, 3000, 2):
        experience.remove(n)
    experience.remove(10**6)
    experience.put_many([known(1, 1, score=0.9, stack="s"), known(5000, None, namespace="/new")])
    assert len(experience.records) == 3000  # rows of what is gone are used again
    alive = experience.mask("solution", None, ())
    assert set(found(experience, alive)) == {*range(1, 3000, 2), 5000}
    (row,) = np.flatnonzero(alive & (experience.records == 1))
    assert (experience.scores[row], experience.stacks[experience.stack[row]]) == (0.9, "s")
    assert experience.cosines(AXES[1].astype(np.float32))[row] == 1
    (row,) = np.flatnonzero(alive & (experience.records == 5000))
    assert not experience.embedded[row]
    assert experience.groups[experience.group[row]] == ("/new", "solution", "global")


def test_it_takes_no_sealed_blocks():
    with pytest.raises(ValueError, match="read by rows"):
        Experience().add_block(b"")
