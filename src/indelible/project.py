"""Which project a server belongs to: a directory, and the origin that its clones share.

Git's files are read, git is never run: a repository's own configuration could make git execute what it names.
"""

import os
import re
from collections.abc import Iterator, Mapping
from functools import cache
from pathlib import Path
from typing import NamedTuple

from indelible.errors import InvalidInput

REPOSITORY, DIRECTORY, NAME = "repository", "directory", "name"  # what the path of a project is


class Location(NamedTuple):  # which a hook makes in a third of the time of a dataclass
    """A project: the canonical absolute path of its directory, or a name that the user chose, and its origin.

    The origin is that of `normalise_origin`, None where there is none. One that is not `here` was named by a client
    over the network: its path is a name like any other, and is never looked at on this machine. `kind` is REPOSITORY,
    DIRECTORY for a directory that is in no repository, or NAME.
    """

    path: str
    origin: str | None
    here: bool = True
    kind: str = NAME


# The ways to a project, in their order: named, the folder that a client has open, what Claude Code says, the directory.
GIVEN, WORKSPACE, CLAUDE, START = "--project", "INDELIBLE_WORKSPACE", "CLAUDE_PROJECT_DIR", "directory"


class Found(NamedTuple):
    """A project that was looked for, None for no project, and by which of the ways it was found, in which directory.

    The directory is "" for a name.
    """

    location: Location | None
    by: str
    directory: str = ""


def locate(explicit: str | None, environ: Mapping[str, str], start: Path, home: Path) -> Location | None:
    """Return the project of a server that was started in `start`, None for the home directory and the root.

    See `find`.
    """
    return find(explicit, environ, start, home).location


def find(explicit: str | None, environ: Mapping[str, str], start: Path, home: Path) -> Found:
    """Return the project of a server that was started in `start`, and the way to it.

    The first of these that is given: `explicit` (`--project`), the folder that a client has open (INDELIBLE_WORKSPACE),
    CLAUDE_PROJECT_DIR, `start`. What holds a variable that its client left as it is (`${workspaceFolder}`) is not
    given, nor is a folder that is the home directory or the root: clients name it where none is open. `explicit` is a
    directory if it is absolute or begins with ~, . or .. and exists, else a name that stands for itself. A directory
    stands for the main worktree around it, a submodule for itself. A repository in the home directory or the root is
    passed over. InvalidInput if `explicit` is blank.
    """
    if explicit is not None and not _is_unexpanded(explicit):
        if not explicit.strip():
            raise InvalidInput("--project is empty; give a directory or a name, or leave it out")
        named = _as_path(explicit, start, home)
        if named is None or not os.path.exists(named):
            return Found(Location(explicit, None), GIVEN)
        place = named if os.path.isdir(named) else named.parent
        return Found(_project_around(place, home), GIVEN, str(place))
    for way in (WORKSPACE, CLAUDE):
        hint = environ.get(way, "").strip()
        if hint and not _is_unexpanded(hint):
            place = _as_path(hint, start, home) or start / hint
            location = _project_around(place, home)
            if location is not None or way == CLAUDE:
                return Found(location, way, str(place))
    return Found(_project_around(start, home), START, str(start))


def _is_unexpanded(text: str) -> bool:
    """Return whether a text holds a variable that whoever should have put its value there did not know."""
    return "${" in text


def _as_path(text: str, start: Path, home: Path) -> Path | None:
    first, *rest = re.split(r"[/\\]" if os.name == "nt" else "/", text, maxsplit=1)
    if first == "~":
        return home.joinpath(*rest)
    return start / text if first in (".", "..") or Path(text).is_absolute() else None


def _project_around(start: Path, home: Path) -> Location | None:
    here, outside = Path(os.path.realpath(start)), Path(os.path.realpath(home))
    if _is_no_project(here, outside):
        return None
    for directory in (here, *here.parents):
        if _is_no_project(directory, outside):
            break
        found = _repository_in(directory)
        if found is not None:
            top, common = found
            # The worktree of a repository of the whole home directory is a project of its own.
            path = directory if _is_no_project(top, outside) else top
            return Location(str(path), _origin(common) if common else None, kind=REPOSITORY)
    return Location(str(here), None, kind=DIRECTORY)


