"""Spans of OpenTelemetry: how long a call, or a piece of background work, takes, and each part of it.

No span is made and nothing is loaded until `start`: `server/traces.py` calls it where the standard variables ask for
traces, `open_memory` where the application around it traces. A span never holds texts of users: no arguments, no
parameters of statements, no messages of errors.
"""

import sys
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from contextvars import ContextVar
from typing import TYPE_CHECKING, Literal, NamedTuple

from indelible.errors import IndelibleError
from indelible.version import __version__

if TYPE_CHECKING:
    from opentelemetry.trace import Link, Tracer, TracerProvider
    from opentelemetry.trace import Span as Recorded

# Imported late (start, cli, hooks): opentelemetry, opentelemetry.context, opentelemetry.propagate
# Imported late (start, cli, hooks): opentelemetry.trace

Value = str | int | float | bool
Kind = Literal["internal", "server", "client"]

MOST_PARTS = 1_000  # spans below that of a call, which may run any number of statements
_ARRIVAL = "indelible.arrival"  # the key of the context of OpenTelemetry under which an `_Arrival` stands
_tracer: "Tracer | None" = None


class Span:
    """A span that is being recorded, or the place of one where none is."""

    __slots__ = ("_recorded",)

    def __init__(self, recorded: "Recorded | None" = None) -> None:
        self._recorded = recorded

    @property
    def is_recorded(self) -> bool:
        """Return whether what is noted in it is kept: else it need not be computed."""
        return self._recorded is not None

    def note(self, name: str, value: Value) -> None:
        """Give it an attribute."""
        if self._recorded is not None:
            self._recorded.set_attribute(name, value)

    def fail(self, error: BaseException | str) -> None:
        """Note that it failed: the code of one of our errors, else the type of the error; never its message."""
        if self._recorded is None:
            return
        from opentelemetry.trace import StatusCode

        if isinstance(error, BaseException):
            error = error.code if isinstance(error, IndelibleError) else type(error).__qualname__
        self._recorded.set_attribute("error.type", error)
        self._recorded.set_status(StatusCode.ERROR)

    def end(self) -> None:
        """End one that `begun` gave."""
        if self._recorded is not None:
            self._recorded.end()


NONE = Span()  # records nothing


class _Room:
    """The spans that a call may still have below its own; shared by the threads that work for it."""

    __slots__ = ("left",)

    def __init__(self) -> None:
        self.left = MOST_PARTS


_room: ContextVar[_Room | None] = ContextVar("room", default=None)


class _Arrival(NamedTuple):
    """How a call came to a server: the attributes that its span gets, and links to contexts that are not its parent."""

    attributes: dict[str, Value]
    links: "list[Link]"


def start(provider: "TracerProvider | None" = None) -> None:
    """Make spans from now on, by a provider, else by the one that the application around us has set."""
    global _tracer  # noqa: PLW0603 - one process is traced, or not
    from opentelemetry import trace

    _tracer = trace.get_tracer("indelible", __version__, tracer_provider=provider)


def stop() -> None:
    """Make no more spans."""
    global _tracer  # noqa: PLW0603 - as above
    _tracer = None


def is_on() -> bool:
    """Return whether spans are made."""
    return _tracer is not None


def is_inside() -> bool:
    """Return whether a span is being recorded here, below which parts of the work are noted: MOST_PARTS at most."""
    if _tracer is None or not _is_recording():
        return False
    room = _room.get()
    return room is None or room.left > 0


def _is_recording() -> bool:
    from opentelemetry.trace import get_current_span

    return get_current_span().is_recording()


def follow_application() -> bool:
    """Make spans if the application around us does: if it has set a provider of its own. Return whether it has.

    Nothing is loaded to find out.
    """
    loaded = sys.modules.get("opentelemetry.trace")
    if loaded is None or isinstance(loaded.get_tracer_provider(), loaded.ProxyTracerProvider):
        return False
    if not is_on():
        start()
    return True


