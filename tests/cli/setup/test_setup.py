"""`indelible setup` and `indelible unsetup` as a user meets them, on the files of each client."""

import json
import shutil
import subprocess
import sys

import pytest

import command_line
import forked
import on_postgres
from indelible.cli.setup.clients import CLIENTS
from indelible.cli.setup.entries import argv_of
from indelible.cli.setup.registration import registration, set_up, take_back
from mcp_client import environment
from user_machine import BASE, FILES, SECTIONS, configuration

EVERY = list(FILES)


@pytest.mark.parametrize(("client", "scope"), EVERY, ids=str)
def test_a_real_configuration_comes_back_to_the_byte(client, scope, machine):
    start = configuration(client, scope)
    path = machine.write(client, scope, start)
    before = machine.tree()

    said = machine.done("setup", client, "--scope", scope)
    assert "set up (" in said
    assert str(path) in said
    assert f"starts: {' '.join(machine.launch)}" in said
    assert "next: " in said
    after = path.read_bytes()
    assert after.count(b"\n") > start.count(b"\n") or start.count(b"\n") < 2
    [backup] = machine.backups()
    assert backup.read_bytes() == start
    assert str(backup) in said

    again = machine.done("setup", client, "--scope", scope)
    assert "already set up" in again
    assert path.read_bytes() == after
    assert machine.backups() == [backup]

    taken_out = machine.run("unsetup", client, "--scope", scope)
    assert "removed (" in taken_out.stdout.decode()
    stay = "postgresql:///" if on_postgres.is_chosen() else f"{machine.data}; delete that directory"
    assert f"memories stay in {stay}" in taken_out.stderr.decode()
    assert machine.tree() == before
    assert machine.backups() == []
    assert not machine.data.exists()
    assert "nothing to remove" in machine.done("unsetup", client, "--scope", scope)
    assert machine.tree() == before


JSON_STARTS = {
    "no file": None,
    "empty file": b"",
    "one line break": b"\n",
    "byte order mark only": b"\xef\xbb\xbf",
    "empty object": b"{}",
    "empty object on lines": b"{\n}\n",
    "empty object with a blank": b"{ }",
    "only comments": b"// nothing yet\n/* really */",
    "object with a comment": b"{\n  // nothing yet\n}",
    "no section": b'{\n  "other": 1\n}\n',
    "empty section": b'{\n  "SECTION": {}\n}\n',
    "empty section on lines": b'{\n  "SECTION": {\n  }\n}',
    "empty section with a comment": b'{ "SECTION": { /* none */ } }',
    "minified": b'{"a":[1,2],"SECTION":{"x":{"command":"y"}}}',
    "carriage returns": b'{\r\n\t"SECTION": {\r\n\t\t"x": { "command": "y" }, // \xc3\xa9\r\n\t},\r\n}\r\n',
    "byte order mark": b'\xef\xbb\xbf{\n "SECTION": {"x": {}}\n}',
}
TOML_STARTS = {
    "no file": None,
    "empty file": b"",
    "one line break": b"\n",
    "byte order mark": b'\xef\xbb\xbfmodel = "x"\n',
    "only comments": b"# nothing yet",
    "no final line break": b"[a]\nb = 1",
    "blank lines at the end": b"[a]\nb = 1\n\n\n",
    "carriage returns": b"[a]\r\nb = 1\r\n",
    "empty section": b"[mcp_servers]\n",
    "section in the middle": b'[mcp_servers.x]\ncommand = "y"\n\n[z]\na = 1\n',
}


YAML_STARTS = {
    "no file": None,
    "empty file": b"",
    "one line break": b"\n",
    "byte order mark": b"\xef\xbb\xbfa: x\n",
    "only comments": b"# nothing yet",
    "no final line break": b"a:\n  b: 1",
    "a document's marks": b"---\na: 1\n...\n",
    "carriage returns": b"extensions:\r\n    x:\r\n        cmd: y\r\nz: 1\r\n",
    "empty section": b"extensions: {}\n",
    "section without a value": b"extensions:  # none yet\nz: 1\n",
    "section that is null": b"extensions: ~ # none\n",
    "in braces": b"{extensions: {x: {cmd: y}}, z: [1]}",
}


# Of each format one client; test_back_to_the_byte has all of them.
STARTS = [
    *(("goose", name, start) for name, start in YAML_STARTS.items()),
    *(("claude-code", name, start) for name, start in JSON_STARTS.items()),
    *(("codex", name, start) for name, start in TOML_STARTS.items()),
]


