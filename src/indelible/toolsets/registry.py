"""The registry of tools: each is declared once as a typed function, whose docstring is the tool's description."""

import difflib
import importlib
import inspect
import types
import typing
from collections.abc import Callable, Collection, Iterable, Mapping
from dataclasses import replace
from functools import cache, cached_property, partial
from typing import Any

from pydantic import AfterValidator, BaseModel, BeforeValidator, ConfigDict, TypeAdapter, ValidationError, create_model

from indelible.core.context.call import NO_CALLER, Caller
from indelible.core.context.context import Context
from indelible.core.context.dispatch import Answer, Asked, perform
from indelible.core.context.permissions import Grant, Scope
from indelible.core.records.bounds import bounded, refuse_over
from indelible.dataclass import dataclass
from indelible.errors import Conflict, Forbidden, Interrupted, InvalidInput
from indelible.sanitize.validate import is_blank
from indelible.settings import Settings
from indelible.toolsets.argument_errors import explained
from indelible.toolsets.rounding import rounding

EVERY = "all"  # the name that stands for every toolset
SAYING_SUCCESS = ("context",)  # toolsets whose answers say `success`, those of failed calls too


def _whole(value: Any) -> Any:
    """JSON has one kind of number: 3.0 is the whole number 3."""
    return int(value) if isinstance(value, float) and value.is_integer() and abs(value) < 1 << 63 else value


WHOLE = BeforeValidator(_whole)  # of an int; stands behind its bounds, so that the schema shows them


def _visible(text: str) -> str:
    if is_blank(text):
        raise ValueError("text should have at least one visible character")  # worded as pydantic words its own
    return text


VISIBLE = AfterValidator(_visible)  # of a text that is read or searched: not of white space alone


@dataclass(frozen=True)
class Tool:
    """One tool that agents can call; its arguments are validated against the signature of its function.

    `itemwise` names a list argument whose items the toolset checks and redacts one by one, because invalid items are
    reported and the others accepted. `text` renders the value for MCP's text item, where that is not its JSON. A tool
    that `administers` changes data that no project owns, or deletes a whole project. `also_in` lists further toolsets
    that include the tool. A server with a tool `with_recipes` also answers the unlisted tools, since its callers can
    find the same data. One that is `in_project` stores something in the caller's project, unless it is given another.
    """

    name: str
    toolset: str
    title: str
    description: str
    run: Callable[..., Any]
    writes: bool
    destructive: bool
    idempotent: bool
    itemwise: str | None = None
    text: Callable[[Any], str] | None = None
    administers: bool = False
    also_in: tuple[str, ...] = ()
    with_recipes: bool = False
    in_project: bool = False

    @property
    def scope(self) -> Scope:
        """The scope that a caller's token needs for the tool."""
        if self.administers:
            return "admin"
        return "write" if self.writes else "read"

    @cached_property
    def arguments(self) -> type[BaseModel]:
        """The model of the arguments: strict, without unknown fields."""
        hints = typing.get_type_hints(self.run, include_extras=True)
        fields: dict[str, Any] = {}
        for name, parameter in list(inspect.signature(self.run).parameters.items())[1:]:
            default = ... if parameter.default is inspect.Parameter.empty else parameter.default
            fields[name] = (hints[name], default)
        config = ConfigDict(strict=True, extra="forbid")
        return create_model(self.name, __config__=config, **fields)

    @cached_property
    def input_schema(self) -> dict[str, Any]:
        """The JSON schema of the arguments; every value is bounded."""
        return bounded(_tidy(self.arguments.model_json_schema()))

    @cached_property
    def output_schema(self) -> dict[str, Any]:
        """The JSON schema of the structured result: an object; anything else stands under `result`."""
        schema = _tidy(TypeAdapter(typing.get_type_hints(self.run)["return"]).json_schema(mode="serialization"))
        if schema.get("type") == "object":
            return schema
        return {"type": "object", "properties": {"result": schema}, "required": ["result"]}

    @cached_property
    def _rounding(self) -> Callable[[Any], Any] | None:
        return rounding(typing.get_type_hints(self.run, include_extras=True)["return"])

    def shown(self, value: Any) -> Any:
        """Return an answer with its computed numbers rounded."""
        return value if self._rounding is None else self._rounding(value)

    def failure(self, message: str) -> dict[str, Any] | None:
        """Return the structured value of a failed call if the toolset documents one, else None: the message alone."""
        return {"success": False, "error": message} if self.toolset in SAYING_SUCCESS else None

    def validate(self, arguments: dict[str, Any]) -> dict[str, Any]:
        """Return the arguments with defaults filled in. Raises InvalidInput with one line for each invalid argument."""
        for name, schema in self.input_schema.get("properties", {}).items():
            if name in arguments:  # the items of one that is itemwise are the engine's to refuse, one by one
                held = {**schema, "items": {}} if name == self.itemwise else schema
                refuse_over(arguments[name], held, name)
        try:
            model = self.arguments.model_validate(arguments)
        except ValidationError as error:
            raise InvalidInput("\n".join(explained(error.errors(), self.input_schema))) from None
        return {name: getattr(model, name) for name in type(model).model_fields}