def outgoing() -> dict[str, str]:
    """Return what a request to a server is to carry, as a header or in `_meta`, so that it joins the trace around us.

    Empty where the program around us traces nothing; nothing is loaded to find out.
    """
    carrier: dict[str, str] = {}
    if "opentelemetry.trace" in sys.modules:
        from opentelemetry import propagate

        propagate.inject(carrier)
    return carrier


def arrived(carrier: Mapping[str, object], attributes: Mapping[str, Value]) -> None:
    """Note for the rest of this task how a call came: what its span is to say, and the trace that it belongs to.

    `carrier` are the headers or the `_meta` of the request, with the `traceparent` of W3C Trace Context or without.
    A later call adds to an earlier one, and its parent goes before: the other one is linked.
    """
    if _tracer is None:
        return
    from opentelemetry import context, propagate, trace

    before = trace.get_current_span().get_span_context()
    texts = {name.lower(): value for name, value in carrier.items() if isinstance(value, str)}
    own = propagate.extract(texts, context.get_current())
    parent = trace.get_current_span(own).get_span_context()
    found = context.get_value(_ARRIVAL)
    earlier, links = found if isinstance(found, _Arrival) else _Arrival({}, [])
    if before.is_valid and before != parent:
        links = [*links, trace.Link(before)]
    context.attach(context.set_value(_ARRIVAL, _Arrival({**earlier, **attributes}, links), own))


@contextmanager
def call(tool: str, toolset: str) -> Iterator[None]:
    """Record the call of a tool while the block runs it: as it came to a server (`arrived`), else as it is made here.

    It is named as the conventions for MCP and generative AI name it, see docs/design/server.md.
    """
    if _tracer is None:
        yield
        return
    from opentelemetry import context

    found = None if _is_recording() else context.get_value(_ARRIVAL)
    arrival = found if isinstance(found, _Arrival) else None
    came, links = arrival or _Arrival({}, [])
    attributes = {**came, "gen_ai.operation.name": "execute_tool", "gen_ai.tool.name": tool}
    if toolset:
        attributes["indelible.toolset"] = toolset
    method = came.get("mcp.method.name", "execute_tool")
    with span(f"{method} {tool}", attributes, kind="internal" if arrival is None else "server", links=links):
        yield


@contextmanager
def span(
    name: str,
    attributes: Mapping[str, Value] | None = None,
    *,
    kind: Kind = "internal",
    links: "list[Link] | None" = None,
) -> Iterator[Span]:
    """Record the work of the block: as part of the span that is being recorded here, else as the root of a trace."""
    if _tracer is None:
        yield NONE
        return
    from opentelemetry.trace import SpanKind

    room = _room.get()
    if room is not None and _is_recording():
        room.left -= 1
        begun_here = None
    else:
        room = _Room()
        begun_here = _room.set(room)
    with _tracer.start_as_current_span(
        name,
        kind=SpanKind[kind.upper()],
        attributes=attributes,
        links=links,
        record_exception=False,  # its message may be a text of the user
        set_status_on_exception=False,
    ) as recorded:
        running = Span(recorded)
        try:
            yield running
        except BaseException as error:
            running.fail(error)
            raise
        finally:
            if begun_here is not None:
                _room.reset(begun_here)
                if room.left <= 0:
                    running.note("indelible.parts_left_out", True)


@contextmanager
def part(name: str, attributes: Mapping[str, Value], *, kind: Kind = "internal") -> Iterator[Span]:
    """Record the work of the block as part of what is being recorded here; nothing where nothing is."""
    if not is_inside():
        yield NONE
        return
    with span(name, attributes, kind=kind) as running:
        yield running


def begun(name: str, attributes: Mapping[str, Value], *, kind: Kind = "internal") -> Span:
    """Return a part of what is being recorded here that goes on beside it until `end`; `NONE` where nothing is."""
    if _tracer is None or not is_inside():  # the first for the type checker
        return NONE
    from opentelemetry.trace import SpanKind

    return Span(_tracer.start_span(name, kind=SpanKind[kind.upper()], attributes=attributes))
