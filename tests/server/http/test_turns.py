"""Threads of which there are few: nobody waits for one behind all who came before."""

from __future__ import annotations

import threading
from collections.abc import ItemsView, Iterator
from pathlib import Path

import anyio
import anyio.to_thread
import pytest

from command_line import opened
from indelible.admin import tokens
from indelible.core.context.context import Context
from indelible.errors import StoreError
from indelible.server.http import auth
from indelible.server.http.tenants import Bearer, Tenants


@pytest.fixture
def ctx(tmp_path: Path) -> Iterator[Context]:
    with opened(tmp_path / "data") as ctx:
        yield ctx


def test_who_waits_behind_others_for_a_store_that_does_not_answer_is_told_so_in_time(ctx: Context) -> None:
    """A look waits for a database that is away; nobody waits for the looks of all that came before."""
    secret = tokens.create(ctx, "ann", "read").secret
    entered, gate = threading.Semaphore(0), threading.Event()

    class Headers(dict[str, str]):
        def items(self) -> ItemsView[str, str]:
            if threading.current_thread() is not threading.main_thread():  # where it is looked up
                entered.release()
                gate.wait()
            return super().items()

    async def talk() -> None:
        asking = auth.Authentication(Tenants(ctx))
        found: list[Bearer] = []

        async def ask() -> None:
            found.append(await asking.bearer(Headers(authorization=f"Bearer {secret}")))

        async with anyio.create_task_group() as group:
            for _ in range(4):
                group.start_soon(ask)
                await anyio.to_thread.run_sync(entered.acquire)
            asking.wait = 0.01
            with pytest.raises(StoreError, match="other requests wait"):
                await asking.bearer({"authorization": f"Bearer {secret}"})
            gate.set()
        assert [each.grant.scope for each in found] == ["read"] * 4

    anyio.run(talk)
