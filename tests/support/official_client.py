"""Sessions of the official SDK's client over stdio and over HTTP, in both eras of the protocol."""

from __future__ import annotations

import sys
from collections.abc import Awaitable, Callable, Mapping
from pathlib import Path
from typing import TypeVar

import anyio
import httpx2
import mcp
from mcp.client.stdio import StdioServerParameters, stdio_client
from mcp.client.streamable_http import streamable_http_client

from mcp_client import environment

T = TypeVar("T")

MODES = ["legacy", "auto", "2026-07-28"]  # how the client negotiates the version


def in_session(data: Path, mode: str, talk: Callable[[mcp.Client], Awaitable[T]]) -> T:
    """What `talk` returns of a session with a server on a data directory."""
    parameters = StdioServerParameters(
        command=sys.executable,
        args=["-m", "indelible", "serve", "--data", str(data)],
        cwd=str(data.parent),
        env=environment(),
    )

    async def session() -> T:
        async with mcp.Client(stdio_client(parameters), mode=mode) as client:
            return await talk(client)

    return anyio.run(session)


def over_http(
    url: str, mode: str, talk: Callable[[mcp.Client], Awaitable[T]], headers: Mapping[str, str] | None = None
) -> T:
    """What `talk` returns of a session with the server at an address."""

    async def session() -> T:
        http = httpx2.AsyncClient(headers=headers, timeout=50)
        async with http, mcp.Client(streamable_http_client(url, http_client=http), mode=mode) as client:
            return await talk(client)

    return anyio.run(session)
