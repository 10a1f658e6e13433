"""What a process reads from its environment."""

import pytest

from indelible.errors import InvalidInput
from indelible.settings import Settings


def load(tmp_path, value, **given):
    return Settings.load(str(tmp_path), environ={"INDELIBLE_READ_ONLY": value}, **given)


@pytest.mark.parametrize("value", ["", "0", "false", "False", "no", "NO", "off", " off "])
def test_a_word_for_off_leaves_writing_on(tmp_path, value):
    assert not load(tmp_path, value).read_only
    assert load(tmp_path, value, read_only=True).read_only  # the flag is stronger


@pytest.mark.parametrize("value", ["1", "true", "TRUE", "yes", "On"])
def test_a_word_for_on_makes_a_process_read_only(tmp_path, value):
    assert load(tmp_path, value).read_only


@pytest.mark.parametrize("value", ["2", "flase", "disabled", "0.0", "いいえ"])
def test_any_other_word_is_refused_with_the_name_of_the_variable(tmp_path, value):
    with pytest.raises(InvalidInput, match=f"INDELIBLE_READ_ONLY is '{value}'; give 1, true, yes or on, or 0"):
        load(tmp_path, value)
