"""What `largest.py` found, as the tables of the document."""

import statistics
from typing import Any

import report
from report import Figure, ms, percentile

ONE_IN = 20  # records are changed before the second vacuum
LISTED = 0.005  # a table or index with a smaller part of all bytes is not listed


def growth(points: list[dict[str, Any]]) -> str:
    """Return the table of tables and indexes: bytes a record at each point, the largest first."""
    last = points[-1]
    total = {number: sum(point["objects"].values()) for number, point in enumerate(points)}
    listed = [name for name, size in last["objects"].items() if size >= LISTED * total[len(points) - 1]]
    listed.sort(key=lambda name: -last["objects"][name])
    rest = [sum(size for name, size in point["objects"].items() if name not in listed) for point in points]
    sized = [[point["objects"].get(name, 0) for point in points] for name in listed]
    named = [*zip(listed, sized, strict=True), ("all others", rest), ("all", list(total.values()))]
    heads = [*(f"bytes a record at {point['records']:,}" for point in points), "last / first", "MB"]
    rows = []
    for name, bytes_at in named:
        each = [size / point["records"] for size, point in zip(bytes_at, points, strict=True)]
        more = f"{each[-1] / each[0]:.2f}" if each[0] else ""
        rows.append([name, *(f"{one:,.1f}" for one in each), more, f"{bytes_at[-1] / 1e6:,.0f}"])
    return report.table(["table / index", *heads], rows)


def figures(found: dict[str, Any]) -> list[Figure]:
    """Return all that was found."""
    made = [*_filling(found["points"]), *_cleaned("VACUUM after the fill", found.get("first vacuum"))]
    for name, answer in found.get("answers", {}).items():
        made += _answered(name, answer)
    if "counted" in found:
        made.append(
            Figure("counting the rows of every table, as an upgrade does twice", None, f"{found['counted']:.0f} s")
        )
    if done := found.get("upkeep"):
        what = f"one record in {ONE_IN} changed"
        text = f"{done['update']:.0f} s, log {done['log'] / 1e9:.2f} GB, checkpoint after it {done['checkpoint']:.1f} s"
        made += [
            Figure(what, None, text),
            *_cleaned(f"VACUUM after {what}", done["vacuum"]),
            Figure(
                f"size after {what} and VACUUM / before",
                done["after"] / done["before"],
                f"{done['after'] / 1e9:.2f} / {done['before'] / 1e9:.2f} GB",
            ),
        ]
    if done := found.get("resealed"):
        first, later = done["changed"], done["sealed"]
        text = f"{ms(first['first'])} / {ms(later['first'])}; {done['blocks']} blocks sealed in {done['sealing']:.0f} s"
        what = f"the large tenant: first recall of a process after one record in {ONE_IN} changed / after sealing again"
        made.append(Figure(what, first["first"] / later["first"], text))
    return made


def _filling(points: list[dict[str, Any]]) -> list[Figure]:
    made = []
    for old, point in zip([None, *points], points, strict=False):
        more, log = point["records"] - (old["records"] if old else 0), point["log"] - (old["log"] if old else 0)
        text = (
            f"copied in {point['copying']:.0f} s ({more / point['copying']:,.0f} a second), ANALYZE "
            f"{point['analyze']:.1f} s, {point['blocks']} blocks sealed in {point['sealing']:.0f} s, checkpoint after "
            f"it {point['checkpoint']:.1f} s; log {log / more:,.0f} bytes a record, {point['checkpoints']} checkpoints "
            "since the start"
        )
        made.append(Figure(f"fill to {point['records']:,} records", None, text))
    return made


def _cleaned(what: str, done: dict[str, float] | None) -> list[Figure]:
    if done is None:
        return []
    text = f"{done['seconds']:.0f} s, then ANALYZE {done['analyze']:.1f} s; log of both {done['log'] / 1e9:.2f} GB"
    return [Figure(what, None, text)]


def _answered(name: str, found: dict[str, Any]) -> list[Figure]:
    words = statistics.median(found["words"])
    timed = [
        ("recall_memory", found["recall"]),
        ("recall_memory in half of it", found["within"]),
        ("recall_memory by words only", found["words"]),
        ("recall_memory after the writes", found["again"]),
        ("store_memory", found["store"]),
    ]
    work = "; ".join(f"{what} {ms(own)} + {ms(server)}" for what, (own, server) in found["work"].items())
    return [
        *(
            Figure(
                f"{name}: {what}" + (" / a recall by words only, p50" if what != "store_memory" else ""),
                statistics.median(times) / words if what != "store_memory" else None,
                f"p50 {ms(statistics.median(times))}, p95 {ms(percentile(times, 95))}, p99 {ms(percentile(times, 99))} "
                f"({len(times)} calls)",
            )
            for what, times in timed
        ),
        Figure(
            f"{name}: first recall of a process, nothing of the store in memory / the server has read it before",
            found["cold"] / found["first"],
            f"{ms(found['cold'])} / {ms(found['first'])}",
        ),
        Figure(f"{name}: processor time of a call, in that process + in the server", None, work),
        Figure(
            f"{name}: what {len(found['store'])} writes and {found['calls']} recalls left",
            None,
            f"log {found['log'] / 1e6:.1f} MB; memory of its own that a connection's process holds: "
            f"{', '.join(f'{one:.0f}' for one in found['connections'])} MB",
        ),
        Figure(
            f"{name}: memory of that process (PSS) / before the first recall",
            found["used"] / found["before"],
            f"{found['used']:,.0f} MB after all, {found['loaded']:,.0f} after the first recall / "
            f"{found['before']:.0f} MB",
        ),
    ]
