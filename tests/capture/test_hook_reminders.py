"""What a hook tells at a prompt: within its tokens, noted for the session, and nothing where no process serves."""

from __future__ import annotations

import json
import socket
import sys
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any

import pytest

from indelible.capture import hook_reminders, serving, session_notes
from indelible.errors import StoreError

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="a socket with a path")

PROMPT = "why does the billing test hang?"
ANSWER = {"text": "what is known", "names": ["a", "b"], "tokens": 100}


@contextmanager
def answering(inbox: Path, answer: Callable[[Any], bytes]) -> Iterator[list[Any]]:
    """A process of another make that serves the inbox, one request after the other; the requests that came."""
    came: list[Any] = []
    listener = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
    path = inbox / "s"
    listener.bind(str(path))
    listener.listen()
    (inbox / serving.ADDRESS).write_text(str(path))

    def serve() -> None:
        while True:
            connected, _ = listener.accept()
            with connected:
                size = int.from_bytes(connected.recv(4), "little")
                if not size:
                    return
                came.append(json.loads(connected.recv(size, socket.MSG_WAITALL)))
                with suppress(BrokenPipeError):  # who asked waits no longer
                    connected.sendall(answer(came[-1]))

    thread = threading.Thread(target=serve)
    thread.start()
    yield came
    with socket.socket(socket.AF_UNIX, socket.SOCK_STREAM) as last:
        last.connect(str(path))
        last.sendall(bytes(4))
    thread.join()
    listener.close()
    path.unlink()


def frame(value: object) -> bytes:
    content = json.dumps(value).encode()
    return len(content).to_bytes(4, "little") + content


@pytest.fixture
def inbox(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setattr(serving, "PATIENCE", 20.0)
    monkeypatch.chdir(tmp_path)
    return tmp_path


def told(inbox: Path, prompt: str = PROMPT, session: str = "s1") -> str:
    return hook_reminders.of_prompt(str(inbox), session, prompt, (None, "/app"), "/app/src", lambda _: {})


def test_what_is_answered_is_told_and_noted(inbox: Path) -> None:
    with answering(inbox, lambda _: frame(ANSWER)) as came:
        assert told(inbox) == "what is known"
        assert came == [
            {
                **{"moment": "prompt", "prompt": PROMPT, "project": [None, "/app"], "directory": "/app/src"},
                **{"shown": [], "room": 250},
            }
        ]
        assert session_notes.lines(str(inbox), "s1", hook_reminders.SHOWN) == ["100 a b"]
        told(inbox)
        assert came[1]["shown"] == ["a", "b"]
        told(inbox, session="s2")
        assert came[2]["shown"] == []


def test_a_session_has_its_tokens_and_then_nothing_is_asked(inbox: Path) -> None:
    with answering(inbox, lambda request: frame({**ANSWER, "tokens": request["room"]})) as came:
        while told(inbox):
            continue
        assert [request["room"] for request in came] == [250] * 6
    assert sum(request["room"] for request in came) == hook_reminders.MOST_OF_SESSION


@pytest.mark.parametrize("prompt", ["", "yes", "continue", "/clear", " /review this whole branch please", "ok go on"])
def test_a_prompt_that_names_no_matter_asks_nobody(inbox: Path, prompt: str) -> None:
    with answering(inbox, lambda _: frame(ANSWER)) as came:
        assert told(inbox, prompt) == ""
    assert came == []


@pytest.mark.parametrize(
    "prompt", ["fix the billing test", "なぜ請求テストは止まりますか", "почему тест биллинга виснет"]
)
def test_prompts_in_any_script_are_about_something(prompt: str) -> None:
    assert hook_reminders.names_a_matter(prompt)


def test_of_a_huge_prompt_the_beginning_is_sent(inbox: Path) -> None:
    with answering(inbox, lambda _: frame(ANSWER)) as came:
        told(inbox, "why is it so slow? " * 100_000)
    assert len(came[0]["prompt"]) == hook_reminders.LONGEST


def test_where_no_process_serves_the_hook_answers_itself_with_what_is_shown_noted_too(inbox: Path) -> None:
    asked: list[Any] = []

    def alone(request: dict[str, Any]) -> dict[str, Any]:
        asked.append(request)
        return ANSWER

    where = (str(inbox), "s1", PROMPT, (None, None), "/app")
    assert hook_reminders.of_prompt(*where, alone) == "what is known"
    (inbox / serving.ADDRESS).write_text(str(inbox / "gone"))
    assert hook_reminders.of_prompt(*where, alone) == "what is known"
    assert [request["shown"] for request in asked] == [[], ["a", "b"]]


def test_where_a_process_serves_and_is_too_late_the_hook_does_not_answer_itself(inbox: Path) -> None:
    with answering(inbox, lambda _: b""):
        assert hook_reminders.of_prompt(str(inbox), "s1", PROMPT, (None, None), "/app", lambda _: ANSWER) == ""


WRONG: dict[str, bytes] = {
    "nothing": b"",
    "half": frame(ANSWER)[:-3],
    "no JSON": (3).to_bytes(4, "little") + b"\xff{}",
    "a list": frame([1]),
    "an error": frame({"error": "x"}),
    "other types": frame({"text": 1, "names": "a", "tokens": None}),
    "no names": frame({"text": "x", "tokens": 3}),
    "too large": (1 << 30).to_bytes(4, "little"),
}


@pytest.mark.parametrize("name", WRONG)
def test_an_answer_of_another_shape_is_none(inbox: Path, name: str) -> None:
    with answering(inbox, lambda _: WRONG[name]):
        assert told(inbox) == ""
    assert session_notes.lines(str(inbox), "s1", hook_reminders.SHOWN) == []


def test_a_process_that_does_not_answer_is_not_waited_for(inbox: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(serving, "PATIENCE", 0.05)
    over = threading.Event()

    def late(_: object) -> bytes:
        over.wait()
        return b""

    with answering(inbox, late):
        assert told(inbox) == ""
        over.set()


def test_what_cannot_be_noted_is_not_told(inbox: Path) -> None:
    (inbox / "sessions").write_text("a file where the notes should be")
    with answering(inbox, lambda _: frame(ANSWER)), pytest.raises((StoreError, NotADirectoryError)):
        told(inbox)


def test_a_brief_is_noted_and_forgotten_with_the_context(inbox: Path) -> None:
    for anew, names, expected in ((False, ["a"], ["0 a"]), (False, ["b"], ["0 a", "0 b"]), (True, ["c"], ["0 c"])):
        hook_reminders.begin(str(inbox), "s1", names, anew=anew)
        assert session_notes.lines(str(inbox), "s1", hook_reminders.SHOWN) == expected
    hook_reminders.begin(str(inbox), "s1", [], anew=True)
    assert session_notes.lines(str(inbox), "s1", hook_reminders.SHOWN) == []
