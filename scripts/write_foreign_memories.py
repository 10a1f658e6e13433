"""Write 600 memories with another program's own code, to try `indelible import --from NAME PATH` on.

Run it in an environment that has the program, without its models and without a network:

    python scripts/write_foreign_memories.py mem0 history.db              mem0ai (2.2.1 was tried)
    python scripts/write_foreign_memories.py mcp-memory-service vec.db    mcp-memory-service (12.4.0), sqlite-vec
    python scripts/write_foreign_memories.py serena .serena               serena-agent (2.1.0)
    python scripts/write_foreign_memories.py basic-memory HOME            basic-memory (0.24.1, with Python 3.12)

Of each 50 are changed and 50 deleted afterwards, so that 550 are left.
"""

import asyncio
import json
import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

COUNT = 600
WHEN = "2026-01-01T00:00:00+00:00"


def _text(number: int) -> str:
    return f"The service {number} listens on port {8_000 + number}"


def _changed(number: int) -> str:
    return f"The service {number} is switched off"


def mem0(path: Path) -> None:
    """Its history: a table of events."""
    from mem0.memory.storage import SQLiteManager  # type: ignore[import-not-found]

    history = SQLiteManager(str(path))
    for number in range(COUNT):
        history.add_history(f"id-{number}", None, _text(number), "ADD", created_at=WHEN)
    for number in range(50):
        history.add_history(f"id-{number}", "", _changed(number), "UPDATE", updated_at=WHEN)
        history.add_history(f"id-{number + 50}", "", None, "DELETE", is_deleted=1)
    history.close()


def mcp_memory_service(path: Path) -> None:
    """Its database; vectors are of the hashes that it falls back to without a model."""
    asyncio.run(_mcp_memory_service(path))


async def _mcp_memory_service(path: Path) -> None:
    from mcp_memory_service.models.memory import Memory  # type: ignore[import-not-found]
    from mcp_memory_service.storage.sqlite_vec import SqliteVecMemoryStorage  # type: ignore[import-not-found]
    from mcp_memory_service.utils.hashing import generate_content_hash  # type: ignore[import-not-found]

    storage = SqliteVecMemoryStorage(str(path))
    await storage.initialize()
    hashes = []
    for number in range(COUNT):
        text = _text(number)
        hashes.append(generate_content_hash(text))
        kind = ("observation", "decision", None)[number % 3]
        tags = [f"n{number % 7}", "with space"]
        memory = Memory(text, hashes[-1], tags, kind, {"n": number}, created_at_iso=WHEN)
        stored, told = await storage.store(memory)
        if not stored:
            raise SystemExit(f"it refused to store: {told}")
    for number in range(50):
        await storage.update_memory_metadata(hashes[number], {"tags": ["changed"], "metadata": {"by": "an update"}})
        await storage.delete(hashes[number + 50])
    storage.conn.close()


def serena(path: Path) -> None:
    """Its memories of a project, in the project's data folder."""
    from serena.memories.memory_manager import MemoryManager  # type: ignore[import-not-found]

    memories = MemoryManager(path.absolute())
    for number in range(COUNT):
        memories.save_memory(f"services/{number % 7}/service_{number}", _text(number), is_tool_context=True)
    for number in range(50):
        name = f"services/{number % 7}/service_{number}"
        memories.edit_memory(name, _text(number), _changed(number), "literal", False, is_tool_context=True)
        memories.delete_memory(f"services/{(number + 50) % 7}/service_{number + 50}", is_tool_context=True)


def basic_memory(path: Path) -> None:
    """Its notes and its list of projects, in a home of their own, through its server for agents."""
    path.mkdir(parents=True, exist_ok=True)
    program = Path(sys.executable).with_name("basic-memory")
    home = {**os.environ, "HOME": str(path.absolute()), "BASIC_MEMORY_SEMANTIC_SEARCH_ENABLED": "false"}
    pipe = subprocess.PIPE
    with subprocess.Popen([program, "mcp"], stdin=pipe, stdout=pipe, stderr=subprocess.DEVNULL, env=home) as server:
        client = {"protocolVersion": "2025-06-18", "capabilities": {}, "clientInfo": {"name": "writer", "version": "1"}}
        _asked(server, "initialize", client)
        _said(server, {"method": "notifications/initialized"})

        def call(tool: str, **arguments: str | list[str]) -> None:
            answer = _asked(server, "tools/call", {"name": tool, "arguments": arguments})
            if answer.get("isError"):
                raise SystemExit(f"{tool} was refused: {answer}")

        for number in range(COUNT):
            content = (
                f"# Service {number}\n\nIt was moved in step {number}.\n\n## Observations\n"
                f"- [port] {_text(number)} #ports (settings)\n\n## Relations\n- calls [[Service {number + 1}]]\n"
            )
            title, directory = f"Service {number}", f"services/{number % 7}"
            call("write_note", title=title, content=content, directory=directory, tags=["ports", f"n{number % 5}"])
        for number in range(50):
            change = {"find_text": _text(number), "content": _changed(number)}
            call("edit_note", identifier=f"Service {number}", operation="find_replace", **change)
            call("delete_note", identifier=f"Service {number + 50}")


def _asked(server: "subprocess.Popen[bytes]", method: str, params: dict[str, Any]) -> dict[str, Any]:
    """Return the result of a request."""
    _said(server, {"id": 1, "method": method, "params": params})
    for line in server.stdout or ():
        answer = json.loads(line)
        if "id" in answer and "method" not in answer:
            return answer.get("result", {"isError": True, **answer})
    raise SystemExit("the server ended")


def _said(server: "subprocess.Popen[bytes]", message: dict[str, Any]) -> None:
    if server.stdin is None:
        raise SystemExit("the server has no input")
    server.stdin.write(json.dumps({"jsonrpc": "2.0", **message}).encode() + b"\n")
    server.stdin.flush()


WRITERS: dict[str, Callable[[Path], None]] = {
    "basic-memory": basic_memory,
    "mem0": mem0,
    "mcp-memory-service": mcp_memory_service,
    "serena": serena,
}


if __name__ == "__main__":
    WRITERS[sys.argv[1]](Path(sys.argv[2]))
