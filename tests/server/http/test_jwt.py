"""JWTs of an issuer: what is checked of them, which keys are trusted, what they grant."""

from __future__ import annotations

import base64
import hmac
import json
import threading
import time
from collections.abc import Callable, Iterator
from dataclasses import replace
from http.server import BaseHTTPRequestHandler, HTTPServer
from pathlib import Path
from typing import Any

import anyio
import anyio.to_thread
import jwt
import pytest
from cryptography.hazmat.primitives.asymmetric import ec, ed25519, rsa
from cryptography.hazmat.primitives.serialization import Encoding, PublicFormat
from starlette.applications import Starlette
from starlette.testclient import TestClient

from command_line import opened
from indelible.admin import tokens
from indelible.core.context.context import Context, open_context
from indelible.core.context.permissions import Grant
from indelible.errors import Forbidden, InvalidInput, StoreError, Unauthorized
from indelible.server.http import auth
from indelible.server.http import jwt as http_jwt
from indelible.server.http.tenants import Tenants
from indelible.settings import Settings

ISSUER, AUDIENCE = "https://issuer.example", "https://memory.example/mcp"
RSA_KEY = rsa.generate_private_key(public_exponent=65537, key_size=2048)
EC_KEY = ec.generate_private_key(ec.SECP256R1())
ED_KEY = ed25519.Ed25519PrivateKey.generate()
OTHER_KEY = ec.generate_private_key(ec.SECP256R1())
ALGORITHMS: dict[str, Any] = {
    "r": jwt.algorithms.RSAAlgorithm,
    "e": jwt.algorithms.ECAlgorithm,
    "d": jwt.algorithms.OKPAlgorithm,
}


def public(name: str, key: Any, **more: Any) -> dict[str, Any]:
    """The JWK of a key."""
    found = ALGORITHMS[name[0]].to_jwk(key.public_key(), as_dict=True)
    return {**found, "kid": name, "use": "sig", **more}


KEYS = {"keys": [public("r", RSA_KEY), public("e", EC_KEY), public("d", ED_KEY), {"kty": "oct", "k": "c2VjcmV0"}]}


def claims(**more: Any) -> dict[str, Any]:
    now = int(time.time())
    said = {
        "iss": ISSUER,
        "aud": AUDIENCE,
        "sub": "ann",
        "exp": now + 600,
        "scope": "openid indelible:write",
        http_jwt.NAMESPACES: ["app"],
        **more,
    }
    return {name: value for name, value in said.items() if value is not None}


def signed(key: Any = EC_KEY, algorithm: str = "ES256", kid: str | None = "e", typ: str = "JWT", **more: Any) -> str:
    headers = {"typ": typ, **({"kid": kid} if kid is not None else {})}
    return jwt.encode(claims(**more), key, algorithm, headers=headers)


@pytest.fixture
def jwks(tmp_path: Path) -> Path:
    path = tmp_path / "jwks.json"
    path.write_text(json.dumps(KEYS))
    return path


@pytest.fixture
def ctx(tmp_path: Path, jwks: Path) -> Iterator[Context]:
    given = {"jwt_issuer": ISSUER, "jwt_audience": AUDIENCE, "jwt_jwks": str(jwks)}
    with opened(tmp_path / "data", **given) as ctx:
        yield ctx


def asked(ctx: Context, token: str) -> Grant:
    headers = {"authorization": f"Bearer {token}"}
    return auth.authenticated(Tenants(ctx), headers, needed=auth.is_needed(ctx)).grant


@pytest.mark.parametrize(
    ("key", "algorithm", "kid"),
    [(RSA_KEY, "RS256", "r"), (RSA_KEY, "PS384", "r"), (EC_KEY, "ES256", "e"), (ED_KEY, "EdDSA", "d")],
)
def test_a_right_token_grants_what_it_says(ctx: Context, key: Any, algorithm: str, kid: str) -> None:
    for typ in ("JWT", "at+jwt"):
        grant = asked(ctx, signed(key, algorithm, kid, typ))
        assert (grant.scope, grant.namespaces) == ("write", frozenset({"app"}))


