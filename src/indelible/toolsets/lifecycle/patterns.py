"""Detection of patterns in what was done: repeated searches, file hotspots, decision chains, tool preferences."""

import posixpath
import unicodedata
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import field
from math import log
from types import MappingProxyType
from typing import Literal, get_args

from indelible.core.context.context import Context
from indelible.core.context.scoping import Aliases
from indelible.dataclass import dataclass
from indelible.extraction import searches
from indelible.model import MEMORY_TYPES
from indelible.sanitize.prompt_frame import visible
from indelible.search import file_paths
from indelible.store.database import Transaction
from indelible.store.tables import activity, edges, records
from indelible.store.views import patterns
from indelible.store.views.patterns import Report, Touch
from indelible.toolsets.lifecycle import evidence
from indelible.toolsets.lifecycle.cycle import CYCLES
from indelible.toolsets.lifecycle.forget import FOLD
from indelible.toolsets.memory.decisions import CHAIN

PatternType = Literal["repeated_search", "file_hotspot", "decision_chain", "tool_preference"]

MOST_RELATED = 20  # memories that a pattern names, the newest
LONGEST = 120  # characters of a name in a description
DIGITS = 4  # of a confidence
# Calls that show no preference: neither asking for patterns nor housekeeping counts as a use of tools.
NOT_COUNTED = (
    *("detect_patterns", "pattern_insights", "consolidation_status", FOLD),
    *(f"consolidate_{cycle}" for cycle in CYCLES),
)
SECTIONS: dict[PatternType, str] = {
    "file_hotspot": "File hotspots",
    "repeated_search": "Repeated searches",
    "decision_chain": "Decision chains",
    "tool_preference": "Tool preferences",
}
NONE = "No patterns detected yet."

File = tuple[str, str]  # the project of a file, and its path there


@dataclass(frozen=True, slots=True)
class Pattern:
    """A pattern: its frequency, its confidence (0 to 1), and the ids of related memories."""

    type: PatternType
    description: str
    frequency: int
    confidence: float
    related: tuple[str, ...] = ()


@dataclass(slots=True)
class _Found:
    """The occurrences of something, and the memories that report them."""

    count: int = 0
    edits: int = 0
    related: dict[str, None] = field(default_factory=dict)


def detect(
    ctx: Context, least: int, namespace: str | None, titles: Mapping[str, str] = MappingProxyType({})
) -> list[Pattern]:
    """Return the patterns that occurred at least `least` times in a project, or in all that the caller sees.

    Ordered by type, the most frequent first, then by description. A tool of our own with one of the `titles`, by its
    name, is described by that.

    Occurrences are events of agents' sessions reported by hooks (without marks of captures), calls of our own tools if
    no namespace is given (events name none), and memories whose metadata have a `tool`, `pattern` or `file_path` and
    that have not expired.
    Confidence is ln(frequency + 1) / ln(frequency + sessions + 1), where sessions are all those of the scope: it grows
    with the frequency, more slowly with more sessions, and never reaches 1; that of a preference is multiplied by the
    tool's share.
    """
    ctx.write_behind.flush_if_possible()
    with ctx.store.read() as tx:
        names = _names(ctx, tx, namespace)
        expired = evidence.expired(ctx, tx)
        memories = [each for each in patterns.reports(tx, names) if each.id not in expired]
        decisions = [each for each in patterns.linked_decisions(tx, names, CHAIN) if each.id not in expired]
        sessions = patterns.sessions(tx, names) | _sessions_of(memories) | _sessions_of(decisions)
        found: list[Pattern] = []
        found += _searches(ctx, tx, names, memories, len(sessions))
        found += _hotspots(ctx, tx, names, memories, len(sessions))
        found += _chains(ctx, tx, decisions, len(sessions))
        found += _preferences(_tools(ctx, tx, names, memories), "tool calls", len(sessions), least)
        if namespace is None:
            own = {name: _Found(count) for name, count in patterns.calls(tx, NOT_COUNTED).items()}
            callers = patterns.callers(tx, NOT_COUNTED)
            found += _preferences(own, "calls of Indelible's tools", callers, least, titles)
    order = get_args(PatternType)
    frequent = [each for each in found if each.frequency >= least]
    return sorted(frequent, key=lambda each: (order.index(each.type), -each.frequency, each.description))


