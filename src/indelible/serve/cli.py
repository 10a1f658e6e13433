"""The command line: a few words for people, every tool for scripts. Loads only what a command needs."""

import argparse
import io
import json
import os
import sys
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from indelible import __version__
from indelible.errors import IndelibleError, InvalidInput
from indelible.model import MEMORY_TYPES

if TYPE_CHECKING:
    from indelible.engine.context import Context

Command = Callable[[argparse.Namespace], int]


def main(argv: Sequence[str] | None = None) -> int:
    """Run a command; the exit code: 0 done, 1 refused or failed (said on stderr), 2 wrong usage."""
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):  # whatever the locale says: an export is UTF-8, as import reads it
            stream.reconfigure(encoding="utf-8", errors="backslashreplace")
    arguments = _parser().parse_args(argv)
    run: Command = arguments.run
    try:
        code = run(arguments)
        sys.stdout.flush()  # a reader that went away is noticed here, not after the end of the program
        return code
    except IndelibleError as error:
        from indelible.redact import redact_text

        _say(f"indelible: {redact_text(str(error))[0]}")  # it may repeat what was typed
        return 1
    except BrokenPipeError:  # the reader of our output went away (`| head`)
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 1
    except KeyboardInterrupt:
        return 130


def _parser() -> argparse.ArgumentParser:
    common = argparse.ArgumentParser(add_help=False)
    common.add_argument("--data", metavar="DIR", help="data directory (default: INDELIBLE_DATA, else the platform's)")
    common.add_argument("--project", metavar="DIR", help="project (default: the git repository of this directory)")
    parser = argparse.ArgumentParser(prog="indelible", description="The long-term memory of AI coding agents.")
    parser.add_argument("--version", action="version", version=f"indelible {__version__}")
    commands = parser.add_subparsers(required=True, metavar="COMMAND")

    def command(name: str, run: Command, text: str) -> argparse.ArgumentParser:
        made = commands.add_parser(name, help=text, description=text, parents=[common])
        made.set_defaults(run=run)
        return made

    serve = command("serve", _serve, "serve MCP over stdio (what an agent starts)")
    serve.add_argument("--read-only", action="store_true", help="hide and refuse every tool that writes")
    remember = command("remember", _remember, "store a memory")
    remember.add_argument("content", help="the text, or - for standard input")
    remember.add_argument("--type", default="context", choices=MEMORY_TYPES, help="default: %(default)s")
    remember.add_argument("--tags", default="", help="separated by commas; hierarchical ones as a:b:c")
    remember.add_argument("--importance", type=float, default=0.5, help="0 to 1; default: %(default)s")
    remember.add_argument("--namespace", help="default: the project")
    recall = command("recall", _recall, "find memories")
    recall.add_argument("query")
    recall.add_argument("-k", type=int, default=10, help="number of results; default: %(default)s")
    recall.add_argument("--type", choices=MEMORY_TYPES)
    recall.add_argument("--namespace", help="default: all")
    recall.add_argument("--json", action="store_true", help="as the tool answers, for scripts")
    command("export", _export, "write all records of all kinds to standard output, one JSON a line")
    import_ = command("import", _import, "take in what `export` wrote")
    import_.add_argument("file", nargs="?", default="-", help="a file; default: standard input")
    command("stats", _stats, "count what is stored").add_argument("--json", action="store_true")
    command("backup", _backup, "write a verified copy of the store").add_argument("file", type=Path)
    command("restore", _restore, "put a backup in place of the store").add_argument("file", type=Path)
    undo = command("undo", _undo, "bring back what the last delete or overwrite took away")
    undo.add_argument("--operation", help="which one, as `indelible history` names it")
    history = command("history", _history, "show earlier states of a record, or what was discarded last")
    history.add_argument("id", nargs="?")
    history.add_argument("--json", action="store_true")
    doctor = command("doctor", _doctor, "check the store")
    doctor.add_argument(
        "--repair", action="store_true", help="rebuild every cache; salvage a damaged store to a new file"
    )
    command("reembed", _reembed, "embed what waits, and again what another model embedded; can be interrupted")
    encoder = command("encoder", _encoder, "run the models for all servers of this user (they start it themselves)")
    encoder.add_argument("--idle", type=float, default=600, help="seconds without a request; default: %(default)s")
    call = command("call", _call, "call any tool: indelible call TOOL --argument value ...")
    call.add_argument("tool")
    call.add_argument("rest", nargs=argparse.REMAINDER, metavar="--argument value")
    return parser