@pytest.mark.parametrize(("client", "name", "start"), STARTS, ids=lambda value: value if isinstance(value, str) else "")
@pytest.mark.slow
def test_whatever_a_file_was_it_is_again(client, name, start, machine):
    section = SECTIONS.get(client, "mcpServers").encode()
    if start is not None:
        machine.write(client, "user", start.replace(b"SECTION", section))
    before = machine.tree()
    one = registration(CLIENTS[client], "user", machine.around(), machine.data)
    assert set_up(one, tuple(machine.launch)).action == "added"
    if b"//" not in (start or b"") and b"/*" not in (start or b""):
        assert list(argv_of(machine.entry(client, "user"))) == machine.launch
    there = machine.tree()
    assert set_up(one, tuple(machine.launch)).action == "unchanged"
    assert machine.tree() == there
    assert set_up(one, (*machine.launch, "--toolsets", "memory")).action == "changed"
    assert take_back(one).action == "removed"
    assert machine.tree() == before


# Where a client's variable for the folder that is open is known to be expanded.
FOLDERS = {
    place: ["--workspace", "${workspaceFolder}"]
    for place in (("cursor", "user"), ("cursor", "project"), ("vscode", "project"))
}
BESIDE = {
    **{name: {"type": "stdio"} for name in ("claude-code", "cursor", "vscode")},
    "opencode": {"type": "local"},
    "copilot-cli": {"type": "local", "tools": ["*"]},
    "goose": {"type": "stdio", "name": "indelible", "enabled": True, "timeout": 300},
}


def test_the_entry_has_the_shape_that_each_client_reads(machine):
    assert list(dict(EVERY)) == [name for name, client in CLIENTS.items() if client.confirmed]
    for client, scope in EVERY:
        machine.done("setup", client, "--scope", scope)
        launch = CLIENTS[client].with_defaults(machine.launch, scope)
        assert launch[len(machine.launch) :] == ["--profile", "daily", *FOLDERS.get((client, scope), [])]
        split = {"cmd" if client == "goose" else "command": BASE[0], "args": launch[1:]}
        line = {"command": launch} if client == "opencode" else split
        assert machine.entry(client, scope) == {**BESIDE.get(client, {}), **line}


def test_what_set_up_chose_beside_the_command_is_the_users_to_change(machine):
    path = machine.file("copilot-cli", "user")
    machine.done("setup", "copilot-cli")
    entry = json.loads(path.read_bytes())
    entry["mcpServers"]["indelible"] |= {"tools": ["recall_memory"], "timeout": 5000}
    path.write_text(json.dumps(entry))
    assert "already set up" in machine.done("setup", "copilot-cli")
    machine.done("setup", "copilot-cli", "--toolsets", "memory")
    there = machine.entry("copilot-cli", "user")
    assert (there["tools"], there["timeout"]) == (["recall_memory"], 5000)


def test_what_no_document_of_a_client_says_is_printed_and_not_written(machine):
    (machine.home / ".junie").mkdir()
    before = machine.tree()
    said = machine.refused("setup", "junie")
    assert "does not document" in said
    assert "`indelible setup junie --print`" in said
    assert machine.tree() == before
    ran = machine.run("setup", "junie", "--print")
    assert b"(not confirmed by the client's documentation):" in ran.stderr
    assert json.loads(ran.stdout)["mcpServers"]["indelible"]["args"][-2:] == ["--profile", "daily"]
    told = json.loads(machine.done("setup", "--all", "--print", "--json"))["result"]["clients"]
    assert [one["client"] for one in told if not one["confirmed"]] == ["junie"]
    machine.done("setup", "--all")
    assert machine.tree() == before


def test_opencode_takes_its_file_by_either_name_and_ours_goes_from_where_it_is(machine):
    jsonc = machine.file("opencode", "user")
    json_file = jsonc.with_suffix(".json")
    machine.done("setup", "opencode")
    assert not jsonc.exists()
    assert b"indelible" in json_file.read_bytes()
    jsonc.write_bytes(b"{ /* newer */ }")
    assert "already set up" in machine.done("setup", "opencode")
    machine.done("unsetup", "opencode")
    assert not json_file.exists()
    assert jsonc.read_bytes() == b"{ /* newer */ }"


