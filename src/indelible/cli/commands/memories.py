"""Memories in and out, and any tool by its name."""

import argparse
import json
import re
import sys
from contextlib import closing
from itertools import islice
from typing import TYPE_CHECKING, Any

from indelible.cli import answers, parsing
from indelible.cli.opening import (
    Adding,
    embed_stored,
    open_context_of,
    open_existing,
    run_tool,
    short_ids,
    tell_redacted,
    tell_searched,
)
from indelible.cli.paths import namespace_of
from indelible.cli.terminal import out, printable, shortened, shown, table
from indelible.errors import InvalidInput
from indelible.model import COMMIT, MEMORY_TYPES, RECALLED_KINDS
from indelible.stderr import say

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Mapping

    from indelible.core.recall import candidates
    from indelible.model import Hit, Record
    from indelible.toolsets.registry import Tool


HELP = ("--help", "-h")
ID = re.compile(r"[0-9a-f]{8}(-[0-9a-f-]*)?")  # of a memory, or its beginning
SHORT = 8  # characters of an id in a mark
LISTED = 20  # memories that `list` shows
GONE = 3  # paths of projects that it names where there are none
TYPES = ", ".join(MEMORY_TYPES)
FIRST_LINE = 2_000  # characters of each that are read for its first line


def add(command: Adding) -> None:
    """Declare the commands."""
    remember = command("remember", _remember, "store a memory")
    remember.add_argument("content", nargs="+", help="the text, words are joined by spaces; or - for standard input")
    remember.add_argument(
        "--type",
        default="context",
        metavar="TYPE",
        choices=MEMORY_TYPES,
        help=f"{TYPES}; a rule of yours is a preference; default: %(default)s",
    )
    remember.add_argument("--tags", "--tag", default="", help="separated by commas; hierarchical ones as a:b:c")
    remember.add_argument("--importance", type=float, default=0.5, help="0 to 1; default: %(default)s")
    remember.add_argument("--namespace", help="default: the project")
    remember.add_argument("--expires", metavar="TIME", help="leave recalls and briefs then: 30d, 12w, or a date")
    remember.add_argument("--pin", action="store_true", help="open every brief of the project with it")
    remember.add_argument("--valid-from", metavar="TIME", help="it is true since then")
    remember.add_argument("--valid-to", metavar="TIME", help="it is true until then")
    recall = command("recall", _recall, "find memories")
    recall.add_argument("query", nargs="+", help="in your own words; words are joined by spaces")
    why = command("why", _why, "say why a question finds what it finds, or why not the record of an id")
    why.add_argument("query", nargs=1, metavar="QUESTION", help="as recall takes it, in quotes")
    why.add_argument("id", nargs="?", metavar="ID", help="say how far this record comes; as show takes it")
    kinds = ", ".join((*RECALLED_KINDS, COMMIT))
    for asks in (recall, why):
        asks.add_argument(
            "-k", "--limit", dest="k", type=int, default=10, help="number of results; default: %(default)s"
        )
        asks.add_argument("--type", metavar="TYPE", choices=MEMORY_TYPES, help=TYPES)
        asks.add_argument("--namespace", help="default: all")
        asks.add_argument(
            "--kinds",
            metavar="KIND,...",
            help=f"of {kinds}; default: all but {COMMIT}, which the index reads from git",
        )
    listed = command("list", _list, "list the newest memories of the project")
    listed.add_argument("--type", metavar="TYPE", choices=MEMORY_TYPES, help=TYPES)
    listed.add_argument("--all-projects", action="store_true", help="of every project, and of none")
    listed.add_argument(
        "-k", "--limit", dest="k", type=int, default=LISTED, help="number of results; default: %(default)s"
    )
    show = command("show", _show, "show one record with all that is stored of it")
    show.add_argument("id", metavar="ID", help="its first 8 characters are enough; kind:id names the kind")
    command("stats", _stats, "count what is stored")
    call = command(
        "call", _call, "call any tool: indelible call TOOL --argument value ...; TOOL --help lists its arguments"
    )
    parsing.offer(call.add_argument("tool"), _names_of_tools)
    call.add_argument("rest", nargs=argparse.REMAINDER, metavar="--argument value")
    for name, does in (("pin", "open every brief of their project with memories or solutions"), ("unpin", "end that")):
        command(name, _pin, does).add_argument("ids", metavar="ID", nargs="+", help="as recall and list show it")
    delete = command("delete", _delete, "delete records of any kind; `indelible undo` brings them back")
    delete.add_argument(
        "ids", metavar="ID", nargs="+", help="as recall and list show it; a document also by its file name"
    )


