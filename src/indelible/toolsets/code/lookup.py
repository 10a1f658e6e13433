"""Looking up symbols and files of indexed code by the names that callers give."""

from collections import Counter
from collections.abc import Iterator, Sequence

from indelible.core.context.context import Context
from indelible.dataclass import dataclass
from indelible.errors import Conflict, NotFound
from indelible.model import DEPENDING, FILE
from indelible.store.database import Transaction
from indelible.store.tables import edges, records, repositories, source_files, symbols
from indelible.store.tables.repositories import Repository

MOST = 1_000  # symbols of one search
SYMBOL = "sym:"  # before the qualified name in the key of a symbol
LISTED = 12  # candidates that an error names
LONGEST_QUOTED = 200  # characters of an unknown name that an error repeats
# Files that say what others define: a name in one of each means the definition.
DECLARING = (".pyi", ".d.ts", ".d.mts", ".d.cts", ".h", ".hh", ".hpp", ".hxx", ".h++", ".inl")

Symbol = symbols.Found  # what the layers above call it


@dataclass(frozen=True, slots=True)
class Start:
    """A symbol or file found by a name: its record, its shown id, the path of its file.

    `name` finds it again: the id of a symbol without `sym:`. `symbol` is None for a file.
    """

    record: int
    key: str
    path: str
    symbol: Symbol | None = None

    @property
    def name(self) -> str:
        """The name in messages and answers."""
        return self.key.removeprefix(SYMBOL)


@dataclass(frozen=True, slots=True)
class _Known:
    """The codebases that a caller sees; `own` are the namespaces of the server's project, `others` the rest."""

    repositories: Sequence[Repository]
    own: frozenset[str]
    others: frozenset[str]

    def root_of(self, symbol: Symbol) -> str:
        """Return the root directory of a symbol's codebase."""
        return next((each.root for each in self.repositories if each.id == symbol.repository), "")


def _known(ctx: Context, tx: Transaction) -> _Known:
    found = repositories.everything(tx)
    names = {each.namespace for each in found}
    own = frozenset(ctx.scope(tx).own_among(names))
    return _Known(found, own, frozenset(names) - own)


# --- Search ---


def search_symbols(ctx: Context, query: str, kind: str | None, limit: int) -> list[Symbol]:
    """Return the symbols whose names contain the query, in any case: exact names, prefixes, then the shorter names.

    On ties those of the server's project come first, then by qualified name and path. Of a query with a separator
    (`Store.op`, `Store::op`) the last segment must be in the name and the whole in the qualified name. Raises NotFound
    as `refuse_unindexed` does.
    """
    parts = symbols.segments(query)
    if limit == 0 or not parts:
        return []
    kinds = () if kind is None else (kind,)
    within = ".".join(parts) if len(parts) > 1 else ""
    with ctx.store.read() as tx:
        known = _known(ctx, tx)
        everywhere = known.own | known.others
        found = symbols.search_names(tx, parts[-1], everywhere, kinds, limit, own=known.own, within=within)
        if not found:
            refuse_unindexed(ctx, tx, query)
    ctx.call.touched.extend(each.key for each in found)
    return found


def refuse_unindexed(ctx: Context, tx: Transaction, query: str) -> None:
    """Raise NotFound if a search without results could not cover the code of the server's project.

    That is the case if no run of the index has finished for anything that the caller sees, or for its project.
    """
    indexed = [each.namespace for each in _known(ctx, tx).repositories if each.indexed]
    if not indexed:
        raise NotFound("no codebase is indexed yet; run index_codebase first")
    scope = ctx.scope(tx)
    if scope.own and not scope.own_among(set(indexed)):
        raise NotFound(
            f"query {_quoted(query)} matches nothing in the indexed code, and this project is not indexed yet; "
            "run index_codebase with its directory"
        )


def symbol_info(ctx: Context, name: str) -> tuple[Symbol, int]:
    """Return the symbol of a name, and how many places of the indexed code refer to it. Raises as `find` does."""
    with ctx.store.read() as tx:
        found = find_symbol(ctx, tx, name)
        around = edges.of_records(tx, [found.row.record])
    ctx.call.touched.append(found.key)
    referring = (each for each in around if each.target == found.row.record and each.canonical in DEPENDING)
    return found, sum(_count(each.metadata.get("count")) for each in referring)


