"""The effect of `paths` and `baseUrl` of a tsconfig.json (or jsconfig.json) on imports.

Aliases are stored among the names of npm packages, which resolve imports in the same way: under the folder of the
file that has them, a line break, and the pattern; several targets are separated by line breaks.
"""

import posixpath
import re
from collections.abc import Iterator, Mapping

from indelible.sanitize import bounded

FILES = ("tsconfig.json", "jsconfig.json")
MOST = 200  # patterns of one file

# An unclosed part ends where the text does: nothing is scanned twice.
_NO_JSON = re.compile(
    r'"(?:[^"\\]|\\.)*+(?:"|\\?\Z)|//[^\n]*|/\*(?:[^*]|\*(?!/))*+(?:\*/|\Z)|,(?=\s*+[}\]])', re.DOTALL
)
_APART = "\n"

Aliases = dict[str, list[tuple[str, list[str]]]]  # by folder: (pattern, targets), the longest pattern first


def declared(folder: str, text: str) -> dict[str, str]:
    """Return the aliases of a file in a folder; {} where it has none, is not JSON or leads out of the codebase.

    Comments and commas before a closing bracket are ignored, as TypeScript does; `extends` is not followed.
    """
    try:
        options = bounded.json_value(_NO_JSON.sub(_kept, text))
    except ValueError:
        return {}
    options = options.get("compilerOptions") if isinstance(options, dict) else None
    options = options if isinstance(options, dict) else {}
    base, paths = options.get("baseUrl"), options.get("paths")
    found: dict[str, str] = {}
    top = posixpath.normpath(posixpath.join(folder, base)) if isinstance(base, str) else folder or "."
    for pattern, targets in list(paths.items())[:MOST] if isinstance(paths, dict) else ():
        listed = targets if isinstance(targets, list) else []
        inside = [_inside(top, target) for target in listed if isinstance(target, str)]
        if any(inside) and _APART not in pattern:
            found[f"{folder}{_APART}{pattern}"] = _APART.join(filter(None, inside))
    if isinstance(base, str) and (whole := _inside(top, "*")):
        found.setdefault(f"{folder}{_APART}*", whole)
    return found


def _kept(found: "re.Match[str]") -> str:
    return found.group() if found.group().startswith('"') else " "


def _inside(top: str, target: str) -> str:
    """Return a target from the top of the codebase, "" if it is outside."""
    path = posixpath.normpath(posixpath.join(top, target))
    return "" if path.startswith(("../", "/")) or path == ".." or _APART in path else path


def by_folder(packages: Mapping[str, str]) -> Aliases:
    """Return the aliases among the names of packages."""
    found: Aliases = {}
    for name, targets in packages.items():
        folder, apart, pattern = name.partition(_APART)
        if apart:
            found.setdefault(folder, []).append((pattern, targets.split(_APART)))
    for patterns in found.values():
        patterns.sort(key=lambda each: (-len(each[0].partition("*")[0]), each[0]))
    return found


def targets(aliases: Aliases, folder: str, module: str) -> Iterator[str]:
    """Yield the paths that a module may mean in a folder, by the nearest file of aliases above it."""
    while aliases and folder and folder not in aliases:
        folder = posixpath.dirname(folder)
    for pattern, paths in aliases.get(folder, ()):
        before, star, after = pattern.partition("*")
        if module == pattern:
            yield from paths
        elif star and module.startswith(before) and module.endswith(after) and len(module) >= len(pattern) - 1:
            part = module[len(before) : len(module) - len(after)]
            yield from (path.replace("*", part, 1) for path in paths)
