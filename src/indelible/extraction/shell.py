"""The commands in a shell line, without the parts that vary between runs of the same command."""

import posixpath
import re
from collections.abc import Iterator
from dataclasses import field, replace

from indelible.dataclass import dataclass
from indelible.extraction import shell_syntax

LONGEST = 2_000  # characters of a line that are read
MOST = 16  # commands of a line

_ASSIGNED = re.compile(r"[A-Za-z_]\w{0,80}=")
_VERSIONED = re.compile(r"(python|pip|node|ruby|php|perl|lua)[\d.]+\Z")
_UNQUOTED = re.compile(r"""['"]|\\(?=.)""")

_WRAPPERS = frozenset("sudo time env nice nohup timeout stdbuf command exec npx bunx pnpx uvx doas xvfb-run".split())
_RUNNERS = {  # programs that run another one
    "uv": {"run"},
    "poetry": {"run"},
    "pipenv": {"run"},
    "hatch": {"run"},
    "rye": {"run"},
    "pdm": {"run"},
    "bundle": {"exec"},
    "pnpm": {"exec", "dlx"},
    "yarn": {"exec", "dlx"},
    "npm": {"exec"},
    "mise": {"exec"},
    "direnv": {"exec"},
    "coverage": {"run"},
}
_INTERPRETERS = frozenset("python node deno bun ruby perl php bash sh zsh tsx ts-node Rscript lua".split())
_SHELLS = frozenset("bash sh zsh".split())
_GOING = frozenset("cd pushd popd".split())
_WITH_ACTION = frozenset(
    """git cargo go npm pnpm yarn bun docker docker-compose podman kubectl helm terraform tofu make just task dotnet
    gradle gradlew mvn mvnw rails rake mix swift flutter dart deno poetry uv pip pipenv hatch alembic gh gem bundle
    composer artisan manage.py ruff conda brew apt apt-get nx turbo lerna pre-commit tox nox cmake bazel meson ninja
    stack cabal sbt lein xcodebuild pod vite next nuxt ng vue astro prisma drizzle-kit supabase firebase wrangler
    vercel serverless ansible aws gcloud az systemctl""".split()
)
_LONG_ACTION = {"npm": {"run", "run-script"}, "pnpm": {"run"}, "yarn": {"run"}, "bun": {"run"}, "docker": {"compose"}}
# Flags whose value is the next word, and which choose among the things that a command would run.
_CHOOSING = frozenset(
    """-k -m -t --testNamePattern --test-name-pattern -run --run --tests --grep -g --filter --only --match --lf
    --package --project --manifest-path""".split()
)
_CHOOSING_OF = {  # where others mean something else by them
    "cargo": {"-p"},
    "tsc": {"-p"},
    "npm": {"-w", "--workspace"},
}
_PLACING = frozenset("-C --prefix --cwd --dir --directory".split())  # flags whose value is where to run
_VALUED = frozenset(
    """-n -p -c -h -W -o -j -f -e -r -x: --config --tb --timeout --maxfail --workspace
    --rootdir --format --output-format --python --target --reporter --numprocesses --durations
    --color --log-level --config-file --message --features --profile --env --settings --tag""".split()
)
_TALKING = frozenset(
    "--help -h --version -V --collect-only --co --list --listTests --dry-run --fixtures --show-fixtures".split()
)


@dataclass(frozen=True, slots=True)
class Command:
    """One command of a line as runs are compared: without its environment and its flags.

    `action` is the sub-command ("" if there is none), `targets` the files, packages or names that it works on, without
    those inside a file (`a.py::t` is `a.py`), `chosen` the flags that choose among them. `text` is for display. `place`
    is the directory that it runs in, "" where that is not known; commands are equal wherever they run.
    """

    program: str
    action: str
    targets: frozenset[str]
    chosen: tuple[str, ...]
    text: str
    place: str = field(default="", compare=False)

    @property
    def name(self) -> str:
        """The program and its sub-command, as tables name it: `git push`, `pytest`."""
        return f"{self.program} {self.action}" if self.action else self.program

    def covers(self, other: "Command") -> bool:
        """Whether a run of this command runs everything that the other one runs."""
        same = (self.program, self.action) == (other.program, other.action) and self.chosen in ((), other.chosen)
        way = way_down(self.place, other.place) if same else None
        if way is None:
            return False
        targets = [posixpath.join(way, target) for target in other.targets] or ([way] if way else [])
        return not self.targets or (bool(targets) and all(map(self._reaches, targets)))

    def _reaches(self, target: str) -> bool:
        if target in self.targets or not self.targets.isdisjoint((".", "./...", "...")):
            return True
        while "/" in target:
            target = target.rpartition("/")[0]
            if target in self.targets or f"{target}/..." in self.targets:
                return True
        return False


