"""Downloads from a hub that this test runs, with its faults."""

import hashlib
import socket
from collections.abc import Iterator
from pathlib import Path

import pytest

import model_hub
from indelible.admin.hub import Expected, Hub
from indelible.errors import IndelibleError, NotFound, StoreError, Unauthorized, Unavailable
from model_hub import COMMIT, ModelHub

REPOSITORY = "somebody/model"
CONTENT = bytes(range(256)) * 20_000  # 5 MB: several chunks
SHA256 = hashlib.sha256(CONTENT).hexdigest()
UNKNOWN = Expected()


@pytest.fixture
def hub() -> Iterator[ModelHub]:
    with model_hub.serving(REPOSITORY, {"onnx/model.onnx": CONTENT, "config.json": b"{}"}) as hub:
        yield hub


def fetched(hub: ModelHub, target: Path, expected: Expected = UNKNOWN, token: str | None = None) -> list[int]:
    """Download the model; how many bytes were there each time it was told."""
    told: list[int] = []
    client = Hub(hub.url, token)
    got = client.download(
        REPOSITORY, COMMIT, "onnx/model.onnx", target, expected, lambda path, done, whole: told.append(done)
    )
    assert target.read_bytes() == CONTENT
    assert (got.sha256, got.size) == (SHA256, len(CONTENT))
    assert not target.with_name("model.onnx.part").exists()
    return told


def test_a_file_comes_whole_and_is_measured(hub: ModelHub, tmp_path: Path) -> None:
    told = fetched(hub, tmp_path / "deep" / "model.onnx", Expected(len(CONTENT), SHA256))
    assert told == sorted(told)
    assert told[-1] == len(CONTENT)


def test_a_connection_that_breaks_is_taken_up_where_it_was(hub: ModelHub, tmp_path: Path) -> None:
    hub.broken["onnx/model.onnx"] = [1_500_000, 700_000]
    fetched(hub, tmp_path / "model.onnx", Expected(len(CONTENT), SHA256))
    assert hub.ranges_of("onnx/model.onnx") == ["", "bytes=1500000-", "bytes=2200000-"]


def test_a_later_call_goes_on_where_an_earlier_one_stopped(hub: ModelHub, tmp_path: Path) -> None:
    hub.broken["onnx/model.onnx"] = [1_000_000, 0]
    with pytest.raises(Unavailable, match="broke off after 1,000,000 bytes; run the command again"):
        fetched(hub, tmp_path / "model.onnx")
    fetched(hub, tmp_path / "model.onnx")
    assert hub.ranges_of("onnx/model.onnx")[-1] == "bytes=1000000-"


def test_a_hub_that_knows_no_ranges_gives_the_file_from_its_beginning(hub: ModelHub, tmp_path: Path) -> None:
    hub.ranges = False
    (tmp_path / "model.onnx.part").write_bytes(b"x" * 1000)
    fetched(hub, tmp_path / "model.onnx", Expected(len(CONTENT), SHA256))


@pytest.mark.parametrize("there", [len(CONTENT) + 5, len(CONTENT)])
def test_what_is_left_of_another_file_is_thrown_away(there: int, hub: ModelHub, tmp_path: Path) -> None:
    (tmp_path / "model.onnx.part").write_bytes(b"x" * there)
    fetched(hub, tmp_path / "model.onnx")  # its size is not known beforehand: the hub refuses the range
    assert hub.ranges_of("onnx/model.onnx") == [f"bytes={there}-", ""]


def test_other_content_than_expected_is_refused_and_not_kept(hub: ModelHub, tmp_path: Path) -> None:
    with pytest.raises(StoreError, match=f"has the SHA-256 {SHA256} .* expected is {'a' * 64}"):
        fetched(hub, tmp_path / "model.onnx", Expected(len(CONTENT), "a" * 64))
    with pytest.raises(StoreError, match="nothing is installed"):
        fetched(hub, tmp_path / "model.onnx", Expected(len(CONTENT) + 1))
    assert list(tmp_path.iterdir()) == []


