"""Sessions of agents: taking in what hooks send, what was captured of it and waits for review, trusting that."""

import argparse
import re
import sys
from collections import Counter
from collections.abc import Sequence
from contextlib import closing
from typing import TYPE_CHECKING

from indelible.cli import answers
from indelible.cli.opening import (
    Adding,
    embed_batch,
    in_project,
    open_context_of,
    open_existing,
    refuse_read_only,
    settings_of,
    short_ids,
    tell_redacted,
)
from indelible.cli.terminal import agrees, can_ask, counted, out, printable, shortened, table, wrong_usage
from indelible.clock import time_text
from indelible.errors import InvalidInput
from indelible.model import SPEAKERS
from indelible.stderr import say

if TYPE_CHECKING:
    from indelible.capture.promotion import Promoted
    from indelible.core.context.context import Context
    from indelible.model import Record

MARK = r"\[REDACTED:([a-z0-9-]+)\]"
LISTED = 420  # characters of each part of a memory: no brief quotes more of one


def add(command: Adding) -> None:
    """Declare the commands."""
    captured = command("captured", _captured, "list what was captured from sessions and waits for review, newest first")
    captured.add_argument("-k", "--limit", type=int, default=20, help="memories to list; default: %(default)s")
    promote = command("promote", _promote, "trust captured memories, so that the brief of a session may show them")
    promote.add_argument("ids", metavar="ID", nargs="*", help="as `indelible captured` lists it")
    promote.add_argument("--all", action="store_true", help="all that wait, of every project, with --project of that")
    promote.add_argument("--said-by", choices=SPEAKERS, help="with --all: only what the user, or the agent, said")
    promote.add_argument("--yes", action="store_true", help="with --all: do not ask")
    command("review", _review, "keep, edit or reject captured memories one after the other, in a terminal")
    pause = command("pause", _pause, "let hooks record nothing and tell nothing, at once, in this project or in all")
    pause.add_argument("--all", action="store_true", help="all projects of the store")
    pause.add_argument("--for-good", action="store_true", help="leave the project out: `resume --all` does not end it")
    pause.add_argument("--status", action="store_true", help="list what is paused, and change nothing")
    resume = command("resume", _resume, "let hooks record again, in this project or in all")
    resume.add_argument("--all", action="store_true", help="end every pause but those --for-good")
    drain = command(
        "drain", _drain, "process the events that hooks left; servers and other commands do so by themselves"
    )
    drain.add_argument("--no-upgrade", action="store_true", help="do nothing where the store is of another version")
    hook = command("hook", _hook, "receive an event from an agent's hook: JSON on standard input; exit code always 0")
    hook.add_argument(
        "event", nargs="?", default="", metavar="EVENT", help="the client's name of the event, in any spelling"
    )
    hook.add_argument(
        "--client", metavar="NAME", help="claude-code, codex, gemini-cli, cursor (default: as the payload shows)"
    )


# --- What was captured ---


def _captured(arguments: argparse.Namespace) -> int:
    from indelible.capture import promotion
    from indelible.capture.project_brief import person_of
    from indelible.cli.record_lines import OWN_WORDS, kind_of
    from indelible.core.records.trust import typed_by

    if arguments.limit < 1:
        raise InvalidInput(f"--limit must be at least 1, got {arguments.limit}")
    with closing(open_existing(arguments)) as ctx:
        found, all_ = promotion.waiting(ctx, arguments.limit, of_project=arguments.project is not None)
        person = person_of(ctx)
        shorts = short_ids(ctx, ((record.kind, record.key) for record in found))
        where = in_project(ctx, arguments)
    answers.give({"memories": [_fields(record) for record in found], "waiting": all_})
    from indelible.cli.pauses import pause_lines

    for line in pause_lines(settings_of(arguments)):
        say(line)
    rows = [
        (short, time_text(r.created), kind_of(r), printable(r.namespace), "; ".join(_parts(r, LISTED)))
        for r, short in zip(found, shorts, strict=True)
    ]
    table(("id", "time", "kind", "project", "content"), rows)
    for rule, count in sorted(sum(map(_redacted, found), Counter()).items()):
        say(f"redacted in what is listed: {rule} ({count})")
    if person and not answers.are_wanted() and any(typed_by(record) == person for record in found):
        say(OWN_WORDS)
    if not found:
        say(f"no captured memory waits for review{where}")
    elif all_ > len(found):
        say(f"{all_ - len(found):,} more; --limit lists them. `indelible promote ID...` trusts those that are right")
    return 0


