"""The answers of the tools of toolset `review`."""

from typing_extensions import TypedDict  # pydantic needs this one before Python 3.12

FILES, MOST_FILES = 10, 50  # that are named as missing


class FindingShape(TypedDict):
    """A finding as an answer has it."""

    kind: str
    subject: str
    why: str


class ReviewShape(TypedDict):
    """The answer of review_diff."""

    files: int
    symbols: list[str]
    findings: list[FindingShape]
    left_out: dict[str, int]
    lacks: list[str]


class CommitShape(TypedDict):
    """A commit; `files` counts those that it changed."""

    id: str
    subject: str
    time: str
    files: int


class TextShape(TypedDict):
    """A memory, solution or failure, or the summary of a session."""

    id: str
    type: str
    text: str


class ChangedShape(TypedDict):
    """The answer of what_changed: the newest first; `left_out` counts what there was no room for."""

    since: str
    commits: list[CommitShape]
    symbols: list[str]
    memories: list[TextShape]
    sessions: list[TextShape]
    left_out: dict[str, int]
    lacks: list[str]
