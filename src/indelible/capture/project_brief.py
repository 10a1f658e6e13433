"""The brief of a project as tools, prompts and commands give it: composed, and noted as returned."""

from indelible.capture.brief import DEFAULT, check_tokens, compose
from indelible.core.context.context import Context
from indelible.core.context.scoping import aliases, own_namespace
from indelible.core.recall.browse import _names


def of_project(ctx: Context, namespace: str | None, tokens: int = DEFAULT) -> str:
    """The brief of a project, None meaning the server's own, in at most so many o200k tokens; "" if nothing is known.

    '' stands for the memories of no project. Counts an access of each record that it tells. Raises InvalidInput for a
    number of tokens that no brief can have, and NotFound as `newest` does.
    """
    check_tokens(tokens)
    with ctx.store.read() as tx:
        names = _names(ctx, tx, namespace)
        source = own_namespace(ctx, tx) if namespace is None else aliases(ctx, tx).canonical(namespace)
        made = compose(tx, ctx.tenant, source, names, ctx.now(), tokens)
    ctx.write_behind.returned(made.records, ctx.now())
    ctx.call.touched.extend(made.names)
    return made.text
