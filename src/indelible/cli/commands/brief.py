"""The brief of a project, for people and for hooks."""

from indelible.capture import brief as briefs

TYPE_CHECKING = False  # as typing's: a hook comes here too, and loads no more than it needs
if TYPE_CHECKING:
    import argparse

    from indelible.cli.opening import Adding


def add(command: "Adding") -> None:
    """Declare the command."""
    brief = command("brief", _brief, "summarise a project: decisions, todos, failures and fixes, sessions")
    brief.add_argument(
        "--tokens",
        type=int,
        default=briefs.DEFAULT,
        metavar="N",
        help=f"maximum number of tokens, {briefs.LEAST} to {briefs.MOST:,}; default: %(default)s",
    )


def _brief(arguments: "argparse.Namespace") -> int:
    from indelible.capture import project_brief
    from indelible.cli.opening import open_existing
    from indelible.cli.terminal import out
    from indelible.core.context.dispatch import Asked, perform

    ctx = open_existing(arguments)
    try:
        asked = Asked("brief", {"tokens": arguments.tokens})
        answer = perform(ctx, asked, lambda ctx, clean: project_brief.brief_of(ctx, None, clean["tokens"]))
    finally:
        ctx.close()
    out(answer.value or briefs.NOTHING)
    return 0
