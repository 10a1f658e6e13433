"""Tokens from the command line to the request: made once, shown once, and held against everything."""

from __future__ import annotations

import re
from collections.abc import ItemsView, Iterator
from contextlib import closing
from datetime import timedelta
from hashlib import sha256
from pathlib import Path
from typing import Any

import anyio
import pytest

import store_file
from command_line import done, indelible, opened, result
from every_tool import EXAMPLES
from indelible.admin import backups, tokens
from indelible.cli.main import main
from indelible.core.context.context import Context, open_context
from indelible.core.context.metrics import MOST_CALLERS
from indelible.core.context.permissions import Grant, Scope
from indelible.core.indexes.indexes import MOST_LIMITS
from indelible.errors import Forbidden, InvalidInput, NotFound, Unauthorized
from indelible.sanitize.secret_spans import redact_text
from indelible.server.http import auth
from indelible.server.http.tenants import Tenants
from indelible.settings import Settings
from indelible.store.sqlite.connection import FILE
from indelible.toolsets import registry
from token_requests import Clock, asked

DAYS = 24 * 3600 * 1_000_000


@pytest.fixture
def clock() -> Clock:
    return Clock()


@pytest.fixture
def ctx(tmp_path: Path, clock: Clock) -> Iterator[Context]:
    with opened(tmp_path / "data", clock) as ctx:
        yield ctx


# --- Who is asked ---


def test_a_store_that_never_had_a_token_answers_everybody(ctx: Context) -> None:
    assert asked(ctx, None) == Grant()
    assert auth.is_needed(ctx) is False


def test_once_there_is_a_token_every_request_needs_one(ctx: Context) -> None:
    made = tokens.create(ctx, "ci", "read")
    with pytest.raises(Unauthorized, match="needs a token") as refused:
        asked(ctx, None)
    assert refused.value.headers == {"WWW-Authenticate": 'Bearer realm="indelible"'}
    assert asked(ctx, made.secret) == Grant(made.token.key, "read", None)
    assert asked(ctx, made.secret, "bEaReR") == Grant(made.token.key, "read", None)
    tokens.revoke(ctx, made.token.key)
    with pytest.raises(Unauthorized):  # and none that holds opens the store to nobody
        asked(ctx, None)


WRONG = ["", "x", "ind_", "ind_" + "A" * 43, "ind_" + "\udcff" * 43, "ind_" + "A" * 100_000, "a b c", "eyJ.eyJ.x"]


@pytest.mark.parametrize("secret", WRONG, ids=range(len(WRONG)))
def test_a_wrong_token_is_refused_even_where_none_is_needed(ctx: Context, secret: str) -> None:
    for _ in range(2):
        with pytest.raises(Unauthorized, match="the token is not valid") as refused:
            asked(ctx, secret)
        assert refused.value.headers == {"WWW-Authenticate": 'Bearer realm="indelible", error="invalid_token"'}
        assert secret == "" or len(secret) < 5 or secret not in str(refused.value)
        tokens.create(ctx, "", "read")


def test_another_scheme_than_bearer_is_refused(ctx: Context) -> None:
    made = tokens.create(ctx, "", "read")
    for scheme in ("Basic", "Token", ""):
        with pytest.raises(Unauthorized):
            asked(ctx, made.secret, scheme)


def test_a_token_holds_until_it_expires(ctx: Context, clock: Clock) -> None:
    made = tokens.create(ctx, "", "write", None, tokens.duration("2d"))
    assert asked(ctx, made.secret).scope == "write"
    clock.now += timedelta(days=2, microseconds=-1)
    assert asked(ctx, made.secret).scope == "write"
    clock.now += timedelta(microseconds=1)
    with pytest.raises(Unauthorized):
        asked(ctx, made.secret)


def test_a_token_for_all_namespaces_says_so(ctx: Context) -> None:
    made = tokens.create(ctx, "", "read")
    with ctx.store.read() as tx:
        (row,) = tx.rows("tokens.all")
    assert row[3] == '["*"]'
    assert asked(ctx, made.secret).namespaces is None
    with pytest.raises(InvalidInput, match="names no project"):
        tokens.create(ctx, "", "read", ["a", "*"])


