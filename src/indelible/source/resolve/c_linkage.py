"""Linkage in C and C++: the definition that a name is linked to, by namespaces and includes."""

import posixpath
from collections.abc import Iterator, Sequence

from indelible.source.parse.symbols import CALLABLE, MACRO, MODULE, MODULE_LEVEL, TYPES
from indelible.source.resolve import module_paths
from indelible.source.resolve.definition_index import Place
from indelible.source.resolve.evaluator import Evaluator
from indelible.source.resolve.meaning import ALONE, EXACT, GLOBBED, Meaning
from indelible.source.resolve.scopes import FileScopes

C_LIBRARY = frozenset(  # a codebase that defines one of these does so for the platforms that lack it
    """abort abs accept access assert atoi atol bind calloc close closedir connect dup dup2 exit fclose fcntl fflush
    fgets fopen fork fprintf fputs fread free fseek fstat ftell fwrite getaddrinfo getcwd getenv getopt getpid
    getsockopt gettimeofday inet_ntop inet_pton ioctl isalnum isalpha isdigit isspace isupper kill listen
    localtime localtime_r lseek malloc memchr memcmp memcpy memmem memmove memset mkdir mkstemp mmap open
    opendir perror pipe poll pread printf putenv pwrite qsort rand read readdir realloc recv rename select send
    setenv setsockopt shutdown signal sleep snprintf socket sprintf srand sscanf stat strcasecmp strcat strchr
    strcmp strcpy strdup strerror strftime strlcat strlcpy strlen strncasecmp strncmp strncpy strndup strnlen
    strrchr strsep strstr strtod strtok strtok_r strtol strtoul strtoull time tolower toupper unlink usleep
    vfprintf vsnprintf vsprintf wait waitpid write
    """.split()
)


def linked(
    of: "Evaluator", file: FileScopes, scope: int, name: str, namespaces: Sequence[str] | None = None
) -> Meaning | None:
    """Return a name in the namespaces around: of the file, of its includes, else the only one that can be linked."""
    around = namespaces if namespaces is not None else list(_namespaces(file, scope))
    alone: Meaning | None = None
    for namespace in around:
        places = of.definitions.members.get(("c", namespace), {}).get(name)
        if not places:
            continue
        own = [place for place in places if place.path == file.path]
        if own:
            return _of_c(of, own, places, EXACT)
        in_sight = visible(of, file.path)
        seen = [place for place in places if place.path in in_sight]
        if seen:
            return _of_c(of, seen, places, GLOBBED)
        alone = alone or _alone(of, file, places)
    return alone


def _of_c(of: "Evaluator", seen: Sequence[Place], places: Sequence[Place], confidence: float) -> Meaning:
    """Return the definition with a body of a declaration in sight, if there is only one."""
    file, index = of.at(seen[0])
    if file.symbols[index].kind == "module":
        return of.module(file.own_identity(index))
    bodies = [place for place in seen if of.has_body(place)]
    elsewhere = [place for place in places if of.has_body(place) and not of.is_private(place)]
    chosen = bodies[:1] or (elsewhere if len(elsewhere) == 1 else list(seen[:1]))
    return Meaning("symbol", file.own_identity(index), tuple(chosen), confidence)


def _alone(of: "Evaluator", file: FileScopes, places: Sequence[Place]) -> Meaning | None:
    """Return the only definition that can be linked to a call without a declaration in sight.

    A header of the same name as its file is taken to declare it. Where the caller's file has the name too, in a place
    that was not found, it may be that.
    """
    linkable = [place for place in places if not of.is_private(place) and of.has_body(place)]
    if len(linkable) != 1:
        return None
    found, index = of.at(linkable[0])
    symbol = found.symbols[index]
    if symbol.kind not in CALLABLE or symbol.kind == MACRO or symbol.name in file.names:
        return None  # types and macros must be in sight
    if symbol.name in C_LIBRARY:
        return None
    stem = posixpath.splitext(found.path)[0].rpartition("/")[2]
    declared = any(posixpath.splitext(path)[0].rpartition("/")[2] == stem for path in visible(of, file.path))
    return Meaning("symbol", found.own_identity(index), (linkable[0],), GLOBBED if declared else ALONE)


def visible(of: "Evaluator", path: str) -> frozenset[str]:
    """Return the files that a C or C++ file includes, directly or not."""
    if path not in of.visible:
        seen: set[str] = set()
        waiting = [path]
        while waiting:
            fresh = set(_includes(of, waiting.pop())) - seen
            seen |= fresh
            waiting.extend(fresh)
        of.visible[path] = frozenset(seen - {path})
    return of.visible[path]


def _includes(of: "Evaluator", path: str) -> tuple[str, ...]:
    if path not in of.includes:
        file = of.definitions.files[path]
        written = dict.fromkeys(each.module for each in file.parsed.imports if each.module[:1] in ('"', "<"))
        found = (module_paths.included(of.definitions, file, each) for each in written)
        of.includes[path] = tuple(each for each in found if each is not None)
    return of.includes[path]


def _namespaces(file: FileScopes, scope: int) -> Iterator[str]:
    """Yield the namespaces and types around a scope, innermost first, with those in use, then the global one."""
    if scope != MODULE_LEVEL:
        inner = file.symbols[scope]
        parts = inner.qualified_name.split("::")
        parts = parts if inner.kind == MODULE or inner.kind in TYPES else parts[:-1]
        for count in range(len(parts), 0, -1):
            yield "::".join(parts[:count])
    for each in file.imported.get(MODULE_LEVEL, {}).get("*", ()):
        if each.module[:1] not in ('"', "<"):
            yield each.module
    yield ""
