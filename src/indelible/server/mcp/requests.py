"""A request that is no tool call: its work in a thread, its failure a JSON-RPC error, the same in both eras."""

from collections.abc import Callable
from typing import Any, TypeVar

import anyio
import mcp_types as types
from mcp.server.context import ServerRequestContext
from mcp.shared.exceptions import MCPError

from indelible.core.context.call import Caller
from indelible.core.context.context import Context
from indelible.core.context.dispatch import Asked, perform
from indelible.errors import IndelibleError, StoreError
from indelible.server.error_ids import logged_message, public_message
from indelible.server.mcp.progress import in_thread
from indelible.server.responses import LARGEST_MCP, refuse_large
from indelible.store.database import read_again

T = TypeVar("T")
Work = Callable[[Caller], T]
ContextOf = Callable[[ServerRequestContext[Any]], Context]  # of whoever sent a request


async def answered(
    request: ServerRequestContext[Any], limiter: anyio.CapacityLimiter, work: Work[T], data: Any = None
) -> T:
    """Return the result of `work`, which only reads.

    Errors of the caller become -32602 with message and `data`, the rest -32603.
    """

    def run(caller: Caller) -> T:
        try:
            done = read_again(lambda: work(caller))
            if isinstance(done, str) and is_remote(request):
                refuse_large(done, LARGEST_MCP)
            return done
        except StoreError as error:
            raise MCPError(types.INTERNAL_ERROR, words(request, error), data) from None
        except IndelibleError as error:
            raise MCPError(types.INVALID_PARAMS, str(error), data) from None
        except Exception as error:  # noqa: BLE001 - of this door, as `answer` of tool calls: an id out, the rest logged
            raise MCPError(types.INTERNAL_ERROR, logged_message(request.method, error)) from None

    return await in_thread(request, run, limiter)


def is_remote(request: ServerRequestContext[Any]) -> bool:
    """Return whether a request came over HTTP."""
    return request.request is not None


def words(request: ServerRequestContext[Any], error: IndelibleError) -> str:
    """Return the message of an error for the caller of a request."""
    return public_message(request.method, error) if is_remote(request) else str(error)


def logged(
    ctx: Context, name: str, arguments: dict[str, Any], caller: Caller, run: Callable[[Context, dict[str, Any]], T]
) -> T:
    """Run a request that returns memories as a tool call runs: its arguments admitted, an event logged."""
    done: T = perform(ctx, Asked(name, arguments, caller=caller), run).value
    return done
