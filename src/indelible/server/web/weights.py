"""The weights of a score's components, and how the ranking of a question would change by others before they are set."""

from dataclasses import replace
from typing import Any, NamedTuple

from starlette.responses import Response

from indelible.core.recall import recall, scoring_weights
from indelible.core.recall.candidates import Query
from indelible.core.recall.trace import Explained
from indelible.errors import InvalidInput
from indelible.model import COMPONENTS
from indelible.sanitize.validate import admit
from indelible.server.web import rows
from indelible.server.web.page import Page

SHOWN = 10  # hits of the preview


class Moved(NamedTuple):
    """A hit of the preview: its place now, from 1, and by the weights that hold, 0 where it is not among those."""

    row: rows.Row
    place: int
    before: int


def show(page: Page) -> Response:
    """Show the weights; with a question and weights in the address, how its ranking would change."""
    ctx = page.ctx
    with ctx.store.read() as tx:
        now = dict(scoring_weights.current(ctx, tx))
    given = _given(page.query)
    tried = scoring_weights.changed(now, given) if given else now
    question = page.query.get("q", "").strip()
    return page.shown(
        "weights.html",
        names=rows.COMPONENT_NAMES,
        now=now,
        tried=tried,
        differs=tried != now,
        question=question,
        found=_ranking(page, question, now, tried) if question else [],
    )


def _ranking(page: Page, question: str, now: dict[str, float], tried: dict[str, float]) -> list[Moved]:
    """Return the best hits by the weights that are tried; a recall ranks both, and none of it counts as an access."""
    text, _ = admit(question, "q")
    query, ctx = Query(text, SHOWN, None, page.project, weights=now), page.doing("page")
    before = {hit.record.id: place for place, hit in enumerate(recall.ranked(ctx, query), 1)}
    after = recall.ranked(ctx, replace(query, weights=tried))
    shown = [Explained(hit, place, (), None) for place, hit in enumerate(after, 1)]
    return [Moved(rows.of_hit(page.ctx, each), each.rank, before.get(each.hit.record.id, 0)) for each in shown]


def _given(values: Any) -> dict[str, float]:
    """Return the weights of a form or an address, of those components that have one there. Raises InvalidInput."""
    found = {}
    for name in COMPONENTS:
        text = values.get(name, "").strip()
        try:
            if text:
                found[name] = float(text)
        except ValueError:
            raise InvalidInput(f"{name} must be a number of at least 0, got {text!r:.40}") from None
    return found


def save(page: Page) -> Response:
    """Set the weights, or those of the beginning."""
    page.require("admin")
    reset = page.form.get("reset") == "1"
    page.call("set_scoring_weights", reset=reset, **({} if reset else _given(page.form)))
    return page.done("/system/weights")


ROUTES = (("GET", "/system/weights", show), ("POST", "/system/weights", save))
