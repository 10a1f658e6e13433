"""What code attempts are made of: a text of prompt and error, and what makes two prompts one.

An attempt's type is its result, its text the prompt, and a blank line and the error where there is one. Its metadata
holds `code`, and where they were given `error` and `execution_time_ms`. An import may have brought attempts without
these: they are read for what they are.
"""

import unicodedata
from hashlib import sha256
from typing import Any

from indelible.errors import InvalidInput
from indelible.model import Record

BETWEEN = "\n\n"  # a prompt and the error
LONGEST = 1 << 20  # bytes of both: what an export gives, an import takes


def joined(prompt: str, error: str) -> str:
    """The text of an attempt. Raises InvalidInput where it would be too long."""
    text = f"{prompt}{BETWEEN}{error}" if error else prompt
    size = len(text.encode())
    if size > LONGEST:
        raise InvalidInput(
            f"input_prompt and error_message have {size:,} bytes together; at most {LONGEST:,} are allowed"
        )
    return text


def parts(record: Record) -> list[str]:
    """What is embedded of an attempt: what was asked, then what went wrong."""
    prompt = prompt_of(record)
    rest = record.text[len(prompt) :].removeprefix(BETWEEN)
    return [prompt, rest] if rest else [prompt]


def prompt_of(record: Record) -> str:
    """The prompt of an attempt."""
    return prompt_in(record.text, record.metadata)


def prompt_in(text: str, metadata: dict[str, Any]) -> str:
    """The prompt in an attempt's text: all of it where the metadata tells no error that it ends with."""
    error = error_in(metadata)
    prompt = text.removesuffix(BETWEEN + error) if error else text
    return prompt or text


def error_in(metadata: dict[str, Any]) -> str:
    """The error of an attempt, "" where there is none."""
    return text_in(metadata, "error")


def text_in(metadata: dict[str, Any], name: str) -> str:
    """A text in an attempt's metadata, "" where there is none."""
    given = metadata.get(name)
    return given if isinstance(given, str) else ""


def digest(prompt: str) -> str:
    """What attempts at one prompt have in common, whatever its case and white space."""
    return sha256(" ".join(unicodedata.normalize("NFC", prompt).casefold().split()).encode()).hexdigest()