def _names_of_tools() -> "Iterable[str]":
    from indelible.server.mcp import tool_schemas

    return tool_schemas.names()


def _remember(arguments: argparse.Namespace) -> int:
    content = _input_text() if arguments.content == ["-"] else " ".join(arguments.content)
    times = {"expires_at": arguments.expires, "valid_from": arguments.valid_from, "valid_to": arguments.valid_to}
    given = {"content": content, "--tags": arguments.tags, "--namespace": arguments.namespace, **times}
    for name, text in given.items():
        _refuse_other_encodings(name, text or "")
    values = {
        "content": content,
        "memory_type": arguments.type,
        "importance": arguments.importance,
        "tags": [tag.strip() for tag in arguments.tags.split(",") if tag.strip()],
    }
    if arguments.namespace is not None:
        values["namespace"] = namespace_of(arguments.namespace)
    values |= {name: text for name, text in times.items() if text is not None}
    values |= {"pinned": True} if arguments.pin else {}
    with closing(open_context_of(arguments)) as ctx:
        stored = run_tool(ctx, "store_memory", values)
        answers.give(stored)
        out(f"{stored['status']} {short_ids(ctx, [('memory', stored['id'])])[0]}")
        if "warning" in stored:
            say(stored["warning"])
        embed_stored(ctx)
    return 0


def _input_text() -> str:
    return sys.stdin.buffer.read().decode("utf-8", errors="surrogateescape")


def _refuse_other_encodings(name: str, text: str) -> None:
    """Raise InvalidInput for bytes that are not UTF-8, which stand in a text as halves of surrogate pairs."""
    try:
        text.encode()
    except UnicodeEncodeError as error:
        raise InvalidInput(
            f"{name} is not UTF-8: byte 0x{ord(text[error.start]) & 0xFF:02x} after {error.start} characters; convert "
            "it first, as with iconv -f latin1 -t utf-8"
        ) from None


def _recall(arguments: argparse.Namespace) -> int:
    """The hot path of hooks and scripts: past the registry, whose models take longer to load than this takes."""
    from indelible.core.context import dispatch, visibility
    from indelible.core.recall import recall
    from indelible.toolsets import shapes

    values, kinds = _asked(arguments)
    asked = dispatch.Asked("recall_memory", values)
    ctx = open_existing(arguments)
    try:
        found = dispatch.perform(ctx, asked, lambda ctx, clean: recall.recall(ctx, _query(clean, kinds)))
        foreign = visibility.elsewhere(ctx, {hit.record.namespace for hit in found.value})
        if foreign and ctx.session.location is None:
            say("no project here: memories of all projects are searched; --project DIR is one of them")
        shorts = [] if answers.are_wanted() else short_ids(ctx, ((h.record.kind, h.record.key) for h in found.value))
    finally:
        ctx.close()
    tell_redacted(found.redacted)
    tell_searched(found)
    hits = [shapes.hit(hit) for hit in found.value]
    answers.give({"hits": hits})
    if not hits:
        say("nothing relevant is known")
    best = max((each.score for each in found.value), default=0.0)
    texts = [_marks(each, foreign, best) + fields["content"] for each, fields in zip(found.value, hits, strict=True)]
    rows = [
        (f"{h['score']:.3f}", h["kind"], h["memory_type"], h["created_at"][:10], short, text)
        for h, short, text in zip(hits, shorts, texts, strict=False)
    ]
    table(("score", "kind", "type", "date", "id", "content"), rows)
    return 0


