"""Memories that a hook shows an agent at a prompt: asked of the serving process, and noted for the session.

At most MOST tokens a prompt and MOST_OF_SESSION a session, nothing twice, and nothing to a prompt that names no matter.
A hook loads this module at each prompt: it imports nothing that is not loaded anyway. `moments` finds what is told.
"""

import re

from indelible.capture import serving, session_notes
from indelible.errors import StoreError

TYPE_CHECKING = False  # as typing's, which would cost a hook more than its work
if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from typing import Any

SHOWN = "shown"  # the notes of a session: a line for each time, with the tokens it took and the names of the records
MOST, MOST_OF_SESSION = 250, 1_500  # tokens
LEAST = 60  # tokens that must be left of a session's
LONGEST = 400  # characters of a prompt that are looked at: to encode more takes longer, and finds no more
FEWEST_WORDS = 4
_WORD = re.compile(r"\w{2,}")


def names_a_matter(prompt: str) -> bool:
    """Whether a prompt may be about something: no slash command, no "yes", "continue" or the like."""
    return not prompt.lstrip().startswith("/") and _has_words(prompt)


def _has_words(prompt: str) -> bool:
    words = _WORD.findall(prompt[:LONGEST])
    return len(words) >= FEWEST_WORDS or any(not word.isascii() and len(word) >= FEWEST_WORDS for word in words)


def of_prompt(
    inbox: str,
    session: str,
    prompt: str,
    project: "tuple[str | None, str | None]",
    directory: str,
    alone: "Callable[[dict[str, Any]], dict[str, Any]]",
) -> str:
    """Return what an agent is shown at a prompt, and note that it was; "" for nothing.

    `project` is what `hook_settings.project` gives, `directory` where the agent works; `alone` answers the request
    where no process serves the store. Raises StoreError where the note cannot be written: what could be shown again and
    again is not shown.
    """
    if not names_a_matter(prompt):
        return ""
    lines = [line.split(" ") for line in session_notes.lines(inbox, session, SHOWN)]
    room = min(MOST, MOST_OF_SESSION - sum(int(tokens) for tokens, *_ in lines if tokens.isdecimal()))
    if room < LEAST:
        return ""
    request = {
        "moment": "prompt",
        "prompt": prompt[:LONGEST],
        "project": project,
        "directory": directory,
        "shown": [name for _, *names in lines for name in names],
        "room": room,
    }
    answer = serving.ask(inbox, request)
    if answer is None:
        answer = alone(request)
    text, names, tokens = answer.get("text"), answer.get("names"), answer.get("tokens")
    if not isinstance(text, str) or not text or not isinstance(names, list) or not isinstance(tokens, int):
        return ""
    try:
        session_notes.add(inbox, session, SHOWN, " ".join([str(tokens), *map(str, names)]))
    except OSError as error:
        raise StoreError(f"what a prompt brings cannot be noted ({error.strerror}); it is not shown") from None
    return text


def begin(inbox: str, session: str, names: "Sequence[str]", *, anew: bool) -> None:
    """Note what the brief of a session showed. `anew`: the agent has forgotten what it was shown before.

    Raises OSError where it cannot be noted.
    """
    if anew:
        session_notes.forget(inbox, session, SHOWN)
    if names:
        session_notes.add(inbox, session, SHOWN, " ".join(["0", *names]))
