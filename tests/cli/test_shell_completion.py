"""A shell that has read what `indelible completion` prints completes commands, options, values and paths at Tab."""

from __future__ import annotations

import json
import os
import pty
import subprocess
import sys
from pathlib import Path

import pytest

from indelible.cli.main import COMMANDS
from indelible.cli.setup.clients import CLIENTS
from mcp_client import environment

pytestmark = [
    pytest.mark.process,
    pytest.mark.skipif(sys.platform == "win32", reason="shells of Unix"),
]

# The words that bash would offer for a line.
ASKED = """
eval "$(indelible completion bash)"
COMP_LINE=$1 COMP_POINT=${#1} COMP_TYPE=9
$(complete -p indelible | sed 's/.*-F \\([^ ]*\\) .*/\\1/') indelible
printf '%s\n' "${COMPREPLY[@]}"
"""


@pytest.fixture
def place(tmp_path: Path) -> Path:
    """A directory with files, and the program in `bin/`."""
    for name in ("store", "stories", ".hidden", "bin"):
        (tmp_path / name).mkdir()
    (tmp_path / "story.md").touch()
    program = tmp_path / "bin" / "indelible"
    program.write_text(f'#!/bin/sh\nexec "{sys.executable}" -m indelible "$@"\n', encoding="utf-8")
    program.chmod(0o755)
    return tmp_path


def env(place: Path, **more: str) -> dict[str, str]:
    given = environment({"HOME": str(place), "INDELIBLE_DATA": str(place / "store"), "TERM": "dumb", **more})
    return {**given, "PATH": f"{place / 'bin'}:{given['PATH']}"}


def offered(place: Path, line: str, script: str = ASKED) -> list[str]:
    command = ["bash", "--noprofile", "--norc", "-c", script, "bash", line]
    ran = subprocess.run(command, env=env(place), cwd=place, capture_output=True, text=True, check=True, timeout=50)
    assert ran.stderr == ""
    return [word.strip() for word in ran.stdout.splitlines() if word.strip()]


def typed(shell: list[str], keys: str, place: Path) -> str:
    """What an interactive shell shows when somebody types at its terminal, until it ends."""
    pid, terminal = pty.fork()
    if pid == 0:
        os.chdir(place)
        os.execvpe(shell[0], shell, env(place))
    os.write(terminal, keys.encode())
    shown = b""
    try:
        while more := os.read(terminal, 4096):
            shown += more
    except OSError:  # Linux says so that the other end is closed
        pass
    os.close(terminal)
    os.waitpid(pid, 0)
    return shown.decode()


@pytest.mark.needs("bash")
@pytest.mark.parametrize(
    ("line", "words"),
    [
        ("indelible rec", ["recall"]),
        ("indelible ", list(COMMANDS)),
        ("indelible nosuch ", list(COMMANDS)),
        ("indelible setup cl", ["claude-code", "claude-desktop", "cline"]),
        ("indelible setup ", list(CLIENTS)),
        ("indelible setup --scope ", ["user", "project"]),
        ("indelible recall --type de", ["decision"]),
        ("indelible token ", ["create", "list", "revoke", "rotate"]),
        ("indelible token create --scope a", ["admin"]),
        ("indelible key f", ["fix", "file", "fp8"]),
        ("indelible call recall_mem", ["recall_memory"]),
        ("indelible completion ", ["bash", "zsh", "fish"]),
        ("indelible recall --data sto", ["store/", "stories/"]),
        ("indelible add sto", ["store/", "stories/", "story.md"]),
        ("indelible import --from vecfs stor", ["store/", "stories/", "story.md"]),
        ("indelible add .h", [".hidden/"]),
        ("indelible add no/such/", []),
        ("indelible show ", []),
        ("indelible remember 'an open quotation mark", []),
    ],
)
def test_bash_is_offered_what_fits(line, words, place):
    assert sorted(offered(place, line)) == sorted(words)


@pytest.mark.needs("bash")
def test_options_are_offered_behind_a_dash(place):
    found = offered(place, "indelible setup --")
    assert {"--all", "--scope", "--dry-run", "--hooks", "--profile", "--print", "--json", "--data", "--help"} <= set(
        found
    )
    assert offered(place, "indelible setup --pri") == ["--print"]
    assert not [word for word in offered(place, "indelible token list --") if not word.startswith("--")]


