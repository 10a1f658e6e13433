"""The graph around one record, as a picture and as a list; without a record, the communities of the whole."""

import json
from typing import Any, NamedTuple

from starlette.responses import Response

from indelible.core.context import ids
from indelible.core.records.relations import label_of
from indelible.model import Record
from indelible.server.web import rows
from indelible.server.web.page import Page, address, project_name
from indelible.toolsets.code import clusters
from indelible.toolsets.memory import neighbourhood
from indelible.toolsets.memory.neighbourhood import Neighbourhood

RESOLUTION = 1.0  # of the communities: as get_clusters has it without one
# The number of the colour of each kind, and what the legend calls it.
COLOURS = {
    **{"memory": (1, "memory"), "solution": (2, "solution"), "failure": (5, "failure"), "entity": (4, "entity")},
    **dict.fromkeys(("document", "chunk", "message"), (3, "document")),
    **dict.fromkeys(("symbol", "file"), (7, "code")),
    **{"commit": (6, "commit"), "todo": (8, "task"), "attempt": (8, "task"), "vector": (8, "task")},
}


class Line(NamedTuple):
    """A relation of the list: its name, and its ends by id, label and kind."""

    relation: str
    source: str
    source_label: str
    source_kind: str
    target: str
    target_label: str
    target_kind: str


def show(page: Page) -> Response:
    """Show the neighbourhood of a record, or the communities."""
    given, relation = page.query.get("id", ""), page.query.get("relation", "")
    if not given:
        return _overview(page)
    found = neighbourhood.around(page.ctx, given, relation)
    middle = _id(found.middle)
    order = sorted(found.relations, key=lambda edge: min(found.depths[edge.source], found.depths[edge.target]))
    return page.shown(
        "graph.html",
        id=middle,
        row=rows.of_record(page.ctx, found.middle),
        relation=relation,
        names=found.names,
        shown=len(found.depths),
        most=neighbourhood.MOST,
        related=found.related,
        near=sum(depth == 1 for depth in found.depths.values()),
        lines=[_line(found, edge.relation, edge.source, edge.target) for edge in order],
        legend=sorted({COLOURS[record.kind] for key, record in found.records.items() if key in found.depths}),
        data=address("/graph/data", id=middle, relation=relation),
    )


def data(page: Page) -> Response:
    """Return the neighbourhood of a record as JSON: its nodes, the middle first, and its links by their places."""
    found = neighbourhood.around(page.ctx, page.query.get("id", ""), page.query.get("relation", ""))
    places = {record: place for place, record in enumerate(found.depths)}
    nodes = [_node(found.records[record], depth) for record, depth in found.depths.items()]
    links = [
        {"source": places[edge.source], "target": places[edge.target], "relation": edge.relation}
        for edge in found.relations
    ]
    body = json.dumps({"nodes": nodes, "links": links}, ensure_ascii=False)
    return Response(body, 200, {"Cache-Control": "no-store"}, "application/json")


def _overview(page: Page) -> Response:
    found = clusters.get_clusters(page.ctx, RESOLUTION)
    most = max((each.size for each in found.clusters), default=1)
    return page.shown(
        "communities.html",
        count=found.count,
        communities=[(each, round(100 * each.size / most, 1)) for each in found.clusters if each.members],
    )


def _node(record: Record, depth: int) -> dict[str, Any]:
    colour, _ = COLOURS[record.kind]
    return {
        "id": _id(record),
        "label": label_of(record),
        "kind": rows.kind_of(record),
        "project": project_name(record.namespace),
        "colour": colour,
        "depth": depth,
    }


def _line(found: Neighbourhood, relation: str, source: int, target: int) -> Line:
    first, last = found.records[source], found.records[target]
    ends = ((_id(each), label_of(each), rows.kind_of(each)) for each in (first, last))
    return Line(relation, *next(ends), *next(ends))


def _id(record: Record) -> str:
    return ids.shown(record) if record.kind == "memory" else ids.name_of(record)


ROUTES = (("GET", "/graph", show), ("GET", "/graph/data", data))
