"""Recognition of failures in outputs: whether a command failed despite its exit status, and the lines of the error.

The shapes are those that the tools print; each rule is one shape. Lines are matched from their beginning, none longer
than `LONGEST_LINE`, so that an output takes linear time.
"""

import re
from collections.abc import Iterable, Iterator
from typing import Literal

from indelible.dataclass import dataclass

ErrorType = Literal["runtime", "build", "test", "type", "other"]  # as of failures

LONGEST_LINE = 600
MOST_LINES = 1_200  # of an output: the first third and the last two thirds
MOST_SHOWN = 5  # lines of an error beside its message
MOST_PLACES = 3
MOST_TESTS = 5

_ANSI = re.compile(r"\x1b\[[0-9;?]{0,20}[A-Za-z]|\x1b\][^\x07\x1b]{0,200}(?:\x07|\x1b\\)|[\x00-\x08\x0b-\x1f\x7f]")


@dataclass(frozen=True, slots=True)
class Error:
    """An error: the line that states it, further lines of it, `path:line` of its places, the tests that failed."""

    family: str
    error_type: ErrorType
    message: str
    lines: tuple[str, ...]
    places: tuple[str, ...]
    tests: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class _Rule:
    """A shape of lines. Of several rules the first in the table that has a line wins.

    `last`: the last such line is the error, not the first. `after`: the message is in the next line that is not empty.
    """

    family: str
    error_type: ErrorType
    pattern: re.Pattern[str]
    last: bool = False
    after: bool = False


def _rule(family: str, error_type: ErrorType, pattern: str, *, last: bool = False, after: bool = False) -> _Rule:
    return _Rule(family, error_type, re.compile(pattern), last, after)


_NAME = r"(?:[A-Za-z_][\w$]{0,80}(?:\.|::)){0,8}[A-Za-z_][\w$]{0,80}"
_ERROR_NAME = (
    rf"(?:{_NAME})?"
    r"(?:Error|Exception|Warning|Exit|Interrupt|Failure|Timeout|NotFound|NoResultFound|DoesNotExist|Mismatch)"
)
_PATH = r"[^\s:()'\"<>|]{1,240}"

