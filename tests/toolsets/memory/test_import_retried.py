"""An import that a process did not live to answer, sent again under its request key, says what both brought."""

import pytest

from indelible.errors import Conflict
from indelible.toolsets.memory import importing


class _KilledError(Exception):
    pass


def _killed_in(monkeypatch, memory, name: str, lived: int, **arguments) -> None:
    """Make a call in a process that ends in the transaction after so many of that function."""
    left, whole = iter(range(lived)), getattr(importing, name)

    def until(*given):
        if next(left, None) is None:
            raise _KilledError
        return whole(*given)

    with monkeypatch.context() as patch:
        patch.setattr(importing, name, until)
        with pytest.raises(_KilledError):
            memory.call("import_memories", **arguments)


@pytest.mark.parametrize(("name", "lived"), [("_store_batch", 0), ("_store_batch", 2), ("_store_relations", 1)])
def test_what_was_added_before_the_end_counts_as_imported_with_its_id(memory, monkeypatch, name, lived):
    memory.call("import_memories", memories=[{"id": "m-5", "content": "fact 5", "namespace": "n"}])
    items = [{"id": f"m-{number}", "content": f"fact {number}", "namespace": "n"} for number in range(100)]
    items.append(items[7])
    for number in range(1, 100):
        related = {"source": f"m-{number}", "target": f"m-{number - 1}", "relationship": "RELATES_TO"}
        items[number] = {**items[number], "edges": [related]}
    _killed_in(monkeypatch, memory, name, lived, memories=items, request_key="k")
    result = memory.call("import_memories", memories=items, request_key="k")
    assert (result["imported"], result["skipped"], result["errors"]) == (99, 2, [])
    assert result["ids"] == [f"m-{number}" for number in range(100) if number != 5]
    assert memory.call("import_memories", memories=items, request_key="k") == result
    assert memory.call("import_memories", memories=items, request_key="another")["skipped"] == 101
    exported = memory.call("export_memories", limit=200)
    assert sum(len(each["edges"]) for each in exported) == 2 * 99  # each relation at both of its ends


def test_the_key_of_an_import_that_ended_is_not_that_of_another(memory, monkeypatch):
    items = [{"content": f"fact {number}"} for number in range(40)]
    _killed_in(monkeypatch, memory, "_store_batch", 1, memories=items, request_key="k")
    with pytest.raises(Conflict):
        memory.call("import_memories", memories=items[1:], request_key="k")
