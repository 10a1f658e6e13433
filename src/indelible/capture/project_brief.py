"""The brief of a project for tools, prompts and commands: composed, and counted as an access of its records."""

from indelible import hook_settings
from indelible.capture import brief
from indelible.capture.brief import DEFAULT, Brief, check_tokens, compose
from indelible.core.context.context import Context
from indelible.core.recall.browse import stored_namespaces
from indelible.core.recall.returned import noted


def brief_of(ctx: Context, namespace: str | None, tokens: int = DEFAULT) -> str:
    """Return the brief of a project (None: the server's own) in at most `tokens` o200k tokens; "" if nothing is stored.

    '' means the memories of no project. Counts an access of each record shown. Raises InvalidInput for a number of
    tokens outside of the allowed range, and NotFound as `newest` does.
    """
    return made(ctx, namespace, tokens).text


def made(ctx: Context, namespace: str | None, tokens: int = DEFAULT) -> Brief:
    """Return the same with all that is known of it. Raises as `brief_of`."""
    check_tokens(tokens)
    with ctx.store.read() as tx:
        names = stored_namespaces(ctx, tx, namespace)
        source = ctx.scope(tx).own if namespace is None else ctx.scope(tx).aliases.canonical(namespace)
        found = compose(tx, source, names, ctx.now(), tokens, person_of(ctx))
    noted(ctx, found.records, found.names)
    return found


def waiting_text(count: int) -> str:
    """Return a line for the user on so many captured memories that wait for a review, "" for none."""
    if not count:
        return ""
    number = f"{brief.COUNTED:,} or more" if count >= brief.COUNTED else str(count)
    wait = "captured record waits" if count == 1 else "captured records wait"
    return f"{number} {wait} for you: `indelible review`"


def person_of(ctx: Context) -> str:
    """Return the person whose own words a caller sees (`hook_settings.person`), "" for one over the network."""
    return hook_settings.person(ctx.settings.database) if ctx.session.is_local else ""
