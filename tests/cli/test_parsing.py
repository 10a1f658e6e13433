"""Words that a command does not know: refused with its usage and the nearest option, never taken for another one."""

import pytest

from indelible.cli.main import main
from secret_corpus import lines

SECRET = next(secret for _, secret in lines() if secret and not secret.startswith("-"))


@pytest.mark.parametrize(
    ("given", "words"),
    [
        (["pause", "--al"], "pause: error: unrecognized arguments: --al; did you mean --all?"),
        (["pause", "--for", "1h"], "pause: error: unrecognized arguments: --for 1h; did you mean --for-good?"),
        (["list", "--jsn"], "list: error: unrecognized arguments: --jsn; did you mean --json?"),
        (["recall", "x", "--limt=3"], "recall: error: unrecognized arguments: --limt=3; did you mean --limit?"),
        (["token", "list", "--jsno"], "token list: error: unrecognized arguments: --jsno; did you mean --json?"),
        (["list", "--xyzzy"], "list: error: unrecognized arguments: --xyzzy"),
        (["stats", "words"], "stats: error: unrecognized arguments: words"),
        (["stats", "\x1b[31mred"], "stats: error: unrecognized arguments: red"),
    ],
    ids=["beginning", "beginning with a value", "typo", "with =", "of an action", "nothing near", "word", "escape"],
)
def test_what_a_command_does_not_know_is_refused(tmp_path, capsys, given, words):
    assert main([*given, "--data", str(tmp_path / "data")]) == 2
    said = capsys.readouterr()
    assert said.out == ""
    assert said.err.splitlines()[-1] == f"indelible {words}"
    assert said.err.startswith(f"usage: indelible {words.partition(':')[0]} ")
    assert list(tmp_path.iterdir()) == []


def test_a_secret_among_unknown_words_is_not_repeated(tmp_path, capsys):
    assert main(["stats", SECRET, "--data", str(tmp_path / "data")]) == 2
    assert SECRET not in capsys.readouterr().err
