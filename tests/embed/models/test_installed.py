from pathlib import Path

import pytest

import tiny_models
from indelible.embed.models import installed
from indelible.embed.models.installed import Broken, Installed
from indelible.errors import InvalidInput, NotFound


def test_models_are_listed_by_name_and_found(tmp_path: Path) -> None:
    assert installed.installed(tmp_path) == []
    second, first = tiny_models.install_dense(tmp_path, "b"), tiny_models.install_cross(tmp_path, "a")
    (tmp_path / "models" / ".half").mkdir()
    (tmp_path / "models" / "file").touch()
    assert installed.installed(tmp_path) == [
        Installed(tmp_path / "models" / "a", first),
        Installed(tmp_path / "models" / "b", second),
    ]
    assert installed.find(tmp_path, "b").description == second


def test_a_broken_one_is_listed_beside_the_others(tmp_path: Path) -> None:
    whole = tiny_models.install_dense(tmp_path, "whole")
    (tmp_path / "models" / "empty").mkdir()
    broken, found = installed.installed(tmp_path)
    assert isinstance(broken, Broken)
    assert "cannot be read" in broken.reason
    assert isinstance(found, Installed)
    assert found.description == whole


def test_an_unknown_name_says_how_to_install_it(tmp_path: Path) -> None:
    with pytest.raises(NotFound, match="`indelible model install e5`"):
        installed.find(tmp_path, "e5")
    with pytest.raises(InvalidInput, match="cannot be the name of a model"):
        installed.find(tmp_path, "../../etc")


def test_a_moved_folder_is_refused(tmp_path: Path) -> None:
    tiny_models.install_dense(tmp_path, "one")
    (tmp_path / "models" / "one").rename(tmp_path / "models" / "two")
    with pytest.raises(InvalidInput, match="describes the model 'one'"):
        installed.find(tmp_path, "two")
