"""The fields of a code attempt: a text of prompt and error, and the digest that makes two prompts one.

An attempt's type is its result, its text the prompt and, where there is an error, a blank line and the error. Its
metadata holds `code` and, where given, `error` and `execution_time_ms`. An import may have brought attempts without
these fields: missing ones are read as empty.
"""

import unicodedata
from hashlib import sha256
from typing import Any

from indelible.errors import InvalidInput
from indelible.model import Record

BETWEEN = "\n\n"  # a prompt and the error
LONGEST = 1 << 20  # bytes of both: an export's texts must fit an import


def joined(prompt: str, error: str) -> str:
    """Return the text of an attempt. Raises InvalidInput where it would be too long."""
    text = f"{prompt}{BETWEEN}{error}" if error else prompt
    size = len(text.encode())
    if size > LONGEST:
        raise InvalidInput(
            f"input_prompt and error_message have {size:,} bytes together; at most {LONGEST:,} are allowed"
        )
    return text


def parts(record: Record) -> list[str]:
    """Return the texts embedded of an attempt: the prompt, then the error."""
    prompt = prompt_of(record)
    rest = record.text[len(prompt) :].removeprefix(BETWEEN)
    return [prompt, rest] if rest else [prompt]


def prompt_of(record: Record) -> str:
    """Return the prompt of an attempt."""
    return prompt_in(record.text, record.metadata)


def prompt_in(text: str, metadata: dict[str, Any]) -> str:
    """Return the prompt in an attempt's text: all of it unless the text ends with the error in the metadata."""
    error = error_in(metadata)
    prompt = text.removesuffix(BETWEEN + error) if error else text
    return prompt or text


def error_in(metadata: dict[str, Any]) -> str:
    """Return the error of an attempt, "" where there is none."""
    return text_in(metadata, "error")


def text_in(metadata: dict[str, Any], name: str) -> str:
    """Return a text in an attempt's metadata, "" where there is none."""
    given = metadata.get(name)
    return given if isinstance(given, str) else ""


def digest(prompt: str) -> str:
    """Return a digest of a prompt that ignores case and white space: equal for attempts at one prompt."""
    return sha256(" ".join(unicodedata.normalize("NFC", prompt).casefold().split()).encode()).hexdigest()
