"""The known fix of a command that just failed, which its hook tells an agent in the middle of a session.

The serving process finds it for the hook; where there is none, the hook reads the store itself.
"""

import re
from typing import Any

from indelible.capture import hook_brief
from indelible.capture.brief import UNKNOWN_CAUSE, shortened
from indelible.capture.hook_brief import Place
from indelible.core.context.scoping import Scope, without_secrets
from indelible.extraction import outcomes, shell
from indelible.extraction.failures import ended
from indelible.extraction.programs import is_looking, is_test
from indelible.project import Location
from indelible.sanitize.prompt_frame import escaped, failure_frame, one_line
from indelible.search.failures import normalised, signature
from indelible.store.database import Transaction
from indelible.store.views import brief as rows
from indelible.store.views.brief import KnownFix

LOOKED_AT = 20  # known failures of a signature
LONGEST_MESSAGE, LONGEST_CAUSE, LONGEST_FIX = 200, 160, 400  # characters that are told
FEWEST_WORDS = 3  # of a message, beside names, numbers and quotations, by which it is that of one failure
_WORD = re.compile(r"[A-Za-z]{3,}")
_EVERYWHERE = frozenset(  # words that say nothing about which failure it is
    "error errors assertionerror assert assertion failed failure fatal exception exit code traceback expected received "
    "got want left right equal equals none null true false str path hex not and the".split()
)


def known_fix(place: Place, location: Location | None, event: dict[str, Any]) -> str:
    """Return the same as `of_event`, of the store at a place. Raises as `hook_brief.brief`."""
    with hook_brief.looked(place) as tx:
        return of_event(tx, Scope(tx, location and without_secrets(location)), event)


def of_event(tx: Transaction, scope: Scope, event: dict[str, Any]) -> str:
    """Return what is known of the failure that an event reports, in a frame for a model; "" for nothing.

    Only a failure of this project from another session with a fix or a cause, and of the same error: with the same
    signature, and where its message could be that of many, in the same test or file.
    """
    line = shell.line(str(event.get("subject") or ""))
    run = ended(event, line)
    if run is None or not run[0] or run[1] is None:
        return ""
    error = run[1]
    commands = [command for command in line.commands if not is_looking(command)]
    is_of_test = error.error_type == "runtime" and any(map(is_test, commands))
    if not commands or outcomes.is_mended_by_its_message(error) or outcomes.is_slip(error.message):
        return ""
    types = [error.error_type, *(["test"] if is_of_test else [])]
    sought = [signature(each, error.message) for each in types]
    names = scope.own_among(set(rows.namespaces(tx)))
    session = f"{event.get('client')}:{event.get('session')}"
    found = rows.known_fixes(tx, names, sought, session, LOOKED_AT)
    places = {_name(each) for each in (*error.tests, *error.places)}
    told = next((each for each in found if _is_the_same(each, error.message, places)), None)
    return _text(told) if told is not None else ""


def _is_the_same(known: KnownFix, message: str, places: set[str]) -> bool:
    """Whether a known failure of the same signature is that very failure."""
    if not (known.fix.strip() or (known.cause.strip() and not known.cause.startswith(UNKNOWN_CAUSE))):
        return False
    return is_telling(message) or not places.isdisjoint(map(_name, known.places))


def is_telling(message: str) -> bool:
    """Return whether a message is that of one failure: it has words of its own beside names, numbers and quotations."""
    return len({word.lower() for word in _WORD.findall(normalised(message))} - _EVERYWHERE) >= FEWEST_WORDS


def _name(place: str) -> str:
    """Return the file of a test or a place, without its directories: they differ between machines."""
    return re.split(r"[:\s]", place.replace("\\", "/").rpartition("/")[2], maxsplit=1)[0]


def _text(known: KnownFix) -> str:
    before, behind = failure_frame("trusted" if known.trusted else "untrusted")
    parts = [f"Failed: {_line(known.message, LONGEST_MESSAGE)}"]
    if known.cause.strip() and not known.cause.startswith(UNKNOWN_CAUSE):
        parts.append(f"Cause: {_line(known.cause, LONGEST_CAUSE)}")
    if known.fix.strip():
        parts.append(f"Fix: {_line(known.fix, LONGEST_FIX)}")
    return f"{before}{chr(10).join(parts)}\n{behind}"


def _line(text: str, longest: int) -> str:
    return escaped(shortened(one_line(text), longest))
