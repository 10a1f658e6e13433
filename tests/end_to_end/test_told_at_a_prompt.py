"""A prompt brings what is known about it: a hook asks a server's process, and the next one where that was killed."""

from __future__ import annotations

import sys
import threading
from pathlib import Path

import pytest

import encoders
from encoders import SHARED
from indelible.capture import hook_reminders, serving
from mcp_client import McpClient

pytestmark = [pytest.mark.process, pytest.mark.skipif(sys.platform == "win32", reason="signals and modes are POSIX")]

STRIPE = "The billing test talks to the real Stripe sandbox; without STRIPE_KEY it hangs."
PROMPT = "the billing test against stripe hangs, can you find out why and mend it?"


@pytest.fixture(autouse=True)
def encoder(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(serving, "PATIENCE", 30.0)  # a busy machine is not what this is about
    with encoders.running():
        yield


def at_prompt(data: Path, session: str, prompt: str = PROMPT) -> str:
    """What the hook of a prompt tells the agent, in the project of the server."""
    return hook_reminders.of_prompt(str(data), session, prompt, (None, None), str(data.parent), lambda _: {})


def told(data: Path, session: str) -> str:
    """The same once a server listens and has embedded what is stored."""
    never = threading.Event()
    while not (text := at_prompt(data, session)):
        never.wait(0.02)
    return text


def test_a_server_answers_hooks_until_it_is_killed_and_then_the_next_one_does(tmp_path: Path):
    data = tmp_path / "data"
    with McpClient(data, env=SHARED) as client:
        client.call("store_memory", {"content": STRIPE, "memory_type": "insight"})
        assert STRIPE in told(data, "one")
        assert at_prompt(data, "one") == ""  # nothing twice
        assert at_prompt(data, "two", "write a poem about the sea and the wind in autumn") == ""
        with McpClient(data, env=SHARED):
            client.kill9()
            assert STRIPE in told(data, "three")
    assert not (data / serving.ADDRESS).exists()
    assert at_prompt(data, "four") == ""
