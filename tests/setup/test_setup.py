"""`indelible setup` and `indelible unsetup` as a user meets them, on the files of each client."""

import json
import os
import re
import shutil
import subprocess
import sys
import tomllib

import pytest

import command_line
import forked
from indelible import __version__
from indelible.setup.clients import CLIENTS, Surroundings
from indelible.setup.registration import registration, set_up, take_back
from mcp_client import environment
from user_machine import FILES, configuration, mode

EVERY = list(FILES)
BASE = [sys.executable, "-m", "indelible", "serve"]


def entry_in(machine, client, scope):
    """Our entry, read by somebody else's parser where there are no comments."""
    text = machine.file(client, scope).read_text(encoding="utf-8-sig")
    if client == "codex":
        return tomllib.loads(text)["mcp_servers"]["indelible"]
    return json.loads(text)["servers" if client == "vscode" else "mcpServers"]["indelible"]


def launch(machine):
    return [*BASE, "--data", str(machine.data)]


# --- Set up, again, and back ---


@pytest.mark.parametrize(("client", "scope"), EVERY, ids="-".join)
def test_a_real_configuration_comes_back_to_the_byte(client, scope, machine):
    start = configuration(client, scope)
    path = machine.write(client, scope, start)
    before = machine.tree()

    said = machine.done("setup", client, "--scope", scope)
    assert "set up (" in said
    assert str(path) in said
    assert f"starts: {' '.join(launch(machine))}" in said
    assert "next: " in said
    after = path.read_bytes()
    assert after.count(b"\n") > start.count(b"\n") or client == "cursor"
    [backup] = machine.backups()
    assert backup.read_bytes() == start
    assert str(backup) in said

    again = machine.done("setup", client, "--scope", scope)
    assert "set up already" in again
    assert path.read_bytes() == after
    assert machine.backups() == [backup]

    assert "removed (" in machine.done("unsetup", client, "--scope", scope)
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
STARTS = [
    *(("claude-code", name, start) for name, start in JSON_STARTS.items()),
    *(("vscode", name, start) for name, start in JSON_STARTS.items() if name in ("no file", "empty section")),
    *(("cursor", name, start) for name, start in JSON_STARTS.items() if name in ("no file", "no section")),
    *(("codex", name, start) for name, start in TOML_STARTS.items()),
]


@pytest.mark.parametrize(("client", "name", "start"), STARTS, ids=lambda value: value if isinstance(value, str) else "")
def test_whatever_a_file_was_it_is_again(client, name, start, machine):
    section = b"servers" if client == "vscode" else b"mcpServers"
    if start is not None:
        machine.write(client, "user", start.replace(b"SECTION", section))
    before = machine.tree()
    around = Surroundings(machine.home, {}, "linux", machine.work)
    one = registration(CLIENTS[client], "user", around, machine.data)
    assert set_up(one, tuple(launch(machine))).action == "added"
    if b"//" not in (start or b"") and b"/*" not in (start or b""):
        found = entry_in(machine, client, "user")
        assert [found["command"], *found["args"]] == launch(machine)
    there = machine.tree()
    assert set_up(one, tuple(launch(machine))).action == "unchanged"
    assert machine.tree() == there
    assert set_up(one, (*launch(machine), "--toolsets", "memory")).action == "changed"
    assert take_back(one).action == "removed"
    assert machine.tree() == before


def test_the_entry_has_the_shape_that_each_client_reads(machine):
    for client, scope in EVERY:
        machine.done("setup", client, "--scope", scope)
        typed = {} if client == "codex" else {"type": "stdio"}
        command, *args = launch(machine)
        assert entry_in(machine, client, scope) == {**typed, "command": command, "args": args}


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


BY_HAND = {
    "a list of tools": (["serve", "--exclude-tools", "delete_memory,delete_namespace"], [], None),
    "read-only": (["serve", "--read-only"], [], None),
    "a flag in one word": (["serve", "--tools=recall_memory", "--idle=5"], [], None),
    "toolsets replaced": (
        ["serve", "--toolsets", "memory", "--read-only"],
        ["--toolsets", "all"],
        ["serve", "--toolsets", "all", "--read-only"],
    ),
    "toolsets in one word replaced": (
        ["serve", "--read-only", "--toolsets=memory", "--toolsets", "memory", "--idle", "5"],
        ["--toolsets", "all"],
        ["serve", "--read-only", "--toolsets", "all", "--idle", "5"],
    ),
    "project added": (["serve", "--read-only"], ["--project", "shop"], ["serve", "--read-only", "--project", "shop"]),
    "the same project": (["serve", "--project=shop", "--read-only"], ["--project", "shop"], None),
    "a project of our name": (["serve", "--project", "indelible"], [], None),
    "another way to start it": (["-m", "indelible", "serve", "--read-only"], [], ["serve", "--read-only"]),
    "no serve": (["swerve", "--read-only"], [], ["serve"]),
}


