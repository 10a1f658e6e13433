"""The answers of the tools of toolset `code`."""

from typing import TYPE_CHECKING, Literal

from typing_extensions import TypedDict  # pydantic needs this one before Python 3.12

from indelible.sanitize.prompt_frame import visible
from indelible.toolsets.code.lookup import Symbol
from indelible.toolsets.rounding import Exact

if TYPE_CHECKING:
    from indelible.source.manifests.workspaces import CrossEdge, Package, Workspace


class IndexResult(TypedDict):
    """The answer of index_codebase; `skipped` counts files by the reason why they are not indexed.

    `commits` were stored by this run, older ones that are left come with the next.
    """

    files_scanned: int
    files_parsed: int
    files_skipped: int
    files_removed: int
    symbols: int
    references: int
    edges_resolved: int
    symbols_embedded: int
    duration_ms: int
    languages: dict[str, int]
    skipped: dict[str, int]
    commits: int
    commits_left: int


class SymbolHit(TypedDict):
    """A symbol of search_symbols; `namespace` is the project that its file is in."""

    name: str
    qualified_name: str
    kind: str
    signature: str
    file_path: str
    line_start: int
    line_end: int
    visibility: str
    parent: str | None
    namespace: str


class SymbolInfo(SymbolHit):
    """The answer of get_symbol_info."""

    doc_comment: str | None
    references: int


class CodeHit(SymbolHit):
    """A symbol of search_code."""

    similarity: float
    score: float
    doc_comment: str | None


class Dependency(TypedDict):
    """A relation of get_dependencies."""

    source: str
    target: str
    relationship: str
    weight: float
    direction: Literal["incoming", "outgoing"]


class Dependent(TypedDict):
    """A record that depends directly on the changed one."""

    id: str
    relationship: str
    file_path: str


class Reachable(TypedDict):
    """A record that a change reaches."""

    id: str
    kind: str
    label: str
    depth: int


class ImpactResult(TypedDict):
    """The answer of get_impact."""

    symbol: str
    depth: int
    direct_dependents: list[Dependent]
    reachable_nodes: int
    reachable: list[Reachable]
    affected_files: list[str]


class ClusterResult(TypedDict):
    """A community of get_clusters."""

    cluster_id: int
    size: int
    label: str
    members: list[str]


class ClustersResult(TypedDict):
    """The answer of get_clusters."""

    cluster_count: int
    resolution: Exact
    modularity: float
    clusters: list[ClusterResult]


class Ranked(TypedDict):
    """A record of get_pagerank."""

    id: str
    pagerank: float
    kind: str
    label: str


class PagerankResult(TypedDict):
    """The answer of get_pagerank."""

    damping: Exact
    top_k: int
    results: list[Ranked]


class WorkspaceResult(TypedDict):
    """A workspace of get_cross_repo, and the folders of its members."""

    kind: str
    manifest: str
    globs: list[str]
    members: list[str]


class PackageResult(TypedDict):
    """A package of get_cross_repo."""

    name: str
    version: str
    ecosystem: str
    path: str
    manifest: str


class RequirementResult(TypedDict):
    """A dependency that a package declares."""

    package: str
    name: str
    version: str
    kind: str


class CrossEdgeResult(TypedDict):
    """A package of the tree that needs another of it; both by name and folder."""

    source: str
    target: str
    relationship: Literal["DEPENDS_ON"]
    kind: str
    version: str
    source_path: str
    target_path: str


class CrossRepoResult(TypedDict):
    """The answer of get_cross_repo."""

    root: str
    workspaces: list[WorkspaceResult]
    packages: list[PackageResult]
    dependencies_count: int
    dependencies: list[RequirementResult]
    cross_package_edges: list[CrossEdgeResult]


def symbol(found: Symbol) -> SymbolHit:
    """Return a symbol as answers show it; its qualified name stays unchanged, since it identifies the symbol."""
    row = found.row
    return {
        "name": visible(row.name),
        "qualified_name": row.qualified_name,
        "kind": found.kind,
        "signature": visible(row.signature),
        "file_path": visible(found.path),
        "line_start": row.start_line,
        "line_end": row.end_line,
        "visibility": row.visibility,
        "parent": visible(row.parent) or None,
        "namespace": visible(found.namespace),
    }


def doc_of(found: Symbol) -> str | None:
    """Its doc comment, None where it has none."""
    return visible(found.row.doc) or None


def workspace(found: "Workspace") -> WorkspaceResult:
    """A workspace as answers show it."""
    return {
        "kind": found.kind,
        "manifest": visible(found.manifest),
        "globs": [visible(each) for each in found.globs],
        "members": [visible(each) for each in found.members],
    }


def package(found: "Package") -> PackageResult:
    """A package as answers show it."""
    return {
        "name": visible(found.name),
        "version": visible(found.version),
        "ecosystem": found.ecosystem,
        "path": visible(found.path),
        "manifest": visible(found.manifest),
    }


def cross_edge(found: "CrossEdge") -> CrossEdgeResult:
    """Return a dependency between two packages as answers show it."""
    return {
        "source": visible(found.source.name),
        "target": visible(found.target.name),
        "relationship": "DEPENDS_ON",
        "kind": found.requirement.kind,
        "version": visible(found.requirement.version),
        "source_path": visible(found.source.path),
        "target_path": visible(found.target.path),
    }
