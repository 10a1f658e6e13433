"""Arguments for tools, drawn from their input schemas: right ones, nearly right ones, rubbish. The check of results."""

from __future__ import annotations

import json
from typing import Any, get_args, get_type_hints

from hypothesis import strategies as st
from jsonschema import Draft202012Validator

from every_tool import SMALL_CODEBASE
from indelible.clock import utc_now
from indelible.core.records.bounds import LONGEST_NAME
from indelible.sanitize.validate import is_blank
from indelible.toolsets.registry import VISIBLE, Tool, all_tools

# Ids that the store of a test has. A source and a target differ, so that no call fails for that.
IDS = [f"known-{i}" for i in range(6)]
SOLUTIONS = [f"sol_0000000{i}" for i in range(3)]
_SHORT = ("conversation_id", "message_id", "relationship_type")  # what stands in an index
_IDS_OF = {"source_id": IDS[:3], "target_id": IDS[3:], "solutionId": SOLUTIONS}
ENTITIES = [f"known entity {i}" for i in range(3)]
DOCUMENT, CHUNK, TODO = 900_001, 900_002, 900_003  # numbers of a document, its chunk and a todo that a test's store has
SYMBOLS = ["prices.gross", "sym:prices.receipt", "Store.save", "server.handleRequest"]  # of the small codebase
_NUMBERS = {"chunk_ids": CHUNK, "chunk_id": CHUNK, "todo_id": TODO}
_NAMES_ID = ("id", "source_id", "target_id", "start_id", "links", "solutionId")
IMPORT_FIELDS = (
    "content memory_type importance confidence tags namespace metadata id kind label created_at updated_at session "
    "position access_count last_accessed_at replaced edges"
).split()

NASTY = [
    "'; DROP TABLE record; --",
    '" OR 1=1 --',
    "%' UNION SELECT * FROM setting --",
    "NEAR(a b, 2) AND NOT (c OR d*) ^e:f",
    '"unbalanced',
    "((((((",
    "a{1,99999}(b+)+$",
    "[[:alpha:]]\\",
    "$.a[*]..b",
    "../../../etc/passwd",
    "{{7*7}} ${jndi:x} %s%n {0}",
    "<script>alert(1)</script>",
    "\x1b[31m\x07\x08\x7f",
    "\u202eright\u200f to left\u2066",
    "日本語 한국어 ไทย עברית العربية",
    "👩‍👩‍👧‍👦🏳️‍🌈",
    "e\u0301" * 20,
    "\ufffe\uffff\ufdd0",
    "last week between Monday and 9999 years ago since 2025-02-30",
    "memory:known-0",
    "solution:",
    "kind:id",
    ":",
    "null",
    " ",
    "\n",
    "a" * 5000,
    "0" * 400,
    "_" * 300 + "aB" * 300,
]
_HUNK = "@@ -1,2 +1 @@\n-def gross():\n-    pass\n+x\n"
DIFFS = [f"--- a/{path}\n+++ b/{path}\n{_HUNK}" for path in ("prices.py", "a b.py")]
UNSTORABLE = ["\0", "nul\0inside", "\ud800", "half \udfff surrogate"]


def _must_show(hint: Any) -> bool:
    return VISIBLE in getattr(hint, "__metadata__", ()) or any(_must_show(inner) for inner in get_args(hint))


# The arguments that must have a visible character, which no schema says.
_SEEN = {
    name
    for tool in all_tools().values()
    for name, hint in get_type_hints(tool.run, include_extras=True).items()
    if _must_show(hint)
}


def texts(least: int = 0) -> st.SearchStrategy[str]:
    free = st.text(st.characters(exclude_categories=("Cs",), exclude_characters="\0"), min_size=least, max_size=40)
    return st.one_of(free, st.sampled_from(NASTY))


def right(name: str, schema: dict[str, Any]) -> st.SearchStrategy[Any]:
    """Values that the schema of an argument allows."""
    special = {
        "memories": lambda: st.lists(items(), max_size=4),
        "parts": lambda: st.lists(parts(schema["items"]["properties"]), min_size=1, max_size=4),
        "source_ids": lambda: st.lists(st.sampled_from(IDS), min_size=2, max_size=4, unique=True),
        "confirm": lambda: st.just(True),
        "cursor": lambda: st.integers(0, 50).map(str),
        "vector": vectors,
        "metadata": lambda: st.dictionaries(texts(), st.one_of(texts(), st.integers(-9, 9)), max_size=3),
        "entities": lambda: st.lists(_entities(), max_size=4),
        "relations": lambda: st.lists(_relations(), max_size=4),
        "observations": lambda: st.lists(_observations("contents"), max_size=4),
        "deletions": lambda: st.lists(_observations("observations"), max_size=4),
        "documents": lambda: st.lists(_to_read(), max_size=4),
        "since": lambda: st.sampled_from(["2025-01-01T00:00:00Z", "2026-03-01"]),
        "as_of": lambda: st.builds(lambda: utc_now().isoformat()),  # what is stored must be known then
        "expires_at": lambda: st.sampled_from(["30d", "2999-01-01", ""]),
        "valid_from": lambda: st.sampled_from(["2025-01-01", ""]),
        "valid_to": lambda: st.sampled_from(["2026-03-01T12:00:00+02:00", ""]),
        "diff": lambda: st.sampled_from(DIFFS),
    }
    if name in special:
        return special[name]()
    named = _named(name, schema)
    return _of_type(name, schema) if named is None else named