# The first rule with a matching line gives the error: rules that name a cause come before those that sum up.
_RULES = (
    # Python: pytest's own lines, then the last line of a traceback
    _rule("pytest", "test", rf"E\s{{1,60}}(?P<message>{_ERROR_NAME}\b.*)"),
    _rule("pytest", "test", r"E\s{1,60}(?P<message>(?:assert\b|Failed:|fixture ').*)"),
    _rule("pytest", "test", r"(?:FAILED|ERROR) [^\s]{1,300} - (?P<message>\S.*)"),
    _rule("pytest", "test", rf"(?P<message>{_ERROR_NAME}: .*) \(from (?:(?! \(from ).)*conftest"),
    _rule("python", "runtime", rf"(?P<message>{_ERROR_NAME}(?:: .*)?)\Z", last=True),
    _rule("node", "test", r"\s{2,12}error: ['\"](?P<message>.+)['\"]\Z"),  # node --test
    # Rust
    _rule("rustc", "build", r"(?P<message>error(?:\[E\d{4}\]): .+)"),
    _rule("rust", "test", r"thread '[^']{0,200}' (?:\(\d+\) )?panicked at (?P<place>[^\s,]{1,240}):\Z", after=True),
    _rule("rust", "test", r"thread '[^']{0,200}' panicked at '(?P<message>.+)', (?P<place>\S{1,240})"),
    # TypeScript, type checkers, linters
    _rule("tsc", "type", rf"(?P<place>{_PATH}\(\d+,\d+\)): (?P<message>error TS\d{{1,5}}: .+)"),
    _rule("tsc", "type", rf"(?P<place>{_PATH}:\d+:\d+) - (?P<message>error TS\d{{1,5}}: .+)"),
    _rule("tsc", "type", r"(?P<message>error TS\d{1,5}: .+)"),
    _rule("pyright", "type", rf"\s*(?P<place>{_PATH}:\d+:\d+) - (?P<message>error: .+)"),
    _rule("mypy", "type", rf"(?P<place>{_PATH}\.pyi?:\d+(?::\d+)?): (?P<message>error: .+)"),
    _rule("ruff", "build", rf"(?P<place>{_PATH}\.pyi?:\d+:\d+): (?P<message>[A-Z]{{1,4}}\d{{1,4}} .+)"),
    _rule("ruff", "build", r"(?P<message>[A-Z]{1,4}\d{3,4} (?:\[\*\] )?[A-Z`].+)\Z"),
    _rule("eslint", "build", r"\s{2,8}(?P<place>\d{1,6}:\d{1,5})\s{1,8}(?P<message>error\s{1,8}\S.+)"),
    # JavaScript's tests, then what Node says
    _rule("jest", "test", rf"\s{{0,8}}(?P<message>(?:{_ERROR_NAME}: |expect\(|thrown: |Error: ).*)"),
    _rule("node", "runtime", rf"(?:Uncaught )?(?P<message>(?:{_ERROR_NAME}|Error)(?: \[\w{{1,60}}\])?: .+)"),
    _rule(
        "npm",
        "build",
        r"npm (?:ERR!|error) (?P<message>(?:Missing script|Could not resolve|Conflicting peer|404 |notarget ).+)",
    ),
    _rule("npm", "build", r"npm (?:ERR!|error) (?P<message>code E\w+)"),
    _rule("pnpm", "build", r"\s?(?P<message>ERR_PNPM_\w+.*)"),
    # Go
    _rule("go", "test", r"(?P<message>panic: .+)"),
    _rule("go", "test", rf"\s{{4,12}}(?P<place>{_PATH}_test\.go:\d+): (?P<message>.+)"),
    _rule("go", "build", rf"(?:vet: )?(?P<place>{_PATH}\.go:\d+:\d+): (?P<message>.+)"),
    _rule("go", "build", r"(?P<message>go: .*(?:cannot find|no required module|unknown revision|missing go\.sum).*)"),
    # Compilers
    _rule("javac", "build", rf"(?P<place>{_PATH}\.(?:java|scala|groovy):\d+): (?P<message>error: .+)"),
    _rule("kotlin", "build", rf"e: (?:file://)?(?P<place>{_PATH}\.kts?:\d+(?::\d+)?):? (?P<message>.+)"),
    _rule("maven", "build", rf"\[ERROR\] (?P<place>{_PATH}\.(?:java|kt|scala):\[\d+,\d+\]) (?P<message>.+)"),
    _rule("dotnet", "build", rf"\s*(?P<place>{_PATH}\(\d+,\d+\)): (?P<message>error [A-Z]{{2,4}}\d{{2,5}}: .+)"),
    _rule("make", "build", r"(?P<place>\S{0,200}[Mm]akefile:\d+): \*\*\* (?P<message>.+)"),
    _rule("gcc", "build", rf"(?P<place>{_PATH}:\d+:\d+): (?P<message>(?:fatal )?error: .+)"),
    _rule("linker", "build", r".{0,200}(?P<message>undefined reference to .+)"),
    _rule("git", "other", r"\s?(?P<message>! \[(?:remote )?rejected\] .+)"),
    _rule("git", "other", r"(?P<message>CONFLICT \(.+)"),
    _rule("git", "other", r"(?P<message>fatal: .+)"),
    _rule("rustc", "build", r"(?P<message>error: (?!could not compile|test failed|aborting|process didn't|recipe ).+)"),
    # Other languages
    _rule("rspec", "test", r"\s{2,10}Failure/Error: (?P<message>.+)"),
    _rule("ruby", "runtime", rf"(?P<place>{_PATH}:\d+):in [^:]{{1,120}}: (?P<message>.+)"),
    _rule("php", "runtime", r"(?:PHP )?(?P<message>(?:Fatal|Parse) error: .+)"),
    _rule("elixir", "runtime", r"\s*\*\* \((?P<message>\w[\w.]{1,80}\) .+)"),
    _rule(
        "java",
        "runtime",
        rf"(?:Exception in thread \"[^\"]{{1,80}}\" |Caused by: )(?P<message>{_NAME}(?:: .*)?)",
        last=True,
    ),
    # Data bases, containers, infrastructure, the network
    _rule("sql", "runtime", r"(?:psql:\S{0,200} |psql: error: )?(?P<message>(?:ERROR|FATAL):\s{1,3}.+)"),
    _rule("alembic", "runtime", r"(?P<message>FAILED: .+)"),
    _rule("docker", "build", r"(?:ERROR: )?(?P<message>failed to (?:solve|build|create|start)\b.*)"),
    _rule("docker", "runtime", r"(?:docker: )?(?P<message>Error response from daemon: .+)"),
    _rule("kubectl", "runtime", r"(?P<message>(?:Error from server|error: unable|The \w+ \".+\" is invalid).*)"),
    _rule("terraform", "build", r"[│╷\s]{0,4}(?P<message>Error: .+)"),
    _rule("curl", "runtime", r"(?P<message>curl: \(\d+\) .+)"),
    # git, package managers, make, the shell, any tool in the words of its own: `createdb: error: …`
    _rule("pip", "build", r"(?P<message>ERROR: .+)"),
    _rule("uv", "build", r"\s{0,4}(?:×|╰─▶|error:) (?P<message>.+)"),
    _rule("make", "build", r"g?make(?:\[\d+\])?: (?P<message>\*\*\* (?:No rule|missing|No targets).+)"),
    _rule(
        "other",
        "other",
        r"(?P<message>[A-Za-z][\w.+-]{1,40}: (?:(?:fatal )?error|ERROR|Error|[Ff]atal|FATAL): "
        r"(?!linker command failed|ld returned|.{0,60}exit(?:ed)? (?:code|status|with)).+)",
    ),
    _rule(
        "shell", "other", r"(?P<message>.{0,200}(?:command not found|not recognized as an internal)(?:: .{1,120})?)\Z"
    ),
    _rule(
        "shell",
        "other",
        r"(?P<message>\S.{0,300}: (?:Permission denied|No such file or directory|not found|Connection refused"
        r"|(?:Connection|Operation) timed out|Address already in use|No space left on device))\Z",
    ),
    _rule("other", "other", r"(?P<message>(?:[Ff]atal|FATAL|ERROR|Error|error)\b[^:]{0,60}: .+)"),
    _rule("other", "other", r"\[?(?P<message>(?:ERROR|FATAL|FAIL)\]? .+)"),
)