def _is_no_project(directory: Path, home: Path) -> bool:
    if os.name == "nt" and directory.name.lower() == "system32":  # where programs of the desktop start their servers
        return True
    return directory in (home, Path(directory.anchor))


def is_path(name: str) -> bool:
    """Return whether a namespace or an alias is an absolute path, of any system."""
    return name.startswith("/") or name[1:3] in (":\\", ":/")


def upwards(path: str) -> Iterator[str]:
    """Return an absolute path of any system without a slash at its end, then the directories above, nearest first."""
    at = path.rstrip("/\\")
    while at and is_path(at):
        yield at
        at = at[: max(at.rfind("/"), at.rfind("\\"), 0)].rstrip("/\\")


def is_repository(directory: str) -> bool:
    """Return whether a directory of this machine is the top level of a repository, a bare one too, or of a worktree."""
    if os.path.lexists(os.path.join(directory, ".git")):
        return _repository_in(Path(directory)) is not None
    return os.path.lexists(os.path.join(directory, "HEAD")) and os.path.isdir(os.path.join(directory, "objects"))


def repository_at(directory: str) -> Location | None:
    """Return the repository whose top level, or that of a worktree of it, a directory of this machine is, else None."""
    if not os.path.lexists(os.path.join(directory, ".git")):  # what nearly every directory is told by
        return None
    found = _repository_in(Path(directory))
    if found is None:
        return None
    top, common = found
    return Location(str(top), _origin(common) if common else None, kind=REPOSITORY)


# --- Repositories ---

_LARGEST = 1 << 20  # bytes of a file of git's


def _repository_in(directory: Path) -> tuple[Path, Path | None] | None:
    """Return the top level of the main worktree and git's common directory, None where no repository begins here.

    See gitrepository-layout(5): a `.git` file names the git directory; that of a linked worktree has a `commondir`,
    that of a submodule or of `git init --separate-git-dir` has none.
    """
    marker = directory / ".git"
    if os.path.isdir(marker):
        return (directory, Path(os.path.realpath(marker))) if os.path.lexists(marker / "HEAD") else None
    pointer = _line(marker)
    if not pointer.startswith("gitdir:"):
        return None
    git = Path(os.path.realpath(directory / pointer.removeprefix("gitdir:").strip()))
    if not os.path.lexists(git / "HEAD"):
        return directory, None  # the repository was moved, or only the worktree is mounted here
    shared = _line(git / "commondir")
    if not shared:
        return directory, git
    common = Path(os.path.realpath(git / shared))
    return _main_worktree(common), common


def _main_worktree(common: Path) -> Path:
    """Return the main worktree of a common directory; for a bare repository what stands for all its worktrees."""
    if common.name == ".git":
        return common.parent
    for section, key, value in _config(common):
        if (section, key) == ("core", "worktree"):  # a submodule's
            return Path(os.path.realpath(common / value))
    return common.parent if common.name.startswith(".") else common


def _line(path: Path) -> str:
    """Return the text of one of git's one-line files, "" where there is none that can be read."""
    try:
        return os.fsdecode(_content(path)).strip()
    except OSError:
        return ""


def _content(path: Path) -> bytes:
    """Return what is in one of git's files; nothing where there is none, and of one that is too large to be git's."""
    if not os.path.isfile(path):
        return b""
    with path.open("rb") as file:
        content = file.read(_LARGEST + 1)
    return content if len(content) <= _LARGEST else b""


# --- The origin ---

