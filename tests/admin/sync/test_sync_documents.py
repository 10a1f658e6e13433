"""Documents of machines that sync: their passages are of one version, and a name is one document's."""

from opentelemetry.sdk.trace import TracerProvider
from opentelemetry.sdk.trace.export import SimpleSpanProcessor
from opentelemetry.sdk.trace.export.in_memory_span_exporter import InMemorySpanExporter

from indelible import tracing
from indelible.admin.checks import chunks
from indelible.core.context.call import Call
from indelible.core.records import history, undo
from indelible.store.tables import records
from indelible.store.views import documents as stored
from indelible.toolsets.context.documents import documents
from synced import Machine, met


def test_a_document_that_both_changed_has_the_passages_of_one_version(two):
    one, other, place = two
    parts = [f"# Part {number}\n\n" + f"Sentence {number} of the manual. " * 40 for number in range(4)]

    def store(each: Machine, *texts: str) -> None:
        documents.store(each.memory.context, documents.NewDocument("manual.md", "\n\n".join(texts)))

    store(one, *parts)
    met(one, other, place=place)
    store(one, parts[0], parts[1].replace("manual", "handbook"), *parts[2:])
    store(other, parts[0], parts[1], parts[3].replace("manual", "book"))
    one.meet(place)
    other.meet(place)
    met(one, other, place=place)
    for each in (one, other):
        with each.memory.context.store.read() as tx:
            (document,) = records.newest(tx, "document", None)
            assert chunks.fits(document, stored.chunks(tx, document.key))


def test_of_two_documents_of_one_name_the_newer_stays(two):
    one, other, place = two
    for each, words in ((one, "handbook"), (other, "manual")):
        text = "\n\n".join(f"# Part {number}\n\n" + f"Sentence of the {words}. " * 60 for number in range(3))
        documents.store(each.memory.context, documents.NewDocument("manual.md", text))
    other.call("store_memory", content="The deploy needs the vault")
    for _ in range(3):
        met(one, other, place=place)
    for each in (one, other):
        with each.memory.context.store.read() as tx:
            (document,) = records.newest(tx, "document", None)
            assert chunks.fits(document, stored.chunks(tx, document.key))
            assert "handbook" in document.text
        done = each.meet(place)
        assert (done.noted, done.taken.waiting, done.problems) == (0, [], [])


def test_a_passage_without_its_document_is_looked_for_once_and_deleted_everywhere(two):
    one, other, place = two
    documents.store(one.memory.context, documents.NewDocument("manual.md", "The manual says how it is done."))
    met(one, other, place=place)
    with one.memory.context.store.read() as tx:
        (document,) = records.newest(tx, "document", None)
    one.memory.context.store.write(lambda tx: records.delete(tx, document.id))
    spans, provider = InMemorySpanExporter(), TracerProvider(shutdown_on_exit=False)
    provider.add_span_processor(SimpleSpanProcessor(spans))
    tracing.start(provider)
    try:
        with tracing.span("sync"):
            one.meet(place)
    finally:
        tracing.stop()
    assert [span.name for span in spans.get_finished_spans()].count("soundness.orphan_chunks") == 1
    other.meet(place)
    for each in (one, other):
        assert each.ids("chunk") == []
        assert each.meet(place).noted == 0


def test_the_undo_of_a_sync_gives_a_document_its_name_back_and_another_undo_takes_it(two):
    one, other, place = two
    newer, older = "The handbook says how it is done now.", "The manual says how it is done."
    for each, text in ((one, newer), (other, older)):
        documents.store(each.memory.context, documents.NewDocument("manual.md", text))
    one.meet(place)
    other.meet(place)
    assert _documents(other) == [("manual.md", newer)]
    for text in (older, newer, older):
        ctx = other.memory.context.for_call(Call(tool="undo"))
        undo.undo(ctx, history.history(ctx)[0]["operation"])
        assert _documents(other) == [("manual.md", text)]


def _documents(one: Machine) -> list[tuple[str, str]]:
    """The names and texts of a machine's documents."""
    with one.memory.context.store.read() as tx:
        return [(each.label, each.text) for each in records.newest(tx, "document", None)]
