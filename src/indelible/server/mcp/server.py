"""MCP: the registry's tools over the SDK's low-level server, in both protocol eras. No logic of its own."""

from collections.abc import Callable, Mapping, Sequence
from functools import cache
from typing import Any, Literal

import anyio
import mcp_types as types
from mcp.server.caching import CacheHint
from mcp.server.context import CallNext, HandlerResult, ServerRequestContext
from mcp.server.lowlevel import Server
from mcp.shared.exceptions import MCPError

from indelible import tracing
from indelible.core.context.call import NO_CALLER, Caller
from indelible.core.context.call import WEAK as NOTHING_CLEAR
from indelible.core.context.context import Context
from indelible.core.context.dispatch import Answer
from indelible.errors import IndelibleError, InvalidInput
from indelible.sanitize.prompt_frame import json_text, visible
from indelible.server.error_ids import logged_message, public_message
from indelible.server.mcp import completion, lean, prompts, resources
from indelible.server.mcp.instructions import instructions
from indelible.server.mcp.progress import in_thread
from indelible.server.mcp.requests import is_remote
from indelible.server.mcp.roots import Roots
from indelible.server.mcp.subscriptions import GraphUpdates
from indelible.server.mcp.tool_schemas import schemas_of
from indelible.server.request_context import Client
from indelible.server.responses import LARGEST_MCP, refuse_large, written
from indelible.toolsets import profiles, registry
from indelible.version import __version__

ClientOf = Callable[[ServerRequestContext[Any]], Client]

KEY = "indelible/key"  # in a request's _meta: a retried write with the same key is answered, not repeated
UNEMBEDDED = "indelible/unembedded"  # in the _meta of a result: records not embedded yet, searched by words only
WEAK = "indelible/weak"  # where nothing that was found is clearly about the query
BY_WORDS = "indelible/by_words"  # true where the query itself was not embedded in time: all was searched by words only
NOT_RERANKED = "indelible/not_reranked"  # why the chosen cross-encoder did not order all hits that it should have
MORE = "indelible/more"  # how much of a long list is not in the answer, and how to go on: also a text of the answer
PLACE = "indelible/place"  # of what was stored, where it is not plainly the project: also a text of the answer
ERROR = "indelible/error"  # in the _meta of a result that is an error: its code, as in `indelible.errors`
NO_PROJECT = "Stored without a project: none is known here. Every project sees it, below what is its own."
NAME_ONE = " Give a namespace (the project's absolute path) to store it there."
THREADS = 16  # calls that run at once
LONGEST_ID = 64  # characters of the id of a request in its span


def build(
    ctx: Context,
    client_of: ClientOf | None = None,
    limiter: anyio.CapacityLimiter | None = None,
    updates: GraphUpdates | None = None,
) -> Server[Any]:
    """The MCP server of one process: tools over the registry, resources, prompts, completion.

    `client_of` tells whom a request comes from; without it there is one client, that of the process, and its
    connection lasts. Calls run in the threads of `limiter`; `updates` are the subscribers to the graph.
    """
    tools = profiles.offered(ctx.settings)
    list_one = lean.advertised if profiles.is_lean(ctx.settings) else advertised
    callable_ = registry.answered(tools, ctx.settings)
    scope: Literal["public", "private"] = "public" if client_of is None else "private"
    limiter = limiter or anyio.CapacityLimiter(THREADS)
    updates = updates or GraphUpdates(ctx)
    roots = Roots(ctx)
    asking = client_of or (lambda _: Client(roots.ctx))

    async def list_tools(request: ServerRequestContext[Any], _: Any) -> types.ListToolsResult:
        own = registry.granted(tools, asking(request).ctx.session.grant)
        return types.ListToolsResult(tools=[list_one(tool) for tool in own.values()])

    async def call_tool(
        request: ServerRequestContext[Any], params: types.CallToolRequestParams
    ) -> types.CallToolResult:
        called = callable_.get(params.name)
        if called is None:
            raise MCPError(types.INVALID_PARAMS, f"Unknown tool: {params.name}. There are {', '.join(tools)}")
        client = asking(request)
        key = (request.meta or {}).get(KEY, client.key)
        own = await roots.for_write() if called.writes and client_of is None else client.ctx

        def run(caller: Caller) -> types.CallToolResult:
            largest = LARGEST_MCP if is_remote(request) else None
            folders = roots.folders if client_of is None else ()
            return answer(own, called, params.arguments or {}, key, caller, largest=largest, folders=folders)

        return await in_thread(request, run, limiter)

    def input_schema(name: str) -> Mapping[str, Any] | None:
        return tools[name].input_schema if name in tools else None

    def context_of(request: ServerRequestContext[Any]) -> Context:
        return asking(request).ctx

    server = _Server(
        "indelible",
        version=__version__,
        title="Indelible",
        instructions=instructions(tools, in_project=ctx.session.location is not None or client_of is not None),
        cache_hints={
            "tools/list": CacheHint(ttl_ms=300_000, scope=scope),
            **resources.CACHE_HINTS,
            **prompts.CACHE_HINTS,
        },
        lifespan=updates.running,
        get_tool_input_schema=input_schema,
        on_list_tools=list_tools,
        on_call_tool=call_tool,
    )
    server.middleware[:] = [_arriving]
    if client_of is None:
        roots.register(server)
    resources.register(server, context_of, limiter, tools)
    if resources.GRAPH_TOOL in tools:
        updates.register(server, context_of, lasting=client_of is None)
    prompts.register(server, context_of, limiter, tools)
    completion.register(server, context_of, limiter)
    return server


