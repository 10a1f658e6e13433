"""The review of what is staged, before an agent's `git commit`: once for each state that is staged in a session."""

from pathlib import Path

from indelible.capture import session_notes
from indelible.core.context.context import Context
from indelible.errors import InvalidInput
from indelible.extraction import shell
from indelible.extraction.events import digest
from indelible.sanitize.prompt_frame import escaped, review_frame

# Imported late (start): indelible.toolsets.review.findings, indelible.toolsets.review.review

WORTH = 0.5  # severity of the worst finding from which on a review is worth an agent's attention
FILES = 5  # that are named as missing
_REVIEWED = "reviewed"  # the notes of a session: the staged states that the agent was given a review of


def before_commit(ctx: Context, command: str, session: str, directory: Path) -> str:
    """Return the review of what is staged around a directory, framed for a model; "" for none.

    There is none where the command does not commit, nothing is staged, git cannot be asked, nothing grave is found, or
    the same state was reviewed in this session (`client:id`) before.
    """
    if not any(each.name == "git commit" for each in shell.line(command).commands):
        return ""
    from indelible.toolsets.review import findings, review

    try:
        diff, where = review.staged_at(ctx, directory)
    except InvalidInput:  # no repository, or one that git refuses
        return ""
    state = digest(repr(diff))
    inbox = str(ctx.settings.inbox)
    if not diff.files or state in session_notes.lines(inbox, session, _REVIEWED):
        return ""
    found = review.of_diff(ctx, diff, where, FILES)
    if not found.findings or found.findings[0].severity < WORTH:
        return ""
    session_notes.add(inbox, session, _REVIEWED, state)
    before, behind = review_frame()
    return f"{before}{escaped(findings.text_of(findings.shape(found)))}{behind}"
