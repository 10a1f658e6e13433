"""What answers cost an agent in tokens: the documented JSON beside lean text, and the lists of tools.

    python bench/lean_answers.py TREE [--write docs/benchmarks.md]

50 questions of each set about repositories are asked of a store of one of its corpora, with embeddings; 20 calls of the
tools for code of TREE, indexed, among them its most central symbols. Both forms come from the same store and the same
calls. Tokens are o200k. Content is what a hit says; what stands beside it is all else of the answer.
"""

import argparse
import json
import re
import statistics
import sys
import tempfile
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from random import Random
from typing import Any

import golden_child
import report
import sets
from report import Figure

from indelible.core.context.context import Context, open_context
from indelible.core.indexes.embedder import Embedder
from indelible.embed.local import LocalEncoder
from indelible.search.model_tokens.o200k import count
from indelible.server.mcp import lean, server
from indelible.settings import Settings
from indelible.toolsets import profiles, registry

QUESTIONS = 50
SETS = ("commit", "errorfix", "changelog")
PROFILES = ("full", "daily", "memory", "code", "solutions", "graph", "vectors", "context", "lifecycle")
MARK = re.compile(r"\[[0-9a-f]{8} \w+.*\]$")  # the line beside a hit
HIT, ANSWER, SHARE, LISTED, HUB = 24, 60, 0.65, 2_750, 2_000


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("tree", type=Path)
    parser.add_argument("--write", type=Path, metavar="FILE", help="the document whose section `lean` is replaced")
    parser.add_argument("--no-gate", action="store_true", help="exit with 0 where a target is missed")
    arguments = parser.parse_args()
    run = report.Run("bench/lean_answers.py", ["TREE", "--write", "docs/benchmarks.md"])
    encoder = LocalEncoder()
    encoder.load()
    with tempfile.TemporaryDirectory(prefix="indelible-lean-") as place:
        parts, figures = [], list(_lists())
        for name in SETS:
            row, judged = _recalls(Path(place), name, encoder)
            parts.append(row)
            figures += judged
        heads = ("set", "hits", "a text", "full, an answer", "content of it", "lean", "content of it", "beside, a hit")
        said = report.table(heads, parts)
        code, judged = _code(Path(place), arguments.tree)
        figures += judged
    missed = run.finish(figures, "lean", arguments.write, parts=f"{said}\n\n{code}")
    sys.exit(0 if arguments.no_gate else missed)


def _lists() -> list[Figure]:
    found = []
    for name in PROFILES:
        settings = Settings.load("/none", environ={}, profile=name)
        make = lean.advertised if profiles.is_lean(settings) else server.advertised
        tools = [make(tool).model_dump(by_alias=True, mode="json", exclude_none=True) for tool in _offered(settings)]
        size = count(
            json.dumps(
                {"tools": tools, "cacheScope": "public", "ttlMs": 300000}, separators=(",", ":"), ensure_ascii=False
            )
        )
        most = {"most": LISTED, "value": size, "unit": " tokens"} if name == "daily" else {}
        found.append(Figure(f"tools/list of profile {name}", None, f"{len(tools)} tools, {size:,} tokens", **most))
    return found


def _offered(settings: Settings) -> Sequence[registry.Tool]:
    return list(profiles.offered(settings).values())


def _pair(ctx: Context, tool: str, arguments: dict[str, Any]) -> tuple[str, str, Any]:
    """Return the answer of a call at length and lean, as texts, and its value."""
    found = []
    for answers in ("full", "lean"):
        one = replace(ctx, settings=replace(ctx.settings, answers=answers))
        result = server.answer(one, registry.find_tool(tool), arguments, None)
        assert not result.is_error, result.content
        found.append(result)
    full, short = ("\n".join(item.text for item in each.content) for each in found)
    value = found[0].structured_content
    return full, short, value["result"] if set(value) == {"result"} else value