def _parts(record: "Record", longest: int) -> list[str]:
    """Return the parts of a memory that promoting it trusts, each cut to so many characters."""
    from indelible.capture import promotion

    return [shortened(printable(part), longest) for part in promotion.quotable_parts(record, longest)]


def _kind(record: "Record") -> str:
    kind = record.metadata.get("captured")
    return printable(kind) if isinstance(kind, str) else record.type


def _fields(record: "Record") -> dict[str, object]:
    return {
        "id": record.key,
        "time": time_text(record.created),
        "kind": _kind(record),
        "namespace": record.namespace,
        "content": record.text,
        "metadata": record.metadata,
        "redacted": [{"rule": rule, "count": count} for rule, count in sorted(_redacted(record).items())],
    }


def _redacted(record: "Record") -> Counter[str]:
    """The secrets in whose place a mark stands, by rule."""
    return Counter(re.findall(MARK, record.text))


def _promote(arguments: argparse.Namespace) -> int:
    from indelible.capture import promotion

    wrong = _wrong_usage(arguments)
    if wrong:
        return wrong_usage("promote", wrong)
    with closing(open_existing(arguments)) as ctx:
        done = _promote_all(ctx, arguments) if arguments.all else promotion.promote(ctx, arguments.ids)
        shorts = short_ids(ctx, ((each.record.kind, each.record.key) for each in done))
    answers.give({"memories": [{"id": e.record.key, "status": e.status, "failure": e.failure or None} for e in done]})
    for each, short in zip(done, shorts, strict=True):
        out(_sentence(each, short))
    if any(each.status == "promoted" for each in done):
        out(f"`indelible undo --operation {ctx.call.operation}` reverts it")
    return 0


def _wrong_usage(arguments: argparse.Namespace) -> str:
    """Return what is wrong with the arguments of `promote`, "" if nothing is."""
    if arguments.all and arguments.ids:
        return "give IDs or --all, not both"
    if not arguments.all and (arguments.said_by or arguments.yes):
        return f"{'--said-by' if arguments.said_by else '--yes'} goes with --all"
    return (
        ""
        if arguments.all or arguments.ids
        else "choose what to trust: IDs as `indelible captured` lists them, or --all"
    )


def _promote_all(ctx: "Context", arguments: argparse.Namespace) -> "list[Promoted]":
    from indelible.capture import promotion

    refuse_read_only(ctx.settings, "promote")
    chosen = promotion.all_waiting(ctx, arguments.said_by, of_project=arguments.project is not None)
    if not chosen:
        said = f" that the {arguments.said_by} said" if arguments.said_by else ""
        say(f"no captured memory{said} waits for review{in_project(ctx, arguments)}")
        return []
    if not (arguments.said_by or arguments.yes or _confirmed(chosen)):
        say("nothing was promoted")
        return []
    done = promotion.promote_all(ctx, chosen)
    if len(done) < len(chosen):
        say(f"{counted(len(chosen) - len(done), 'memory')} changed meanwhile; `indelible captured` lists what waits")
    return done


