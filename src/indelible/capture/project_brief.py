"""The brief of a project for tools, prompts and commands: composed, and counted as an access of its records."""

from indelible import hook_settings
from indelible.capture.brief import DEFAULT, check_tokens, compose
from indelible.core.context.context import Context
from indelible.core.recall.browse import stored_namespaces
from indelible.core.recall.returned import noted


def brief_of(ctx: Context, namespace: str | None, tokens: int = DEFAULT) -> str:
    """Return the brief of a project (None: the server's own) in at most `tokens` o200k tokens; "" if nothing is stored.

    '' means the memories of no project. Counts an access of each record shown. Raises InvalidInput for a number of
    tokens outside of the allowed range, and NotFound as `newest` does.
    """
    check_tokens(tokens)
    with ctx.store.read() as tx:
        names = stored_namespaces(ctx, tx, namespace)
        source = ctx.scope(tx).own if namespace is None else ctx.scope(tx).aliases.canonical(namespace)
        made = compose(tx, source, names, ctx.now(), tokens, person_of(ctx))
    noted(ctx, made.records, made.names)
    return made.text


def person_of(ctx: Context) -> str:
    """Return the person whose own words a caller sees (`hook_settings.person`), "" for one over the network."""
    return hook_settings.person(ctx.settings.database) if ctx.session.is_local else ""
