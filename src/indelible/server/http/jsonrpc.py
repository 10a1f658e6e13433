"""JSON-RPC 2.0 without MCP around it: `result` is a tool's own object. One request or a batch, and notifications.

Methods: `tools/call`, `tools/list`, `ping`, and every tool by its bare name. There is no handshake and no session.
"""

import json
import math
from collections.abc import Callable, Sequence
from dataclasses import field
from functools import cache, reduce
from typing import Any, NamedTuple

import anyio
import anyio.to_thread
from pydantic_core import from_json
from starlette.requests import Request
from starlette.responses import Response

from indelible import tracing
from indelible.core.context.call import NO_NOTES, Notes
from indelible.dataclass import dataclass
from indelible.errors import Cancelled, Forbidden, IndelibleError, MissingExtra, NotFound, QuotaExceeded, StoreError
from indelible.sanitize.prompt_frame import json_text, visible
from indelible.server.error_ids import logged_message, public_message
from indelible.server.http.middleware import SLOW, refused
from indelible.server.mcp.server import KEY, advertised
from indelible.server.request_context import SCOPE_KEY, Client
from indelible.server.responses import LARGEST, TooLarge, size_of, written
from indelible.settings import Settings
from indelible.toolsets import registry

PARSE, INVALID, NO_METHOD, PARAMS, INTERNAL, UNKNOWN, FORBIDDEN = -32700, -32600, -32601, -32602, -32603, -32004, -32003
MOST = 100  # requests of a batch
LONGEST_HEADER = 4_096  # characters of X-Redacted
ERROR = "X-Indelible-Error"  # the code, as in `indelible.errors`, of a failed call whose answer is a documented result
UNEMBEDDED = "X-Indelible-Unembedded"  # how many records were searched by words only: not embedded yet
WEAK = "X-Indelible-Weak"  # true: nothing that was found is clearly about the query
MORE = "X-Indelible-More"  # how much of a long list is not in the answer, and how to go on
BY_WORDS = "X-Indelible-By-Words"  # true: the query itself was not embedded in time, all was searched by words only
NOT_RERANKED = "X-Indelible-Not-Reranked"  # true: the chosen cross-encoder did not order all hits that it should have
CALL = {"name", "arguments", "_meta"}  # what the params of tools/call may have
_META = "_meta"


class _Fault(Exception):
    """A request that is answered with an error."""

    def __init__(self, code: int, message: str, data: dict[str, Any] | None = None):
        super().__init__(message)
        self.error = {"code": code, "message": visible(message), **({"data": data} if data else {})}


@dataclass(frozen=True, slots=True)
class _Asked:
    """A call as a request put it."""

    tool: registry.Tool
    arguments: dict[str, Any]
    key: Any


class _Result(NamedTuple):
    """The result of a request as JSON, and what is said beside it, as of `Answer`."""

    text: str
    redacted: list[dict[str, Any]]
    searched: Notes = NO_NOTES


@dataclass(slots=True)
class _Done:
    """The answer to one request as JSON, None to a notification, and what is said beside it, as of `_Result`."""

    answer: str | None
    redacted: list[dict[str, Any]] = field(default_factory=list)
    searched: Notes = NO_NOTES


@dataclass(slots=True)
class _Batch:
    """The requests that are answered together: whose they are, and how many bytes their answers may still have.

    `failed` is the code of the last failure that is documented as a result.
    """

    client: Client
    room: int
    failed: str = ""