@pytest.mark.parametrize(
    ("said", "scope", "namespaces"),
    [
        ({"scope": "indelible:read indelible:admin"}, "admin", ["app"]),
        ({"scope": None, "scp": ["x", "indelible:read"]}, "read", ["app"]),
        ({http_jwt.NAMESPACES: "one"}, "write", ["one"]),
        ({http_jwt.NAMESPACES: ["a", "b"]}, "write", ["a", "b"]),
        ({http_jwt.NAMESPACES: ["*"]}, "write", None),
    ],
    ids=str,
)
def test_scopes_and_namespaces_are_read(ctx: Context, said: dict[str, Any], scope: str, namespaces: list[str]) -> None:
    grant = asked(ctx, signed(**said))
    assert (grant.scope, grant.namespaces) == (scope, None if namespaces is None else frozenset(namespaces))


def test_a_token_that_is_narrowed_is_another_caller(ctx: Context) -> None:
    def who(*namespaces: str, sub: str = "ann") -> str:
        return asked(ctx, signed(sub=sub, **{http_jwt.NAMESPACES: list(namespaces)})).who

    assert who("*") == "jwt:ann"
    narrowed = who("a", "b")
    assert narrowed == who("b", "a", "b")
    digits = narrowed.removeprefix("jwt:ann#")
    assert len(digits) == http_jwt.DIGITS
    assert len({who("*"), narrowed, who("a"), who("a,b"), who('a", "b')}) == 5
    assert who("*", sub=f"ann#{digits}") == f"jwt:ann%23{digits}"
    assert who("*", sub="ann%23") == "jwt:ann%2523"


@pytest.mark.parametrize(
    "said",
    [
        {"scope": "indelible:everything"},
        {"scope": "xindelible:read"},
        {"scope": None},
        {"scope": 7},
        {http_jwt.NAMESPACES: None},
        {http_jwt.NAMESPACES: []},
        {http_jwt.NAMESPACES: [""]},
        {http_jwt.NAMESPACES: [7]},
        {http_jwt.NAMESPACES: ["n"] * 101},
    ],
    ids=str,
)
def test_a_token_that_grants_nothing_here_is_forbidden(ctx: Context, said: dict[str, Any]) -> None:
    with pytest.raises(Forbidden):
        asked(ctx, signed(**said))


def test_a_token_that_names_no_tenant_or_the_server_s_own_is_for_that(ctx: Context) -> None:
    own = replace(ctx, settings=replace(ctx.settings, jwt_tenant_claim="team"))
    for each in (own, ctx):
        for token in (signed(), signed(team=ctx.store.tenant)):
            found = auth.authenticated(Tenants(each), {"authorization": f"Bearer {token}"}, needed=True)
            assert (found.tenant, found.grant.who.partition("#")[0], found.token) == (ctx.store.tenant, "jwt:ann", None)


def test_a_claim_that_nobody_was_told_of_is_none(ctx: Context) -> None:
    assert asked(ctx, signed(team=2, tenant=3)).scope == "write"


@pytest.mark.parametrize(
    "tenant",
    [0, -1, -(2**63), 2**53, 2**64, 10**400, True, False, 2.0, 1.5, "2", "1", "", [2], {"id": 2}, None],
    ids=lambda value: repr(value)[:12],
)
def test_a_tenant_that_is_no_number_of_one_is_forbidden(ctx: Context, tenant: Any) -> None:
    """Also null: whom an issuer knows no tenant of is not let into the server's own."""
    own = replace(ctx, settings=replace(ctx.settings, jwt_tenant_claim="team"))
    said = {**claims(), "team": tenant}
    token = jwt.encode(said, EC_KEY, "ES256", headers={"typ": "JWT", "kid": "e"})
    with pytest.raises(Forbidden, match="claim `team` must be a whole number from 1 to"):
        auth.authenticated(Tenants(own), {"authorization": f"Bearer {token}"}, needed=True)


@pytest.mark.sqlite("what a file cannot hold")
def test_a_tenant_that_the_store_has_not_is_forbidden(ctx: Context) -> None:
    own = replace(ctx, settings=replace(ctx.settings, jwt_tenant_claim="team"))
    with pytest.raises(Forbidden, match="the token is for tenant 2, and this server's store is a file"):
        auth.authenticated(Tenants(own), {"authorization": f"Bearer {signed(team=2)}"}, needed=True)


