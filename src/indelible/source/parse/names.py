"""Names as they are written in source: the called name, its receiver, and where it ends."""

import re

LONGEST = 240  # bytes of a callee that are read; of longer chains only the name is known
NO_PATH = "?"  # the receiver of a name that hangs on an expression without a path

_PLAIN = re.compile(r"[\w$#@~]+(?:(?:\.|::)[\w$#@~]+)*[?!]?")  # a name of Ruby may end with ? or !
_SPACE = re.compile(r"\s+")
_OPERATORS = re.compile(r"^(?:(?:new|await)\s+)+")
_ARROWS = re.compile(r"->|\?\.|!\.|!(?=[.\[(])|\?(?=\.)")
_CLOSED_BY = {"(": ")", "[": "]", "<": ">", "{": "}"}


def callee(text: str) -> tuple[str, str]:
    """Return (name, receiver) of a call or reference: `a.b(1).c` is c on `a.b()`. The name is "" if there is none."""
    if not _PLAIN.fullmatch(text):
        text = without_arguments(_ARROWS.sub(".", _SPACE.sub("", _OPERATORS.sub("", text))))
    end = max(text.rfind("."), text.rfind("::") + 1)
    name = text[end + 1 :] if end > 0 or text[:1] == "." else text
    if not _PLAIN.fullmatch(name):
        return "", ""
    receiver = text[: len(text) - len(name)].removesuffix(".").removesuffix("::")
    if end <= 0:
        return name, "" if name == text else NO_PATH
    return name, receiver if receiver and _is_path(receiver) else NO_PATH


def _is_path(text: str) -> bool:
    """Whether a receiver, its arguments left out, begins with a name."""
    return text[0].isalpha() or text[0] in "_$#@:"


def without_arguments(text: str) -> str:
    """Return a path without the content of its brackets: `f(a)[0]<T>::g` is `f()[]::g`; angle brackets go entirely.

    Brackets in texts within the arguments are counted like others; then the path may come out shorter, never longer.
    """
    kept: list[str] = []
    open_: list[str] = []
    for character in text:
        if open_:
            if character == open_[-1]:
                open_.pop()
                if not open_ and character in ")]":
                    kept.append("()" if character == ")" else "[]")
            elif character in _CLOSED_BY:
                open_.append(_CLOSED_BY[character])
        elif character in _CLOSED_BY:
            open_.append(_CLOSED_BY[character])
        else:
            kept.append(character)
    return "".join(kept).replace("::::", "::").removesuffix("::")


def type_path(text: str) -> str:
    """Return the path of a type without arguments, pointers, references, modifiers: `&mut Vec<T>` is `Vec`; else ""."""
    bare = without_arguments(_SPACE.sub(" ", text).replace("->", "."))
    words = [word for word in re.split(r"[\s*&|,;]+", bare) if word and word not in _TYPE_WORDS and word[0] != "'"]
    path = words[-1].rstrip("?!") if words else ""
    return path if _PLAIN.fullmatch(path) else ""


_TYPE_WORDS = frozenset("const mut dyn impl ref struct enum union class typename unsigned final static in out".split())