@pytest.mark.needs("bash")
def test_a_shell_function_in_place_of_the_program_is_completed_too(place):
    """As for those who run `uvx indelible`."""
    (place / "bin" / "indelible").rename(place / "bin" / "elsewhere")
    script = 'indelible() { elsewhere "$@"; }\n' + ASKED
    assert offered(place, "indelible rec", script) == ["recall"]


@pytest.mark.needs("bash")
def test_somebody_at_bash_types_tab(place):
    keys = (
        "PS1=; bind 'set enable-bracketed-paste off'; bind 'set show-all-if-ambiguous on'\n"
        'eval "$(indelible completion bash)"\n'
        "indelible rec\t--help\n"
        "indelible setup --\thelp\nexit\n"
    )
    shown = typed(["bash", "--noprofile", "--norc", "-i"], keys, place)
    assert "usage: indelible recall" in shown
    before, help_, _ = shown.partition("usage: indelible setup")
    assert help_
    assert {"--dry-run", "--scope", "--no-hooks"} <= set(before.split())


@pytest.mark.needs("zsh")
def test_somebody_at_zsh_types_tab(place):
    keys = (
        "autoload -U compinit; compinit -u -D; unsetopt zle_bracketed_paste\n"
        'eval "$(indelible completion zsh)"\n'
        "indelible rec\t --help\n"
        "exit\n"
    )
    assert "usage: indelible recall" in typed(["zsh", "-f", "-i"], keys, place)


@pytest.mark.needs("fish")
def test_fish_is_offered_what_fits(place):
    script = "indelible completion fish | source; complete -C 'indelible rec'; complete -C 'indelible setup --dr'"
    command = ["fish", "--no-config", "-c", script]
    ran = subprocess.run(command, env=env(place), cwd=place, capture_output=True, text=True, check=True, timeout=50)
    assert [line.split("\t")[0] for line in ran.stdout.splitlines()] == ["recall", "--dry-run"]


# --- What it loads ---

LOADED = """
import json, os, sys
os._exit = lambda code: print(json.dumps(sorted(sys.modules)), file=sys.stderr) or sys.exit(code)
os.dup2(os.open(os.devnull, os.O_WRONLY), 8)
os.dup2(os.open(os.devnull, os.O_WRONLY), 9)
from indelible.cli.main import main
main(sys.argv[1:])
print(json.dumps(sorted(sys.modules)), file=sys.stderr)
"""


def loaded(place: Path, *arguments: str, **more: str) -> set[str]:
    command = [sys.executable, "-c", LOADED, *arguments]
    ran = subprocess.run(
        command, env=env(place, **more), cwd=place, capture_output=True, text=True, check=False, input="{}", timeout=50
    )
    return set(json.loads(ran.stderr.splitlines()[-1]))


@pytest.mark.parametrize(
    ("line", "module"), [("indelible re", None), ("indelible recall --", "memories"), ("indelible token ", "tokens")]
)
def test_only_the_module_of_the_command_is_loaded(line, module, place):
    found = loaded(place, _ARGCOMPLETE="1", COMP_LINE=line, COMP_POINT=str(len(line)))
    prefix = "indelible.cli.commands."
    assert [name for name in found if name.startswith(prefix)] == ([prefix + module] if module else [])
    assert "argcomplete" in found


@pytest.mark.parametrize("arguments", [["recall", "axum"], ["--version"], ["hook", "Stop"]], ids=" ".join)
def test_no_other_run_loads_argcomplete(arguments, place):
    assert not {"argcomplete", "indelible.cli.completing"} & loaded(place, *arguments)


@pytest.mark.sqlite("what a process loads for a file")
def test_a_hook_completes_nothing(place):
    line = "indelible hook "
    found = loaded(place, "hook", "Stop", _ARGCOMPLETE="1", COMP_LINE=line, COMP_POINT=str(len(line)))
    assert not {"argcomplete", "argparse"} & found