def test_a_claim_for_the_tenant_needs_an_issuer() -> None:
    with pytest.raises(InvalidInput, match="set INDELIBLE_JWT_ISSUER too"):
        Settings.load(environ={"INDELIBLE_JWT_TENANT_CLAIM": "team"})


def unsigned(header: dict[str, Any], signature: str = "") -> str:
    parts = (json.dumps(each).encode() for each in (header, claims()))
    return ".".join([*(base64.urlsafe_b64encode(part).rstrip(b"=").decode() for part in parts), signature])


def with_public_key_as_secret() -> str:
    """Signed with what everybody can read, for who takes the algorithm from the token."""
    signing = unsigned({"alg": "HS256", "typ": "JWT", "kid": "r"}).removesuffix(".")
    pem = RSA_KEY.public_key().public_bytes(Encoding.PEM, PublicFormat.SubjectPublicKeyInfo)
    digest = hmac.new(pem, signing.encode(), "sha256").digest()
    return f"{signing}.{base64.urlsafe_b64encode(digest).rstrip(b'=').decode()}"


WRONG: dict[str, Callable[[], str]] = {
    "expired": lambda: signed(exp=int(time.time()) - 60),
    "no end": lambda: signed(exp=None),
    "not yet": lambda: signed(nbf=int(time.time()) + 600),
    "another issuer": lambda: signed(iss="https://other.example"),
    "issuer and more": lambda: signed(iss=ISSUER + "/"),
    "no issuer": lambda: signed(iss=None),
    "another audience": lambda: signed(aud="https://other.example"),
    "no audience": lambda: signed(aud=None),
    "other audiences": lambda: signed(aud=["https://other.example", "x"]),
    "no subject": lambda: signed(sub=None),
    "an empty subject": lambda: signed(sub=""),
    "a subject of two lines": lambda: signed(sub="a\nb"),
    "a long subject": lambda: signed(sub="a" * 300),
    "another key": lambda: signed(OTHER_KEY),
    "an unknown key": lambda: signed(kid="nobody"),
    "no key id of several": lambda: signed(kid=None),
    "another key's id": lambda: signed(kid="r"),
    "another algorithm": lambda: signed(EC_KEY, "ES256", "d"),
    "none": lambda: unsigned({"alg": "none", "typ": "JWT", "kid": "e"}),
    "None": lambda: unsigned({"alg": "None", "typ": "JWT", "kid": "e"}, "x"),
    "no algorithm": lambda: unsigned({"typ": "JWT", "kid": "e"}, "x"),
    "a shared secret": lambda: jwt.encode(claims(), "s" * 64, "HS256", headers={"kid": "e"}),
    "the public key as a secret": with_public_key_as_secret,
    "critical": lambda: jwt.encode(claims(), EC_KEY, "ES256", headers={"kid": "e", "crit": ["b64"], "b64": True}),
    "a token for logging out": lambda: signed(typ="logout+jwt"),
    "a proof": lambda: signed(typ="dpop+jwt"),
    "an embedded key": lambda: jwt.encode(
        claims(), OTHER_KEY, "ES256", headers={"kid": "x", "jwk": public("e", OTHER_KEY)}
    ),
    "changed claims": lambda: ".".join(
        [signed().split(".")[0], signed(sub="eve").split(".")[1], signed().split(".")[2]]
    ),
    "no signature": lambda: ".".join([*signed().split(".")[:2], ""]),
    "too long": lambda: signed(filler="x" * 20_000),
    "no JSON": lambda: "a.b.c",
    "nothing": lambda: "",
    "five parts": lambda: "a.b.c.d.e",
    "a deep header": lambda: base64.urlsafe_b64encode(b"[" * 12_000).decode() + ".e30.e30",
    "an end that is no number": lambda: signed(exp=float("inf")),
}


@pytest.mark.parametrize("token", WRONG.values(), ids=WRONG.keys())
def test_a_wrong_token_is_refused_in_the_same_words(ctx: Context, token: Callable[[], str]) -> None:
    given = token()
    with pytest.raises(Unauthorized) as refused:
        asked(ctx, given)
    assert str(refused.value) == http_jwt.INVALID
    assert 'error="invalid_token"' in refused.value.headers["WWW-Authenticate"]


