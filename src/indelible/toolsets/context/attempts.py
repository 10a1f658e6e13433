"""Logging code attempts, and their success rates by prompt, tag and error.

All attempts at one prompt (whatever its case and white space) are one pattern.
"""

from collections import Counter
from collections.abc import Iterable, Sequence
from typing import Literal, TypedDict

from indelible.core.context import numbers
from indelible.core.context.context import Context
from indelible.core.context.write_scope import namespace_to_write
from indelible.core.recall import candidates, recall
from indelible.core.recall.returned import returned
from indelible.core.records import attempt_fields, insert
from indelible.dataclass import dataclass
from indelible.model import Hit, Record
from indelible.search import tokens
from indelible.store.database import Transaction
from indelible.store.tables import records
from indelible.store.views import attempts
from indelible.store.views.attempts import ATTEMPT, PASS, Outcome, Tried

# Imported late (start, cli): indelible.search.failures

Result = Literal["pass", "fail", "error"]
AT_ONE_PROMPT = 8  # hits for each pattern wanted: what failed in several ways is several texts
MOST_ANALYZED = 1_000  # attempts that a query finds


@dataclass(frozen=True, slots=True)
class NewAttempt:
    """An attempt to be logged, for the server's project."""

    prompt: str
    code: str
    result: Result
    execution_time_ms: int | None = None
    error: str = ""
    tags: Sequence[str] = ()


class Logged(TypedDict):
    """An attempt that was logged: its number, its tags, and when (microseconds since 1970 UTC)."""

    number: int
    tags: list[str]
    created: int


@dataclass(frozen=True, slots=True)
class Pattern:
    """The attempts at one prompt: the newest that passed, else the newest, and the share of all that passed.

    `similarity` says how near the nearest of them is to the query, 0..1.
    """

    record: Record
    similarity: float
    attempts: int
    success_rate: float


@dataclass(frozen=True, slots=True)
class Share:
    """How many attempts, and the share of them that passed; None of none."""

    attempts: int
    success_rate: float | None


@dataclass(frozen=True, slots=True)
class Analysis:
    """Success rates of attempts, in all and by tag (most attempts first, then by name), and the most common errors.

    An error is shown as it last occurred; errors that differ only in numbers, paths and quoted texts count as one.
    """

    total: Share
    by_tag: dict[str, Share]
    errors: list[tuple[str, int]]


# --- Logging ---


def log(ctx: Context, new: NewAttempt) -> Logged:
    """Store an attempt. Raises InvalidInput if prompt and error together are too long."""
    text = attempt_fields.joined(new.prompt, new.error)
    text_terms = tokens.terms(text)
    tags = list(dict.fromkeys(new.tags))
    optional = {"code": new.code, "error": new.error or None, "execution_time_ms": new.execution_time_ms}
    metadata = {name: value for name, value in optional.items() if value is not None}

    def work(tx: Transaction) -> Logged:
        (number,) = numbers.take(ctx, tx, 1)
        attempt = insert.new(
            ctx,
            ATTEMPT,
            text,
            key=str(number),
            type=new.result,
            namespace=namespace_to_write(ctx, tx, None),
            tags=tuple(tags),
            metadata=metadata,
            content_hash=attempt_fields.digest(new.prompt),
        )
        insert.add(ctx, tx, attempt, text_terms)
        return {"number": number, "tags": tags, "created": attempt.created}

    logged = ctx.write(work)
    ctx.call.touched.append(f"{ATTEMPT}:{logged['number']}")
    return logged


# --- Patterns ---


def patterns(ctx: Context, query: str, limit: int) -> list[Pattern]:
    """Return the patterns that match a query, as recall ranks the nearest attempt of each."""
    nearest = _nearest(ctx, query, limit)
    wanted = list(nearest)[:limit]
    tried: dict[str, list[Tried]] = {prompt: [] for prompt in wanted}
    with ctx.store.read() as tx:
        for each in attempts.of_prompts(tx, wanted):
            tried[each.prompt].append(each)
        foremost = {prompt: _foremost(those) for prompt, those in tried.items() if those}  # or deleted meanwhile
        known = records.by_ids(tx, [each.id for each in foremost.values()])
    found = [
        Pattern(known[each.id], nearest[prompt].score, len(tried[prompt]), _passed(tried[prompt]))
        for prompt, each in foremost.items()
    ]
    shown = [pattern.record for pattern in found]
    returned(ctx, shown, (f"{ATTEMPT}:{record.key}" for record in shown))
    return found


def _nearest(ctx: Context, query: str, limit: int) -> dict[str, Hit]:
    """Return the nearest attempt at each prompt, nearest first; at least `limit` prompts if there are so many."""
    count = AT_ONE_PROMPT * limit
    while True:
        hits = recall.ranked(ctx, candidates.Query(query, count, kinds=(ATTEMPT,), relevance_only=True))
        nearest: dict[str, Hit] = {}
        for hit in hits:
            nearest.setdefault(hit.record.content_hash, hit)
        if len(nearest) >= limit or len(hits) < count or count >= recall.MOST:
            return nearest
        count = min(recall.MOST, 4 * count)


def _foremost(tried: Sequence[Tried]) -> Tried:
    """Return the newest attempt that passed, else the newest."""
    return next((each for each in tried if each.result == PASS), tried[0])


def _passed(some: Sequence[Tried | Outcome]) -> float:
    """The share that passed."""
    return sum(each.result == PASS for each in some) / len(some)


# --- Analysis ---


def analyze(ctx: Context, query: str | None, limit: int) -> Analysis:
    """Return the results of all attempts, or of those that a query finds, with the first `limit` tags and errors."""
    prompts: set[str] = set()
    if query is not None:
        hits = recall.ranked(ctx, candidates.Query(query, MOST_ANALYZED, kinds=(ATTEMPT,)))
        prompts = {hit.record.content_hash for hit in hits}
    with ctx.store.read() as tx:
        found = attempts.outcomes(tx, prompts) if prompts or query is None else []
    return Analysis(_share(found), _by_tag(found, limit), _errors(found, limit))


def _share(found: Sequence[Outcome]) -> Share:
    return Share(len(found), _passed(found) if found else None)


def _by_tag(found: Iterable[Outcome], limit: int) -> dict[str, Share]:
    of: dict[str, list[Outcome]] = {}
    for each in found:
        for tag in dict.fromkeys(each.tags):
            of.setdefault(tag, []).append(each)
    first = sorted(of, key=lambda tag: (-len(of[tag]), tag))[:limit]
    return {tag: _share(of[tag]) for tag in first}


def _errors(found: Iterable[Outcome], limit: int) -> list[tuple[str, int]]:
    from indelible.search import failures  # its expressions take longer to make than most calls

    counts: Counter[str] = Counter()
    newest: dict[str, str] = {}
    for each in found:
        if each.error:
            same = failures.normalised(each.error)
            counts[same] += 1
            newest.setdefault(same, each.error)
    return [(newest[same], counts[same]) for same in sorted(counts, key=lambda same: (-counts[same], same))[:limit]]
