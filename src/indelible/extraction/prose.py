"""The sentences of prose in a message, without the code, logs and quotations in it."""

import re
from collections.abc import Iterator

LONGEST = 24_000  # characters of a message that are read
LONGEST_LINE = 2_000  # a longer line is data that was pasted
LONGEST_SENTENCE = 500
WRAPPED = 50  # characters from which a line may be wrapped: the next one goes on

_FENCE = re.compile(r"\s{0,12}(?:```|~~~)")
_TAG = re.compile(r"\s{0,8}</?(?P<name>[A-Za-z][\w-]{0,60})(?:\s[^<>]{0,200})?>")
_MARKER = re.compile(r"\s{0,12}(?:[-*+•]|\d{1,3}[.)]|#{1,6}|\|)\s+|\s{0,12}(?:\[[ xX]\])\s")
_HEADED = re.compile(r"\s{0,3}#{1,6}\s|\s{0,3}\*\*[^*]{1,80}\*\*:?\s*\Z")
_NO_PROSE = re.compile(
    r"""\s{0,12}>                                             # a quotation
    | (?:\+|-)[^\s-]|@@[ ]|diff[ ]--git|index[ ][0-9a-f]{6}   # a difference
    | \s{0,8}\d{4}-\d\d-\d\d[T ]\d\d:\d\d                      # a log
    | \s{0,8}\[?\d\d:\d\d:\d\d
    | \s{0,8}\[?(?:INFO|DEBUG|WARN|WARNING|ERROR|TRACE|FATAL)\b[\]:|]?\s
    | \s{0,8}(?:at[ ]\S{1,200}\(|File[ ]"|Traceback|E[ ]{2,})
    | \s{0,8}(?:\$|>>>|%|❯|➜)[ ]
    | \s{0,8}(?:def|class|fn|func|import|from|const|let|var|return|public|private|function|SELECT|INSERT|UPDATE|export|
        package|use)[ ].{0,200}[;{:)]\s*\Z
    | \s{0,20}(?://|/\*|\*/|\#\!|\#[ ]?(?:include|define)|<!--|--[ ])
    | \t|[ ]{4,}(?![-*+•\d])                                   # indented code
    | \s{0,8}\|                                                # a table
    | \s{0,8}[\u2139\u2600-\u27bf\U0001f300-\U0001faff]        # what a program says: a symbol stands before it
    | [^\s]{1,80}[ ]?[=:][ ]?["'\[{].{0,200}[,\]}"';]\s*\Z     # a setting
    """,
    re.VERBOSE,
)
# Code, which stays as it is, or emphasis: of one mark of a pair the other may stand in the next line. A name is not
# emphasised: `__init__`, `_private`, `src/**/*.py`.
_EMPHASIS = re.compile(
    r"(?P<code>`[^`\n]{1,200}`)"
    r"|(?<![\w/*.])(?P<mark>__|_|\*\*|\*)(?=[^\s_*])(?P<said>[^_*`\n]{1,300})(?<=\S)(?P=mark)(?![\w/*])"
    r"|(?<![\w/*.])\*\*(?=\w)|(?<=[\w.!?:)])\*\*(?![\w/*.])"
)
_END = re.compile(r"(?<=[.!?…])(?P<closed>[\"'”’)\]]{0,3})\s+(?=\S)|(?<=[。！？])\s*(?=\S)")
_ABBREVIATED = re.compile(
    r"(?:\b(?:e\.g|i\.e|etc|vs|cf|resp|approx|no|Dr|Mr|Mrs|Ms|"
    r"z\. ?B|d\. ?h|bzw|ca|Nr|usw|p\. ?ex|ej|Sr|Sra|St)\.|\.\.\.)\Z"
)


def paragraphs(text: str) -> Iterator[list[str]]:
    """Yield the paragraphs of a message as lists of sentences; a heading is a paragraph that ends in a colon.

    Fenced and indented code, quotations, log lines, diffs, tables, settings and text between tags are left out. Takes
    linear time.
    """
    block = ""
    for line, begins in _lines(text[:LONGEST]):
        if begins and block:
            yield _sentences(block)
            block = ""
        if line:
            joint = " " if len(block.rpartition("\n")[2]) >= WRAPPED and block[-1:] not in ".!?:…" else "\n"
            block = f"{block}{joint}{line}" if block else line
    if block:
        yield _sentences(block)


def _lines(text: str) -> Iterator[tuple[str, bool]]:
    """Yield each line of prose without its marker, and whether it begins a paragraph; "" for lines left out."""
    inside = ""
    fenced = False
    for line in text.splitlines():
        if _FENCE.match(line):
            fenced = not fenced
            yield "", True
        elif inside:
            if f"</{inside}>" in line:
                inside = ""
        elif fenced or len(line) > LONGEST_LINE:
            continue
        elif tag := _TAG.match(line):
            inside = "" if f"</{tag['name']}>" in line or tag[0].lstrip().startswith("</") else tag["name"]
            if inside and f"</{inside}>" not in text:
                inside = ""  # a word in angle brackets
            yield "", True
        elif not line.strip() or _NO_PROSE.match(line):
            yield "", True
        else:
            yield from _prose(line)


def _prose(line: str) -> Iterator[tuple[str, bool]]:
    marker = _MARKER.match(line)
    plain = _EMPHASIS.sub(_unmarked, line[marker.end() :] if marker else line).strip()
    if _HEADED.match(line) and len(plain) <= 80:
        yield plain.rstrip(":") + ":", True
        yield "", True
    else:
        yield plain, marker is not None


def _unmarked(found: re.Match[str]) -> str:
    """Return what stands for a piece of code or an emphasis in plain prose."""
    if found["code"]:
        return found[0]
    said = found["said"] or ""
    is_name = found["mark"] == "__" and said.isidentifier()
    return found[0] if is_name else said


def _sentences(block: str) -> list[str]:
    found: list[str] = []
    for line in block.split("\n"):
        begin = 0
        for end in _END.finditer(line):
            if _ABBREVIATED.search(line[max(begin, end.start() - 12) : end.start()]):
                continue
            found.append(line[begin : end.start() + len(end["closed"] or "")].strip())
            begin = end.end()
        found.append(line[begin:].strip())
    return [sentence for sentence in found if sentence]
