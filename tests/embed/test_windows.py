import pytest

from indelible.embed.windows import batches


@pytest.mark.parametrize("lengths", [[], [3], [9, 1, 5, 5, 200, 2], [4] * 100])
def test_batches_hold_each_length_once_and_no_more_than_fits(lengths):
    found = list(batches(lengths, 20))
    assert sorted(place for batch in found for place in batch) == list(range(len(lengths)))
    for batch in found:
        assert len(batch) == 1 or len(batch) * max(lengths[place] for place in batch) <= 20
    ordered = [lengths[place] for batch in found for place in batch]
    assert ordered == sorted(ordered)
