"""Which command lines run our hook: `indelible hook`, as it stands or behind programs that only start another one."""

import re
from collections.abc import Iterator, Sequence

from indelible.setup.entries import NAME, program_of
from indelible.setup.shells import is_operator

_ASSIGNMENT = re.compile(r"[A-Za-z_]\w*=")
_PYTHON = re.compile(r"python[\d.]*|pythonw|py")
_OF_PYTHON = frozenset(("-X", "-W"))
_OF_UV = frozenset(
    """--from --with -w --with-editable --with-requirements --python -p --index --default-index --index-url -i
    --extra-index-url --find-links -f --cache-dir --directory --project --config-file --env-file""".split()
)
# Programs that start another one: their options that take a word, and how many words stand before that other program.
_WRAPPERS = {
    "env": (frozenset(("-u", "--unset", "-C", "--chdir")), 0),
    "nice": (frozenset(("-n", "--adjustment")), 0),
    "ionice": (frozenset(("-c", "--class", "-n", "--classdata")), 0),
    "timeout": (frozenset(("-k", "--kill-after", "-s", "--signal")), 1),
    "nohup": (frozenset[str](), 0),
    "command": (frozenset[str](), 0),
    "exec": (frozenset(("-a",)), 0),
    "time": (frozenset(("-f", "--format", "-o", "--output")), 0),
    "uvx": (_OF_UV, 0),
    "uv run": (_OF_UV, 0),
    "uv tool run": (_OF_UV, 0),
    "pipx run": (frozenset(("--spec", "--python")), 0),
}


def runs_hook(words: Sequence[str]) -> bool:
    """Is `indelible hook` all that a command line runs?"""
    return not any(map(is_operator, words)) and _runs_hook(words)


def runs_hook_among_others(words: Sequence[str]) -> bool:
    """Is `indelible hook` one of the commands of a line that has several, or redirects what they say?"""
    return any(map(is_operator, words)) and any(map(_runs_hook, _commands(words)))


def _commands(words: Sequence[str]) -> Iterator[list[str]]:
    command: list[str] = []
    for word in words:
        if is_operator(word):
            yield command
            command = []
        else:
            command.append(word)
    yield command


def _runs_hook(words: Sequence[str]) -> bool:
    while words:
        if _ASSIGNMENT.match(words[0]):
            words = words[1:]
        elif program_of(words[0]) == NAME:
            return words[1:2] == ["hook"]
        else:
            words = _started(words)
    return False


def _started(words: Sequence[str]) -> Sequence[str]:
    """What a program is told to start, nothing for one that starts no other; `-m` of Python is an option as any."""
    name = program_of(words[0])
    if _PYTHON.fullmatch(name):
        return _behind_options(words[1:], _OF_PYTHON, 0)
    for size in (3, 2, 1):
        known = _WRAPPERS.get(" ".join((name, *words[1:size])))
        if known:
            return _behind_options(words[size:], *known)
    return ()


def _behind_options(words: Sequence[str], valued: frozenset[str], more: int) -> Sequence[str]:
    at = 0
    while at < len(words) and words[at].startswith("-"):
        at += 2 if words[at] in valued else 1
    return words[at + more :]
