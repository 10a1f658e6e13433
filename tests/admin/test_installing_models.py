"""Installing and removing models, from folders and from a hub that this test runs."""

import hashlib
import json
import shutil
import stat
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

import model_hub
import tiny_models
from indelible.admin import models
from indelible.admin.hub import Hub
from indelible.embed.models import catalogue, installed
from indelible.embed.models.catalogue import Known
from indelible.embed.models.dense import DenseModel
from indelible.embed.models.description import FILE, ModelFile
from indelible.embed.models.installed import Installed
from indelible.errors import Conflict, InvalidInput, NotFound, StoreError, Unavailable
from indelible.filesystem import FileLock
from model_hub import COMMIT, ModelHub

REPOSITORY = "Somebody/Tiny-E5"
POOLING = {"word_embedding_dimension": 32, "pooling_mode_mean_tokens": True, "pooling_mode_cls_token": False}
ABOUT: dict[str, Any] = {
    "config.json": {"architectures": ["BertModel"], "hidden_size": 32, "max_position_embeddings": 128},
    "1_Pooling/config.json": POOLING,
    "config_sentence_transformers.json": {"prompts": {"query": "query: ", "document": "passage: "}},
    "modules.json": [{"type": "sentence_transformers.models.Transformer"}],
}


def publish(folder: Path, about: dict[str, Any] = ABOUT) -> Path:
    """A folder as sentence-transformers publishes a model, and files that nobody needs."""
    tiny_models.write_files(folder, tiny_models.dense_model(tiny_models.vectors()), model="onnx/model.onnx")
    (folder / "README.md").write_text("# Tiny")
    (folder / "pytorch_model.bin").write_bytes(b"0" * 1000)
    for path, value in about.items():
        (folder / path).parent.mkdir(parents=True, exist_ok=True)
        (folder / path).write_text(json.dumps(value))
    return folder


@pytest.fixture
def data(tmp_path: Path) -> Path:
    return tmp_path / "data"


@pytest.fixture
def hub(tmp_path: Path) -> Iterator[ModelHub]:
    with model_hub.serving(REPOSITORY, model_hub.files_in(publish(tmp_path / "published"))) as hub:
        yield hub


def from_hub(hub: ModelHub, data: Path, source: str = REPOSITORY, **choice: str) -> Installed:
    client = Hub(hub.url)
    return models.install_from_hub(client, data, models.plan_from_hub(client, source, **choice), lambda *_: None)


def from_folder(folder: Path, data: Path, **choice: str) -> Installed:
    return models.install_from_folder(folder, data, models.plan_from_folder(folder, **choice))


def names(data: Path) -> list[str]:
    return sorted(path.name for path in (data / "models").glob("*"))


# --- From a folder ---


def test_a_published_folder_is_installed_as_its_files_say(data: Path, tmp_path: Path) -> None:
    made = from_folder(publish(tmp_path / "Tiny-E5"), data)
    found = made.description
    assert (found.name, found.kind, found.pooling, found.dimensions) == ("tiny-e5", "dense", "mean", 32)
    assert (found.query_prefix, found.passage_prefix, found.max_tokens) == ("query: ", "passage: ", 128)
    assert found.source == f"folder:{tmp_path / 'Tiny-E5'}"
    assert set(found.files) == {"onnx/model.onnx", "tokenizer.json"}
    assert installed.find(data, "tiny-e5") == made
    assert DenseModel.load(made).rows(["cat"])[0].shape == (1, 32)
    assert names(data) == ["indelible.lock", "tiny-e5"]


def test_only_its_owner_can_read_it(data: Path, tmp_path: Path) -> None:
    made = from_folder(publish(tmp_path / "tiny"), data)
    for path in (made.folder, *made.folder.rglob("*")):
        assert stat.S_IMODE(path.stat().st_mode) == (0o700 if path.is_dir() else 0o600)


def test_a_description_in_the_folder_says_more_than_its_files(data: Path, tmp_path: Path) -> None:
    folder = publish(tmp_path / "tiny")
    fields = {"kind": "dense", "model": "onnx/model.onnx", "tokenizer": "tokenizer.json", "pooling": "cls"}
    (folder / FILE).write_text(json.dumps({**fields, "name": "mine", "dimensions": 32, "languages": ["en", "ru"]}))
    found = from_folder(folder, data).description
    assert (found.name, found.pooling, found.languages, found.query_prefix) == ("mine", "cls", ("en", "ru"), "")
    assert set(found.files) == {"onnx/model.onnx", "tokenizer.json"}


