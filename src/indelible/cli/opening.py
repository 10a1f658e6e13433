"""The parts that the commands share: opening a store and running a tool."""

import argparse
import os
import time
from collections.abc import Callable, Iterable, Sequence
from contextlib import suppress
from typing import TYPE_CHECKING, Any

from indelible.cli.terminal import counted, flush, printable
from indelible.errors import IndelibleError, InvalidInput
from indelible.server import options
from indelible.stderr import say

if TYPE_CHECKING:
    from indelible.core.context.context import Context
    from indelible.core.context.dispatch import Answer
    from indelible.settings import Settings

# Imported late (cli): indelible.capture.ingest, indelible.capture.spool, indelible.core.context.call,
#   indelible.core.context.context, indelible.core.context.ids, indelible.core.context.scoping,
#   indelible.core.recall.unembedded, indelible.core.records.embedding_queue, indelible.core.records.successors,
#   indelible.sanitize.validate, indelible.settings, indelible.toolsets.code.links,
#   indelible.toolsets.memory.merged_projects, indelible.toolsets.registry

Command = Callable[[argparse.Namespace], int]
NAMED = 10  # problems that a command names
LINKING = 5.0  # seconds that a command links texts to code for at most
Adding = Callable[[str, Command, str], argparse.ArgumentParser]  # name, what runs, one sentence


def settings_of(arguments: argparse.Namespace) -> "Settings":
    """Return the settings of a command line and the environment. Raises InvalidInput."""
    from indelible.settings import Settings

    read_only = getattr(arguments, "read_only", False)
    place = {name: getattr(arguments, name, None) for name in ("database", "tenant")}
    return Settings.load(arguments.data, arguments.project, read_only, **options.given(arguments), **place)


def open_context_of(arguments: argparse.Namespace, *, drains: bool = True) -> "Context":
    """The store that a command line names, made if it is not there. Raises StoreError or Conflict.

    What hooks left is taken in first, as far as it takes no time, unless who asks does so otherwise.
    """
    from indelible.core.context.context import open_context

    ctx = open_context(settings_of(arguments))
    tell_of_disk(ctx.settings)
    _separate_projects(ctx)
    if drains:
        _take_in(ctx)
    return ctx


def open_existing(arguments: argparse.Namespace) -> "Context":
    """The same, for a command that asks what is stored: a directory or database named by hand must hold a store.

    An empty one made there would be taken for an answer, or for a backup of everything.
    """
    from indelible.core.context.context import open_context

    settings = settings_of(arguments)
    ctx = open_context(settings, make=arguments.data is None and not settings.database)
    tell_of_disk(ctx.settings)
    _separate_projects(ctx)
    _take_in(ctx)
    return ctx


def tell_of_disk(settings: "Settings") -> None:
    """Say that the store is only read, and what that leaves out, where its disk cannot be written."""
    if not settings.on_read_only_disk:
        return
    from indelible.capture import spool

    waiting = len(spool.waiting(settings.inbox))
    left = f"; {counted(waiting, 'event')} that hooks left in its spool cannot be processed" if waiting else ""
    say(f"note: {settings.data} cannot be written: the store is opened read-only, and no access is counted{left}")


def _separate_projects(ctx: "Context") -> None:
    """Move what says by itself to which project it belongs, of projects that an earlier version took for one."""
    from indelible.core.context.scoping import any_merged

    with ctx.store.read() as tx:
        mixed = any_merged(tx)
    if mixed:
        from indelible.toolsets.memory import merged_projects

        moved = merged_projects.separate_projects(ctx)
        if moved:
            say(f"moved {moved:,} records to their own project; an earlier version stored them in a parent directory")


def _take_in(ctx: "Context") -> None:
    from indelible.capture import spool

    if ctx.settings.read_only or spool.is_empty(ctx.settings.inbox):
        return
    from indelible.capture import ingest

    try:
        tell_redacted(ingest.drain(ctx, most=ingest.BATCH).redacted)
    except IndelibleError as error:  # a full disk: it waits on, and the command may do without it
        say(f"events of hooks were not processed: {error}")