def _say(text: str) -> None:
    sys.stderr.write(text + "\n")


def _out(text: str) -> None:
    sys.stdout.write(text + "\n")


def _open(arguments: argparse.Namespace) -> "Context":
    from indelible.engine.context import open_context
    from indelible.settings import Settings

    settings = Settings.load(arguments.data, arguments.project, getattr(arguments, "read_only", False))
    return open_context(settings)


def _run_tool(arguments: argparse.Namespace, name: str, values: dict[str, Any]) -> Any:
    from indelible import registry

    ctx = _open(arguments)
    try:
        answer = registry.call(ctx, registry.find_tool(name), values)
    finally:
        ctx.close()
    _tell_redacted(answer.redacted)
    return answer.value


def _tell_redacted(redacted: list[dict[str, Any]]) -> None:
    for found in redacted:
        _say(f"redacted in {found['argument']}: {found['rule']} ({found['count']})")


def _serve(arguments: argparse.Namespace) -> int:
    from indelible.serve import logs

    logs.start()
    ctx = _open(arguments)
    from indelible.serve import stdio

    stdio.serve(ctx)
    return 0


def _remember(arguments: argparse.Namespace) -> int:
    values = {
        "content": _input_text() if arguments.content == "-" else arguments.content,
        "memory_type": arguments.type,
        "importance": arguments.importance,
        "tags": [tag.strip() for tag in arguments.tags.split(",") if tag.strip()],
    }
    if arguments.namespace is not None:
        values["namespace"] = arguments.namespace
    stored = _run_tool(arguments, "store_memory", values)
    _out(f"{stored['status']} {stored['id']}")
    return 0


def _input_text() -> str:
    return sys.stdin.buffer.read().decode("utf-8", errors="surrogateescape")


def _recall(arguments: argparse.Namespace) -> int:
    """The hot path of hooks and scripts: past the registry, whose models take longer to load than this takes."""
    from indelible.engine import calls, recall
    from indelible.tools import shapes

    for right, rule in (
        (arguments.query, "query must not be empty"),
        (0 <= arguments.k <= recall.MOST, f"-k must be from 0 to {recall.MOST}, got {arguments.k}"),
        (arguments.namespace != "", "--namespace must not be empty; leave it out to see all"),
    ):
        if not right:
            raise InvalidInput(rule)
    names = ("query", "k", "type", "namespace")
    asked = calls.Asked("recall_memory", {name: getattr(arguments, name) for name in names})
    ctx = _open(arguments)
    try:
        found = calls.perform(ctx, asked, lambda ctx, clean: recall.recall(ctx, recall.Query(*clean.values())))
    finally:
        ctx.close()
    _tell_redacted(found.redacted)
    hits = [shapes.hit(hit) for hit in found.value]
    if arguments.json:
        _out(json.dumps(hits, ensure_ascii=False, indent=2))
        return 0
    if not hits:
        _say("nothing relevant is known")
    rows = [
        (f"{h['score']:.3f}", h["kind"], h["memory_type"], h["created_at"][:10], h["id"], h["content"]) for h in hits
    ]
    _table(("score", "kind", "type", "date", "id", "content"), rows)
    return 0


