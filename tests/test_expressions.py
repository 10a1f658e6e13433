"""The work of each regular expression of the package grows as the text does, whatever the text is.

An expression that is new is among them by itself; one that only a function can make is named here with an example.
Time is that of this thread's processor, the least of several runs, and counts as a ratio between two sizes: an
expression that looks through a text again from each place of it takes four times as long for twice the text. It does
so for each doubling; memory that no longer fits a cache, or a busy machine, makes one doubling dear and not the next.
So only doublings one after another are a fault, and only where every new look at it finds them again.
"""

from __future__ import annotations

import itertools
import re
import time
from collections.abc import Callable, Iterable, Iterator
from functools import cache, partial
from typing import Any

import pytest

from expressions import Expression, all_expressions, texts
from indelible.extraction import outcomes
from indelible.graph import keys
from indelible.sanitize.secret_spans import redact_text
from indelible.search import code_mentions, file_paths
from indelible.search.times import general_words, other_languages, time_expressions, time_words, timed
from indelible.source.parse import extraction, languages
from indelible.source.tree import gitignore
from indelible.transfer.markdown import pages
from indelible.transfer.sources import basic_memory

PARTS = 64  # in which the expressions are looked at, each with a time-out of its own
LARGEST = 1 << 20  # characters: what a text that is stored or read has at most
SHORT = 22  # characters for which exponential work takes a moment, and not for ever
FIRST_LOOK = 4 << 10
NOTHING = 0.004  # seconds for which the first look is no sign of more
MOST_GROWTH = 2.6  # of the work, for twice the text
EXPONENTIAL = 0.02  # seconds for so little: a thousand times what other work takes, a fifth of what such work does
LEAST = 0.002  # seconds from which two measures can be compared
LONG = 0.02  # seconds from which a part that grows faster than the rest would show
RUNS, TRIES = 3, 3
LASTING = 3  # doublings, one after another, that each take more than that: the work is not in proportion
AS_A_WHOLE = 5  # doublings that together take more than so many such: one of them was measured on a busy machine
DOUBLINGS = 2  # one after another, from LONG on, that take no more than that: the work is in proportion

# What sees short texts only: the most characters of one, and what those are.
BOUNDED = {
    "source/manifests/formats.py: _requirements_reader": (255, "the name of a file"),
    "store/location.py: found": (1_024, "a line of this machine's mount command"),
    "source/resolve/types.py": (400, "a signature"),
    "source/resolve/overloads.py": (400, "a signature"),
    "source/parse/conventions.py: java_visibility": (400, "a signature"),
    "search/code_mentions.py: _ALONE": (200, "what stands between backticks"),
}


def _patterns(value: Any, depth: int = 0) -> Iterator[re.Pattern[Any]]:
    """The compiled expressions in a value."""
    if isinstance(value, re.Pattern):
        yield value
    elif isinstance(value, dict):
        yield from _patterns(tuple(value.values()), depth + 1)
    elif isinstance(value, tuple | list | frozenset | set) and depth < 6:
        for each in value:
            yield from _patterns(each, depth + 1)
    elif hasattr(value, "__dataclass_fields__") and not isinstance(value, type):
        yield from _patterns([getattr(value, name) for name in value.__dataclass_fields__], depth + 1)


def _of_module(module: Any) -> list[re.Pattern[Any]]:
    return list(_patterns(list(vars(module).values())))


