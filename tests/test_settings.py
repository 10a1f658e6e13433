"""What a process reads from its environment."""

import sys
from pathlib import Path

import pytest

from indelible.errors import InvalidInput
from indelible.filesystem import data_directory
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


@pytest.fixture
def homeless(monkeypatch):
    """A user whom systemd made for a service: with no home directory, and known to no file of users."""
    pwd = pytest.importorskip("pwd")

    def unknown(number):
        raise KeyError(f"getpwuid(): uid not found: {number}")

    monkeypatch.setattr(pwd, "getpwuid", unknown)
    for name in ("HOME", "XDG_DATA_HOME"):
        monkeypatch.delenv(name, raising=False)


@pytest.mark.usefixtures("homeless")
def test_a_user_without_a_home_directory_has_the_root_for_it(tmp_path):
    assert Settings.load(str(tmp_path), environ={}).home == Path(tmp_path.anchor)


@pytest.mark.usefixtures("homeless")
@pytest.mark.skipif(sys.platform == "darwin", reason="its own directory is asked for in another way")
def test_such_a_user_says_where_the_data_is():
    with pytest.raises(InvalidInput, match=r"no home directory .*--data DIR, or set INDELIBLE_DATA or HOME"):
        data_directory(None)