def _table(heads: tuple[str, ...], rows: Sequence[tuple[str, ...]]) -> None:
    """A table for a person; on a terminal by rich, which is loaded only then."""
    if not rows:
        return
    if sys.stdout.isatty():
        from rich.console import Console
        from rich.table import Table
        from rich.text import Text

        table = Table(*heads)
        for row in rows:
            table.add_row(*(Text(_printable(cell)) for cell in row))
        Console().print(table)
        return
    shown = [heads, *(tuple(_printable(cell) for cell in row) for row in rows)]
    widths = [max(len(row[i]) for row in shown) for i in range(len(heads) - 1)]
    for row in shown:
        _out("  ".join([*(cell.ljust(width) for cell, width in zip(row, widths, strict=False)), row[-1]]).rstrip())


def _printable(text: str) -> str:
    """One line without control characters: stored text must not steer a terminal."""
    return "".join(c if c.isprintable() else " " for c in " ".join(text.split()))


def _export(arguments: argparse.Namespace) -> int:
    from indelible.engine import transfer

    ctx = _open(arguments)
    try:
        for record in transfer.export_all(ctx):
            _out(json.dumps(record, ensure_ascii=False))
    finally:
        ctx.close()
    return 0


def _import(arguments: argparse.Namespace) -> int:
    from indelible.engine import housekeeping, transfer
    from indelible.serve.lines import json_lines

    ctx = _open(arguments)
    try:
        if ctx.settings.read_only:
            raise InvalidInput("import writes, and INDELIBLE_READ_ONLY is set; unset it")
        if hasattr(os, "nice"):
            os.nice(19)  # somebody waits for each call of a server, nobody for a single record of an import
        bad: list[str] = []
        with _source(arguments.file) as file:
            done = transfer.import_items(ctx, json_lines(file, bad), housekeeping.bulk_pause(ctx))
        housekeeping.seal_due(ctx)
    finally:
        ctx.close()
    for problem in bad + [f"item {error['index'] + 1}: {error['error']}" for error in done.errors]:
        _say(problem)
    problems = len(bad) + len(done.errors)
    _say(f"imported {len(done.ids)}, skipped {done.skipped} that were known, {problems} problems")
    return 1 if problems else 0


def _source(name: str) -> Any:
    if name == "-":
        return open(sys.stdin.fileno(), "rb", closefd=False)
    try:
        return open(name, "rb")
    except OSError as error:
        raise InvalidInput(
            f"{name} cannot be read: {error.strerror}; give a file that `indelible export` wrote"
        ) from error


def _stats(arguments: argparse.Namespace) -> int:
    from indelible.engine import statistics

    stats = _run_tool(arguments, "codemem_stats", {})
    if arguments.json:
        _out(json.dumps(stats, ensure_ascii=False, indent=2))
        return 0
    ctx = _open(arguments)
    try:
        rows = [("store", str(ctx.settings.data)), *statistics.lines(ctx, stats)]
    finally:
        ctx.close()
    _table(("what", "value"), rows)
    return 0


def _backup(arguments: argparse.Namespace) -> int:
    from indelible.engine import backups

    ctx = _open(arguments)
    try:
        _out(f"verified backup: {backups.backup(ctx, arguments.file.absolute())}")
    finally:
        ctx.close()
    return 0


def _restore(arguments: argparse.Namespace) -> int:
    from indelible.engine import backups

    ctx = _open(arguments)
    try:
        before = backups.restore(ctx, arguments.file.absolute())
    finally:
        ctx.close()
    _out(f"restored {arguments.file}; what was there before: {before}")
    return 0


def _undo(arguments: argparse.Namespace) -> int:
    from indelible.engine import discard
    from indelible.engine.context import Call

    ctx = _open(arguments)
    try:
        done = discard.undo(ctx.for_call(Call(tool="undo")), arguments.operation)
    finally:
        ctx.close()
    _out(f"undone {done['tool']} ({done['operation']}): {', '.join(done['restored'])}")
    return 0


