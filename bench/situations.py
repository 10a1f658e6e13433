"""Are standing rules found by situation? Rules and questions of situations.json, beside tests/golden's memories.

    python bench/situations.py                     both halves; constants were fitted on half a, b is the figure
    python bench/situations.py --keep DIR          stores and embeddings stay for the next run

Each store has the golden memories and sixteen rules as plain memories: what they are is told by their texts alone. No
question shares its wording with its rule. Beside the product stands the dense model alone, over the same texts.
"""

import argparse
import json
import pickle
import tempfile
from collections import defaultdict
from contextlib import closing
from dataclasses import replace
from pathlib import Path
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
IN_A_STORE = 16
ENVIRONMENT = {"INDELIBLE_ENCODER": "off"}


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--keep", type=Path, metavar="DIR", help="where stores stay")
    parser.add_argument("--missed", metavar="HALF", help="print what was not found of a half")
    arguments = parser.parse_args()
    cases = json.loads((HERE / "situations.json").read_text(encoding="utf-8"))
    encoder = LocalEncoder()
    encoder.load()
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


def _within(ranks: list[int | None], k: int) -> float:
    return sum(rank is not None and rank <= k for rank in ranks) / len(ranks)


def _asked(
    folder: Path, cases: list[dict[str, str]], encoder: LocalEncoder
) -> list[tuple[dict[str, str], dict[str, int | None]]]:
    """Return the rank of each case's rule among ten hits, None where it is not there."""
    contents = [json.loads(line)["content"] for line in GOLDEN.read_text(encoding="utf-8").splitlines()]
    contents += [case["rule"] for case in cases]
    opened = open_context(Settings.load(str(folder), environ=ENVIRONMENT))
    with closing(opened):
        ctx = replace(opened, embedder=Embedder(encoder))
        for content in contents:
            registry.call(ctx, registry.find_tool("store_memory"), {"content": content})
        embedding_worker.renew(ctx, lambda done, total: None)
        for case in cases:  # a recall waits only a moment for an encoder that is busy
            ctx.embedder.remember(case["question"], ctx.embedder.model, encoder.query(case["question"], 60.0))
        vectors = _vectors(folder, contents, encoder)
        return [(case, _ranks(ctx, case, contents, vectors, encoder)) for case in cases]


def _vectors(folder: Path, contents: list[str], encoder: LocalEncoder) -> Any:
    kept = folder / "vectors.pickle"
    if not kept.exists():
        kept.write_bytes(pickle.dumps(np.array([encoder.query(text, 60.0).dense[0] for text in contents])))  # type: ignore[union-attr]
    return pickle.loads(kept.read_bytes())


def _ranks(
    ctx: Context, case: dict[str, str], contents: list[str], vectors: Any, encoder: LocalEncoder
) -> dict[str, int | None]:
    hits: Any = registry.call(ctx, registry.find_tool("recall_memory"), {"query": case["question"], "k": 10}).value
    listed = [hit["content"] for hit in hits]
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