@pytest.mark.parametrize("client", ["cursor", "codex"])
@pytest.mark.parametrize("case", BY_HAND)
def test_what_a_user_wrote_behind_serve_stays(case, client, machine):
    args, given, becomes = BY_HAND[case]
    script = machine.program("indelible", "from indelible.serve.cli import main\nimport sys\nsys.exit(main())\n")
    command = sys.executable if args[0] == "-m" else str(script)
    quoted = f'"command": {json.dumps(command)}, "args": {json.dumps(args)}, "env": {{"A": "1"}}'
    if client == "codex":
        text = f"[mcp_servers.indelible]\ncommand = {json.dumps(command)} # mine\nargs = {json.dumps(args)}\n"
    else:
        text = f'{{"mcpServers": {{\n  "indelible": {{{quoted}}} // mine\n}}}}'
    machine.write(client, "user", text.encode())
    env = environment(machine.environ())
    for expected in ("set up already" if becomes is None else "changed (", "set up already"):
        ran = subprocess.run(
            [script, "setup", client, *given], env=env, cwd=machine.work, capture_output=True, check=True, timeout=50
        )
        assert f": {expected}" in ran.stdout.decode()
    now = machine.file(client, "user").read_text()
    assert "mine" in now
    if becomes is None:
        assert now == text
    else:
        found = entry_in(machine, client, "user") if client == "codex" else json.loads(now.replace("// mine", ""))
        found = found if client == "codex" else found["mcpServers"]["indelible"]
        assert (found["command"], found["args"]) == (str(script), becomes)


def test_a_set_up_without_data_keeps_the_data_directory_of_the_entry_and_its_ledger(machine):
    start = b'{\n  "mcpServers": {}\n}\n'
    path = machine.write("cursor", "user", start)
    machine.done("setup", "cursor")
    env = environment(machine.environ(XDG_DATA_HOME=str(machine.root / "share")))
    ran = forked.run(["setup", "cursor", "--toolsets", "memory"], env=env, cwd=machine.work)
    assert ran.returncode == 0
    assert entry_in(machine, "cursor", "user")["args"][3:] == ["--data", str(machine.data), "--toolsets", "memory"]
    assert not (machine.root / "share").exists()
    assert len(machine.backups()) == 1
    machine.done("unsetup", "cursor")
    assert path.read_bytes() == start
    assert machine.backups() == []


# --- What is refused ---

REFUSED = {
    "broken": ("cursor", b'{\n  "mcpServers": {\n    "a": 1,,\n  }\n}', ", line 3: "),
    "twice": ("cursor", b'{"mcpServers": {},\n "mcpServers": {}}', "line 2: .*twice"),
    "ours twice": ("cursor", b'{"mcpServers": {"indelible": {}, "indelible": {}}}', "twice"),
    "a list": ("cursor", b'{"mcpServers": []}', "no object"),
    "a list as document": ("claude-code", b"[]", "no object"),
    "no UTF-8": ("claude-code", b'{\n"a": "\xff"}', "line 2: not UTF-8"),
    "UTF-16": ("vscode", '{"servers": {}}'.encode("utf-16"), "not UTF-8"),
    "not ours": ("cursor", b'{"mcpServers": {"indelible": {"command": "other-memory"}}}', "runs other-memory"),
    "an address": ("cursor", b'{"mcpServers": {"indelible": {"url": "http://x"}}}', "no command of Indelible"),
    "TOML broken": ("codex", b"a = 1\nb = ]\n", "line 2: "),
    "TOML in one inline table": ("codex", b'mcp_servers = { a = { command = "b" } }\n', "one inline table"),
    "TOML not ours": ("codex", b'[mcp_servers.indelible]\ncommand = "other"\n', "line 1: .*runs other"),
}
NOT_OURS = ("not ours", "an address", "TOML not ours")