def _confirmed(chosen: "Sequence[Record]") -> bool:
    """Return whether the person at the terminal wants all these to be trusted. Raises InvalidInput where there is none.

    Prints how many there are by who said them.
    """
    from indelible.cli.record_lines import kind_of, origin_of

    if not can_ask():
        raise InvalidInput(
            f"promote --all would trust {counted(len(chosen), 'memory')}; add --yes to do it without asking, or "
            "--said-by user for what the user said only; `indelible captured` lists them"
        )
    counts = Counter((origin_of(record), kind_of(record)) for record in chosen)
    table(("source", "kind", "memories"), [(*about, f"{count:,}") for about, count in sorted(counts.items())])
    return agrees(f"Trust {counted(len(chosen), 'memory')}? Every brief may show them then.")


def _sentence(each: "Promoted", short: str) -> str:
    named = f"memory {printable(short)}"
    if each.status == "trusted already":
        return f"{named} is already trusted; nothing was changed"
    if each.status == "not captured":
        return f"{named} was not captured but stored by a tool or by hand, and is trusted as it is; nothing was changed"
    also = f", and recorded as failure {each.failure}" if each.failure else ""
    return f"{named} is trusted now{also}: {'; '.join(_parts(each.record, sys.maxsize))}"


def _review(arguments: argparse.Namespace) -> int:
    from indelible.cli import reviewing

    if answers.are_wanted():
        return _list_to_review(arguments)
    if not (sys.stdin is not None and sys.stdin.isatty() and sys.stdout is not None and sys.stdout.isatty()):
        raise InvalidInput(
            "review asks at a terminal, and standard input or output is none; `indelible captured` lists what waits, "
            "`indelible promote ID...` keeps it and `indelible delete ID...` rejects it"
        )
    with closing(open_existing(arguments)) as ctx:
        refuse_read_only(ctx.settings, "review")
        keys, edit, of_project = reviewing.read_key_of_terminal, reviewing.edit_in_editor, arguments.project is not None
        reviewing.review(ctx, keys, edit, of_project=of_project)
    return 0


def _list_to_review(arguments: argparse.Namespace) -> int:
    """Give a script all that the dialogue would ask about, each with the message that it stands in."""
    from indelible.capture.review import Review, surroundings

    found = []
    with closing(open_existing(arguments)) as ctx:
        review = Review(ctx, of_project=arguments.project is not None)
        while (record := review.current()) is not None:
            found.append({**_fields(record), "around": surroundings(ctx, record)})
            review.skip(record)
    answers.give({"memories": found, "waiting": len(found)})
    return 0


def _drain(arguments: argparse.Namespace) -> int:
    from indelible.capture import hook_brief, ingest

    if arguments.no_upgrade:
        place = hook_brief.place_of(settings_of(arguments))
        if hook_brief.is_there(place) and not hook_brief.is_current(place):
            answers.give({"events": 0, "memories": 0, "unreadable": 0})
            return 0
    with closing(open_context_of(arguments, drains=False)) as ctx:
        refuse_read_only(ctx.settings, "drain")
        again = ingest.again(ctx)
        done = ingest.drain(ctx, wait=True)
        if done.memories:
            embed_batch(ctx)
    answers.give({"events": done.events, "memories": done.memories, "unreadable": done.bad})
    tell_redacted(done.redacted)
    if again:
        say(f"{counted(again, 'event')} that could not be read before can be read now")
    if done.bad:
        say(f"{counted(done.bad, 'event')} could not be read and moved to spool/bad; `indelible doctor` says why")
    out(
        f"processed {counted(done.events, 'event')}; {counted(done.memories, 'memory')} captured, updated or taken back"
    )
    return 0


def _pause(arguments: argparse.Namespace) -> int:
    from indelible.cli import pauses

    return pauses.pause(arguments)


def _resume(arguments: argparse.Namespace) -> int:
    from indelible.cli import pauses

    return pauses.resume(arguments)


def _hook(arguments: argparse.Namespace) -> int:
    from indelible.cli import hook

    place = (("--database", arguments.database), ("--tenant", arguments.tenant))
    given = (("--client", arguments.client), ("--data", arguments.data), *place)
    return hook.main([arguments.event, *(part for name, value in given if value for part in (name, value))])
