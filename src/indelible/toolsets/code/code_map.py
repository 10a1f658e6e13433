"""A map of indexed code within a number of tokens: an overview for readers who do not know the code."""

import os
import posixpath
from collections.abc import Sequence
from dataclasses import field
from pathlib import Path

from indelible.clock import moment_of
from indelible.core.context.context import Context
from indelible.dataclass import dataclass
from indelible.errors import InvalidInput, NotFound
from indelible.model import DEPENDING
from indelible.project import locate
from indelible.sanitize.prompt_frame import escaped, map_frame, one_line
from indelible.search.model_tokens.o200k import count
from indelible.source import code_map as maps
from indelible.source.code_map import CodeMap, Mapped
from indelible.store.database import Transaction
from indelible.store.tables import repositories
from indelible.store.tables.repositories import Repository
from indelible.store.views import code_map as rows
from indelible.store.views.code_map import Drawn
from indelible.toolsets.code import DEFAULT_TOKENS, LEAST_TOKENS, MOST_TOKENS

# Imported late (start, cli): indelible.graph.centrality


@dataclass(frozen=True, slots=True)
class Asked:
    """A map's limit of `tokens`, and its focus: symbols in the files or folders of `paths`, or about `query`."""

    tokens: int = DEFAULT_TOKENS
    paths: tuple[str, ...] = ()
    query: str = ""


@dataclass(frozen=True, slots=True)
class _Area:
    """A codebase, or its folder `inside`; `prefix` is put before its paths if several are shown."""

    repository: Repository
    inside: str = ""
    prefix: str = ""


def of_directory(ctx: Context, path: Path | None, asked: Asked) -> CodeMap:
    """Return the map of the indexed code in or around a directory; None means the server's project.

    Raises InvalidInput for an invalid number of tokens, and NotFound if nothing is indexed there.
    """
    _check_tokens(asked.tokens)
    with ctx.store.read() as tx:
        areas = _of_server(ctx, tx) if path is None else _at(ctx, tx, path)
        if not areas:
            where = "of this project" if path is None else f"at {str(path)!r:.300}"
            raise NotFound(f"no codebase {where} is indexed; run `indelible index` there, or index_codebase")
        return _drawn(ctx, tx, areas, asked)


def framed(ctx: Context, namespace: str, tokens: int = DEFAULT_TOKENS) -> str:
    """Return the map of a project as framed reference material for a model, "" if nothing of it is indexed."""
    with ctx.store.read() as tx:
        areas = _of_project(ctx, tx, namespace)
        if not areas:
            return ""
        last = max(area.repository.indexed for area in areas)
        source = ctx.scope(tx).aliases.canonical(namespace)
        before, behind = map_frame(source, moment_of(last).date().isoformat())
        drawn = _drawn(ctx, tx, areas, Asked(tokens - count(before) - count(behind)))
    return f"{before}{escaped(drawn.text)}{behind}"


def _check_tokens(tokens: int) -> None:
    if not LEAST_TOKENS <= tokens <= MOST_TOKENS:
        raise InvalidInput(f"tokens must be between {LEAST_TOKENS} and {MOST_TOKENS:,}, got {tokens}")


# --- Which code ---


def indexed(ctx: Context, tx: Transaction, namespace: str | None = None) -> list[Repository]:
    """The codebases of a project that were indexed, None meaning the server's own."""
    known = [each for each in repositories.everything(tx) if each.indexed]
    wanted = ctx.scope(tx).own if namespace is None else namespace
    names = ctx.scope(tx).of_project(wanted, {each.namespace for each in known})
    return [each for each in known if each.namespace in names]


def is_indexed(ctx: Context) -> bool:
    """Whether the server's project has a codebase that was indexed."""
    with ctx.store.read() as tx:
        return bool(indexed(ctx, tx))


def _of_project(ctx: Context, tx: Transaction, namespace: str | None) -> list[_Area]:
    return _beside(indexed(ctx, tx, namespace))


def _of_server(ctx: Context, tx: Transaction) -> list[_Area]:
    """The server's project; where nothing of it is indexed, the codebase around the directory that it is."""
    location = ctx.scope(tx).location
    inside = location is not None and location.here and Path(location.path).is_absolute()
    return _of_project(ctx, tx, None) or (_at(ctx, tx, Path(location.path)) if location and inside else [])


def _beside(found: Sequence[Repository]) -> list[_Area]:
    """Several codebases in one map: each with its folder before its paths."""
    return [_Area(each, prefix=each.folder if len(found) > 1 else "") for each in found]


def _at(ctx: Context, tx: Transaction, path: Path) -> list[_Area]:
    """The codebase around a directory, else those in it, else that of the project that it is another clone of."""
    directory = Path(os.path.realpath(path))  # which a ring of links does not break
    known = [each for each in repositories.everything(tx) if each.indexed]
    around = [each for each in known if directory.is_relative_to(each.root)]
    if around:
        nearest = max(around, key=lambda each: len(each.root))
        inside = directory.relative_to(nearest.root).as_posix()
        return [_Area(nearest, "" if inside == "." else inside)]
    within = [each for each in known if Path(each.root).is_relative_to(directory)]
    if within:
        return _beside(within)
    location = locate(str(directory), {}, directory, ctx.settings.home)
    names = () if location is None else (location.origin, location.path)
    return next((areas for name in names if name and (areas := _of_project(ctx, tx, name))), [])


# --- Drawing ---


@dataclass(slots=True)
class _Codebase:
    """The symbols of several areas, and the relations between records."""

    symbols: list[Drawn] = field(default_factory=list)
    shown: list[Mapped] = field(default_factory=list)
    relations: list[tuple[int, int, float]] = field(default_factory=list)


def _drawn(ctx: Context, tx: Transaction, areas: Sequence[_Area], asked: Asked) -> CodeMap:
    from indelible.graph import centrality

    found = _Codebase()
    for area in areas:
        _read(ctx, tx, area, found)
    paths = tuple(_relative(areas, path) for path in asked.paths)
    meant = maps.focus(found.shown, query=asked.query)
    seeds = [
        inside + (0.0 if each.is_test else about**2)  # one that has all of the words counts as four that have half
        for each, inside, about in zip(found.symbols, maps.focus(found.shown, paths), meant, strict=True)
    ]
    sources = [not each.is_test for each in found.symbols]  # without a focus the rank comes from all that is no test
    ranks = centrality.focused([each.record for each in found.symbols], found.relations, sources, seeds)
    ranked = [
        Mapped(each.qualified_name, each.path, each.signature, each.line, rank, each.parent)
        for each, rank in zip(found.shown, ranks, strict=True)
    ]
    return maps.code_map(ranked, lambda text: count(escaped(text)), asked.tokens)


def _read(ctx: Context, tx: Transaction, area: _Area, into: _Codebase) -> None:
    inside = f"{area.inside}/" if area.inside else ""
    for each in rows.symbols(tx, area.repository.id):
        if each.path.startswith(inside):
            into.symbols.append(each)
            path = one_line(posixpath.join(area.prefix, each.path))
            into.shown.append(Mapped(each.qualified_name, path, one_line(each.signature), each.line, 0.0, each.parent))
    into.relations += rows.relations(tx, area.repository.id, DEPENDING)


def _relative(areas: Sequence[_Area], path: str) -> str:
    """A path as the map shows it: an absolute one from the root of the codebase that it is in."""
    for area in areas:
        if path.startswith(f"{area.repository.root}/"):
            return posixpath.join(area.prefix, path.removeprefix(f"{area.repository.root}/"))
    return path
