"""The front matter of a file: YAML that this writes, and reads again whoever has rewritten it meanwhile.

Every value is read as text or a list of texts, whatever its quotes, since editors quote as they like; who asks for a
field knows its type. What must be exact beyond that, such as metadata, is JSON inside of a text.
"""

import json
import re
from collections.abc import Mapping, Sequence
from typing import Any

from indelible.errors import InvalidInput
from indelible.sanitize import bounded

FENCE = "---"

# What YAML takes for the same text without quotes, and no editor for a number, a date or a truth value.
_PLAIN = re.compile(r"[A-Za-z][A-Za-z0-9_./@+-]*")
_WORDS = frozenset("true false yes no on off null y n".split())
# Of what may stand in JSON as it is, what YAML refuses or takes for the end of a line.
_ESCAPED = re.compile("[\x7f-\x9f\u2028\u2029\ufeff\ufffe\uffff]")


Value = str | bool | float | Sequence[str]


def written(fields: Mapping[str, Value]) -> str:
    """Return the lines of a front matter, fences included, a field a line; `parse` gives the same fields back."""
    lines = [f"{name}: {_value(value)}\n" for name, value in fields.items()]
    return f"{FENCE}\n{''.join(lines)}{FENCE}\n"


def _value(value: Value) -> str:
    if isinstance(value, str):
        return _scalar(value)
    return json.dumps(value) if isinstance(value, (bool, int, float)) else f"[{', '.join(map(_scalar, value))}]"


def _scalar(text: str) -> str:
    if _PLAIN.fullmatch(text) and text.lower() not in _WORDS:
        return text
    if text.startswith("{") and text.isprintable():  # JSON is readable in single quotes only
        quoted = text.replace("'", "''")
        return f"'{quoted}'"
    return _ESCAPED.sub(lambda found: f"\\u{ord(found[0]):04x}", json.dumps(text, ensure_ascii=False))


def split(content: str) -> tuple[str | None, str]:
    """Return the front matter between its fences, None where a text begins with none, and the rest of the text.

    Raises InvalidInput where the second fence is missing.
    """
    if not content.startswith(f"{FENCE}\n"):
        return None, content
    end = content.find(f"\n{FENCE}\n", len(FENCE))
    if end < 0 and content.endswith(f"\n{FENCE}"):
        return content[len(FENCE) + 1 : -len(FENCE)], ""
    if end < 0:
        raise InvalidInput(f"the front matter has no end; put a line {FENCE} after it")
    return content[len(FENCE) + 1 : end + 1], content[end + len(FENCE) + 2 :]


def parse(text: str) -> dict[str, Any]:
    """Return the fields of a front matter. Raises InvalidInput for what is not YAML, holds no fields, or more than
    fields: the file is written anew from these, so that nothing else of it would stay.
    """
    try:
        fields = bounded.yaml_value(text, whole=True)
    except ValueError as error:
        raise InvalidInput(f"the front matter cannot be read: {error}") from error
    if fields is None:
        return {}
    if not isinstance(fields, dict):
        raise InvalidInput(f"the front matter must have lines such as `tags: [a, b]`, got {text.strip()[:80]!r}")
    return fields
