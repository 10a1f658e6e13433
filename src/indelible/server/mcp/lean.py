"""Lean answers: short text for agents instead of the documented JSON, content first, and a list of tools to match.

A hit is its text and one line in brackets: a short id, what kind of thing it is, its age, why it was found, and what an
agent must know before it acts on it (superseded, untrusted, of another project). An id as the query of recall_memory
gives the whole of what is shown as an excerpt. Whatever has no form of its own here is written as `name: value`.

Stored texts are escaped as in a frame of recalled texts, and none can pretend to be such a line (`_BRACKET`).
"""

import re
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from datetime import datetime
from typing import Any

import mcp_types as types

from indelible.clock import age_text, micros
from indelible.core.context.context import Context
from indelible.core.context.visibility import elsewhere
from indelible.core.records import lifetimes
from indelible.dataclass import dataclass
from indelible.sanitize.prompt_frame import escaped, json_text, visible
from indelible.search import summaries, tokens
from indelible.server.mcp.tool_schemas import schemas_of
from indelible.toolsets import registry, shapes
from indelible.toolsets.profiles import RARE

LONGEST = 1_200  # characters of a text that is shown whole; of a longer one its best passage is
EXCERPTS = "Excerpts are marked; recall_memory with the id as the query gives the whole text."
NOTHING_CLEAR = "Nothing here is clearly about the query."
BY_WORDS = "Searched by words only: the query was not embedded in time."
_NOTICED = 0.05  # of a component of a score that is named as a reason
_SHORTEST_ID = 8  # characters of an id's beginning
_MOST_FILES = 3  # of a commit that are named
_MOST_ABOUT = 24  # characters of the tag that is shown

_DESCRIPTIONS = {
    "recall_memory": "Find what was learned before, best first. Call it at the start of a task, before a decision, and "
    'at an error. Names of functions, files and errors help; so do times ("last week"). An id as the query gives that '
    "memory whole.",
}
_UUID = re.compile(r"\b([0-9a-f]{8})-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}\b")
# Imported late (start): indelible.toolsets.review.findings

_SEPARATORS = re.compile(r"[/\\]")
_BRACKET = re.compile(r"^([^\S\n]*+)\[(?=[\w:-]{6,} \w)", re.MULTILINE)
# What helps a program and no agent.
_DROPPED = frozenset(
    """success content_hash graph_node_created score score_breakdown similarity similarity_score relevance_score
    relevance access_count query question total_results filtered_count count memory_id filter""".split()
)


@dataclass(frozen=True, slots=True)
class Asked:
    """A call that is answered: its tool and arguments, the time now, and the namespaces that are not the caller's."""

    tool: str
    arguments: Mapping[str, Any]
    now: datetime
    foreign: Collection[str] = ()

    @property
    def words(self) -> frozenset[str]:
        """Return the words of the query, stemmed."""
        return frozenset(tokens.words(str(self.arguments.get("query") or self.arguments.get("topic") or "")))


# --- The list of tools ---


def advertised(tool: registry.Tool) -> types.Tool:
    """Return a tool as a lean list has it: without a result's schema, bounds, and what is the protocol's default."""
    schema = _lean_schema(schemas_of(tool)[0])
    schema["properties"] = {
        name: node for name, node in schema["properties"].items() if name not in RARE.get(tool.name, ())
    }
    return types.Tool(
        name=tool.name,
        description=_DESCRIPTIONS.get(tool.name, tool.description),
        input_schema=schema,
        annotations=types.ToolAnnotations(destructive_hint=tool.destructive, open_world_hint=False)
        if tool.writes
        else types.ToolAnnotations(read_only_hint=True),
    )


_BOUNDS = frozenset(
    ("maxLength", "maxItems", "maxProperties", "minItems", "additionalProperties", "minLength", "pattern")
)


def _lean_schema(node: Any) -> Any:
    """Return a schema without bounds that no agent comes near and defaults that say nothing."""
    if isinstance(node, list):
        return [_lean_schema(each) for each in node]
    if not isinstance(node, dict):
        return node
    kept: dict[str, Any] = {}
    for name, value in node.items():
        if name == "properties":
            kept[name] = {inner: _lean_schema(each) for inner, each in value.items()}
        elif not (
            (name in _BOUNDS and not isinstance(value, dict))
            or (name == "default" and value in ([], "", None))
            or (name == "maximum" and value >= 1_000)
            or (name == "minimum" and value == 0 and node.get("type") == "integer")
        ):
            kept[name] = _lean_schema(value)
    return kept


# --- Answers ---


