"""Are standing rules found by situation? Rules and questions of situations.json, beside tests/golden's memories.

    python bench/situations.py                     both halves; constants were fitted on half a, b is the figure
    python bench/situations.py --keep DIR          stores and embeddings stay for the next run
    python bench/situations.py --small             rules beside answers that they are not for, in small stores

Each store has the golden memories and sixteen rules as plain memories: what they are is told by their texts alone. No
question shares its wording with its rule. Beside the product stands the dense model alone, over the same texts.
Small stores have a few of the golden memories and eight rules, all drawn by a seed.
"""

import argparse
import json
import pickle
import tempfile
from collections import defaultdict
from collections.abc import Iterator
from contextlib import closing, contextmanager
from dataclasses import replace
from pathlib import Path
from random import Random
from typing import Any

import numpy as np

from indelible.admin import embedding_worker
from indelible.core.context.context import Context, open_context
from indelible.core.indexes.embedder import Embedder
from indelible.embed.local import LocalEncoder
from indelible.search import rules
from indelible.settings import Settings
from indelible.toolsets import registry

HERE = Path(__file__).parent
GOLDEN = HERE.parent / "tests" / "golden" / "memories.jsonl"
QUESTIONS, KINDS = HERE / "confidence_questions.json", ("answered", "unanswered")
IN_A_STORE = 16
ENVIRONMENT = {"INDELIBLE_ENCODER": "off"}


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--keep", type=Path, metavar="DIR", help="where stores stay")
    parser.add_argument("--missed", metavar="HALF", help="print what was not found of a half")
    parser.add_argument("--small", action="store_true", help="only count rules that are not for what is asked")
    arguments = parser.parse_args()
    cases = json.loads((HERE / "situations.json").read_text(encoding="utf-8"))
    encoder = LocalEncoder()
    encoder.load()
    if arguments.small:
        _print_small(cases, encoder)
        return 0
    with tempfile.TemporaryDirectory(prefix="indelible-situations-") as temporary:
        for half in "ab":
            ours = [case for case in cases if case["half"] == half]
            found: dict[str, list[int | None]] = defaultdict(list)
            for at in range(0, len(ours), IN_A_STORE):
                folder = (arguments.keep or Path(temporary)) / f"{half}{at}"
                for case, ranks in _asked(folder, ours[at : at + IN_A_STORE], encoder):
                    for name, rank in ranks.items():
                        found[name].append(rank)
                    if half == arguments.missed and (ranks["product"] or 11) > 10:
                        print(f"  missed: {case['rule']} <- {case['question']}")
            stated = sum(rules.is_rule("", (), case["rule"]) for case in ours)
            print(f"half {half}: {len(ours)} rules, {stated} of them told by their texts")
            for name, ranks in found.items():
                print(f"  {name:8} among the first 5: {_within(ranks, 5):.3f}, 10: {_within(ranks, 10):.3f}")
    return 0


def _print_small(cases: list[dict[str, str]], encoder: LocalEncoder) -> None:
    for memories in (4, 16, 40, 100):
        drawn = [_of_small(cases, half, memories, seed, encoder) for half in "ab" for seed in range(3)]
        own, beside, without, plain = np.mean(drawn, axis=0)
        print(
            f"{memories} memories, 8 rules: the rule found {own:.2f}, others beside it {beside:.2f}; "
            f"rules of a request whose own is not there {without:.2f}, of a plain question {plain:.2f}"
        )


def _of_small(
    cases: list[dict[str, str]], half: str, memories: int, seed: int, encoder: LocalEncoder
) -> tuple[float, float, float, float]:
    """Return the share of requests whose rule is found, and how many others a request and a question bring."""
    random = Random(seed)
    ours = [case for case in cases if case["half"] == half]
    random.shuffle(ours)
    there, absent = ours[:8], ours[8:24]
    contents = random.sample(_golden(), memories) + [case["rule"] for case in there]
    asked = json.loads(QUESTIONS.read_text(encoding="utf-8"))
    plain = [question if isinstance(question, str) else question[0] for kind in KINDS for question in asked[kind]]
    with (
        tempfile.TemporaryDirectory(prefix="indelible-situations-") as folder,
        _filled(folder, contents, encoder) as ctx,
    ):

        def rules_of(question: str) -> list[str]:
            return [hit["content"] for hit in _recalled(ctx, question, encoder) if hit.get("rule")]

        own = [(case["rule"], _recalled(ctx, case["question"], encoder)) for case in there]
        found = [any(hit["content"] == rule for hit in hits) for rule, hits in own]
        beside = [sum(bool(hit.get("rule")) and hit["content"] != rule for hit in hits) for rule, hits in own]
        without = [len(rules_of(case["question"])) for case in absent]
        return (
            *(float(np.mean(found)), float(np.mean(beside)), float(np.mean(without))),
            float(np.mean([len(rules_of(question)) for question in random.sample(plain, 16)])),
        )


def _within(ranks: list[int | None], k: int) -> float:
    return sum(rank is not None and rank <= k for rank in ranks) / len(ranks)


def _asked(
    folder: Path, cases: list[dict[str, str]], encoder: LocalEncoder
) -> list[tuple[dict[str, str], dict[str, int | None]]]:
    """Return the rank of each case's rule among ten hits, None where it is not there."""
    contents = _golden() + [case["rule"] for case in cases]
    with _filled(str(folder), contents, encoder) as ctx:
        vectors = _vectors(folder, contents, encoder)
        return [(case, _ranks(ctx, case, contents, vectors, encoder)) for case in cases]


def _golden() -> list[str]:
    return [json.loads(line)["content"] for line in GOLDEN.read_text(encoding="utf-8").splitlines()]


@contextmanager
def _filled(folder: str, contents: list[str], encoder: LocalEncoder) -> Iterator[Context]:
    opened = open_context(Settings.load(folder, environ=ENVIRONMENT))
    with closing(opened):
        ctx = replace(opened, embedder=Embedder(encoder))
        for content in contents:
            registry.call(ctx, registry.find_tool("store_memory"), {"content": content})
        embedding_worker.renew(ctx, lambda done, total: None)
        yield ctx


def _recalled(ctx: Context, question: str, encoder: LocalEncoder) -> list[dict[str, Any]]:
    """Return ten hits; a recall waits only a moment for an encoder that is busy, so the question is encoded before."""
    ctx.embedder.remember(question, ctx.embedder.model, encoder.query(question, 60.0))
    hits: list[dict[str, Any]] = registry.call(
        ctx, registry.find_tool("recall_memory"), {"query": question, "k": 10}
    ).value
    return hits


def _vectors(folder: Path, contents: list[str], encoder: LocalEncoder) -> Any:
    kept = folder / "vectors.pickle"
    if not kept.exists():
        kept.write_bytes(pickle.dumps(np.array([encoder.query(text, 60.0).dense[0] for text in contents])))  # type: ignore[union-attr]
    return pickle.loads(kept.read_bytes())


def _ranks(
    ctx: Context, case: dict[str, str], contents: list[str], vectors: Any, encoder: LocalEncoder
) -> dict[str, int | None]:
    listed = [hit["content"] for hit in _recalled(ctx, case["question"], encoder)]
    made = encoder.query(case["question"], 60.0)
    assert made is not None
    cosines = vectors @ made.dense[0]
    alone = [contents[place] for place in np.argsort(-cosines)[:10]]
    return {
        name: ranked.index(case["rule"]) + 1 if case["rule"] in ranked else None
        for name, ranked in (("product", listed), ("dense", alone))
    }


if __name__ == "__main__":
    raise SystemExit(main())
