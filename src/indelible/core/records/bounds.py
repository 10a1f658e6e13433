"""Bounds of arguments: larger than any honest use, small enough to keep every answer small.

They are written into the schema of each tool (`bounded`) and checked against it (`refuse_over`), so that a client reads
the bounds that the server enforces. Imported records are held to them too.
"""

import json
from collections.abc import Mapping, Sequence
from typing import Any

from indelible.core.indexes.vector_format import MOST_WEIGHTS
from indelible.errors import InvalidInput
from indelible.sanitize.validate import LONGEST

LONGEST_NAME = 4_096  # characters of an id, a name, a path: the longest path of Linux
LONGEST_TAG, MOST_TAGS = 512, 256
MOST_IMPORTED = 100_000  # memories of one import: a file of more goes by `indelible import`
MOST_ITEMS = 10_000  # of any other list
MOST_PROPERTIES = 1_000  # of an object whose properties the caller chooses
MOST_METADATA, DEEPEST_METADATA = 1 << 18, 32  # bytes as JSON, levels
SHOWN = 40  # characters of a text that an error repeats

TAGS, METADATA, VECTOR = "tags", "metadata", "vector"
_MOST = {TAGS: MOST_TAGS, VECTOR: LONGEST, "memories": MOST_IMPORTED}
# Arguments, and properties of arguments, that are names, and those that are texts. One without a bound of its own must
# stand in one of the two sets, so that a new one cannot be forgotten.
NAMES = frozenset(
    "id source_id target_id start_id solutionId message_id conversation_id document_id source_ids links entityName "
    "entityNames names name entityType relationType from to relationship_type relationship_types namespace "
    "file_name file_path resource_type doc_type filesAffected filesInvolved path qualified_name tool_name source_tool "
    "agent_name".split()
)
TEXTS = frozenset(
    "command content contents dependency description error errorMessage error_message fix fixApplied generated_code "
    "input_prompt memory_type notes observations prevention problem query question rootCause solution stackTrace text "
    "title topic vector".split()
)


def bounded(schema: dict[str, Any], name: str = "") -> dict[str, Any]:
    """Return a schema of an argument in which every text, list and object has a bound; existing bounds are kept.

    Raises ValueError for a text without a bound whose name is in neither set.
    """
    if "enum" in schema or "const" in schema:
        return schema
    types = schema.get("type", ())
    types = (types,) if isinstance(types, str) else types
    found = dict(schema)
    if "anyOf" in schema:
        found["anyOf"] = [bounded(option, name) for option in schema["anyOf"]]
    if "string" in types:
        found["maxLength"] = schema["maxLength"] if "maxLength" in schema else _longest(name)
    if "array" in types:
        found.setdefault("maxItems", _MOST.get(name, MOST_ITEMS))
        found["items"] = bounded(schema.get("items", {}), name)
    if "properties" in schema:
        found["properties"] = {key: bounded(inner, key) for key, inner in schema["properties"].items()}
    if "object" in types and schema.get("additionalProperties") is not False:
        found.setdefault("maxProperties", MOST_WEIGHTS if name == VECTOR else MOST_PROPERTIES)
    return found


def _longest(name: str) -> int:
    if name == TAGS:
        return LONGEST_TAG
    if name not in NAMES | TEXTS:
        raise ValueError(
            f"the text {name!r} of a tool has no bound: put it among NAMES or TEXTS, or give it a max_length"
        )
    return LONGEST_NAME if name in NAMES else LONGEST


def refuse_over(value: Any, schema: Mapping[str, Any], path: str) -> None:
    """Raise InvalidInput for the first part of a value that is over a bound of its schema; wrong types are ignored.

    An object without documented properties belongs to the caller: it is also bounded in bytes.
    """
    for option in schema.get("anyOf", ()):
        refuse_over(value, option, path)
    if isinstance(value, str):
        _refuse_many(len(value), schema.get("maxLength"), "characters", path, f": {value[:SHOWN]!r}…")
    elif isinstance(value, list):
        _refuse_many(len(value), schema.get("maxItems"), "items", path)
        inner = schema.get("items", {})
        if _bounds_anything(inner):
            for at, each in enumerate(value):
                refuse_over(each, inner, f"{path}.{at}")
    elif isinstance(value, dict):
        _refuse_many(len(value), schema.get("maxProperties"), "properties", path)
        properties = schema.get("properties", {})
        for key, inner in properties.items():
            if key in value:
                refuse_over(value[key], inner, f"{path}.{key}" if path else key)
        if path.rpartition(".")[2] == METADATA:
            refuse_heavy(value, path)


def refuse_heavy(metadata: Any, path: str) -> None:
    """Raise InvalidInput for metadata of too many bytes as JSON, or too many levels."""
    if _is_deeper(metadata, DEEPEST_METADATA):
        raise InvalidInput(f"{path} must be nested at most {DEEPEST_METADATA} levels deep; keep what is nested as text")
    size = len(json.dumps(metadata, ensure_ascii=False).encode(errors="surrogatepass"))
    if size > MOST_METADATA:
        raise InvalidInput(
            f"{path} must have at most {MOST_METADATA:,} bytes as JSON, got {size:,}; store what is long as content"
        )


def refuse_many_tags(tags: Sequence[str], whose: str) -> None:
    """Raise InvalidInput where a record made from several would have more tags than one may have."""
    if len(tags) > MOST_TAGS:
        raise InvalidInput(
            f"{whose} have {len(tags):,} tags together, at most {MOST_TAGS} are allowed; name those that count"
        )


def _refuse_many(count: int, most: int | None, of: str, path: str, shown: str = "") -> None:
    if most is not None and count > most:
        raise InvalidInput(f"{path} must have at most {most:,} {of}, got {count:,}{shown}")


def _bounds_anything(schema: Mapping[str, Any]) -> bool:
    return not schema.keys().isdisjoint(("anyOf", "maxLength", "maxItems", "maxProperties", "properties"))


def _is_deeper(value: Any, levels: int) -> bool:
    if not isinstance(value, (dict, list)):
        return False
    return levels == 0 or any(
        _is_deeper(each, levels - 1) for each in (value.values() if isinstance(value, dict) else value)
    )