@pytest.mark.parametrize(
    ("scope", "namespaces"),
    [
        *(("read", text) for text in ("", "null", "[]", '"*"', '["*", "a"]', "[null]", '[""]', "{}", "7", "[" * 9_000)),
        *((scope, '["*"]') for scope in ("", "root", "READ")),
    ],
    ids=lambda value: value[:9],
)
def test_a_damaged_token_grants_nothing(ctx: Context, scope: str, namespaces: str) -> None:
    secret = tokens.PREFIX + "x" * 43
    columns = {"key": "tok_x", "name": "", "hash": sha256(secret.encode()).hexdigest(), "created": 1}
    rest = dict.fromkeys(("expires", "used", "revoked"))
    ctx.store.write(lambda tx: tx.run("tokens.add", scope=scope, namespaces=namespaces, **columns, **rest))
    with pytest.raises(Unauthorized):
        asked(ctx, secret)
    assert [token.key for token in tokens.listed(ctx)] == ["tok_x"]


@pytest.mark.process
def test_a_token_that_another_process_revokes_holds_no_more_at_once(ctx: Context, tmp_path: Path) -> None:
    data = tmp_path / "data"
    secret = done("token", "create", "laptop", "--scope", "write", data=data).strip()
    who = asked(ctx, secret).who
    done("token", "revoke", who, data=data)
    with pytest.raises(Unauthorized):
        asked(ctx, secret)
    with pytest.raises(NotFound, match="tok_none"):
        tokens.revoke(ctx, "tok_none")


def test_a_use_is_noted_without_a_write_on_its_way(ctx: Context, clock: Clock) -> None:
    made = tokens.create(ctx, "", "read")
    asked(ctx, made.secret)
    assert tokens.listed(ctx)[0].used is None
    ctx.write_behind.flush()
    first = tokens.listed(ctx)[0].used
    assert first == ctx.now()
    clock.now += timedelta(minutes=5)
    asked(ctx, made.secret)
    ctx.write_behind.flush()
    assert tokens.listed(ctx)[0].used == ctx.now() != first


def test_a_token_in_an_address_is_refused() -> None:
    auth.refuse_in_address(b"")
    auth.refuse_in_address(b"project=app&x=%20")
    for query in (b"access_token=x", b"a=1&Token=x", b"project=ind_abc"):
        with pytest.raises(InvalidInput, match="belongs in the header") as refused:
            auth.refuse_in_address(query)
        assert "abc" not in str(refused.value)


# --- For as long as a server runs ---


def lose_tokens(data: Path) -> None:
    """As a repair does that finds their page damaged."""
    with closing(store_file.opened(data / FILE, write=True)) as file:
        file.execute("DELETE FROM token")


def test_a_server_that_asked_for_tokens_asks_for_them_also_when_the_store_has_lost_them(ctx: Context) -> None:
    async def talk() -> None:
        asking = auth.Authentication(Tenants(ctx))
        assert (await asking.bearer({})).grant == Grant()
        tokens.create(ctx, "ann", "read")
        with pytest.raises(Unauthorized):
            await asking.bearer({})
        lose_tokens(ctx.settings.data)
        assert auth.is_needed(ctx) is False
        with pytest.raises(Unauthorized, match="needs a token"):
            await asking.bearer({})

    anyio.run(talk)


def test_a_server_that_others_reach_asks_for_tokens_whatever_the_store_says(ctx: Context) -> None:
    async def talk() -> None:
        with pytest.raises(Unauthorized, match="needs a token"):
            await auth.Authentication(Tenants(ctx), needed=True).bearer({})

    anyio.run(talk)


def test_looking_up_who_asks_is_a_part_of_the_answer_that_other_work_gives_way_to(ctx: Context) -> None:
    looked_up: list[bool] = []

    class Headers(dict[str, str]):
        def items(self) -> ItemsView[str, str]:
            waits: list[bool] = []
            ctx.answering.give_way(lambda: waits.append(True) or True, quiet=0.0)
            looked_up.append(bool(waits))
            return super().items()

    async def talk() -> None:
        await auth.Authentication(Tenants(ctx)).bearer(Headers())

    anyio.run(talk)
    assert looked_up[-1]


# --- What is kept ---


