"""`bench/encoder.py` measures each part of what the product runs."""

import encoder
import pytest


@pytest.mark.slow
def test_each_part_of_an_embedding_is_measured():
    found = encoder.measured(3)
    assert found["wall"].keys() == found["cpu"].keys() == {"tokenising", "MiniLM", "SPLADE", "both"}
    assert found["texts"].keys() == {"MiniLM", "SPLADE"}
    assert all(seconds > 0 for seconds in [*found["wall"].values(), *found["texts"].values()])
