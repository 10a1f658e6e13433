"""The shape of a hit of recall_memory, as its answer and its schema have it; `shapes.hit` rounds its numbers."""

from typing import Literal, NotRequired

from typing_extensions import TypedDict  # pydantic needs this one before Python 3.12

from indelible.toolsets.rounding import Exact


class ScoreBreakdown(TypedDict):
    """The eight components of a score, each 0..1, before the weights."""

    vector_similarity: Exact
    graph_strength: Exact
    token_overlap: Exact
    temporal: Exact
    tag_matching: Exact
    importance: Exact
    confidence: Exact
    recency: Exact


class Via(TypedDict):
    """The relation that brought a hit which its own text did not: the record at its other end, and its name."""

    id: str
    relationship: str


class NamedCode(TypedDict):
    """A symbol or file that a text names, and how it is since; `part` of its lines has changed, 0..1."""

    name: str
    state: Literal["fresh", "changed", "moved", "gone"]
    to: NotRequired[str]
    changed: NotRequired[Literal[True]]
    commit: NotRequired[str]
    part: NotRequired[Exact]


class Freshness(TypedDict):
    """How the code that a text names is now: `gone` where most of it is."""

    state: Literal["fresh", "changed", "moved", "gone"]
    code: list[NamedCode]


class CommitFacts(TypedDict):
    """A commit's id, how many files it changed, the first of them, and its author where the owner keeps names.

    `gone` marks one that no branch leads to any more.
    """

    hash: str
    file_count: int
    files: list[str]
    author: NotRequired[str]
    merge: NotRequired[Literal[True]]
    gone: NotRequired[Literal[True]]


class Lasting(TypedDict):
    """How long a record holds; `validity` says that it is not true now (or at `as_of`): no more, or not yet."""

    valid_from: NotRequired[str]
    valid_to: NotRequired[str]
    validity: NotRequired[Literal["ended", "ahead"]]
    expires_at: NotRequired[str]
    expired: NotRequired[Literal[True]]
    pinned: NotRequired[Literal[True]]


class Standing(Lasting):
    """How a text stands today: `replaced_by` replaces it, `newer` may be a later version, `contradicted_by` says no.

    `freshness` is of the code that it names, absent where it names none. `unmerged_branch` is the one it comes from, if
    that is not in the caller's.
    """

    replaced_by: NotRequired[str]
    newer: NotRequired[str]
    contradicted_by: NotRequired[str]
    freshness: NotRequired[Freshness]
    unmerged_branch: NotRequired[str]


class RecallHit(Standing):
    """One hit of recall_memory; `rule` marks a standing rule that is here for the situation, whatever its words."""

    id: str
    content: str
    memory_type: str
    importance: Exact
    score: Exact
    score_breakdown: ScoreBreakdown
    tags: list[str]
    namespace: NotRequired[str]
    kind: str
    access_count: int
    created_at: str
    rule: NotRequired[Literal[True]]
    origin: NotRequired[str]
    trust: NotRequired[Literal["untrusted"]]
    weak: NotRequired[bool]
    commit: NotRequired[CommitFacts]
    via: NotRequired[Via]