# Lines that name a place, an expectation, or a test: they belong to an error and are none.
_PLACES = (
    re.compile(r'\s{2,8}File "(?P<place>[^"]{1,240})", line (?P<line>\d+)'),
    re.compile(rf"(?P<place>{_PATH}\.\w{{1,5}}):(?P<line>\d+): (?:in \S+|{_ERROR_NAME})?\Z"),
    re.compile(rf"\s{{0,8}}--> (?P<place>{_PATH}):(?P<line>\d+)(?::\d+)?"),
    re.compile(rf"\s{{2,12}}at (?:.{{0,120}}\()?(?:file://)?(?P<place>{_PATH}):(?P<line>\d+):\d+\)?\Z"),
    re.compile(rf"\s{{0,4}}❯ (?P<place>{_PATH}):(?P<line>\d+)(?::\d+)?"),
)
_TESTS = (
    re.compile(r"(?:FAILED|ERROR) (?P<test>\S{1,300}?)(?: - |\Z)"),
    re.compile(r"\s{0,4}(?:FAIL|❯) {1,3}(?P<test>[^\s>|]{1,240}\.\w{1,5})\b"),
    re.compile(r"\s{0,8}--- FAIL: (?P<test>\S{1,200})"),
    re.compile(r"test (?P<test>\S{1,200}) \.\.\. FAILED"),
)
_BELONGS = re.compile(
    r"E\s{2,60}[^\s+?-]|\s{0,8}(?:Expected|Received|expected|received|actual|left|right|\+ where|note|help|hint|"
    r"Hint|HINT|DETAIL|Did you mean)"
    r"\b.{0,12}[:=`'\"]"
)
_FOREIGN = re.compile(
    r"site-packages|dist-packages|node_modules|/usr/lib|/lib/python\d|<frozen|<string>|node:internal|"
    r"\.cargo/registry|/rustc/|importlib"
)