def test_without_a_token_it_is_said_where_to_get_one(ctx: Context) -> None:
    assert auth.is_needed(ctx)
    with pytest.raises(Unauthorized) as refused:
        auth.authenticated(Tenants(ctx), {}, needed=True)
    assert refused.value.headers["WWW-Authenticate"] == (
        'Bearer realm="indelible", scope="indelible:read", '
        'resource_metadata="https://memory.example/.well-known/oauth-protected-resource/mcp"'
    )


def test_the_metadata_says_who_gives_tokens(ctx: Context) -> None:
    client = TestClient(Starlette(routes=auth.routes(ctx.settings)))
    for path in ("", "/mcp"):
        assert client.get(auth.METADATA + path).json() == {
            "resource": AUDIENCE,
            "authorization_servers": [ISSUER],
            "bearer_methods_supported": ["header"],
            "scopes_supported": ["indelible:read", "indelible:write", "indelible:admin"],
            "resource_name": "Indelible",
        }
    assert client.post(auth.METADATA).status_code == 405
    assert auth.routes(Settings(data=Path())) == []


def test_tokens_of_the_store_are_taken_too(ctx: Context) -> None:
    made = tokens.create(ctx, "", "read")
    assert asked(ctx, made.secret).who == made.token.key


def test_some_of_the_settings_are_no_settings(tmp_path: Path) -> None:
    given = {"INDELIBLE_JWT_ISSUER": ISSUER, "INDELIBLE_JWT_AUDIENCE": AUDIENCE, "INDELIBLE_JWT_JWKS": "keys.json"}
    known = Settings.load(str(tmp_path / "d"), environ=given)
    assert (known.jwt_issuer, known.jwt_audience, known.jwt_jwks) == (ISSUER, AUDIENCE, "keys.json")
    for missing in given:
        with pytest.raises(InvalidInput, match=missing):
            Settings.load(str(tmp_path / "d"), environ={**given, missing: ""})
    with pytest.raises(InvalidInput, match="https address or a file"):
        http_jwt.Keys("http://issuer.example/keys")


# --- Keys ---


class Server:
    """An issuer's server that gives what it is told to give, and counts."""

    def __init__(self) -> None:
        self.answer: tuple[int, dict[str, str], bytes] = (200, {}, json.dumps(KEYS).encode())
        self.asked = 0
        self.entered, self.gate = threading.Event(), threading.Event()
        self.gate.set()
        server = self

        class Handler(BaseHTTPRequestHandler):
            def do_GET(self) -> None:
                server.asked += 1
                server.entered.set()
                server.gate.wait()
                status, headers, body = server.answer
                self.send_response(status)
                for name, value in headers.items():
                    self.send_header(name, value)
                self.end_headers()
                self.wfile.write(body)

            def log_message(self, *_: Any) -> None:
                pass

        self._server = HTTPServer(("127.0.0.1", 0), Handler)
        self.url = f"http://127.0.0.1:{self._server.server_port}/keys"
        self._thread = threading.Thread(target=self._server.serve_forever, args=(0.01,))
        self._thread.start()

    def close(self) -> None:
        self.gate.set()
        self._server.shutdown()
        self._thread.join()
        self._server.server_close()


@pytest.fixture
def server() -> Iterator[Server]:
    running = Server()
    yield running
    running.close()


class Time:
    now = 1000.0

    def __call__(self) -> float:
        return self.now


def test_keys_are_asked_for_once_and_again_for_an_unknown_one_but_not_each_time(server: Server) -> None:
    clock = Time()
    keys = http_jwt.Keys(server.url, clock)
    assert keys.get("e") is not None
    assert keys.get("r") is not None
    assert server.asked == 1
    for _ in range(20):
        assert keys.get("new") is None
    assert server.asked == 1  # asked for a moment ago
    server.answer = (200, {}, json.dumps({"keys": [public("e2", OTHER_KEY, kid="new")]}).encode())
    clock.now += http_jwt.REST
    assert keys.get("new") is not None
    assert keys.get("e") is None  # withdrawn
    assert server.asked == 2


def test_known_keys_are_asked_for_again_after_an_hour(server: Server) -> None:
    clock = Time()
    keys = http_jwt.Keys(server.url, clock)
    assert keys.get("e") is not None
    server.answer = (200, {}, json.dumps({"keys": []}).encode())
    clock.now += http_jwt.FRESH + 1
    assert keys.get("e") is None


