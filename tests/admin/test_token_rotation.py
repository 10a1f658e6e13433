"""Tokens that are named instead of their ids, and replaced by new ones."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import timedelta
from pathlib import Path

import pytest

from command_line import opened
from indelible.admin import tokens
from indelible.core.context.context import Context
from indelible.errors import InvalidInput, NotFound, Unauthorized
from token_requests import Clock, asked

DAYS = 24 * 3600 * 1_000_000


@pytest.fixture
def clock() -> Clock:
    return Clock()


@pytest.fixture
def ctx(tmp_path: Path, clock: Clock) -> Iterator[Context]:
    with opened(tmp_path / "data", clock) as ctx:
        yield ctx


def test_a_token_is_revoked_by_its_name_as_well(ctx: Context) -> None:
    made = tokens.create(ctx, "ci", "read")
    assert tokens.revoke(ctx, "ci").key == made.token.key
    with pytest.raises(Unauthorized):
        asked(ctx, made.secret)
    again = tokens.create(ctx, "ci", "read")
    assert tokens.revoke(ctx, "ci").key == again.token.key  # of that name the one that holds
    for unknown in ("", "cd"):
        with pytest.raises(NotFound, match="as an id and as a name"):
            tokens.revoke(ctx, unknown)


def test_a_name_that_two_have_is_not_guessed_and_an_id_goes_before_a_name(ctx: Context) -> None:
    one, other = tokens.create(ctx, "ci", "read"), tokens.create(ctx, "ci", "write")
    with pytest.raises(InvalidInput, match=f"2 active tokens are named 'ci': {one.token.key}, {other.token.key}"):
        tokens.revoke(ctx, "ci")
    tokens.create(ctx, one.token.key, "admin")
    assert tokens.revoke(ctx, one.token.key).name == "ci"
    assert tokens.revoke(ctx, "ci").key == other.token.key


def test_a_rotated_token_holds_for_its_grace_and_the_new_one_may_do_the_same(ctx: Context, clock: Clock) -> None:
    old = tokens.create(ctx, "ci", "write", ["app"], expires=90 * DAYS)
    clock.now += timedelta(days=80)
    new, replaced = tokens.rotate(ctx, "ci", grace=2 * DAYS)
    assert replaced.key == old.token.key
    assert new.secret != old.secret
    assert (new.token.name, new.token.expires) == ("ci", ctx.now() + 90 * DAYS)
    assert asked(ctx, old.secret).namespaces == asked(ctx, new.secret).namespaces == {"app"}
    assert asked(ctx, new.secret).scope == "write"
    clock.now += timedelta(days=2)
    with pytest.raises(Unauthorized):
        asked(ctx, old.secret)
    assert asked(ctx, new.secret).scope == "write"
    assert [token.state(ctx.now()) for token in tokens.listed(ctx)] == ["expired", "active"]


def test_a_grace_never_lengthens_a_token(ctx: Context, clock: Clock) -> None:
    old = tokens.create(ctx, "ci", "read", expires=DAYS)
    clock.now += timedelta(hours=23)
    new, replaced = tokens.rotate(ctx, old.token.key, expires=7 * DAYS, grace=30 * DAYS)
    assert replaced.expires == old.token.expires
    assert new.token.expires == ctx.now() + 7 * DAYS
    forever, _ = tokens.rotate(ctx, tokens.create(ctx, "all", "read").token.key)
    assert forever.token.expires is None


def test_what_does_not_hold_is_not_rotated(ctx: Context) -> None:
    tokens.create(ctx, "ci", "read")
    tokens.revoke(ctx, "ci")
    with pytest.raises(InvalidInput, match="is revoked; make another with `indelible token create`"):
        tokens.rotate(ctx, "ci")
    with pytest.raises(NotFound):
        tokens.rotate(ctx, "cd")
    tokens.create(ctx, "new", "read")
    with pytest.raises(InvalidInput, match="grace must be longer than nothing"):
        tokens.rotate(ctx, "new", grace=0)
