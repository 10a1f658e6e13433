"""Directories on the command line: typed from the working directory, and a working directory that was deleted."""

import json
import os
import subprocess
import sys

import pytest

import command_line
from command_line import done, opened
from indelible.core.records import exporting
from mcp_client import McpClient, environment
from user_machine import Machine

pytestmark = pytest.mark.process

# --- A namespace that is a directory ---


@pytest.fixture
def data(tmp_path):
    """A data directory beside the directory `shop`, in which `src` is; commands start beside it."""
    (tmp_path / "shop" / "src").mkdir(parents=True)
    return tmp_path / "data"


def stored(data):
    with opened(data) as ctx:
        return {record["content"]: record["namespace"] for record in exporting.export_all(ctx)}


@pytest.mark.parametrize(
    ("typed", "meant"),
    [
        (".", "."),
        ("./", "."),
        ("..", ".."),
        ("./shop", "shop"),
        ("./not/there", "not/there"),
        ("shop/", "shop"),
        ("shop/src", "shop/src"),
        ("shop/../shop/src/", "shop/src"),
    ],
)
def test_a_namespace_that_is_typed_as_a_directory_is_its_absolute_path(data, typed, meant):
    done("remember", "axum chosen", "--namespace", typed, data=data)
    assert stored(data) == {"axum chosen": os.path.realpath(data.parent / meant)}


@pytest.mark.parametrize(
    "name", ["shop", "no/such/directory", "team/", "...", ".shop", "~", "/nowhere/at/all/", "日本"]
)
def test_any_other_namespace_is_a_name(data, name):
    done("remember", "axum chosen", "--namespace", name, data=data)
    assert stored(data) == {"axum chosen": name}


def test_every_command_finds_a_namespace_by_the_directory_as_it_is_typed(data):
    done("remember", "axum chosen", "--namespace", str(data.parent / "shop"), data=data)
    (data.parent / "link").symlink_to(data.parent / "shop")
    for typed in ("./shop", "shop/", "shop/src/..", f"{data.parent}/shop/", f"{data.parent}/link"):
        assert "axum chosen" in done("recall", "axum", "--namespace", typed, data=data), typed
        told = json.loads(done("call", "namespace_stats", "--namespace", typed, data=data))
        assert (told["namespace"], told["count"]) == (str(data.parent / "shop"), 1), typed
    assert str(data.parent / "shop") in done("purge", "--namespace", "shop/", "--yes", data=data)
    assert stored(data) == {}


# --- A working directory that is deleted ---

posix = pytest.mark.skipif(os.name == "nt", reason="Windows deletes no directory that a process is in")


def in_deleted(tmp_path):
    """The command that runs Python in a directory that was deleted before."""
    script = 'mkdir "$0" && cd "$0" && rmdir "$0" && exec "$@"'
    return ("/bin/sh", "-c", script, str(tmp_path / "deleted"), sys.executable)


@posix
def test_commands_in_a_deleted_directory_belong_to_no_project(tmp_path):
    data = tmp_path / "data"
    for arguments in (("remember", "axum chosen"), ("recall", "axum"), ("stats",), ("doctor",), ("export",)):
        ran = command_line.indelible(*arguments, data=data, python=in_deleted(tmp_path))
        assert (ran.returncode, ran.stderr) == (0, b""), arguments
    assert stored(data) == {"axum chosen": None}


@posix
def test_a_server_in_a_deleted_directory_serves(tmp_path):
    with McpClient(tmp_path / "data", python=in_deleted(tmp_path)) as client:
        client.call("store_memory", {"content": "axum chosen"})
        assert [hit["content"] for hit in client.call("recall_memory", {"query": "axum"})] == ["axum chosen"]


@posix
@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (("recall", "axum", "--namespace", "."), "--namespace is '.', and the working directory no longer exists"),
        (("call", "namespace_stats", "--namespace", "./"), "--namespace is './', and the working directory no longer"),
        (("backup", "copy.db"), "FILE is 'copy.db', and the working directory no longer exists; give an abs"),
        (("recall", "axum", "--data", "data"), "--data or INDELIBLE_DATA is 'data', and the working directory no"),
    ],
)
def test_a_relative_path_in_a_deleted_directory_is_refused_in_words(tmp_path, arguments, words):
    command = (*in_deleted(tmp_path), "-m", "indelible", *arguments)
    env = environment({"INDELIBLE_DATA": str(tmp_path / "data")})
    ran = subprocess.run(command, cwd=tmp_path, env=env, capture_output=True, check=False, timeout=50)
    assert (ran.returncode, ran.stdout) == (1, b"")
    assert ran.stderr.decode().startswith(f"indelible: {words}")


@posix
def test_setup_in_a_deleted_directory_writes_the_users_configuration_and_refuses_that_of_a_project(tmp_path):
    machine = Machine(tmp_path)
    for place in (machine.home, machine.work, machine.bin):
        place.mkdir()

    def run(*arguments):
        env = machine.environ(PATH="/usr/bin:/bin")
        return command_line.indelible(*arguments, data=machine.data, env=env, python=in_deleted(tmp_path))

    assert run("setup", "cursor").returncode == 0
    assert machine.file("cursor", "user").is_file()
    assert run("doctor").returncode == 0
    for more in ((), ("--project", ".")):
        ran = run("setup", "cursor", "--scope", "project", *more)
        assert ran.returncode == 1
        assert ran.stderr.startswith(b"indelible: --scope project: the working directory is not a project")
    ran = run("setup", "cursor", "--project", ".")
    assert ran.stderr.startswith(b"indelible: --project is '.', and the working directory no longer exists")