def _history(arguments: argparse.Namespace) -> int:
    from indelible.engine import discard, transfer

    ctx = _open(arguments)
    try:
        past = discard.history(ctx, arguments.id)
    finally:
        ctx.close()
    if arguments.json:
        _out(json.dumps([{**p, "time": transfer.time_text(p["time"])} for p in past], ensure_ascii=False, indent=2))
        return 0
    rows = [
        (
            p["operation"],
            transfer.time_text(p["time"]),
            p["tool"],
            p["action"],
            "yes" if p["undone"] else "",
            p["id"],
            p["content"],
        )
        for p in past
    ]
    _table(("operation", "time", "tool", "action", "undone", "id", "content before"), rows)
    if not past:
        _say("nothing was changed or deleted in the last 30 days")
    return 0


def _doctor(arguments: argparse.Namespace) -> int:
    from indelible.engine import doctor
    from indelible.settings import Settings

    settings = Settings.load(arguments.data, arguments.project)
    report = doctor.repair(settings) if arguments.repair else doctor.examine(settings)
    for line in report.lines:
        _out(line)
    return 0 if report.sound else 1


def _reembed(arguments: argparse.Namespace) -> int:
    from rich.console import Console
    from rich.progress import Progress

    from indelible.engine import pending

    ctx = _open(arguments)
    try:
        if ctx.settings.read_only:
            raise InvalidInput("reembed writes, and INDELIBLE_READ_ONLY is set; unset it")
        pending.wait_for_model(ctx)
        with Progress(console=Console(stderr=True)) as bar:
            task = bar.add_task("embedding", total=None)
            done = pending.renew(ctx, lambda made, all_: bar.update(task, completed=made, total=all_))
    finally:
        ctx.close()
    _say(f"embedded {done} records")
    return 0


def _encoder(arguments: argparse.Namespace) -> int:
    import logging

    from indelible.embed import server
    from indelible.serve import logs

    logs.start(logging.INFO)
    if not server.run(arguments.idle):
        _say("an encoder of this version runs already; it serves everyone")
    return 0


def _call(arguments: argparse.Namespace) -> int:
    from indelible import registry

    tool = registry.find_tool(arguments.tool)
    values = _values(arguments.rest, tool.input_schema.get("properties", {}), arguments)
    value = _run_tool(arguments, arguments.tool, values)
    _out(value if isinstance(value, str) else json.dumps(value, ensure_ascii=False, indent=2))
    return 0


def _values(words: list[str], schema: dict[str, Any], arguments: argparse.Namespace) -> dict[str, Any]:
    """`--name value` pairs as typed values; --data and --project among them are ours."""
    values: dict[str, Any] = {}
    if len(words) % 2 or any(not name.startswith("--") for name in words[::2]):
        raise InvalidInput(f"arguments come as --name value pairs, got {_shown(' '.join(words))!r}")
    for flag, text in zip(words[::2], words[1::2], strict=True):
        name = flag[2:].replace("-", "_")
        if name in ("data", "project") and name not in schema:
            setattr(arguments, name, text)
            continue
        if name not in schema:
            raise InvalidInput(
                f"unknown argument {_shown(flag)}; allowed are {', '.join('--' + known for known in schema) or 'none'}"
            )
        values[name] = _typed(flag, text, schema[name].get("type"))
    return values


def _typed(flag: str, text: str, type_: Any) -> Any:
    """A word of the command line as the type that the tool takes: a list also as a,b,c."""
    if type_ == "string" or type_ is None:
        return text
    try:
        return json.loads(text)
    except (ValueError, RecursionError):
        if type_ == "array" and not text.lstrip().startswith("["):
            return [part.strip() for part in text.split(",") if part.strip()]
        raise InvalidInput(f"{flag} takes a JSON {type_}, got {_shown(text)!r}") from None


def _shown(text: str) -> str:
    """What was typed, as an error may repeat it: no secret, no more than its head."""
    from indelible.redact import redact_text

    return redact_text(text)[0][:80]


if __name__ == "__main__":
    sys.exit(main())
