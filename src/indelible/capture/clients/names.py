"""Payloads that differ by names only: the tools of a client, their arguments, and the fields of its payloads."""

from indelible.extraction.calls import call, edit, edits, is_own, object_of, text_of

TYPE_CHECKING = False  # as typing's, which would cost a hook more than its work
if TYPE_CHECKING:
    from collections.abc import Callable, Mapping
    from typing import Any

    # Return the outcome of a call and its text, of the call's action and subject and the payload.
    Result = Callable[[str, str, dict[str, Any]], tuple[str, str]]


class Names:
    """The names of one client.

    `tools` has of each tool what it does and the arguments that may say to what, the first that is given; a tool that
    is not there is another, of which one of `others` may. `own` are the beginnings of the names of our own tools
    beside those that `is_own` knows. `old` and `new` are the arguments with what an edit takes out and puts in. `said`
    is the field with what was said last in a turn, "" where no payload has it; `call_id` and `prompt_id` are the fields
    with the ids.
    """

    def __init__(
        self,
        tools: "Mapping[str, tuple[str, tuple[str, ...]]]",
        *,
        others: tuple[str, ...] = (),
        own: tuple[str, ...] = (),
        old: tuple[str, ...] = (),
        new: tuple[str, ...] = (),
        said: str = "",
        call_id: str = "tool_use_id",
        prompt_id: str = "",
    ) -> None:
        self.tools, self.others, self.own, self.old, self.new = tools, others, own, old, new
        self.said, self.call_id, self.prompt_id = said, call_id, prompt_id


def fields_of(what: str, payload: "dict[str, Any]", names: Names, result: "Result") -> "dict[str, Any] | None":
    """Return the fields of the common event; None for a call of our own tools.

    A source, a trigger and a reason have the names that the common event has for them.
    """
    if what == "prompt":
        return {"text": payload.get("prompt"), "own_id": payload.get(names.prompt_id)}
    if what == "turn_ended":
        return {"text": payload.get(names.said)}
    return _call(payload, names, result) if what == "tool" else payload


def _call(payload: "dict[str, Any]", names: Names, result: "Result") -> "dict[str, Any] | None":
    tool = text_of(payload.get("tool_name"))
    if is_own(tool) or tool.startswith(names.own):
        return None
    action, arguments = names.tools.get(tool, ("other", names.others))
    given = object_of(payload.get("tool_input"))
    subject = _subject(first(given, arguments))
    outcome, output = result(action, subject, payload)
    changed = _edits(given, subject, names) if action == "edit" and subject else []
    return call(tool, action, subject, outcome, output, changed, payload.get(names.call_id))


def _subject(value: object) -> str:
    return ", ".join(map(text_of, value)) if isinstance(value, list) else text_of(value)


def _edits(given: "dict[str, Any]", path: str, names: Names) -> "list[dict[str, Any]]":
    if "edits" in given:
        return edits(path, given["edits"])
    return [edit(path, first(given, names.old), first(given, names.new))]


def first(given: "dict[str, Any]", names: tuple[str, ...]) -> "Any":
    """Return the first value of several names that is there and not empty, "" where none is."""
    return next((given[name] for name in names if given.get(name)), "")