# A runner's own words for "failed", used where a pipe or an `|| true` hides its exit status.
_FAILED = re.compile(
    r"""[ ]{0,4}(?:
      =+[ ].{0,80}\b\d+[ ](?:failed|errors?)\b .{0,80}
    | (?:\d+[ ]\w+,[ ]){0,6}\d+[ ](?:failed|errors?)(?:,[ ]\d+[ ]\w+){0,6}[ ]in[ ][\d.]+s
    | FAILED[ ]\S+::\S+ | FAILED[ ]\((?:failures|errors)=\d+
    | test[ ]result:[ ]FAILED | error:[ ]could[ ]not[ ]compile | error\[E\d{4}\]
    | (?:---[ ])?FAIL:?[ \t]+\S+ | FAIL\Z
    | (?:Tests|Test[ ]Suites|Test[ ]Files):?[ ]{1,6}\d+[ ]failed
    | Found[ ][1-9]\d*[ ]errors? | .{0,200}:[ ]error[ ]TS\d+ | ✖[ ][1-9]\d*[ ]problems?[ ]\([1-9]
    | npm[ ](?:ERR!|error)[ ] | g?make(?:\[\d+\])?:[ ]\*\*\*[ ] | BUILD[ ]FAIL | .{0,20}BUILD[ ]FAILURE
    | \d+[ ]examples?,[ ][1-9]\d*[ ]failures? | FAILURES!\Z | Failed![ ]{1,3}- | Traceback[ ]\(most[ ]recent
    | \d+[ ]failing\Z | .{0,200}:[ ]command[ ]not[ ]found\Z | fatal:[ ]
    )""",
    re.VERBOSE,
)
# Mistakes in how a command was typed, not in what it works on.
_SLIP = re.compile(
    r"""ERROR:[ ]file[ ]or[ ]directory[ ]not[ ]found
    | .{0,200}can't[ ](?:open|read)[ ]file
    | (?!.{0,200}\bconnect(?:ion)?\b).{0,200}No[ ]such[ ]file[ ]or[ ]directory  # but for the socket of a server
    | .{0,80}(?:the[ ]following[ ]arguments[ ]are[ ]required | too[ ](?:few|many)[ ](?:command-line[ ])?arguments)
    | .{0,80}\b(?:argument[ ].{1,60}:[ ](?:invalid|expected|not[ ]allowed)\b | one[ ]of[ ]the[ ]arguments[ ])
    | .{0,80}[Nn]o[ ]such[ ](?:sub)?command | Missing[ ]script
    | .{0,200}\bunrecognized[ ](?:arguments?|options?|subcommand)
    | .{0,80}\b[Uu]nknown[ ](?:sub)?(?:command|option|argument|flag) | (?:\*\*\*[ ])?No[ ]rule[ ]to[ ]make[ ]target
    | .{0,80}(?:invalid|illegal)[ ]option | .{0,80}unexpected[ ]argument | .{0,80}not[ ]a[ ]git[ ](?:command|repository)
    | error:[ ]no[ ]such | .{0,80}does[ ]not[ ]appear[ ]to[ ]be[ ]a[ ]git[ ]repository | .{0,80}not[ ]found:[ ]\S+\.py
    """,
    re.VERBOSE,
)
_MISSING = re.compile(
    r".{0,80}(?:No module named|cannot import name|Cannot find module|Could not resolve|unresolved import|"
    r"cannot find|not found)"
)
_SPELLING = re.compile(
    r"(?:E\s+)?(?:SyntaxError|IndentationError|TabError|NameError|UnboundLocalError|ReferenceError)\b|"
    r".{0,40}(?:[Uu]nexpected token|expected one of|"
    r"error: expected|unclosed delimiter|mismatched closing delimiter|';' expected|parse error|Parsing error)"
)
_MENDED = re.compile(  # the message of a formatter, a linter or a compiler that says what to change
    r"""(?:[A-Z]{1,4}\d{3,4}[ ] | error[ ]{2,}\S)                                # codes of ruff, flake8; eslint
    | .{0,200}(?:not[ ]properly[ ]formatted|would[ ]reformat|[Cc]ode[ ]style[ ]issues|trailing[ ]whitespace)
    | .{0,200}(?:imported[ ](?:and|but)[ ](?:not[ ]used|unused)|declared[ ]and[ ]not[ ]used|\bunused\b)
    | .{0,200}never[ ](?:used|read)
    | .{0,200}(?:is[ ]missing[ ]a[ ](?:\w+[ ]){0,2}type[ ]annotation|missing[ ]return[ ]statement|missing[ ]docstring)
    | .{0,300}\((?:errcheck|gofmt|goimports|gofumpt|staticcheck|revive|govet|unused|ineffassign|gosimple|misspell|lll)\)
    """,
    re.VERBOSE,
)
_ASSERTION = re.compile(
    r"(?:AssertionError|assert\b|assertion|expect\(|Expected\b|got\b.{0,200}\bwant\b|.{0,80}to equal\b)"
)
_NO_PROGRAM = re.compile(r".{0,200}(?:command not found|not recognized as an internal)")
_NO_FAILURE = re.compile(
    r"(?:Error: )?(?:The user doesn't want to|\[?Request interrupted|User (?:rejected|denied)|Command timed out|"
    r"Interrupted by|Operation cancell?ed|<tool_use_error>|Permission to use)"
)