@dataclass(frozen=True, slots=True)
class Line:
    """The commands of a line, and whether its exit status may not be theirs: a pipe, `|| true`, `; echo`.

    `filters` are the programs that their output went through.
    """

    commands: tuple[Command, ...]
    hides: bool
    filters: frozenset[str] = frozenset()


def way_down(above: str, place: str) -> str | None:
    """Return the path from a directory to one in it, "" where it is the same or one of them is not known, else None."""
    if not above or not place or above == place:
        return ""
    top = above if above.endswith("/") else f"{above}/"
    return place.removeprefix(top) if place.startswith(top) else None


def are_apart(one: str, other: str) -> bool:
    """Return whether two directories are known, and neither is in the other."""
    return way_down(one, other) is None and way_down(other, one) is None


def line(text: str, directory: str = "") -> Line:
    """Return a shell line's commands; unreadable parts are left out. Only its first LONGEST characters count.

    `directory` is where it runs, "" where that is not known. It may be where the line went: some clients say only that.
    """
    place = posixpath.normpath(directory) if directory.startswith("/") else ""
    commands: list[Command] = []
    filters: set[str] = set()
    hides, ways = False, 0
    for words, before in shell_syntax.simple_commands(text[:LONGEST].replace("\\\n", " ")):
        hides = hides or before == shell_syntax.HIDDEN or (bool(commands) and before not in ("&&", ""))
        if before in ("|", "|&"):
            filters.add(_program(words[0]))
            continue  # a command after a pipe filters, it does not run anything
        for command in _commands(words, place):
            commands.append(command)
            if command.program in _GOING:
                place = _gone(command)
                ways += not any(target.startswith("/") for target in command.targets)
        if len(commands) >= MOST:
            break
    if ways > 1:  # from where the second one goes is not known for sure: the first may have been in parentheses
        commands = [replace(command, place="") for command in commands]
    return Line(tuple(commands[:MOST]), hides, frozenset(filters))


def _gone(command: Command) -> str:
    """Return the directory that a `cd` leads to, "" where the line does not say it.

    Where the line ends in it and the directory of the line is that already, it is taken to be from behind the line.
    """
    target = next(iter(command.targets)) if len(command.targets) == 1 else ""
    if command.program != "cd" or not target or target[0] in "-~" or any(char in target for char in "$`*?"):
        return ""
    if target.startswith("/"):
        return posixpath.normpath(target)
    own = "/".join(part for part in target.split("/") if part not in (".", ".."))
    if not command.place or (not own and target != "."):
        return ""
    return command.place if f"{command.place}/".endswith(f"/{own}/") else _joined(command.place, target)


def _joined(place: str, way: str) -> str:
    return posixpath.normpath(posixpath.join(place, way)) if place or way.startswith("/") else ""


def _commands(words: list[str], place: str) -> Iterator[Command]:
    words = _unwrapped(words)
    if not words:
        return
    program = _program(words[0])
    if program in _SHELLS and len(words) > 2 and words[1].startswith("-") and words[1].endswith("c"):
        yield from line(_plain(" ".join(words[2:])), place).commands
        return
    text = " ".join(words)
    words = [_plain(word) for word in words[1:]]
    if program in _INTERPRETERS:
        program, words = _interpreted(program, words)
    if not program or _is_talking(words):
        return
    yield replace(_command(program, words, place), text=text if len(text) <= 160 else text[:159] + "…")