@pytest.mark.parametrize("case", REFUSED)
def test_what_cannot_be_edited_without_a_doubt_is_refused_and_stays(case, machine):
    client, content, words = REFUSED[case]
    path = machine.write(client, "user", content)
    before = machine.tree()
    said = machine.refused("setup", client)
    assert str(path) in said
    assert "nothing was written" in said
    assert re.search(words, said)
    assert machine.tree() == before
    assert machine.backups() == []
    if case in NOT_OURS:
        said = machine.done("unsetup", client)
        assert "not set up, nothing to remove" in said
        assert "none of ours; it stays" in said
    elif "inline" not in case:
        machine.refused("unsetup", client)
    assert machine.tree() == before


@pytest.mark.skipif(os.name == "nt", reason="modes of Unix")
def test_a_file_that_cannot_be_read_is_refused(machine):
    path = machine.write("cursor", "user", b"{}")
    path.chmod(0)
    assert "cannot be read" in machine.refused_by_modes("setup", "cursor")


def test_a_directory_in_place_of_the_file_is_refused(machine):
    machine.file("cursor", "user").mkdir(parents=True)
    assert "no regular file" in machine.refused("setup", "cursor")


def test_one_that_is_refused_does_not_keep_the_others(machine):
    machine.write("cursor", "user", b"{")
    machine.write("codex", "user", b"")
    ran = machine.run("setup", "--all")
    assert ran.returncode == 1
    assert "Cursor: refused" in ran.stderr.decode()
    assert "Codex: set up" in ran.stdout.decode()
    assert machine.file("cursor", "user").read_bytes() == b"{"


def test_an_unknown_client_is_refused_with_the_known_ones(machine):
    assert "known are claude-code, cursor, vscode, codex" in machine.refused("setup", "emacs")


def test_unknown_toolsets_are_refused(machine):
    assert "unknown toolset 'memroy'" in machine.refused("setup", "cursor", "--toolsets", "memroy")
    assert machine.tree() == {"work/.git": None, "work/.git/HEAD": b"ref: refs/heads/main\n"}


@pytest.mark.skipif(os.name == "nt", reason="modes of Unix")
def test_a_command_that_everybody_can_replace_is_refused(machine):
    place = machine.root / "open"
    place.mkdir()
    script = place / "indelible"
    script.write_text(
        f"#!{sys.executable}\nimport sys\nfrom indelible.serve.cli import main\nsys.exit(main())\n", encoding="utf-8"
    )
    script.chmod(0o755)
    place.chmod(0o777)
    command = [str(script), "setup", "cursor"]
    env = environment(machine.environ(INDELIBLE_DATA=str(machine.data)))
    ran = subprocess.run(command, env=env, capture_output=True, check=False, timeout=50)
    assert ran.returncode == 1
    assert f"{place} can be written to by every user" in ran.stderr.decode()
    place.chmod(0o755)
    assert subprocess.run(command, env=env, capture_output=True, check=False, timeout=50).returncode == 0
    assert entry_in(machine, "cursor", "user")["command"] == str(script)


def test_a_copy_of_uvx_is_registered_as_uvx_with_this_version(machine):
    script = machine.root / "uv" / "archive-v0" / "x7" / "bin" / "indelible"
    script.parent.mkdir(parents=True)
    script.write_text(f"#!{sys.executable}\nfrom indelible.serve.cli import main\nmain()\n", encoding="utf-8")
    script.chmod(0o755)
    uvx = machine.program("uvx", "")
    env = environment(machine.environ())
    subprocess.run([script, "setup", "cursor"], env=env, cwd=machine.work, check=True, capture_output=True, timeout=50)
    entry = entry_in(machine, "cursor", "user")
    assert (entry["command"], entry["args"]) == (str(uvx), [f"indelible@{__version__}", "serve"])


# --- Files ---


def test_mode_and_link_of_a_file_stay(machine):
    real = machine.root / "dotfiles" / "claude.json"
    real.parent.mkdir()
    real.write_bytes(b"{}")
    real.chmod(0o640)
    link = machine.file("claude-code", "user")
    link.symlink_to(os.path.relpath(real, link.parent))
    machine.done("setup", "claude-code")
    assert link.is_symlink()
    assert b"indelible" in real.read_bytes()
    assert mode(real) == 0o640
    [backup] = machine.backups()
    assert backup.parent == link.parent
    assert mode(backup) == 0o640
    machine.done("unsetup", "claude-code")
    assert link.is_symlink()
    assert real.read_bytes() == b"{}"