def text(ctx: Context, tool: registry.Tool, value: Any, arguments: Mapping[str, Any], searched: Any) -> str:
    """Return the answer of a call as short text."""
    asked = Asked(tool.name, arguments, ctx.clock(), _foreign(ctx, value))
    said = _FORMS.get(tool.name, _plain)(asked, value)
    notes = [note for note, is_so in ((NOTHING_CLEAR, searched.weak), (BY_WORDS, searched.by_words)) if is_so]
    return "\n".join((*notes, said))


def _foreign(ctx: Context, value: Any) -> frozenset[str]:
    """Return the namespaces in a list of hits that are not the caller's project, "" for none."""
    hits = value if isinstance(value, list) else []
    return elsewhere(ctx, {hit.get("namespace", "") for hit in hits if isinstance(hit, dict)})


def _shown(content: str) -> str:
    return _BRACKET.sub(r"\1\\[", escaped(content))


def _id(given: object) -> str:
    return _UUID.sub(r"\1", visible(str(given)))


def _age(asked: Asked, created: object) -> str:
    """Return how old something is, in one unit."""
    return age_text(micros(asked.now) - micros(datetime.fromisoformat(str(created))))


def _content(asked: Asked, content: str, id: str = "") -> tuple[str, bool]:
    """Return a text, or its passage with most of the query's words, the first of several; and whether it was cut."""
    if len(content) <= LONGEST or _is_asked_for(asked, id):
        return _shown(content.strip()), False
    return f"… {_shown(summaries.best_chunk(content, asked.words).text.strip())} …", True


def _is_asked_for(asked: Asked, id: str) -> bool:
    """Whether the query is the id of a record, or its beginning."""
    query = str(asked.arguments.get("query", "")).strip()
    return len(query) >= _SHORTEST_ID and id.startswith(query)


def _hits(asked: Asked, hits: Iterable[Mapping[str, Any]]) -> str:
    found, any_cut = [], False
    for hit in hits:
        content, is_cut = _content(asked, str(hit["content"]), hit["id"])
        any_cut |= is_cut
        found.append(f"{content}\n[{'; '.join(_about_hit(asked, hit, is_cut))}]")
    return "\n".join(([EXCERPTS] if any_cut else []) + found) or "Nothing relevant is known."


def _about_hit(asked: Asked, hit: Mapping[str, Any], is_cut: bool) -> Iterator[str]:
    if hit.get("commit"):
        yield from _commit(asked, hit, is_cut)
        return
    kind = hit["memory_type"] if hit["kind"] == "memory" else hit["kind"]
    tag = next((tag for tag in hit["tags"] if len(tag) <= _MOST_ABOUT and tag != kind), "")
    about = f" on {_shown(tag)}" if tag else ""
    yield f"{_id(hit['id'])} {kind}{about}, {_age(asked, hit['created_at'])}, {_reason(asked, hit)}"
    if is_cut:
        yield "excerpt"
    if hit.get("trust"):
        yield "untrusted"
    yield from map(_shown, shapes.remarks(hit, _id))
    yield from _project(asked, hit)
    path = hit.get("expansion_path", ())
    if len(path) > 1:
        yield f"from {' > '.join(map(_id, path[:-1]))}"
    yield from _impact_of_hit(hit.get("impact"))


def _commit(asked: Asked, hit: Mapping[str, Any], is_cut: bool) -> Iterator[str]:
    """Yield what is shown of a commit: its short id, date and first files."""
    facts = hit["commit"]
    yield f"{facts['hash'][:_SHORTEST_ID]} commit, {hit['created_at'][:10]}, {_reason(asked, hit)}"
    if facts["files"]:
        more = facts["file_count"] - len(facts["files"][:_MOST_FILES])
        yield ", ".join(map(_shown, facts["files"][:_MOST_FILES])) + (f" and {more} more files" if more > 0 else "")
    if is_cut:
        yield "excerpt"
    if hit.get("trust"):
        yield "untrusted"
    if facts.get("author"):
        yield f"by {_shown(facts['author'])}"
    if facts.get("gone"):
        yield "no longer in the history"
    yield from _project(asked, hit)


def _reason(asked: Asked, hit: Mapping[str, Any]) -> str:
    """Return why a hit was found, in at most three words."""
    if _is_asked_for(asked, hit["id"]):
        return "its id"
    if hit.get("rule"):
        return "standing rule"
    if hit.get("via"):
        return f"{hit['via']['relationship']} {_id(hit['via']['id'])}"
    parts = hit["score_breakdown"]
    names = (("token_overlap", "words"), ("vector_similarity", "meaning"))
    return "+".join(word for name, word in names if parts[name] >= _NOTICED) or "its time"


def _project(asked: Asked, hit: Mapping[str, Any]) -> Iterator[str]:
    name = hit.get("namespace", "")
    if name in asked.foreign:
        yield f"project {_SEPARATORS.split(_shown(name).rstrip('/'))[-1]}" if name else "no project"


