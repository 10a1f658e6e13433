"""Commits as git's log lists them: subject, body, author, time, parents, and the files that each changed."""

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from indelible.source.history.git import COMPARING, Git, GitFailed

MOST_COMMITS = 50_000  # of one reading
MOST_FILES = 500  # of one commit; beyond that its files tell nothing of each other
AT_ONCE = 400  # commits that are asked for by their ids: a command line has an end
MOST_BYTES = 256 << 20  # of a log
LONGEST_SUBJECT, LONGEST_BODY, LONGEST_AUTHOR, LONGEST_PATH = 500, 20_000, 200, 4_096

_FORMAT = "%x00%H%x00%P%x00%ct%x00%an%x00%B"
_FIELDS = 5
_TWO_PATHS = "RC"  # a renamed or copied file comes with its old path before its new one


class FileChange(NamedTuple):
    """A file that a commit changed: `status` is A, M, D, R (renamed from `old_path`), C (copied), T or U."""

    status: str
    path: str
    old_path: str = ""


class Commit(NamedTuple):
    """A commit. `time` is that of the committer, in microseconds since 1970 UTC.

    `files` are in git's order, at most MOST_FILES, and `file_count` all of them; a merge has none.
    """

    hash: str
    parents: tuple[str, ...]
    time: int
    author: str
    subject: str
    body: str
    files: tuple[FileChange, ...] = ()
    file_count: int = 0

    @property
    def is_merge(self) -> bool:
        """Whether it has several parents."""
        return len(self.parents) > 1


def commits(git: Git, of: str = "", without: str = "", most: int = MOST_COMMITS) -> list[Commit]:
    """Return the commits of a revision's history (HEAD's), newest first, at most `most`.

    Those of the history of `without`, the id of a commit, are left out: so a log is read on where it was read to. A
    repository without a commit has none. Raises GitFailed, and InvalidInput for a revision that is none.
    """
    start = git.commit(of) if of else git.head()
    if not start:
        return []
    chosen = [start, *((f"^{git.commit(without)}",) if without else ())]
    return _read(git, "--date-order", f"--max-count={most}", *chosen)


def _read(git: Git, *chosen: str) -> list[Commit]:
    asked = (
        *("log", "-z", f"--format={_FORMAT}", "--name-status", "--encoding=UTF-8", "--no-show-signature"),
        *("--no-decorate", "--no-mailmap", "--no-notes", *COMPARING),
    )
    try:
        found = git.run(*asked, *chosen, "--", most=MOST_BYTES, may_be_cut=True)
    except GitFailed:  # a clone without all contents has the names of files, but cannot tell a rename
        found = git.run(*asked, "--no-renames", *chosen, "--", most=MOST_BYTES, may_be_cut=True)
    parsed = list(parse(found.content))
    return parsed[:-1] if found.cut else parsed  # the last one may lack files


def names(git: Git, head: str, most: int) -> list[str]:
    """Return the ids of the newest commits of a commit's history, in git's order, which needs no look at all of it.

    Raises GitFailed.
    """
    return git.run("rev-list", f"--max-count={most}", head, "--").content.decode("ascii", "replace").split()


def of_names(git: Git, wanted: Sequence[str]) -> list[Commit]:
    """Return the commits of these ids, in their order, at most AT_ONCE. Raises GitFailed, also where one is not here.

    Some of the last are missing where they have more than MOST_BYTES.
    """
    return _read(git, "--no-walk=unsorted", *wanted[:AT_ONCE]) if wanted else []


def lost(git: Git, known: Sequence[str], heads: Sequence[str]) -> set[str]:
    """Return those of some ids that no branch, tag or other reference leads to any more, nor one of some heads.

    A history that was rewritten leaves its commits so. Ids of what is not here at all are among them. Raises GitFailed.
    """
    found: set[str] = set()
    reached = ("--not", "--all", *heads)
    for at in range(0, len(known), AT_ONCE):
        part = known[at : at + AT_ONCE]
        here = {name for name in part if _is_here(git, name)} if _any_missing(git, part) else set(part)
        found.update(set(part) - here)
        if here:
            outside = git.run("rev-list", *sorted(here), *reached, "--").content.decode("ascii", "replace").split()
            found.update(here & set(outside))
    return found


def _any_missing(git: Git, names: Sequence[str]) -> bool:
    try:
        git.run("rev-list", "--no-walk=unsorted", *names, "--")
    except GitFailed:
        return True
    return False


def _is_here(git: Git, name: str) -> bool:
    try:
        git.run("cat-file", "-e", f"{name}^{{commit}}")
    except GitFailed:
        return False
    return True


def heads(git: Git) -> list[str]:
    """Return the commits that the work trees of a repository have checked out. Raises GitFailed."""
    listed = git.run("worktree", "list", "--porcelain").content.decode("utf-8", "replace")
    found = [line[len("HEAD ") :] for line in listed.splitlines() if line.startswith("HEAD ")]
    return [each for each in dict.fromkeys(found) if each.strip("0")]


def parse(log: bytes) -> Iterator[Commit]:
    """Yield the commits of a log in the form that `commits` asks for; what is not in that form is left out.

    No text in a commit can be taken for anything else: fields end with NUL, which neither texts nor paths have.
    """
    tokens = log.split(b"\0")
    at, end = 0, len(tokens)
    while at + _FIELDS < end:
        if tokens[at]:
            at += 1
            continue
        head = tokens[at + 1 : at + 1 + _FIELDS]
        at += 1 + _FIELDS
        files: list[FileChange] = []
        count = 0
        while at < end and tokens[at]:
            status = tokens[at].lstrip(b"\n").decode("ascii", "replace")[:1]
            wide = 2 if status and status in _TWO_PATHS else 1
            paths = [_path(each) for each in tokens[at + 1 : at + 1 + wide]]
            at += 1 + wide
            count += 1
            if status.isalpha() and len(paths) == wide and all(paths) and len(files) < MOST_FILES:
                files.append(FileChange(status, paths[-1], paths[0] if wide == 2 else ""))
        commit = _commit(head, tuple(files), count)
        if commit is not None:
            yield commit


def _commit(head: list[bytes], files: tuple[FileChange, ...], count: int) -> Commit | None:
    name, parents, time, author, message = (part.decode("utf-8", "replace") for part in head)
    if not (time.lstrip("-").isdecimal() and len(time) < 14 and name.isalnum()):
        return None
    subject, _, body = message.strip().partition("\n")
    return Commit(
        name,
        tuple(parents.split()),
        int(time) * 1_000_000,
        author[:LONGEST_AUTHOR],
        subject.strip()[:LONGEST_SUBJECT],
        body.strip()[:LONGEST_BODY],
        files,
        count,
    )


def _path(raw: bytes) -> str:
    """Return a path as text; one that is no UTF-8 has marks in the place of its bytes, and one too long is none."""
    return raw.decode("utf-8", "replace") if len(raw) <= LONGEST_PATH else ""
