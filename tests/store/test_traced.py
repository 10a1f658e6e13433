"""Transactions within a call that is being traced."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from opentelemetry.sdk.trace import TracerProvider

import apart
from indelible import tracing
from indelible.core.context.context import Context
from indelible.store.copy import tenant_file
from indelible.store.copy.tables import NAMED, Copy
from indelible.store.sqlite.connection import SqliteTransaction
from indelible.store.sqlite.database import SqliteDatabase
from open_stores import OpenTenant

pytestmark = pytest.mark.process

RECORD = NAMED["record"]


@pytest.fixture
def traced() -> Iterator[None]:
    tracing.start(TracerProvider())
    try:
        with tracing.span("a call"):
            yield
    finally:
        tracing.stop()


@pytest.mark.usefixtures("traced")
def test_what_names_no_query_has_the_connection_too(tmp_path: Path, open_tenant: OpenTenant) -> None:
    ctx: Context = open_tenant(7_500)
    apart.call(ctx, "store_memory", content="the quoll")
    with ctx.store.read() as tx:
        assert Copy(ctx.store, tx).count(RECORD) == 1
    tenant_file.backup(ctx.store, tmp_path / "copy.db")
    file = SqliteDatabase(tmp_path / "copy.db")
    with file.read() as tx:
        assert not isinstance(tx, SqliteTransaction)  # but one whose statements are spans
        assert Copy(file, tx).count(RECORD) == 1
    file.close()