def test_a_secret_has_256_bits_and_is_kept_nowhere(ctx: Context, tmp_path: Path) -> None:
    made = [tokens.create(ctx, "", "read") for _ in range(20)]
    assert len({each.secret for each in made}) == 20
    for each in made:
        number = "" if ctx.store.tenant == 1 else f"{ctx.store.tenant}_"
        assert re.fullmatch(rf"ind_{number}[A-Za-z0-9_-]{{43}}", each.secret)
        assert each.secret not in repr(each.token)
    ctx.write_behind.flush()
    kept = store_file.kept(tmp_path / "data")
    assert made[0].token.key.encode() in kept
    assert not any(each.secret.encode() in kept for each in made)


def test_a_secret_is_taken_out_of_what_is_stored(ctx: Context) -> None:
    secret = tokens.create(ctx, "", "read").secret
    registry.call(ctx, registry.find_tool("store_memory"), {"content": f"the token is {secret}, see find_{'a' * 50}"})
    (kept,) = registry.call(ctx, registry.find_tool("export_memories"), {}).value
    assert secret not in kept["content"]
    assert "find_" + "a" * 50 in kept["content"]
    assert not redact_text("ind_" + "lower_case_name_" * 4)[1]


@pytest.mark.sqlite("copies of the file")
def test_a_restore_brings_back_no_token_and_takes_none_away(ctx: Context, tmp_path: Path) -> None:
    before = backups.backup(ctx, tmp_path / "before.db")
    made, gone = tokens.create(ctx, "", "read"), tokens.create(ctx, "", "admin")
    after = backups.backup(ctx, tmp_path / "after.db")
    tokens.revoke(ctx, gone.token.key)
    for source in (before, after):
        backups.restore(ctx, source)
        assert asked(ctx, made.secret).scope == "read"
        for secret in (None, gone.secret):
            with pytest.raises(Unauthorized):
                asked(ctx, secret)
    elsewhere = open_context(Settings(data=tmp_path / "new", start=tmp_path, home=tmp_path), ctx.clock)
    backups.restore(elsewhere, after)
    assert asked(elsewhere, gone.secret).scope == "admin"  # as it was: nobody was shut out here
    elsewhere.close()


@pytest.mark.process
def test_an_export_carries_no_token(tmp_path: Path) -> None:
    data = tmp_path / "data"
    done("remember", "something", data=data)
    made = result("token", "create", "--scope", "read", data=data)["token"]
    exported = done("export", data=data)
    assert made["id"] not in exported
    assert len(exported.splitlines()) == 1


@pytest.mark.process
@pytest.mark.sqlite("salvage of a damaged file")
def test_doctor_salvages_tokens(tmp_path: Path) -> None:
    from indelible.store.sqlite.salvage import salvage

    data = tmp_path / "data"
    secret = done("token", "create", "--scope", "read", data=data).strip()
    (tmp_path / "saved").mkdir(mode=0o700)
    salvage(data / FILE, tmp_path / "saved" / FILE)
    ctx = open_context(Settings(data=tmp_path / "saved", start=tmp_path, home=tmp_path))
    assert asked(ctx, secret).scope == "read"
    ctx.close()


# --- The command ---


@pytest.mark.process
def test_the_command_makes_lists_and_revokes(tmp_path: Path) -> None:
    data = tmp_path / "data"
    ran = indelible("token", "create", "ci", "--scope", "write", "--namespace", "app", "--expires", "90d", data=data)
    secret = ran.stdout.decode().strip()
    assert secret.startswith("ind_")
    assert secret not in ran.stderr.decode()
    assert "not shown again" in ran.stderr.decode()
    (listed,) = result("token", "list", data=data)["tokens"]
    assert (listed["name"], listed["scope"], listed["namespaces"]) == ("ci", "write", ["app"])
    assert listed["expires_at"] > listed["created_at"]
    assert (listed["last_used_at"], listed["revoked_at"]) == (None, None)
    shown = done("token", "--data", data, "list", data=data)
    assert "active" in shown
    assert secret not in shown
    ran = indelible("token", "rotate", "ci", "--grace", "12h", data=data)
    assert ran.stdout.decode().strip() not in ("", secret)
    assert f"{listed['id']}, which it replaces, still holds until" in ran.stderr.decode()
    for each in result("token", "list", data=data)["tokens"]:
        done("token", "revoke", each["id"], data=data)
    assert "active" not in done("token", "list", data=data)


