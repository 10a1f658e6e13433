"""Which branches are merged into which: by git's history, by equal patches, or squashed into one commit."""

import hashlib
from collections.abc import Mapping, Sequence

from indelible.source.history.git import COMPARING, Git

MOST_BRANCHES = 200  # the ones committed to last
MOST_BASES = 8  # branches of which it is asked what is merged into them
MOST_COMPARED = 12  # pairs whose patches are compared
MOST_COMMITS = 500  # among which a squashed branch is looked for
MOST_BYTES = 8 << 20  # of a diff
FACTS = 2  # version of what is noted of branches
MAIN = ("main", "master", "trunk", "develop")

Tips = dict[str, str]  # commits by branch, the one committed to last first


def tips(git: Git) -> Tips:
    """Return the local branches with the commits that they name. Raises GitFailed."""
    found = git.run(
        *("for-each-ref", "--sort=-committerdate", f"--count={MOST_BRANCHES}"),
        *("--format=%(refname:lstrip=2)%00%(objectname)", "refs/heads"),
    )
    lines = found.content.decode("utf-8", "replace").split("\n")
    return dict(line.split("\0", 1) for line in lines if "\0" in line)


def digest(known: Tips, own: str) -> str:
    """Return a value that changes with the branches, or with the one that is checked out."""
    return hashlib.blake2b(repr((FACTS, sorted(known.items()), own)).encode(), digest_size=8).hexdigest()


def unmerged(git: Git, known: Tips, own: str) -> dict[str, list[str]]:
    """Return by branch those that are surely not merged into it: of the own, the main ones and the last ones.

    Where too many would have to be compared the older ones are left out: of them nothing is known. Raises GitFailed.
    """
    bases = list(dict.fromkeys(name for name in (own, *MAIN, *known) if name in known))[:MOST_BASES]
    compared = 0
    found: dict[str, list[str]] = {}
    for base in bases:
        apart = _apart(git, known, base)
        found[base] = []
        for name in apart[: max(0, MOST_COMPARED - compared)]:
            compared += 1
            if not _has_patches(git, known[name], known[base]):
                found[base].append(name)
    return found


def forks(git: Git, known: Tips, unmerged: Mapping[str, Sequence[str]]) -> dict[str, dict[str, str]]:
    """Return the commit that each unmerged branch and the base have in common, by base and branch. Raises GitFailed."""
    found: dict[str, dict[str, str]] = {}
    for base, names in unmerged.items():
        for name in names:
            common = git.run("merge-base", known[base], known[name], ends=(0, 1)).content.decode("ascii", "replace")
            if common.strip():
                found.setdefault(base, {})[name] = common.split()[0]
    return found


def _apart(git: Git, known: Tips, base: str) -> list[str]:
    """Return the branches whose commits are not all in the history of one."""
    output = git.run(
        *("for-each-ref", "--sort=-committerdate", f"--count={MOST_BRANCHES}", f"--no-merged={known[base]}"),
        *("--format=%(refname:lstrip=2)", "refs/heads"),
    ).content.decode("utf-8", "replace")
    return [name for name in output.split("\n") if name in known]


def _has_patches(git: Git, tip: str, base: str) -> bool:
    """Return whether what a branch changes was applied to another: commit by commit, or all of it in one."""
    own = git.run("cherry", base, tip, most=MOST_BYTES, may_be_cut=True).content.decode("ascii", "replace").split("\n")
    if not any(line.startswith("+") for line in own):
        return True
    common = git.run("merge-base", base, tip, ends=(0, 1)).content.decode("ascii", "replace").split()
    if not common:
        return False
    form = ("-p", "-U0", "--no-renames", *(option for option in COMPARING if option != "-M"))
    whole = git.run("diff-tree", "-r", *form, common[0], tip, "--", most=MOST_BYTES, may_be_cut=True)
    paths = _paths(whole.content)
    if whole.cut or not paths:
        return not whole.cut  # what changes nothing is merged
    log = git.run(
        *("log", "--format=%x00", "--no-merges", f"--max-count={MOST_COMMITS}", *form),
        *(f"{common[0]}..{base}", "--", *paths[:MOST_BRANCHES]),
        most=MOST_BYTES,
        may_be_cut=True,
    )
    wanted = _patch(whole.content)
    return any(_patch(commit) == wanted for commit in log.content.split(b"\0"))


def _paths(diff: bytes) -> Sequence[str]:
    lines = diff.split(b"\n")
    found = [line[6:] for line in lines if line.startswith((b"--- a/", b"+++ b/"))]
    return [path.rstrip(b"\t").decode("utf-8", "replace") for path in dict.fromkeys(found)]


def _patch(diff: bytes) -> bytes:
    """Return the changed lines of a diff without white space, and where they are not: as `git patch-id` does."""
    lines = (line for line in diff.split(b"\n") if line[:1] in (b"+", b"-"))
    return b"\n".join(b"".join(line.split()) for line in lines)