class Envelope:
    """Answers the requests of POST /jsonrpc, the calls in the threads of `limiter`.

    `take_more` counts the requests of a tenant's batch but the first, and may refuse them.

    What is large is read and written there too. All answers to one POST have `largest` bytes; what a batch asks for
    behind the answer with which they are more is refused, and not done.
    """

    def __init__(
        self,
        settings: Settings,
        limiter: anyio.CapacityLimiter,
        take_more: Callable[[int, int], None],
        largest: int = LARGEST,
    ):
        self._take_more = take_more
        self._tools = registry.offered(settings)
        self._callable = registry.answered(self._tools, settings)
        self._limiter = limiter
        self._largest = largest

    async def __call__(self, request: Request) -> Response:
        """Answer one request, or a batch in its order: each call sees what those before it wrote."""
        tracing.arrived({}, {"rpc.system.name": "jsonrpc"})
        batch = _Batch(request.scope[SCOPE_KEY], self._largest)
        try:
            given = await self._parsed(await request.body())
        except ValueError as error:
            message = f"the body is not JSON in UTF-8: {error}"
            return _response(_Done(_failed(None, _Fault(PARSE, message).error)))
        key = batch.client.key
        if not isinstance(given, list):
            done = await self._one(given, batch, key)
            return _response(done, batch.failed)
        if not given:
            return _response(_Done(_failed(None, _Fault(INVALID, "the batch is empty; send a request").error)))
        if len(given) > MOST:
            return refused(
                413, f"the batch has {len(given):,} requests, at most {MOST} are taken; send several batches"
            )
        self._take_more(batch.client.ctx.store.tenant, len(given) - 1)
        each = [await self._one(one, batch, _numbered(key, at)) for at, one in enumerate(given)]
        answers = [done.answer for done in each if done.answer is not None]
        redacted = [{"request": at, **found} for at, done in enumerate(each) for found in done.redacted]
        together = f"[{','.join(answers)}]" if answers else None
        searched = reduce(Notes.and_those, (done.searched for done in each))
        return _response(_Done(together, redacted, searched))

    async def _parsed(self, body: bytes) -> Any:
        if len(body) <= SLOW:
            return from_json(body)
        return await anyio.to_thread.run_sync(from_json, body, limiter=self._limiter)

    async def _one(self, given: Any, batch: _Batch, key: str | None) -> _Done:
        number = None
        try:
            if isinstance(given, dict) and "id" in given:
                number = _checked_id(given["id"])
            method, params = _parts(given)
            result = await self._result(method, params, batch, key)
        except _Fault as fault:
            # What is no request at all is answered; a notification is not, whatever became of it.
            silent = isinstance(given, dict) and "id" not in given and fault.error["code"] != INVALID
            return _Done(None if silent else _failed(number, fault.error))
        batch.room -= size_of(result.text)
        answer = f'{{"jsonrpc":"2.0","result":{result.text},"id":{json_text(number)}}}'
        return _Done(answer if "id" in given else None, *result[1:])

    async def _result(self, method: str, params: dict[str, Any], batch: _Batch, key: str | None) -> _Result:
        if method == "ping":
            return _Result("{}", [])
        if batch.room <= 0:
            raise _Fault(
                PARAMS,
                f"the answers of this batch have {self._largest:,} bytes or more already, and this request was not "
                "done; send it in another batch",
            )
        if method == "tools/list":
            own = registry.granted(self._tools, batch.client.ctx.session.grant).values()
            return _Result(json_text({"tools": [_shown(tool) for tool in own]}), [])
        asked = self._asked(method, params, key)
        return await anyio.to_thread.run_sync(_run, batch, asked, limiter=self._limiter)

    def _asked(self, method: str, params: dict[str, Any], key: str | None) -> _Asked:
        if method == "tools/call":
            return self._named_call(params, key)
        arguments = {name: value for name, value in params.items() if name != _META}
        return _Asked(self._tool(method, bare=True), arguments, _key(params, key))

    def _named_call(self, params: dict[str, Any], key: str | None) -> _Asked:
        name, arguments = params.get("name"), params.get("arguments")
        if not isinstance(name, str):
            raise _Fault(PARAMS, 'params.name must be the name of a tool; params are {"name": ..., "arguments": {...}}')
        if arguments is not None and not isinstance(arguments, dict):
            raise _Fault(PARAMS, f"params.arguments must be an object, got {type(arguments).__name__}")
        unknown = sorted(set(params) - CALL)
        if unknown:
            raise _Fault(PARAMS, f"params has no {unknown[0]!r:.80}; allowed are name, arguments and _meta")
        return _Asked(self._tool(name), arguments or {}, _key(params, key))

    def _tool(self, name: str, *, bare: bool = False) -> registry.Tool:
        if name in self._callable:
            return self._callable[name]
        if bare:
            raise _Fault(
                NO_METHOD,
                f"unknown method {name!r:.80}; there are tools/call, tools/list, ping and each tool by its name "
                "(MCP itself is spoken at /mcp)",
            )
        raise _Fault(NO_METHOD, f"unknown tool {name!r:.80}; there are {', '.join(self._tools)}")


