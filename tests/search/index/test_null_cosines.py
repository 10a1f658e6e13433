import numpy as np
import pytest

from indelible.search.index.null_cosines import DEVIATION, FEWEST, MEAN, TEXTS, Scale, drawn, measured
from indelible.search.index.vectors import pack


def packed(rows: np.ndarray) -> list[tuple[int, bytes]]:
    rows = rows / np.linalg.norm(rows, axis=1, keepdims=True)
    return [(record, pack(row[np.newaxis])[0][0]) for record, row in enumerate(rows.astype(np.float32), 1)]


def narrow(count: int) -> np.ndarray:
    """Vectors whose cosines lie between 0.7 and 1."""
    rows = np.random.default_rng(3).standard_normal((count, 64)) / 8
    rows[:, 0] += 1.8
    return rows


def test_mean_and_deviation_of_random_pairs_lie_where_the_built_in_model_has_them():
    found = measured(packed(narrow(400)))
    assert found is not None
    assert found.mean > 0.7
    assert found.of(found.mean) == pytest.approx(MEAN)
    assert found.of(found.mean - found.deviation) == pytest.approx(MEAN - found.slope * found.deviation)
    assert found == measured(packed(narrow(400))), "the sample is seeded"


def test_one_stays_at_most_one_and_the_order_stays():
    for scale in (Scale(0.8, 0.03), Scale(0.8, 0.0001), Scale(0.1, 0.2), Scale(0.0, 0.12)):
        cosines = np.linspace(-1, 1, 201)
        mapped = scale.of(cosines)
        assert (np.diff(mapped) >= 0).all()
        assert (mapped <= cosines).all()
        assert mapped.min() >= -1


def test_a_scale_of_wide_enough_cosines_changes_the_deviation_exactly():
    assert Scale(0.8, 0.06).of(0.74) == pytest.approx(MEAN - DEVIATION)


def test_too_few_texts_or_a_model_that_tells_nothing_apart_have_none():
    assert measured(packed(narrow(FEWEST - 1))) is None
    assert measured([]) is None
    assert measured(packed(np.ones((50, 64)))) is None


def test_a_sample_is_all_of_a_small_store_and_a_part_of_a_large_one():
    assert drawn(5) == [1, 2, 3, 4, 5]
    many = drawn(1_000_000)
    assert 3 * TEXTS < len(many) <= 4 * TEXTS
    assert many == sorted(set(many)) == drawn(1_000_000)
