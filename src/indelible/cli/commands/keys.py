"""`indelible key`: canonical keys of the knowledge graph, for scripts and agents that cannot compute SHA-256."""

import argparse
import json
from collections.abc import Callable, Mapping
from typing import Any

from indelible.cli import answers, parsing
from indelible.cli.opening import Adding, tell_redacted
from indelible.cli.terminal import out
from indelible.dataclass import dataclass


@dataclass(frozen=True)
class _Kind:
    """The arguments of a kind of key in order, `...` after one that takes the rest, `?` after an optional one.

    With `execution` it takes the options of an execution too; `values` are the arguments that may be any JSON.
    """

    help: str
    arguments: tuple[str, ...]
    execution: bool = False
    values: tuple[str, ...] = ()


_KINDS: Mapping[str, _Kind] = {
    "error": _Kind("err#<normalizedKey> of a message", ("message...",)),
    "warning": _Kind("warn#<normalizedKey> of a message", ("message...",)),
    "run": _Kind("run#<ISO 8601 time>#<fp8>", ("started", "cmd"), execution=True),
    "command": _Kind("cmd#<command>#<fp8>", ("cmd",), execution=True),
    "dependency": _Kind("dep#<name>@<version>", ("name", "version?")),
    "fix": _Kind(
        "fix#<issue>#<sha8>; the issue is a message or its key",
        ("issue", "strategy", "changes..."),
        values=("strategy", "changes"),
    ),
    "outcome": _Kind(
        "outcome#<status>#<sha8>",
        ("status", "fix_id", "verification_method", "duration_to_verify"),
        values=("verification_method", "duration_to_verify"),
    ),
    "doc": _Kind("doc#<SHA-256 of the URL>", ("url",)),
    "mode": _Kind("mode#<slug>@<version>", ("name", "version?")),
    "tool": _Kind("tool#<name>@<version>", ("name", "version?")),
    "file": _Kind("file#<path>", ("path",)),
    "concept": _Kind("concept#<slug>", ("name",)),
    "fp8": _Kind("only the fingerprint of an execution", ("cmd",), execution=True),
}


def add(command: Adding) -> None:
    """Declare the command."""
    key = command("key", _key, "print the canonical key of an error, command, fix, ... in the knowledge graph")
    kinds = key.add_subparsers(dest="key_kind", metavar="KIND", required=True)
    for name, kind in _KINDS.items():
        one = parsing.action(kinds, name, _key, kind.help, description=f"Print the key {kind.help}.")
        one.set_defaults(action_name="")  # a kind of key is no action
        for argument in kind.arguments:
            named = argument.rstrip("?.")
            many = "+" if argument.endswith("...") else "?" if argument.endswith("?") else None
            one.add_argument(named, metavar=named.upper(), nargs=many)
        if kind.execution:
            one.add_argument("--cwd", help="the directory in which it ran")
            one.add_argument("--exit-code", type=int)
            one.add_argument("--stdout-head", help="the beginning of its output")
            one.add_argument("--stderr-head", help="the beginning of its errors")
        if kind.values:
            values = " and ".join(value.upper() for value in kind.values)
            one.add_argument("--json-values", action="store_true", help=f"{values} are JSON, not texts")


def _key(arguments: argparse.Namespace) -> int:
    """Make the key of the redacted texts: what is stored is redacted too."""
    from indelible.sanitize.validate import admit, merged

    kind = _KINDS[arguments.key_kind]
    given = {name.rstrip("?."): getattr(arguments, name.rstrip("?.")) for name in kind.arguments}
    if kind.execution:
        given |= {name: getattr(arguments, name) for name in ("cwd", "exit_code", "stdout_head", "stderr_head")}
    if kind.values and arguments.json_values:
        given |= {name: _parsed(name, given[name]) for name in kind.values}
    if arguments.key_kind in ("error", "warning"):
        given["message"] = " ".join(given["message"])
    clean, findings = {}, []
    for name, value in given.items():
        clean[name], found = admit(value, name)
        findings.extend(found)
    tell_redacted(merged(findings))
    key = _maker(arguments.key_kind)(**clean)
    answers.give({"key": key})
    out(key)
    return 0


def _parsed(name: str, value: Any) -> Any:
    """Return the value of an argument that is JSON. Raises InvalidInput."""
    from indelible.errors import InvalidInput

    if isinstance(value, list):
        return [_parsed(name, each) for each in value]
    try:
        return json.loads(value)
    except (ValueError, RecursionError):
        raise InvalidInput(
            f"{name.upper()} must be JSON, got {value!r:.80}; without --json-values it is plain text"
        ) from None


def _maker(kind: str) -> Callable[..., str]:
    from indelible.graph import keys

    makers: dict[str, Callable[..., str]] = {
        "error": keys.error_key,
        "warning": keys.warning_key,
        "run": keys.run_key,
        "command": keys.command_key,
        "dependency": keys.dependency_key,
        "fix": keys.fix_key,
        "outcome": keys.outcome_key,
        "doc": keys.doc_key,
        "mode": keys.mode_key,
        "tool": keys.tool_key,
        "file": keys.file_key,
        "concept": keys.concept_key,
        "fp8": keys.fp8,
    }
    return makers[kind]