def _impact_of_hit(impact: Mapping[str, Any] | None) -> Iterator[str]:
    if impact:
        for name, words in (("dependent_files", "files"), ("connected_decisions", "decisions")):
            if impact[name]:
                yield f"{words} {', '.join(_id(each) for each in impact[name][:5])}"


def _decisions(asked: Asked, value: Mapping[str, Any]) -> str:
    lines = []
    for each in value["decisions"]:
        own = each["id"]
        content, is_cut = _content(asked, each["content"])
        links = [
            f"{link['relationship']} {_id(link['target'])}{' (removed)' if link.get('stale') else ''}"
            for link in each["connections"]
            if link["source"] == own
        ]
        trust = ["untrusted"] if each.get("trust") else []
        marks = [*(["excerpt"] if is_cut else []), *map(_shown, shapes.remarks(each, _id)), *trust, *links]
        about = f"{_id(own)} decision, {_age(asked, each['created_at'])}"
        lines.append(f"{content}\n[{'; '.join((about, *marks))}]")
    return "\n".join(lines) or "No decision is known about it."


def _solutions(asked: Asked, value: Mapping[str, Any]) -> str:
    lines = []
    for each in value["solutions"]:
        solution, is_cut = _content(asked, each["solution"])
        used = f", {each['successRate']:.0%} of {each['uses']} uses worked" if each["uses"] else ""
        about = f"{each['id']} solution, {each['scope']}{used}"
        marks = [about, *(["excerpt"] if is_cut else []), *map(_shown, shapes.remarks(each, _id))]
        lines.append(f"{_shown(each['problem'])}: {solution}\n[{'; '.join(marks)}]")
    for each in value.get("relatedFailures", ()):
        parts = (each["errorMessage"], f"Cause: {each['rootCause']}", f"Fix: {each['fixApplied']}")
        lines.append(f"{_shown(' '.join(parts))}\n[{each['id']} failure, {each['errorType']}]")
    return "\n".join(lines) or "No solution is known."


def _todos(asked: Asked, value: Mapping[str, Any]) -> str:
    levels = {1: "low", 2: "medium", 3: "high"}
    lines = []
    for each in value["todos"]:
        more = f": {each['description']}" if each["description"] else ""
        done = "" if each["status"] == "pending" else f", {each['status']}"
        marks = f"{levels[each['priority']]}{done}, {_age(asked, each['created_at'])}"
        lines.append(f"{_shown(each['title'] + more)}\n[todo {each['todo_id']}, {marks}]")
    return "\n".join(lines) or "Nothing is left to do."


def _passages(asked: Asked, value: Mapping[str, Any]) -> str:
    lines = []
    for each in value.get("results") or value.get("context") or ():
        content, is_cut = _content(asked, each["content"])
        about = each.get("metadata", {})
        created = f", {_age(asked, about['created_at'])}" if "created_at" in about else ""
        name = about.get("file_name") or each.get("source") or each.get("message_id") or each.get("resource_type")
        number = f"resource_{each['resource_id']} " if "resource_id" in each else ""
        marks = "".join(f"; {_shown(mark)}" for mark in shapes.remarks(each, _id))
        lines.append(f"{content}\n[{number}{_shown(str(name))}{created}{'; excerpt' if is_cut else ''}{marks}]")
    return "\n".join(lines) or "Nothing is found."


def _graph(_: Asked, value: Mapping[str, Any]) -> str:
    lines = [
        f"{_shown(each['name'])} ({_shown(each['entityType'])}){': ' if each['observations'] else ''}"
        + "; ".join(map(_shown, each["observations"]))
        for each in value["entities"]
    ]
    lines += [
        ", ".join(map(_shown, [f"{each['from']} {each['relationType']} {each['to']}", *lifetimes.remarks(each)]))
        for each in value["relations"]
    ]
    return "\n".join(lines) or "Nothing is found."


def _whole(_: Asked, value: Any) -> str:
    """Return a value as JSON, for what is to be taken back as it was."""
    return json_text(value)


# --- Code ---


def _symbol(each: Mapping[str, Any]) -> str:
    place = f"{each['file_path']}:{each['line_start']}-{each['line_end']}"
    comment = str(each.get("doc_comment") or "").strip().partition("\n")[0]
    used = f"; {each['references']} references" if "references" in each else ""
    about = f"\n  {_shown(comment)}" if comment else ""
    return f"{visible(each['qualified_name'])} ({each['kind']}) {place}{used}\n  {_shown(each['signature'])}{about}"


def _symbols(_: Asked, value: Any) -> str:
    found = value if isinstance(value, list) else [value]
    return "\n".join(map(_symbol, found)) or "No symbol is found."