def test_an_installed_model_is_carried_to_another_machine_and_has_the_same_identity(data: Path, tmp_path: Path) -> None:
    there = from_folder(publish(tmp_path / "tiny"), data)
    here = from_folder(there.folder, tmp_path / "other")
    assert here.description.identity == there.description.identity
    assert here.description.files == there.description.files


def test_a_file_that_changed_on_the_way_is_refused(data: Path, tmp_path: Path) -> None:
    made = from_folder(publish(tmp_path / "tiny"), data)
    with (made.folder / "tokenizer.json").open("a") as file:
        file.write("\n")
    with pytest.raises(StoreError, match=r"tokenizer\.json has the SHA-256 .* it is another file, or damaged"):
        from_folder(made.folder, tmp_path / "other")
    with pytest.raises(NotFound):
        installed.find(tmp_path / "other", "tiny")


def test_a_file_of_known_weights_is_checked_against_the_catalogue(data: Path, tmp_path: Path) -> None:
    folder = publish(tmp_path / "weights")
    with pytest.raises(StoreError, match="expected is ca456c06b3a9505d"):
        from_folder(folder, data, name="multilingual-e5-small")


def test_a_cross_encoder_is_told_by_its_architecture(data: Path, tmp_path: Path) -> None:
    folder = tmp_path / "cross"
    tiny_models.write_files(folder, tiny_models.cross_model(tiny_models.vectors()))
    (folder / "config.json").write_text(json.dumps({"architectures": ["BertForSequenceClassification"]}))
    assert from_folder(folder, data).description.kind == "cross-encoder"


@pytest.mark.parametrize(
    ("about", "message"),
    [
        ({}, "do not say how vectors are made"),
        ({**ABOUT, "1_Pooling/config.json": {**POOLING, "pooling_mode_cls_token": True}}, "do not say how vectors"),
        ({**ABOUT, "modules.json": [{"type": "sentence_transformers.models.Dense"}]}, "a layer after its pooling"),
        ({**ABOUT, "config_sentence_transformers.json": {"similarity_fn_name": "dot"}}, "for the similarity 'dot'"),
        ({**ABOUT, "config.json": [1]}, r"config\.json does not hold what such a file holds"),
        ({**ABOUT, "1_Pooling/config.json": {**POOLING, "word_embedding_dimension": 64}}, "its description says 64"),
    ],
)
def test_a_folder_that_does_not_say_enough_is_refused(
    about: dict[str, Any], message: str, data: Path, tmp_path: Path
) -> None:
    with pytest.raises(InvalidInput, match=message):
        from_folder(publish(tmp_path / "tiny", about), data)
    assert installed.installed(data) == []
    assert not [name for name in names(data) if name != "indelible.lock"]


def test_a_folder_without_a_model_says_what_is_missing(data: Path, tmp_path: Path) -> None:
    folder = publish(tmp_path / "tiny")
    (folder / "onnx" / "model.onnx").rename(folder / "onnx" / "model_int8.onnx")
    with pytest.raises(NotFound, match=r"the ONNX files there are: onnx/model_int8\.onnx; name one with --file"):
        models.plan_from_folder(folder)
    assert from_folder(folder, data, file="onnx/model_int8.onnx").description.model == "onnx/model_int8.onnx"
    (folder / "tokenizer.json").unlink()
    with pytest.raises(NotFound, match=r"there is no tokenizer\.json"):
        models.plan_from_folder(folder, file="onnx/model_int8.onnx")


# --- From a hub ---


def test_a_repository_is_installed_at_the_commit_that_it_has_now(hub: ModelHub, data: Path) -> None:
    made = from_hub(hub, data)
    assert made.description.source == f"hub:{REPOSITORY}@{COMMIT}"
    assert made.description.name == "tiny-e5"
    assert made.description.query_prefix == "query: "
    for path, file in made.description.files.items():
        assert file == ModelFile(hashlib.sha256(hub.files[path]).hexdigest(), len(hub.files[path]))
    assert sorted(model_hub.files_in(made.folder)) == [FILE, "onnx/model.onnx", "tokenizer.json"]
    assert not any("README" in asked or "pytorch" in asked for asked, _ in hub.asked)