# By the place of an expression that a function makes: what it makes.
BUILT: dict[str, Callable[[], Iterable[re.Pattern[Any]]]] = {
    "extraction/outcomes.py: _rule": lambda: _of_module(outcomes),
    "source/parse/conventions.py: java_visibility": lambda: [
        re.compile(r"(?:@[\w.]++(?:\([^)]*\))?+\s*+|[a-z]++\s++)*?public\b")
    ],
    "source/parse/further_conventions.py: found": lambda: [re.compile(r"(?<!\w)name(?!\w)")],
    "source/parse/languages.py: the module": lambda: [line for line, _ in languages._RUN_BY],
    "source/tree/gitignore.py: _translated": lambda: [
        rule.pattern for rule in gitignore.rules(["*a*a*b", "a/**/b/**/*.c", "/[a-z]*/?x*"])
    ],
    "toolsets/code/excerpts.py: word": lambda: [re.compile(r"\bname\b")],
    "source/resolve/overloads.py: found": lambda: [re.compile(r"\bname\s*\(")],
    "source/resolve/types.py: found": lambda: [re.compile(r"([\w:.]+)(?:<.*>)?[\s*&]+(?:[\w:]+::)?name\s*\(")],
    "graph/keys.py: the module": lambda: _of_module(keys),
    "search/file_paths.py: mentions": lambda: [re.compile(r"auth\.rs" + file_paths._NAME_GOES_ON)],
    "search/times/time_expressions.py: _phrases": lambda: [
        time_expressions._compiled(f"{time_expressions._LEFT}(?:{rule.pattern}){time_expressions._RIGHT}")
        for rule in time_expressions._rules()
    ],
    "search/times/other_languages.py: _rules": lambda: [
        pattern for language in time_words.LANGUAGES for pattern, _ in other_languages._rules(language)
    ],
    "search/times/other_languages.py: _bounded": lambda: [
        re.compile(rf"(?:^|\W)(?:{other_languages._one_of('desde desde_el')})(?: (?:la|el|los|las|le|o|a))?$")
    ],
    "search/times/timed.py: _unspaced": lambda: [timed._unspaced(language) for language in general_words.UNSPACED],
}
# The tables of redaction are put together in loops: `redact_text` is measured as a whole.
REDACTION = ("sanitize/entropy", "sanitize/private_tags", "sanitize/redact", "sanitize/secret")
# What is asked of those: all but the tables of redaction and of time at one place.
AT_BEGINNINGS = ("graph/keys.py", "extraction/outcomes.py", "source/parse/conventions.py", "source/tree/gitignore.py")


def _known() -> Iterator[Expression]:
    for each in all_expressions():
        if each.name.startswith(REDACTION):
            continue
        if each.pattern is not None:
            yield each
        elif each.name in BUILT:
            methods = frozenset(("fullmatch",)) if each.name.startswith(AT_BEGINNINGS) else each.methods
            for number, pattern in enumerate(BUILT[each.name](), 1):
                yield Expression(f"{each.name} #{number}", pattern, methods)


@cache
def _once() -> list[Expression]:
    """The known expressions, each once. Not called before a test runs: it reads the whole package, for seconds."""
    return list({(each.pattern, each.methods): each for each in _known()}.values())


def _most(each: Expression) -> int:
    return next((most for name, (most, _) in BOUNDED.items() if each.name.startswith(name)), LARGEST)


def _seconds(run: Callable[[], Any]) -> float:
    """The least processor time of several runs."""
    found = []
    for _ in range(RUNS):
        began = time.thread_time()
        run()
        found.append(time.thread_time() - began)
        if found[-1] > 20 * LONG:
            break
    return min(found)


def _grows_too_fast(each: Expression, how: str, made: Callable[[int], Any], most: int) -> str:
    """What to say of an expression that takes too long for a text; "" where it does not."""
    size = _too_much_from(lambda size: _seconds(partial(each.run, made(size))), 64, most)
    return f"{each.name}: the work grows too fast up to {size:,} characters of {how}: {each.pattern}" if size else ""


