"""No secret that comes in by any door, in any argument, is found in any file of the data or in any answer."""

import json
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import secret_corpus
import store_file
from command_line import indelible
from every_tool import EXAMPLES
from indelible.sanitize.secret_spans import redact_text
from indelible.toolsets.registry import all_tools
from mcp_client import Call, McpClient

LONG = 12  # characters of a piece of a secret: long enough that no hash has it by chance


class Needles:
    """Pieces of secrets, to be looked for in raw bytes; without those that an innocent text has too."""

    def __init__(self, lines: list[tuple[str, str | None]]):
        innocent = "\n".join(redact_text(line)[0] for line, _ in lines)
        self._pieces = {
            piece.encode()
            for _, secret in lines
            if secret is not None
            for size in [min(LONG, len(secret))]
            for piece in (secret[at : at + size] for at in range(len(secret) - size + 1))
            if piece not in innocent
        }
        self._sizes = sorted({len(piece) for piece in self._pieces})
        self._heads = np.unique(np.array([int.from_bytes(p[:8], "little") for p in self._pieces], np.uint64))

    def found(self, raw: bytes) -> set[bytes]:
        """Pieces that stand in the bytes."""
        hits = set()
        raw += bytes(16)
        for shift in range(8):
            words = np.frombuffer(raw, "<u8", (len(raw) - shift) // 8, shift)
            nearest = np.searchsorted(self._heads, words).clip(max=len(self._heads) - 1)
            for at in (np.flatnonzero(self._heads[nearest] == words) * 8 + shift).tolist():
                hits |= {raw[at : at + size] for size in self._sizes} & self._pieces
        return hits


def calls_with(line: str, anchor: str) -> list[Call]:
    """Calls with the line in every argument that takes text: some are answered, some refused."""
    item = {"content": f"imported {line}", "tags": [line], "namespace": line, "session": line, "label": line}
    items = [
        {**item, "metadata": {"note": line, line: [line, {"deep": line}]}},
        {"id": f"id {line}", "content": f"with an id {line}"},
        {"content": "x", "edges": [{"source": line, "target": anchor, "relationship": line}]},
        {"content": "x", "created_at": line},
        {"content": "x", "kind": line},
        {"content": "x", "memory_type": line},
        {"content": "x", "importance": line},
        {"content": "x", line: line},
        line,
        [line],
    ]
    return [
        Call("store_memory", {"content": line, "tags": [line], "namespace": line}),
        Call("store_memory", {"content": "x", "memory_type": line}),
        Call("store_memory", {"content": "x", "importance": line, "tags": line}),
        Call("store_memory", {"content": "x", "links": [line]}),
        Call("store_memory", {"content": "x", line: line}),
        Call("store_memory", {"content": f"keyed {line}"}, line[:255]),
        Call("update_memory", {"id": anchor, "content": f"updated {line}"}),
        Call("update_memory", {"id": line, "content": line}),
        Call("delete_memory", {"id": line}),
        Call("associate_memories", {"source_id": line, "target_id": anchor, "relationship": "LEADS_TO"}),
        Call("associate_memories", {"source_id": anchor, "target_id": line, "relationship": line}),
        Call("graph_traverse", {"start_id": line, "algorithm": line}),
        Call("graph_traverse", {"start_id": line}),
        Call("recall_memory", {"query": line}),
        Call("recall_memory", {"query": line, "memory_type": line}),
        Call("recall_memory", {"query": "updated", "namespace": line}),
        Call("export_memories", {"namespace": line, "limit": 3}),
        Call("import_memories", {"memories": items}),
        Call("import_memories", {"memories": line}),
        Call("codemem_stats", {line: line}),
    ]


def filled_in(value: Any, line: str) -> Iterator[Any]:
    """The value with the line in place of one text, each in turn; in objects as a name too."""
    if isinstance(value, str):
        yield line
    elif isinstance(value, list):
        for at, inner in enumerate(value):
            yield from ([*value[:at], new, *value[at + 1 :]] for new in filled_in(inner, line))
    elif isinstance(value, dict):
        for name, inner in value.items():
            yield from ({**value, name: new} for new in filled_in(inner, line))
            yield {**value, line: inner}


def calls_of_every_toolset(line: str) -> list[Call]:
    """Calls of every tool but those of memories, with the line in each text of their arguments in turn."""
    tools = [tool.name for tool in all_tools().values() if tool.toolset != "memory"]
    described = {
        "name": "err#x",
        "entityType": "Error",
        "observations": ["said", {"note": "said", "of": ["a", {"b": "c"}]}],
    }
    more = [
        {"vector": '{"1": 0.5}', "id": "v", "text": "said", "metadata": {"a": ["b", {"c": "d"}]}},
        {"entities": [described]},
        {"entities": [{**described, "observations": [json.dumps({"type": "error.capture", "message": line})]}]},
        {"query": f"type:Error name:{line}"},
    ]
    examples = [(tool, EXAMPLES[tool]) for tool in tools]
    examples += zip(("memorize", "create_entities", "create_entities", "search_nodes"), more, strict=True)
    return [Call(tool, arguments) for tool, example in examples for arguments in filled_in(example, line)]


def through_mcp(
    lines: list[tuple[str, str | None]],
    data: Path,
    *,
    every: int = 1,
    calls_with: Callable[[str, str], list[Call]] = calls_with,
) -> None:
    """Give each line to a server, in every call or in turn in each of so many; fail if a secret is kept or said."""
    needles = Needles(lines)
    with McpClient(data) as client:
        anchor = client.call("store_memory", {"content": "the anchor"})["id"]
        for at in range(0, len(lines), 20):
            numbered = enumerate(line for line, _ in lines[at : at + 20])
            calls = [call for i, line in numbered for call in calls_with(line, anchor)[i % every :: every]]
            answers = client.pipeline(calls)
            assert needles.found(json.dumps(answers, ensure_ascii=False).encode()) == set()
        exported = client.result("export_memories", {"limit": 1_000_000})
        assert needles.found(json.dumps(exported, ensure_ascii=False).encode()) == set()
        assert needles.found(store_file.kept(data)) == set()  # with its log and its shared memory
        client.close_input()
        client.remaining()
        assert needles.found(client.stderr.encode()) == set()
    assert needles.found(store_file.kept(data)) == set()


def through_the_command_line(lines: list[tuple[str, str | None]], data: Path) -> None:
    """Give lines to the command line, two of them to each command; fail if a secret is kept or said."""
    needles, texts = Needles(lines), [line for line, _ in lines]
    source = data.parent / "source.jsonl"
    exported = [json.dumps({"content": f"by import {text}", "metadata": {"a": text}}) for text in texts]
    source.write_text("\n".join([*exported, *texts]), encoding="utf-8")
    ran = [
        indelible("import", source, data=data),
        indelible("remember", "-", data=data, stdin="\n".join(texts).encode()),
    ]
    for text in texts[:2]:
        ran += [
            indelible("remember", f"by argument {text}", "--namespace", text, data=data),
            indelible("recall", f"by argument {text}", data=data),
            indelible("call", "recall_memory", "--query", "x", "--memory-type", text, data=data),
            indelible("call", "recall_memory", "--k", text, data=data),
            indelible("call", "recall_memory", text, data=data),
            indelible("call", "recall_memory", f"--{text}", "x", data=data),
            indelible("undo", "--operation", text, data=data),
            indelible("history", text, data=data),
        ]
    ran += [indelible("failures", texts[2], data=data), indelible("fixes", texts[3], "--json", data=data)]
    ran += [indelible("export", data=data), indelible("backup", data / "backups" / "by-hand.db", data=data)]
    assert needles.found(b"\n".join(one.stdout + one.stderr for one in ran)) == set()
    kept = store_file.kept(data)
    assert needles.found(kept) == set()
    assert kept.count(b"[REDACTED:") > len(lines)


def positives(step: int) -> list[tuple[str, str | None]]:
    return [(line, secret) for line, secret in secret_corpus.lines() if secret is not None][::step]


def test_a_secret_in_raw_bytes_would_be_found():
    lines = secret_corpus.lines()[:400]
    needles = Needles(lines)
    for line, secret in lines:
        if secret is not None:
            assert needles.found(b"\0" * 7 + line.encode() + b"\0" * 9)
        assert needles.found(redact_text(line)[0].encode()) == set()


@pytest.mark.process
def test_no_secret_given_to_a_server_is_found_in_any_byte_kept_or_said(tmp_path):
    through_mcp(positives(20), tmp_path / "data", every=2)


@pytest.mark.process
def test_no_secret_given_to_the_command_line_is_found_in_any_byte_kept_or_said(tmp_path):
    (tmp_path / "data").mkdir(mode=0o700)
    (tmp_path / "data" / "backups").mkdir(mode=0o700)
    through_the_command_line(positives(10), tmp_path / "data")


@pytest.mark.process
def test_no_secret_in_any_text_of_the_other_toolsets_is_found_in_any_byte_kept_or_said(tmp_path):
    through_mcp(positives(50), tmp_path / "data", every=16, calls_with=lambda line, _: calls_of_every_toolset(line))


@pytest.mark.process
@pytest.mark.full
@pytest.mark.timeout(1200)
def test_no_secret_in_any_text_of_the_other_toolsets_is_found_for_more_of_the_corpus(tmp_path):
    through_mcp(positives(20), tmp_path / "data", every=8, calls_with=lambda line, _: calls_of_every_toolset(line))


@pytest.mark.process
@pytest.mark.full
@pytest.mark.timeout(1200)
def test_no_secret_of_the_whole_corpus_is_found_in_any_byte_kept_or_said(tmp_path):
    through_mcp(secret_corpus.lines(), tmp_path / "data", every=7)


@pytest.mark.process
def test_a_request_key_that_is_a_secret_is_refused(tmp_path):
    line = "ghp_" + "aB3dE6gH9jK2mN5pQ8sT1vW4yZ7bC0dF3gHx"
    with McpClient(tmp_path / "data") as client:
        result = client.result("store_memory", {"content": "x"}, key=line)
        assert result["isError"] is True
        assert "the request key looks like a secret" in result["content"][0]["text"]
        assert line not in str(result)
