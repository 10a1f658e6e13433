"""Redaction of captured text: the rules for every text, then tokens that look random and have no name and no prefix.

What an agent prints, types or is told was not written to be remembered, so more is taken out of it than of a memory: a
run of letters and digits that nobody would write, assigned to anything or standing alone. Random by looks is also what
names a build or a file. That stays where it can be told: hex of any length (hashes, commits, MD5, object ids), UUIDs,
sums with their algorithm before them, what services give as names of things (`req_...`), data (certificates, images,
public keys), paths, and identifiers made of words.
"""

from collections.abc import Iterator
from itertools import pairwise

from indelible.sanitize.secret_rules import compiled, wordiness
from indelible.sanitize.secret_spans import Span, redact_text, replaced

_RUN = r"[A-Za-z0-9+/_=.~-]{20,}+"
_LONGEST = 256  # characters: longer runs are data
_SHORTEST = 20
_PARTS = r"[A-Za-z0-9+_=~-]{20,}+"  # of a run that is a path
_HEX = r"(?:0x)?[0-9a-f]+"
_UUID = r"(?i)[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}"
# Before a run: an algorithm, a digest's name, the beginning of data in base64.
_SUM = (
    r"(?i)(?<![a-z0-9])(?:sha-?[0-9]{1,3}|md5|h1|blake[23][bs]?|xxh[0-9]{0,3}|crc[0-9]{0,2}|base64|integrity|checksum|digest"
    r"|etag|hash|nonce|page_?token|cursor)[\"']?\s{0,2}[-:=,]{1,2}\s{0,2}[\"']?(?:W/)?[\"']?[a-z0-9+/_-]{0,12}$"
)
_PUBLIC_KEY = (
    r"(?i)(?:ssh-[a-z0-9-]{2,20}|ecdsa-[a-z0-9-]{4,40}|public[_-]?key[\"']?\s?[:=])\s{0,3}[\"']?[a-z0-9+/_-]{0,12}$"
)
_DATA = (
    "AAAA",
    "iVBOR",
    "R0lGOD",
    "/9j/",
    "UklGR",
    "PHN2Zy",
    "MII",
    "LS0tLS1",
    "eyJ2ZXJzaW9uIj",
    "H4sI",
    "UEsDB",
    "JVBER",
)
# What services call things, in the answers of their programs: names, not secrets.
_NAMED = (
    r"(?:req|evt|cus|ch|pi|pm|in|sub|si|price|prod|acct|seti|cs|txn|msg|toolu|srvtoolu|call|fc|resp|rs|run|step|thread|asst|vs|batch"
    r"|file|org|proj|proj_|user|usr|team|dpl|env|chatcmpl|cmpl|modr|gen|ws|wf|job|task|build|trace|span|session|sess|conv|item)[_-]"
)
_RANDOM = 0.33  # of neighbours differ in class: see redact_rules
_WORDY = 0.50


def redact_captured(text: str) -> tuple[str, dict[str, int]]:
    """Redact a captured text by all rules: the text, and how many secrets each rule found."""
    clean, counts = redact_text(text)
    spans = list(_random(clean))
    if spans:
        clean = replaced(clean, spans, counts)
        counts = dict(sorted(counts.items()))
    return clean, counts


def _random(text: str) -> Iterator[Span]:
    """The runs that look random, in order."""
    if len(text) < _SHORTEST:
        return
    for run in compiled(_RUN).finditer(text):
        if not any(char.isdigit() for char in run[0]):
            continue
        escape = 1 if run.start() and text[run.start() - 1] == "\\" else 0  # the n of a \\n
        at, end = run.start() + escape, run.end()
        before = text[max(0, at - 48) : at] + run[0][escape : escape + 12]
        if compiled(_SUM).search(before) or compiled(_PUBLIC_KEY).search(before) or _is_block(text, (at, end)):
            continue
        for first, last in _tokens(text[at:end]):
            if _looks_random(text[at + first : at + last]):
                yield at + first, at + last, "high-entropy"


def _tokens(run: str) -> Iterator[tuple[int, int]]:
    """Return where the tokens of a run are: it is one, or if it is a path or has dots, its parts; without `name=`."""
    if len(run) > _LONGEST or run.startswith(_DATA):
        return
    stripped = run.rstrip(".")
    if "/" in stripped and not _is_path(stripped):
        yield 0, len(stripped)
        return
    for part in compiled(_PARTS).finditer(run):
        equals = part[0].rstrip("=").rfind("=") + 1
        if part.end() - part.start() - equals >= _SHORTEST:
            yield part.start() + equals, part.end()


def _is_path(run: str) -> bool:
    """Return whether a run with slashes is a path: it has a word or a dot, or begins or ends at a slash."""
    if "." in run or run[0] in "/~" or run.endswith("/"):
        return True
    parts = [part for part in run.split("/") if len(part) >= 4]
    words = [part.lower() for part in parts if part.isalpha() and part in (part.lower(), part.title())]
    return any(wordiness(word) >= 0.5 for word in words)


def _is_block(text: str, span: tuple[int, int]) -> bool:
    """Return whether a run is a line of data: it fills its line, and a line of the same length is beside it."""
    start, end = span
    size = end - start
    if size < 48 or text[start - 1 : start] not in ("", "\n") or text[end : end + 1] not in ("", "\n"):
        return False
    if size in (64, 76):  # a line of PEM, of MIME
        return True
    above, below = text[max(0, start - 1 - size) : max(0, start - 1)], text[end + 1 : end + 1 + size]
    return any(len(line) == size and compiled(_RUN).fullmatch(line) is not None for line in (above, below))


def _looks_random(token: str) -> bool:
    """Return whether a token is one that nobody would write: of three classes, mixed, with no words in it."""
    plain = token.strip("=-_~+")
    low = plain.lower()
    if len(plain) < _SHORTEST or compiled(_HEX).fullmatch(low) or compiled(_UUID).search(low):
        return False
    if compiled(_NAMED).match(plain) or plain.startswith(_DATA):
        return False
    if plain in (low, plain.upper()) or sum(char.isdigit() for char in plain) < 2:
        return False
    return _unrest(plain) >= _RANDOM and wordiness(low) < _WORDY and len(set(plain)) >= 12 and not _is_worded(plain)


def _is_worded(token: str) -> bool:
    """Return whether a token consists of words: `TestInvoice_2024_TotalWithDiscount`."""
    words = [word.lower() for word in compiled(r"[A-Z]?[a-z]{3,}|[A-Z]{3,}").findall(token)]
    return sum(len(word) for word in words if wordiness(word) >= 0.5) >= len(token) * 0.4


def _unrest(value: str) -> float:
    classes = ["d" if char.isdigit() else "u" if char.isupper() else "l" for char in value if char.isalnum()]
    return sum(a != b for a, b in pairwise(classes)) / max(1, len(classes) - 1)
