"""The files to be resolved again after others changed, found by names, so that one edit costs little.

Rather too many files than one too few: two names that are equal by chance are resolved in vain.
"""

import posixpath
from collections import defaultdict
from collections.abc import Hashable, Iterable, Iterator, Mapping
from dataclasses import field

from indelible.dataclass import dataclass
from indelible.source.parse.symbols import MODULE_LEVEL, ParsedFile
from indelible.source.resolve.outlines import Names, file_names, hashed, is_shared, last_part, module_parts
from indelible.source.resolve.scopes import BASES, FAMILIES

_BY_MODULE = frozenset(("python", "ecmascript"))  # top-level symbols are reached by the module's name


@dataclass(slots=True)
class Changes:
    """The names whose meaning changed.

    `anywhere` wherever they are looked up; `within` where one of `holders` is too, or what may hold the same as one:
    a member is reached by way of its type or module.
    """

    anywhere: set[str] = field(default_factory=set)
    within: set[str] = field(default_factory=set)
    holders: set[str] = field(default_factory=set)
    types: set[str] = field(default_factory=set)  # that a changed file implements something for (Rust)

    def __bool__(self) -> bool:
        return bool(self.anywhere or self.within or self.types)

    def add(self, path: str, old: ParsedFile | None, new: ParsedFile | None) -> None:
        """Note a file's content before and now, None where it does not exist."""
        if (
            old is not None
            and new is not None
            and (old.module, old.package, old.language)
            == (
                new.module,
                new.package,
                new.language,
            )
        ):
            self._compare(path, old, new)
            return
        for parsed in (old, new):
            if parsed is not None:
                self._whole(path, parsed)

    def packages(self, old: Iterable[str], new: Iterable[str]) -> None:
        """Note the modules before and now: a package comes with its first module, and goes with its last."""
        for name in _with_packages(old) ^ _with_packages(new):
            self.anywhere.add(last_part(name))

    def _whole(self, path: str, parsed: ParsedFile) -> None:
        """Note a file that was added or deleted."""
        self.anywhere |= file_names(path, parsed.module) | {posixpath.basename(posixpath.dirname(path))}
        family = FAMILIES.get(parsed.language, parsed.language)
        own = {symbol.qualified_name for symbol in parsed.symbols}
        for symbol in parsed.symbols:
            if symbol.parent and symbol.parent not in own:
                self.within.add(symbol.name)
                self.holders.add(last_part(symbol.parent))
            elif not symbol.parent and family not in _BY_MODULE:
                self.anywhere.add(symbol.name)
        self.types |= _subjects(parsed)

    def _compare(self, path: str, old: ParsedFile, new: ParsedFile) -> None:
        before, after = _facts(path, old), _facts(path, new)
        family = FAMILIES.get(new.language, new.language)
        known = {symbol.qualified_name for symbol in old.symbols} & {symbol.qualified_name for symbol in new.symbols}
        own = {symbol.qualified_name for file in (old, new) for symbol in file.symbols}
        for key in before.keys() | after.keys():
            holder, name = key
            if before.get(key) == after.get(key) or (holder in own and holder not in known):
                continue  # a member of a new type is reached by the type's name
            if holder is None or (holder == "" and family not in _BY_MODULE):
                self.anywhere.add(name)
            else:
                self.within.add(name)
                self.holders |= {last_part(holder)} if holder else file_names(path, new.module)
        if _subjects(old) != _subjects(new):
            self.types |= _subjects(old) | _subjects(new)


def affected(changes: Changes, changed: Iterable[str], known: Mapping[str, Names]) -> set[str]:
    """Return the files, among all that exist with their names now, whose edges may have changed.

    Those that changed themselves are left out.
    """
    changed = set(changed)
    holders = _closed(set(map(hashed, changes.holders)), known)
    anywhere, within = set(map(hashed, changes.anywhere)), set(map(hashed, changes.within))
    found: set[str] = set()
    grown = True
    while grown:
        grown = False
        for path, names in known.items():
            if path in found or not _looks_up(names, anywhere, within, holders):
                continue
            found.add(path)
            fresh = {name for name, of in names.stated if of in anywhere or of in within} - anywhere
            grown = grown or bool(fresh)
            anywhere |= fresh
    return _with_speakers(found | changed, set(map(hashed, changes.types)), known) - changed


