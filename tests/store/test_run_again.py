"""What a call says and stores is the same where the server undid each of its transactions once."""

import json
from contextlib import closing

import psycopg
import pytest

from indelible.core.context.context import open_context
from indelible.core.records import exporting
from indelible.settings import Settings
from indelible.toolsets import registry
from indelible.toolsets.memory import importing, namespaces
from indelible.transfer import memory_jsonl

pytestmark = pytest.mark.process

# A sequence is not undone: every other transaction that changes a record or a relation fails when it is committed.
UNDO = """
CREATE SEQUENCE tries;
CREATE FUNCTION undo() RETURNS trigger LANGUAGE plpgsql SET search_path FROM CURRENT AS $$
BEGIN
  IF current_setting('test.seen', true) IS DISTINCT FROM 'yes' THEN
    PERFORM set_config('test.seen', 'yes', true);
    IF nextval('tries') % 2 = 1 THEN
      RAISE EXCEPTION 'undone once' USING ERRCODE = '40001';
    END IF;
  END IF;
  RETURN NULL;
END
$$;
CREATE CONSTRAINT TRIGGER undone_record AFTER INSERT OR UPDATE OR DELETE ON record
  DEFERRABLE INITIALLY DEFERRED FOR EACH ROW EXECUTE FUNCTION undo();
CREATE CONSTRAINT TRIGGER undone_edge AFTER INSERT OR UPDATE OR DELETE ON edge
  DEFERRABLE INITIALLY DEFERRED FOR EACH ROW EXECUTE FUNCTION undo();
"""


@pytest.fixture
def contexts(postgres_url, new_schema, tmp_path):
    """A store as any other, and one whose server undoes every transaction once."""
    opened = []
    for undoes in (False, True):
        schema = new_schema()
        settings = Settings(data=tmp_path / schema, database=postgres_url, start=tmp_path, home=tmp_path)
        opened.append(open_context(settings, schema=schema))
        if undoes:
            with psycopg.connect(postgres_url) as server:
                server.execute(f'SET search_path = "{schema}"')
                server.execute(UNDO)
    with closing(opened[0]), closing(opened[1]):
        yield opened


def both(contexts, do):
    """What it says with each; the server has undone something for the second."""
    plain, undone = contexts
    with undone.store.read() as tx:
        before = tx.connection.execute("SELECT last_value FROM tries").fetchall()
    said = do(plain), do(undone)
    with undone.store.read() as tx:
        assert tx.connection.execute("SELECT last_value FROM tries").fetchall() > before  # else this shows nothing
    return said


def call(ctx, tool, **arguments):
    return registry.call(ctx, registry.find_tool(tool), arguments).value


def everything(ctx):
    """What an export tells; ids that are drawn by lot are told by what they stand for."""
    items = json.loads(json.dumps(list(exporting.export_all(ctx))))
    named = {item["id"]: item["content"] for item in items}
    text = json.dumps([{**item, "created_at": 0, "updated_at": 0} for item in items], sort_keys=True)
    for id_, content in named.items():
        text = text.replace(f'"{id_}"', json.dumps(f"id of {content}"))
    return json.loads(text)


GUIDE = "\n\n".join(f"# {animal}\n\n" + f"The {animal} live in house {at}. " * 20 for at, animal in enumerate("abcd"))


@pytest.fixture
def things(postgres_url, new_schema, tmp_path):
    """What another store exports, in an order in which chunks come before their document, with some that are bad."""
    settings = Settings(data=tmp_path / "source", database=postgres_url, start=tmp_path, home=tmp_path)
    with closing(open_context(settings, schema=new_schema())) as ctx:
        ids = [call(ctx, "store_memory", content=f"note {at}")["id"] for at in range(40)]
        call(ctx, "store_memory", content=GUIDE, file_name="guide.md")
        for at in range(0, 40, 4):
            call(
                ctx,
                "associate_memories",
                source_id=ids[at],
                target_id=ids[39 - at],
                relationship="RELATES_TO",
                weight=1,
            )
        items = json.loads(json.dumps(list(exporting.export_all(ctx))))
    items.sort(key=lambda item: (item["kind"] == "document", item["kind"] != "chunk"))
    items[20:20] = [{"content": 5}, items[15], {"content": "of nothing", "kind": "no such kind"}]
    return items


def test_an_import_says_and_stores_the_same(contexts, things):
    def do(ctx):
        done = importing.import_items(ctx, things)
        return len(done.ids), done.repeated, done.errors

    first, second = both(contexts, do)
    assert first == second
    assert first[0] > 40
    assert first[1] >= 1
    assert len(first[2]) == 2
    assert everything(contexts[0]) == everything(contexts[1])
    for ctx in contexts:
        again = importing.import_items(ctx, things)
        assert (again.ids, len(again.errors)) == ([], 2)


def test_a_file_of_the_reference_server_says_and_stores_the_same(contexts):
    entities = [{"type": "entity", "name": f"e{at}", "entityType": "t", "observations": [f"o{at}"]} for at in range(40)]
    relations = [{"type": "relation", "from": f"e{at}", "to": f"e{at * 2}", "relationType": "r"} for at in range(1, 40)]
    content = "\n".join(json.dumps(line) for line in entities + relations).encode()
    first, second = both(contexts, lambda ctx: memory_jsonl.import_content(ctx, content, None))
    assert first == second
    assert (first.entities, first.relations, len(first.problems)) == (40, 19, 20)
    assert [list(memory_jsonl.export_lines(ctx)) for ctx in contexts] == [
        list(memory_jsonl.export_lines(contexts[0]))
    ] * 2


def test_what_goes_with_a_namespace_is_the_same(contexts):
    def do(ctx):
        for at in range(5):
            call(ctx, "store_memory", content=f"note {at}", namespace="/project")
        deleted = sum(namespaces.delete(ctx, "/project", confirm=True).values())
        return deleted, len(set(ctx.call.touched)), len(ctx.call.touched), everything(ctx)

    assert both(contexts, do) == ((5, 5, 5, []), (5, 5, 5, []))
