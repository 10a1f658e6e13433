"""Memory that looks after itself: the cycles of consolidation, and the patterns in what was done."""

import argparse
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager
from typing import TYPE_CHECKING, Any

from indelible.cli import answers
from indelible.cli.opening import Adding, embed_stored, open_existing, refuse_read_only, run_tool, short_ids
from indelible.cli.terminal import counted, out, shortened, table
from indelible.dataclass import dataclass
from indelible.errors import InvalidInput

if TYPE_CHECKING:
    from indelible.admin.dry_run import Done
    from indelible.core.context.context import Context

ALL = "all"
FOLD = "captured"  # what `all` does besides the five


@dataclass(frozen=True, slots=True)
class _Cycle:
    """A cycle on the command line: its option, if it has one, and what it did in words."""

    describe: Callable[[dict[str, Any]], str]
    option: str = ""


def _memories(count: int) -> str:
    return counted(count, "memory")


# In the order in which `all` runs them: what is said twice or unimportant goes before the rest is related.
CYCLES = {
    "decay": _Cycle(lambda done: f"{_memories(done['affected'])} less important", "threshold_days"),
    "cluster": _Cycle(
        lambda done: (
            f"{_memories(done['merged'])} merged"
            + (f" into {done['kept']:,} that {'says' if done['kept'] == 1 else 'say'} the same" if done["kept"] else "")
        )
    ),
    "forget": _Cycle(lambda done: f"{_memories(done['deleted'])} forgotten", "importance_threshold"),
    "creative": _Cycle(lambda done: f"{counted(done['new_connections'], 'new relation')}"),
    "summarize": _Cycle(
        lambda done: (
            f"{counted(done['summarized'], 'summary')} of {counted(done['clusters_found'], 'group')} of "
            f"{done['min_cluster_size']} or more"
        ),
        "cluster_size",
    ),
    FOLD: _Cycle(lambda done: f"{_memories(done['deleted'])} deleted as never used"),
}


def add(command: Adding) -> None:
    """Declare the commands."""
    consolidate = command("consolidate", _consolidate, "maintain memories: decay, merge, relate, summarise, forget")
    consolidate.add_argument(
        "cycle", nargs="?", default=ALL, choices=[*(name for name in CYCLES if name != FOLD), ALL], help="default: all"
    )
    consolidate.add_argument("--dry-run", action="store_true", help="show what it would do; only a copy is changed")
    consolidate.add_argument("--threshold-days", type=int, metavar="N", help="decay: days without use; default: 30")
    consolidate.add_argument(
        "--importance-threshold", type=float, metavar="X", help="forget: below this importance; default: 0.1"
    )
    consolidate.add_argument(
        "--cluster-size", type=int, metavar="N", help="summarize: minimum memories per group; default: 5"
    )
    patterns = command("patterns", _patterns, "show recurring searches, files and decisions")
    patterns.add_argument("--min-frequency", type=int, default=2, metavar="N", help="default: %(default)s")
    patterns.add_argument("--namespace", metavar="NS", help="only this project; default: all")


# --- Consolidation ---


def _consolidate(arguments: argparse.Namespace) -> int:
    chosen = list(CYCLES) if arguments.cycle == ALL else [arguments.cycle]
    asked = {name: _asked(name, arguments) for name in chosen}
    _refuse_strangers(arguments, asked)
    if arguments.project is not None:  # it would forget in all of them, which who names one does not mean
        raise InvalidInput(
            "--project does not limit consolidate, which maintains the whole store; leave it out. Nothing was changed"
        )
    with closing(open_existing(arguments)) as ctx:
        if not arguments.dry_run:
            refuse_read_only(ctx.settings, "consolidate", "unset it, or give --dry-run")
        with _place(ctx, dry=arguments.dry_run) as place:
            runs = [_run(place, name, asked[name], dry=arguments.dry_run) for name in chosen]
        answers.give({"dry_run": arguments.dry_run, "cycles": runs})
        if arguments.dry_run:
            out("this was a dry run on a copy; nothing was changed")
        elif any(run["changed"] for run in runs):
            out("`indelible undo` reverts the last of them, `indelible history` lists them all")
        embed_stored(ctx)
    return 0


def _asked(name: str, arguments: argparse.Namespace) -> dict[str, Any]:
    option = CYCLES[name].option
    value = getattr(arguments, option) if option else None
    return {} if value is None else {option: value}


def _refuse_strangers(arguments: argparse.Namespace, asked: dict[str, dict[str, Any]]) -> None:
    """Refuse an option of a cycle that is not to run: it would do nothing."""
    for name, cycle in CYCLES.items():
        if cycle.option and name not in asked and getattr(arguments, cycle.option) is not None:
            flag = f"--{cycle.option.replace('_', '-')}"
            raise InvalidInput(f"{flag} belongs to `consolidate {name}`, not to `consolidate {arguments.cycle}`")


@contextmanager
def _place(ctx: "Context", *, dry: bool) -> "Iterator[Context]":
    """The store, or a copy of it."""
    if not dry:
        yield ctx
        return
    from indelible.admin import dry_run

    with dry_run.copied(ctx) as copy:
        yield copy


def _run(ctx: "Context", name: str, values: dict[str, Any], *, dry: bool) -> dict[str, Any]:
    """Run a cycle and say what it did; its name, whether there is something to undo, and what its tool answered."""
    from indelible.admin import dry_run

    before = dry_run.last_operation(ctx)
    answer = _fold(ctx) if name == FOLD else run_tool(ctx, f"consolidate_{name}", values)
    operation = dry_run.last_operation(ctx)
    out(f"{name}: {CYCLES[name].describe(answer)}")
    run = {"cycle": name, "changed": operation != before and operation is not None, "answer": answer}
    if dry and run["changed"] and operation is not None:
        done, more = dry_run.done_by(ctx, operation)
        _show(ctx, done, more)
        run["changes"] = [{"what": each.what, "id": each.id, "content": each.text} for each in done]
    return run


def _fold(ctx: "Context") -> dict[str, int]:
    from indelible.toolsets.lifecycle import forget

    return {"deleted": forget.fold_captured(ctx)}


def _show(ctx: "Context", done: "list[Done]", more: bool) -> None:
    shorts = short_ids(ctx, (("memory", each.id) for each in done))
    rows = [(each.what, short, shortened(each.text)) for each, short in zip(done, shorts, strict=True)]
    table(("what", "id", "content"), rows)
    if more:
        out("...")


# --- Patterns ---


def _patterns(arguments: argparse.Namespace) -> int:
    from indelible.cli.paths import namespace_of

    values: dict[str, Any] = {"min_frequency": arguments.min_frequency}
    if arguments.namespace is not None:
        values["namespace"] = namespace_of(arguments.namespace)
    with closing(open_existing(arguments)) as ctx:
        if answers.are_wanted():
            answers.give(run_tool(ctx, "detect_patterns", values))
        else:
            out(run_tool(ctx, "pattern_insights", values).rstrip("\n"))
    return 0
