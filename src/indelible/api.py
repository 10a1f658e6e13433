"""The interface for Python programs in one process: every tool as a method of an open store."""

from pathlib import Path
from types import TracebackType
from typing import Any

from indelible import tracing
from indelible.admin.embedding_worker import Worker
from indelible.core.context.context import Context, open_context
from indelible.settings import Settings
from indelible.toolsets import registry


class Memory:
    """An open store. `memory.call("recall_memory", query="...")`, or `memory.recall_memory(query="...")`.

    Safe to share between threads. Use as a context manager, or close it: delayed writes (access counts, events) are
    flushed then.
    """

    def __init__(self, ctx: Context):
        self.context = ctx
        self._worker = Worker(ctx)
        self._worker.start()

    def call(self, tool: str, /, *, request_key: str | None = None, **arguments: Any) -> Any:
        """Run a tool by name; the documented value. Raises the errors of `indelible.errors`."""
        return registry.call(self.context, registry.find_tool(tool), arguments, key=request_key).value

    def __getattr__(self, name: str) -> Any:
        if name.startswith("_") or name not in registry.all_tools():
            raise AttributeError(f"Memory has no attribute or tool {name!r}")
        return lambda **arguments: self.call(name, **arguments)

    def close(self) -> None:
        """Write what waits and close the store."""
        self._worker.stop()
        self.context.close()

    def __enter__(self) -> "Memory":
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()


def open_memory(
    data: str | Path | None = None,
    *,
    project: str | None = None,
    read_only: bool = False,
    database: str | None = None,
    tenant: int | None = None,
) -> Memory:
    """Open the store in a data directory (default: the platform's); make it if there is none.

    With the URL of a `database` (default: INDELIBLE_DATABASE) the store is there, `tenant` says whose memory in it, and
    the directory keeps what belongs to this machine. Where the program has set up OpenTelemetry by then, calls are in
    its traces. Raises StoreError where data would not be safe there, Conflict where a newer version wrote the store.
    """
    settings = Settings.load(
        str(data) if data is not None else None,
        project,
        read_only,
        database=database,
        tenant=None if tenant is None else str(tenant),
    )
    tracing.follow_application()
    return Memory(open_context(settings))