@pytest.mark.parametrize(
    "answer",
    [
        (500, {}, b""),
        (404, {}, b"{}"),
        (200, {}, b"no json"),
        (200, {}, b"[]"),
        (200, {}, b'{"keys": 7}'),
        (200, {}, b" " * (http_jwt.LARGEST + 1)),
        (302, {"Location": "https://elsewhere.example/"}, b""),
    ],
    ids=lambda answer: str(answer)[:20],
)
def test_where_no_keys_can_be_had_old_ones_are_good_for_a_day_and_new_ones_refused(server: Server, answer: Any) -> None:
    clock = Time()
    keys = http_jwt.Keys(server.url, clock)
    good, server.answer = server.answer, answer
    for _ in range(5):
        with pytest.raises(StoreError, match="cannot be read"):
            keys.get("e")
    assert server.asked == 1
    server.answer = good
    clock.now += http_jwt.SHORT_REST
    assert keys.get("e") is not None
    server.answer = answer
    clock.now += http_jwt.OLDEST - 1
    assert keys.get("e") is not None
    clock.now += 2
    with pytest.raises(StoreError):
        keys.get("e")


def test_only_keys_that_may_sign_are_taken(server: Server) -> None:
    more = [
        public("e2", OTHER_KEY, use="enc", kid="enc"),
        public("e3", EC_KEY, kid="es384", alg="ES384"),
        public("e4", EC_KEY, kid="hs", alg="HS256"),
        {"kty": "EC", "kid": "broken", "crv": "P-256", "x": "?", "y": "?"},
        {"kty": "new", "kid": "new"},
        "text",
    ]
    server.answer = (200, {}, json.dumps({"keys": [*more, public("e", EC_KEY)]}).encode())
    keys = http_jwt.Keys(server.url)
    assert keys.get("e") is not None
    for name in ("enc", "hs", "broken", "new"):
        assert keys.get(name) is None
    found = keys.get("es384")
    assert found is not None
    assert found.algorithms == ("ES384",)


def test_while_keys_are_read_nobody_waits_who_names_another(server: Server) -> None:
    clock = Time()
    keys = http_jwt.Keys(server.url, clock)
    assert keys.get("e") is not None
    server.entered.clear()
    server.gate.clear()
    clock.now += http_jwt.REST
    reading = threading.Thread(target=keys.get, args=("new",))
    reading.start()
    server.entered.wait()
    with pytest.raises(StoreError, match="try again in a moment"):
        keys.get("newer")
    assert keys.get("e") is not None
    server.gate.set()
    reading.join()
    assert keys.get("newer") is None


def test_an_issuer_that_is_slow_holds_up_no_tokens_of_the_store(tmp_path: Path, server: Server) -> None:
    given = {"jwt_issuer": ISSUER, "jwt_audience": AUDIENCE, "jwt_jwks": server.url}
    ctx = open_context(Settings(data=tmp_path / "data", start=tmp_path, home=tmp_path, **given))
    made = tokens.create(ctx, "", "read")
    server.gate.clear()
    came: list[Grant | str] = []

    async def ask(asking: auth.Authentication, token: str) -> None:
        try:
            came.append((await asking.bearer({"authorization": f"Bearer {token}"})).grant)
        except StoreError as error:
            came.append(str(error))

    async def talk() -> None:
        asking = auth.Authentication(Tenants(ctx))
        async with anyio.create_task_group() as group:
            for _ in range(6):
                group.start_soon(ask, asking, signed())
            await anyio.to_thread.run_sync(server.entered.wait)
            await ask(asking, made.secret)
            assert came == [Grant(made.token.key, "read", None)]
            server.gate.set()

    anyio.run(talk)
    assert [getattr(each, "scope", each) for each in came[1:]] == ["write"] * 6
    ctx.close()


@pytest.mark.parametrize(("content", "why"), [(None, "No such file or directory"), ("{}", "no key set")])
def test_the_log_says_why_the_keys_cannot_be_read(content, why, tmp_path, caplog):
    source = tmp_path / "jwks.json"
    if content is not None:
        source.write_text(content)
    with pytest.raises(http_jwt.KeysMissing):
        http_jwt.Keys(str(source)).get("1")
    (said,) = [record.message_text for record in caplog.records if record.message == "jwks"]
    assert said == f"the keys of {source} cannot be read: {why}"
