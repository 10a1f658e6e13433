"""Toolset `context`: conversations, and the chunks of documents that their messages are about."""

from typing import Annotated, Any, Literal, NotRequired

from pydantic import Field
from typing_extensions import TypedDict  # pydantic needs this one before Python 3.12

from indelible.clock import time_text
from indelible.core.context.context import Context
from indelible.core.context.session import LONGEST_ID
from indelible.model import Record
from indelible.sanitize.prompt_frame import visible
from indelible.store.views import chats as chats_view
from indelible.toolsets.context.chats import chats
from indelible.toolsets.registry import VISIBLE, WHOLE, tool

Text = Annotated[str, Field(min_length=1), VISIBLE]
Id = Annotated[str, Field(min_length=1, max_length=LONGEST_ID), VISIBLE]
ChunkId = Annotated[int, WHOLE]
MessageId = Annotated[Id, Field(description="From log_chat")]


class LogResult(TypedDict):
    """The answer of log_chat; `context_links` are chunk ids."""

    success: Literal[True]
    message_id: str
    chat_id: int
    context_links: list[int]


class LoggedMessage(TypedDict):
    """One message of get_chats_by_tool."""

    message_id: str
    chat_id: int
    conversation_id: str
    role: str
    content: str
    agent_name: NotRequired[str]
    metadata: NotRequired[dict[str, Any]]
    timestamp: str


class MessagesOfTool(TypedDict):
    """The answer of get_chats_by_tool."""

    success: Literal[True]
    messages: list[LoggedMessage]
    count: int
    source_tool: str


class LinksStored(TypedDict):
    """The answer of store_context_links; `linked_chunks` as they were given."""

    success: Literal[True]
    links_created: int
    message_id: str
    linked_chunks: list[int]


class ContextLink(TypedDict):
    """One chunk that a message is about."""

    chunk_id: int
    content: str
    resource_id: int
    link_strength: float


class LinksOfMessage(TypedDict):
    """The answer of get_context_links_for_message."""

    success: Literal[True]
    message_id: str
    context_links: list[ContextLink]
    total_links: int


class ReferringMessage(TypedDict):
    """One message that is about a chunk."""

    message_id: str
    content: str
    conversation_id: str
    timestamp: str


class MessagesOfChunk(TypedDict):
    """The answer of get_messages_for_chunk."""

    success: Literal[True]
    chunk_id: int
    messages: list[ReferringMessage]
    total_messages: int


@tool("context", "Log a message", writes=True, in_project=True)
def log_chat(
    ctx: Context,
    content: Annotated[Text, Field(description="What was said")],
    conversation_id: Annotated[Id, Field(description="Your id of the conversation")],
    role: Annotated[chats.Role, Field(description="Who said it")] = "user",
    agent_name: Annotated[Text | None, Field(description="Agent that spoke")] = None,
    metadata: Annotated[dict[str, Any] | None, Field(description="Any data to keep")] = None,
    source_tool: Annotated[Text | None, Field(description="Tool or program it came from")] = None,
    message_id: Annotated[Id | None, Field(description="Your id of the message; default: a new one")] = None,
) -> LogResult:
    """Store a message of a conversation, so that later sessions find it, linked to the chunks it is about.

    Call it for what will matter again. Known messages (same message_id) are not stored twice. Secrets are redacted.
    """
    new = chats.NewMessage(content, conversation_id, role, agent_name, source_tool, metadata, message_id)
    logged = chats.log(ctx, new)
    return {
        "success": True,
        "message_id": logged["id"],
        "chat_id": logged["number"],
        "context_links": logged["chunks"],
    }


@tool("context", "Messages of a tool")
def get_chats_by_tool(
    ctx: Context,
    tool_name: Annotated[Text, Field(description="source_tool of log_chat")],
    limit: Annotated[int, Field(ge=1, le=100, description="Maximum messages"), WHOLE] = 10,
) -> MessagesOfTool:
    """List the messages that were logged with this source_tool, newest first, across conversations."""
    found = [_logged(message) for message in chats.of_tool(ctx, tool_name, limit)]
    return {"success": True, "messages": found, "count": len(found), "source_tool": visible(tool_name)}


def _logged(message: Record) -> LoggedMessage:
    logged: LoggedMessage = {
        "message_id": message.key,
        "chat_id": chats_view.number_of(message),
        "conversation_id": visible(chats.conversation_of(message)),
        "role": message.type,
        "content": visible(message.text),
        "timestamp": time_text(message.created),
    }
    agent, own = message.metadata.get("agent_name"), message.metadata.get("metadata")
    if isinstance(agent, str):
        logged["agent_name"] = visible(agent)
    if isinstance(own, dict):
        logged["metadata"] = own
    return logged


@tool("context", "Link a message to chunks", writes=True, idempotent=True)
def store_context_links(
    ctx: Context,
    message_id: Annotated[Id, Field(description="An unknown one is created, empty")],
    chunk_ids: Annotated[list[ChunkId], Field(description="Chunks it used")],
) -> LinksStored:
    """Record which chunks a message used, where log_chat did not find it by itself.

    Repeating it changes nothing. The strength of a link is the similarity of message and chunk.
    """
    created = chats.link(ctx, message_id, chunk_ids)
    return {
        "success": True,
        "links_created": created,
        "message_id": visible(message_id),
        "linked_chunks": chunk_ids,
    }


@tool("context", "Chunks of a message")
def get_context_links_for_message(ctx: Context, message_id: MessageId) -> LinksOfMessage:
    """Show the chunks that a message is about, strongest link first: the sources of an answer."""
    found = chats.links_of(ctx, message_id)
    shown: list[ContextLink] = [
        {
            "chunk_id": chunk.number,
            "content": visible(chunk.text),
            "resource_id": chunk.document,
            "link_strength": chunk.strength,
        }
        for chunk in found
    ]
    return {
        "success": True,
        "message_id": visible(message_id),
        "context_links": shown,
        "total_links": len(shown),
    }


@tool("context", "Messages about a chunk")
def get_messages_for_chunk(
    ctx: Context, chunk_id: Annotated[int, Field(description="From store_memory or retrieve_memory"), WHOLE]
) -> MessagesOfChunk:
    """Show the messages that are linked to a chunk, newest first: where a passage was discussed."""
    found: list[ReferringMessage] = [
        {
            "message_id": message.key,
            "content": visible(message.text),
            "conversation_id": visible(chats.conversation_of(message)),
            "timestamp": time_text(message.created),
        }
        for message in chats.messages_of(ctx, chunk_id)
    ]
    return {"success": True, "chunk_id": chunk_id, "messages": found, "total_messages": len(found)}
