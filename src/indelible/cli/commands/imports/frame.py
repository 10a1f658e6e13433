"""The frame of all imports: the store or its copy, one operation, one exit code for what was refused."""

import argparse
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING

from indelible.cli.opening import as_bulk, open_context_of

if TYPE_CHECKING:
    from indelible.core.context.context import Context

MARKDOWN = "markdown"
AUTO = "auto"
REFUSED = 3  # the exit code of an import that did not take all that it was given


@contextmanager
def store(arguments: argparse.Namespace) -> "Iterator[tuple[Context, Callable[[], None]]]":
    """Yield the store for an import that is one operation, with --dry-run a copy, and the pause of its batches.

    With --dry-run nothing is written to the store itself, not what hooks left either.
    """
    from indelible import batching
    from indelible.admin import dry_run, maintenance
    from indelible.core.context.call import Call

    call = Call(tool="import", bulk=True)
    ctx = open_context_of(arguments, drains=not arguments.dry_run)
    try:
        as_bulk(ctx, "import")
        if arguments.dry_run:
            with dry_run.copied(ctx) as copy:
                yield copy.for_call(call), batching.breathe
        else:
            yield ctx.for_call(call), maintenance.bulk_pause(ctx)
            maintenance.seal_due(ctx)
    finally:
        ctx.close()
