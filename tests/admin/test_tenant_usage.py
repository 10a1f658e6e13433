"""What an operator is told of the tenants of a database: records, bytes, calls by month; and who may see them all."""

from __future__ import annotations

from contextlib import closing
from dataclasses import replace
from datetime import UTC, datetime

import pytest

import apart
import tenant_rows
from indelible.admin import tenant_usage
from indelible.errors import InvalidInput, NotFound, StoreError
from indelible.settings import Settings
from indelible.store.postgres.database import open_postgres
from indelible.store.tables import events, records
from indelible.store.views.usage import Month, Stored
from open_stores import OpenTenant
from samples import record

pytestmark = pytest.mark.process
DAY = 86_400_000_000


def test_records_bytes_and_calls_are_those_of_the_tenant_by_month(open_tenant: OpenTenant) -> None:
    clock = apart.Clock()
    one, other = (replace(open_tenant(tenant), clock=clock) for tenant in (7_200, 7_201))
    for month, texts in ((3, ("the quoll", "the bilby")), (4, ("the numbat",))):
        clock.now = datetime(2026, month, 1, 12, tzinfo=UTC)
        for text in texts:
            apart.call(one, "store_memory", content=text)
    with pytest.raises(NotFound):
        apart.call(one, "delete_memory", id="nothing")
    apart.call(other, "list_todos")
    for ctx in (one, other):
        ctx.write_behind.flush()
    found = tenant_usage.of_one(one)
    assert (found.tenant, found.stored.records) == (7_200, 3)
    assert found.months == (Month("2026-03", 2, 0), Month("2026-04", 2, 1))
    assert tenant_usage.of_one(other).stored == Stored(0, 0)
    assert tenant_usage.of_one(other).months == (Month("2026-04", 1, 0),)
    one.store.write(lambda tx: events.fold(tx, one.now() + DAY, most=0))  # into counts by day
    assert tenant_usage.of_one(one) == found
    assert [each.tenant for each in tenant_usage.of_all(one) if each.tenant in (7_200, 7_201)] == [7_200]


def test_a_serving_role_is_shown_one_tenant_and_the_owner_all(administrator: str) -> None:
    own, serve = tenant_rows.store(administrator, "tenants_seen")
    with closing(open_postgres(serve, "tenants_seen", tenant=5)) as serving:
        serving.write(lambda tx: records.insert(tx, record("k")))
        with pytest.raises(StoreError, match="shows this role one tenant at a time; name one, or connect as the role"):
            serving.tenants()
        for url in (own, administrator):
            with closing(open_postgres(url, "tenants_seen", tenant=1)) as seeing:
                assert seeing.tenants() == [5]
        with serving.read() as tx:  # which is kept from the others again
            assert tx.rows("usage.stored")[0][0] == 1
    with closing(open_postgres(own, "tenants_seen", tenant=6)) as store, store.read() as tx:
        assert tx.rows("usage.stored")[0][0] == 0


def test_a_file_has_no_tenants(tmp_path_factory: pytest.TempPathFactory) -> None:
    settings = Settings(data=tmp_path_factory.mktemp("no"))
    object.__setattr__(settings, "database", "")
    with pytest.raises(
        InvalidInput, match="`tenant quota` is for the tenants of a PostgreSQL database, and this store"
    ):
        tenant_usage.refuse_file(settings, "tenant quota")
