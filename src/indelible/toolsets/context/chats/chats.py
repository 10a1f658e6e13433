"""Logging chat messages by conversation, and linking them to the chunks of documents that they are about.

A message's type is its role, its key the caller's id or `msg_<n>`. Its metadata holds `number`, `conversation`, and if
given `agent_name`, `source_tool` and the caller's own `metadata`. A message that only a link has named is empty.
"""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any, Literal, TypedDict

from indelible.core.context import ids, numbers, quota
from indelible.core.context.context import Context
from indelible.core.context.ids import number_of as number_in
from indelible.core.context.session import refuse_long
from indelible.core.context.write_scope import namespace_to_write
from indelible.core.recall.returned import noted, returned
from indelible.core.records import insert
from indelible.dataclass import dataclass
from indelible.errors import Conflict, InvalidInput, NotFound
from indelible.model import Record
from indelible.search import tokens
from indelible.store.database import Transaction
from indelible.store.tables import records
from indelible.store.views import chats, documents
from indelible.store.views import chunk_links as links
from indelible.store.views.chats import MESSAGE, number_of
from indelible.toolsets.context.chats import chunk_links

Role = Literal["user", "assistant", "system"]
CHUNK = "chunk"


@dataclass(frozen=True, slots=True)
class NewMessage:
    """A message to be logged, for the server's project; without an id it gets one."""

    content: str
    conversation: str
    role: Role = "user"
    agent: str | None = None
    tool: str | None = None
    metadata: Mapping[str, Any] | None = None
    id: str | None = None


class Logged(TypedDict):
    """The answer to a log: the message's id, its number, and the numbers of the linked chunks, nearest first."""

    id: str
    number: int
    chunks: list[int]


@dataclass(frozen=True, slots=True)
class LinkedChunk:
    """A chunk that a message is about: the numbers of chunk and document, and their similarity, 0..1."""

    number: int
    document: int
    text: str
    strength: float


@dataclass(frozen=True, slots=True)
class _Prepared:
    """A message with the data that is computed before the transaction, to keep that short.

    `about` is None where there is nothing to link.
    """

    new: NewMessage
    terms: dict[int, int]
    about: chunk_links.Strengths | None


# --- Logging ---


def log(ctx: Context, new: NewMessage) -> Logged:
    """Store a message and link it to the chunks that it is about by its words.

    It is linked again by its meaning when it is embedded. A repeated message with the same id is not stored again.
    Raises InvalidInput for ids that are too long, and Conflict if the project has a different message of that id.
    """
    refuse_long(new.conversation, "conversation_id")
    if new.id is not None:
        refuse_long(new.id, "message_id")
    prepared = _prepared(ctx, new)

    def work(tx: Transaction) -> Logged:
        namespace = namespace_to_write(ctx, tx, None)
        there = _named(ctx, tx, new.id, namespace)
        if there is not None and there.text:
            _refuse_other(there, new)
            return _answer(ctx, tx, there)
        return _answer(ctx, tx, _keep(ctx, tx, prepared, namespace, there))

    answer = ctx.write(work)
    ctx.call.touched.append(answer["id"])
    return answer


def conversation_of(message: Record) -> str:
    """Return the conversation of a message, "" if it has none."""
    given = message.metadata.get("conversation")
    return given if isinstance(given, str) else ""


def _prepared(ctx: Context, new: NewMessage) -> _Prepared:
    text_terms = tokens.terms(new.content)
    with ctx.store.read() as tx:
        there = _named(ctx, tx, new.id, ctx.scope(tx).own)
        linked = [] if there is None else [chunk.id for chunk in links.of_message(tx, there.id)]
        any_chunk = links.any_chunk(tx)
    if not any_chunk or (there is not None and there.text):
        return _Prepared(new, text_terms, None)
    return _Prepared(new, text_terms, chunk_links.about(ctx, new.content, linked))


def _named(ctx: Context, tx: Transaction, key: str | None, namespace: str) -> Record | None:
    """Return the message of an id in a project, under any alias of the project."""
    found = [] if key is None else [r for r in records.by_key(tx, key) if r.kind == MESSAGE]
    same = ctx.scope(tx).of_project(namespace, {record.namespace for record in found})
    return next((record for record in found if record.namespace in same), None)


def _refuse_other(there: Record, new: NewMessage) -> None:
    if (there.text, there.type, conversation_of(there)) != (new.content, new.role, new.conversation):
        raise Conflict(
            f"message_id {there.key!r} is another message of this project ({there.type} in conversation "
            f"{conversation_of(there)!r}), and messages cannot be changed; give a new id, or none to get one"
        )


def _keep(ctx: Context, tx: Transaction, prepared: _Prepared, namespace: str, empty: Record | None) -> Record:
    """Store a message, replacing the empty one that a link created for its id."""
    new, now = prepared.new, ctx.now()
    optional = {
        "conversation": new.conversation,
        "agent_name": new.agent,
        "source_tool": new.tool,
        "metadata": new.metadata,
    }
    metadata = {name: value for name, value in optional.items() if value is not None}
    made = replace(
        _empty(ctx, tx, new.id, namespace) if empty is None else empty,
        type=new.role,
        text=new.content,
        session=chats.session_of(new.conversation),
        position=now,
        created=now,
        updated=now,
    )
    later = {} if prepared.about is None else {links.LINKED: links.BY_WORDS}
    made = replace(made, metadata={**made.metadata, **metadata, **later})
    if empty is None:
        made = insert.add(ctx, tx, made, prepared.terms)
    else:
        ctx.take_room(tx, 0, lambda: quota.size_of([made]))
        chats.fill(tx, made)
        insert.index_words(ctx, tx, made, prepared.terms)
    chunk_links.put(ctx, tx, made.id, prepared.about or {})
    return made