_SCHEMES = frozenset({"ssh", "git", "http", "https", "ftp", "ftps", "git+ssh", "ssh+git", "git+http", "git+https"})
# The same service by its ways around firewalls.
_HOSTS = {
    "www.github.com": "github.com",
    "ssh.github.com": "github.com",
    "altssh.gitlab.com": "gitlab.com",
    "altssh.bitbucket.org": "bitbucket.org",
}
_FOLDING_HOSTS = frozenset({"github.com", "gitlab.com", "bitbucket.org"})


def normalise_origin(url: str) -> str | None:
    """Return "host/path" for a remote URL: one text for every way to clone a repository, without credentials or port.

    None for local paths, file:// and transports that name no host. The path keeps its case, but for the services that
    ignore it (GitHub, GitLab, Bitbucket).
    """
    url = url.strip()
    scheme, separator, rest = url.partition("://")
    if separator:
        found = _compiled(_AUTHORITY).fullmatch(rest) if scheme.lower() in _SCHEMES else None
    else:
        found = _compiled(_SCP).fullmatch(url)
    if found is None:
        return None
    host = found["host"].lower().rstrip(".")
    host = _HOSTS.get(host, host)
    path = re.sub("/+", "/", found["path"]).strip("/").removesuffix(".git").rstrip("/")
    if not host or not path:
        return None
    return f"{host}/{path.lower() if host in _FOLDING_HOSTS else path}"


# user:secret@host:port/path?query#fragment
_AUTHORITY = r"(?:[^/?#]*@)?(?P<host>\[[^\]/@]+\]|[^:/?#@\[\]\s]+)(?::\d*)?(?P<path>/[^?#]*)(?:[?#].*)?"
# user@host:path; one letter is a Windows drive, two colons another transport.
_SCP = r"(?:[^/]*@)?(?P<host>\[[^\]/@]+\]|[^:/@\[\]\s\\]{2,}):(?!:)(?P<path>.+)"


def _origin(common: Path) -> str | None:
    for section, key, value in _config(common):
        if (section, key) == ("remote.origin", "url"):
            return normalise_origin(value)
    return None


# A git-config(1) file is blanks, comments, [section "subsection"] and "key = value"; a line that ends in \ goes on.
_VALUE = r'(?:[^"\\\n#;]|\\\r?\n|\\[ntb"\\]|"(?:[^"\\\n]|\\\r?\n|\\[ntb"\\])*")*'
_TOKEN = (
    r"\s+|[#;][^\n]*"
    r'|\[(?P<section>[A-Za-z0-9.-]+)(?:[ \t]+"(?P<subsection>(?:[^"\\\n]|\\.)*)")?\]'
    rf"|(?P<key>[A-Za-z][A-Za-z0-9-]*)[ \t]*(?:=(?P<value>{_VALUE})(?=[#;\n]|\Z)|(?=\r?\n|\Z))"
)
_ESCAPES = {"n": "\n", "t": "\t", "b": "\b"}


def _config(common: Path) -> list[tuple[str, str, str]]:
    """Return what a repository's configuration sets: "section.subsection", key, value; nothing if it is malformed."""
    try:
        return list(_settings(_content(common / "config").decode("utf-8-sig")))
    except (OSError, ValueError):
        return []


def _settings(text: str) -> Iterator[tuple[str, str, str]]:
    section, place = "", 0
    while place < len(text):
        token = _compiled(_TOKEN).match(text, place)
        if token is None:
            raise ValueError(f"not a git configuration at character {place}")
        place = token.end()
        if token["section"]:
            section = token["section"].lower()
            if token["subsection"] is not None:
                section += "." + re.sub(r"\\(.)", r"\1", token["subsection"])
        elif token["value"] is not None:
            yield section, token["key"].lower(), _unquoted(token["value"])


def _unquoted(value: str) -> str:
    joined = re.sub(r"\\\r?\n", "", value).strip()
    return re.sub(r'\\(.)|"', lambda found: _ESCAPES.get(found[1], found[1]) if found[1] else "", joined)


@cache
def _compiled(pattern: str) -> re.Pattern[str]:
    return re.compile(pattern)
