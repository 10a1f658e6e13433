"""The named parts of a text that a reader of a language without a grammar finds."""

from typing import NamedTuple


class Section(NamedTuple):
    """A named part of a text: bytes from `start` to `end`; one within another is a member of it.

    `at` is where its name stands, `qualifier` what is written before the name with the language's separator.
    """

    kind: str
    name: str
    start: int
    end: int
    at: int
    qualifier: str = ""
    signature: str = ""
    doc: str = ""
