"""Values proposed while a person fills in a prompt or a resource template."""

from collections.abc import Callable, Iterable
from typing import Any

import anyio
import mcp_types as types
from mcp.server.context import ServerRequestContext
from mcp.server.lowlevel import Server

from indelible.core.context.context import Context
from indelible.core.recall import browse
from indelible.errors import InvalidInput
from indelible.model import MEMORY_TYPES
from indelible.sanitize.prompt_frame import visible
from indelible.server.mcp import prompts, resources
from indelible.server.mcp.requests import ContextOf, answered

MOST = 100  # values of one answer, by the specification
LONGEST = 200  # characters of a value: what is longer is no name

Source = Callable[[Context], Iterable[str]]

_TEMPLATES: dict[str, dict[str, Source]] = {
    resources.BY_ID: {"id": browse.ids},
    resources.RECENT: {"namespace": browse.namespaces},
    resources.BRIEF: {"namespace": browse.namespaces},
    resources.MAP: {"namespace": browse.namespaces},
}
# The arguments of prompts that have values to propose; to the others anything may be said.
_ARGUMENTS: dict[str, Source] = {
    "namespace": browse.namespaces,
    "topic": browse.tags,
    "memory_type": lambda _: MEMORY_TYPES,
}


def register(server: Server[Any], context_of: ContextOf, limiter: anyio.CapacityLimiter) -> None:
    """Let a server propose values."""

    async def complete(request: ServerRequestContext[Any], params: types.CompleteRequestParams) -> types.CompleteResult:
        argument, ctx = params.argument, context_of(request)

        def work(_: Any) -> types.Completion:
            source = _source(params.ref, argument.name)
            return matching(source(ctx) if source is not None else (), argument.value)

        return types.CompleteResult(completion=await answered(request, limiter, work))

    server.add_request_handler("completion/complete", types.CompleteRequestParams, complete)


def _source(ref: types.PromptReference | types.ResourceTemplateReference, argument: str) -> Source | None:
    """Return where the values of an argument come from, None where nothing is proposed. Raises InvalidInput."""
    if isinstance(ref, types.ResourceTemplateReference):
        if ref.uri not in _TEMPLATES:
            raise InvalidInput(f"unknown resource template {ref.uri!r:.80}; there are {', '.join(_TEMPLATES)}")
        known: Iterable[str] = _TEMPLATES[ref.uri]
        source = _TEMPLATES[ref.uri].get(argument)
    else:
        known = [each.name for each in prompts.find(prompts.PROMPTS, ref.name).arguments]
        source = _ARGUMENTS.get(argument)
    if argument not in known:
        raise InvalidInput(f"there is no argument {argument!r:.80} to complete; there are {', '.join(known)}")
    return source


def matching(values: Iterable[str], typed: str) -> types.Completion:
    """Those that begin with what was typed, then those that hold it, in any case; else in the order given.

    A value that shows other than it is (control, bidi or invisible characters), or is too long for a name, is left out.
    """
    sought = typed.casefold()
    begin: list[str] = []
    hold: list[str] = []
    for value in values:
        place = value.casefold().find(sought)
        if place >= 0 and len(value) <= LONGEST and visible(value) == value:
            (begin if place == 0 else hold).append(value)
    found = begin + hold
    return types.Completion(values=found[:MOST], total=len(found), has_more=len(found) > MOST)