_TOOLS: dict[str, Tool] = {}
_UNLISTED: dict[str, Tool] = {}


def tool(
    toolset: str,
    title: str,
    *,
    writes: bool = False,
    destructive: bool = False,
    idempotent: bool = False,
    itemwise: str | None = None,
    text: Callable[[Any], str] | None = None,
    administers: bool = False,
    also_in: tuple[str, ...] = (),
    with_recipes: bool = False,
    in_project: bool = False,
    listed: bool = True,
) -> Callable[[Callable[..., Any]], Callable[..., Any]]:
    """Declare a function as a tool: its signature is the contract, its docstring the description.

    A tool that is not `listed` is for programs: servers answer it but do not list it for agents.
    """

    def declare(run: Callable[..., Any]) -> Callable[..., Any]:
        description = " ".join((inspect.getdoc(run) or "").split())
        idempotent_ = idempotent or not writes
        (_TOOLS if listed else _UNLISTED)[run.__name__] = Tool(
            run.__name__,
            toolset,
            title,
            description,
            run,
            writes,
            destructive,
            idempotent_,
            itemwise,
            text,
            administers,
            also_in,
            with_recipes,
            in_project,
        )
        return run

    return declare


# The modules that declare tools, in the order in which clients list these.
MODULES = (
    *(
        "memory.tools",
        "memory.recall_tools",
        "memory.refinement_tools",
        "memory.namespace_tools",
        "memory.scoring_tools",
    ),
    *("solutions.tools", "graph.tools", "vectors.tools", "context.documents.tools", "context.documents.resource_tools"),
    *("context.chats.tools", "context.usage_tools", "context.todo_tools", "context.attempt_tools"),
    *("code.tools", "review.tools", "lifecycle.tools"),
)


def all_tools() -> dict[str, Tool]:
    """Every declared tool by name: by module in the order of `MODULES`, in each in the order of declaration."""
    return dict(_declared())


@cache
def _declared() -> tuple[tuple[str, Tool], ...]:
    names = [f"indelible.toolsets.{module}" for module in MODULES]
    for name in names:
        importlib.import_module(name)
    return tuple(sorted(_TOOLS.items(), key=lambda item: names.index(item[1].run.__module__)))


def unlisted() -> dict[str, Tool]:
    """The tools that no server lists, by name: the recipes of the knowledge graph."""
    importlib.import_module("indelible.toolsets.graph.recipe_tools")
    return dict(_UNLISTED)


def answered(listed: Mapping[str, Tool], settings: Settings) -> dict[str, Tool]:
    """Return the tools that a server of these settings answers, which lists some: with recipes if it offers the search
    of the graph, and where it is read-only with those that write: `call` says why they are refused.
    """
    recipes = unlisted() if any(tool.with_recipes for tool in listed.values()) else {}
    refused = offered(replace(settings, read_only=False)) if settings.read_only else {}
    return {**refused, **listed, **recipes}


def offered(settings: Settings) -> dict[str, Tool]:
    """The tools that a server of these settings lists and answers, by name, in the order of declaration.

    These are the tools of the named toolsets and the named tools (all if neither is named) without the excluded ones;
    a read-only server has no tools that write. Raises InvalidInput for a name that does not exist, and if no tool is
    left.
    """
    known = all_tools()
    toolsets = dict.fromkeys(tool.toolset for tool in known.values())
    _refuse_unknown("toolset", "--toolsets, INDELIBLE_TOOLSETS", settings.toolsets, [*toolsets, EVERY])
    _refuse_unknown("tool", "--tools, INDELIBLE_TOOLS", settings.tools, known)
    _refuse_unknown("tool", "--exclude-tools, INDELIBLE_EXCLUDE_TOOLS", settings.exclude_tools, known)
    all_of_them = EVERY in settings.toolsets or not (settings.toolsets or settings.tools)
    named = set(settings.toolsets)
    chosen = {
        name: tool
        for name, tool in known.items()
        if (all_of_them or not named.isdisjoint((tool.toolset, *tool.also_in)) or name in settings.tools)
        and name not in settings.exclude_tools
        and not (settings.read_only and tool.writes)
    }
    if not chosen:
        raise InvalidInput(
            "no tool is left to serve: --toolsets, --tools, --exclude-tools and --read-only (or their variables) leave "
            "none; name more, or exclude fewer"
        )
    return chosen


