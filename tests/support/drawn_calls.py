"""Calls of tools, drawn from their input schemas: right ones mostly, with ids and names of the caller and of others."""

from __future__ import annotations

import json
import random
from collections.abc import Mapping, Sequence
from typing import Any

from apart import Call
from every_tool import EXAMPLES, SMALL_CODEBASE
from indelible.toolsets.registry import Tool

Pool = dict[str, list[Any]]  # what may be said, by the kind of it

# Of which kind an argument is; the others are texts.
_KINDS = {
    **dict.fromkeys(("id", "source_id", "target_id", "start_id", "links"), "node"),
    **dict.fromkeys(("name", "from", "to", "entityName", "entityNames", "names"), "entity"),
    **dict.fromkeys(("todo_id", "chunk_id", "chunk_ids"), "number"),
    **dict.fromkeys(("tool_name", "source_tool", "agent_name"), "tool"),
    **dict.fromkeys(("document_id", "file_name", "resource_type", "doc_type"), "document"),
    **dict.fromkeys(("file_path", "filesAffected", "filesInvolved"), "file"),
    **{"source_ids": "memory", "solutionId": "node", "message_id": "message", "conversation_id": "conversation"},
    **{"qualified_name": "symbol", "path": "path", "namespace": "namespace", "tags": "tag"},
}


def pool(word: str, ids: Mapping[str, str], namespace: str, more: Mapping[str, list[Any]] = {}) -> Pool:
    """What is known of one who wrote about a word."""
    named = {kind: ids[kind] for kind in ("solution", "failure", "entity", "vector", "document", "chunk", "todo")}
    memories = [ids[name] for name in ("decision", "later", "wrong", "plain", "refined")]
    files = [f"src/{word}.ts", f"{namespace}/{word}.py", f"{word}.py"]
    pool: Pool = {
        "memory": memories,
        "node": [*ids.values(), *(f"{kind}:{id_}" for kind, id_ in named.items())],
        "entity": [ids["entity"], f"cmd#{word} build#0a1b2c3d", "Ground"],
        "number": [int(ids[name]) for name in ("chunk", "todo", "document", "other")],
        "document": ["notes.md", f"{word}.md", f"doc_{ids['document']}", f"resource_{ids['other']}", "document"],
        "message": [ids["message"]],
        "conversation": ["talk", f"talk-{word}"],
        "tool": ["editor", "log_chat", "recall_memory", word],
        "symbol": [f"{word}.{word.title()}", f"{word}_gross", f"file:{word}.py", f"{word}-kit", f"pkg:{word}-kit"],
        "file": files,
        "path": [namespace, f"{namespace}/packages", f"{namespace}/package.json"],
        "namespace": [namespace, namespace, namespace, f"{namespace}/packages", word],
        "tag": [f"zoo:{word}", "shared", word],
        "text": [
            *(f"{word} cache", f"The {word} cache was chosen over redis", f"{word} queue hangs at shutdown", word),
            *(f"{word.title()}Error: burrow is locked", f"Write a {word} loop", "burrow", "retries back off"),
            *(f"The {word} retries back off from 100 ms.", f"what did the {word} do on March 2", "Ground"),
        ],
    }
    return {kind: [*values, *more.get(kind, [])] for kind, values in pool.items()}


UNKNOWN: Pool = {
    "node": ["00000000-0000-4000-8000-00000000beef", "sol_deadbeef", "memory:nobody", "nobody"],
    "number": [9_999_999_999_999, 77],
    "text": ["nothing of the kind", "日本語", "-", "x" * 300],
    "path": ["/nowhere", "relative", "/"],
}


class Drawn:
    """Calls, the same for the same seed."""

    def __init__(self, seed: object, own: Pool, others: Pool, namespace: str) -> None:
        self._random = random.Random(repr(seed))
        self._pools = [own, others, UNKNOWN]
        self._namespace = namespace

    def of(self, values: Sequence[Any]) -> Any:
        """One of some values."""
        return self._random.choice(values)

    def example(self, tool: Tool) -> dict[str, Any]:
        """The right call of a tool that there is for each, of the own namespace."""
        text = json.dumps(EXAMPLES[tool.name])
        for given in ("/projects/old", "/projects/new", SMALL_CODEBASE):
            text = text.replace(json.dumps(given), json.dumps(self._namespace))
        return dict(json.loads(text))

    def call(self, tool: Tool) -> Call:
        """One more call of a tool: what is required, some of the rest; half of that which its example has as it is."""
        example, schema = self.example(tool), tool.input_schema
        given = {}
        for name, wanted in schema.get("properties", {}).items():
            if name not in schema.get("required", []) and self._random.random() < 0.5:
                continue
            as_it_is = name in example and self._random.random() < 0.4
            given[name] = example[name] if as_it_is else self._value(name, wanted)
        if given.get("confirm") and given.get("namespace", "").startswith(self._namespace):
            given["confirm"] = False  # nothing would be left to ask about
        return tool.name, given

    def _value(self, name: str, schema: Mapping[str, Any]) -> Any:
        """A value that the schema of an argument, or of a part of one, allows."""
        chance = self._random
        if "anyOf" in schema:
            return self._value(name, chance.choice(schema["anyOf"]))
        kind = chance.choice(schema["type"]) if isinstance(schema["type"], list) else schema["type"]
        drawn = {
            "array": self._array,
            "object": self._object,
            "string": self._text,
            "integer": self._whole,
            "number": lambda _, own: round(chance.uniform(own.get("minimum", -2), min(own.get("maximum", 2), 2)), 2),
            "boolean": lambda _, __: chance.random() < 0.8,
            "null": lambda _, __: None,
        }
        return drawn[kind](name, schema)

    def _array(self, name: str, schema: Mapping[str, Any]) -> list[Any]:
        least = max(schema.get("minItems", 0), 1)
        return [self._value(name, schema["items"]) for _ in range(self._random.randint(least, least + 1))]

    def _whole(self, name: str, schema: Mapping[str, Any]) -> int:
        if _KINDS.get(name) == "number" or name == "id":
            return int(self.known("number"))
        least, most = schema.get("minimum", 0), schema.get("maximum", 50)
        return int(self._random.choice([least, min(most, least + 2), min(most, 20), min(most, 50)]))

    def _text(self, name: str, schema: Mapping[str, Any]) -> str:
        if "enum" in schema:
            return str(self._random.choice(schema["enum"]))
        if name == "cursor":
            return str(self._random.randint(0, 2))
        if name == "vector":
            return json.dumps([1.0, self._random.randint(0, 3)])
        return str(self.known(_KINDS.get(name, "text")))[: schema.get("maxLength", 1_000)]

    def _object(self, name: str, schema: Mapping[str, Any]) -> dict[str, Any]:
        if name == "vector":
            return {str(index): 0.5 for index in self._random.sample(range(9), 3)}
        properties, required = schema.get("properties", {}), schema.get("required", [])
        if not properties:
            return {"of": self.known("text")}
        names = [each for each in properties if each in required or self._random.random() < 0.5]
        return {each: self._value(each, properties[each]) for each in names}

    def known(self, kind: str, *, own: bool = False) -> Any:
        """Something of a kind, mostly the caller's own, or nothing but that; else sometimes of another kind."""
        if own:
            return self._random.choice(self._pools[0][kind])
        (pool,) = self._random.choices(self._pools, (6, 3, 1))
        if kind not in pool or (kind != "number" and self._random.random() < 0.1):
            kind = self._random.choice(sorted(set(pool) - {"number"})) if kind != "number" else kind
        return self._random.choice(pool[kind])