def _count(given: object) -> int:
    """Return how many references one relation stands for."""
    return given if isinstance(given, int) and not isinstance(given, bool) and given > 0 else 1


# --- By name ---


def find(ctx: Context, tx: Transaction, given: str) -> Start:
    """Return the symbol of a name as `find_symbol` does, else the file of a path. Raises NotFound and Conflict."""
    if not given.startswith(FILE):
        found = _symbol(ctx, tx, given)
        if found is not None:
            return Start(found.row.record, found.key, found.path, found)
    file = _file(ctx, tx, given.removeprefix(FILE))
    if file is None:
        raise _unknown(ctx, tx, given)
    return file


def find_symbol(ctx: Context, tx: Transaction, given: str) -> Symbol:
    """Return the symbol of a qualified name or a suffix of one, optionally with `sym:` before or `@` and a file behind.

    The server's project comes first; within it, and then in all others, whole names come before suffixes. All
    separators are equivalent. Of a declaration and a definition in different files the definition is returned; if all
    other candidates are inside one of them (a constructor in its class), that one. Raises NotFound, also for a symbol
    that was removed from the source, and Conflict with the candidates if there are several.
    """
    found = _symbol(ctx, tx, given)
    if found is None:
        raise _unknown(ctx, tx, given)
    return found


def _symbol(ctx: Context, tx: Transaction, given: str) -> Symbol | None:
    known = _known(ctx, tx)
    name = given.removeprefix(SYMBOL)
    shown = _of_key(ctx, tx, given) if given.startswith(SYMBOL) else []
    for names in (known.own, known.others):
        as_shown = [each for each in shown if each.namespace in names and not each.row.gone]
        if as_shown:
            return _only(known, given, as_shown)
        for whole in (True, False):
            for found in _candidates(ctx, tx, known, name, names, whole):
                if found:
                    return _only(known, given, found)
    return None


def _candidates(
    ctx: Context, tx: Transaction, known: _Known, name: str, namespaces: frozenset[str], whole: bool
) -> Iterator[list[Symbol]]:
    """Yield the symbols that a name may refer to: as given, then split at each `@` into a name and its file."""
    if not namespaces:
        return
    yield symbols.by_tail(tx, name, namespaces, MOST, whole)[0]
    at = name.rfind("@")
    while at > 0:
        found, _ = symbols.by_tail(tx, name[:at], namespaces, MOST, whole)
        yield _in_file(known, found, name[at + 1 :])
        at = name.rfind("@", 0, at)


def _in_file(known: _Known, found: Sequence[Symbol], path: str) -> list[Symbol]:
    """Return the symbols in a file, given by its path from the codebase's root, its absolute path, or a path suffix."""
    exact = [each for each in found if path in (each.path, f"{known.root_of(each)}/{each.path}")]
    return exact or [each for each in found if path and each.path.endswith(f"/{path}")]


def _only(known: _Known, given: str, found: Sequence[Symbol]) -> Symbol:
    """Return the one of several symbols that a name refers to. Raises Conflict."""
    defined = [each for each in found if not each.path.endswith(DECLARING)]
    names = {(each.namespace, each.row.qualified_name) for each in found}
    if len(defined) == len(names) == 1:
        return defined[0]
    around = _around_all(found)
    if around is not None:
        return around
    candidates = _names(known, found)
    more = f" and {len(candidates) - LISTED} more" if len(candidates) > LISTED else ""
    raise Conflict(
        f"qualified_name {_quoted(given)} matches several symbols; give one of: {', '.join(candidates[:LISTED])}{more}"
    )


def _around_all(found: Sequence[Symbol]) -> Symbol | None:
    """Return the symbol that contains all others (or the only one), None if there is none."""
    outer = min(found, key=lambda each: len(each.row.qualified_name))
    inside = tuple(outer.row.qualified_name + separator for separator in (".", "::"))
    others = [each for each in found if each is not outer]
    alike = all(each.namespace == outer.namespace and each.row.qualified_name.startswith(inside) for each in others)
    return outer if alike else None


def _names(known: _Known, found: Sequence[Symbol]) -> list[str]:
    """Return an unambiguous name for each symbol: with the file if names are equal, absolute if projects differ."""
    several = len({each.namespace for each in found}) > 1
    counts = Counter(each.row.qualified_name for each in found)
    return [
        each.row.qualified_name
        if counts[each.row.qualified_name] == 1
        else f"{each.row.qualified_name}@{f'{known.root_of(each)}/' if several else ''}{each.path}"
        for each in found
    ]