def lines_of(output: str) -> list[str]:
    """The lines of an output without colours and control characters, long ones and long outputs cut."""
    found = output.splitlines()
    if len(found) > MOST_LINES:
        found = [*found[: MOST_LINES // 3], *found[-(MOST_LINES - MOST_LINES // 3) :]]
    return [_ANSI.sub("", line[: 2 * LONGEST_LINE])[:LONGEST_LINE].rstrip() for line in found]


def was_stopped(output: str) -> bool:
    """Whether a person or a timeout ended a call: it shows nothing about the command."""
    return _NO_FAILURE.match(output.lstrip()[:200]) is not None


def is_slip(message: str) -> bool:
    """Whether a command was typed wrong: another file, flag or name was meant."""
    return _SLIP.match(message) is not None


def is_missing(message: str) -> bool:
    """Whether something was missing, which may not have been written yet."""
    return _MISSING.match(message) is not None


def is_spelling(message: str) -> bool:
    """Whether code could not even be parsed: usually an error of the edit before it."""
    return _SPELLING.match(message) is not None


def is_mended_by_its_message(error: Error) -> bool:
    """Whether the tool's message says what to change: formatting, what is unused, a rule of a linter, spelling."""
    if error.family in ("ruff", "eslint") or _MENDED.match(error.message):
        return True
    return error.error_type in ("build", "type") and is_spelling(error.message)


def is_assertion(message: str) -> bool:
    """Whether a test found another value than it expects, and not an error of the code."""
    return _ASSERTION.match(message) is not None


def is_no_program(message: str) -> bool:
    """Whether a machine lacks a program."""
    return _NO_PROGRAM.match(message) is not None


def says_failed(lines: Iterable[str]) -> bool:
    """Whether a runner says itself that it failed."""
    return any(_FAILED.match(line) for line in lines)


def error_of(lines: list[str]) -> Error | None:
    """Return the error in an output, None where no line matches a rule."""
    found = _first(lines)
    if found is None:
        return None
    rule, at, match = found
    message = _message(rule, lines, at, match)
    if not message:
        return None
    places = [match["place"]] if "place" in match.re.groupindex else []
    if rule.family == "eslint":
        places = [f"{_heading(lines, at)}:{places[0]}"]
    places += _places(lines)
    return Error(
        family=rule.family,
        error_type=rule.error_type,
        message=message,
        lines=tuple(_belonging(lines, at, message)),
        places=tuple(dict.fromkeys(places))[:MOST_PLACES],
        tests=tuple(dict.fromkeys(_tests(lines)))[:MOST_TESTS],
    )


def _first(lines: list[str]) -> tuple[_Rule, int, re.Match[str]] | None:
    """Return the line of the best rule: the first in the table, the first of its lines or the last."""
    best: tuple[int, int, re.Match[str]] | None = None
    for at, line in enumerate(lines):
        for rank, rule in enumerate(_RULES[: len(_RULES) if best is None else best[0] + 1]):
            match = rule.pattern.match(line)
            if match and (best is None or rank < best[0] or rule.last):
                best = rank, at, match
                break
    return None if best is None else (_RULES[best[0]], best[1], best[2])


def _message(rule: _Rule, lines: list[str], at: int, match: re.Match[str]) -> str:
    if rule.after:
        following = (line.strip() for line in lines[at + 1 : at + 4])
        return " ".join(next((line for line in following if line), "").split())
    message = " ".join(match["message"].split())
    message = message.replace(" [*] ", " ")  # ruff's mark of what it can mend
    return f"AssertionError: {message}" if rule.family == "pytest" and message.startswith("assert ") else message


def _heading(lines: list[str], at: int) -> str:
    """The file over a linter's indented lines."""
    return next((line.strip() for line in reversed(lines[max(0, at - 200) : at]) if line and not line[0].isspace()), "")


def _belonging(lines: list[str], at: int, message: str) -> Iterator[str]:
    """Yield lines near the error that say more of it: the expectation, notes."""
    shown = 0
    for line in lines[at + 1 : at + 25]:
        if _BELONGS.match(line) and message not in line and not _FOREIGN.search(line):
            yield " ".join(line.removeprefix("E").split())[:200]
            shown += 1
            if shown == MOST_SHOWN:
                return


def _places(lines: list[str]) -> list[str]:
    """Return places in the project that an output names, the innermost first: that of the last frame."""
    found: list[str] = []
    for line in lines:
        for pattern in _PLACES:
            match = pattern.match(line)
            if match and not _FOREIGN.search(match["place"]):
                found.append(f"{match['place']}:{match['line']}")
                break
    inner_first = any(line.lstrip().startswith(("at ", "❯ ", "--> ")) for line in lines)
    return list(dict.fromkeys(found if inner_first else reversed(found)))[:MOST_PLACES]


def _tests(lines: list[str]) -> Iterator[str]:
    for line in lines:
        for pattern in _TESTS:
            match = pattern.match(line)
            if match:
                yield match["test"]
                break
