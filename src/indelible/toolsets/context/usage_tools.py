"""Toolset `context`: the list of tools, the conversations in which each was called, and the use of context."""

from typing import Annotated, Literal

from pydantic import Field
from typing_extensions import TypedDict  # pydantic needs this one before Python 3.12

from indelible.clock import time_text
from indelible.core.context.context import Context
from indelible.core.context.ids import number_of
from indelible.sanitize.prompt_frame import visible
from indelible.toolsets import registry
from indelible.toolsets.context import usage
from indelible.toolsets.registry import WHOLE, Tool, tool

# Categories of the tools that are in no category named after their toolset.
CATEGORIES = {
    "retrieve_memory": "memory",
    "log_chat": "chat",
    "ask_with_context": "chat",
    "route_query": "chat",
    "get_chats_by_tool": "chat",
    "add_todo": "todo",
    "list_todos": "todo",
    "search_todos": "todo",
    "complete_todo": "todo",
    "log_code_attempt": "code_pattern",
    "get_code_patterns": "code_pattern",
    "analyze_code_patterns": "code_pattern",
}


class ReferencedChunk(TypedDict):
    """A chunk and how many messages are about it."""

    chunk_id: int
    reference_count: int


class UsageTrends(TypedDict):
    """Calls that use context: a day with any, and the hour of the day (UTC) with most."""

    daily_average: float
    peak_usage_hour: int | None


class Statistics(TypedDict):
    """Figures of the whole store."""

    total_context_links: int
    total_chunks: int
    total_messages: int
    average_links_per_message: float
    most_referenced_chunks: list[ReferencedChunk]
    context_usage_trends: UsageTrends


class StatisticsResult(TypedDict):
    """The answer of get_context_usage_statistics."""

    success: Literal[True]
    statistics: Statistics


class ToolIdentifier(TypedDict):
    """One tool, in a sentence."""

    name: str
    category: str
    description: str


class ToolIdentifiers(TypedDict):
    """The answer of list_tool_identifiers."""

    success: Literal[True]
    tools: list[ToolIdentifier]
    total_tools: int
    categories: list[str]


class ToolConversation(TypedDict):
    """One conversation in which a tool was called."""

    conversation_id: str
    usage_count: int
    last_used: str
    context_summary: str


class UsageStatistics(TypedDict):
    """All calls of a tool."""

    total_invocations: int
    average_per_conversation: float


class ToolConversations(TypedDict):
    """The answer of get_tool_conversations."""

    success: Literal[True]
    tool_name: str
    conversations: list[ToolConversation]
    total_conversations: int
    usage_statistics: UsageStatistics


@tool("context", "Context usage statistics")
def get_context_usage_statistics(ctx: Context) -> StatisticsResult:
    """Count links between messages and chunks, the most used chunks, and when context is used."""
    found = usage.statistics(ctx)
    return {
        "success": True,
        "statistics": {
            "total_context_links": found.links,
            "total_chunks": found.chunks,
            "total_messages": found.messages,
            "average_links_per_message": round(found.links_per_message, 2),
            "most_referenced_chunks": [
                {"chunk_id": number_of(chunk.key) or 0, "reference_count": chunk.count}
                for chunk in found.most_referenced
            ],
            "context_usage_trends": {
                "daily_average": round(found.daily_average, 2),
                "peak_usage_hour": found.peak_hour,
            },
        },
    }


@tool("context", "List all tools")
def list_tool_identifiers(ctx: Context) -> ToolIdentifiers:
    """List every tool of this server with its category and one sentence, if you do not know which to call."""
    tools: list[ToolIdentifier] = [
        {"name": each.name, "category": _category(each), "description": _sentence(each.description)}
        for each in registry.offered(ctx.settings).values()
    ]
    categories = list(dict.fromkeys(each["category"] for each in tools))
    return {"success": True, "tools": tools, "total_tools": len(tools), "categories": categories}


def _category(each: Tool) -> str:
    return CATEGORIES.get(each.name, each.toolset)


def _sentence(description: str) -> str:
    """The first sentence."""
    head, dot, _ = description.partition(". ")
    return head + "." if dot else head


@tool("context", "Conversations of a tool")
def get_tool_conversations(
    ctx: Context,
    tool_name: Annotated[str, Field(min_length=1, description="Any tool of list_tool_identifiers")],
    limit: Annotated[int, Field(ge=1, le=100, description="Maximum conversations"), WHOLE] = 10,
) -> ToolConversations:
    """Show in which conversations a tool was called, the latest first, how often, and what each was about.

    A call without conversation_id counts to the last one that its connection named.
    """
    found = usage.conversations(ctx, tool_name, limit)
    return {
        "success": True,
        "tool_name": visible(tool_name),
        "conversations": [
            {
                "conversation_id": visible(talk.id),
                "usage_count": talk.calls,
                "last_used": time_text(talk.last),
                "context_summary": visible(talk.summary),
            }
            for talk in found.shown
        ],
        "total_conversations": found.total,
        "usage_statistics": {
            "total_invocations": found.calls,
            "average_per_conversation": round(found.calls / found.total, 2) if found.total else 0.0,
        },
    }
