"""The interface of a client's transport to a server."""

from collections.abc import Mapping
from pathlib import Path
from typing import Any, Protocol

KEY = "indelible/key"  # in a request's _meta: the request key of a write, as `server/mcp/server.py` reads it
ERROR = "indelible/error"  # in the _meta of an MCP result that is an error: its code
ERROR_HEADER = "X-Indelible-Error"  # the same over /jsonrpc, for a failure that is documented as a result


class Transport(Protocol):
    """A way to a server. Safe to share between threads.

    `target` says which store, project and caller it leads to: writes that wait for one are never sent to another. It
    holds no secret. `home` is the data directory below which they wait. `largest` is how many bytes a call may have,
    None where only the server knows.
    """

    target: str
    home: Path
    largest: int | None

    def call(self, tool: str, arguments: Mapping[str, Any], key: str | None, timeout: float) -> Any:
        """One attempt: the tool's documented value.

        Raises Failure for what passes, the errors of `indelible.errors` for what the server refused.
        """

    def probe(self, timeout: float) -> None:
        """Return where the server answers. Raises Failure, or Unauthorized and the like where it does not know us."""

    def close(self) -> None:
        """Let the server go."""