def _asked(arguments: argparse.Namespace) -> "tuple[dict[str, Any], tuple[str, ...] | None]":
    """Return the arguments of a recall from the command line, and its kinds, None for the usual ones."""
    from indelible.core.recall import recall
    from indelible.sanitize.validate import refuse_blank

    for right, rule in (
        (1 <= arguments.k <= recall.MOST, f"--limit (-k) must be from 1 to {recall.MOST}, got {arguments.k}"),
        (arguments.namespace != "", "--namespace must not be empty; leave it out to see all"),
    ):
        if not right:
            raise InvalidInput(rule)
    kinds = None if arguments.kinds is None else tuple(dict.fromkeys(arguments.kinds.split(",")))
    unknown = next((each for each in kinds or () if each not in (*RECALLED_KINDS, COMMIT)), None)
    if unknown is not None:
        raise InvalidInput(
            f"--kinds names {unknown!r:.80}; give some of {', '.join((*RECALLED_KINDS, COMMIT))}, separated by commas"
        )
    query = " ".join(arguments.query)
    for name, text in (("query", query), ("--namespace", arguments.namespace or "")):
        _refuse_other_encodings(name, text)
    refuse_blank(query, "query")
    values = {"query": query, "k": arguments.k, "type": arguments.type}
    values["namespace"] = None if arguments.namespace is None else namespace_of(arguments.namespace)
    return values, kinds


def _why(arguments: argparse.Namespace) -> int:
    """Answer as a recall would, but for the counting of accesses."""
    from indelible.cli import why_lines
    from indelible.core.context import dispatch
    from indelible.core.recall import trace

    values, kinds = _asked(arguments)
    if arguments.id is None and ID.fullmatch(values["query"].strip()):
        id_ = values["query"].strip()
        say(f"{id_} looks like an id: `indelible why QUESTION {id_}` says how far that record comes for a question")
    if arguments.id is not None:
        _refuse_other_encodings("ID", arguments.id)
        values["id"] = arguments.id
    asked = dispatch.Asked("why", values)
    with closing(open_existing(arguments)) as ctx:
        if arguments.id is None:
            found = dispatch.perform(ctx, asked, lambda ctx, clean: trace.explained(ctx, _query(clean, kinds)))
            about = [each.hit.record for each in found.value]
        else:
            found = dispatch.perform(
                ctx, asked, lambda ctx, clean: trace.explain(ctx, _query(clean, kinds), clean["id"])
            )
            about = [found.value.record] if found.value.record is not None else []
        shorts = short_ids(ctx, ((record.kind, record.key) for record in about))
    tell_redacted(found.redacted)
    tell_searched(found)
    if arguments.id is not None:
        answers.give({"trace": why_lines.trace_fields(found.value)})
        why_lines.print_trace(found.value, "".join(shorts))
        return 0
    answers.give({"hits": [why_lines.hit_fields(each) for each in found.value]})
    why_lines.print_hits(found.value, shorts)
    if not found.value:
        say("nothing relevant is known; an ID behind the question says how far that record comes")
    return 0


def _query(clean: "Mapping[str, Any]", kinds: tuple[str, ...] | None) -> "candidates.Query":
    from indelible.core.recall import candidates

    return candidates.Query(clean["query"], clean["k"], clean["type"], clean["namespace"], kinds)


def _marks(hit: "Hit", foreign: "Collection[str]", best: float) -> str:
    """Return before a text what a reader must know before acting on it, "" for most; also its project, if another.

    `best` is the score of the best hit.
    """
    from indelible.cli.record_lines import project_name
    from indelible.search.confidence import is_less_sure
    from indelible.toolsets import shapes

    name, is_foreign = hit.record.namespace, hit.record.namespace in foreign
    less_sure = is_less_sure(hit.score, hit.components["token_overlap"], best)
    marks = (
        "standing rule" if hit.rule else "less sure" if less_sure else "",
        *map(printable, shapes.remarks(shapes.standing(hit), lambda id_: id_[:SHORT])),
        f"{'project ' if name else ''}{project_name(name)}" if is_foreign else "",
    )
    said = "; ".join(filter(None, marks))
    return f"({said}) " if said else ""