def test_a_backup_says_when_it_was_made_and_none_is_overwritten(machine):
    path = machine.write("cursor", "user", b"{}")
    for number in range(3):
        machine.done("setup", "cursor")
        path.write_bytes(path.read_bytes().replace(b"{", b"{ // %d\n" % number, 1))
        machine.done("unsetup", "cursor")
    backups = machine.backups()
    assert len(backups) == 6
    for backup in backups:
        assert re.fullmatch(r"mcp\.json\.indelible-\d{8}T\d{6}Z(-\d+)?\.bak", backup.name)


def test_backups_do_not_pile_up(machine):
    path = machine.write("cursor", "user", b"{}")
    for _ in range(3):
        machine.done("setup", "cursor")
        machine.done("setup", "cursor", "--toolsets", "memory")
        assert [backup.read_bytes() for backup in machine.backups()] == [b"{}"]
        assert "before: " not in machine.done("unsetup", "cursor")
        assert machine.backups() == []
    assert path.read_bytes() == b"{}"


def test_where_the_file_was_changed_meanwhile_the_backups_stay_and_unsetup_says_where(machine):
    path = machine.write("cursor", "user", b"{}\n")
    machine.done("setup", "cursor")
    [first] = machine.backups()
    changed = b"// mine\n" + path.read_bytes()
    path.write_bytes(changed)
    said = machine.done("unsetup", "cursor")
    assert f"as it was before set-up: {first}" in said
    assert first.read_bytes() == b"{}\n"
    [second] = [backup for backup in machine.backups() if backup != first]
    assert f"before: {second}" in said
    assert second.read_bytes() == changed


def test_a_backup_that_somebody_changed_is_not_removed(machine):
    path = machine.write("cursor", "user", b'{\n  "a": 1\n}\n')
    machine.done("setup", "cursor")
    [backup] = machine.backups()
    backup.write_bytes(b"mine now")
    machine.done("unsetup", "cursor")
    assert json.loads(path.read_bytes()) == {"a": 1}
    assert backup.read_bytes() == b"mine now"


def test_after_the_last_client_the_ledger_is_gone_and_so_is_the_directory_that_was_made_for_it(machine):
    for client in ("cursor", "codex"):
        machine.done("setup", client)
    machine.done("unsetup", "codex")
    assert sorted(path.name for path in machine.data.iterdir()) == ["registrations.json", "registrations.lock"]
    machine.done("unsetup", "cursor")
    assert not machine.data.exists()


def test_a_data_directory_that_was_there_or_holds_memories_stays(machine):
    machine.data.mkdir()
    machine.done("setup", "cursor")
    machine.done("unsetup", "cursor")
    assert list(machine.data.iterdir()) == []
    machine.data.rmdir()
    machine.done("setup", "cursor")
    (machine.data / "indelible.db").write_bytes(b"memories")
    machine.done("unsetup", "cursor")
    assert [path.name for path in machine.data.iterdir()] == ["indelible.db"]


def test_nothing_is_left_beside_the_files(machine):
    machine.done("setup", "cursor", "--scope", "project")
    assert sorted(path.name for path in (machine.work / ".cursor").iterdir()) == ["mcp.json"]


# --- Which clients ---


def test_those_that_are_installed_are_found_by_directory_or_command(machine):
    ran = machine.run("setup", "--all")
    assert ran.returncode == 0
    said = ran.stderr.decode()
    assert "none of claude-code, cursor, vscode, codex is found" in said
    assert f"Cursor: {machine.home / '.cursor'}, command `cursor`, command `cursor-agent`" in said
    assert "`indelible setup cursor`" in said
    (machine.home / ".codex").mkdir()
    machine.program("cursor", "")
    told = json.loads(machine.done("setup", "--all", "--json"))["clients"]
    assert [(one["client"], one["action"]) for one in told] == [("cursor", "added"), ("codex", "added")]
    told = json.loads(machine.done("unsetup", "--all", "--json"))["clients"]
    assert [(one["client"], one["action"]) for one in told] == [("cursor", "removed"), ("codex", "removed")]
    assert machine.done("unsetup", "--all") == ""


