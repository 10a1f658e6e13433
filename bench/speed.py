"""The speed that Indelible promises, measured in one run against what it is compared with.

    python bench/speed.py                                    all steps; exit code 1 where a target is missed
    python bench/speed.py --steps recall,fairness --scale 0.1 --no-gate
    python bench/speed.py --steps scale,memory,acknowledge   up to 1,000,000 complete records; what models cost
    python bench/speed.py --write docs/benchmarks.md         also into the document, between its markers
    python bench/speed.py --steps recall_cost --json FILE    also as JSON, for bench/two_commits.py

Run it with the Python of the environment that `indelible` is installed in, on a machine with nothing else to do.
"""

import argparse
import json
import shutil
import sys
import tempfile
from collections.abc import Callable
from dataclasses import asdict
from pathlib import Path

import behind
import encoder
import fairness
import hooks
import many_clients
import memory
import recall_cost
import report
import scale
import starting
import storing
import toolsets
import vectors
from client import INDELIBLE
from report import Figure
from stores import Bench

STEPS: dict[str, Callable[[Bench], list[Figure]]] = {
    "start": starting.first_answer,
    "flat": storing.flat,
    "recall": storing.recall,
    "recall_cost": recall_cost.recall_cost,
    "cli": starting.command_line,
    "hooks": hooks.events,
    "answers": hooks.answers,
    "idle": starting.idle_memory,
    "fairness": fairness.fairness,
    "rates": storing.rates,
    "redact": starting.redaction,
    "graph": toolsets.graph,
    "solutions": toolsets.solutions,
    "vectors": vectors.search,
    "scale": scale.scale,
    "memory": memory.memory,
    "acknowledge": memory.acknowledge,
    "behind": behind.behind,
    "http": many_clients.serving_many,
    "encoder": encoder.encoder,
}
SECTIONS = {  # of the document: what stands together is measured and written together; every other step in `speed`
    "graph": "toolsets",
    "solutions": "toolsets",
    "vectors": "toolsets",
    "scale": "scale",
    "memory": "memory",
    "acknowledge": "acknowledge",
    "behind": "behind",
    "http": "http",
    "encoder": "encoder",
    "answers": "answers",
}


def main() -> int:
    arguments = _parser().parse_args()
    steps = arguments.steps.split(",")
    unknown = sorted(set(steps) - set(STEPS))
    if unknown:
        sys.exit(f"--steps: unknown step {unknown[0]!r}; there are {', '.join(STEPS)}")
    if not INDELIBLE.exists():
        sys.exit(f"{INDELIBLE} is missing; install the package for this Python: {sys.executable} -m pip install -e .")
    if arguments.write:
        _check_whole(steps)
        report.check_sections(arguments.write, sorted({_section(step) for step in steps}))
    run = report.Run("bench/speed.py", sys.argv[1:])
    folder = Path(tempfile.mkdtemp(prefix="indelible-bench-", dir=arguments.work))
    try:
        disk = report.disk(folder)
        measured = _measured(steps, Bench(folder, arguments.scale))
    finally:
        shutil.rmtree(folder)
    if arguments.json:
        arguments.json.write_text(json.dumps([asdict(each) for figures in measured.values() for each in figures]))
    head = run.header([_versions(), disk])
    for section, figures in measured.items():
        body = f"{head}\n\n{report.table(report.HEADS, [f.row() for f in figures])}"
        print(f"\n{section}\n\n{body}")
        if arguments.write:
            report.write_section(arguments.write, section, body)
    missed = [figure for figures in measured.values() for figure in figures if figure.missed]
    for figure in missed:
        print(f"missed: {figure.what}", file=sys.stderr)
    return 1 if missed and not arguments.no_gate else 0


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--steps", default=",".join(STEPS), help="separated by commas; default: %(default)s")
    parser.add_argument("--scale", type=float, default=1.0, help="shrinks all sizes, for a smoke run; default: 1")
    parser.add_argument("--write", type=Path, metavar="FILE", help="also write between <!-- SECTION --> and its end")
    parser.add_argument("--json", type=Path, metavar="FILE", help="also write all figures there as JSON")
    parser.add_argument("--work", type=Path, metavar="DIR", help="where the stores are made (8 GB); default: temporary")
    parser.add_argument("--no-gate", action="store_true", help="exit code 0 even where a target is missed")
    return parser


def _section(step: str) -> str:
    return SECTIONS.get(step, "speed")


def _check_whole(steps: list[str]) -> None:
    """Leave before a long run that would delete figures: a section is written as a whole."""
    sections = {_section(step) for step in steps}
    missing = [step for step in STEPS if _section(step) in sections and step not in steps]
    if missing:
        sys.exit(f"--write replaces whole sections; add {', '.join(missing)} to --steps, or their figures go")


def _measured(steps: list[str], bench: Bench) -> dict[str, list[Figure]]:
    """The figures of the steps by section of the document."""
    figures: dict[str, list[Figure]] = {}
    for name, step in STEPS.items():
        if name in steps:
            print(f"{name} (load average {report.load()}) ...", file=sys.stderr, flush=True)
            figures.setdefault(_section(name), []).extend(step(bench))
    return figures


def _versions() -> str:
    from importlib.metadata import version

    import apsw

    names = ("indelible", "mcp", "numpy", "onnxruntime", "pydantic", "apsw")
    return ", ".join([*(f"{name} {version(name)}" for name in names), f"SQLite {apsw.sqlite_lib_version()}"])


if __name__ == "__main__":
    sys.exit(main())
