"""The short ids that are shown for records, of several with one query."""

import pytest

from indelible.core.context import ids
from indelible.errors import Conflict
from indelible.store.tables import records

ONE, OTHER = "5a0d4fa9-6cf8-4b43-9a6a-0d4e1ac1f5f1", "5a0d4fa9-6cf8-4b43-9a6a-0d4e1ac1f5f2"
ALONE = "7c1e93b2-11aa-4c0e-bc55-91f6a7a0c001"
DELETED, LIKE_ONE = "99999999-11aa-4c0e-bc55-91f6a7a0c001", "5a0d4fa9-0000-4c0e-bc55-91f6a7a0c001"
NAMES = [ONE, OTHER, ALONE, "my note"]


def imported(memory, *keys, namespace=None):
    memory.import_memories(
        memories=[{"id": key, "content": f"about {key} of {namespace}", "namespace": namespace} for key in keys]
    )


def test_the_beginning_is_shown_where_no_other_memory_has_it(memory):
    imported(memory, *NAMES)
    document = str(memory.store_memory(content="a guide", file_name="guide.md")["resource_id"])
    with memory.context.store.read() as tx:
        found = [ids.find(memory.context, tx, "id", name) for name in (*NAMES, document)]
        shown = list(ids.shorts(tx, found).values())
        assert shown == [ONE, OTHER, ALONE[:8], "my note", f"document:{document}"]
        assert shown == [ids.short(tx, record) for record in found]


def test_of_what_is_deleted_any_memory_that_begins_so_is_another(memory):
    imported(memory, ONE, ALONE)
    with memory.context.store.read() as tx:
        named = [("memory", key) for key in (DELETED, LIKE_ONE, ALONE, ALONE)]
        assert ids.shorts_shown(tx, [*named, ("document", "3")]) == [
            DELETED[:8],
            LIKE_ONE,
            ALONE[:8],
            ALONE[:8],
            "doc_3",
        ]
        assert ids.shorts_shown(tx, []) == []


def test_one_memory_in_two_projects_is_no_other_and_hides_none(memory):
    imported(memory, ONE, ALONE, namespace="/a")
    imported(memory, ONE, ALONE, namespace="/b")
    imported(memory, OTHER, namespace="/c")
    with memory.context.store.read() as tx:
        assert len(records.by_key(tx, ONE)) == 2
        assert ids.shorts_shown(tx, [("memory", ALONE), ("memory", ONE)]) == [ALONE[:8], ONE]


def test_the_beginning_names_one_memory_that_two_projects_have(memory):
    imported(memory, ONE, ALONE, namespace="/a")
    imported(memory, ONE, ALONE, namespace="/b")
    imported(memory, OTHER, namespace="/c")
    with memory.context.store.read() as tx:
        assert ids.find(memory.context, tx, "id", ALONE[:8]).namespace == "/a"
        with pytest.raises(Conflict, match=f"such as {ONE} and {OTHER}"):
            ids.find(memory.context, tx, "id", ONE[:8])
