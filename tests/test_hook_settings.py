"""A hook reads the environment as the settings do, without what loading them costs."""

import pytest

from indelible import hook_settings
from indelible.errors import InvalidInput
from indelible.settings import Settings


@pytest.mark.parametrize(
    "env",
    [
        {},
        {"XDG_DATA_HOME": "/srv/xdg"},
        {"XDG_DATA_HOME": "relative"},
        {"XDG_DATA_HOME": ""},
        {"HOME": "/home/somebody"},
        {"INDELIBLE_DATA": "~/memory"},
        {"INDELIBLE_DATA": "some/where"},
        {"MEMORY_FILE_PATH": "/srv/memory.jsonl"},
        {"MATRIX_DB": "/srv/matrix.db", "INDELIBLE_DATA": "/srv/own"},
    ],
    ids=str,
)
@pytest.mark.parametrize("given", [None, "/srv/given", "~/given"])
def test_a_hook_looks_for_the_data_where_the_server_keeps_it(monkeypatch, env, given):
    for name in ("INDELIBLE_DATA", "XDG_DATA_HOME", "MEMORY_FILE_PATH", "VECFS_FILE", "MATRIX_DB"):
        monkeypatch.delenv(name, raising=False)
    for name, value in env.items():
        monkeypatch.setenv(name, value)
    assert hook_settings.data_directory(given) == str(Settings.load(given).data)


@pytest.mark.parametrize("given", [" ", "a\0b"])
def test_a_data_directory_that_is_no_path_is_refused(given):
    with pytest.raises(InvalidInput, match="is not a path"):
        hook_settings.data_directory(given)


@pytest.mark.parametrize(
    ("variable", "asked", "values"),
    [
        (
            "INDELIBLE_HOOKS",
            hook_settings.hooks_are_off,
            {None: False, "": False, "on": False, "off": True, " No ": True, "0": True},
        ),
        (
            "INDELIBLE_READ_ONLY",
            hook_settings.is_read_only,
            {None: False, "": False, "off": False, "1": True, "maybe": True},
        ),
    ],
)
def test_a_switch_is_read_in_any_spelling(monkeypatch, variable, asked, values):
    for value, switched in values.items():
        monkeypatch.delenv(variable, raising=False)
        if value is not None:
            monkeypatch.setenv(variable, value)
        assert asked() is switched, value
