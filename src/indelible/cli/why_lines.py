"""Why a record was found or not, as the command `why` prints it and gives it as JSON."""

from typing import TYPE_CHECKING, Any

from indelible.cli.terminal import out, printable, shortened, table
from indelible.core.context import ids

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from indelible.core.recall.trace import Explained, Reason, Trace

SHORT = 8  # characters of an id in a reason


def print_hits(found: "Sequence[Explained]", shorts: "Sequence[str]") -> None:
    """Print one line for each hit, of which the short ids are given: its rank and score, its reasons, and its passage
    that has words of the question.
    """
    rows = [
        (str(each.rank), f"{each.hit.score:.3f}", _reasons(each.reasons), short, _passage(each))
        for each, short in zip(found, shorts, strict=True)
    ]
    table(("rank", "score", "why", "id", "content"), rows)


def print_trace(of: "Trace", short: str) -> None:
    """Print the sentence that says how far a record came, by its `short` id, then the figures that decided it."""
    out(printable(of.sentence if of.record is None else of.sentence.replace(of.id, short)))
    if of.reasons:
        out(f"found by {printable(_reasons(of.reasons))}")
    figures = [*of.components.items()]
    if of.place is not None:
        place = _place(of)
        figures += [(f"{name}, of the record", value) for name, value in place["record"].items()]
        figures += [(f"{name}, least of an answer", value) for name, value in place["least"].items()]
    table(("figure", "value"), [(name.replace("_", " "), _figure(value)) for name, value in figures])


def hit_fields(of: "Explained") -> dict[str, Any]:
    """Return a hit as JSON has it."""
    record = of.hit.record
    return {
        "id": ids.shown(record),
        "kind": record.kind,
        "content": record.text,
        "rank": of.rank,
        "score": of.hit.score,
        "score_breakdown": of.hit.components,
        "reasons": [_reason_fields(each) for each in of.reasons],
        "passage": None if of.passage is None else [*of.passage],
    }


def trace_fields(of: "Trace") -> dict[str, Any]:
    """Return a trace as JSON has it."""
    return {
        "stage": of.stage,
        "reason": of.reason,
        "sentence": of.sentence,
        "id": of.id,
        "limit": of.limit,
        "filters": [*of.filters],
        "rank": of.rank,
        "score": of.score,
        "score_breakdown": dict(of.components),
        "last_score": of.last_score,
        "measures": None if of.place is None else _place(of),
        "into": of.into or None,
        "into_rank": of.into_rank,
        "reasons": [_reason_fields(each) for each in of.reasons],
        "passage": None if of.passage is None else [*of.passage],
    }


def _place(of: "Trace") -> dict[str, Any]:
    assert of.place is not None
    place = of.place
    return {
        "record": {
            "relevance": place.relevance,
            "cosine": place.cosine,
            "word_share": place.word_share,
            "word_rank": place.word_rank or None,
        },
        "least": {
            "relevance": place.least_relevance,
            "cosine": place.least_cosine,
            "word_share": place.least_word_share,
        },
        "last_found": {"token_overlap": place.last_overlap, "cosine": place.last_cosine},
    }


def _reason_fields(of: "Reason") -> dict[str, Any]:
    there = {"id": of.id, "relationship": of.relationship}
    return {"by": of.by, **{name: value for name, value in there.items() if value}}


def _reasons(found: "Iterable[Reason]") -> str:
    return ", ".join(
        " ".join(filter(None, (each.by, each.relationship, f"of {each.id[:SHORT]}" if each.id else "")))
        for each in found
    )


def _passage(of: "Explained") -> str:
    start, end = of.passage or (0, None)
    return shortened(of.hit.record.text[start:end])


def _figure(value: object) -> str:
    return "none" if value is None else f"{value:.3f}" if isinstance(value, float) else str(value)
