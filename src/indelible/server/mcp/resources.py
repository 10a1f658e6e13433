"""Memories as MCP resources: one by its id, a project's newest, brief and map. Read, they are framed as data.

They are `text/plain`, not Markdown: a client that rendered one would load images from wherever a text says. The
knowledge graph is one resource, JSON as read_graph gives it.
"""

import base64
import binascii
import json
import re
from collections.abc import Callable, Collection
from typing import Any, Literal, get_args
from urllib.parse import quote, unquote_to_bytes

import anyio
import mcp_types as types
from mcp.server.caching import CacheableMethod, CacheHint
from mcp.server.context import ServerRequestContext
from mcp.server.lowlevel import Server

from indelible.capture import brief, project_brief
from indelible.clock import time_text
from indelible.core.context.call import Call, Caller
from indelible.core.context.context import Context
from indelible.core.recall import browse
from indelible.dataclass import dataclass
from indelible.errors import InvalidInput
from indelible.model import Record
from indelible.sanitize.prompt_frame import escaped, framed, json_text, visible
from indelible.server.mcp import subscriptions
from indelible.server.mcp.requests import ContextOf, answered, logged
from indelible.toolsets import shapes
from indelible.toolsets.code import code_map
from indelible.toolsets.registry import Tool, find_tool

SCHEME = "memory://"
NEWEST = 20  # memories of `recent`
LONGEST = 2_000  # characters of each of them; a memory by its id is whole
LONGEST_URI = 4_096
LONGEST_TITLE = 60
PAGE = 50
MIME = "text/plain"
JSON = "application/json"
GRAPH = subscriptions.URI
GRAPH_TOOL = "read_graph"  # a server that does not offer it has no such resource

_MAPPED = "The most central symbols of indexed code, by file"
_BRIEFED = "Decisions, open todos, failures and their fixes, preferences, the last sessions"

BY_ID = "memory://{id}"
RECENT = "memory://{namespace}/recent"
BRIEF = "memory://{namespace}/brief"
MAP = "memory://{namespace}/map"
TEMPLATES = [
    types.ResourceTemplate(
        uri_template=BY_ID,
        name="memory",
        title="One memory",
        description="A memory by its id (a UUID, or kind:key for other records), framed as reference material",
        mime_type=MIME,
    ),
    types.ResourceTemplate(
        uri_template=RECENT,
        name="recent",
        title="Newest memories of a project",
        description=f"The {NEWEST} newest memories of a namespace (percent-encoded), framed as reference material",
        mime_type=MIME,
    ),
    types.ResourceTemplate(
        uri_template=BRIEF,
        name="brief",
        title="Brief of a project",
        description=f"{_BRIEFED}, of a namespace (percent-encoded), framed as reference material",
        mime_type=MIME,
    ),
    types.ResourceTemplate(
        uri_template=MAP,
        name="map",
        title="Map of a project's code",
        description=f"{_MAPPED}, of a namespace (percent-encoded), framed as reference material",
        mime_type=MIME,
    ),
]

CACHE_HINTS: dict[CacheableMethod, CacheHint] = {
    "resources/templates/list": CacheHint(ttl_ms=300_000, scope="public"),
    "resources/list": CacheHint(ttl_ms=0, scope="private"),
    "resources/read": CacheHint(ttl_ms=0, scope="private"),
}


def register(
    server: Server[Any], context_of: ContextOf, limiter: anyio.CapacityLimiter, tools: Collection[str]
) -> None:
    """Let a server that offers these tools list and read resources."""
    graph = find_tool(GRAPH_TOOL) if GRAPH_TOOL in tools else None

    async def list_resources(
        request: ServerRequestContext[Any], params: types.PaginatedRequestParams
    ) -> types.ListResourcesResult:
        ctx = context_of(request)
        return await answered(request, limiter, lambda _: listing(ctx, params.cursor, with_graph=graph is not None))

    async def list_templates(
        _: ServerRequestContext[Any], __: types.PaginatedRequestParams
    ) -> types.ListResourceTemplatesResult:
        return types.ListResourceTemplatesResult(resource_templates=TEMPLATES)

    async def read(
        request: ServerRequestContext[Any], params: types.ReadResourceRequestParams
    ) -> types.ReadResourceResult:
        uri, ctx = params.uri, context_of(request)

        def text(caller: Caller) -> str:
            ctx.taking_in.wait(Call(caller=caller))
            if graph is not None and uri == GRAPH:
                return _text_of_graph(ctx, graph, caller)
            return text_of(ctx, uri, caller)

        mime = JSON if graph is not None and uri == GRAPH else MIME
        given = await answered(request, limiter, text, {"uri": uri})
        contents = types.TextResourceContents(uri=uri, mime_type=mime, text=given)
        return types.ReadResourceResult(contents=[contents])

    server.add_request_handler("resources/list", types.PaginatedRequestParams, list_resources)
    server.add_request_handler("resources/templates/list", types.PaginatedRequestParams, list_templates)
    server.add_request_handler("resources/read", types.ReadResourceRequestParams, read)