def _named(name: str, schema: dict[str, Any]) -> st.SearchStrategy[Any] | None:
    """Values of an argument that its type alone does not tell; None where it does."""
    if name in _NUMBERS:
        return st.just(_NUMBERS[name]) if schema["type"] == "integer" else st.just([_NUMBERS[name]] * 2)
    if "enum" in schema:
        return st.sampled_from(schema["enum"])
    text = _text(name) if schema["type"] == "string" else None
    return None if text is None else text.filter(lambda value: len(value) <= schema.get("maxLength", len(value)))


def _text(name: str) -> st.SearchStrategy[str] | None:
    """Texts of an argument that is an id, stands in an index or must show something; None for any other."""
    if name == "document_id":
        return st.sampled_from([f"doc_{DOCUMENT}", f"resource_{DOCUMENT}", str(DOCUMENT), f"document:{DOCUMENT}"])
    if name == "qualified_name":
        return st.sampled_from(SYMBOLS)
    if name == "path":
        return st.just(SMALL_CODEBASE)
    if name in _NAMES_ID:
        return st.sampled_from(_IDS_OF.get(name, IDS))
    if name in _SHORT:
        return _names().filter(lambda text: not is_blank(text) and len(text.encode()) <= 1_000)
    return texts(1).filter(lambda text: not is_blank(text)) if name in _SEEN else None


def _of_type(name: str, schema: dict[str, Any]) -> st.SearchStrategy[Any]:
    least, most = schema.get("minimum", -1e9), schema.get("maximum", 1e9)
    by_type = {
        "string": lambda: texts(1).filter(lambda text: len(text) <= schema.get("maxLength", len(text))),
        "integer": lambda: st.integers(int(least), int(max(least, min(most, 40)))),
        "number": lambda: st.floats(least, most, allow_nan=False),
        "array": lambda: st.lists(right(name, schema["items"]), min_size=schema.get("minItems", 0), max_size=4),
        "boolean": st.booleans,
    }
    return by_type[schema["type"]]()


def vectors() -> st.SearchStrategy[Any]:
    """Vectors of a caller, in each of their forms."""
    weights = st.floats(-1e9, 1e9, allow_nan=False)
    sparse = st.dictionaries(st.integers(0, 2**63 - 1).map(str), weights, max_size=5)
    given = st.one_of(sparse, st.lists(weights, max_size=5))
    return st.one_of(given, given.map(json.dumps))


def parts(fields: dict[str, Any]) -> st.SearchStrategy[Any]:
    """Parts of a memory: a content, and any of the other fields."""
    drawn = {name: right(name, schema) for name, schema in fields.items()}
    return st.fixed_dictionaries({"content": drawn.pop("content")}, optional=drawn)


def _names() -> st.SearchStrategy[str]:
    """Texts that name something: not blank, and short enough for an index."""
    return texts(1).filter(lambda text: not is_blank(text) and len(text.encode()) <= 2_000)


def _entities() -> st.SearchStrategy[Any]:
    """Entities of the knowledge graph, new and known ones."""
    said = {"observations": st.lists(_said(), max_size=3)}
    named = {"name": st.one_of(_names(), st.sampled_from(ENTITIES))}
    return st.one_of(
        st.fixed_dictionaries({**named, "entityType": _names()}, optional=said),
        st.fixed_dictionaries({**named, "type": _names()}, optional=said),
    )


def _to_read() -> st.SearchStrategy[Any]:
    """Documents for a context: given ones, as other tools answer them, and stored ones."""
    known = st.sampled_from([{"id": f"doc_{DOCUMENT}"}, {"id": DOCUMENT}, {"chunk_id": CHUNK}, {"id": IDS[0]}])
    ids = texts(1).filter(lambda text: len(text) <= LONGEST_NAME)
    titled = st.fixed_dictionaries({"content": texts()}, optional={"title": texts(), "id": ids, "more": texts()})
    return st.one_of(known, titled)


def _said() -> st.SearchStrategy[Any]:
    said = texts(1).filter(lambda text: not is_blank(text))
    return st.one_of(said, st.dictionaries(st.sampled_from(["a", "ü"]), st.integers(0, 9), max_size=2))


