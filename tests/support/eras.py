"""A server spoken to in either era of the protocol."""

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from mcp_client import McpClient

ERAS = ("2025", "2026")
MODERN = {  # what every request of the 2026 era carries in `_meta`
    "io.modelcontextprotocol/protocolVersion": "2026-07-28",
    "io.modelcontextprotocol/clientCapabilities": {},
}


class ModernClient(McpClient):
    """A client of the 2026 era: no handshake, the version stands in every request."""

    def request(self, method: str, params: Mapping[str, Any] | None = None) -> dict[str, Any]:
        return super().request(method, {"_meta": MODERN, **(params or {})})


@contextmanager
def speaking(era: str, data: Path, *options: str, **how: Any) -> Iterator[McpClient]:
    """A client of that era; its server is started for it."""
    if era == "2025":
        with McpClient(data, *options, **how) as client:
            yield client
        return
    client = ModernClient(data, *options, **how)
    try:
        yield client
    finally:
        client.close()
