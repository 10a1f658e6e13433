import json
from collections.abc import Iterator
from pathlib import Path

import pytest

import model_hub
import tiny_models
from command_line import done, indelible, refused, result
from indelible.embed.models import catalogue
from model_hub import COMMIT, ModelHub

pytestmark = pytest.mark.process

REPOSITORY = "somebody/tiny"


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    folder = tmp_path / "tiny"
    tiny_models.write_files(folder, tiny_models.dense_model(tiny_models.vectors()))
    (folder / "1_Pooling").mkdir()
    about = {"word_embedding_dimension": 32, "pooling_mode_mean_tokens": True}
    (folder / "1_Pooling" / "config.json").write_text(json.dumps(about))
    return folder


@pytest.fixture
def hub(folder: Path) -> Iterator[ModelHub]:
    with model_hub.serving(REPOSITORY, model_hub.files_in(folder)) as hub:
        yield hub


def test_a_model_of_a_folder_is_installed_listed_and_removed(folder: Path, tmp_path: Path) -> None:
    data = tmp_path / "data"
    said = done("model", "install", folder, data=data)
    assert said.startswith(f"installed tiny in {data / 'models' / 'tiny'}\n")
    assert "SHA-256" in said
    (row,) = [line for line in done("model", "list", data=data).splitlines() if line.startswith("tiny ")]
    assert row.split()[:4] == ["tiny", "dense", "installed", "32"]
    assert done("model", "remove", "tiny", data=data).startswith("removed tiny: ")
    assert "installed" not in done("model", "list", data=data)


@pytest.mark.sqlite("a store that is not there yet")
def test_the_list_has_what_is_known_by_name(tmp_path: Path) -> None:
    listed = result("model", "list", data=tmp_path / "data")["models"]
    assert [each["name"] for each in listed] == list(catalogue.known())
    assert {each["state"] for each in listed} == {"known"}
    assert not (tmp_path / "data").exists(), "looking makes nothing"


def test_nothing_is_downloaded_without_a_yes(hub: ModelHub, tmp_path: Path) -> None:
    data, env = tmp_path / "data", {"HF_ENDPOINT": hub.url}
    for source in (REPOSITORY, "multilingual-e5-small"):
        assert "add --from-hub" in refused("model", "install", source, data=data, env=env)
    assert hub.asked == []
    said = done("model", "install", REPOSITORY, "--from-hub", data=data, env=env)
    assert f"installed tiny in {data}" in said
    (listed, *_) = result("model", "list", data=data)["models"]
    assert listed["source"] == f"hub:{REPOSITORY}@{COMMIT}"


def test_what_is_going_to_come_is_said_before_it_does(hub: ModelHub, tmp_path: Path) -> None:
    hub.refused["model.onnx"] = 500
    env = {"HF_ENDPOINT": hub.url}
    said = indelible("model", "install", REPOSITORY, "--from-hub", data=tmp_path / "data", env=env).stderr.decode()
    first, second, third = said.splitlines()
    assert first.startswith("tiny: 3 files, ")
    assert COMMIT in first
    assert "not known beforehand" in second
    assert "answers 500" in third


def test_a_token_does_not_go_over_the_network_in_the_clear(tmp_path: Path) -> None:
    env = {"HF_ENDPOINT": "http://hub.example", "HF_TOKEN": model_hub.TOKEN}
    said = refused("model", "install", REPOSITORY, "--from-hub", data=tmp_path / "data", env=env)
    assert "HF_TOKEN would go over the network unencrypted" in said
    assert model_hub.TOKEN not in said


@pytest.mark.parametrize("endpoint", ["hub.example", "ftp://hub.example", "https://user:word@hub.example"])
def test_an_address_that_can_be_no_hub_is_refused(endpoint: str, tmp_path: Path) -> None:
    env = {"HF_ENDPOINT": endpoint}
    assert "HF_ENDPOINT must be" in refused("model", "install", REPOSITORY, "--from-hub", data=tmp_path, env=env)


def test_options_of_the_hub_are_not_for_folders(folder: Path, tmp_path: Path) -> None:
    for options in (["--from-hub"], ["--revision", "main"]):
        assert "is a folder" in refused("model", "install", folder, *options, data=tmp_path / "data")
