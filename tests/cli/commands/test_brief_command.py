"""`indelible brief --at prompt`: what a hook would tell at a prompt, and why the rest is not told."""

import re
import sys
from pathlib import Path

import pytest

import encoders
from indelible.cli import main

STRIPE = "The billing test talks to the real Stripe sandbox; without STRIPE_KEY it hangs."
FLY = "We deploy on Fly, never on Heroku."
PROMPT = "the billing test against stripe hangs, can you find out why and mend it?"


@pytest.fixture
def run(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]):
    place = tmp_path / "app"
    place.mkdir()
    monkeypatch.chdir(place)

    def run_it(*words: str) -> tuple[int, str, str]:
        code = main.main([*words, "--data", str(tmp_path / "data")])
        said = capsys.readouterr()
        return code, said.out, said.err

    return run_it


@pytest.mark.process
@pytest.mark.skipif(sys.platform == "win32", reason="signals and modes are POSIX")
def test_what_is_told_and_what_is_not_stands_there_with_its_reason(run, monkeypatch):
    monkeypatch.setenv("INDELIBLE_ENCODER", "shared")
    with encoders.running():
        for text in (STRIPE, FLY):
            assert run("remember", text)[0] == 0
        code, out, _ = run("brief", PROMPT, "--at", "prompt")
        assert code == 0
        told, table = out.split("</memory>")
        assert STRIPE in told
        assert FLY not in told
        rows = [line for line in table.splitlines() if "  " in line.strip()]
        assert [bool(re.search(r"  [0-9a-f]{8}  ", row)) for row in rows[1:]] == [True, True]
        assert rows[0].split() == ["sure", "shown", "id", "content"]
        assert [("shown  " in row, "not surely about it" in row) for row in rows[1:]] == [(True, False), (False, True)]

        _, out, err = run("brief", "a poem about the sea and the wind in autumn", "--at", "prompt")
        assert "nothing is surely about this prompt" in err
        assert "<memory" not in out
        assert "too few words" in run("brief", "yes", "--at", "prompt")[2]


def test_without_a_model_it_says_why_nothing_can_be_told(run):
    run("remember", STRIPE)
    code, out, err = run("brief", PROMPT, "--at", "prompt")
    assert (code, out) == (1, "")
    assert "compared by meaning" in err


@pytest.mark.parametrize("words", [["--at", "prompt"], [PROMPT], [PROMPT, "--at", "start"], [" ", "--at", "prompt"]])
def test_a_prompt_and_its_moment_go_together(run, words):
    run("remember", STRIPE)
    code, out, err = run("brief", *words)
    assert (code, out) == (1, "")
    assert "prompt" in err
