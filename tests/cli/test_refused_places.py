"""The command line refuses places where acknowledged writes could be lost, and says where to go instead."""

from __future__ import annotations

from pathlib import Path

import pytest

import forked
from command_line import done, refused
from mcp_client import McpClient, ServerGoneError, environment

pytestmark = [pytest.mark.process, pytest.mark.sqlite("where a file may be")]


@pytest.mark.parametrize(
    "folder",
    ["Dropbox/x", "OneDrive - Contoso/notes/data", "Google Drive/x", "Nextcloud/x", "Library/Mobile Documents/x"],
)
def test_a_synchronised_folder_is_refused_with_the_remedy(tmp_path: Path, folder: str):
    home = tmp_path / "home"
    home.mkdir()
    data = home / folder
    env = environment({"HOME": str(home), "USERPROFILE": str(home)})
    ran = forked.run(["remember", "x", "--data", f"~/{folder}"], env=env, cwd=home)
    words = ran.stderr.decode()
    assert ran.returncode == 1
    assert words.startswith("indelible: ")
    assert f"{data} lies in the synchronised folder" in words
    assert "give a directory on a local disk (--data DIR or INDELIBLE_DATA)" in words
    assert list(home.iterdir()) == []  # nothing was made there
    with_variable = {**env, "INDELIBLE_DATA": str(data)}
    by_variable = forked.run(["remember", "x"], env=with_variable, cwd=home)
    assert b"synchronised folder" in by_variable.stderr


def test_a_link_into_a_synchronised_folder_is_refused(tmp_path: Path):
    target = tmp_path / "Dropbox" / "data"
    target.mkdir(parents=True)
    (tmp_path / "link").symlink_to(target)
    words = refused("remember", "x", data=tmp_path / "link")
    assert f"{tmp_path / 'link'} (that is {target}) lies in the synchronised folder" in words
    assert list(target.iterdir()) == []


@pytest.mark.parametrize("marker", [".stfolder", ".dropbox.cache"])
def test_a_folder_that_a_client_marked_is_refused(tmp_path: Path, marker: str):
    (tmp_path / marker).mkdir()
    words = refused("stats", data=tmp_path / "data")
    assert f"the synchronised folder {tmp_path} (it has {marker})" in words
    assert not (tmp_path / "data").exists()


def test_a_server_on_a_refused_place_leaves_with_the_remedy(tmp_path: Path):
    (tmp_path / "Dropbox").mkdir()
    client = McpClient(tmp_path / "Dropbox" / "data")
    with pytest.raises(ServerGoneError, match="give a directory on a local disk"):
        client.initialize()
    assert client.close() == 1


@pytest.mark.parametrize(
    "command",
    [
        ["recall", "axum"],
        ["why", "axum"],
        ["stats"],
        ["export"],
        ["backup", "copy.db"],
        ["history"],
        ["undo"],
        ["delete", "an-id"],
        ["purge", "--namespace", "a/project", "--yes"],
        ["reembed"],
        ["solutions"],
        ["failures"],
        ["fixes", "boom"],
        ["breaks", "make"],
    ],
    ids=lambda command: command[0],
)
def test_a_mistyped_data_directory_is_refused_by_what_asks_what_is_stored(tmp_path: Path, command: list[str]):
    done("remember", "Use axum", data=tmp_path / "data")
    wrong = tmp_path / "dta"
    assert f"there is no store in {wrong}" in refused(*command, data=wrong)
    assert sorted(path.name for path in tmp_path.iterdir()) == ["data"]
