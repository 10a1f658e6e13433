"""The signature of an error: a hash of its message without the parts that vary; and messages that are given in part."""

import re
from hashlib import sha256

LONGEST = 500  # characters of a normalised message
SHORTEST = 6  # characters of a part of one that names it

# Scripts that put no space between words: beside one of their letters a path or a quote may begin.
_CJK = "぀-ヿ㐀-䶿一-鿿豈-﫿가-힯"
_LETTER = rf"[^\W{_CJK}]"  # \w without them
_NO_LETTER_BEFORE = rf"(?<!{_LETTER})(?<![\u0300-\u036f])"  # nor an accent that stands for itself

_HEX = re.compile(r"(?<![0-9A-Za-z])0[xX][0-9A-Fa-f]+")

# Characters that are not in a file's name: separators, quotes, brackets and punctuation of sentences and lists.
_NO_NAME = r"\s\"'`“”‘’«»<>|:;,*?=()\[\]{}\\/\u3000-\u303f\uff00-\uff0f\uff1a-\uff20"
# Every repetition is possessive, and no run is entered twice: a message without end takes linear time.
_GROUPS = r"(?<=\w)'(?=\w)|\[[\w.-]{1,80}\]|\([\w.-]{1,80}\)(?=[\\/])"  # o'neil/[id]/(group)/page.tsx
_NAME = rf"(?:Program\ Files(?:\ \(x86\))?(?=\\)|[^{_NO_NAME}]|{_GROUPS})++"
_PATH = re.compile(
    rf"""
      (?P<absolute>
        (?: (?<![A-Za-z0-9+.-])(?:file://|[A-Za-z][A-Za-z0-9+.-]*+:///)/*+(?:[A-Za-z]:[\\/]++)?+   # no host: a file's
          | (?:(?<![\w\\])\\\\[?.]\\)?(?<!\w)[A-Za-z]:[\\/]++  # C:\dir, C:/dir and \\?\C:\dir
          | (?<![\w\\])\\{{2,}}+                                # \\server\share
          | {_NO_LETTER_BEFORE}(?<![<)\]\\/])/++                # not </div>, read/write, f(x)/y
        ){_NAME}(?:[\\/]++{_NAME})*+[\\/]*+ )
    | (?<![A-Za-z0-9+.-])[A-Za-z][A-Za-z0-9+.-]*+://[^\s"'`<>]*+  # any other URL
    | (?P<relative>
        (?<![^{_NO_NAME}{_CJK}])(?<!\w')(?<!\])[^{_NO_NAME}{_CJK}]
        (?:[^{_NO_NAME}{_CJK}]|{_GROUPS})*+(?:[\\/]++{_NAME})++ )
    """,
    re.VERBOSE,
)
_BEGINS_AS_PATH = re.compile(r"~|\.[A-Za-z]|\.\.?[\\/]")
_ENDS_IN_EXTENSION = re.compile(r"\.[A-Za-z][A-Za-z0-9]{0,7}\Z")
_GOES_ON = re.compile(rf"(?<=\.)[A-Za-z][A-Za-z0-9]{{0,7}}(?=[{_CJK}])")  # a.txt的内容: the name ends before 的
_QUOTED = re.compile(rf"{_NO_LETTER_BEFORE}(['\"`]).*?(?:{_NO_LETTER_BEFORE}\1|\1(?!{_LETTER}))", re.DOTALL)
_DIGITS = re.compile(r"\d+")


def signature(error_type: str, message: str) -> str:
    """Return the first 16 hex digits of the SHA-256 of `errorType:normalised message`, equal for equal failures."""
    return sha256(f"{error_type}:{normalised(message)}".encode()).hexdigest()[:16]


def names_the_same(given: str, message: str) -> bool:
    """Return whether what somebody typed or pasted of an error is its message, a part of it, or contains it.

    Case and white space do not count, nor the name of the error's class, which the output of a test may not have. What
    is shorter than six characters stands in too much to name anything.
    """
    given, message = (" ".join(text.split()).casefold() for text in (given, message))
    stated = message.partition(": ")[2] or message
    return (len(given) >= SHORTEST and given in message) or (len(stated) >= SHORTEST and stated in given)


def normalised(message: str) -> str:
    """Return a message without its varying parts, at most 500 characters; the case is kept. In this order:

    1. `0x` and hexadecimal digits become HEX.
    2. File paths become PATH: absolute ones (POSIX, Windows, UNC, file://), and relative ones that begin with `.` or
       `~` or end in a file's extension. A line and column after one stay for step 4. Other URLs are no file paths;
       neither are a name without a separator ("main.py") and words with slashes ("read/write").
    3. From a quote (' " `) to the next of the same is STR. A quote inside a word ("don't"), or one that would begin
       right after a word ("users' list"), is none; one without its partner stays.
    4. Each run of digits becomes N.
    5. White space is squeezed and trimmed, and the rest beyond 500 characters is dropped.
    """
    text = _HEX.sub("HEX", message)
    text = _PATH.sub(_without_path, text)
    text = _QUOTED.sub("STR", text)
    text = _DIGITS.sub("N", text)
    return " ".join(text.split())[:LONGEST]


def _without_path(found: re.Match[str]) -> str:
    run = found[0]
    if found.lastgroup is None:
        return run
    longer = _GOES_ON.search(run)
    path = run if longer is None else run[: longer.end()]
    path = path.rstrip(".!")  # the end of a sentence, not of a name
    if found.lastgroup == "absolute" or _BEGINS_AS_PATH.match(path) or _ENDS_IN_EXTENSION.search(path[-10:]):
        return "PATH" + run[len(path) :]
    return run