def test_an_entry_of_zed_in_its_older_form_is_ours(machine):
    """zed-industries/zed before 2025-10: a command that has a path, and a source."""
    command = {"path": "/old/indelible", "args": ["serve", "--read-only"]}
    start = {"context_servers": {"indelible": {"source": "custom", "command": command}}}
    path = machine.write("zed", "user", json.dumps(start).encode())
    told = machine.report("setup", "zed")
    assert (told["action"], told["was"]) == ("changed", "/old/indelible serve --read-only")
    assert machine.entry("zed", "user") == {
        "source": "custom",
        "command": BASE[0],
        "args": [*BASE[1:], "--read-only", "--data", str(machine.data), "--profile", "daily"],
    }
    machine.done("unsetup", "zed")
    assert b"indelible" not in path.read_bytes()


@pytest.mark.parametrize("client", ["claude-desktop", "windsurf", "cline"])
def test_a_client_without_a_file_in_a_project_is_refused_there_and_left_out_of_all(client, machine):
    assert "has no project file for servers" in machine.refused("setup", client, "--scope", "project")
    base = machine.file(client, "user").parent
    base.mkdir(parents=True)
    ran = machine.run("setup", "--all", "--scope", "project")
    assert ran.returncode == 0
    assert b"left out" in ran.stderr
    assert list(base.iterdir()) == []


def test_directories_that_were_there_stay_and_those_that_set_up_made_go(machine):
    machine.file("cursor", "user").parent.mkdir()
    before = machine.tree()
    machine.done("setup", "cursor")
    machine.done("setup", "vscode")
    machine.done("unsetup", "cursor")
    machine.done("unsetup", "vscode")
    assert machine.tree() == before
    assert machine.file("cursor", "user").parent.is_dir()
    assert not (machine.home / ".config").exists()


def test_what_the_user_wrote_meanwhile_stays(machine):
    path = machine.write("cursor", "user", b'{\n  "a": 1 // one\n}\n')
    machine.done("setup", "cursor")
    changed = path.read_bytes().replace(b'"a": 1', b'"a": 2,\n  "b": 3')
    path.write_bytes(changed)
    machine.done("unsetup", "cursor")
    assert path.read_bytes() == b'{\n  "a": 2,\n  "b": 3 // one\n}\n'


def test_what_the_user_wrote_beside_ours_stays(machine):
    path = machine.write("vscode", "project", configuration("vscode", "project"))
    machine.done("setup", "vscode", "--scope", "project")
    text = path.read_text().replace('"servers": {', '"servers": {\n    "mine": { "url": "http://127.0.0.1:1" }, // m')
    path.write_text(text)
    machine.done("unsetup", "vscode", "--scope", "project")
    assert path.read_text() == configuration("vscode", "project").decode().replace(
        '"servers": {}', '"servers": {\n    "mine": { "url": "http://127.0.0.1:1" } // m\n  }'
    )


@pytest.mark.process
def test_unsetup_without_the_data_directory_of_the_set_up_still_leaves_nothing_behind(machine):
    before = machine.tree()
    machine.done("setup", "cursor")  # with --data
    assert machine.tree() != before
    command_line.done("unsetup", "cursor", data=machine.work / "another", env=machine.environ())
    shutil.rmtree(machine.work / "another", ignore_errors=True)
    assert machine.tree() == before


def test_without_its_ledger_and_backups_unsetup_still_takes_out_our_key_only(machine):
    path = machine.write("codex", "user", configuration("codex", "user"))
    machine.done("setup", "codex")
    for lost in (*machine.backups(), machine.data / "registrations.json"):
        lost.unlink()
    machine.done("unsetup", "codex")
    assert path.read_bytes() == configuration("codex", "user")


def test_a_change_keeps_the_users_own_settings_of_our_entry(machine):
    path = machine.write(
        "vscode",
        "user",
        b'{"servers": {"indelible": {"command": "/old/bin/indelible", "args": ["serve"], '
        b'"env": {"A": "1"} /* mine */}}}',
    )
    told = machine.report("setup", "vscode", "--toolsets", "memory")
    assert told["action"] == "changed"
    assert told["was"] == "/old/bin/indelible serve"
    command, *_ = BASE
    args = json.dumps([*BASE[1:], "--toolsets", "memory", "--data", str(machine.data)])
    assert path.read_text() == (
        f'{{"servers": {{"indelible": {{"command": "{command}", "args": {args}, "env": {{"A": "1"}} /* mine */}}}}}}'
    )