# --- Addresses ---


Listed = Literal["recent", "brief", "map"]  # what a namespace has


@dataclass(frozen=True, slots=True)
class Address:
    """The parsed URI of a memory, or of a list of a namespace ('' for memories of no project)."""

    id: str | None = None
    namespace: str | None = None
    list: Listed = "recent"


def uri_of(key: str) -> str:
    """The URI of a memory. Nothing in it is raw that a URL parser would take for a port or a path."""
    return SCHEME + quote(key, safe="")


def uri_of_recent(namespace: str) -> str:
    """The URI of the newest memories of a namespace."""
    return f"{SCHEME}{quote(namespace, safe='')}/recent"


def uri_of_brief(namespace: str) -> str:
    """The URI of the brief of a namespace."""
    return f"{SCHEME}{quote(namespace, safe='')}/brief"


def uri_of_map(namespace: str) -> str:
    """The URI of the map of a namespace's code."""
    return f"{SCHEME}{quote(namespace, safe='')}/map"


def parse(uri: str) -> Address:
    """Return the address of a URI, decoded once. Raises InvalidInput for other URIs.

    The namespace may stand there with its slashes raw, as clients write it that fill a template without encoding.
    """
    if len(uri) > LONGEST_URI or not uri.startswith(SCHEME):
        raise _no_address(uri)
    rest = uri.removeprefix(SCHEME)
    head, slash, tail = rest.rpartition("/")
    listed = next((each for each in get_args(Listed) if slash and each == tail), None)
    if listed is not None:
        return Address(namespace=_decoded(uri, head), list=listed)
    if not rest or slash:
        raise _no_address(uri)
    return Address(id=_decoded(uri, rest))


def _decoded(uri: str, part: str) -> str:
    if re.search(r"%(?![0-9A-Fa-f]{2})|[?#\s]", part):
        raise _no_address(uri)
    try:
        text = unquote_to_bytes(part).decode()
    except UnicodeError:
        raise _no_address(uri) from None
    if any(step in (".", "..") for step in re.split(r"[/\\]", text)) or visible(text) != text or "\n" in text:
        raise _no_address(uri)
    return text


def _no_address(uri: str) -> InvalidInput:
    shown = uri if len(uri) <= 80 else uri[:79] + "…"
    return InvalidInput(
        f"uri must be {BY_ID}, {RECENT}, {BRIEF} or {MAP} with the id or namespace percent-encoded, such as "
        f"memory://%2Fhome%2Fme%2Fapp/recent, got {shown!a}"
    )


# --- Reading ---


def text_of(ctx: Context, uri: str, caller: Caller) -> str:
    """The framed text of a resource; a read counts as an access. Raises InvalidInput and NotFound."""
    address = parse(uri)
    if address.id is not None:
        return logged(ctx, "resources/read", {"id": address.id}, caller, _one)
    return logged(ctx, "resources/read", {"namespace": address.namespace}, caller, _READERS[address.list])


def _text_of_graph(ctx: Context, graph: Tool, caller: Caller) -> str:
    write = graph.text or json_text
    return logged(ctx, "resources/read", {}, caller, lambda ctx, _: write(graph.run(ctx)))


def _one(ctx: Context, clean: dict[str, Any]) -> str:
    record = browse.memory(ctx, clean["id"])
    return framed(shapes.items(ctx, [record]), ctx.clock())


