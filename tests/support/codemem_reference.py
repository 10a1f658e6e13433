"""The examples of the reference for codemem's tools."""

import json
import re
from collections.abc import Collection
from pathlib import Path
from typing import Any

import pytest

REFERENCE = Path(__file__).parents[3] / "shared" / "spec" / "codemem.md"


def examples(tools: Collection[str]) -> list[dict[str, Any]]:
    """Each example of a call of these tools, in the order of the document; skips the test where there is none."""
    if not REFERENCE.exists():
        pytest.skip(f"{REFERENCE.name} is not beside this repository")
    found = []
    for block in re.findall(r"```json\n(.*?)```", REFERENCE.read_text(encoding="utf-8"), re.DOTALL):
        if "..." in block:  # a response, shortened
            continue
        example = json.loads(block)
        call = example.get("params", example)
        if call.get("name") in tools:
            found.append({"tool": call["name"], "arguments": call["arguments"]})
    return found