def granted(tools: Mapping[str, Tool], grant: Grant) -> dict[str, Tool]:
    """Return the tools that a caller's token allows; no others are listed for it or run."""
    return {name: tool for name, tool in tools.items() if grant.allows(tool.scope)}


def _refuse_unknown(what: str, source: str, names: Iterable[str], known: Collection[str]) -> None:
    for name in names:
        if name not in known:
            raise InvalidInput(f"unknown {what} {name!r} ({source}); {_meant(name, known)}")


def _meant(name: str, known: Collection[str]) -> str:
    """Return which of the known names was meant, and what there are."""
    near = difflib.get_close_matches(name, known, 1, 0.7)
    return f"{f'did you mean {near[0]!r}? ' if near else ''}there are {', '.join(known)}"


def find_tool(name: str) -> Tool:
    """The tool of that name, listed or not. Raises InvalidInput."""
    known = all_tools()
    if name not in known and name in unlisted():
        return unlisted()[name]
    if name not in known:
        raise InvalidInput(f"unknown tool {name!r}; {_meant(name, known)}")
    return known[name]


def call(
    ctx: Context,
    called: Tool,
    arguments: dict[str, Any],
    *,
    key: str | None = None,
    conversation: str = "",
    caller: Caller = NO_CALLER,
) -> Answer:
    """Run a call: admit, validate, execute and log it. With a `key`, a write that was applied before is not repeated.

    A tool that only reads, or a write with a key, is run once more if the connection to the database is lost. Raises
    the errors of `indelible.errors`; nothing is written then, except by a call that its `caller` cancelled.
    """
    if called.writes and ctx.settings.read_only:
        raise Conflict(f"{called.name} writes, and {ctx.settings.why_read_only}")
    if not ctx.session.grant.allows(called.scope):
        raise Forbidden(
            f"{called.name} needs a token of scope {called.scope}, this one has {ctx.session.grant.scope}; "
            "`indelible token create --scope` makes another"
        )
    asked = Asked(called.name, arguments, key, conversation, called.itemwise, caller, called.toolset)
    answer = perform(ctx, asked, partial(_run, called))
    return replace(answer, value=called.shown(answer.value))


def _run(called: Tool, ctx: Context, clean: dict[str, Any]) -> Any:
    arguments = called.validate(clean)
    redacted = len(ctx.call.redacted)
    try:
        return called.run(ctx, **arguments)
    except Interrupted:
        if called.writes and ctx.call.key is None:
            raise
    del ctx.call.touched[:], ctx.call.redacted[redacted:]
    ctx.call.searched.clear()
    return called.run(ctx, **arguments)  # whose first look at the store waits until the server is back


def _tidy(schema: dict[str, Any]) -> dict[str, Any]:
    """Return a compact schema for clients: no titles, no references, `X or null` as X.

    The least length 1 of texts is left out.
    """
    definitions = {name: _undescribed(node) for name, node in schema.get("$defs", {}).items()}

    def tidy(node: Any) -> Any:
        if isinstance(node, list):
            return [tidy(inner) for inner in node]
        if not isinstance(node, dict):
            return node
        if "$ref" in node:
            rest = {k: v for k, v in node.items() if k != "$ref"}
            return tidy({**definitions[node["$ref"].rsplit("/", 1)[1]], **rest})
        options = [option for option in node.get("anyOf", []) if option.get("type") != "null"]
        if len(options) == 1 and "default" in node:
            rest = {k: v for k, v in node.items() if k not in ("anyOf", "default")}
            return tidy({**options[0], **rest})
        kept = {k: v for k, v in node.items() if k not in ("title", "$defs") and (k, v) != ("minLength", 1)}
        return {k: _tidy_value(k, v, tidy) for k, v in kept.items()}

    tidied: dict[str, Any] = tidy(_undescribed(schema))
    return tidied


def _undescribed(schema: dict[str, Any]) -> dict[str, Any]:
    """Return the schema of an object without its description, which is the docstring of its class."""
    return {key: value for key, value in schema.items() if key != "description"}


def _tidy_value(key: str, value: Any, tidy: Callable[[Any], Any]) -> Any:
    if key == "properties":  # a property may be called title
        return {name: tidy(inner) for name, inner in value.items()}
    if key == "const" or isinstance(value, types.NoneType):
        return value
    return tidy(value)
