"""The frame of all imports: the store or its copy, one operation, one exit code for what was refused."""

import argparse
from collections.abc import Callable, Iterator
from contextlib import contextmanager, nullcontext
from typing import TYPE_CHECKING

from indelible.cli.opening import as_bulk, open_context_of

if TYPE_CHECKING:
    from indelible.core.context.context import Context

MARKDOWN = "markdown"
AUTO = "auto"
REFUSED = 3  # the exit code of an import that did not take all that it was given


@contextmanager
def store(arguments: argparse.Namespace) -> "Iterator[tuple[Context, Callable[[], None]]]":
    """Yield the store for an import that is one operation, with --dry-run a copy, and the pause of its batches."""
    from indelible.admin import dry_run, maintenance
    from indelible.core.context.call import Call

    ctx = open_context_of(arguments)
    try:
        as_bulk(ctx, "import")
        with dry_run.copied(ctx) if arguments.dry_run else nullcontext(ctx) as to:
            yield to.for_call(Call(tool="import", bulk=True)), maintenance.bulk_pause(ctx)
        maintenance.seal_due(ctx)
    finally:
        ctx.close()
