"""The steps around every call, whatever transport it came through: its span, validation, the request key, the event."""

import hashlib
import json
import time
from collections.abc import Callable
from dataclasses import field
from functools import lru_cache
from typing import Any

from indelible import tracing
from indelible.core.context.call import NO_CALLER, NO_NOTES, Call, Caller, Notes
from indelible.core.context.context import Context
from indelible.dataclass import dataclass
from indelible.errors import IndelibleError, InvalidInput
from indelible.sanitize.validate import admit, check, merged
from indelible.store.tables.events import Event

LONGEST_KEY = 255
MOST_NAMED = 50  # records that an event names
LONGEST_CACHED = 40  # characters of an argument's name whose check is kept


@dataclass(frozen=True, slots=True)
class Answer:
    """The documented value of a call, the findings redacted in its arguments, and remarks on its searches.

    `operation` is what undoes it, if it changed or deleted anything.
    """

    value: Any
    redacted: list[dict[str, Any]] = field(default_factory=list)
    searched: Notes = NO_NOTES
    operation: str = ""


@dataclass(frozen=True, slots=True)
class Asked:
    """A call as it came in: the tool's name, its arguments, and what goes with them.

    `itemwise` names the argument whose items the toolset validates one by one; `caller` gets progress and may cancel.
    """

    tool: str
    arguments: dict[str, Any]
    key: str | None = None
    conversation: str = ""
    itemwise: str | None = None
    caller: Caller = NO_CALLER
    toolset: str = ""


def perform(ctx: Context, asked: Asked, run: Callable[[Context, dict[str, Any]], Any]) -> Answer:
    """Validate the arguments, run, and log the event. `run` gets the context of this call and the clean arguments.

    Raises the errors of `indelible.errors`; then nothing was written.
    """
    with tracing.call(asked.tool, asked.toolset):
        return _performed(ctx, asked, run)


def _performed(ctx: Context, asked: Asked, run: Callable[[Context, dict[str, Any]], Any]) -> Answer:
    began = time.perf_counter()
    doing = Call(tool=asked.tool, conversation=_conversation(ctx, asked, {}), key=asked.key, caller=asked.caller)
    size, outcome = 0, "internal_error"
    try:
        clean = _admitted(asked, doing)
        doing = doing.in_conversation(_conversation(ctx, asked, clean))
        text = _written(clean, asked.itemwise)
        size = len(text)
        if asked.key is not None:
            _check_key(asked.key)
            doing = doing.with_digest(hashlib.sha256(f"{asked.tool}\n{text}".encode()).hexdigest())
        ctx.taking_in.wait(doing)
        with ctx.answering.call():
            value = run(ctx.for_call(doing), clean)
        outcome = "ok"
    except IndelibleError as error:
        outcome = error.code
        raise
    finally:
        event = Event(
            time=ctx.now(),
            session=ctx.session.id,
            conversation=doing.conversation,
            tool=asked.tool,
            records=tuple(doing.touched[:MOST_NAMED]),
            outcome=outcome,
            duration=round((time.perf_counter() - began) * 1e6),
            size=size,
            who=ctx.session.grant.who,
        )
        ctx.write_behind.happened(event)
        ctx.metrics.happened(event, doing.redacted)
    return Answer(value, merged(doing.redacted), doing.searched.notes, doing.operation)


def _conversation(ctx: Context, asked: Asked, arguments: dict[str, Any]) -> str:
    return ctx.session.conversations.of(arguments, asked.conversation) or ctx.session.id


def _check_key(key: str) -> None:
    if not 0 < len(key) <= LONGEST_KEY:
        raise InvalidInput(f"the request key must have 1 to {LONGEST_KEY} characters, got {len(key)}")
    _, secrets = admit(key, "the request key")
    if secrets:
        raise InvalidInput(
            f"the request key looks like a secret ({secrets[0].rule}), and keys are kept; use a random one (a UUID)"
        )


def _admitted(asked: Asked, doing: Call) -> dict[str, Any]:
    clean = {}
    for given, value in asked.arguments.items():
        name = _cached_name(given) if len(given) <= LONGEST_CACHED else _admitted_name(given)
        if name == asked.itemwise and isinstance(value, list):
            clean[name] = value
            continue
        clean[name], findings = admit(value, name)
        doing.redacted.extend(findings)
    return clean


def _admitted_name(given: str) -> str:
    """Return the name of an argument as an error may repeat it. Raises InvalidInput."""
    return str(admit(given, "the name of an argument")[0])


# Nearly all names are those of our tools' parameters, and to look for secrets in one takes as long as in a short value.
_cached_name = lru_cache(maxsize=1 << 9)(_admitted_name)


def _written(arguments: dict[str, Any], itemwise: str | None) -> str:
    """Return the arguments as one text; an item that fails validation is written as its error."""
    if itemwise in arguments and isinstance(arguments[itemwise], list):
        items = [_mistake(item, itemwise) or item for item in arguments[itemwise]]
        arguments = {**arguments, itemwise: items}
    return json.dumps(arguments, sort_keys=True, ensure_ascii=False)


def _mistake(item: Any, name: str) -> str | None:
    try:
        check(item, name)
    except InvalidInput as error:
        return str(error)
    return None
