"""The nouns of the store: frozen data without behaviour."""

from collections.abc import Mapping
from dataclasses import field
from typing import Any, Literal, TypeVar, dataclass_transform, get_args

from indelible.code_states import CodeState
from indelible.dataclass import dataclass

T = TypeVar("T")

MemoryType = Literal["decision", "pattern", "preference", "style", "habit", "insight", "context"]
MEMORY_TYPES: tuple[str, ...] = get_args(MemoryType)

SPEAKERS = ("user", "agent")  # who said a captured statement: `stated_by` in its metadata

Relationship = Literal[
    "RELATES_TO",
    "LEADS_TO",
    "PART_OF",
    "REINFORCES",
    "CONTRADICTS",
    "EVOLVED_INTO",
    "DERIVED_FROM",
    "INVALIDATED_BY",
    "DEPENDS_ON",
    "IMPORTS",
    "EXTENDS",
    "CALLS",
    "CONTAINS",
    "SUPERSEDES",
    "BLOCKS",
    "IMPLEMENTS",
    "INHERITS",
    "SIMILAR_TO",
    "PRECEDED_BY",
    "EXEMPLIFIES",
    "EXPLAINS",
    "SHARES_THEME",
    "SUMMARIZES",
    "MAY_SUPERSEDE",
]
RELATIONSHIPS: tuple[str, ...] = get_args(Relationship)

KINDS = (
    "memory",
    "solution",
    "failure",
    "vector",
    "entity",
    "document",
    "chunk",
    "message",
    "todo",
    "attempt",
    "symbol",
    "file",
    "commit",
)
# Their keys are numbers of one sequence.
NUMBERED_KINDS = ("document", "chunk", "todo", "attempt")
RecalledKind = Literal[
    "memory", "solution", "failure", "vector", "entity", "chunk", "message", "todo", "attempt", "commit"
]
# What recall_* searches: symbols and files belong to search_code, a document is found by its chunks.
RECALLED_KINDS = ("memory", "solution", "failure", "vector", "entity", "chunk", "message", "todo", "attempt")

# What search_code searches: it has an index of its own, which recall never looks into.
CODE_KINDS = ("symbol", "file")

# A commit of a codebase's repository: it too has an index of its own, where a recall looks that asks for commits.
COMMIT = "commit"
MODIFIES = "MODIFIES"  # from a commit to the symbols that it changed

# What the index makes, and can make again, of source code and of git.
INDEXED_KINDS = (*CODE_KINDS, COMMIT)

# One of these relations says that a record is no longer current: which end of it.
REPLACED_SOURCE = ("EVOLVED_INTO", "INVALIDATED_BY")
REPLACED_TARGET = ("SUPERSEDES",)
# From a text to an older one that says another value of the same thing: supposed, nothing is replaced by it. Weight 0
# is a caller's refusal, which stays so that it is not supposed again.
MAY_SUPERSEDE = "MAY_SUPERSEDE"

COMPONENTS = (
    "vector_similarity",
    "graph_strength",
    "token_overlap",
    "temporal",
    "tag_matching",
    "importance",
    "confidence",
    "recency",
)


@dataclass_transform(frozen_default=True, field_specifiers=(field,))
def _value(cls: type[T]) -> type[T]:
    """Return a class as a dataclass that nobody changes: the type checker sees to it.

    One that is frozen at run time takes twice as long to make, and a recall reads sixty records.
    """
    return dataclass(slots=True, unsafe_hash=True)(cls)


@_value
class Record:
    """One stored thing. `created` and `updated` are microseconds since 1970 UTC; `id` is 0 before it is stored.

    `uid` is random and names it in every store, "" before it is stored; `origin` names the store that made it, "" where
    that is this one.
    """

    key: str
    kind: str
    text: str
    created: int
    updated: int
    id: int = 0
    namespace: str = ""
    type: str = ""
    label: str = ""
    tags: tuple[str, ...] = ()
    metadata: dict[str, Any] = field(default_factory=dict)
    importance: float = 0.5
    confidence: float = 1.0
    content_hash: str = ""
    session: str = ""
    position: int = 0
    replaced: bool = False
    uid: str = ""
    origin: str = ""


@dataclass(frozen=True, slots=True)
class Edge:
    """A directed relation between two records, named by their ids; `relation` as given, `canonical` upper-case.

    `uid` and `origin` are as those of a `Record`.
    """

    source: int
    target: int
    relation: str
    canonical: str
    weight: float
    created: int
    metadata: dict[str, Any] = field(default_factory=dict)
    id: int = 0
    uid: str = ""
    origin: str = ""


@dataclass(frozen=True, slots=True)
class Access:
    """The number of times a record was returned, and the last time (microseconds since 1970 UTC)."""

    count: int
    last: int


@dataclass(frozen=True, slots=True)
class Via:
    """The relation that a hit was reached by: the id of the record at its other end, as shown, and its name."""

    id: str
    relationship: str


@dataclass(frozen=True, slots=True)
class Hit:
    """A recalled record with its score and the components that the score is the weighted sum of.

    `replaced_by` is the id of the record that replaces it, `newer` of the newest that may be a version of it,
    `contradicted_by` of the newest that CONTRADICTS it, "" for none; `via` tells how it was reached, None where its own
    text was. It is `weak` where nothing in the whole answer is clearly about the query.
    """

    record: Record
    score: float
    components: dict[str, float]
    access_count: int
    replaced_by: str = ""
    newer: str = ""
    contradicted_by: str = ""
    via: Via | None = None
    weak: bool = False
    rule: bool = False  # it is here as a standing rule, for the situation of the query
    code: tuple[CodeState, ...] = ()  # the code that it names
    branch: str = ""  # on which it was stored, where that is not merged into the caller's
    lifetime: Mapping[str, Any] = field(default_factory=dict)  # what `records/lifetimes` shows of it


FILE = "file:"  # before the path in the key of a file record


CODE = ("symbol", "file")


DEPENDING = (
    "CALLS",
    "IMPORTS",
    "INHERITS",
    "EXTENDS",
    "IMPLEMENTS",
    "DEPENDS_ON",
)  # from what depends to what it needs
