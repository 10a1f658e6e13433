"""The cases of bench/review_diff.py: follow-up fixes in public repositories, picked by a rule that was written first.

The rule, written before any history was read for it:

1. A *fix* is a commit of HEAD's history with one parent, whose message says which commit it mends, by `REFERENCE`: a
   line `Fixes: HASH` or `Follow-up to HASH`, or "fix HASH", "introduced in HASH", "broken by HASH", "regression in
   HASH", "oversight in HASH", "since HASH", "after commit HASH" and the like; at least seven hex digits. A revert is
   none.
2. The *first* commit is the one of that hash: of the same history, with one parent, before the fix by at most 1,000
   commits. The first such hash in the message counts.
3. The first changes 1 to 30 files, the fix 1 to 10.
4. What the first *left out*: the files that the fix changes, that were there before the first commit, and that the
   first did not change (under either name, where renamed). A case has at least one.
5. Of each history the newest 25,000 commits are looked at, so that most cases have 10,000 before them that count.
6. A first commit is one case: with the earliest of its fixes. Of each repository the newest 35 cases count
   (of those of `FIT` 60).

A case is *hit* where one of the left-out files is among the first ten that are named. Named are files that were there
before the first commit and that it does not change.

Repositories, named before anything was counted in them. Features were chosen, and are to be chosen, by what they do on
those of `FIT` only; weights are fitted on all, and each repository is measured by the weights of all others. (Named
too, and left out: zulip/zulip, larger than what could be fetched, for which snapcore/snapd came before any count;
qutebrowser/qutebrowser, whose snapshot lacks a file.)
"""

import re
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

from indelible.source.history import log
from indelible.source.history.git import Git
from indelible.source.history.log import Commit

FIT = (
    *("haproxy/haproxy", "gentoo/portage", "OpenVPN/openvpn", "canonical/cloud-init"),
    *("Exim/exim", "spdk/spdk", "iovisor/bcc", "pallets/werkzeug", "scipy/scipy"),
    # Named later, since two of three cases were of the first two:
    *("DPDK/dpdk", "xen-project/xen", "FRRouting/frr", "OISF/suricata", "util-linux/util-linux"),
    *("ClusterLabs/pacemaker", "strongswan/strongswan"),
    # and after the features were chosen, since most were of C:
    *("eclipse-egit/egit", "GNOME/mutter", "GNOME/gnome-shell", "NixOS/nix"),
    *("lxc/lxc", "swaywm/sway", "swaywm/wlroots", "canonical/lxd"),
)
REPORT = (
    *("curl/curl", "mesonbuild/meson", "mpv-player/mpv", "git/git", "containers/podman"),
    *("NetworkManager/NetworkManager", "openvswitch/ovs", "ostreedev/ostree", "jj-vcs/jj", "sqlalchemy/sqlalchemy"),
    *("borgbackup/borg", "eclipse-jgit/jgit", "snapcore/snapd", "lxc/incus", "rust-lang/cargo", "flatpak/flatpak"),
)
MOST_COMMITS = 25_000
MOST_BETWEEN, MOST_FIRST, MOST_FIX, MOST_CASES, MOST_TO_FIT = 1_000, 30, 10, 35, 60

REFERENCE = re.compile(
    r"^(?:fixes|fixup of|follow[- ]?up(?: to| for)?)\s*:?\s*(?:commit\s+)?([0-9a-f]{7,40})\b"
    r"|\b(?:fix(?:es|ed|ing)?|follow[- ]?up (?:to|for|of)|introduced (?:in|by|with)|broken (?:in|by|since)"
    r"|broke (?:in|by)|regression (?:in|from|since|of|caused by)|regressed (?:in|by|since)|oversight (?:in|of)"
    r"|missed (?:in|by)|forgotten (?:in|by)|since|caused by|after)\s+(?:the\s+)?(?:commit\s+)?\(?([0-9a-f]{7,40})\b",
    re.IGNORECASE | re.MULTILINE,
)


class Case(NamedTuple):
    """A first commit, its fix, and the files that the first left out. `place` is that of the first in the history."""

    first: Commit
    fix: Commit
    left_out: frozenset[str]
    place: int


def directory(mirror: Path, name: str) -> Path:
    """Return the directory of a repository that was fetched."""
    return mirror / name.replace("/", "+") / "repo"


def cases(git: Git, history: list[Commit], most: int = MOST_CASES) -> list[Case]:
    """Return the cases of a history, newest fix first, at most `most`."""
    places = {commit.hash: place for place, commit in enumerate(history)}
    by_prefix: dict[str, list[str]] = {}
    for name in places:
        by_prefix.setdefault(name[:7], []).append(name)
    earliest: dict[int, int] = {}
    for place, commit in enumerate(history):
        first = _first(commit, by_prefix)
        if first is not None and place < places[first] <= place + MOST_BETWEEN:
            earliest[places[first]] = place  # a later one of the loop is an earlier one in time
    found = []
    for first_place, fix_place in sorted(earliest.items(), key=lambda item: item[1]):
        first, fix = history[first_place], history[fix_place]
        if len(first.parents) != 1 or len(fix.parents) != 1:
            continue
        if not (0 < first.file_count <= MOST_FIRST and 0 < fix.file_count <= MOST_FIX):
            continue
        known = {path for each in first.files for path in (each.path, each.old_path)}
        missed = {each.old_path or each.path for each in fix.files if each.status in ("M", "R", "D")} - known
        if missed:
            missed &= tree(git, first.parents[0])
        if missed:
            found.append(Case(first, fix, frozenset(missed), first_place))
        if len(found) == most:
            break
    return found


def _first(commit: Commit, by_prefix: dict[str, list[str]]) -> str | None:
    message = f"{commit.subject}\n{commit.body}"
    if message.startswith("Revert") or commit.is_merge:
        return None
    for found in REFERENCE.finditer(message):
        name = (found[1] or found[2]).lower()
        named = [each for each in by_prefix.get(name[:7], ()) if each.startswith(name)]
        if len(named) == 1:
            return named[0]
    return None


def tree(git: Git, commit: str) -> set[str]:
    """Return the paths of the files of a commit."""
    raw = git.run("ls-tree", "-r", "-z", "--name-only", "--full-tree", commit).content
    return {path.decode("utf-8", "replace") for path in raw.split(b"\0") if path}


def history_of(git: Git) -> list[Commit]:
    """Return the history of HEAD that is looked at, newest first."""
    return log.commits(git, most=MOST_COMMITS)


def all_cases(mirror: Path, names: tuple[str, ...]) -> Iterator[tuple[str, Git, list[Commit], list[Case]]]:
    """Yield each repository with its history and its cases."""
    for name in names:
        git = Git(directory(mirror, name), bare=True, seconds=300)
        history = history_of(git)
        yield name, git, history, cases(git, history)