def _names(ctx: Context, tx: Transaction, namespace: str | None) -> set[str]:
    """Return the stored namespaces of records and sessions that a namespace stands for, or all visible ones."""
    stored = {*records.namespaces(tx), *activity.namespaces(tx)}
    wanted = ctx.scope(tx).to_read(namespace, stored)
    return stored if wanted is None else wanted


def _sessions_of(memories: Iterable[Report]) -> set[str]:
    return {_text(memory, "session_id") or memory.session for memory in memories} - {""}


def _confidence(frequency: int, sessions: int) -> float:
    return log(frequency + 1) / log(frequency + max(1, sessions) + 1)


def _pattern(type_: PatternType, description: str, found: _Found, sessions: int, share: float = 1.0) -> Pattern:
    related = tuple(found.related)[:MOST_RELATED]
    confidence = round(share * _confidence(found.count, sessions), DIGITS)
    return Pattern(type_, description, found.count, confidence, related)


def _shown(name: str) -> str:
    """Return an untrusted name in one line."""
    plain = " ".join(visible(name).replace("`", "'").split())
    return plain if len(plain) <= LONGEST else f"{plain[: LONGEST - 1]}…"


def _text(memory: Report, name: str) -> str:
    value = memory.metadata.get(name)
    return value if isinstance(value, str) else ""


def _is_captured(memory: Report) -> bool:
    """Return whether a memory was made of events, which are counted themselves."""
    return memory.metadata.get("origin") == "capture"


# --- Searches ---


def _searches(
    ctx: Context, tx: Transaction, names: set[str], memories: Sequence[Report], sessions: int
) -> Iterator[Pattern]:
    found: defaultdict[str, _Found] = defaultdict(_Found)
    for subject in patterns.subjects(tx, names):
        patterns_ = [subject.text] if subject.action == "search" else searches.patterns(subject.text)
        for pattern in patterns_:
            found[_squeezed(pattern)].count += subject.count
    for memory in memories:
        pattern = _text(memory, "pattern")
        if pattern.strip() and not _is_captured(memory):
            found[_squeezed(pattern)].count += 1
            found[_squeezed(pattern)].related[memory.key] = None
    for pattern, each in found.items():
        yield _pattern("repeated_search", f"Searched for `{_shown(pattern)}` {_times(each.count)}", each, sessions)


def _squeezed(text: str) -> str:
    return " ".join(unicodedata.normalize("NFC", text).split())


def _times(count: int) -> str:
    return "once" if count == 1 else f"{count} times"


# --- Files ---


def _hotspots(
    ctx: Context, tx: Transaction, names: set[str], memories: Sequence[Report], sessions: int
) -> Iterator[Pattern]:
    known = ctx.scope(tx).aliases
    found: defaultdict[File, _Found] = defaultdict(_Found)
    for touch in patterns.files_read(tx, names):
        found[_file(known, touch)].count += touch.count
    for touch in patterns.files_edited(tx, names):
        found[_file(known, touch)].count += touch.count
        found[_file(known, touch)].edits += touch.count
    for memory in memories:
        for path, counts in _files_of(memory):
            file = _file(known, Touch(memory.namespace, path, "", 1))
            found[file].count += counts
            found[file].related[memory.key] = None
    projects = {project for (project, _), each in found.items() if each.count}
    for (project, path), each in found.items():
        if each.count:
            edited = f", edited {_times(each.edits)}" if each.edits else ""
            where = f" of {_shown(project)}" if project and len(projects) > 1 else ""
            described = f"`{_shown(path)}`{where} opened or edited {_times(each.count)}{edited}"
            yield _pattern("file_hotspot", described, each, sessions)