def known_as(hub: ModelHub, **changed: Any) -> Known:
    pins = {
        path: ModelFile(hashlib.sha256(hub.files[path]).hexdigest(), len(hub.files[path]))
        for path in ("onnx/model.onnx", "tokenizer.json")
    }
    values = {"kind": "dense", "model": "onnx/model.onnx", "tokenizer": "tokenizer.json", "dimensions": 32}
    plain = Known("tiny", REPOSITORY, COMMIT, "", pins, {**values, "pooling": "mean", "licence": "MIT"})
    return replace(plain, **changed)


@pytest.fixture
def in_catalogue(monkeypatch: pytest.MonkeyPatch) -> Any:
    def put(known: Known) -> None:
        monkeypatch.setattr(catalogue, "known", lambda: {known.name: known})

    return put


def test_a_pinned_model_is_downloaded_without_asking_what_it_is(hub: ModelHub, data: Path, in_catalogue: Any) -> None:
    in_catalogue(known_as(hub))
    plan = models.plan_from_hub(Hub(hub.url), "tiny")
    assert plan.is_pinned
    assert hub.asked == []
    made = models.install_from_hub(Hub(hub.url), data, plan, lambda *_: None)
    assert [asked for asked, _ in hub.asked] == [
        f"/{REPOSITORY}/resolve/{COMMIT}/onnx/model.onnx",
        f"/{REPOSITORY}/resolve/{COMMIT}/tokenizer.json",
    ]
    assert made.description.licence == "MIT"


def test_a_pinned_model_with_other_content_is_not_installed(hub: ModelHub, data: Path, in_catalogue: Any) -> None:
    in_catalogue(known_as(hub))
    hub.files["onnx/model.onnx"] = hub.files["onnx/model.onnx"][:-1] + b"x"
    with pytest.raises(StoreError, match="thrown away, nothing is installed"):
        from_hub(hub, data, "tiny")
    assert installed.installed(data) == []


def test_what_is_not_pinned_is_taken_down_as_it_comes(hub: ModelHub, data: Path, in_catalogue: Any) -> None:
    in_catalogue(known_as(hub, revision=None, files={"onnx/model.onnx": None, "tokenizer.json": None}))
    hub.large = set()
    plan = models.plan_from_hub(Hub(hub.url), "tiny")
    assert not plan.is_pinned
    made = models.install_from_hub(Hub(hub.url), data, plan, lambda *_: None)
    assert made.description.files["onnx/model.onnx"].sha256 == hashlib.sha256(hub.files["onnx/model.onnx"]).hexdigest()
    assert made.description.source.endswith(COMMIT)


def test_another_file_of_a_known_model_is_used_as_the_catalogue_says(
    hub: ModelHub, data: Path, in_catalogue: Any
) -> None:
    in_catalogue(known_as(hub))
    hub.files["onnx/model_int8.onnx"] = hub.files["onnx/model.onnx"]
    made = from_hub(hub, data, "tiny", file="onnx/model_int8.onnx", name="tiny-int8")
    assert (made.description.model, made.description.licence) == ("onnx/model_int8.onnx", "MIT")


def test_an_interrupted_installation_goes_on_with_what_has_come(hub: ModelHub, data: Path) -> None:
    hub.broken["tokenizer.json"] = [100, 0]
    with pytest.raises(Unavailable, match="run the command again"):
        from_hub(hub, data)
    assert installed.installed(data) == []
    first = len(hub.ranges_of("onnx/model.onnx"))
    from_hub(hub, data)
    assert len(hub.ranges_of("onnx/model.onnx")) == first == 1, "the file that came whole does not come again"
    assert hub.ranges_of("tokenizer.json")[-1] == "bytes=100-"
    assert names(data) == ["indelible.lock", "tiny-e5"]


def test_what_an_installation_with_another_file_left_is_not_kept(hub: ModelHub, data: Path) -> None:
    hub.files["onnx/other.onnx"] = b"not a model"
    with pytest.raises(InvalidInput, match=r"cannot load .*other\.onnx"):
        from_hub(hub, data, file="onnx/other.onnx")
    assert installed.installed(data) == []
    made = from_hub(hub, data)
    assert sorted(model_hub.files_in(made.folder)) == [FILE, "onnx/model.onnx", "tokenizer.json"]
    assert names(data) == ["indelible.lock", "tiny-e5"]