DAILY = ["--profile", "daily"]
CHOSEN = [*DAILY, "--workspace", "/shop"]
SHOP = ["serve", "--read-only", "--project", "shop"]
BY_HAND = {
    "a list of tools": (["serve", "--exclude-tools", "delete_memory,delete_namespace", *CHOSEN], [], None),
    "read-only": (["serve", "--read-only", *CHOSEN], [], None),
    "of round one": (["serve", "--read-only"], ["--project", "shop"], [*SHOP, *DAILY]),
    "a profile in one word": (["serve", "--profile=full", "--workspace=/shop"], [], None),
    "a flag in one word": (["serve", "--tools=recall_memory", "--idle=5", "--project", "shop"], [], None),
    "toolsets replaced": (
        ["serve", "--toolsets", "memory", "--read-only", "--project", "shop"],
        ["--toolsets", "all"],
        ["serve", "--toolsets", "all", "--read-only", "--project", "shop"],
    ),
    "toolsets in one word replaced": (
        ["serve", "--read-only", "--toolsets=memory", "--toolsets", "memory", "--project", "shop"],
        ["--toolsets", "all"],
        ["serve", "--read-only", "--toolsets", "all", "--project", "shop"],
    ),
    "toolsets for the profile": (
        ["serve", "--profile=daily", "--read-only", *SHOP[2:]],
        ["--toolsets", "memory"],
        ["serve", "--read-only", *SHOP[2:], "--toolsets", "memory"],
    ),
    "a profile for the toolsets": (
        ["serve", "--toolsets", "memory", *SHOP[2:]],
        ["--profile", "code"],
        ["serve", *SHOP[2:], "--profile", "code"],
    ),
    "project added": (
        ["serve", "--read-only", *DAILY],
        ["--project", "shop"],
        ["serve", "--read-only", *DAILY, *SHOP[2:]],
    ),
    "the same project": (["serve", "--project=shop", "--read-only", *DAILY], ["--project", "shop"], None),
    "a project of our name": (["serve", "--project", "indelible", *DAILY], [], None),
    "another way to start it": (["-m", "indelible", *SHOP], [], [*SHOP, *DAILY]),
    "no serve": (["swerve", "--read-only"], ["--project", "shop"], ["serve", *SHOP[2:], *DAILY]),
}


@pytest.mark.process
@pytest.mark.parametrize("client", ["cursor", "codex"])
@pytest.mark.parametrize("case", BY_HAND)
@pytest.mark.sweep(6)
def test_what_a_user_wrote_behind_serve_stays(case, client, machine):
    args, given, becomes = BY_HAND[case]
    script = machine.program("indelible", "from indelible.cli.main import main\nimport sys\nsys.exit(main())\n")
    command = sys.executable if args[0] == "-m" else str(script)
    quoted = f'"command": {json.dumps(command)}, "args": {json.dumps(args)}, "env": {{"A": "1"}}'
    if client == "codex":
        text = f"[mcp_servers.indelible]\ncommand = {json.dumps(command)} # mine\nargs = {json.dumps(args)}\n"
    else:
        text = f'{{"mcpServers": {{\n  "indelible": {{{quoted}}} // mine\n}}}}'
    machine.write(client, "user", text.encode())
    env = environment(machine.environ())
    for expected in ("already set up" if becomes is None else "changed (", "already set up"):
        ran = subprocess.run(
            [script, "setup", client, *given], env=env, cwd=machine.work, capture_output=True, check=True, timeout=50
        )
        assert f": {expected}" in ran.stdout.decode()
    now = machine.file(client, "user").read_text()
    assert "mine" in now
    if becomes is None:
        assert now == text
    else:
        found = machine.entry(client, "user") if client == "codex" else json.loads(now.replace("// mine", ""))
        found = found if client == "codex" else found["mcpServers"]["indelible"]
        assert (found["command"], found["args"]) == (str(script), becomes)


@pytest.mark.process
def test_a_set_up_without_data_keeps_the_data_directory_of_the_entry_and_its_ledger(machine):
    start = b'{\n  "mcpServers": {}\n}\n'
    path = machine.write("cursor", "user", start)
    machine.done("setup", "cursor")
    env = environment(machine.environ(XDG_DATA_HOME=str(machine.root / "share")))
    assert forked.run(["setup", "cursor", "--toolsets", "memory"], env=env, cwd=machine.work).returncode == 0
    words = machine.entry("cursor", "user")["args"]
    assert words[4:6] == ["--data", str(machine.data)]
    assert words[-2:] == ["--toolsets", "memory"]
    assert not (machine.root / "share").exists()
    assert len(machine.backups()) == 1
    machine.done("unsetup", "cursor")
    assert path.read_bytes() == start
    assert machine.backups() == []