def _looks_up(names: Names, anywhere: set[int], within: set[int], holders: set[int]) -> bool:
    looked_up = names.looked_up
    if not looked_up.isdisjoint(anywhere):
        return True
    return not (looked_up.isdisjoint(within) or looked_up.isdisjoint(holders))


def _closed(holders: set[int], known: Mapping[str, Names]) -> set[int]:
    """Return the holders with all names that may stand for one: subclasses, functions returning it, fields."""
    size = -1
    while holders and size != len(holders):
        size = len(holders)
        for names in known.values():
            holders.update([name for name, of in names.stated if of in holders])
    return holders


def _with_speakers(found: set[str], types: set[int], known: Mapping[str, Names]) -> set[str]:
    """Return the files with those that implement something for types of theirs, or whose types they do that for.

    Such an implementation is stored with the type, so both are resolved together.
    """
    speaking = {path: names for path, names in known.items() if names.extended}
    while speaking or types:
        own = {name for path in found if path in known for name in known[path].types}
        extended = types | {name for path in found if path in speaking for name in speaking[path].extended}
        more = {path for path, names in speaking.items() if not names.extended.isdisjoint(own)}
        more |= {path for path, names in known.items() if not names.types.isdisjoint(extended)}
        if more <= found:
            break
        found |= more
    return found


def _with_packages(modules: Iterable[str]) -> set[str]:
    found: set[str] = set()
    for module in modules:
        inner = module
        while inner and inner not in found:
            found.add(inner)
            inner = inner.rpartition("::" if "::" in inner else ".")[0]
    return found


def _subjects(parsed: ParsedFile) -> set[str]:
    return {last_part(each.subject) for each in parsed.references if each.subject}


_Key = tuple[str | None, str]  # qualified name of what holds it ("" the module, None any), plain name


def _facts(path: str, parsed: ParsedFile) -> dict[_Key, set[Hashable]]:
    """Return what other files may use of a file, by the name that they use."""
    found: dict[_Key, set[Hashable]] = defaultdict(set)
    for key, fact in _stated(path, parsed):
        found[key].add(fact)
    return found


def _stated(path: str, parsed: ParsedFile) -> Iterator[tuple[_Key, Hashable]]:
    for symbol in parsed.symbols:
        fact = (symbol.kind, symbol.qualified_name, symbol.visibility, symbol.declared, symbol.signature)
        yield (symbol.parent, symbol.name), fact
    for each in parsed.references:
        if each.kind in BASES:
            holder, name = _subject(parsed, each.subject, each.scope)
            yield (holder, name), (each.kind, each.receiver, each.name)
    for binding in parsed.bindings:
        if is_shared(parsed, binding):
            yield (_owner(parsed, binding.scope), last_part(binding.name)), (binding.name, binding.type)
    yield from _imported(path, parsed)


def _imported(path: str, parsed: ParsedFile) -> Iterator[tuple[_Key, Hashable]]:
    for statement in parsed.imports:
        if statement.scope != MODULE_LEVEL:
            continue
        fact = (statement.module, statement.name, statement.exported)
        if statement.alias or statement.name not in ("", "*"):
            yield ("", statement.alias or statement.name), fact
            continue
        for name in file_names(path, parsed.module):  # it changes what may be reached by way of this file
            yield (None, name), fact
        if statement.name == "":
            for part in module_parts(path, parsed, statement.module):
                yield ("", part), fact


def _subject(parsed: ParsedFile, subject: str, scope: int) -> tuple[str, str]:
    """Return (container, name) of the type that a base is stated for."""
    if subject or scope == MODULE_LEVEL:
        return "", last_part(subject)
    return parsed.symbols[scope].parent, parsed.symbols[scope].name


def _owner(parsed: ParsedFile, scope: int) -> str:
    """Return the qualified name of the type around a scope, "" at the top."""
    if scope == MODULE_LEVEL:
        return ""
    symbol = parsed.symbols[scope]
    return symbol.parent or symbol.qualified_name
