"""`indelible key`: the canonical keys of the knowledge graph on the command line, and as functions of the package."""

import pytest

import indelible
from command_line import done, refused
from command_line import indelible as run
from indelible.graph import keys

FIX = "fix#boom#0a1b2c3d"
MESSAGE = "Cannot find module 'left-pad' v1.2.3"
EXECUTION = ("npm test", "/srv", 1, "out", "err")
OPTIONS = ("--cwd", "/srv", "--exit-code", "1", "--stdout-head", "out", "--stderr-head", "err")


@pytest.mark.process
@pytest.mark.parametrize(
    ("arguments", "key"),
    [
        (("error", MESSAGE), "err#cannot find module 'left-pad' x.y.z"),
        (("error", *MESSAGE.split()), "err#cannot find module 'left-pad' x.y.z"),  # without quotes too
        (("warning", MESSAGE), keys.warning_key(MESSAGE)),
        (("run", "2025-08-08T10:30:00Z", "npm test", *OPTIONS), keys.run_key("2025-08-08T10:30:00Z", *EXECUTION)),
        (("command", "npm test", *OPTIONS), keys.command_key(*EXECUTION)),
        (("fp8", "npm test", *OPTIONS), keys.fp8(*EXECUTION)),
        (("dependency", "left-pad", "1.3.0"), "dep#left-pad@1.3.0"),
        (("dependency", "left-pad"), "dep#left-pad"),
        (("fix", MESSAGE, "reinstall", "a.py", "b.py"), keys.fix_key(MESSAGE, "reinstall", ["a.py", "b.py"])),
        (("fix", "--json-values", MESSAGE, '{"b": 1, "a": 5.0}', "2"), keys.fix_key(MESSAGE, {"a": 5.0, "b": 1}, [2])),
        (
            ("outcome", "failed", FIX, "ci", "5m"),
            keys.outcome_key("failed", FIX, "ci", "5m"),
        ),
        (
            ("outcome", "--json-values", "failed", FIX, '"ci"', "5"),
            keys.outcome_key("failed", FIX, "ci", 5),
        ),
        (("doc", "https://example.org"), keys.doc_key("https://example.org")),
        (("mode", "Code Review", "2"), "mode#code-review@2"),
        (("tool", "ruff"), "tool#ruff"),
        (("file", "src/a b.py"), "file#src/a b.py"),
        (("concept", "ts-node loader"), "concept#ts-node-loader"),
    ],
    ids=lambda value: value if isinstance(value, str) else value[0],
)
def test_a_key_is_made_on_the_command_line(tmp_path, arguments, key):
    assert done("key", *arguments, data=tmp_path / "data") == key + "\n"
    assert not (tmp_path / "data").exists()


@pytest.mark.process
def test_a_key_is_that_of_the_redacted_text_as_it_would_be_stored(tmp_path):
    token = "ghp_" + "A1b2C3d4E5" * 3 + "f6G7a1"
    ran = run("key", "error", f"denied: {token}", data=tmp_path)
    assert ran.returncode == 0
    assert token.lower() not in ran.stdout.decode()
    assert ran.stderr.decode().startswith("redacted in ")


@pytest.mark.process
@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (("error", "4f9a8b7c6d5e4f9a"), "message must hold more than hashes"),
        (("outcome", "fine", "fix#a#0a1b2c3d", "ci", "5m"), "status must be one of verified_successful"),
        (("fix", "--json-values", "boom", "no json", "[]"), "STRATEGY must be JSON, got 'no json'"),
        (("run", "today", "npm test"), "started must be an ISO 8601 time"),
    ],
    ids=lambda value: value if isinstance(value, str) else value[0],
)
def test_what_has_no_key_is_refused_by_its_name(tmp_path, arguments, words):
    assert words in refused("key", *arguments, data=tmp_path)


def test_the_functions_that_make_keys_are_those_of_the_package():
    makers = [name for name in vars(keys) if name.endswith("_key") and not name.startswith(("_", "check"))]
    for name in (*makers, "fp8", "sha8", "slug"):
        assert getattr(indelible, name) is getattr(keys, name)
        assert name in indelible.__all__
