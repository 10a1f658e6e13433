"""The brief of a project, for people and for hooks."""

from indelible.engine import brief as briefs

TYPE_CHECKING = False  # as typing's: a hook comes here too, and loads no more than it needs
if TYPE_CHECKING:
    import argparse

    from indelible.engine.glance import Place
    from indelible.serve.opening import Adding


def add(command: "Adding") -> None:
    """Declare the command."""
    brief = command("brief", _brief, "tell what is known of a project: decisions, todos, failures and fixes, sessions")
    brief.add_argument(
        "--tokens",
        type=int,
        default=briefs.DEFAULT,
        metavar="N",
        help=f"at most so many, {briefs.LEAST} to {briefs.MOST:,}; default: %(default)s",
    )


def _brief(arguments: "argparse.Namespace") -> int:
    from indelible.engine import recent
    from indelible.engine.calls import Asked, perform
    from indelible.serve.opening import open_existing
    from indelible.serve.terminal import out

    ctx = open_existing(arguments)
    try:
        asked = Asked("brief", {"tokens": arguments.tokens})
        answer = perform(ctx, asked, lambda ctx, clean: recent.brief(ctx, None, clean["tokens"]))
    finally:
        ctx.close()
    out(answer.value or briefs.NOTHING)
    return 0


def for_hook(place: "Place", cwd: str, client: str) -> str:
    """The brief of the project around a working directory, as the command tells it; "" where there is none to tell.

    Nothing is made, upgraded or changed: a store that is not there, or of another version's schema, gives "" too.
    Raises StoreError for one that is busy, damaged or away, or a wrong setting.
    """
    from pathlib import Path

    from indelible import environment
    from indelible.engine import glance
    from indelible.engine.project import locate
    from indelible.errors import Conflict, InvalidInput, StoreError

    named, hint = environment.project()
    try:
        location = locate(named, {"CLAUDE_PROJECT_DIR": hint} if hint else {}, Path(cwd), Path.home())
        return glance.brief(place, location)
    except Conflict:
        return ""  # a server of this version brings an older store up to date
    except (InvalidInput, StoreError) as error:
        raise StoreError(f"no brief for {client}: {error}") from error
