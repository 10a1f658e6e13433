"""The summaries of captured sessions, as the brief, lists and the review show them."""

import re
from collections.abc import Mapping
from functools import cache
from typing import Any

SESSION = "session"  # what a memory of a whole session was captured as
_CLIENTS = {"claude-code": "Claude Code", "codex": "Codex", "gemini-cli": "Gemini CLI", "cursor": "Cursor"}
_FIGURES = (
    ("prompts", "prompt", "prompts"),
    ("edits", "edit", "edits"),
    ("commands", "command", "commands"),
    ("searches", "search", "searches"),
    ("failures_fixed", "failure fixed", "failures fixed"),
    ("failures_left", "failure left", "failures left"),
)
MOST_COUNTED = 1_000_000  # a figure that is no less was not counted by us


def client_and_figures(metadata: Mapping[str, Any]) -> list[str]:
    """Return who a session was with, and how much was done in it, by its metadata."""
    given = metadata.get("client")
    client = _CLIENTS.get(given, "an agent") if isinstance(given, str) else "an agent"
    figures = (_figure(metadata.get(name), one, more) for name, one, more in _FIGURES)
    return [client, *filter(None, figures)]


def about_session(text: str) -> str:
    """Return a session's summary from what was asked for on: without its times, which stand beside it wherever it is.

    Any other text, such as that of an edited summary, is returned as it is.
    """
    rest = _times().sub("", text, count=1)
    return rest.removeprefix("Asked: ") if rest else text


def _figure(count: Any, one: str, more: str) -> str:
    is_one = isinstance(count, int) and not isinstance(count, bool) and 0 < count < MOST_COUNTED
    return f"{count} {one if count == 1 else more}" if is_one else ""


@cache
def _times() -> re.Pattern[str]:
    """Return how a summary begins. Compiled at its first use: most starts of a hook show none."""
    return re.compile(r"\ASession of [\d-]+ [\d:]+ to [\d: -]+ UTC\.\n")
