"""Lines about a record for a person at a terminal: one heading, the beginning of its text, all of its fields."""

import os
from typing import TYPE_CHECKING, Any

from indelible.capture.session_summaries import SESSION, about_session
from indelible.cli.terminal import cut, out, printable, screen_width
from indelible.clock import age_text, sortable_text, time_text
from indelible.core.records import lifetimes
from indelible.core.records.trust import is_confirmed, stated_by, typed_by
from indelible.sanitize.prompt_frame import visible

if TYPE_CHECKING:
    from collections.abc import Mapping

    from indelible.model import Record
    from indelible.toolsets.memory.inspection import Inspected, Relation

_SPEAKERS = {"user": "said by the user", "agent": "said by the agent", "session": "from a session", "": "stored"}
OWN_WORDS = "what you typed is told in your own briefs at once; others see it after review"
_INDENT = "    "
MOST_RELATIONS = 50  # that are printed of one record; a file of source code may have thousands


def kind_of(record: "Record") -> str:
    """Return the type of a record, with the kind that a captured memory was captured as."""
    captured = record.metadata.get("captured")
    known = isinstance(captured, str) and captured not in ("statement", record.type)
    return printable(f"{record.type} ({captured})" if known else record.type)


def origin_of(record: "Record") -> str:
    """Return who said a record or where it comes from, in a few words."""
    speaker = stated_by(record)
    return _SPEAKERS[speaker] if speaker in _SPEAKERS else f"from {cut(printable(speaker), 40)}"


def trust_of(record: "Record", person: str) -> str:
    """Return whether a record is reviewed, "" for one that needs no review, and whether briefs of a person have it."""
    if is_confirmed(record):
        return "promoted" if "promoted_by" in record.metadata else ""
    return "in your briefs, not reviewed" if person and typed_by(record) == person else "not reviewed"


def project_name(namespace: str) -> str:
    """Return what a project is called in a line: the last part of a path, "no project" for none."""
    return os.path.basename(namespace.rstrip("/")) or namespace or "no project"


def heading(record: "Record", short: str, now: int, person: str, *, with_project: bool = False) -> str:
    """Return one line: its short id, what it is, its age, who said it, whether it is trusted, its project.

    `person` is who reads it, as `project_brief.person_of` names them.
    """
    about = [kind_of(record), age_text(now - record.created), origin_of(record), trust_of(record, person)]
    about += map(printable, lifetimes.remarks(lifetimes.shown(record, sortable_text(now))))
    if with_project:
        about.append(f"in {printable(record.namespace) or 'no project'}")
    return f"{printable(short)}  {', '.join(part for part in about if part)}"


def beginning(record: "Record") -> str:
    """Return the first line of its text (of a session: what was asked for), indented, cut to the terminal's width."""
    text = record.text or record.label
    if record.metadata.get("captured") == SESSION:
        text = about_session(text)  # whose first line are its times: the age stands above
    first = next((line for line in text.splitlines() if line.strip()), "")
    return _INDENT + cut(printable(first), screen_width() - len(_INDENT))


def print_whole(found: "Inspected", now: int, person: str) -> None:
    """Print for a person every field of a record, its text, and its relations with the other ends."""
    record = found.record
    for name, value in _fields(found, now, person):
        if value:
            out(f"{name + ':':<12} {value}", hanging=" " * 13)
    out(f"\n{visible(record.text) or printable(record.label)}", hanging="")
    if found.relations:
        out("\nrelations:")
    for relation in found.relations[:MOST_RELATIONS]:
        out(_relation(relation))
    if len(found.relations) > MOST_RELATIONS:
        out(f"  and {len(found.relations) - MOST_RELATIONS:,} more; --json lists all")


def _fields(found: "Inspected", now: int, person: str) -> list[tuple[str, str]]:
    record, newer = found.record, found.replaced_by
    updated = time_text(record.updated) if record.updated != record.created else ""
    held = lifetimes.shown(record, sortable_text(now))
    ends = f"{_day(held, 'expires_at')}{'; expired' if held.get('expired') else ''}"
    span = [
        f"{word} {day}" for name, word in (("valid_from", "since"), ("valid_to", "until")) if (day := _day(held, name))
    ]
    state = {"ended": "; not any more", "ahead": "; not yet"}.get(held.get("validity", ""), "")
    return [
        ("id", printable(record.key)),
        ("kind", record.kind),
        ("type", kind_of(record)),
        ("name", printable(record.label)),
        ("project", printable(record.namespace) or "none"),
        ("source", origin_of(record) if stated_by(record) else "stored by a tool or a command"),
        ("trusted", _trust_sentence(record, person)),
        ("importance", f"{record.importance:.2f}"),
        ("tags", printable(", ".join(record.tags))),
        ("created", f"{time_text(record.created)} ({age_text(now - record.created)})"),
        ("updated", updated),
        ("session", printable(record.session)),
        ("current", f"no: {printable(newer) or 'a newer record'} replaces it" if record.replaced else ""),
        ("pinned", "yes: it opens every brief of its project" if held.get("pinned") else ""),
        ("expires", ends),
        ("true", f"{' '.join(span)}{state}"),
    ]


def _day(held: "Mapping[str, Any]", name: str) -> str:
    """Return a time as it is printed, without the fraction of a second."""
    return f"{printable(str(held[name])[:19])}Z" if name in held else ""


def _trust_sentence(record: "Record", person: str) -> str:
    if not is_confirmed(record):
        typed = typed_by(record)
        if not typed:
            return "no: it was captured and waits for review"
        return OWN_WORDS if typed == person else "in the briefs of who typed it; others see it after review"
    promoted = record.metadata.get("promoted_by")
    return f"yes, since {printable(promoted)}" if isinstance(promoted, str) else "yes"


def _relation(relation: "Relation") -> str:
    arrow = "->" if relation.outgoing else "<-"
    head = f"  {printable(relation.relationship)} {arrow} {printable(relation.short)}"
    return f"{head}  {cut(printable(relation.label), max(screen_width() - len(head) - 2, 20))}"