def _files_of(memory: Report) -> Iterator[tuple[str, int]]:
    """Yield the files that a memory's metadata name, each with 1 if it counts as an occurrence, else 0."""
    path, files = _text(memory, "file_path"), memory.metadata.get("files")
    if path:
        yield path, 0 if _is_captured(memory) else 1
    for file in files if isinstance(files, list) else ():
        if isinstance(file, str) and file and file != path:
            yield file, 0


def _file(known: Aliases, touch: Touch) -> File:
    """Return a file's project and path in it; a file outside of any project has its path as given."""
    project = known.canonical(touch.namespace)
    path, cwd = file_paths.normal(touch.path), file_paths.normal(touch.cwd)
    if cwd and not _is_absolute(path):
        path = posixpath.join(cwd, path)
    path = posixpath.normpath(path)
    for root in (file_paths.normal(touch.namespace), file_paths.normal(project), cwd):
        inside = f"{root.rstrip('/')}/"
        if len(inside) > 1 and path.startswith(inside):
            return project, path.removeprefix(inside)
    return project, path


def _is_absolute(path: str) -> bool:
    return path.startswith("/") or path[1:3] == ":/"


# --- Decisions ---


def _chains(ctx: Context, tx: Transaction, decisions: Sequence[Report], sessions: int) -> Iterator[Pattern]:
    """Yield the files and topics (tags) of decisions that are linked to other decisions."""
    known = ctx.scope(tx).aliases
    linked: defaultdict[int, list[str]] = defaultdict(list)
    for file in edges.linked(tx, [decision.id for decision in decisions], ("file",)):
        linked[file.of].append(file.key.removeprefix("file:"))
    found: defaultdict[str, _Found] = defaultdict(_Found)
    for decision in reversed(decisions):  # the newest first
        named = [path for path, _ in _files_of(decision)] + linked[decision.id]
        subjects = {_file(known, Touch(decision.namespace, path, "", 1))[1] for path in named}
        subjects |= {_squeezed(tag) for tag in decision.tags if tag not in MEMORY_TYPES}
        for subject in sorted(subjects):
            found[subject].count += 1
            found[subject].related[decision.key] = None
    for subject, each in found.items():
        described = f"{each.count} linked decision{'' if each.count == 1 else 's'} about `{_shown(subject)}`"
        yield _pattern("decision_chain", described, each, sessions)


# --- Tools ---


def _tools(ctx: Context, tx: Transaction, names: set[str], memories: Sequence[Report]) -> dict[str, _Found]:
    found: defaultdict[str, _Found] = defaultdict(_Found)
    for tool, count in patterns.tools(tx, names).items():
        found[tool].count += count
    for memory in memories:
        tool = _text(memory, "tool")
        if tool.strip() and not _is_captured(memory):
            found[tool].count += 1
            found[tool].related[memory.key] = None
    return found


def _preferences(
    found: dict[str, _Found],
    what: str,
    sessions: int,
    least: int,
    titles: Mapping[str, str] = MappingProxyType({}),
) -> Iterator[Pattern]:
    """Yield the share of each tool, if at least two were used."""
    total = Counter({tool: each.count for tool, each in found.items()}).total()
    for tool, each in found.items():
        if len(found) > 1 and each.count >= least:
            share = each.count / total
            named = titles.get(tool) or f"`{_shown(tool)}`"
            described = f"{named}: {each.count} of {total} {what} ({share:.0%})"
            yield _pattern("tool_preference", described, each, sessions, share)


# --- For people ---


def insights(found: Sequence[Pattern]) -> str:
    """Return the patterns as Markdown with a section for each type, or one sentence if there are none."""
    if not found:
        return NONE
    parts = ["# Patterns"]
    for type_, title in SECTIONS.items():
        lines = [f"- {each.description} (confidence {each.confidence:.2f})" for each in found if each.type == type_]
        if lines:
            parts.append("\n".join([f"## {title}", "", *lines]))
    return "\n\n".join(parts) + "\n"
