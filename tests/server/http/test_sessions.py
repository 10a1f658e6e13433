"""Visitors of the page: log-ins with tokens, and the limit to attempts with wrong ones."""

import re

import pytest

from indelible.admin import tokens
from indelible.errors import Unauthorized
from indelible.server.http.sessions import ATTEMPTS, PER_SECONDS, Sessions
from indelible.server.http.tenants import Tenants

WRONG = "ind_" + "y" * 43


class Clock:
    """Seconds that a test turns on."""

    now = 0.0

    def __call__(self):
        return self.now


@pytest.fixture
def clock_of_attempts():
    return Clock()


@pytest.fixture
def sessions(open_store, clock_of_attempts):
    ctx = open_store().context
    return Sessions(Tenants(ctx), 7, clock_of_attempts), ctx


def cookie(header):
    """The headers of a request by whoever was given this cookie."""
    return {"cookie": header.partition(";")[0]}


def test_a_cookie_of_a_token_ends_with_the_token(sessions):
    found, ctx = sessions
    made = tokens.create(ctx, "x", "read", ["/src/shop"])
    given = cookie(found.by_token(made.secret, "a", secure=True))
    visitor = found.visitor(given)
    assert (visitor.grant.scope, visitor.is_local) == ("read", False)
    forged = {"cookie": re.sub(r"\.[0-9a-f]{4}", ".0000", given["cookie"])}
    with pytest.raises(Unauthorized):
        found.visitor(forged)
    tokens.revoke(ctx, made.token.key)
    with pytest.raises(Unauthorized):
        found.visitor(given)


@pytest.mark.parametrize("beside", ['{"theme": "dark"}', "a b", "caf\u00e9", '"', "", "=;=; x[y]"])
def test_whatever_cookies_other_programs_of_the_host_have_set_a_visitor_is_known(sessions, beside):
    """A browser sends those of all ports of a host, and other servers than this one are less careful."""
    found, ctx = sessions
    given = cookie(found.by_token(tokens.create(ctx, "x", "read").secret, "a", secure=False))["cookie"]
    for cookies in (f"prefs={beside}; {given}", f"prefs[{beside}]=1; {given}", f"{given}; prefs={beside}"):
        assert found.visitor({"cookie": cookies}).grant.scope == "read", cookies


@pytest.mark.parametrize("tenant", ["0", "9" * 20, "9" * 5_000, "-1", "\u0661", ""])
@pytest.mark.parametrize("made", [str(2**52), "9" * 5_000, "\u0661", ""])
def test_a_cookie_that_nobody_gave_is_asked_for_again(sessions, tenant, made):
    found, _ = sessions
    with pytest.raises(Unauthorized, match="log in with a token"):
        found.visitor({"cookie": f"indelible_token={tenant}.tok_1.{made}.0000"})


def test_a_cookie_goes_over_plain_http_to_this_machine_alone(sessions):
    found, ctx = sessions
    secret = tokens.create(ctx, "x", "read").secret
    assert "; Secure" in found.by_token(secret, "a", secure=True)
    assert "; Secure" not in found.by_token(secret, "a", secure=False)


def test_many_wrong_tokens_of_an_address_are_refused_for_a_while(sessions, clock_of_attempts):
    found, ctx = sessions
    secret = tokens.create(ctx, "x", "read").secret
    for _ in range(ATTEMPTS):
        with pytest.raises(Unauthorized, match="no token of this store"):
            found.by_token(WRONG, "a", secure=False)
    with pytest.raises(Unauthorized, match="wait a minute"):
        found.by_token(secret, "a", secure=False)
    assert found.by_token(secret, "b", secure=False)
    clock_of_attempts.now += PER_SECONDS + 1
    assert found.by_token(secret, "a", secure=False)


def test_many_wrong_tokens_of_many_addresses_are_refused_for_a_while(sessions, clock_of_attempts):
    found, _ = sessions
    for number in range(10 * ATTEMPTS):
        with pytest.raises(Unauthorized, match="no token of this store"):
            found.by_token(WRONG, f"address {number}", secure=False)
    with pytest.raises(Unauthorized, match="wait a minute"):
        found.by_token(WRONG, "another", secure=False)