def _recalls(place: Path, name: str, encoder: LocalEncoder) -> tuple[tuple[str, ...], list[Figure]]:
    corpus = max(sets.load([name], None), key=lambda each: len(each.questions))
    ctx = replace(_opened(place / name), embedder=Embedder(encoder))
    items = [{"content": text} for _, text in corpus.items if text.strip()]
    for at in range(0, len(items), 500):
        registry.call(ctx, registry.find_tool("import_memories"), {"memories": items[at : at + 500]})
    golden_child.embed(ctx)
    full, short, content, texts, beside, hits, fixed = [], [], [], [], [], 0, []
    for question in Random(7).sample(corpus.questions, min(QUESTIONS, len(corpus.questions))):
        long_text, lean_text, value = _pair(ctx, "recall_memory", {"query": question.text})
        if not value:
            continue
        own = [count(hit["content"]) for hit in value]
        marks = [count(f"\n{line}") for line in lean_text.split("\n") if MARK.match(line)]
        assert len(marks) == len(value), lean_text
        full.append(count(long_text))
        short.append(count(lean_text))
        beside += marks
        said = count(lean_text) - sum(marks)
        content.append(min(said, sum(own)))
        fixed.append(count(lean_text) - sum(marks) - content[-1])
        texts += own
        hits += len(value)
    ctx.close()
    whole = sum(texts)
    row = (
        name,
        str(hits),
        f"{statistics.mean(texts):.0f}",
        f"{statistics.mean(full):,.0f}",
        f"{whole / sum(full):.0%}",
        f"{statistics.mean(short):,.0f}",
        f"{sum(content) / sum(short):.0%}",
        f"{statistics.mean(beside):.1f}, at most {max(beside)}",
    )
    share = sum(content) / sum(short)
    average = statistics.mean(texts)
    judged = {"least": SHARE, "value": share} if average >= 45 else {}
    return row, [
        Figure(f"{name}: content of a lean answer", None, f"{share:.2f}, texts of {average:.0f} tokens", **judged),
        Figure(
            f"{name}: beside the content of a hit", None, f"{max(beside)}", most=HIT, value=max(beside), unit=" tokens"
        ),
        Figure(
            f"{name}: beside the hits of an answer",
            None,
            f"{max(fixed)}",
            most=ANSWER,
            value=max(fixed),
            unit=" tokens",
        ),
    ]


def _opened(folder: Path, start: Path | None = None) -> Context:
    folder.mkdir()
    settings = Settings.load(str(folder / "data"), environ={"INDELIBLE_ENCODER": "off"})
    return open_context(replace(settings, start=start or folder))


def _code(place: Path, tree: Path) -> tuple[str, list[Figure]]:
    ctx = _opened(place / "code", tree.resolve())
    registry.call(ctx, registry.find_tool("index_codebase"), {"path": str(tree.resolve())})
    central = registry.call(ctx, registry.find_tool("get_pagerank"), {"top_k": 200}).value["results"]
    hubs = [each["id"].removeprefix("sym:") for each in central if each["kind"] in ("class", "function", "method")][:5]
    asked = [(tool, {"qualified_name": hub}) for hub in hubs[:4] for tool in ("get_dependencies", "get_impact")]
    asked += [("graph_traverse", {"start_id": f"sym:{hub}"}) for hub in hubs[:4]]
    asked += [("get_symbol_info", {"qualified_name": hub}) for hub in hubs[:3]]
    asked += [("search_code", {"query": query}) for query in ("parse a date", "open a connection", "escape text")]
    asked += [("search_symbols", {"query": query}) for query in ("parse", "open")]
    rows, most = [], 0
    for tool, given in asked:
        full, short, _ = _pair(ctx, tool, given)
        sizes = count(full), count(short)
        most = max(most, *sizes) if tool in ("get_dependencies", "get_impact", "graph_traverse") else most
        rows.append((tool, str(next(iter(given.values())))[:48], f"{sizes[0]:,}", f"{sizes[1]:,}"))
    ctx.close()
    table = report.table(("tool", "of", "full", "lean"), rows)
    return table, [
        Figure("answers about the most central symbols", None, f"{most:,}", most=HUB, value=most, unit=" tokens")
    ]


if __name__ == "__main__":
    main()