def test_it_follows_where_the_hub_leads_without_the_token(hub: ModelHub, tmp_path: Path) -> None:
    with model_hub.serving(REPOSITORY, hub.files) as cdn:
        hub.gated, hub.elsewhere = True, cdn.url
        hub.broken, cdn.broken = {}, {"onnx/model.onnx": [2_000_000]}
        fetched(hub, tmp_path / "model.onnx", token=model_hub.TOKEN)
    assert [headers["Range"] for _, headers in cdn.asked if "Range" in headers] == ["bytes=2000000-"]
    assert all(headers["Authorization"] == f"Bearer {model_hub.TOKEN}" for _, headers in hub.asked)
    assert not any("Authorization" in headers for _, headers in cdn.asked)


@pytest.mark.parametrize(
    ("status", "error", "words"),
    [
        (401, Unauthorized, "HF_TOKEN is not set"),
        (403, Unauthorized, "gated or private"),
        (404, NotFound, "no such model, revision or file"),
        (500, Unavailable, "try again later"),
    ],
)
def test_a_refusal_says_what_to_do(
    status: int, error: type[IndelibleError], words: str, hub: ModelHub, tmp_path: Path
) -> None:
    hub.refused["onnx/model.onnx"] = status
    with pytest.raises(error, match=words) as refused:
        fetched(hub, tmp_path / "model.onnx")
    assert f"answers {status}" in str(refused.value)


def test_a_token_that_does_not_hold_is_told_from_none(hub: ModelHub) -> None:
    hub.gated = True
    with pytest.raises(Unauthorized, match="the token of HF_TOKEN does not hold there") as refused:
        Hub(hub.url, "wrong").commit(REPOSITORY, None)
    assert "wrong" not in str(refused.value)


def test_without_a_network_the_way_without_one_is_named(tmp_path: Path) -> None:
    with socket.socket() as nobody:
        nobody.bind(("127.0.0.1", 0))
        client = Hub(f"http://127.0.0.1:{nobody.getsockname()[1]}")
    for ask in (
        lambda: client.commit(REPOSITORY, None),
        lambda: client.download(REPOSITORY, COMMIT, "a", tmp_path / "a", Expected(), lambda *_: None),
    ):
        with pytest.raises(Unavailable, match=r"cannot be reached: .*bring the model's files to a folder"):
            ask()


def test_a_proxy_of_the_environment_is_used(hub: ModelHub, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("http_proxy", hub.url)
    monkeypatch.setenv("no_proxy", "")
    client = Hub("http://hub.invalid")
    assert client.commit(REPOSITORY, "main") == COMMIT, "a name that nobody can look up: the proxy was asked"


def test_a_full_disk_is_said_and_what_came_is_kept(hub: ModelHub, tmp_path: Path) -> None:
    (tmp_path / "model.onnx.part").symlink_to("/dev/full")
    with pytest.raises(StoreError, match="cannot be written: No space left on device; make room and run"):
        fetched(hub, tmp_path / "model.onnx")


def test_a_commit_and_its_files_are_found(hub: ModelHub) -> None:
    hub.large = {"onnx/model.onnx"}
    client = Hub(hub.url)
    assert client.commit(REPOSITORY, None) == client.commit(REPOSITORY, "v1") == COMMIT
    assert client.files(REPOSITORY, COMMIT) == {
        "onnx/model.onnx": Expected(len(CONTENT), SHA256),
        "config.json": Expected(2, None),
    }
    with pytest.raises(NotFound):
        client.commit(REPOSITORY, "v2")
    with pytest.raises(NotFound):
        client.commit("nobody/nothing", None)


@pytest.mark.parametrize("content", [b"<html>", b"[1]", b'{"sha": "main"}', b"\xff\xfe"])
def test_what_is_no_hub_is_said(content: bytes, tmp_path: Path) -> None:
    with model_hub.serving(REPOSITORY, {"page": content}) as hub:
        client = Hub(f"{hub.url}/{REPOSITORY}/resolve/{COMMIT}/page?")  # whatever is asked of it, it gives this page
        with pytest.raises(Unavailable, match="does not answer as a hub"):
            client.commit(REPOSITORY, None)
        with pytest.raises(Unavailable, match="does not answer as a hub"):
            client.files(REPOSITORY, COMMIT)