def _list(arguments: argparse.Namespace) -> int:
    from indelible.capture.project_brief import person_of
    from indelible.cli import record_lines
    from indelible.core.recall.recall import MOST
    from indelible.toolsets.memory import inspection, namespaces

    if not 1 <= arguments.k <= MOST:
        raise InvalidInput(f"--limit (-k) must be from 1 to {MOST}, got {arguments.k}")
    type_, everywhere = arguments.type or "", arguments.all_projects
    length = inspection.WHOLE if answers.are_wanted() else FIRST_LINE
    with closing(open_existing(arguments)) as ctx:
        found = inspection.newest(ctx, arguments.k, type_=type_, every_project=everywhere, length=length)
        project, now, person = inspection.project(ctx), ctx.now(), person_of(ctx)
        gone = [] if found or everywhere or type_ or not project else namespaces.gone(ctx)
    if answers.are_wanted():
        answers.give({"project": project, "memories": [_as_json(each.record) for each in found]})
    for each in found:
        out(record_lines.heading(each.record, each.short, now, person, with_project=everywhere))
        out(record_lines.beginning(each.record))
    if not found:
        what = f"no memory of type {type_}" if type_ else "no memory"
        here = f"for {printable(project)}" if project else "outside of projects"
        say(f"{what} is stored{'' if everywhere else f' {here}; --all-projects lists those of all'}")
    if gone:
        say(
            f"memories are stored for {', '.join(map(printable, gone[:GONE]))}, where nothing is any more; "
            "`indelible project move PATH` takes over those of a project that was moved or renamed"
        )
    return 0


def _show(arguments: argparse.Namespace) -> int:
    from indelible.capture.project_brief import person_of
    from indelible.cli import record_lines
    from indelible.clock import sortable_text
    from indelible.core.records import lifetimes
    from indelible.toolsets.memory import inspection

    with closing(open_existing(arguments)) as ctx:
        found, now, person = inspection.inspect(ctx, arguments.id), ctx.now(), person_of(ctx)
    relations = [
        {"relationship": r.relationship, "outgoing": r.outgoing, "weight": r.weight, "id": r.id, "label": r.label}
        for r in found.relations
    ]
    newer = {"replaced_by": found.replaced_by} if found.replaced_by else {}
    held = lifetimes.shown(found.record, sortable_text(now))
    answers.give({"record": {**_as_json(found.record), **newer, **held, "relations": relations}})
    record_lines.print_whole(found, now, person)
    return 0


def _as_json(record: "Record") -> dict[str, Any]:
    from indelible.clock import time_text
    from indelible.core.context import ids
    from indelible.core.records.trust import is_confirmed, stated_by

    return {
        "id": ids.shown(record),
        "kind": record.kind,
        "type": record.type,
        "namespace": record.namespace,
        "content": record.text,
        "label": record.label,
        "importance": record.importance,
        "tags": list(record.tags),
        "created": time_text(record.created),
        "updated": time_text(record.updated),
        "session": record.session,
        "stated_by": stated_by(record),
        "trusted": is_confirmed(record),
        "replaced": record.replaced,
        "metadata": record.metadata,
    }


def _stats(arguments: argparse.Namespace) -> int:
    from indelible.toolsets.memory import statistics

    with closing(open_existing(arguments)) as ctx:
        stats = run_tool(ctx, "codemem_stats", {})
        answers.give({"store": ctx.settings.place, "statistics": stats})
        rows = [("store", ctx.settings.place), *statistics.lines(ctx, stats)]
    table(("what", "value"), rows)
    return 0


def _call(arguments: argparse.Namespace) -> int:
    from indelible.toolsets import registry

    words = _without_json(arguments.rest)
    if len(words) < len(arguments.rest):
        answers.begin("call")
    tool = registry.find_tool(arguments.tool)
    if any(word in HELP for word in words[::2]):
        answers.give({"tool": tool.name, "description": tool.description, "arguments": tool.input_schema})
        _tell(tool)
        return 0
    values = _values(words, tool.input_schema.get("properties", {}), arguments)
    with closing(open_context_of(arguments)) as ctx:
        value = run_tool(ctx, arguments.tool, values)
        answers.give({"tool": tool.name, "answer": value})
        out(value if isinstance(value, str) else json.dumps(value, ensure_ascii=False, indent=2))
        embed_stored(ctx)
    return 0