@cache
def _shown(tool: registry.Tool) -> dict[str, Any]:
    return advertised(tool).model_dump(mode="json", by_alias=True, exclude_none=True)


def _run(batch: _Batch, asked: _Asked) -> _Result:
    """Return the result of a call; for a thread. A toolset may document failures as results.

    What is only read must have room; what was written is done, and so is said.
    """
    try:
        if asked.key is not None and not isinstance(asked.key, str):
            raise _Fault(PARAMS, f"_meta {KEY} must be a string, got {type(asked.key).__name__}")
        done = registry.call(batch.client.ctx, asked.tool, asked.arguments, key=asked.key)
        result = json_text(done.value) if asked.tool.writes else written(done.value, batch.room)
    except IndelibleError as error:
        batch.room = 0 if isinstance(error, TooLarge) else batch.room
        message, code, data = public_message(asked.tool.name, error), _code(error), {"code": error.code}
    except _Fault:
        raise
    except Exception as error:  # noqa: BLE001 - of this door, as `answer` of MCP: an id out, the rest to the log
        message, code, data = logged_message(asked.tool.name, error), INTERNAL, {"code": "internal_error"}
    else:
        return _Result(result, done.redacted, done.searched)
    documented = asked.tool.failure(visible(message))
    if documented is None:
        raise _Fault(code, message, data)
    batch.failed = data["code"]
    return _Result(json_text(documented), [])


def _code(error: IndelibleError) -> int:
    """Return the code of an error: wrong arguments, unknown id, no right to it, or an internal error."""
    if isinstance(error, (NotFound, Forbidden, QuotaExceeded)):
        return UNKNOWN if isinstance(error, NotFound) else FORBIDDEN
    return INTERNAL if isinstance(error, (StoreError, MissingExtra, Cancelled)) else PARAMS


def _parts(given: Any) -> tuple[str, dict[str, Any]]:
    """The method and the params of a request."""
    if not isinstance(given, dict):
        raise _Fault(INVALID, f"a request must be an object, got {type(given).__name__}")
    if given.get("jsonrpc") != "2.0":
        raise _Fault(INVALID, 'a request must have "jsonrpc": "2.0"')
    method, params = given.get("method"), given.get("params", {})
    if not isinstance(method, str):
        raise _Fault(INVALID, "a request must have a method, which is a string")
    if params is not None and not isinstance(params, dict):
        raise _Fault(PARAMS, f"params must be an object with the arguments by name, got {type(params).__name__}")
    return method, params or {}


def _checked_id(number: Any) -> str | int | float | None:
    if isinstance(number, float) and math.isfinite(number):
        return number
    if isinstance(number, (str, int)) and not isinstance(number, bool):
        return number
    if number is None:
        return None
    raise _Fault(INVALID, "id must be a string, a number or null")


def _key(params: dict[str, Any], header: str | None) -> Any:
    """The request key: what the request itself says, else its header."""
    meta = params.get(_META)
    return meta.get(KEY, header) if isinstance(meta, dict) else header


def _numbered(key: str | None, at: int) -> str | None:
    """The key of one request of a batch: the header is one for all of them."""
    return None if key is None else f"{key}:{at}"


def _failed(number: str | int | float | None, error: dict[str, Any]) -> str:
    return json_text({"jsonrpc": "2.0", "error": error, "id": number})


def _response(done: _Done, failed: str = "") -> Response:
    headers = {"X-Redacted": _shortened(done.redacted)} if done.redacted else {}
    headers |= {UNEMBEDDED: str(done.searched.unembedded)} if done.searched.unembedded else {}
    headers |= {BY_WORDS: "true"} if done.searched.by_words else {}
    headers |= {WEAK: "true"} if done.searched.weak else {}
    headers |= {MORE: done.searched.more} if done.searched.more else {}
    headers |= {NOT_RERANKED: "true"} if done.searched.not_reranked else {}
    headers |= {ERROR: failed} if failed else {}
    if done.answer is None:
        return Response(status_code=204, headers=headers)
    return Response(done.answer, headers=headers, media_type="application/json")


def _shortened(redacted: Sequence[dict[str, Any]]) -> str:
    """Return the redactions as JSON for a header, which has room for the first ones only."""
    size, shown = 0, []
    for found in redacted:
        size += len(json.dumps(found)) + 2
        if size > LONGEST_HEADER:
            break
        shown.append(found)
    return json.dumps(shown)
