"""`indelible purge`: everything of a project goes, once the person who types it has seen what that is."""

import json
import os
import sys

import pytest

import forked
from command_line import assert_sound, call, contents, done, export, indelible, refused
from mcp_client import McpClient, environment

pytestmark = pytest.mark.process

THINGS = [
    {"id": "m1", "content": "The shop uses Axum", "namespace": "/shop"},
    {"id": "m2", "content": "The shop has 日本語", "namespace": "/shop"},
    {"id": "m3", "content": "Another project", "namespace": "/other"},
    {"id": "m4", "content": "In none", "namespace": None},
    {"kind": "solution", "id": "sol_1", "content": "restart the shop", "namespace": "/shop"},
    {"kind": "entity", "id": "cart", "content": "the cart", "namespace": "/shop"},
]
LEFT = {"Another project", "In none"}


@pytest.fixture
def data(tmp_path):
    data = tmp_path / "data"
    done("import", "-", data=data, stdin="\n".join(json.dumps(thing) for thing in THINGS).encode())
    return data


def test_everything_of_a_namespace_goes_and_no_undo_brings_it_back(data):
    said = done("purge", "--namespace", "/shop", "--yes", data=data)
    assert said == "purged 1 entity, 2 memories, 1 solution, 1 state in the trash of namespace /shop, for good\n"
    assert contents(data) == LEFT
    assert "there is nothing to undo" in refused("undo", data=data)
    assert_sound(data)


def test_without_a_terminal_nothing_is_deleted_unless_yes_is_said(data):
    before = export(data)
    words = refused("purge", "--namespace", "/shop", data=data)
    assert (
        "purge would delete 1 entity, 2 memories, 1 solution, 1 state in the trash of 'namespace /shop' for good;"
        in words
    )
    assert "y\n" not in words
    ran = indelible("purge", "--namespace", "/shop", data=data, stdin=b"y\n")
    assert ran.returncode == 1
    assert export(data) == before


@pytest.mark.skipif(sys.platform == "win32", reason="pseudo-terminals are of Unix")
@pytest.mark.parametrize(
    ("typed", "goes"),
    [("y\n", True), (" YES \n", True), ("n\n", False), ("\n", False), ("yesterday\n", False), ("\x04", False)],
    ids=repr,
)
def test_a_person_is_shown_what_it_is_and_asked(data, typed, goes):
    terminal, ours = os.openpty()
    try:
        os.write(terminal, typed.encode())
        command = ["purge", "--namespace", "/shop", "--data", str(data)]
        ran = forked.run(command, stdin=ours, cwd=data.parent, env=environment(), text=True)
    finally:
        os.close(terminal)
        os.close(ours)
    head, *counts = (line.split() for line in ran.stdout.splitlines()[:4])
    assert head == ["kind", "records"]
    assert counts == [["entity", "1"], ["memory", "2"], ["solution", "1"]]
    assert "Delete all of this for good? Nothing brings it back. [y/N]" in ran.stderr
    assert ran.returncode == (0 if goes else 1)
    assert ("purged 1 entity" in ran.stdout, "nothing was deleted" in ran.stderr) == (goes, not goes)
    assert contents(data) == (LEFT if goes else LEFT | {thing["content"] for thing in THINGS})


def test_a_namespace_with_nothing_in_it_is_said_to_have_nothing(data):
    before = export(data)
    assert done("purge", "--namespace", "/nowhere", data=data) == "nothing is stored in namespace /nowhere\n"
    assert export(data) == before


def test_an_empty_name_is_refused_and_none_is_wrong_usage(data):
    before = export(data)
    assert "namespace must not be empty" in refused("purge", "--namespace", "", "--yes", data=data)
    ran = indelible("purge", "--yes", data=data)
    assert ran.returncode == 2
    assert b"--namespace" in ran.stderr
    assert export(data) == before


def test_a_read_only_store_is_not_purged(data):
    before = export(data)
    words = refused("purge", "--namespace", "/shop", "--yes", data=data, env={"INDELIBLE_READ_ONLY": "1"})
    assert "read-only" in words
    assert export(data) == before


def test_a_running_server_sees_that_a_namespace_was_purged(data):
    with McpClient(data) as client:
        assert client.call("recall_memory", {"query": "shop axum"})[0]["id"] == "m1"
        done("purge", "--namespace", "/shop", "--yes", data=data)
        assert client.call("recall_memory", {"query": "shop axum"}) == []
        assert client.call("codemem_stats")["graph"]["nodes"] == 2


def test_what_a_purged_version_had_replaced_is_replaced_by_the_next_one(data):
    ids = ["m1"]
    for framework in ("Actix", "Rocket", "Axum 0.8"):
        refined = call("refine_memory", "--id", ids[-1], "--content", f"The shop uses {framework}", data=data)
        ids.append(refined["new_id"])
    done("purge", ids[1], ids[2], "--yes", data=data)
    current = done("list", "--project", "/shop", data=data)
    assert "The shop uses Axum 0.8" in current
    assert "The shop uses Axum\n" not in current
    assert_sound(data)
