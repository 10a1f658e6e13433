"""Spans that a text marks as private with `<private>`, told apart from mere mentions of the tag.

The rule, which hides rather too much than too little:

- `<private>` to its own `</private>` is hidden with both tags, over any number of paragraphs, also in code. Tags nest
  as brackets do.
- An opening tag that nobody closes hides the rest of its paragraph: what follows the next blank line stays. If nothing
  follows the tag before the blank line, it stands above what it is meant to hide, and the next paragraph is hidden.
- A closing tag that nobody opened hides the same before it: its paragraph, or the one above if nothing is there; but
  no line with a backtick, and in a line with one before it, it is spoken of. Hooks see a text in pieces: the messages
  of a person, the end of an output.
- An opening tag that nobody closes and that stands in code hides nothing: it is spoken of, as in "put it in
  `<private>`". Code is what stands in one line between two runs of as many backticks, or between two fences of
  backticks. A backtick in doubt (beside a space on the inner side or a letter on the outer, or a fence never closed)
  opens no code, so that a stray one does not show what was to be hidden.
"""

from bisect import bisect_right
from collections.abc import Iterator

from indelible.sanitize.secret_rules import PRIVATE_TAG, compiled

_Range = tuple[int, int]

_PARAGRAPH_END = r"\n[ \t\r]*+(?:\n|\Z)"
_BREAK = r"\n(?:[ \t\r]*+\n)++"  # between two paragraphs
_FENCE = r"(?m)^[ \t>]{0,12}(`{3,}+)([^`\n]*+)$"
_RUN = r"`++"


def private_ranges(text: str) -> Iterator[_Range]:
    """Return the ranges of `text`, in lower case, to hide, with the tags; ranges may lie inside one another."""
    if "private" not in text:
        return
    opened: list[_Range] = []
    unopened: list[tuple[int, _Range]] = []
    done = 0
    for tag in compiled(PRIVATE_TAG).finditer(text):
        if not tag[1]:
            opened.append(tag.span())
        elif opened:
            yield opened.pop()[0], tag.end()
            done = tag.end()
        else:
            unopened.append((done, tag.span()))
            done = tag.end()
    if unopened:
        yield from _unopened(text, unopened)
    if opened:
        yield from _unclosed(text, opened)


def _unopened(text: str, tags: list[tuple[int, _Range]]) -> Iterator[_Range]:
    """From the beginning of its paragraph to the end of each tag; with a tag stands how far back it may reach.

    No backtick is hidden, since what is code behind it would be other text without it.
    """
    breaks = [found.span() for found in compiled(_BREAK).finditer(text)]
    starts = [start for start, _ in breaks]
    for floor, (at, end) in tags:
        before = bisect_right(starts, at) - 1
        start = breaks[before][1] if before >= 0 else 0
        if before >= 0 and compiled(r"\S").search(text, start, at) is None:
            start = breaks[before - 1][1] if before else 0
        start = max(start, floor)
        tick = text.rfind("`", start, at)
        if tick >= 0:
            start = text.find("\n", tick, at) + 1
        if tick < 0 or start:
            yield start, end


def _unclosed(text: str, tags: list[_Range]) -> Iterator[_Range]:
    """From each tag that is not in code to the end of its paragraph."""
    code = sorted(_code(text)) if "`" in text else []
    starts = [start for start, _ in code]
    done = 0
    for start, end in tags:
        before = bisect_right(starts, start) - 1
        if start >= done and not (before >= 0 and end <= code[before][1]):
            done = _end_of_paragraph(text, end)
            yield start, done


def _end_of_paragraph(text: str, after: int) -> int:
    """Return where the first paragraph ends that has something to say after a place."""
    first = compiled(r"\S").search(text, after)
    blank = compiled(_PARAGRAPH_END).search(text, first.start()) if first else None
    return blank.start() if blank else len(text)


def _code(text: str) -> Iterator[_Range]:
    """Return the ranges of code, disjoint: blocks between fences, and in other lines text between backticks."""
    opening = None
    between: list[_Range] = []
    done = 0
    for fence in compiled(_FENCE).finditer(text):
        if opening is None:
            opening = fence
        elif len(fence[1]) >= len(opening[1]) and not fence[2].strip():
            yield opening.end(), fence.start()
            between.append((done, opening.start()))
            opening, done = None, fence.end()
    between.append((done, len(text)))
    for start, end in between:
        yield from _inline(text, start, end)


def _inline(text: str, start: int, end: int) -> Iterator[_Range]:
    """Inline code of a part of a text: each run of backticks with the next of its length in the same line."""
    runs = [run.span() for run in compiled(_RUN).finditer(text, start, end)]
    closes: list[int | None] = [None] * len(runs)
    next_of: dict[int, int] = {}  # by length
    for at in range(len(runs) - 1, -1, -1):
        size = runs[at][1] - runs[at][0]
        closes[at] = next_of.get(size)
        next_of[size] = at
    at = 0
    while at < len(runs):
        closing = closes[at]
        if closing is not None and _delimit(text, runs[at], runs[closing]):
            yield runs[at][1], runs[closing][0]
            at = closing
        at += 1


def _delimit(text: str, opening: _Range, closing: _Range) -> bool:
    """Say whether two runs of backticks stand around code: in one line, text on their inner sides, none beyond."""
    outer = text[max(0, opening[0] - 1) : opening[0]] + text[closing[1] : closing[1] + 1]
    inner = text[opening[1]] + text[closing[0] - 1]
    if any(c.isalnum() for c in outer) or any(c.isspace() for c in inner):
        return False
    return text.find("\n", opening[1], closing[0]) == -1