def _dependencies(_: Asked, value: Iterable[Mapping[str, Any]]) -> str:
    groups: dict[str, list[str]] = {}
    for each in value:
        is_out = each["direction"] == "outgoing"
        name = each["relationship"] if is_out else f"{each['relationship']} (incoming)"
        groups.setdefault(name, []).append(_bare(each["target" if is_out else "source"]))
    return "\n".join(f"{name}: {', '.join(ends)}" for name, ends in groups.items()) or "It has no relations."


def _impact(_: Asked, value: Mapping[str, Any]) -> str:
    lines = [f"{visible(value['symbol'])}: a change reaches {value['reachable_nodes']} within {value['depth']} hops."]
    direct = {each["id"]: each for each in value["direct_dependents"]}
    for each in value["reachable"]:
        known = direct.get(each["id"])
        how = f"{known['relationship']} {known['file_path']}" if known else f"over {each['depth']} hops"
        lines.append(f"{_bare(each['id'])}: {how}")
    files = ", ".join(value["affected_files"])
    return "\n".join((*lines, *([f"files: {files}"] if files else [])))


def _nodes(_: Asked, value: Iterable[Mapping[str, Any]]) -> str:
    lines = []
    for each in value:
        way = ""
        if "relationship" in each:
            arrow = "->" if each["direction"] == "outgoing" else "<-"
            holds = "".join(f", {_shown(mark)}" for mark in lifetimes.remarks(each))
            way = f" ({_bare(each['path'][-2])} {arrow} {visible(each['relationship'])}{holds})"
        name = _bare(each["id"])
        label = "" if each["label"] in name else f" {_shown(each['label'])}"
        newer = f" [replaced by {_id(each['replaced_by'])}]" if each.get("replaced_by") else ""
        lines.append(f"{'  ' * min(each['depth'], 4)}{name}{label}{way}{newer}")
    return "\n".join(lines)


def _bare(name: str) -> str:
    """Return an id without the mark of its kind that code has."""
    return _id(name.removeprefix("sym:").removeprefix("file:"))


# --- Whatever has no form of its own ---


def _plain(_: Asked, value: Any) -> str:
    """Return a value as lines of `name: value`; a list of objects has one line each. A text stays as it is."""
    if isinstance(value, str):
        return value
    if isinstance(value, dict):
        kept = {name: each for name, each in value.items() if name not in _DROPPED and not _is_empty(each)}
        if all(not isinstance(each, (dict, list)) for each in kept.values()):
            return ", ".join(f"{name}: {_scalar(each)}" for name, each in kept.items()) or "done"
        return "\n".join(_named(name, each) for name, each in kept.items())
    if isinstance(value, list):
        return "\n".join(f"- {_inline(each)}" for each in value) or "none"
    return _scalar(value)


def _named(name: str, value: Any) -> str:
    if isinstance(value, list) and any(isinstance(each, dict) for each in value):
        return "\n".join((f"{name}:", *(f"- {_inline(each)}" for each in value)))
    return f"{name}: {_inline(value)}"


def _inline(value: Any) -> str:
    if isinstance(value, dict):
        kept = ((name, each) for name, each in value.items() if name not in _DROPPED and not _is_empty(each))
        return "; ".join(f"{name}: {_nested(each)}" for name, each in kept)
    if isinstance(value, list):
        return ", ".join(map(_nested, value))
    return _scalar(value)


def _nested(value: Any) -> str:
    return f"{{{_inline(value)}}}" if isinstance(value, dict) else _inline(value)


def _review(_: Asked, value: Any) -> str:
    from indelible.toolsets.review import findings

    return _UUID.sub(r"\1", _shown(findings.text_of(value)))


def _scalar(value: Any) -> str:
    if isinstance(value, bool) or value is None:
        return {True: "yes", False: "no", None: "none"}[value]
    return f"{value:g}" if isinstance(value, float) else _UUID.sub(r"\1", _shown(str(value)))


def _is_empty(value: Any) -> bool:
    return value is None or value in ("", [], {})


_FORMS: Mapping[str, Callable[[Asked, Any], str]] = {
    **dict.fromkeys(("recall_memory", "recall_with_expansion", "recall_with_impact"), _hits),
    "get_decision_chain": _decisions,
    "matrix_recall": _solutions,
    "list_todos": _todos,
    **dict.fromkeys(("retrieve_memory", "retrieve_by_type", "ask_with_context"), _passages),
    **dict.fromkeys(("read_graph", "search_nodes", "open_nodes"), _graph),
    "export_memories": _whole,
    **dict.fromkeys(("search_code", "search_symbols", "get_symbol_info"), _symbols),
    "get_dependencies": _dependencies,
    "get_impact": _impact,
    "review_diff": _review,
    "graph_traverse": _nodes,
}