def test_without_a_client_and_a_terminal_it_says_what_to_give(machine):
    (machine.home / ".cursor").mkdir()
    said = machine.refused("setup")
    assert "name a CLIENT (cursor) or give --all" in said
    assert "both CLIENT and --all" in machine.refused("setup", "cursor", "--all")
    assert list((machine.home / ".cursor").iterdir()) == []


def at_terminal(machine, answer, *words, code=0):
    """Run a command at a pseudo-terminal where somebody has typed an answer."""
    ours, theirs = os.openpty()
    os.write(ours, answer)
    command = [*words, "--data", str(machine.data)]
    ran = forked.run(command, stdin=theirs, env=environment(machine.environ()), cwd=machine.work)
    os.close(ours)
    os.close(theirs)
    assert ran.returncode == code, ran.stderr
    return ran.stdout.decode(), ran.stderr.decode()


@pytest.mark.skipif(os.name == "nt", reason="pseudo-terminals of Unix")
@pytest.mark.parametrize("answer", [b"y\n", b"\n", b"no\n"])
def test_on_a_terminal_it_says_what_it_would_change_and_asks(answer, machine):
    (machine.home / ".cursor").mkdir()
    machine.write("codex", "user", b'[mcp_servers.indelible]\ncommand = "/old/indelible"\nargs = ["serve"]\n')
    machine.write("vscode", "user", b"{")
    before = machine.tree()
    said, asked = at_terminal(machine, answer, "setup", code=int(answer == b"y\n"))  # one is refused
    plan, question, rest = asked.partition("Do this (scope user)? [y/N] ")
    assert question
    starts = f"  starts: {' '.join(launch(machine))}"
    assert plan.splitlines()[:2] == [f"Cursor: would be set up ({machine.file('cursor', 'user')})", starts]
    assert plan.splitlines()[2].startswith(f"VS Code: would be refused: {machine.file('vscode', 'user')}, line 1: ")
    assert plan.splitlines()[3:] == [
        f"Codex: would be changed ({machine.file('codex', 'user')})",
        starts,
        "  was: /old/indelible serve",
    ]
    if answer == b"y\n":
        assert "Cursor: set up (" in said
        assert "Codex: changed (" in said
    else:
        assert (said, rest) == ("", "nothing was changed\n")
        assert machine.tree() == before
        assert not machine.data.exists()


@pytest.mark.skipif(os.name == "nt", reason="pseudo-terminals of Unix")
def test_on_a_terminal_unsetup_says_what_it_would_take_out_and_asks_only_if_there_is_something(machine):
    machine.done("setup", "cursor")
    there = machine.tree()
    said, asked = at_terminal(machine, b"n\n", "unsetup")
    assert f"Cursor: would be removed ({machine.file('cursor', 'user')})\n" in asked
    assert (said, machine.tree()) == ("", there)
    said, asked = at_terminal(machine, b"", "setup")
    assert "Cursor: set up already" in said
    assert "[y/N]" not in asked


# --- Where ---


def test_the_project_is_the_git_repository_around(machine):
    inner = machine.work / "src" / "deep"
    inner.mkdir(parents=True)
    command = ["setup", "cursor", "--scope", "project"]
    env = environment(machine.environ(INDELIBLE_DATA=str(machine.data)))
    assert forked.run(command, env=env, cwd=inner).returncode == 0
    assert (machine.work / ".cursor" / "mcp.json").is_file()
    assert forked.run([*command, "--project", str(inner)], env=env, cwd=machine.root).returncode == 0
    ran = forked.run(command, env=env, cwd=machine.home)
    assert ran.returncode == 1
    assert b"--scope project: the working directory is no project" in ran.stderr
    assert not (machine.home / ".cursor").exists()


def test_clients_that_keep_their_files_elsewhere_are_followed(machine):
    for variable, client, place in (
        ("CLAUDE_CONFIG_DIR", "claude-code", "elsewhere/.claude.json"),
        ("CODEX_HOME", "codex", "elsewhere/config.toml"),
        ("XDG_CONFIG_HOME", "vscode", "elsewhere/Code/User/mcp.json"),
    ):
        machine.done("setup", client, **{variable: str(machine.home / "elsewhere")})
        assert b"indelible" in (machine.home / place).read_bytes()


@pytest.mark.parametrize(
    ("platform", "place"),
    [
        ("linux", ".config/Code/User/mcp.json"),
        ("darwin", "Library/Application Support/Code/User/mcp.json"),
        ("win32", "AppData/Roaming/Code/User/mcp.json"),
    ],
)
def test_vs_code_has_its_file_where_the_platform_has_it(platform, place, tmp_path):
    assert CLIENTS["vscode"].file("user", Surroundings(tmp_path, {}, platform)) == tmp_path / place