def _without_json(words: list[str]) -> list[str]:
    """Return `--name value` pairs without a --json among the names: every command takes that, and without a value."""
    left: list[str] = []
    rest = iter(words)
    for word in rest:
        if word != "--json":
            left += [word, *islice(rest, 0 if word in HELP else 1)]
    return left


def _tell(tool: "Tool") -> None:
    """Print the description and the arguments of a tool."""
    out(f"{tool.name}: {tool.description}\n")
    required = tool.input_schema.get("required", ())
    rows = [
        (f"--{name.replace('_', '-')}", _type_of(schema), _default_of(schema, name in required), _meaning_of(schema))
        for name, schema in tool.input_schema.get("properties", {}).items()
    ]
    table(("argument", "type", "default", "meaning"), rows)
    if not rows:
        out("It takes no arguments.")


def _type_of(schema: dict[str, Any]) -> str:
    type_ = schema.get("type", "any")
    return f"{type_} of {schema['items'].get('type', 'any')}s" if type_ == "array" and "items" in schema else str(type_)


def _default_of(schema: dict[str, Any], required: bool) -> str:
    if required:
        return "(required)"
    return json.dumps(schema["default"], ensure_ascii=False) if "default" in schema else ""


def _meaning_of(schema: dict[str, Any]) -> str:
    allowed = f"one of {', '.join(map(str, schema['enum']))}" if "enum" in schema else ""
    return ": ".join(part for part in (schema.get("description", ""), allowed) if part)


def _values(words: list[str], schema: dict[str, Any], arguments: argparse.Namespace) -> dict[str, Any]:
    """`--name value` pairs as typed values; those that every command has are ours."""
    values: dict[str, Any] = {}
    if len(words) % 2 or any(not name.startswith("--") for name in words[::2]):
        raise InvalidInput(f"arguments come as --name value pairs, got {shown(' '.join(words))!r}")
    for flag, text in zip(words[::2], words[1::2], strict=True):
        name = flag[2:].replace("-", "_")
        if name in ("data", "project", "database", "tenant") and name not in schema:
            setattr(arguments, name, text)
            continue
        _refuse_other_encodings(shown(flag), text)
        if name not in schema:
            raise InvalidInput(
                f"unknown argument {shown(flag)}; allowed are {', '.join('--' + known for known in schema) or 'none'}"
            )
        values[name] = namespace_of(text) if name == "namespace" else _typed(flag, text, schema[name].get("type"))
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
        raise InvalidInput(f"{flag} takes a JSON {type_}, got {shown(text)!r}") from None


def _pin(arguments: argparse.Namespace) -> int:
    from indelible.core.context.call import Call
    from indelible.toolsets.memory import memories

    name = arguments.command_name
    with closing(open_existing(arguments)) as ctx:
        done = memories.pin(ctx.for_call(Call(tool=name)), arguments.ids, pinned=name == "pin")
        shorts = short_ids(ctx, ((each.kind, each.id) for each in done))
    answers.give({f"{name}ned": [{"kind": each.kind, "id": each.id, "content": each.text} for each in done]})
    for each, short in zip(done, shorts, strict=True):
        out(f"{name}ned {each.kind} {printable(short)}: {shortened(printable(each.text))}")
    for warning in dict.fromkeys(each.warning for each in done if each.warning):
        say(warning)
    return 0


def _delete(arguments: argparse.Namespace) -> int:
    from indelible.core.context.call import Call
    from indelible.toolsets.memory import deletion

    call = Call(tool="delete")
    with closing(open_existing(arguments)) as ctx:
        deleted = deletion.delete(ctx.for_call(call), arguments.ids)
        shorts = short_ids(ctx, ((each.kind, each.id) for each in deleted))
    answers.give({"deleted": [{"kind": each.kind, "id": each.id, "content": each.text} for each in deleted]})
    for each, short in zip(deleted, shorts, strict=True):
        out(f"deleted {each.kind} {printable(short)}: {shortened(printable(each.text))}")
    # Named: another agent may have changed something since.
    out(f"`indelible undo --operation {call.operation}` brings {'it' if len(deleted) == 1 else 'them'} back")
    return 0