def _empty(ctx: Context, tx: Transaction, key: str | None, namespace: str) -> Record:
    """Create an empty message with a new number and a free id."""
    (number,) = numbers.take(ctx, tx, 1)
    while key is None and _is_taken(ctx, tx, chats.key_of(number)):
        (number,) = numbers.take(ctx, tx, 1)
    return insert.new(
        ctx,
        MESSAGE,
        "",
        key=chats.key_of(number) if key is None else key,
        namespace=namespace,
        metadata={"number": number},
        session="",
    )


def _is_taken(ctx: Context, tx: Transaction, key: str) -> bool:
    return any(record.kind == MESSAGE for record in records.by_key(tx, key))


def _answer(ctx: Context, tx: Transaction, message: Record) -> Logged:
    chunks = links.of_message(tx, message.id)
    return {"id": message.key, "number": number_of(message), "chunks": [number_in(chunk.key) or 0 for chunk in chunks]}


# --- Links ---


def link(ctx: Context, message_id: str, chunk_numbers: Sequence[int]) -> int:
    """Link a message to chunks and return the number of new links. An unknown message is created empty.

    Raises InvalidInput for an id that is too long or no chunks at all, and NotFound for an unknown chunk; nothing is
    written then.
    """
    refuse_long(message_id, "message_id")
    earlier = ctx.earlier_answer()
    if earlier is not None:  # the chunks may have been deleted since
        return int(earlier)
    if not chunk_numbers:
        raise InvalidInput(
            "chunk_ids must name at least one chunk, got []; chunk_ids of store_memory names a document's"
        )
    with ctx.store.read() as tx:
        chunks = _chunks(ctx, tx, chunk_numbers)
        message = _linkable(ctx, tx, message_id)
    found, known = chunk_links.strengths(ctx, message, chunks)

    def work(tx: Transaction) -> int:
        message = _linkable(ctx, tx, message_id)
        if message is None:
            empty = _empty(ctx, tx, message_id, namespace_to_write(ctx, tx, None))
            message = insert.add(ctx, tx, empty)
        now, ids = ctx.now(), _chunks(ctx, tx, chunk_numbers)
        created = sum(links.add(tx, message.id, chunk, found.get(chunk, 1.0), now) for chunk in ids)
        if created and not known:
            chunk_links.measure_later(ctx, tx, message)
        return created

    created = ctx.write(work)
    ctx.call.touched.append(message_id)
    return created


def links_of(ctx: Context, message_id: str) -> list[LinkedChunk]:
    """Return the chunks that a message is linked to, nearest first, then newest; none for an unknown message."""
    with ctx.store.read() as tx:
        message = _message(ctx, tx, message_id)
        found = [] if message is None else links.of_message(tx, message.id)
    noted(ctx, (chunk.id for chunk in found), [message_id, *(ids.shown_key(CHUNK, chunk.key) for chunk in found)])
    return [
        LinkedChunk(
            number=number_in(chunk.key) or 0,
            document=number_in(documents.key_of(chunk.session)) or 0,
            text=chunk.text,
            strength=chunk.strength,
        )
        for chunk in found
    ]


def messages_of(ctx: Context, chunk_number: int) -> list[Record]:
    """Return the messages that are linked to a chunk, newest first; none for an unknown chunk."""
    with ctx.store.read() as tx:
        chunks = links.chunks(tx, [chunk_number])
        found = [message for chunk in chunks.values() for message in links.of_chunk(tx, chunk)]
    returned(ctx, found)
    return found


def of_tool(ctx: Context, tool: str, limit: int) -> list[Record]:
    """Return the newest messages that came from a tool (or program), newest first."""
    with ctx.store.read() as tx:
        found = chats.of_tool(tx, tool, limit)
    returned(ctx, found)
    return found


def _message(ctx: Context, tx: Transaction, given: str) -> Record | None:
    """Return the message of an id, preferably the own project's."""
    return next((record for record in ids.candidates(ctx, tx, given) if record.kind == MESSAGE), None)


def _linkable(ctx: Context, tx: Transaction, given: str) -> Record | None:
    """Return the message that a link of this project refers to: its own, or any with a generated (unique) id.

    Ids that callers gave in other projects are ignored.
    """
    message = _message(ctx, tx, given)
    if message is None or message.key == chats.key_of(number_of(message)):
        return message
    own = ctx.scope(tx).own_among({message.namespace})
    return message if message.namespace in own else None


def _chunks(ctx: Context, tx: Transaction, numbers: Sequence[int]) -> list[int]:
    """Return the row ids of chunks, each once. Raises NotFound."""
    found = links.chunks(tx, numbers)
    for number in numbers:
        if number not in found:
            raise NotFound(
                f"chunk_ids: chunk {number} is unknown, and nothing was linked; chunk_ids of store_memory and "
                "chunk_id of retrieve_memory name chunks"
            )
    return [found[number] for number in dict.fromkeys(numbers)]
