"""A tool is declared once: a typed function with a docstring. Everything else is a loop over this registry."""

import inspect
import types
import typing
from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from pydantic import BaseModel, BeforeValidator, ConfigDict, TypeAdapter, ValidationError, create_model

from indelible.engine.calls import Answer, Asked, perform
from indelible.engine.context import Context
from indelible.errors import Conflict, InvalidInput

SHOWN = 80  # characters of a wrong value that an error repeats


def _whole(value: Any) -> Any:
    """JSON has one kind of number: 3.0 is the whole number 3."""
    return int(value) if isinstance(value, float) and value.is_integer() and abs(value) < 1 << 63 else value


WHOLE = BeforeValidator(_whole)  # of an int; stands behind its bounds, so that the schema shows them


@dataclass(frozen=True)
class Tool:
    """One tool: what an agent calls, validated against its own signature.

    `itemwise` names a list argument whose items are checked and redacted one by one by the engine, because a bad
    item is reported and the others are taken.
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

    @cached_property
    def arguments(self) -> type[BaseModel]:
        """The model of the arguments: strict, and nothing unknown is taken."""
        hints = typing.get_type_hints(self.run, include_extras=True)
        fields: dict[str, Any] = {}
        for name, parameter in list(inspect.signature(self.run).parameters.items())[1:]:
            default = ... if parameter.default is inspect.Parameter.empty else parameter.default
            fields[name] = (hints[name], default)
        config = ConfigDict(strict=True, extra="forbid")
        return create_model(self.name, __config__=config, **fields)

    @cached_property
    def input_schema(self) -> dict[str, Any]:
        """The JSON schema of the arguments."""
        return _tidy(self.arguments.model_json_schema())

    @cached_property
    def output_schema(self) -> dict[str, Any]:
        """The JSON schema of the structured result: an object; anything else stands under `result`."""
        schema = _tidy(TypeAdapter(typing.get_type_hints(self.run)["return"]).json_schema(mode="serialization"))
        if schema.get("type") == "object":
            return schema
        return {"type": "object", "properties": {"result": schema}, "required": ["result"]}

    def validate(self, arguments: dict[str, Any]) -> dict[str, Any]:
        """The arguments with defaults filled in. Raises InvalidInput, one line an argument."""
        try:
            model = self.arguments.model_validate(arguments)
        except ValidationError as error:
            raise InvalidInput("\n".join(_explain(e, self.input_schema) for e in error.errors())) from None
        return {name: getattr(model, name) for name in type(model).model_fields}


_TOOLS: dict[str, Tool] = {}


def tool(
    toolset: str,
    title: str,
    *,
    writes: bool = False,
    destructive: bool = False,
    idempotent: bool = False,
    itemwise: str | None = None,
) -> Callable[[Callable[..., Any]], Callable[..., Any]]:
    """Declare a function as a tool: its signature is the contract, its docstring the description."""

    def declare(run: Callable[..., Any]) -> Callable[..., Any]:
        description = " ".join((inspect.getdoc(run) or "").split())
        idempotent_ = idempotent or not writes
        _TOOLS[run.__name__] = Tool(
            run.__name__, toolset, title, description, run, writes, destructive, idempotent_, itemwise
        )
        return run

    return declare


def all_tools(*, read_only: bool = False) -> dict[str, Tool]:
    """Every declared tool by name, in the order of declaration; without those that write, if asked."""
    import indelible.tools.memories  # noqa: F401 - declares them

    return {name: tool for name, tool in _TOOLS.items() if not (read_only and tool.writes)}


def find_tool(name: str) -> Tool:
    """The tool of that name. Raises InvalidInput."""
    known = all_tools()
    if name not in known:
        raise InvalidInput(f"unknown tool {name!r}; there are {', '.join(known)}")
    return known[name]


def call(
    ctx: Context, called: Tool, arguments: dict[str, Any], *, key: str | None = None, conversation: str = ""
) -> Answer:
    """Admit, validate, run, log. With a `key` a write that was applied before is answered, not repeated.

    Raises the errors of `indelible.errors`; nothing is written then.
    """
    if called.writes and ctx.settings.read_only:
        raise Conflict(f"{called.name} writes, and this server is read-only; start it without --read-only")
    asked = Asked(called.name, arguments, key, conversation, called.itemwise)
    return perform(ctx, asked, lambda ctx, clean: called.run(ctx, **called.validate(clean)))


def _explain(error: Any, schema: dict[str, Any]) -> str:
    """One mistake in one line: the argument, what was given, what is allowed."""
    name = ".".join(str(part) for part in error["loc"]) or "the arguments"
    given = repr(error["input"])
    given = given if len(given) <= SHOWN else given[: SHOWN - 1] + "…"
    allowed = ", ".join(schema.get("properties", {}))
    if error["type"] == "missing":
        return f"{name} is required"
    if error["type"] == "extra_forbidden":
        return f"unknown argument {name!r}; allowed are: {allowed or 'none'}"
    if error["type"] == "literal_error":
        return f"{name} must be one of {error['ctx']['expected']}, got {given}"
    _, should, allowed = str(error["msg"]).partition(" should ")  # "String should have at least 1 character"
    return f"{name} must {allowed if should else error['msg']}, got {given}"


def _tidy(schema: dict[str, Any]) -> dict[str, Any]:
    """A schema as small as clients like it: no titles, no references, `X or null` as X."""
    definitions = schema.get("$defs", {})

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
        return {k: _tidy_value(k, v, tidy) for k, v in node.items() if k not in ("title", "$defs")}

    tidied: dict[str, Any] = tidy(schema)
    return tidied


def _tidy_value(key: str, value: Any, tidy: Callable[[Any], Any]) -> Any:
    if key == "properties":  # a property may be called title
        return {name: tidy(inner) for name, inner in value.items()}
    if key == "const" or isinstance(value, types.NoneType):
        return value
    return tidy(value)
