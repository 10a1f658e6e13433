"""The brief of a project and what a prompt brings, for people and for hooks."""

from indelible.capture import brief as briefs
from indelible.errors import InvalidInput

TYPE_CHECKING = False  # as typing's: a hook comes here too, and loads no more than it needs
if TYPE_CHECKING:
    import argparse

    from indelible.cli.opening import Adding

LOADING = 30.0  # seconds for the models
LISTED = 10  # memories that were considered for a prompt
LONGEST = 200  # characters of each


def add(command: "Adding") -> None:
    """Declare the command."""
    brief = command("brief", _brief, "summarise a project: decisions, todos, failures and fixes, sessions")
    brief.add_argument("prompt", nargs="?", help="with --at prompt: what would be typed")
    brief.add_argument(
        "--at",
        choices=("start", "prompt"),
        default="start",
        help="the start of a session, or a prompt: what a hook would tell there, and why; default: %(default)s",
    )
    brief.add_argument(
        "--tokens",
        type=int,
        default=briefs.DEFAULT,
        metavar="N",
        help=f"maximum number of tokens, {briefs.LEAST} to {briefs.MOST:,}; default: %(default)s",
    )


def _brief(arguments: "argparse.Namespace") -> int:
    if (arguments.at == "prompt") != (arguments.prompt is not None):
        raise InvalidInput("a prompt goes with --at prompt, as in `indelible brief --at prompt 'why does it hang?'`")
    return _at_prompt(arguments) if arguments.at == "prompt" else _at_start(arguments)


def _at_start(arguments: "argparse.Namespace") -> int:
    from indelible.capture import project_brief
    from indelible.cli import answers
    from indelible.cli.opening import open_existing
    from indelible.cli.terminal import out
    from indelible.core.context.dispatch import Asked, perform
    from indelible.stderr import say

    ctx = open_existing(arguments)
    try:
        asked = Asked("brief", {"tokens": arguments.tokens})
        made = perform(ctx, asked, lambda ctx, clean: project_brief.made(ctx, None, clean["tokens"])).value
    finally:
        ctx.close()
    answers.give({"brief": made.text, "at": "start"})
    out(made.text or briefs.NOTHING)
    if waiting := project_brief.waiting_text(made.waiting):
        say(waiting)
    return 0


def _at_prompt(arguments: "argparse.Namespace") -> int:
    from contextlib import closing

    from indelible.capture import hook_reminders, moments
    from indelible.cli import answers
    from indelible.cli.opening import open_existing, short_ids
    from indelible.cli.terminal import out, printable, table
    from indelible.sanitize.validate import refuse_blank
    from indelible.stderr import say

    refuse_blank(arguments.prompt, "the prompt")
    with closing(open_existing(arguments)) as ctx:
        if not ctx.embedder.is_loaded(LOADING):
            raise InvalidInput(f"a prompt is compared by meaning, and there is no model: {ctx.embedder.state}")
        shown = moments.at_prompt(ctx, arguments.prompt)
        found = moments.considered(ctx, arguments.prompt)[:LISTED]
        shorts = short_ids(ctx, ((each.record.kind, each.record.key) for each in found))
    considered = [
        {
            "id": each.record.key,
            "certainty": each.certainty,
            "shown": not each.why_not,
            "why_not": each.why_not or None,
            "content": each.record.text,
        }
        for each in found
    ]
    answers.give({"brief": shown.text, "at": "prompt", "considered": considered})
    if not hook_reminders.names_a_matter(arguments.prompt):
        say("a hook looks for nothing here: a slash command, or too few words to be about anything")
    elif not shown.text:
        say("nothing is shown: nothing is surely about this prompt")
    else:
        out(f"{shown.text}\n")
    rows = [
        (
            f"{each.certainty:.2f}",
            each.why_not or "shown",
            short,
            briefs.shortened(printable(each.record.text), LONGEST),
        )
        for each, short in zip(found, shorts, strict=True)
    ]
    table(("sure", "shown", "id", "content"), rows)
    return 0
