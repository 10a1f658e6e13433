"""The line that a user sees at the start of a session: what the agent was given, and once what the last one taught."""

from indelible.capture import session_notes

TYPE_CHECKING = False  # as typing's, which would cost a hook more than its work
if TYPE_CHECKING:
    from indelible.capture.brief import Brief

NOTHING = "Indelible: nothing is known of this project yet."
_NOTICED = "noticed"  # the notes of a session: the user was shown what it taught
SHOWN, SHOWN_LENGTH = 3, 80  # of what was learned: how many, and characters of each


def notice(inbox: str, brief: "Brief") -> str:
    """Return the line, and note that what was learned was shown; where that cannot be noted it is not shown."""
    counts = counted(brief)
    known = f"Indelible: {counts} ({brief.tokens} tokens)." if counts else ("" if brief.text else NOTHING)
    return " ".join(filter(None, (known, _learned(inbox, brief))))


def counted(brief: "Brief") -> str:
    """Return how many of what a brief shows, as `2 rules, 1 session`, "" for none."""
    names = ((count, name if count == 1 or name == "pinned" else f"{name}s") for name, count in brief.counts if count)
    return ", ".join(f"{count} {name}" for count, name in names)


def _learned(inbox: str, brief: "Brief") -> str:
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
    quoted = ", ".join(f'"{_shortened(each)}"' for each in learned[:SHOWN])
    more = f" and {len(learned) - SHOWN} more" if len(learned) > SHOWN else ""
    return f"Indelible learned {rules} from you: {quoted}{more}. Wrong? indelible review"


def _shortened(text: str) -> str:
    return text if len(text) <= SHOWN_LENGTH else text[: SHOWN_LENGTH - 3].rstrip() + "..."
