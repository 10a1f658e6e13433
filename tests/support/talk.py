"""Documents to talk about, and what is asked of a store in tests of conversations."""

from __future__ import annotations

from typing import Any

from indelible.api import Memory

TOKENS = "# Tokens\n\nJWT access tokens are signed with RS256 and expire after one hour."
POOL = "# Pool\n\nThe database pool holds twenty connections; each waits three seconds at most."
ABOUT_TOKENS = "Why do JWT access tokens expire after one hour?"
ABOUT_POOL = "How many connections does the database pool hold?"


def document(memory: Memory, content: str, name: str, **more: Any) -> int:
    """Store a document of one chunk; the number of the chunk."""
    stored = memory.store_memory(content=content, file_name=name, **more)
    assert len(stored["chunk_ids"]) == 1
    number: int = stored["chunk_ids"][0]
    return number


def links(memory: Memory, message: str) -> dict[int, float]:
    """The chunks of a message with the strengths of the links."""
    answer = memory.get_context_links_for_message(message_id=message)
    assert answer["success"] is True
    assert answer["total_links"] == len(answer["context_links"])
    return {link["chunk_id"]: link["link_strength"] for link in answer["context_links"]}


def messages(memory: Memory, chunk: int) -> list[str]:
    """The ids of the messages of a chunk."""
    answer = memory.get_messages_for_chunk(chunk_id=chunk)
    assert answer["success"] is True
    assert answer["total_messages"] == len(answer["messages"])
    return [message["message_id"] for message in answer["messages"]]
