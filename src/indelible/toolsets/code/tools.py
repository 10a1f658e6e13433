"""Toolset `code`: the symbols of source code, their references and dependencies, and their communities."""

from pathlib import Path
from typing import Annotated, Literal

from pydantic import Field

from indelible.core.context.context import Context
from indelible.sanitize.prompt_frame import visible
from indelible.toolsets import pages
from indelible.toolsets.code import clusters, impact, lookup, pagerank, search, shapes
from indelible.toolsets.registry import VISIBLE, WHOLE, tool

# Imported late (start, cli): indelible.toolsets.code.index, indelible.toolsets.code.packages

Documented = Literal["function", "method", "class", "struct", "enum", "interface", "type", "constant", "module", "test"]
Kind = Literal[Documented, "variable", "macro"]
Direction = Literal["incoming", "outgoing", "both"]
Text = Annotated[str, Field(min_length=1), VISIBLE]
Name = Annotated[Text, Field(description="Qualified name or unambiguous suffix")]


@tool("code", "Index a codebase", writes=True, idempotent=True)
def index_codebase(ctx: Context, path: Annotated[Text, Field(description="Absolute directory")]) -> shapes.IndexResult:
    """Index the symbols and references of a codebase for the other code tools.

    Repeating it reads only what changed.
    """
    from indelible.toolsets.code import index  # with parsers, which no other call of a server needs

    earlier: shapes.IndexResult | None = ctx.earlier_answer()
    if earlier is not None:
        return earlier
    done = index.index(ctx, Path(path))
    answer: shapes.IndexResult = {
        "files_scanned": done.files_scanned,
        "files_parsed": done.files_parsed,
        "files_skipped": done.files_skipped,
        "files_removed": done.files_removed,
        "symbols": done.symbols,
        "references": done.references,
        "edges_resolved": done.edges_resolved,
        "symbols_embedded": done.symbols_embedded,
        "duration_ms": done.duration_ms,
        "languages": done.languages,
        "skipped": done.skipped,
        "commits": done.commits,
        "commits_left": done.commits_left,
    }
    return ctx.write(lambda _: answer)  # a retry is answered the same; the run itself is several transactions


@tool("code", "Search symbols")
def search_symbols(
    ctx: Context,
    query: Annotated[Text, Field(description="Part of a name, in any case")],
    kind: Annotated[Kind | None, Field(description="Only this kind")] = None,
    limit: Annotated[int, Field(ge=0, le=lookup.MOST, description="Maximum results"), WHOLE] = 20,
) -> list[shapes.SymbolHit]:
    """Find functions, types and other symbols of indexed code by part of their name, with location and signature."""
    return [shapes.symbol(found) for found in lookup.search_symbols(ctx, query, kind, limit)]


@tool("code", "Symbol details")
def get_symbol_info(ctx: Context, qualified_name: Name) -> shapes.SymbolInfo:
    """Read one symbol: file and lines, signature, doc comment, parent, number of references to it."""
    found, references = lookup.symbol_info(ctx, qualified_name)
    return {**shapes.symbol(found), "doc_comment": shapes.doc_of(found), "references": references}


@tool("code", "Dependencies of a symbol")
def get_dependencies(
    ctx: Context,
    qualified_name: Name,
    direction: Annotated[Direction, Field(description="Of the relations")] = "both",
    limit: pages.Limit = None,
    cursor: pages.Cursor = None,
) -> list[shapes.Dependency]:
    """List the relations of a symbol or file: calls, imports, inherits ...; incoming: its users."""
    found = impact.get_dependencies(ctx, qualified_name, direction)
    return [_dependency(each) for each in pages.page(ctx, found, limit, cursor, _dependency)]


def _dependency(each: impact.Dependency) -> shapes.Dependency:
    return {
        "source": each.source,
        "target": each.target,
        "relationship": each.relation,
        "weight": each.weight,
        "direction": each.direction,
    }