def test_a_file_that_a_revision_lacks_is_named(hub: ModelHub, data: Path, in_catalogue: Any) -> None:
    in_catalogue(known_as(hub, files={"onnx/model.onnx": None, "tokenizer.model": None}))
    with pytest.raises(NotFound, match=rf"hub:{REPOSITORY}@{COMMIT} has no tokenizer\.model"):
        from_hub(hub, data, "tiny")


@pytest.mark.parametrize("source", ["nothing", "a/b/c", "../x", "a/..", "a/b?c", "http://x/y"])
def test_what_is_no_name_of_a_model_is_refused_before_anybody_is_asked(source: str, hub: ModelHub) -> None:
    with pytest.raises(InvalidInput, match="neither a folder, nor a model of the catalogue"):
        models.plan_from_hub(Hub(hub.url), source)
    assert hub.asked == []


# --- Both ---


def test_a_name_that_is_taken_is_refused(data: Path, tmp_path: Path) -> None:
    folder = publish(tmp_path / "tiny")
    from_folder(folder, data)
    with pytest.raises(Conflict, match="`indelible model remove tiny` removes it, --name gives"):
        from_folder(folder, data)
    from_folder(folder, data, name="tiny-2")


def test_two_installations_do_not_run_at_once(data: Path, tmp_path: Path) -> None:
    folder = publish(tmp_path / "tiny")
    for path in (data, data / "models"):
        path.mkdir(0o700)
    with FileLock(data / "models" / "indelible.lock"), pytest.raises(Conflict, match="wait until it is through"):
        from_folder(folder, data)


def test_a_disk_without_room_is_said_before_anything_comes(hub: ModelHub, data: Path, in_catalogue: Any) -> None:
    in_catalogue(known_as(hub, files={"onnx/model.onnx": ModelFile("a" * 64, 1 << 60), "tokenizer.json": None}))
    hub.large = set()
    plan = models.plan_from_hub(Hub(hub.url), "tiny")
    huge = replace(plan, files={path: replace(file, size=1 << 60) for path, file in plan.files.items()})
    asked = len(hub.asked)
    with pytest.raises(StoreError, match=r"tiny needs [\d,]+ bytes in .*, and the disk has [\d,]+ left; make room"):
        models.install_from_hub(Hub(hub.url), data, huge, lambda *_: None)
    assert len(hub.asked) == asked


def test_a_removed_model_is_gone_with_what_was_left_of_its_installation(data: Path, tmp_path: Path) -> None:
    made = from_folder(publish(tmp_path / "tiny"), data)
    shutil.copytree(made.folder, data / "models" / ".tiny-0123456789ab")
    size = sum(path.stat().st_size for path in made.folder.rglob("*") if path.is_file())
    assert models.remove(data, "tiny") == 2 * size
    assert names(data) == ["indelible.lock"]
    with pytest.raises(NotFound, match="`indelible model list` shows"):
        models.remove(data, "tiny")


@pytest.mark.parametrize("path", ["../../../outside.onnx", "/tmp/outside.onnx", "a/../../b.onnx"])
def test_a_hub_cannot_name_a_file_outside_of_the_model_s_folder(
    path: str, hub: ModelHub, data: Path, tmp_path: Path
) -> None:
    hub.files[path] = b"hostile"
    with pytest.raises(InvalidInput, match="no path of a file inside a model's folder"):
        from_hub(hub, data, file=path)
    assert not list(tmp_path.rglob("*outside*"))


@pytest.mark.parametrize("files", [["model.onnx"], {"model.onnx": "hash"}, {"../x": {"sha256": "a" * 64, "size": 1}}])
def test_a_folder_s_description_is_checked_before_anything_is_copied(files: Any, data: Path, tmp_path: Path) -> None:
    folder = publish(tmp_path / "tiny")
    (folder / FILE).write_text(json.dumps({"kind": "dense", "files": files}))
    with pytest.raises(InvalidInput, match="file"):
        from_folder(folder, data)
    assert not data.exists()
