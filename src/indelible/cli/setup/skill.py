"""Putting SKILL.md where a client looks for skills, and taking it out again: a file that is ours as a whole."""

import re
from dataclasses import replace
from importlib import resources
from pathlib import Path

from indelible.cli.setup import changes, files, ledger
from indelible.cli.setup.changes import HOOKS, SKILL, Change, Part, trying
from indelible.cli.setup.clients import CLIENTS, Client
from indelible.cli.setup.entries import NAME
from indelible.cli.setup.files import Snapshot, unified
from indelible.cli.setup.registration import is_registered
from indelible.cli.setup.surroundings import BASES, Surroundings, project_of
from indelible.dataclass import dataclass
from indelible.errors import InvalidInput

_WHAT = {SKILL: "skill", HOOKS: "file"}
_OURS = re.compile(rf"\A---\s*\nname: {NAME}\s*\n")


@dataclass(frozen=True, slots=True)
class Skill(Part):
    """The skill in one client's directory of skills."""

    kind = SKILL

    @property
    def remedy(self) -> str:
        """Return what to do where the file is another program's."""
        return "give it another name"

    def is_in(self, seen: Snapshot) -> bool:
        """See Part; of whatever version."""
        return _OURS.match(seen.text.replace("\r\n", "\n")) is not None

    def content(self) -> bytes:
        """Return what the file is to hold."""
        return text().encode()

    def is_as_made(self, content: bytes) -> bool:
        """Is this what this version writes."""
        return content == self.content()

    def has_company(self, seen: Snapshot) -> bool:
        """See Part."""
        return False

    def says_the_same(self, one: Snapshot, other: Snapshot) -> bool:
        """See Part."""
        return True


def text() -> str:
    """The skill: when to recall, what to store, what never to store."""
    return (resources.files("indelible.cli.setup") / "plugin" / "skills" / NAME / "SKILL.md").read_text(
        encoding="utf-8"
    )


def skill_of(client: Client, scope: str, around: Surroundings, data: Path, dry: bool = False) -> Skill:
    """The skill of a client in a scope. InvalidInput for a client that has no directory of them, or for no project."""
    if client.skills is None:
        raise InvalidInput(f"--skill: {client.title} has no directory of skills that set-up writes to; leave it out")
    return Skill(client, scope, _file(client.skills, scope, around), around, data, dry)


def old_skills_of(one: Skill) -> list[Skill]:
    """Return the skill where earlier versions put it, if it is there."""
    if one.client.old_skills is None:
        return []
    old = replace(one, path=_file(one.client.old_skills, one.scope, one.around))
    return [old] if is_there(old) else []


def is_set_up(client: Client, scope: str, around: Surroundings) -> bool:
    """Is the skill there, of whatever version, or where earlier versions put it."""
    if client.skills is None or (scope == "project" and around.project is None):
        return False
    one = skill_of(client, scope, around, Path())
    return is_there(one) or bool(old_skills_of(one))


def _file(place: tuple[tuple[str, str], str], scope: str, around: Surroundings) -> Path:
    (base, user), project = place
    return (BASES[base](around) / user if scope == "user" else project_of(around) / project) / NAME / "SKILL.md"


def is_there(one: Skill) -> bool:
    """Is the file there and ours, or cannot be read."""
    try:
        return one.is_in(files.read(one.path))
    except InvalidInput:
        return True


def _other_reader(one: Skill) -> Client | None:
    """Another client that is set up in this scope and reads this very file."""
    for other in CLIENTS.values() if one.kind == SKILL else ():
        if other is one.client or other.skills is None or not other.has_scope(one.scope):
            continue
        if _file(other.skills, one.scope, one.around) == one.path and is_registered(other, one.scope, one.around):
            return other
    return None


def set_up(one: Skill) -> Change:
    """Write the skill. InvalidInput where a file of that name is none of ours."""
    return trying(one, lambda: _set_up(one))


def _set_up(one: Skill) -> Change:
    one.notes.clear()  # of an earlier try
    seen = files.read(one.path)
    new = one.content()
    if seen.content == new:
        return one.change("unchanged")
    there = seen.content is not None
    if there and not one.is_in(seen):
        raise InvalidInput(
            f"{one.path} is the {_WHAT[one.kind]} of another program; {one.remedy} (nothing was written)"
        )
    done = one.change("changed" if there else "added", diff=unified(one.path, seen.content, new))
    if one.dry:
        return done
    backup = changes.put(one, seen, new)
    return replace(done, backup=backup, notes=tuple(one.notes))


def take_back(one: Skill) -> Change:
    """Remove the skill; one that somebody changed since stays."""
    return trying(one, lambda: _take_back(one))


def _take_back(one: Skill) -> Change:
    one.notes.clear()  # of an earlier try
    seen = files.read(one.path)
    trace = ledger.trace_of(one.data, one.path)
    if seen.content is None or not one.is_in(seen):
        if not one.dry:
            changes.forget(one, seen, trace, seen.content)
        return one.change("absent")
    reader = _other_reader(one)
    if reader is not None:
        one.notes.append(f"{one.path} is kept, since {reader.title} reads it too; it goes with that client's")
        return one.change("absent")
    as_left = (trace is not None and trace.after == files.digest(seen.content)) or one.is_as_made(seen.content)
    if not as_left:
        one.notes.append(f"{one.path} was changed since; it is kept, remove it yourself")
        return one.change("absent")
    done = one.change("removed", diff=unified(one.path, seen.content, None))
    if one.dry:
        return done
    files.remove(seen, tuple(map(Path, trace.made)) if trace else ())
    changes.forget(one, seen, trace, None)
    return replace(done, notes=tuple(one.notes))
