"""Tokens for those who reach the store over HTTP."""

import argparse
from typing import TYPE_CHECKING, Any

from indelible.cli import answers
from indelible.cli.opening import Adding, open_context_of, open_existing
from indelible.cli.parsing import action, without_action
from indelible.cli.paths import namespace_of
from indelible.cli.terminal import counted, out, printable, shown, table
from indelible.stderr import say

if TYPE_CHECKING:
    from indelible.admin.tokens import Created
    from indelible.store.tables.tokens import Token

SCOPES = ("read", "write", "admin")


def add(command: Adding) -> None:
    """Declare the command."""
    token = command("token", without_action, "create, list, rotate and revoke tokens for access over HTTP")
    token.set_defaults(help_of=token)
    actions = token.add_subparsers(metavar="create|list|rotate|revoke")
    create = action(actions, "create", _create, "create a token; its secret is shown once")
    create.add_argument("name", nargs="?", default="", metavar="NAME", help="what it is for, so that you recognise it")
    create.add_argument(
        "--scope", required=True, choices=SCOPES, help="what it may do; each scope includes the one before it"
    )
    create.add_argument(
        "--namespace",
        action="append",
        metavar="NS",
        help="let it see and write this namespace only (a project's directory, or its name); may be repeated",
    )
    create.add_argument(
        "--expires", metavar="90d", help="how long it is valid: hours, days, weeks, years (default: it never expires)"
    )
    action(actions, "list", _list, "list the tokens, without their secrets")
    rotate = action(actions, "rotate", _rotate, "replace a token by a new one; the old one still holds for a while")
    _add_token(rotate)
    rotate.add_argument("--grace", metavar="24h", help="how long the old one still holds (default: a day)")
    rotate.add_argument(
        "--expires", metavar="90d", help="how long the new one is valid (default: as long as the old one was made for)"
    )
    revoke = action(actions, "revoke", _revoke, "revoke a token, at once and in every server of the store")
    _add_token(revoke)


def _add_token(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("token", metavar="ID|NAME", help="as `indelible token list` shows it")


def _create(arguments: argparse.Namespace) -> int:
    from indelible.admin import tokens
    from indelible.core.context.call import Call

    expires = None if arguments.expires is None else tokens.duration(arguments.expires)
    names = None if arguments.namespace is None else [namespace_of(name) for name in arguments.namespace]
    ctx = open_context_of(arguments)
    try:
        made = tokens.create(ctx.for_call(Call(tool="token create")), arguments.name, arguments.scope, names, expires)
    finally:
        ctx.close()
    answers.give({"token": _made(made, ctx.now())})
    _tell(made, ctx.store.tenant)
    return 0


def _rotate(arguments: argparse.Namespace) -> int:
    from indelible.admin import tokens
    from indelible.core.context.call import Call

    expires = None if arguments.expires is None else tokens.duration(arguments.expires)
    grace = tokens.GRACE if arguments.grace is None else tokens.duration(arguments.grace, "grace")
    ctx = open_existing(arguments)
    try:
        made, old = tokens.rotate(ctx.for_call(Call(tool="token rotate")), arguments.token, expires, grace)
    finally:
        ctx.close()
    answers.give({"token": _made(made, ctx.now()), "replaced": _as_json(old, ctx.now())})
    _tell(made, ctx.store.tenant)
    say(f"{old.key}, which it replaces, still holds {_until(old)}")
    return 0


def _made(made: "Created", now: int) -> dict[str, Any]:
    return {**_as_json(made.token, now), "contents": made.contents, "secret": made.secret}


def _tell(made: "Created", tenant: int) -> None:
    """Write the secret of a new token, and beside it what it opens."""
    from indelible.admin.tokens import FIRST, LONGEST_NAMESPACE

    token = made.token
    out(made.secret)
    where = _where(token) if tenant == FIRST else f"{_where(token)} of tenant {tenant}"
    say(f"{token.key}: scope {token.scope}, in {where}, {_until(token)}. The secret is not shown again.")
    for name, kinds in made.contents.items():
        stored = ", ".join(counted(count, kind) for kind, count in sorted(kinds.items()))
        say(f"it may see in {printable(shown(name, LONGEST_NAMESPACE))}: {stored or 'nothing yet'}")


def _list(arguments: argparse.Namespace) -> int:
    from indelible.admin import tokens

    ctx = open_existing(arguments)
    try:
        found, now = tokens.listed(ctx), ctx.now()
    finally:
        ctx.close()
    answers.give({"tokens": [_as_json(token, now) for token in found]})
    heads = ("id", "scope", "state", "created", "expires", "last used", "name", "namespaces")
    table(heads, [_row(token, now) for token in found])
    if not found:
        say("there are no tokens: a server on this machine answers all its users; `indelible token create` creates one")
    return 0


def _revoke(arguments: argparse.Namespace) -> int:
    from indelible.admin import tokens
    from indelible.core.context.call import Call

    ctx = open_existing(arguments)
    try:
        token = tokens.revoke(ctx.for_call(Call(tool="token revoke")), arguments.token)
    finally:
        ctx.close()
    answers.give({"token": _as_json(token, ctx.now())})
    out(f"revoked {token.key}")
    return 0


def _row(token: "Token", now: int) -> tuple[str, ...]:
    times = (_time(token.created), _time(token.expires) or "never", _time(token.used) or "never")
    return (token.key, token.scope, token.state(now), *times, token.name, _where(token))


def _where(token: "Token") -> str:
    return "all namespaces" if token.namespaces is None else ", ".join(token.namespaces)


def _until(token: "Token") -> str:
    return "until it is revoked" if token.expires is None else f"until {_time(token.expires)}"


def _time(time: int | None) -> str:
    from indelible.clock import time_text

    return "" if time is None else time_text(time, fraction=False)


def _as_json(token: "Token", now: int) -> dict[str, Any]:
    return {
        "id": token.key,
        "name": token.name,
        "state": token.state(now),
        "scope": token.scope,
        "namespaces": None if token.namespaces is None else list(token.namespaces),
        "created_at": _time(token.created),
        "expires_at": _time(token.expires) or None,
        "last_used_at": _time(token.used) or None,
        "revoked_at": _time(token.revoked) or None,
    }