def refuse_read_only(settings: "Settings", name: str, remedy: str = "unset it") -> None:
    """Raise InvalidInput where nothing may be written, for a command that writes."""
    if settings.on_read_only_disk:
        raise InvalidInput(f"{name} writes, and {settings.why_read_only}")
    if settings.read_only:
        raise InvalidInput(f"{name} writes, and INDELIBLE_READ_ONLY is set; {remedy}")


def as_bulk(ctx: "Context", name: str) -> None:
    """Begin bulk work at a low priority: somebody waits for each call of a server, nobody for one record of this.

    Raises InvalidInput where nothing may be written.
    """
    refuse_read_only(ctx.settings, name)
    ctx.embedder.wake()  # the models, which serve others after this, must not inherit it
    if hasattr(os, "nice"):
        with suppress(PermissionError):  # of a sandbox
            os.nice(19)


def in_project(ctx: "Context", arguments: argparse.Namespace) -> str:
    """Return ` in project NAME` where the command line names one, else ""."""
    if arguments.project is None:
        return ""
    with ctx.store.read() as tx:
        return f" in project {printable(ctx.scope(tx).own)}"


def run_tool(ctx: "Context", name: str, values: dict[str, Any]) -> Any:
    """Call a tool; what was redacted is said, and how many records were searched by their words only."""
    from indelible.toolsets import registry

    answer = registry.call(ctx, registry.find_tool(name), values)
    tell_redacted(answer.redacted)
    tell_searched(answer)
    return answer.value


def short_ids(ctx: "Context", named: Iterable[tuple[str, str]]) -> list[str]:
    """Return the ids of records, given by kind and key, as a person is shown them beside their kinds."""
    from indelible.core.context import ids

    with ctx.store.read() as tx:
        return ids.shorts_shown(tx, list(named))


def embed_stored(ctx: "Context") -> None:
    """Embed what the command stored, and compare it with what is older, if that is little.

    There may be no server that would, and the next one may ask. For the end of a command: its answer goes out first,
    since a model that is not loaded yet takes a second.
    """
    flush()
    if ctx.embedder.follow_up.has_work:
        from indelible.core.records import embedding_queue, successors

        if embedding_queue.work_off_few(ctx):
            successors.relate_few(ctx)


def link_stored(ctx: "Context") -> None:
    """Link what was stored since to the code that it names, as far as that takes a moment.

    There may be no server that would have. For the beginning of a command that looks at these links.
    """
    if ctx.settings.read_only:
        return
    from indelible.toolsets.code import links

    until = time.monotonic() + LINKING
    try:
        links.catch_up(ctx, lambda: time.monotonic() > until)
    except IndelibleError as error:  # a full disk: the command may do without them
        say(f"what was stored last is not linked to code: {error}")


def embed_batch(ctx: "Context") -> None:
    """Embed the newest of what waits, a batch at most, if a model is there: for a command that nobody waits for."""
    from indelible.core.records import embedding_queue

    if ctx.embedder.is_loaded(embedding_queue.LOADING):
        embedding_queue.work_off(ctx)


def tell_searched(answer: "Answer") -> None:
    """Say what was searched by words only, and that nothing is clearly about the question."""
    if answer.searched.weak:
        from indelible.core.context.call import WEAK

        say(f"weak: {WEAK}")
    if answer.searched.by_words:
        say("no embedding of the question came in time (the models may just be starting): searched by words only")
    if answer.searched.more:
        say(answer.searched.more)
    if answer.searched.not_reranked:
        say(f"not all hits are in the order of the reranker: {printable(answer.searched.not_reranked)}")
    if answer.searched.unembedded:
        from indelible.core.recall import unembedded

        waiting = counted(answer.searched.unembedded, "record")
        waiting += " or more" if answer.searched.unembedded >= unembedded.MOST else ""
        say(f"{waiting} not embedded yet: searched by words only; `indelible reembed --wait` embeds them now")


def tell_redacted(redacted: list[dict[str, Any]]) -> None:
    """Say what was redacted: in arguments, files, what hooks left."""
    if redacted:
        from indelible.sanitize.validate import redaction_lines

        for line in redaction_lines(redacted):
            say(printable(line))


def say_problems(problems: Sequence[str]) -> None:
    """Say the first ten problems, each on a line, and how many more there are."""
    for problem in problems[:NAMED]:
        say(printable(problem))
    if len(problems) > NAMED:
        say(f"and {len(problems) - NAMED:,} more")
