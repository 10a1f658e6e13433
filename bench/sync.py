"""What `indelible sync` costs: two machines of some thousand records through one directory.

    python bench/sync.py                     20,000 records
    python bench/sync.py --records 2000

Records are memories of 30 words with tags, a relation each. Printed are the seconds of processor time and of the clock
of each step, and the size of the shared directory. No models are used.
"""

import argparse
import random
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

from indelible.admin.sync import bundles, sync
from indelible.api import Memory
from indelible.core.context.context import open_context
from indelible.settings import Settings
from indelible.toolsets.memory import importing

WORDS = [
    f"{first}{second}" for first in "ba ce di fo gu ka le mi no pu".split() for second in "rat sel tin vor wub".split()
]


def main() -> int:
    """Print what each step of two machines takes."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--records", type=int, default=20_000)
    count = parser.parse_args().records
    with tempfile.TemporaryDirectory(prefix="indelible-sync-") as folder:
        place, shared = Path(folder), Path(folder) / "shared"
        shared.mkdir()
        one, other = (
            Memory(open_context(Settings(data=place / name, start=place, home=place, encoder="off")))
            for name in ("one", "other")
        )
        key = bundles.new_key()
        _fill(one, count)

        def meet(memory: Memory) -> Callable[[], object]:
            return lambda: sync.sync(memory.context, shared, lambda: key, lambda _: None)

        _timed(f"the first sync of {count:,} records", meet(one))
        size = sum(path.stat().st_size for path in shared.rglob("*.bundle"))
        print(f"{'the files of one machine':44} {size / 1e6:8.1f} MB")
        _timed("another machine takes them in", meet(other))
        _timed("the first one after that", meet(one))
        _timed("without news", meet(one))
        other.store_memory(content="The nightly job drains the queue")
        _timed("after one change, where it was made", meet(other))
        _timed("after one change, on the other machine", meet(one))
        for memory in (one, other):
            memory.close()
    return 0


def _fill(memory: Memory, count: int) -> None:
    draw = random.Random(1)
    items = [
        {
            "id": f"m{number}",
            "content": f"{number} " + " ".join(draw.choices(WORDS, k=30)),
            "tags": draw.sample(WORDS, 2),
            "edges": [{"source": f"m{number}", "target": f"m{draw.randrange(count)}", "relationship": "RELATES_TO"}],
        }
        for number in range(count)
    ]
    importing.import_items(memory.context, items)


def _timed(what: str, step: Callable[[], object]) -> None:
    used, begun = time.process_time(), time.perf_counter()
    step()
    used, took = time.process_time() - used, time.perf_counter() - begun
    print(f"{what:44} {used:8.2f} s of processor time, {took:8.2f} s", flush=True)


if __name__ == "__main__":
    sys.exit(main())