def _is_talking(words: list[str]) -> bool:
    """Whether a program is only asked about itself. An `-h` with a word behind it names a host (`psql -h db`)."""
    is_host = "-h" in words[:-1] and not words[words.index("-h") + 1].startswith("-")
    return not _TALKING.difference(("-h",) if is_host else ()).isdisjoint(words)


def _unwrapped(words: list[str]) -> list[str]:
    """Return the words without assignments, wrappers and programs that only run another one."""
    at = 0
    while at < len(words):
        word = words[at]
        program = _program(word)
        following = words[at + 1] if at + 1 < len(words) else ""
        if _ASSIGNED.match(word):
            at += 1
        elif program in _WRAPPERS:
            at = _after_flags(words, at + 1)
        elif following in _RUNNERS.get(program, ()):
            at = _after_flags(words, at + 2)
        else:
            break
    return words[at:]


def _after_flags(words: list[str], at: int) -> int:
    """Return where the command of a wrapper begins: after its flags, and the numbers and times among them."""
    while at < len(words) and (words[at].startswith("-") or re.match(r"\d+(?:\.\d+)?[smhd]?\Z", words[at])):
        at += 2 if words[at] in ("--with", "--extra", "--group", "--package", "--python", "-p", "-u") else 1
    return at


def _program(word: str) -> str:
    name = posixpath.basename(_plain(word).replace("\\", "/")).removesuffix(".exe").removesuffix(".cmd")
    versioned = _VERSIONED.match(name)
    return versioned[1] if versioned else name


def _plain(word: str) -> str:
    return _UNQUOTED.sub("", word)


def _interpreted(program: str, words: list[str]) -> tuple[str, list[str]]:
    """Return program and words: `python -m pytest` is pytest, `python manage.py migrate` is manage.py; code on the
    line is no program's.
    """
    at = 0
    while at < len(words) and words[at].startswith("-") and words[at] not in ("-c", "-e", "-m", "-", "--eval"):
        at += 2 if words[at] in ("-W", "-X", "-r", "--import", "--loader", "--require") else 1
    if at == len(words) or words[at] in ("-c", "-e", "-", "--eval"):
        return "", []
    if words[at] == "-m" and at + 1 < len(words):
        return words[at + 1], words[at + 2 :]
    script = words[at].removeprefix("./")
    name = posixpath.basename(script)
    return (name if name in _WITH_ACTION else script), words[at + 1 :]


def _command(program: str, words: list[str], place: str) -> Command:
    choosing = _CHOOSING | _CHOOSING_OF.get(program, set())
    targets: list[str] = []
    chosen: list[str] = []
    action: list[str] = []
    wanted = 1 if program in _WITH_ACTION else 0
    skip = False
    for at, word in enumerate(words):
        following = words[at + 1] if at + 1 < len(words) else ""
        if skip:
            skip = False
        elif word.startswith("-") and word != "-":
            name, equals, value = word.partition("=")
            if name in choosing:
                chosen.append(value if equals else following)
            elif name in _PLACING:
                place = _joined(place, value if equals else following)
            elif name.startswith("-Dtest"):
                chosen.append(value)
            skip = not equals and name in choosing | _PLACING | _VALUED
        elif len(action) < wanted:
            action.append(word)
            if word in _LONG_ACTION.get(program, ()):
                wanted = 2
        else:
            targets.append(_target(word))
    return Command(
        program, _action(program, action), frozenset(filter(None, targets)), tuple(sorted(chosen)), "", place
    )


def _action(program: str, words: list[str]) -> str:
    if program in ("npm", "pnpm", "yarn", "bun") and len(words) > 1:
        words = words[1:]  # `npm run test` is `npm test`
    return " ".join({"t": "test", "i": "install", "b": "build"}.get(word, word) for word in words)


def _target(word: str) -> str:
    """Return a file without a place inside it (`::test`, `:12`), a directory without its last slash."""
    word = word.partition("::")[0].removeprefix("./").replace("\\", "/") if word != "./..." else word
    return re.sub(r":\d+\Z", "", word).rstrip("/") or "."