def _newest(ctx: Context, clean: dict[str, Any]) -> str:
    found = browse.newest(ctx, clean["namespace"], NEWEST, LONGEST + 1)
    if not found:
        return "No memory is stored for this project yet."
    return framed(shapes.items(ctx, found, LONGEST), ctx.clock())


def _brief(ctx: Context, clean: dict[str, Any]) -> str:
    return project_brief.brief_of(ctx, clean["namespace"]) or brief.NOTHING


def _map(ctx: Context, clean: dict[str, Any]) -> str:
    browse.refuse_empty(ctx, clean["namespace"])
    return code_map.framed(ctx, clean["namespace"]) or "No code of this project is indexed yet: call index_codebase."


_READERS: dict[Listed, Callable[[Context, dict[str, Any]], str]] = {"recent": _newest, "brief": _brief, "map": _map}


# --- Listing ---


def listing(ctx: Context, cursor: str | None, *, with_graph: bool = False) -> types.ListResourcesResult:
    """A page of what the server's own project has: its newest as one, then its memories, the most important first."""
    after = None if cursor is None else _position(cursor)
    own, found = browse.listed(ctx)
    rest = [record for record in found if after is None or _rank(record) > after]
    page = [_resource(record) for record in rest[:PAGE]]
    if after is None:
        mapped = [_map_of(own)] if code_map.is_indexed(ctx) else []
        page = [_recent_of(own), _brief_of(own), *mapped, *([_GRAPH] if with_graph else []), *page]
    return types.ListResourcesResult(resources=page, next_cursor=_cursor(rest[PAGE - 1]) if len(rest) > PAGE else None)


_GRAPH = types.Resource(
    uri=GRAPH,
    name="knowledge-graph",
    title="Knowledge graph",
    description="All entities and relations, as read_graph returns them; subscribers are notified of changes",
    mime_type=JSON,
)


def _recent_of(namespace: str) -> types.Resource:
    return types.Resource(
        uri=uri_of_recent(namespace),
        name="recent",
        title="Newest memories of this project",
        description=f"The {NEWEST} newest memories of the project that the server works for",
        mime_type=MIME,
        annotations=types.Annotations(priority=1.0),
    )


def _brief_of(namespace: str) -> types.Resource:
    return types.Resource(
        uri=uri_of_brief(namespace),
        name="brief",
        title="Brief of this project",
        description=f"{_BRIEFED}, of the project that the server works for",
        mime_type=MIME,
        annotations=types.Annotations(priority=1.0),
    )


def _map_of(namespace: str) -> types.Resource:
    return types.Resource(
        uri=uri_of_map(namespace),
        name="map",
        title="Map of this project's code",
        description=f"{_MAPPED}, of the project that the server works for",
        mime_type=MIME,
        annotations=types.Annotations(priority=0.8),
    )


def _resource(record: Record) -> types.Resource:
    return types.Resource(
        uri=uri_of(record.key),
        name=record.key,
        title=_title(record),
        mime_type=MIME,
        annotations=types.Annotations(
            priority=record.importance, last_modified=time_text(record.updated, fraction=False)
        ),
    )


def _title(record: Record) -> str:
    """The type and the head of the text, quoted and in one line: a person picks by it, and a model may read it."""
    head = " ".join(visible(record.text).split())
    head = head if len(head) <= LONGEST_TITLE else head[: LONGEST_TITLE - 1].rstrip() + "…"
    return f'{record.type}: "{escaped(head)}"'


def _rank(record: Record) -> tuple[float, int, str]:
    return (-record.importance, -record.created, record.key)


def _cursor(last: Record) -> str:
    return base64.urlsafe_b64encode(json.dumps(_rank(last)).encode()).decode()


def _position(cursor: str) -> tuple[float, int, str]:
    """The rank that a cursor stands for. Raises InvalidInput."""
    try:
        text = base64.b64decode(cursor[:LONGEST_URI].encode(), altchars=b"-_", validate=True)
        importance, created, key = json.loads(text)
    except (binascii.Error, ValueError, TypeError, RecursionError):
        importance, created, key = None, None, None
    if not (isinstance(importance, float) and isinstance(created, int) and isinstance(key, str)):
        raise InvalidInput("cursor was not issued by this server; list again from the start, without a cursor")
    return importance, created, key