@pytest.mark.parametrize("command", ["setup", "unsetup"])
@pytest.mark.parametrize(
    ("scope", "project"),
    [
        ("project", "../missing"),
        ("project", "missing"),
        ("user", "../missing"),
        ("user", "missing/"),
        ("user", ".missing"),
        ("user", "~/missing"),
        ("user", "C:\\missing"),
    ],
)
def test_a_project_that_must_be_a_directory_and_is_none_is_refused(scope, project, command, machine):
    before = machine.tree()
    said = machine.refused(command, "cursor", "--scope", scope, "--project", project)
    assert f"--project is {project!r}" in said
    assert "is no directory" in said
    assert machine.tree() == before


# --- What is written, and what is only shown ---


def test_the_flags_that_were_given_are_what_the_client_starts(machine):
    machine.done("setup", "codex", "--toolsets", " memory , ", "--project", "shop")
    args = entry_in(machine, "codex", "user")["args"]
    assert args[2:] == ["serve", "--toolsets", "memory", "--data", str(machine.data), "--project", "shop"]


def test_a_dry_run_shows_the_difference_and_changes_nothing(machine):
    machine.write("codex", "user", configuration("codex", "user"))
    before = machine.tree()
    said = machine.done("setup", "codex", "--dry-run")
    assert "would be set up" in said
    assert f"--- {machine.file('codex', 'user')}" in said
    assert "+[mcp_servers.indelible]" in said
    added = [line for line in said.splitlines() if line.startswith("+") and not line.startswith("+++")]
    assert len(added) == 4
    assert machine.tree() == before
    assert machine.backups() == []
    assert not machine.data.exists()

    machine.done("setup", "codex")
    there = machine.tree()
    said = machine.done("unsetup", "codex", "--dry-run")
    assert "-[mcp_servers.indelible]" in said
    assert machine.tree() == there
    assert "Cursor" not in said


def test_a_dry_run_shows_no_secret_of_the_neighbours(machine):
    token = "ghp_" + "aB3dE6gH9jK2mN5pQ8sT1vW4yZ7bC0dF3gHx"
    start = b'{"mcpServers": {\n  "github": {"env": {"TOKEN": "%s"}}\n}}' % token.encode()
    path = machine.write("cursor", "user", start)
    assert token not in machine.done("setup", "cursor", "--dry-run")
    assert token not in json.dumps(machine.report("setup", "cursor"))
    assert token.encode() in path.read_bytes()
    machine.done("unsetup", "cursor")
    assert path.read_bytes() == start


def test_print_gives_what_belongs_into_the_file_and_touches_none(machine):
    machine.write("cursor", "user", b"broken")
    before = machine.tree()
    snippet = json.loads(machine.done("setup", "cursor", "--print"))
    command, *args = launch(machine)
    assert snippet == {"mcpServers": {"indelible": {"type": "stdio", "command": command, "args": args}}}
    assert tomllib.loads(machine.done("setup", "codex", "--print"))["mcp_servers"]["indelible"]["args"] == args
    assert list(json.loads(machine.done("setup", "vscode", "--print", "--scope", "project"))) == ["servers"]
    assert len(json.loads(machine.done("setup", "--all", "--print", "--json"))) == 4
    assert "--print needs a CLIENT" in machine.refused("setup", "--print")
    assert machine.tree() == before


def test_no_secret_of_the_environment_is_written(machine):
    for client, scope in EVERY:
        machine.done("setup", client, "--scope", scope, INDELIBLE_ENCODER_KEY="sk-very-secret")
    written = b"".join(content or b"" for content in machine.tree().values())
    assert b"sk-very-secret" not in written
    assert b"sk-very-secret" not in (machine.data / "registrations.json").read_bytes()


def test_where_the_ledger_cannot_be_kept_set_up_works_and_says_so(machine):
    machine.data.write_bytes(b"a file where the data directory should be")
    path = machine.write("cursor", "user", b'{\n  "x": 1\n}\n')
    assert "what the file was before cannot be kept in mind" in machine.done("setup", "cursor")
    machine.done("unsetup", "cursor")
    assert path.read_bytes() == b'{\n  "x": 1,\n  "mcpServers": {}\n}\n'
