"""Four frequent queries of the knowledge graph (recipes), answered with the best three results.

Fixes with evidence come first (a success, or a document and no failure), then by success ratio, then the newest; ties
are ordered by name.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from itertools import islice
from typing import Any, get_args

from indelible.core.context.context import Context
from indelible.core.indexes.entity_index import telling_words
from indelible.core.recall.returned import returned
from indelible.core.records import entities
from indelible.core.records.solution_fields import ErrorType, captured_cause, entity_names_of, text_of
from indelible.dataclass import dataclass
from indelible.extraction import shell
from indelible.graph import keys
from indelible.graph.envelopes import parse_observation
from indelible.graph.taxonomy import STATUSES
from indelible.model import Record
from indelible.sanitize.prompt_frame import visible
from indelible.sanitize.validate import refuse_blank
from indelible.store.database import Transaction
from indelible.store.tables import records
from indelible.store.views import entities as stored
from indelible.store.views import solutions

# Imported late (start): indelible.search.failures

BEST = 3
LOOKED_AT = 2_000  # newest failures among which one is looked for whose message is given in part
MENDING = ("RESOLVES", "MITIGATES")  # from a fix to an error or warning
UNTRIED = 0.5  # the success ratio of what has no outcome

WORKED, FAILED, PARTIAL = STATUSES


@dataclass(frozen=True, slots=True)
class Outcome:
    """One outcome of a fix; `record` is the entity that reports it. Unknown details of its verification are ""."""

    record: Record
    status: str
    verification: str
    duration: str


@dataclass(frozen=True, slots=True)
class Fix:
    """A fix with its outcomes. `strategy` is "" and `changes` empty if no fix.apply envelope gives them.

    `mends` are the names of those errors and warnings in question that it resolves (all of them if the query was for
    the fix itself), `documents` the documents that it derives from.
    """

    record: Record
    strategy: str
    changes: tuple[str, ...]
    mends: tuple[str, ...]
    outcomes: tuple[Outcome, ...]
    documents: tuple[Record, ...]

    @property
    def worked(self) -> int:
        """How many outcomes are verified successes."""
        return self._count(WORKED)

    @property
    def failed(self) -> int:
        """How many outcomes are failures."""
        return self._count(FAILED)

    @property
    def partial(self) -> int:
        """How many outcomes are partial: neither successes nor failures."""
        return self._count(PARTIAL)

    @property
    def success_ratio(self) -> float:
        """The share of successes among successes and failures, 0.5 without either."""
        judged = self.worked + self.failed
        return self.worked / judged if judged else UNTRIED

    @property
    def is_backed(self) -> bool:
        """Whether there is evidence for the fix: a full or partial success, or a document and no failure."""
        return self.worked + self.partial > 0 or (bool(self.documents) and not self.failed)

    @property
    def updated(self) -> int:
        """The time of the newest statement about the fix, in microseconds since 1970."""
        return max([self.record.updated, *(outcome.record.updated for outcome in self.outcomes)])

    def _count(self, status: str) -> int:
        return sum(outcome.status == status for outcome in self.outcomes)


@dataclass(frozen=True, slots=True)
class Breakage:
    """An error or warning that a command led to: how often it was captured, and the best fix that is known."""

    record: Record
    message: str
    captured: int
    fix: Fix | None


# --- The recipes ---


def prior_fixes(ctx: Context, error: str, best: int = BEST) -> list[Fix]:
    """Return the fixes of an error or warning, given by its key or its message.

    If it has none, those of the failure with its signature; else those of errors and warnings that differ from it only
    in versions and paths; else of those whose messages have all of its words, as where only a part of one is given, or
    of failures whose message it is a part of, word for word (`assert 3 == 4` names nothing, but is such a part).
    """
    refuse_blank(error, "error")
    with ctx.store.read() as tx:
        ways = (
            _fixes_of(ctx, tx, issues(ctx, tx, error)) for issues in (_issues, _recorded, _akin, _with_words, _in_part)
        )
        found = next(filter(None, ways), [])
    return _answer(ctx, found, best)


def breaks(ctx: Context, command: str, best: int = BEST) -> list[Breakage]:
    """Return the errors and warnings that a command led to, given by its key or as typed.

    If the graph has no such command, those of the command that shares most words with it. Errors of captured failures
    are among them where the command of the capture is this one.
    """
    with ctx.store.read() as tx:
        commands = _commands(ctx, tx, command)
        emitted = _ends(ctx, tx, commands, "EMITS", forward=True) | _captured_before(ctx, tx, command)
        fixes = _fixes_of(ctx, tx, list(emitted.values()))
        found = [_breakage(record, fixes) for record in emitted.values()]
    found.sort(key=lambda each: (*_rank_of(each.fix), -each.captured, -each.record.updated, each.record.key))
    returned(ctx, [each.record for each in found[:best]])
    return found[:best]


def fixes_by_dependency(ctx: Context, dependency: str, best: int = BEST) -> list[Fix]:
    """The fixes of errors that a dependency caused, given by its key or name; without a version, of all versions."""
    with ctx.store.read() as tx:
        caused = _ends(ctx, tx, _dependencies(ctx, tx, dependency), "CAUSED_BY", forward=False)
        found = _fixes_of(ctx, tx, list(caused.values()))
    return _answer(ctx, found, best)


def evidence(ctx: Context, fix: str) -> Fix | None:
    """A fix by its key, with what it resolves and its outcomes: successes, partial ones, failures, the newest first.

    None where there is no such fix.
    """
    refuse_blank(fix, "fix")
    with ctx.store.read() as tx:
        record = entities.find(ctx, tx, fix.strip())
        if record is None or record.type != "Fix":
            return None
        related = stored.relations_of(tx, [record.id])
        issues = {each.target for each in related if each.canonical in MENDING and each.source == record.id}
        mends = {record.id: [issue.key for issue in _records(ctx, tx, issues)]}
        found = _with_evidence(ctx, tx, {record.id: record}, mends)[0]
    returned(ctx, [record])
    order = (WORKED, PARTIAL, FAILED)
    ranked = sorted(found.outcomes, key=lambda each: (order.index(each.status), -each.record.updated, each.record.key))
    return replace(found, outcomes=tuple(ranked))


def _answer(ctx: Context, found: Iterable[Fix], best: int) -> list[Fix]:
    ranked = sorted(found, key=lambda fix: (*_rank_of(fix), fix.record.key))[:best]
    returned(ctx, [fix.record for fix in ranked])
    return ranked


def _rank_of(fix: Fix | None) -> tuple[bool, float, int]:
    """Return the sort key of a fix; the best fix has the least."""
    return (True, 0.0, 0) if fix is None else (not fix.is_backed, -fix.success_ratio, -fix.updated)


# --- Where they start ---


def _issues(ctx: Context, tx: Transaction, error: str) -> list[Record]:
    error = error.strip()
    form = keys.key_form(error)
    normalized = keys.normalized_key(error.partition("#")[2] if form in ("err#", "warn#") else error)
    names = [error, *(prefix + normalized for prefix in ("err#", "warn#") if form in (None, prefix))]
    return list(entities.named(ctx, tx, map(entities.key_name, names)).values())


def _recorded(ctx: Context, tx: Transaction, message: str) -> list[Record]:
    """Return the error entities of the failures (at most one for each type) whose signature a message has."""
    from indelible.search import failures  # its expressions, which a server does not need to start

    signatures = [failures.signature(error_type, message) for error_type in get_args(ErrorType)]
    same = solutions.by_signatures(tx, signatures)
    return list(entities.named(ctx, tx, (name for each in same for name in entity_names_of(each)[:1])).values())


def _akin(ctx: Context, tx: Transaction, error: str) -> list[Record]:
    with ctx.indexes.entities.current(tx) as known:
        same = known.keys.stems.get(keys.stem(error.strip()), set())
    return [each for each in _records(ctx, tx, same) if each.type in ("Error", "Warning")]


def _with_words(ctx: Context, tx: Transaction, error: str) -> list[Record]:
    """Return the errors and warnings that have all words of a text that can name a subject."""
    words = telling_words(error)
    with ctx.indexes.entities.current(tx) as known:
        shared = [each for form in ("err#", "warn#") for each in known.keys.sharing(form, words)]
    return _records(ctx, tx, {entity for entity, count, _ in shared if count == len(words)})


def _in_part(ctx: Context, tx: Transaction, error: str) -> list[Record]:
    """Return the error entities of the newest recorded failures whose message is given in part."""
    from indelible.search.failures import names_the_same

    found = islice(records.newest(tx, solutions.FAILURE, None), LOOKED_AT)
    same = (each for each in found if names_the_same(error, text_of(each, "errorMessage") or each.text))
    return list(entities.named(ctx, tx, (name for each in same for name in entity_names_of(each)[:1])).values())


def _commands(ctx: Context, tx: Transaction, command: str) -> list[Record]:
    """Return the entities of a command, else those differing only in versions and paths, else the most similar one."""
    refuse_blank(command, "command")
    exact = entities.find(ctx, tx, command.strip())
    if exact is not None:
        return [exact]
    key = command.strip() if keys.key_form(command.strip()) == "cmd#" else keys.command_key(command)
    apart = key[: key.rindex("#") + 1]  # from the fingerprint, which is another for each way that it went
    with ctx.indexes.entities.current(tx) as known:
        found = {e for e, name in known.names.items() if name.startswith(apart) and len(name) == len(key)}
        akin = known.keys.stems.get(keys.stem(key), set())
        found = found or {entity for entity in akin if known.names[entity].startswith("cmd#")}
        if not found:
            shared = known.keys.sharing("cmd#", telling_words(command))
            enough = [(count, entity) for entity, count, whole in shared if count > 1 or whole]
            found = {max(enough)[1]} if enough else set()
    return _records(ctx, tx, found)


def _captured_before(ctx: Context, tx: Transaction, command: str) -> dict[int, Record]:
    """Return the error entities of captured failures whose cause says that this command failed, by row id.

    So are found those that were promoted before promotion wrote the command into the graph: by the very command, as
    typed or as a capture has it, without what only wraps it.
    """
    typed = " ".join(command.split())
    texts = dict.fromkeys([typed, *(each.text for each in shell.line(typed).commands)])
    causes = {captured_cause(text) for text in texts if text}
    names = {name for each in solutions.by_causes(tx, causes) for name in entity_names_of(each)[:1]}
    return {record.id: record for record in entities.named(ctx, tx, names).values()}


def _dependencies(ctx: Context, tx: Transaction, dependency: str) -> list[Record]:
    refuse_blank(dependency, "dependency")
    key = dependency.strip() if keys.key_form(dependency.strip()) == "dep#" else f"dep#{dependency.strip()}"
    exact = entities.find(ctx, tx, key)
    has_version = "@" in key.removeprefix("dep#")[1:]
    if has_version:
        return [exact] if exact is not None else []
    with ctx.indexes.entities.current(tx) as known:
        those = {e for e, name in known.names.items() if name == key or name.startswith(f"{key}@")}
    return _records(ctx, tx, those)


# --- What hangs on them ---


def _records(ctx: Context, tx: Transaction, ids: Iterable[int]) -> list[Record]:
    return list(records.by_ids(tx, sorted(ids)).values())


def _ends(ctx: Context, tx: Transaction, of: Sequence[Record], relation: str, *, forward: bool) -> dict[int, Record]:
    """Return, by row id, the other ends of relations of a name that start (with `forward`, else end) at the records."""
    ids = {record.id for record in of}
    found = [each for each in stored.relations_of(tx, ids) if each.canonical == relation]
    far = (
        {each.target for each in found if each.source in ids}
        if forward
        else {each.source for each in found if each.target in ids}
    )
    return {record.id: record for record in _records(ctx, tx, far)}


def _fixes_of(ctx: Context, tx: Transaction, issues: Sequence[Record]) -> list[Fix]:
    names = {issue.id: issue.key for issue in issues}
    mends: dict[int, dict[str, None]] = {}  # each once: a relation may be there in two spellings
    for each in stored.relations_of(tx, names):
        if each.canonical in MENDING and each.target in names:
            mends.setdefault(each.source, {})[names[each.target]] = None
    return _with_evidence(ctx, tx, {record.id: record for record in _records(ctx, tx, mends)}, mends)


def _with_evidence(
    ctx: Context, tx: Transaction, fixes: Mapping[int, Record], mends: Mapping[int, Iterable[str]]
) -> list[Fix]:
    """Return the fixes with their outcomes (their own and those of related Outcome entities) and their documents."""
    related = stored.relations_of(tx, fixes)
    ends = {each.target for each in related if each.canonical in ("HAS_OUTCOME", "DERIVED_FROM")}
    known = {record.id: record for record in _records(ctx, tx, ends)}
    found = []
    for id_, record in fixes.items():
        mine = dict.fromkeys((each.canonical, each.target) for each in related if each.source == id_)
        outcome_records = [known[end] for name, end in mine if name == "HAS_OUTCOME" and end in known]
        documents = tuple(known[end] for name, end in mine if name == "DERIVED_FROM" and end in known)
        applied = _fields(record, "fix.apply")
        last = applied[-1] if applied else {}
        changes = last.get("changes")
        found.append(
            Fix(
                record=record,
                strategy=_as_text(last.get("strategy")),
                changes=tuple(map(_as_text, changes)) if isinstance(changes, list) else (),
                mends=tuple(mends.get(id_, ())),
                outcomes=_outcomes(record, outcome_records),
                documents=documents,
            )
        )
    return found


def _outcomes(fix: Record, outcome_records: Sequence[Record]) -> tuple[Outcome, ...]:
    """Return the outcomes of a fix: its own and those of its Outcome entities, without repetitions."""
    own = [_outcome(fix, fields) for fields in _fields(fix, "fix.outcome")]
    own_outcomes = {(each.status, each.verification, each.duration) for each in own}
    for record in outcome_records:
        # without an envelope its key says the status
        status = record.key.removeprefix("outcome#").partition("#")[0]
        for fields in _fields(record, "fix.outcome") or [{"status": status}]:
            outcome = _outcome(record, fields)
            if (outcome.status, outcome.verification, outcome.duration) not in own_outcomes:
                own.append(outcome)
    return tuple(each for each in own if each.status in STATUSES)


def _outcome(record: Record, fields: Mapping[str, Any]) -> Outcome:
    status, method, duration = (
        _as_text(fields.get(name)) for name in ("status", "verificationMethod", "durationToVerify")
    )
    return Outcome(record, status, method, duration)


def _breakage(record: Record, fixes: Sequence[Fix]) -> Breakage:
    captures = _fields(record, "error.capture", "warning.capture")
    message = _as_text(captures[-1].get("message")) if captures else record.key.partition("#")[2]
    mine = [fix for fix in fixes if record.key in fix.mends]
    return Breakage(record, message, len(captures), min(mine, key=_rank_of, default=None))


def _fields(record: Record, *types: str) -> list[Mapping[str, Any]]:
    """The fields of the envelopes of these types that an entity carries, in order."""
    read = (parse_observation(text) for text in stored.observations_of(record))
    return [each.fields for each in read if each.envelope in types]


def _as_text(value: Any) -> str:
    if value is None:
        return ""
    return value if isinstance(value, str) else records.dump(value)


MOST_OF_FIX = 3  # outcomes and documents of a fix that are shown, the best


def fix_fields(found: "Fix") -> dict[str, Any]:
    """A fix of the knowledge graph with its best outcomes and documents."""
    return {
        "fix": found.record.key,
        "strategy": visible(found.strategy),
        "changes": [visible(change) for change in found.changes],
        "resolves": list(found.mends),
        "success_ratio": round(found.success_ratio, 2),
        "evidence_backed": found.is_backed,
        "outcomes": [
            {
                "status": each.status,
                "verification_method": visible(each.verification),
                "duration_to_verify": visible(each.duration),
            }
            for each in found.outcomes[:MOST_OF_FIX]
        ],
        "documents": [document.key for document in found.documents[:MOST_OF_FIX]],
    }


def breakage_fields(found: "Breakage") -> dict[str, Any]:
    """An error or warning that a command led to, with its best fix."""
    return {
        "name": found.record.key,
        "type": found.record.type,
        "message": visible(found.message),
        "captured": found.captured,
        "best_fix": fix_fields(found.fix) if found.fix else None,
    }