@pytest.mark.process
def test_the_command_lists_each_namespace_that_it_takes_with_what_is_there(tmp_path: Path) -> None:
    data = tmp_path / "data"
    done("remember", "one", "--project", "app", data=data)
    done("remember", "two", "--project", "app", data=data)
    done("remember", "of another", "--project", "bank", data=data)
    places = ("--namespace", "app", "--namespace", "new")
    said = indelible("token", "create", "--scope", "read", *places, data=data).stderr.decode()
    assert said.splitlines()[1:] == ["it may see in app: 2 memories", "it may see in new: nothing yet"]
    made = result("token", "create", "--scope", "read", *places, data=data)["token"]
    assert made["contents"] == {"app": {"memory": 2}, "new": {}}


@pytest.mark.parametrize(
    ("arguments", "code", "said"),
    [
        ([], 2, "create"),
        (["create"], 2, "--scope"),
        (["create", "--scope", "all"], 2, "invalid choice"),
        (["create", "--scope", "read", "--expires", "soon"], 1, "such as 90d"),
        (["create", "--scope", "read", "--expires", "0d"], 1, "such as 90d"),
        (["create", "--scope", "read", "--namespace", " "], 1, "names a project"),
        (["create", "x" * 101, "--scope", "read"], 1, "at most 100 characters"),
        (["revoke", "tok_none"], 1, "unknown"),
    ],
    ids=lambda value: " ".join(value)[:30] if isinstance(value, list) else "",
)
def test_a_wrong_command_says_what_is_right(
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
    tmp_path: Path,
    arguments: list[str],
    code: int,
    said: str,
) -> None:
    monkeypatch.setenv("INDELIBLE_DATA", str(tmp_path / "data"))
    assert main(["token", *arguments]) == code
    shown = capsys.readouterr()
    assert said in shown.err
    assert "ind_" not in shown.out


def test_a_token_of_a_directory_holds_in_the_project_that_it_is(ctx: Context, tmp_path: Path) -> None:
    from indelible.store.tables import projects

    ctx.store.write(lambda tx: projects.add(tx, str(tmp_path / "clone"), "github.com/me/app", 1))
    made = tokens.create(ctx, "", "write", [str(tmp_path / "clone" / "src"), "github.com/me/app", "other"])
    assert made.token.namespaces == ("github.com/me/app", "other")


# --- Scopes ---


def test_a_scope_allows_what_it_says(ctx: Context) -> None:
    every = registry.all_tools()
    counts = {scope: len(registry.granted(every, Grant("t", scope))) for scope in ("read", "write", "admin")}
    assert counts["admin"] == len(every)
    assert counts["admin"] - counts["write"] == 2
    assert counts["read"] == sum(not tool.writes for tool in every.values())


@pytest.mark.parametrize(("scope", "refused"), [("read", ("write", "admin")), ("write", ("admin",)), ("admin", ())])
def test_no_tool_runs_beyond_the_scope_of_a_token(ctx: Context, scope: Scope, refused: tuple[Scope, ...]) -> None:
    granted = ctx.granted(Grant("tok_a", scope))
    for tool in registry.all_tools().values():
        if tool.scope in refused:
            with pytest.raises(Forbidden, match=f"needs a token of scope {tool.scope}"):
                registry.call(granted, tool, EXAMPLES[tool.name])
    with ctx.store.read() as tx:
        assert tx.rows("records.count_by_kind") == []


def test_the_engine_itself_refuses_a_write_to_who_may_only_read(ctx: Context) -> None:
    with pytest.raises(Forbidden, match="may only read"):
        ctx.granted(Grant("tok_a", "read")).write(lambda tx: None)


def test_an_administrator_of_one_namespace_changes_nothing_of_the_whole_store(ctx: Context) -> None:
    limited = ctx.granted(Grant("tok_a", "admin", frozenset({"a"})))
    with pytest.raises(Forbidden, match="whole store"):
        registry.call(limited, registry.find_tool("set_scoring_weights"), {"recency": 1.0})


# --- Where a write goes ---


def store(ctx: Context, **arguments: Any) -> str:
    call = registry.call(ctx, registry.find_tool("store_memory"), {"content": f"of {arguments}", **arguments})
    with ctx.store.read() as tx:
        ((namespace,),) = [(row[1],) for row in tx.rows("records.by_key", key=call.value["id"])]
    return str(namespace)