def _relations() -> st.SearchStrategy[Any]:
    ends = st.sampled_from(ENTITIES)
    return st.fixed_dictionaries({"from": ends, "to": ends, "relationType": _names()})


def _observations(field: str) -> st.SearchStrategy[Any]:
    return st.fixed_dictionaries({"entityName": st.sampled_from(ENTITIES), field: st.lists(_said(), max_size=3)})


def items() -> st.SearchStrategy[Any]:
    """Things to import, right and wrong."""
    fields = st.dictionaries(st.sampled_from(IMPORT_FIELDS), rubbish(), max_size=3)
    plain = st.fixed_dictionaries({"content": texts()})
    return st.one_of(plain, st.builds(lambda a, b: {**a, **b}, plain, fields), fields, rubbish())


def rubbish() -> st.SearchStrategy[Any]:
    """JSON of any kind, and what only looks like it."""
    odd = [None, True, False, 0, -1, 1, 0.5, 2**31, 2**63 - 1, 2**63, -(2**63), 10**400, 1e308, 1e300, -0.0, 5e-324]
    not_finite = [float("nan"), float("inf"), float("-inf")]
    nested = [[], {}, [[]], [None], {"a": None}, {"": ""}, [{}], ["known-0"], _nested(70), {"content": "x"}, "known-1"]
    small = st.recursive(
        st.one_of(st.none(), st.booleans(), st.integers(), st.floats(), texts()),
        lambda inner: st.one_of(st.lists(inner, max_size=3), st.dictionaries(texts(), inner, max_size=3)),
        max_leaves=6,
    )
    return st.one_of(st.sampled_from([*odd, *not_finite, *nested, *NASTY, *UNSTORABLE]), small)


def not_json() -> st.SearchStrategy[Any]:
    """What only a Python program can give."""
    return st.sampled_from(
        [(), ("x",), b"x", bytearray(b"x"), {1, 2}, object(), 1j, print, {1: 2}, {None: "x"}, {("a",): 1}, [b"x"]]
    )


def _nested(depth: int) -> Any:
    value: Any = "core"
    for _ in range(depth):
        value = [value]
    return value


@st.composite
def faulty(draw: st.DrawFn, tool: Tool, *, json_only: bool = False) -> tuple[dict[str, Any], str]:
    """Arguments that are right but for one, and the name of that one."""
    arguments = draw(good(tool))
    properties = tool.input_schema.get("properties", {})
    name = draw(st.sampled_from([*properties, "no_such_argument"]))
    if name in tool.input_schema.get("required", []) and draw(st.integers(0, 7)) == 0:
        del arguments[name]
    else:
        arguments[name] = draw(rubbish() if json_only else st.one_of(rubbish(), not_json()))
    return arguments, name


@st.composite
def good(draw: st.DrawFn, tool: Tool) -> dict[str, Any]:
    """Arguments that the schema allows: those that are required, and any of the others."""
    properties = tool.input_schema.get("properties", {})
    required = tool.input_schema.get("required", [])
    given = [name for name in properties if name in required or draw(st.booleans())]
    if tool.name == "refine_memory" and given == ["id"]:  # which is refused, in a test of its own
        given.append("tags")
    if tool.name == "get_decision_chain" and not {"topic", "file_path"}.intersection(
        given
    ):  # which is refused, in a test of its own
        given.append("topic")
    if tool.name == "review_diff":  # exactly one of three is given
        given = ["diff", *(name for name in given if name == "limit")]
    if "file_name" not in given:
        given = [name for name in given if name != "resource_type"]  # of a document, which has a name
    else:
        given = [
            name for name in given if name not in ("expires_at", "pinned", "valid_from", "valid_to")
        ]  # of a memory
    return {name: draw(right(name, properties[name])) for name in given}


def anything(tool: Tool) -> st.SearchStrategy[dict[str, Any]]:
    """Arguments of any names and values."""
    names = st.sampled_from([*tool.input_schema.get("properties", {}), "", "ctx", "self", "limit", "__class__", "ü\0"])
    return st.dictionaries(st.one_of(names, texts()), st.one_of(rubbish(), not_json()), max_size=5)


def assert_fits(tool: Tool, value: Any) -> None:
    """Fail unless a tool's value is JSON of exactly the advertised shape, nothing undocumented in it."""
    structured = value if isinstance(value, dict) else {"result": value}
    json.dumps(structured, allow_nan=False)
    mistakes = list(Draft202012Validator(closed(tool.output_schema)).iter_errors(structured))
    assert not mistakes, mistakes[0].message


def closed(schema: Any) -> Any:
    """A schema whose objects hold what it lists and nothing else."""
    if isinstance(schema, list):
        return [closed(inner) for inner in schema]
    if not isinstance(schema, dict):
        return schema
    found = {name: closed(inner) for name, inner in schema.items()}
    if found.get("type") == "object" and "properties" in found:
        found.setdefault("additionalProperties", False)
    return found
