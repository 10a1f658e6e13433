"""The line that a user sees at the start of a session: what the agent was given, and what the last one taught.

Once a session the latter, once a day and project how much waits for a review.
"""

import time

from indelible.capture import session_notes
from indelible.capture.brief import COUNTED, Brief, shortened

NOTHING = "Indelible: nothing is known of this project yet."
_NOTICED = "noticed"  # the notes of a session: the user was shown what it taught
_WAITING = "waiting"  # those of a project: the days on which the user was told what waits
SHOWN, SHOWN_LENGTH = 3, 80  # of what was learned: how many, and characters of each


def notice(inbox: str, brief: Brief) -> str:
    """Return the line, and note that what was learned was shown; where that cannot be noted it is not shown."""
    counts = counted(brief)
    waiting = _waiting(inbox, brief)
    if brief.unread:
        known = f"Indelible: no brief this time: {brief.unread}"
    elif counts:
        known = f"Indelible: {counts} ({brief.tokens} tokens)."
    elif brief.text or brief.waiting:
        known = "Indelible:" if waiting else ""
    else:
        known = NOTHING
    return " ".join(filter(None, (known, waiting, _learned(inbox, brief))))


def counted(brief: Brief) -> str:
    """Return how many of what a brief shows, as `2 rules, 1 session`, "" for none."""
    names = ((count, name if count == 1 or name == "pinned" else f"{name}s") for name, count in brief.counts if count)
    return ", ".join(f"{count} {name}" for count, name in names)


def _waiting(inbox: str, brief: Brief) -> str:
    if not brief.waiting:
        return ""
    today = _today()
    try:
        if today in session_notes.lines(inbox, brief.project, _WAITING):
            return ""
        session_notes.add(inbox, brief.project, _WAITING, today)
    except OSError:  # the brief is worth more than the notice
        return ""
    number = f"{COUNTED} or more" if brief.waiting >= COUNTED else str(brief.waiting)
    return f"{number} {'waits' if brief.waiting == 1 else 'wait'} for you: indelible review."


def _today() -> str:
    return time.strftime("%Y-%m-%d")


def _learned(inbox: str, brief: Brief) -> str:
    learned = brief.learned
    if not learned:
        return ""
    try:
        if session_notes.lines(inbox, brief.session, _NOTICED):
            return ""
        session_notes.add(inbox, brief.session, _NOTICED, "")
    except OSError:  # the brief is worth more than the notice
        return ""
    rules = "1 rule" if len(learned) == 1 else f"{len(learned)} rules"
    quoted = ", ".join(f'"{shortened(each, SHOWN_LENGTH)}"' for each in learned[:SHOWN])
    more = f" and {len(learned) - SHOWN} more" if len(learned) > SHOWN else ""
    return f"Indelible learned {rules} from you: {quoted}{more}. Wrong? indelible review"
