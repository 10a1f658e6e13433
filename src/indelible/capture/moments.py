"""Texts for an agent at a moment of its work, found in the serving process, which a hook asks for them."""

from collections.abc import Collection, Iterator, Sequence
from pathlib import Path
from typing import Any, NamedTuple

from indelible.capture import brief as briefs
from indelible.capture import commit_review, known_fixes, repeated_failures
from indelible.capture.project_brief import person_of
from indelible.capture.session_summaries import SESSION
from indelible.core.context.context import Context
from indelible.core.context.dispatch import Asked, perform
from indelible.core.recall import reminders
from indelible.core.recall.reminders import Reminder
from indelible.core.records.trust import TYPED_BY, is_confirmed
from indelible.errors import InvalidInput
from indelible.extraction.texts import names_in
from indelible.model import Record
from indelible.project import locate
from indelible.sanitize.prompt_frame import escaped, one_line, reminder_frame
from indelible.search.model_tokens.token_bound import at_most
from indelible.store.database import Transaction

MOST = 3  # memories that a prompt brings
LONGEST = 300  # characters of one


class Shown(NamedTuple):
    """A text for the agent, "" for none, the names of the records in it, and the tokens that it takes at most."""

    text: str = ""
    names: tuple[str, ...] = ()
    tokens: int = 0


class Considered(NamedTuple):
    """A memory that was compared with a prompt, how sure it is, and why it is not shown, "" if it is."""

    record: Record
    certainty: float
    why_not: str = ""


def answered(ctx: Context, request: Any) -> dict[str, Any]:
    """Return the answer to the request of a hook, as `cli/hook` sends it. Raises InvalidInput for another one."""
    match request:
        case {"project": [None | str() as named, None | str() as hint], "directory": str(directory)}:
            place = {"CLAUDE_PROJECT_DIR": hint} if hint else {}
            ctx = ctx.at(locate(named, place, Path(directory), ctx.settings.home), directory)
    match request:
        case {"moment": "prompt", "prompt": str(prompt), "shown": list(shown), "room": int(room)}:
            return at_prompt(ctx, prompt, {str(name) for name in shown}, room)._asdict()
        case {"moment": "failure", "event": {"subject": str(), "output": str()} as event}:
            return {"text": after_failure(ctx, event)}
        case {"moment": "command", "command": str(command), "session": str(session)}:
            where = request.get("directory")
            return {"text": before_command(ctx, command, session, Path(where) if isinstance(where, str) else None)}
    raise InvalidInput("this is no request of a hook of this version; start a new session of the agent")


def after_failure(ctx: Context, event: dict[str, Any]) -> str:
    """Return the known fix of a command that failed, "" for none; see `known_fixes`."""
    with ctx.store.read() as tx:
        return known_fixes.of_event(tx, ctx.scope(tx), event)


def before_command(ctx: Context, command: str, session: str, directory: Path | None = None) -> str:
    """Return the warning for a command that is about to run, else the review of what it commits, "" for none.

    See `repeated_failures` and `commit_review`.
    """
    waiting = repeated_failures.waiting(ctx.settings.inbox)
    if waiting is not None:
        with ctx.store.read() as tx:
            where = str(directory or "")
            warning = repeated_failures.warning(tx, ctx.scope(tx), waiting, command, session, ctx.now(), where)
        if warning:
            return warning
    return commit_review.before_commit(ctx, command, session, directory or ctx.settings.start)


def at_prompt(ctx: Context, prompt: str, shown: Collection[str] = (), room: int = 250) -> Shown:
    """Return what a prompt brings, in at most `room` tokens: the surest first, nothing of what was `shown` already."""

    def run(ctx: Context, clean: dict[str, Any]) -> Shown:
        chosen = [each.record for each in considered(ctx, clean["prompt"], shown) if not each.why_not]
        with ctx.store.read() as tx:
            return _fitting(ctx, tx, chosen, room)

    found: Shown = perform(ctx, Asked("prompt", {"prompt": prompt}), run).value
    return found


def considered(ctx: Context, prompt: str, shown: Collection[str] = ()) -> list[Considered]:
    """Return the memories of the project that were compared with a prompt, the surest first, and what came of each."""
    with ctx.store.read() as tx:
        own = ctx.scope(tx).own
    return list(_decided(reminders.about(ctx, prompt, own), prompt, person_of(ctx), shown))


def _decided(found: Sequence[Reminder], prompt: str, person: str, shown: Collection[str]) -> Iterator[Considered]:
    count, named = 0, names_in(prompt)
    for each in found:
        why_not = ""
        if each.record.metadata.get("captured") == SESSION:
            why_not = "the summary of a session"
        elif each.certainty < 1 and not (is_own(each.record, person) and named & names_in(each.record.text)):
            why_not = "not surely about it"
        elif not (is_confirmed(each.record) or is_own(each.record, person)):
            why_not = "not reviewed yet"
        elif each.record.key in shown:
            why_not = "shown already"
        elif count == MOST:
            why_not = f"{MOST} others are surer"
        count += not why_not
        yield Considered(each.record, each.certainty, why_not)


def is_own(record: Record, person: str) -> bool:
    """Whether a memory is in a user's own words: typed by this person, or kept by a user."""
    about = record.metadata
    if about.get("stated_by") == "user" and about.get("promoted_by") == "promote":
        return True
    return bool(person) and about.get(TYPED_BY) == person


def _fitting(ctx: Context, tx: Transaction, chosen: Sequence[Record], room: int) -> Shown:
    """Return as many of the chosen as there is room for, the user's own words in a frame of their own before others."""
    person = person_of(ctx)
    for count in range(len(chosen), 0, -1):
        own = [each for each in chosen[:count] if is_own(each, person)]
        others = [each for each in chosen[:count] if not is_own(each, person)]
        blocks = (_block(ctx, tx, some, trust) for some, trust in ((own, "user"), (others, "trusted")))
        text = "".join(blocks).rstrip("\n")
        tokens = at_most(text)
        if tokens <= room:
            return Shown(text, tuple(each.key for each in chosen[:count]), tokens)
    return Shown()


def _block(ctx: Context, tx: Transaction, some: Sequence[Record], trust: str) -> str:
    if not some:
        return ""
    before, behind = reminder_frame(trust)
    return before + "".join(_line(ctx, tx, each) for each in some) + behind


def _line(ctx: Context, tx: Transaction, record: Record) -> str:
    about = [briefs.age(record.created, ctx.now()), briefs.shown_id(tx, record.key)]
    text = escaped(briefs.shortened(one_line(record.text), LONGEST))
    return f"- {text} [{', '.join(part for part in about if part)}]\n"