def _too_much_from(seconds: Callable[[int], float], size: int, most: int) -> int:
    """The size at which the work had grown too fast for LASTING doublings, each time that it was tried; 0 where not."""
    found = 0
    for _ in range(TRIES):
        measured = (seconds(size << doubling) for doubling in range((most // size).bit_length()))
        doublings = _grown_too_fast(measured)
        if not doublings:
            return 0
        found = size << doublings
    return found


def _grown_too_fast(measured: Iterable[float]) -> int:
    """After how many doublings the work is known to grow too fast, by the seconds for each size; 0 if it does not.

    Either LASTING doublings in a row, or AS_A_WHOLE of them together: on a busy machine one of them may look harmless.
    """
    before, fast, fine = 0.0, 0, 0
    known: list[float] = []
    for doublings, now in enumerate(measured):
        if now >= LEAST:
            known.append(now)
        if len(known) > AS_A_WHOLE and now > MOST_GROWTH**AS_A_WHOLE * known[-1 - AS_A_WHOLE]:
            return doublings
        if before >= LEAST:
            grows = now > MOST_GROWTH * before
            fast = fast + 1 if grows else 0
            fine = 0 if grows else fine + (before >= LONG)
        if fast == LASTING:
            return doublings
        if fine == DOUBLINGS:
            return 0
        before = now
    return 0


def _text_of(each: Expression, how: str, size: int) -> Any:
    return next(text for made, text in texts(each.pattern, size, 24) if made == how)


def _faults(expressions: Iterable[Expression], first: int, pumps: int = 6, suspected: int = 1) -> list[str]:
    found = []
    for each in expressions:
        most = _most(each)
        slow: dict[str, float] = {}
        for size in (SHORT, 64, 256, 1_024, first):
            for how, text in texts(each.pattern, min(size, most), pumps):
                if slow.get(how, 0) < NOTHING and sum(each > NOTHING for each in slow.values()) < suspected:
                    began = time.thread_time()
                    each.run(text)
                    slow[how] = time.thread_time() - began
                    if size == SHORT and slow[how] >= EXPONENTIAL:
                        return [*found, f"{each.name}: exponential work for {how}: {each.pattern}"]
        suspects = sorted((how for how in slow if slow[how] >= NOTHING), key=lambda how: -slow[how])
        faults = (_grows_too_fast(each, how, partial(_text_of, each, how), most) for how in suspects[:suspected])
        found += filter(None, faults)
    return found


@pytest.mark.slow
def test_each_expression_is_known() -> None:
    """One that a function makes of what only that knows stands in BUILT, with an example of it."""
    made = {each.name for each in all_expressions() if each.pattern is None and not each.name.startswith(REDACTION)}
    assert made == set(BUILT)


@pytest.mark.slow
def test_a_quadratic_expression_is_found() -> None:
    """The measure itself, by expressions that are known to be one."""
    for source, asked in (
        (r"\s+$", "search"),
        (r"/\*.*?\*/", "sub"),
        ("(a|a)*b", "match"),
    ):
        each = Expression(source, re.compile(source, re.DOTALL), frozenset((asked,)))
        assert _faults([each], FIRST_LOOK), source
    fine = Expression("fine", re.compile(r"[a-z]++|/\*.*?(?:\*/|\Z)", re.DOTALL), frozenset(("sub",)))
    assert _faults([fine], FIRST_LOOK) == []


@pytest.mark.full  # long
@pytest.mark.parametrize("source", [r"#\[[^\]]*\]", r" \(at .*\)"])
def test_the_long_look_finds_what_the_short_one_misses(source: str) -> None:
    """Expressions that the package had."""
    each = Expression(source, re.compile(source), frozenset(("sub",)))
    assert _faults([each], 16 * FIRST_LOOK, pumps=24, suspected=5)


def test_growth_that_lasts_is_told_from_a_step() -> None:
    """The judgement by itself. The numbers of steps were measured: memory that was not in the cache any more."""
    assert _grown_too_fast(0.002 * 4**doubling for doubling in range(10)) == LASTING
    assert _grown_too_fast(0.001 * 2**doubling + 0.0001 * 4**doubling for doubling in range(12)) > LASTING
    assert _grown_too_fast((0.002, 0.008, 0.032, 0.08, 0.32, 1.28, 3.2)) == AS_A_WHOLE  # each third step looks harmless
    for steps in ((0.0014, 0.0032, 0.0072, 0.0328, 0.0609, 0.1178), (0.0097, 0.0193, 0.0394, 0.134, 0.2004)):
        assert _grown_too_fast(steps) == 0
    assert _grown_too_fast(0.001 * 2.5**doubling for doubling in range(10)) == 0


def _first_of(rules: Any, message: str) -> re.Pattern[str]:
    return next(rule.pattern for rule in rules if message in rule.pattern.pattern)


# By name: an expression, how it was written before its work grew with the text, and pieces of texts for both.
REWRITTEN = {
    "_ATTRIBUTE": (extraction._ATTRIBUTE, r"#\[[^\]]*\]|@[\w.]+(?:\([^()]*\))?", ("#[", "]", "@a", "(", ")", " ,")),
    "conftest": (
        _first_of(outcomes._RULES, "conftest"),
        rf"(?P<message>{outcomes._ERROR_NAME}: .*) \(from .*conftest",
        ("Aa.AaError: ", " (from ", "conftest", " ", "a)"),
    ),
    "_NAMES": (
        code_mentions._NAMES,
        code_mentions._NAMES.pattern.replace("]++", "]"),
        ("a", "1", "$", ".", "::", "(s)", "(", "あ"),
    ),
    "a relation in Markdown": (
        pages._RELATION,
        r"- (?P<name>[^\[\]`%]*?) *(?:\[\[(?P<link>[^\[\]]+)\]\]|`(?P<target>[^`]+)`)(?: *%% (?P<more>\{.*\}) %%)? *",
        ("- ", "a", " ", "[[b]]", "`c`", "%% {} %%", "["),
    ),
    "a relation of Basic Memory": (
        basic_memory._RELATION,
        r"[ \t]*[-*+][ \t]+(?:([^\[\]\n]{1,200}?)[ \t]+)?\[\[([^\[\]\n]{1,1000})\]\](.*)$",
        ("- ", "-", "a", " ", "\t", "[[b]]", "\n"),
    ),
}


@pytest.mark.parametrize("name", REWRITTEN)
def test_an_expression_that_was_rewritten_finds_the_same(name: str) -> None:
    """In all texts of up to five pieces."""
    now, before, pieces = REWRITTEN[name]
    former = re.compile(before)
    assert former.pattern != now.pattern
    for many in range(6):
        for text in map("".join, itertools.product(pieces, repeat=many)):
            found = [(match.span(), match.groups()) for match in now.finditer(text)]
            assert found == [(match.span(), match.groups()) for match in former.finditer(text)], text


@pytest.mark.full  # long
@pytest.mark.parametrize("part", range(PARTS))
def test_the_work_of_an_expression_grows_as_the_text(part: int) -> None:
    assert _faults(_once()[part::PARTS], FIRST_LOOK) == []


SECRETS = [
    "\\",
    "\\n",
    "a.",
    "a:",
    "a@",
    "//a:",
    "key=",
    "key: ",
    "password ",
    "secret_",
    "eyJ",
    "AKIA",
    "sk-",
    "-----BEGIN ",
]
SECRETS += [
    " ",
    "\n",
    "=",
    "-",
    "_",
    "A",
    "a9",
    "aws_",
    "authorization: ",
    "bearer ",
    "<",
    "{",
    "'",
    '"',
    "0",
    "https://",
]


def _redaction_grows_too_fast(piece: str, most: int) -> str:
    def seconds(size: int) -> float:
        text = piece * (size // len(piece))
        return _seconds(lambda: (redact_text(text), redact_text(f"password = {text}")))

    size = _too_much_from(seconds, 1_024, most)
    return f"the work grows too fast up to {size:,} characters of {piece!r}" if size else ""


@pytest.mark.full
@pytest.mark.parametrize("piece", SECRETS[::5])
def test_the_work_of_redaction_grows_as_the_text(piece: str) -> None:
    assert not _redaction_grows_too_fast(piece, 4 * FIRST_LOOK)


@pytest.mark.full
@pytest.mark.parametrize("piece", SECRETS)
def test_the_work_of_redaction_grows_as_a_long_text(piece: str) -> None:
    assert not _redaction_grows_too_fast(piece, LARGEST // 4)


@pytest.mark.full
@pytest.mark.parametrize("part", range(PARTS))
def test_the_work_of_an_expression_grows_as_a_long_text(part: int) -> None:
    """With texts that are long enough for what looks through them again only now and then."""
    assert _faults(_once()[part::PARTS], 16 * FIRST_LOOK, pumps=24, suspected=5) == []
