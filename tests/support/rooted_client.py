"""An MCP client of the 2025 era that offers its open folders (roots), as editors do."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

from mcp_client import PROTOCOL, McpClient


class RootedClient(McpClient):
    """A client that answers `roots/list` with these URIs; with None it never does, with an exception it refuses."""

    def __init__(self, data: Path, *options: str, roots: Sequence[str] | Exception | None, **how: Any) -> None:
        self.roots = roots
        self.asked = 0
        super().__init__(data, *options, **how)

    def initialize(self) -> dict[str, Any]:
        """The handshake, which offers roots."""
        capabilities = {"roots": {"listChanged": True}}
        client = {"name": "tests", "version": "1"}
        params = {"protocolVersion": PROTOCOL, "capabilities": capabilities, "clientInfo": client}
        said = self.request("initialize", params)
        self.send({"jsonrpc": "2.0", "method": "notifications/initialized"})
        return said

    def change(self, roots: Sequence[str]) -> None:
        """Open other folders."""
        self.roots = roots
        self.send({"jsonrpc": "2.0", "method": "notifications/roots/list_changed"})

    def takes(self, message: dict[str, Any]) -> bool:
        """Answer the server's question."""
        if message.get("method") != "roots/list":
            return False
        self.asked += 1
        answer: dict[str, Any] = {"jsonrpc": "2.0", "id": message["id"]}
        if isinstance(self.roots, Exception):
            self.send({**answer, "error": {"code": -32603, "message": str(self.roots)}})
        elif self.roots is not None:
            self.send({**answer, "result": {"roots": [{"uri": uri} for uri in self.roots]}})
        return True