def _file(ctx: Context, tx: Transaction, path: str) -> Start | None:
    """Return the file of a path, relative to its codebase or absolute; the server's project first. Raises Conflict."""
    known = _known(ctx, tx)
    found: list[tuple[Repository, int]] = []
    for each in sorted(known.repositories, key=lambda each: each.namespace not in known.own):
        relative = path.removeprefix(f"{each.root}/")
        file = source_files.by_path(tx, each.id, relative)
        if file is not None:
            found.append((each, file.record))
    own = [each for each in found if each[0].namespace in known.own] or found
    if len(own) > 1:
        candidates = ", ".join(f"{FILE}{each.root}/{path}" for each, _ in own[:LISTED])
        raise Conflict(f"qualified_name {_quoted(path)} matches several files; give one of: {candidates}")
    if not own:
        return None
    repository, record = own[0]
    return Start(record, FILE + path.removeprefix(f"{repository.root}/"), path.removeprefix(f"{repository.root}/"))


def _unknown(ctx: Context, tx: Transaction, given: str) -> NotFound:
    """Return the error for a name that was not found: nothing is indexed, removed from the source, or unknown."""
    former_path = _former_path(ctx, tx, given)
    if former_path is not None:
        return NotFound(f"qualified_name {_quoted(given)} is gone from the source; it stood in {former_path!r:.200}")
    known = _known(ctx, tx)
    if not known.repositories:
        return NotFound(
            f"qualified_name {_quoted(given)} is unknown: no codebase is indexed yet; run index_codebase first"
        )
    if given.startswith(FILE):
        return NotFound(
            f"qualified_name {_quoted(given)} is unknown as a symbol; if it is an indexed file, get_dependencies and "
            "get_impact take it, by its path from the root of its codebase or the absolute one"
        )
    parts = symbols.segments(given.removeprefix(SYMBOL)) or [""]
    near = symbols.search_names(tx, parts[-1], known.own | known.others, (), 3) if len(parts[-1]) > 2 else []
    meant = f"did you mean {', '.join(each.key.removeprefix(SYMBOL) for each in near)}? " if near else ""
    return NotFound(
        f"qualified_name {_quoted(given)} is unknown; {meant}search_symbols finds names by a part, and index_codebase "
        "reads what is new"
    )


def _former_path(ctx: Context, tx: Transaction, given: str) -> str | None:
    """Return the former path of a symbol that was removed from the source, None if there is no such symbol."""
    start = symbols.tail_of(given.removeprefix(SYMBOL))
    if not start:
        return None
    left = [record for each in _known(ctx, tx).repositories for record in symbols.deleted_names_in(tx, each.id)]
    found = symbols.by_records(tx, left).values()
    return next((each.path for each in found if symbols.tail_of(each.row.qualified_name).startswith(start)), None)


def _of_key(ctx: Context, tx: Transaction, key: str) -> list[Symbol]:
    """Return the symbols of a shown id, one for each project, removed ones included, the oldest first."""
    kept = [each.id for each in records.by_key(tx, key) if each.kind == "symbol"]
    found = symbols.by_records(tx, kept)
    return [found[record] for record in kept if record in found]


def _quoted(given: str) -> str:
    return repr(given if len(given) <= LONGEST_QUOTED else given[:LONGEST_QUOTED] + "…")


# --- What belongs to it ---


def parts(ctx: Context, tx: Transaction, start: Start) -> set[int]:
    """Return the records that change with a symbol or file: itself, its members, and its other declarations."""
    if start.symbol is None:
        return {start.record, *(each.row.record for each in symbols.of_file(tx, start.record))}
    symbol = start.symbol
    same, _ = symbols.by_tail(tx, symbol.row.qualified_name, [symbol.namespace], MOST, whole=True)
    same = [each for each in same if each.row.qualified_name == symbol.row.qualified_name]
    declared = [each for each in same if each.path.endswith(DECLARING)]
    inside = symbols.inside(tx, symbol.namespace, symbol.row.qualified_name)
    if len(same) - len(declared) > 1:  # others have the name too: only what is in its own file is sure to be its own
        return {symbol.row.record, *(record for record, path in inside if path == symbol.path)}
    return {symbol.row.record, *(each.row.record for each in same), *(record for record, _ in inside)}
