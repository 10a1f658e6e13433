"""MCP: the registry's tools over the SDK's low-level server, in both protocol eras. No logic of its own."""

import logging
import traceback
import uuid
from collections.abc import Mapping
from typing import Any

import anyio
import mcp_types as types
from mcp.server.caching import CacheHint
from mcp.server.context import ServerRequestContext
from mcp.server.lowlevel import Server
from mcp.shared.exceptions import MCPError

from indelible import __version__, registry
from indelible.engine.context import NOBODY, Caller, Context
from indelible.errors import IndelibleError
from indelible.framing import json_text, visible
from indelible.serve import completion, prompts, resources
from indelible.serve.graph_updates import GraphUpdates
from indelible.serve.instructions import instructions
from indelible.serve.progress import in_thread

log = logging.getLogger("indelible")

KEY = "indelible/key"  # in a request's _meta: a retried write with the same key is answered, not repeated
THREADS = 16  # calls that run at once


def build(ctx: Context) -> Server[Any]:
    """The MCP server of one process: tools over the registry, resources, prompts, completion."""
    tools = registry.offered(ctx.settings)
    listing = types.ListToolsResult(tools=[_advertised(tool) for tool in tools.values()])
    limiter = anyio.CapacityLimiter(THREADS)

    async def list_tools(_: ServerRequestContext[Any], __: Any) -> types.ListToolsResult:
        return listing

    async def call_tool(
        request: ServerRequestContext[Any], params: types.CallToolRequestParams
    ) -> types.CallToolResult:
        called = tools.get(params.name)
        if called is None:
            raise MCPError(types.INVALID_PARAMS, f"Unknown tool: {params.name}. There are {', '.join(tools)}")
        key = (request.meta or {}).get(KEY)

        def run(caller: Caller) -> types.CallToolResult:
            return answer(ctx, called, params.arguments or {}, key, caller)

        return await in_thread(request, run, limiter)

    def input_schema(name: str) -> Mapping[str, Any] | None:
        return tools[name].input_schema if name in tools else None

    updates = GraphUpdates(ctx)
    server = Server[Any](
        "indelible",
        version=__version__,
        title="Indelible",
        instructions=instructions(tools),
        cache_hints={
            "tools/list": CacheHint(ttl_ms=300_000, scope="public"),
            **resources.CACHE_HINTS,
            **prompts.CACHE_HINTS,
        },
        lifespan=updates.running,
        get_tool_input_schema=input_schema,
        on_list_tools=list_tools,
        on_call_tool=call_tool,
    )
    resources.register(server, ctx, limiter, tools)
    if resources.GRAPH_TOOL in tools:
        updates.register(server)
    prompts.register(server, ctx, limiter, tools)
    completion.register(server, ctx, limiter)
    return server


def _advertised(tool: registry.Tool) -> types.Tool:
    return types.Tool(
        name=tool.name,
        title=tool.title,
        description=tool.description,
        input_schema=tool.input_schema,
        output_schema=tool.output_schema,
        annotations=types.ToolAnnotations(
            read_only_hint=not tool.writes,
            destructive_hint=tool.destructive,
            idempotent_hint=tool.idempotent,
            open_world_hint=False,
        ),
    )


def answer(
    ctx: Context, called: registry.Tool, arguments: dict[str, Any], key: Any, caller: Caller = NOBODY
) -> types.CallToolResult:
    """Run a call and shape what came of it; errors that are answers become `isError` results with their words."""
    try:
        if key is not None and not isinstance(key, str):
            return _failed(called, f"_meta {KEY} must be a string, got {type(key).__name__}")
        done = registry.call(ctx, called, arguments, key=key, caller=caller)
    except IndelibleError as error:
        return _failed(called, str(error))
    except Exception as error:  # noqa: BLE001 - the one place of this transport: the caller gets an id, the log the rest
        number = uuid.uuid4().hex[:8]
        where = "".join(traceback.format_tb(error.__traceback__))
        log.error("internal", extra={"key": number, "tool": called.name, "error": type(error).__name__, "where": where})
        said = f"internal error {number}: nothing of this call is certain; the server's log has the details"
        return _failed(called, said)
    value = done.value
    write = called.text or json_text
    meta = {"redacted": done.redacted} if done.redacted else None
    return types.CallToolResult(
        content=[types.TextContent(text=value if isinstance(value, str) else write(value))],
        structured_content=value if isinstance(value, dict) else {"result": value},
        _meta=meta,
    )


def _failed(called: registry.Tool, message: str) -> types.CallToolResult:
    """No structured content: clients hold that against the schema of the documented answer."""
    value = called.failure(visible(message))
    text = visible(message) if value is None else json_text(value)
    return types.CallToolResult(content=[types.TextContent(text=text)], is_error=True)