def test_a_write_goes_to_the_project_within_the_namespaces_else_to_the_only_one(ctx: Context) -> None:

    from indelible.project import Location

    one = ctx.granted(Grant("tok_a", "write", frozenset({"a"})))
    two = ctx.granted(Grant("tok_b", "write", frozenset({"a", "b"})))
    in_b = Location("b", None)
    elsewhere = Location("c", None)
    assert store(one) == "a"
    assert store(one.at(elsewhere), importance=0.6) == "a"
    assert store(two.at(in_b)) == "b"
    assert store(two, namespace="a") == "a"
    for ctx_ in (two, two.at(elsewhere)):
        with pytest.raises(InvalidInput, match="give one of 'a', 'b'"):
            store(ctx_)
    for ctx_ in (one, two):
        with pytest.raises(Forbidden, match="'c' is not within this token's namespaces"):
            store(ctx_, namespace="c")
    assert store(ctx.at(elsewhere)) == "c"


def test_who_is_limited_changes_no_projects(ctx: Context) -> None:

    from indelible.project import Location
    from indelible.store.tables import projects

    limited = ctx.granted(Grant("tok_a", "write", frozenset({"a"}))).at(Location("a", "github.com/x/y"))
    store(limited)
    with ctx.store.read() as tx:
        assert projects.aliases(tx) == {}


# --- Retries, conversations and figures ---


def test_a_request_key_is_that_of_one_caller(ctx: Context) -> None:
    tool = registry.find_tool("store_memory")
    a, b = (ctx.granted(Grant(who, "write", frozenset({who}))) for who in ("tok_a", "tok_b"))
    first = registry.call(a, tool, {"content": "secret of a"}, key="k").value
    assert registry.call(a, tool, {"content": "secret of a"}, key="k").value == first
    other = registry.call(b, tool, {"content": "another"}, key="k").value
    assert other["id"] != first["id"]
    assert other["status"] == "stored"
    assert registry.call(ctx, tool, {"content": "of the owner"}, key="k").value["status"] == "stored"


def test_callers_share_no_conversation_and_no_figures(ctx: Context) -> None:
    a, b = (ctx.granted(Grant(who, "write", frozenset({"n"}))) for who in ("tok_a", "tok_b"))
    registry.call(a, registry.find_tool("log_chat"), {"content": "x", "conversation_id": "of a"})
    registry.call(b, registry.find_tool("recall_memory"), {"query": "x"})
    found = registry.call(b, registry.find_tool("get_tool_conversations"), {"tool_name": "recall_memory"}).value
    assert [each["conversation_id"] for each in found["conversations"]] != ["of a"]
    counted = registry.call(b, registry.find_tool("codemem_metrics"), {}).value["counters"]
    assert "calls.log_chat" not in counted
    everything = registry.call(ctx, registry.find_tool("get_tool_conversations"), {"tool_name": "log_chat"}).value
    assert [each["conversation_id"] for each in everything["conversations"]] == ["of a"]


def test_many_callers_are_kept_within_bounds(ctx: Context) -> None:
    def of(number: int) -> Context:
        return ctx.granted(Grant(f"tok_{number}", "read", frozenset({f"n{number}"})))

    first, second = of(0), of(1)
    for number in range(2, MOST_CALLERS):
        of(number)
    assert len(ctx.indexes.in_use()) == MOST_LIMITS
    assert of(0).indexes is not first.indexes
    assert of(0).indexes is of(0).indexes
    assert of(0).metrics is first.metrics  # which is not among the first to go now
    of(MOST_CALLERS)
    assert of(0).metrics is first.metrics
    assert of(1).metrics is not second.metrics


def test_who_listens_to_the_graph_hears_of_what_it_sees_only(ctx: Context) -> None:
    def revision(of: Context) -> int:
        with of.store.read() as tx:
            return of.indexes.entities.revision(tx)

    a, b = (ctx.granted(Grant(f"tok_{name}", "write", frozenset({name}))) for name in "ab")
    before = revision(a), revision(b), revision(ctx)
    entity = {"name": "x", "entityType": "t", "observations": []}
    registry.call(b, registry.find_tool("create_entities"), {"entities": [entity]})
    after = revision(a), revision(b), revision(ctx)
    assert [new > old for new, old in zip(after, before, strict=True)] == [False, True, True]
