"""The commits that changed, moved or deleted what texts name, found by git when the index has run.

Only commits since the last run are looked at. A file that one of them changed says it by itself; of a few files that
several changed, the lines of a symbol are looked up by `git blame`. Where that tells nothing the commit is unknown.
"""

from collections import defaultdict
from collections.abc import Mapping, Sequence
from pathlib import Path

from indelible.code_states import CHANGED, GONE
from indelible.core.context.context import Context
from indelible.errors import InvalidInput
from indelible.source.history.git import Git, GitFailed
from indelible.source.history.log import Commit, commits
from indelible.store.database import Transaction
from indelible.store.namespace_filter import whole
from indelible.store.views import code_links
from indelible.store.views.code_links import NOW, WAS, Code, Link

MOST_COMMITS = 2_000  # since the last run; of more nothing is looked up
MOST_BLAMED = 8  # files of which lines are looked up in one run
SECONDS = 3.0  # that one run of git may take
SHOWN = 8  # digits of a commit


def note(ctx: Context, repository: int, root: Path, since: str, head: str) -> int:
    """Note the commit in each link whose target became another between two commits; return in how many."""
    if not since or not head or since == head:
        return 0
    with ctx.store.read() as tx:
        links = code_links.without_commit(whole(tx), repository)
        known = code_links.targets(whole(tx), [link.target for link in links]) if links else {}
    if not links:
        return 0
    try:
        found = _Lookup(Git(root, seconds=SECONDS), since, head).commits(links, known)
    except (GitFailed, InvalidInput):  # no git here, or a history that was rewritten: the commit stays unknown
        return 0

    def work(limited: Transaction) -> int:
        tx = whole(limited)
        still = {link.id: link for link in code_links.without_commit(tx, repository)}
        for link in (each for each in links if each.id in found and still.get(each.id) == each):
            now = {**link.metadata[NOW], "commit": found[link.id]}
            code_links.change(tx, link, link.weight, {**link.metadata, NOW: now})
        return len(found)

    return ctx.store.write(work) if found else 0


class _Lookup:
    def __init__(self, git: Git, since: str, head: str) -> None:
        self._git, self._since, self._head = git, since, head
        self._blamed: dict[str, Mapping[int, str]] = {}
        self._place: dict[str, int] = {}  # of each commit, the newest first
        self._of: dict[str, list[Commit]] = defaultdict(list)

    def commits(self, links: Sequence[Link], known: Mapping[int, Code]) -> dict[int, str]:
        """Return the commits of links, by their ids. Raises GitFailed, and InvalidInput for an unknown commit."""
        every = commits(self._git, self._head, self._since, MOST_COMMITS)
        if len(every) == MOST_COMMITS:
            return {}
        self._place = {commit.hash: number for number, commit in enumerate(every)}
        for commit in every:
            for file in commit.files:
                self._of[file.path].append(commit)
                if file.old_path:
                    self._of[file.old_path].append(commit)
        dirty = self._dirty()
        found: dict[int, str] = {}
        for link in links:
            code = known.get(link.target)
            name = "" if code is None else self._commit(link, code, dirty)
            if name:
                found[link.id] = name[:SHOWN]
        return found

    def _dirty(self) -> frozenset[str]:
        output = self._git.run("diff-index", "--name-only", "-z", "--no-ext-diff", self._head, "--").content
        return frozenset(output.decode("utf-8", "replace").split("\0"))

    def _commit(self, link: Link, code: Code, dirty: frozenset[str]) -> str:
        """Return the last commit that made a target what it is, "" if that is not known."""
        now, path = link.metadata[NOW], code.path
        if now["is"] == GONE or code.gone:
            path = str(link.metadata[WAS]["path"])
        if path in dirty:
            return ""
        of_file = self._of.get(path, [])
        if len(of_file) == 1:
            return of_file[0].hash
        if not of_file or code.gone or now["is"] == GONE or not code.name:
            deleted = [each for each in of_file if any(f.status == "D" and f.path == path for f in each.files)]
            if not code.name and now["is"] == CHANGED and of_file:
                return of_file[0].hash
            return deleted[0].hash if deleted else ""
        lines = self._lines(path)
        touched = {lines[at] for at in range(code.start_line, code.end_line + 1) if at in lines}
        inside = [each for each in touched if each in self._place]
        return min(inside, key=lambda each: self._place[each], default="")

    def _lines(self, path: str) -> Mapping[int, str]:
        """Return the commit of each line of a file at the head; nothing where too many files were looked up."""
        if path not in self._blamed:
            if len(self._blamed) == MOST_BLAMED:
                return {}
            command = ("blame", "--porcelain", f"{self._since}..{self._head}", "--", path)
            output = self._git.run(*command).content.decode("utf-8", "replace")
            self._blamed[path] = _blamed(output)
        return self._blamed[path]


def _blamed(output: str) -> dict[int, str]:
    """Return the commits of lines, from 1, in git's porcelain form: before each line stands its commit."""
    found: dict[int, str] = {}
    for line in output.split("\n"):
        parts = line.split(" ")
        if len(parts) in (3, 4) and len(parts[0]) >= 40 and all(part.isdecimal() for part in parts[1:]):
            found[int(parts[2])] = parts[0]
    return found
