"""The examples of the reference of the context tools (`ltmc.md`), what they speak of, and their shapes."""

import json
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

TABLE = Path(__file__).parents[1] / "contract" / "ltmc_examples.jsonl"
EXAMPLES = [json.loads(line) for line in TABLE.read_text(encoding="utf-8").splitlines()]
REFERENCE = Path(__file__).parents[3] / "shared" / "spec" / "ltmc.md"
TOOLS = [each["tool"] for each in EXAMPLES]

AUTH = "JWT authentication implementation: access tokens are signed with RS256 and expire after one hour."
ERRORS = "Error handling patterns: try-catch around each call, one exception tree, never a bare except."
TEXTS = {
    123: AUTH,
    455: AUTH + " Refresh tokens last a week.",
    788: ERRORS,
    101111: "The pool holds twenty connections.",
}
CHUNKS = {124: 123, 456: 455, 789: 788, 101112: 101111}


def documents() -> Iterator[dict[str, Any]]:
    """The documents whose chunks the examples name."""
    for number, text in TEXTS.items():
        type_ = "code" if text is ERRORS else "document"
        item = {"id": str(number), "kind": "document", "content": text, "memory_type": type_, "label": f"{number}.md"}
        yield item | ({"label": "error_handlers.py"} if text is ERRORS else {})
    for number, document in CHUNKS.items():
        type_ = "code" if TEXTS[document] is ERRORS else "document"
        yield {
            "id": str(number),
            "kind": "chunk",
            "content": TEXTS[document],
            "memory_type": type_,
            "session": f"document:{document}",
            "position": 1 << 40,
        }


def assert_shaped(found, documented, where):
    """Fail unless what was found has every field of what is documented, of its type; of a list each item."""
    if isinstance(documented, dict):
        assert isinstance(found, dict), where
        for name, value in documented.items():
            if re.fullmatch(r"depth_\d+", name) and name not in found:
                continue  # as far as there is anything
            assert name in found, f"{where}.{name}"
            assert_shaped(found[name], value, f"{where}.{name}")
    elif isinstance(documented, list):
        assert isinstance(found, list), where
        for item in found:
            assert_shaped(item, documented[0], f"{where}[]")
    else:
        is_number = isinstance(documented, (int, float)) and not isinstance(documented, bool)
        types = (int, float) if is_number else type(documented)
        assert isinstance(found, types), f"{where}: {found!r}"
        assert isinstance(found, bool) == isinstance(documented, bool), where
