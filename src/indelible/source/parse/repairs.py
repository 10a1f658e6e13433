"""Rewrites of text that grammars fail on; every repair keeps the length, so places stay true.

C and C++ before their preprocessor are not C: macros stand for attributes, specifiers and whole lines. TypeScript's
grammar (0.23) ends no member of a type before a comment that is followed by a call signature, and does not know the
variance of type parameters. All but `class_attributes` and `kotlin_receivers` are tried only on files with syntax
errors, and kept only if fewer are left. The patterns take linear time.
"""

import re
from collections.abc import Iterator

from indelible.source.parse import conditionals

_NAME = rb"[A-Z][A-Z0-9_]{2,}(?:\([^()\n]{0,200}\))?"
_AFTER_CLASS = re.compile(
    rb"\b(class|struct|union|enum)\s+((?:" + _NAME + rb"\s+){1,8})(?=[A-Za-z_][\w:]*\s*(?:final\b\s*)?[:{<;\n])"
)
_AFTER_PARAMETERS = re.compile(
    rb"(\)\s*(?:(?:const|noexcept|override|final)\b\s*+){0,8})((?:\b[A-Z][A-Z0-9_]{3,}+(?:\s*+\([^()\n]{0,200}\))?+\s*+){1,8})"
    rb"(?=[;{]|override\b|final\b|=\s*(?:0|default|delete)\b)"
)
_AFTER_FIELD = re.compile(rb"([\w\]][ \t]+)([A-Z][A-Z0-9]*_[A-Z0-9_]+\([^()\n]{0,200}\))(?=[ \t]*;)")
_BEFORE_TYPE = re.compile(
    rb"^([ \t]*(?:(?:static|extern|inline|virtual|friend)\s+){0,8})"
    rb"((?:[A-Z][A-Z0-9]*_[A-Z0-9_]*(?:\([^()\n]{0,200}\))?\s+){1,8})"
    rb"(?=(?:(?:const|static|inline|unsigned|struct|explicit|virtual|constexpr)\s+){0,8}[A-Za-z_][\w:]*(?:<[^<>;{}\n]*>)?[\s*&]+[\w:~]+\s*\()",
    re.MULTILINE,
)
_AROUND = re.compile(  # `MACRO(static int f(int x)) {`
    rb"^([A-Z][A-Z0-9_]{3,}\()((?:[A-Za-z_][\w ]{0,100}[\s*]{1,40})[A-Za-z_]\w{0,100}\s{0,40}\([^{};]{0,400}\))(\))"
    rb"(?=\s*[;{])",
    re.MULTILINE,
)
_STATEMENT = re.compile(  # `DEFINE_FLAG(int, size, 8, "words");` outside of everything
    rb"^()([A-Z][A-Z0-9_]{3,}\((?:[^;{}\"()]|\"(?:[^\"\\\n]|\\.)*+\"|\([^;{}\"()]*+\)){0,400}+\)[ \t]*;)", re.MULTILINE
)
_ALONE = re.compile(rb"^([ \t]*)([A-Z][A-Z0-9_]{3,}(?:\([^()\n]{0,200}\))?)(?=[ \t]*\r?$)", re.MULTILINE)
_MEMBER_COMMENT = re.compile(
    rb"(?<=[\w>\])}\"'])([ \t\r]*+\n\s*+)(/\*(?:[^*]|\*(?!/)){0,2000}+\*/)(?=[ \t\r]*+\n\s*+[<(])"
)

_VARIANCE = re.compile(rb"([<,]\s*+)((?:in\s+)?out\s+|in\s+)(?=[A-Z]\w*\s*(?:[,>=]|extends\b))")


def class_attributes(text: bytes) -> bytes:
    """Return C or C++ without the macro in `class MACRO Name {`, which would read as a function of that type."""
    return _AFTER_CLASS.sub(_blanked, text)


_RECEIVER = re.compile(
    rb"\b(?:fun|va[lr])\s+(?:<[^()=\n]{1,200}>\s*)?"
    rb"((?:\([\w.<>?, ]{1,100}\)|\w{1,100}(?:\.\w{1,100}){0,8}?(?:<[^()=\n]{1,200}>)?)\??\.)"
    rb"(?=(?:\w{1,200}|`[^`\n]{1,200}`)\s?(?:[(:={]|by\b|\n))"
)
_ANNOTATION = re.compile(rb"\bannotation class\b")
_CONSTRUCTOR = re.compile(  # on a line of its own, up to the first space in its brackets
    rb"(\bclass \w{1,100}(?:<[^<>\n]{1,200}>)?[ \t]?)\n"
    rb"([ \t]{0,40}(?:(?:@[\w.]{1,100}(?:\([^()\n]{0,200}\))?|[a-z]{1,20}) ){0,6}constructor ?\([^ ]{0,200}) "
)


def kotlin_receivers(text: bytes) -> bytes:
    """Return Kotlin without what its grammar misreads: the type in `fun Type.name()`, `annotation class`."""
    text = _ANNOTATION.sub(b"       interface", text)
    return _RECEIVER.sub(lambda found: found.group()[: -len(found[1])] + b" " * len(found[1]), text)


_UNENDED = re.compile(rb"(?<=[^\s;{,]) (?=\})")


def kotlin(text: bytes) -> Iterator[bytes]:
    """Yield Kotlin as its grammar (1.1) needs it: with each constructor on the line of its class, then also with a
    semicolon before a `}` that ends a statement on its line.
    """
    text = _CONSTRUCTOR.sub(rb"\1 \2\n", text)  # as many lines as before
    yield text
    yield _UNENDED.sub(b";", text)


def c_family(text: bytes) -> Iterator[bytes]:
    """Yield C or C++ with one branch of each #if that cuts through a statement, then also without unknown macros."""
    text = conditionals.whole_statements(_AROUND.sub(_unwrapped, text))
    yield text
    for pattern in (_AFTER_PARAMETERS, _AFTER_FIELD, _BEFORE_TYPE, _STATEMENT):
        text = pattern.sub(_blanked, text)
    yield _ALONE.sub(lambda found: _blanked(found) if _between_statements(found) else found.group(), text)


def typescript(text: bytes) -> Iterator[bytes]:
    """Yield TypeScript without `in` and `out` of type parameters, a semicolon for a comment before a call signature."""
    yield _MEMBER_COMMENT.sub(_ended, _VARIANCE.sub(_blanked, text))


def _blanked(found: "re.Match[bytes]") -> bytes:
    whole, start = found.group(), found.start()
    before, after = whole[: found.start(2) - start], whole[found.end(2) - start :]
    return before + re.sub(rb"[^\s]", b" ", found.group(2)) + after


def _unwrapped(found: "re.Match[bytes]") -> bytes:
    return b" " * len(found.group(1)) + found.group(2) + b" "


def _between_statements(found: "re.Match[bytes]") -> bool:
    """Whether a line comes after the end of a statement, a block, a comment or a directive."""
    before = found.string[max(0, found.start() - 400) : found.start()].rstrip()
    last_line = before.rpartition(b"\n")[2].lstrip()
    return not before or before[-1:] in b";{}/" or (last_line.startswith(b"#") and before[-1:] != b"\\")


def _ended(found: "re.Match[bytes]") -> bytes:
    comment = re.sub(rb"[^\n]", b" ", found.group(2))
    if found.string[: found.start()].endswith(b"=>"):
        return found.group()
    return found.group(1) + b";" + comment[1:]
