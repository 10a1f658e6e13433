"""Read before write: finding out whether an old write was done whose request key the server has forgotten.

A server answers a request key for `applied_days`. A write that waited for longer, and that it may have done before, is
looked for among what is stored: what is tried at least once is done exactly once by stable keys and by reading before
writing.
"""

from collections.abc import Callable, Mapping
from typing import Any, Literal

from indelible.client.tools import REPEATABLE
from indelible.sanitize.prompt_frame import visible

Ask = Callable[[str, dict[str, Any]], Any]
Found = Literal["done", "not done", "unknown"]
LIMIT = 50  # todos that are looked through


def found(tool: str, arguments: Mapping[str, Any], ask: Ask) -> Found:
    """Whether what a write says is stored; `ask` calls a tool that reads, and raises what refuses it.

    "not done" for the tools that look for themselves before they write: sending again is harmless. "unknown" where
    stored data cannot show it (a reward is a number that others change too): a person must check.
    """
    if tool in REPEATABLE:
        return "not done"
    if tool == "add_todo":
        return _todo(arguments, ask)
    if tool in _SOURCE:
        return _made_of(str(_SOURCE[tool](arguments)), _contents(arguments), ask)
    return "unknown"


# The memory from which a write makes others, each of which is related to it.
_SOURCE: dict[str, Callable[[Mapping[str, Any]], Any]] = {
    "refine_memory": lambda arguments: arguments.get("id"),
    "split_memory": lambda arguments: arguments.get("id"),
    "merge_memories": lambda arguments: (arguments.get("source_ids") or [None])[0],
}


def _contents(arguments: Mapping[str, Any]) -> list[str]:
    """The texts that a write makes memories of; none for a copy."""
    made = arguments.get("parts", [arguments])
    texts = [each.get("content") for each in _objects(made)]
    return [text for text in texts if isinstance(text, str)]


def _made_of(source: str, contents: list[str], ask: Ask) -> Found:
    related = _objects(ask("graph_traverse", {"start_id": source, "max_depth": 1, "limit": 10_000}))
    labels = [str(each.get("label", "")).removesuffix("…").rstrip() for each in related if each.get("depth") == 1]
    heads = [visible(text).strip().split("\n", 1)[0] for text in contents]
    there = [any(label and head.startswith(label) for label in labels) for head in heads]
    if there and all(there):
        return "done"
    return "not done" if there and not any(there) else "unknown"


def _todo(arguments: Mapping[str, Any], ask: Ask) -> Found:
    title, description = arguments.get("title"), arguments.get("description", "")
    answer = ask("search_todos", {"query": title, "limit": LIMIT})
    todos = _objects(answer.get("results") if isinstance(answer, dict) else None)
    if any(each.get("title") == title and each.get("description", "") == description for each in todos):
        return "done"
    return "not done" if len(todos) < LIMIT else "unknown"


def _objects(answer: Any) -> list[dict[str, Any]]:
    return [each for each in answer if isinstance(each, dict)] if isinstance(answer, list) else []