@tool("code", "Impact of a change")
def get_impact(
    ctx: Context,
    qualified_name: Name,
    depth: Annotated[int, Field(ge=0, le=impact.DEEPEST, description="Maximum hops"), WHOLE] = 2,
    limit: pages.Limit = None,
    cursor: pages.Cursor = None,
) -> shapes.ImpactResult:
    """Show what a change of a symbol or file may break: direct and indirect dependents, and affected files.

    Call it before the change. Nearest first; reachable_nodes counts all.
    """
    start = pages.start_of(cursor)
    found = impact.get_impact(ctx, qualified_name, depth, start, limit)
    shown = pages.fitting(ctx, found.reached, start, found.count, limit, _written)
    return {
        "symbol": found.symbol,
        "depth": depth,
        "direct_dependents": [_dependent(each) for each in shown if each.depth == 1],
        "reachable_nodes": found.count,
        "reachable": [_reachable(each) for each in shown],
        "affected_files": sorted({visible(path) for path in (found.path, *(each.path for each in shown)) if path}),
    }


def _written(each: impact.Reached) -> list[object]:
    """Return what a record adds to the lists of an impact."""
    return [_reachable(each), _dependent(each) if each.depth == 1 else each.path]


def _dependent(each: impact.Reached) -> shapes.Dependent:
    return {"id": each.id, "relationship": each.relation, "file_path": visible(each.path)}


def _reachable(each: impact.Reached) -> shapes.Reachable:
    return {"id": each.id, "kind": each.kind, "label": visible(each.label), "depth": each.depth}


@tool("code", "Clusters of the graph")
def get_clusters(
    ctx: Context,
    resolution: Annotated[float, Field(ge=0.01, le=100, description="Above 1: more, smaller clusters")] = 1.0,
) -> shapes.ClustersResult:
    """Divide the graph of code and memories into communities of related nodes, largest first.

    Only the most central members are listed, 500 in all at most.
    """
    found = clusters.get_clusters(ctx, resolution)
    return {
        "cluster_count": found.count,
        "resolution": resolution,
        "modularity": found.modularity,
        "clusters": [
            {
                "cluster_id": each.number,
                "size": each.size,
                "label": visible(each.label),
                "members": list(each.members),
            }
            for each in found.clusters
        ],
    }


@tool("code", "Packages of a repository")
def get_cross_repo(
    ctx: Context,
    path: Annotated[Text | None, Field(description="Absolute directory; default: last indexed")] = None,
) -> shapes.CrossRepoResult:
    """Read the manifests of a repository: workspaces, packages, their dependencies, and those between them."""
    from indelible.toolsets.code import packages

    seen = packages.cross_repo(ctx, path)
    wanted = [(package, each) for package in seen.found.packages for each in package.requirements]
    return {
        "root": visible(seen.root),
        "workspaces": [shapes.workspace(each) for each in seen.found.workspaces],
        "packages": [shapes.package(each) for each in seen.found.packages],
        "dependencies_count": len(wanted),
        "dependencies": [
            {
                "package": visible(package.name),
                "name": visible(each.name),
                "version": visible(each.version),
                "kind": each.kind,
            }
            for package, each in wanted[: packages.MOST]
        ],
        "cross_package_edges": [shapes.cross_edge(each) for each in seen.found.edges[: packages.MOST]],
    }


@tool("code", "PageRank")
def get_pagerank(
    ctx: Context,
    top_k: Annotated[int, Field(ge=0, le=pagerank.MOST, description="Maximum results"), WHOLE] = 20,
    damping: Annotated[float, Field(ge=0, le=1, description="Damping factor")] = 0.85,
) -> shapes.PagerankResult:
    """Rank the most central nodes in the graph of code and memories: where to start reading, what needs most care."""
    return {
        "damping": damping,
        "top_k": top_k,
        "results": [
            {
                "id": each.key,
                "pagerank": each.pagerank,
                "kind": each.kind,
                "label": visible(each.label),
            }
            for each in pagerank.pagerank(ctx, top_k, damping)
        ],
    }


@tool("code", "Search code")
def search_code(
    ctx: Context,
    query: Annotated[Text, Field(description='What it does, as "parse JSON config"')],
    k: Annotated[int, Field(ge=0, le=search.MOST, description="Maximum results"), WHOLE] = 10,
) -> list[shapes.CodeHit]:
    """Find functions and types of indexed code by what they do, by meaning and words; best first, [] if none fits."""
    return [
        {
            **shapes.symbol(found),
            "similarity": similarity,
            "score": score,
            "doc_comment": shapes.doc_of(found),
        }
        for found, similarity, score in search.search_code(ctx, query, k)
    ]