class _Server(Server[Any]):
    """The SDK's server, which promises no news of its lists: they stay as they are while it runs."""

    def get_capabilities(self, *given: Any, **named: Any) -> types.ServerCapabilities:
        """Return the capabilities of the server, as clients are told."""
        found = super().get_capabilities(*given, **named)
        for part in (found.tools, found.prompts, found.resources):
            if part is not None:
                part.list_changed = False
        return found


async def _arriving(ctx: ServerRequestContext[Any, Any], call_next: CallNext) -> HandlerResult:
    """Note for its span how a request came, in the place of the SDK's own spans, which hold messages of errors."""
    if tracing.is_on():
        number = {} if ctx.request_id is None else {"jsonrpc.request.id": str(ctx.request_id)[:LONGEST_ID]}
        said = {"mcp.method.name": ctx.method, "mcp.protocol.version": ctx.protocol_version, **number}
        tracing.arrived(ctx.meta or {}, {"network.transport": "tcp" if is_remote(ctx) else "pipe", **said})
    return await call_next(ctx)


@cache
def advertised(tool: registry.Tool) -> types.Tool:
    """A tool as clients list it."""
    given, result = schemas_of(tool)
    return types.Tool(
        name=tool.name,
        title=tool.title,
        description=tool.description,
        input_schema=given,
        output_schema=result,
        annotations=types.ToolAnnotations(
            read_only_hint=not tool.writes,
            destructive_hint=tool.destructive,
            idempotent_hint=tool.idempotent,
            open_world_hint=False,
        ),
    )


def answer(
    ctx: Context,
    called: registry.Tool,
    arguments: dict[str, Any],
    key: Any,
    caller: Caller = NO_CALLER,
    *,
    largest: int | None = None,
    folders: Sequence[str] = (),
) -> types.CallToolResult:
    """Run a call and shape what came of it; errors that are answers become `isError` results with their words.

    With `largest` it goes over a network: what a tool that only reads answers has so many bytes at most (what was
    written is done, and so is said), and of errors what is about this machine is left out. `folders` are the projects
    that the client has open, where they are several.
    """
    try:
        if key is not None and not isinstance(key, str):
            return _failed(called, f"_meta {KEY} must be a string, got {type(key).__name__}", InvalidInput.code)
        done = registry.call(ctx, called, arguments, key=key, caller=caller)
        text = _text(ctx, called, arguments, done, largest)
    except IndelibleError as error:
        return _failed(called, str(error) if largest is None else public_message(called.name, error), error.code)
    except Exception as error:  # noqa: BLE001 - the one place of this transport: the caller gets an id, the log the rest
        return _failed(called, logged_message(called.name, error), "internal_error")
    value = done.value
    meta: dict[str, Any] = {"redacted": done.redacted} if done.redacted else {}
    if done.searched.unembedded:
        meta[UNEMBEDDED] = done.searched.unembedded
    if done.searched.by_words:
        meta[BY_WORDS] = True
    if done.searched.weak:
        meta[WEAK] = NOTHING_CLEAR
    if done.searched.not_reranked:
        meta[NOT_RERANKED] = visible(done.searched.not_reranked)
    if done.searched.more:
        meta[MORE] = done.searched.more
    place = _place(ctx, called, arguments, folders)
    if place:
        meta[PLACE] = place
    return types.CallToolResult(
        content=[types.TextContent(text=each) for each in (text, done.searched.more, place) if each],
        structured_content=_structured(ctx, value),
        _meta=meta or None,
    )


def _place(ctx: Context, called: registry.Tool, arguments: dict[str, Any], folders: Sequence[str]) -> str:
    """Return what to say of the project in which a call stored something, "" where that is as the agent expects."""
    if not called.in_project or arguments.get("namespace"):
        return ""
    own = ctx.session.location
    if own is None and ctx.session.grant.namespaces is None:
        return NO_PROJECT + (NAME_ONE if "namespace" in called.input_schema["properties"] else "")
    if own is not None and folders:
        others = ", ".join(folder for folder in folders if folder != own.path)
        return visible(f"Stored in the project {own.path}; also open: {others}.")
    return ""


def _structured(ctx: Context, value: Any) -> dict[str, Any] | None:
    """Return the documented value as clients hold it against its schema; nothing beside a lean text."""
    if profiles.is_lean(ctx.settings):
        return None
    return value if isinstance(value, dict) else {"result": value}


def _text(ctx: Context, called: registry.Tool, arguments: dict[str, Any], done: Answer, largest: int | None) -> str:
    """An answer as text, for models. Raises InvalidInput where it is too large."""
    value = done.value
    is_lean = profiles.is_lean(ctx.settings)
    if not is_lean and called.text is None and not isinstance(value, str):
        return json_text(value) if largest is None or called.writes else written(value, largest)
    if is_lean:
        text = lean.text(ctx, called, value, arguments, done.searched)
    else:
        text = value if isinstance(value, str) or called.text is None else called.text(value)
    if largest is not None and not called.writes:
        refuse_large(text, largest)
    return text


def _failed(called: registry.Tool, message: str, code: str) -> types.CallToolResult:
    """No structured content: clients hold that against the schema of the documented answer."""
    value = called.failure(visible(message))
    text = visible(message) if value is None else json_text(value)
    return types.CallToolResult(content=[types.TextContent(text=text)], is_error=True, _meta={ERROR: code})
