"""Every client that is registered, whatever its files were: `unsetup` leaves each byte and directory as it was."""

import pytest

from indelible.cli.setup import jsonc, toml
from indelible.cli.setup.clients import CLIENTS, SCOPES
from indelible.cli.setup.entries import NAME
from user_machine import FILES, HOOK_FILES

# SECTION is that of the servers or of the hooks, THEIRS what another program has in it.
JSON = {
    "missing": None,
    "empty": b"",
    "comments": b'// mine\n{\n  /* and */ "a": 1, // this\n  "SECTION": {\n    // none\n  }\n  // last\n}\n// end\n',
    "foreign entries": b'{\n  "z": {"indelible": [1, 2]},\n  "SECTION": {\n    THEIRS\n  },\n  "y": null\n}\n',
    "carriage returns": b'{\r\n  "SECTION": {\r\n    THEIRS\r\n  },\r\n  "a": "\xc3\xa9"\r\n}\r\n',
    "byte order mark": b'\xef\xbb\xbf{\n  "SECTION": {\n    THEIRS\n  }\n}\n',
    "no final newline": b'{"SECTION":{THEIRS},"a":[]}',
    "tabs": b'{\n\t"SECTION": {\n\t\tTHEIRS\n\t}\n}\n',
}
TOML = {
    "missing": None,
    "empty": b"",
    "comments": b"# mine\na = 1 # this\n\n# last\n",
    "foreign entries": b'a = 1\n\n[z.indelible]\nb = [1, 2]\n\nTHEIRS\n\n[y]\nc = ""\n',
    "carriage returns": b'a = 1\r\n\r\n[y]\r\nc = "\xc3\xa9"\r\n',
    "byte order mark": b"\xef\xbb\xbfa = 1\n",
    "no final newline": b"a = 1\n[y]\nb = 2",
    "tabs": b"[y]\n\tb\t=\t2\n\n\n",
}
YAML = {
    "missing": None,
    "empty": b"",
    "comments": b"# mine\nSECTION:  # this\n  # none of ours\n  x:\n    cmd: y  # and\n# last\n",
    "foreign entries": b"z:\n  indelible: [1, 2]\nSECTION:\n  x:\n    cmd: y\ny: ~\n",
    "carriage returns": b'SECTION:\r\n  x:\r\n    cmd: y\r\na: "\xc3\xa9"\r\n',
    "byte order mark": b"\xef\xbb\xbfSECTION:\n  x:\n    cmd: y\n",
    "no final newline": b"SECTION:\n  x:\n    cmd: y",
    "tabs": b'SECTION:\n  x:\n    cmd: "y\tz"  # a\tb\n',
}
CONFIRMED = [name for name, client in CLIENTS.items() if client.confirmed]


def of_servers(client, name):
    form = CLIENTS[client].form
    starts = JSON if form is jsonc else TOML if form is toml else YAML
    theirs = b'[SECTION.x]\ncommand = "y"' if form is toml else b'"x": {"command": "y"}'
    return filled(starts[name], CLIENTS[client].section, theirs)


def of_hooks(client, name):
    form = CLIENTS[client].hooks
    section = "mine" if form.section == NAME else form.section
    if form.toml:
        return filled(TOML[name], section, b'[[SECTION]]\nevent = "Stop"\ncommand = "x"')
    theirs = {True: b'"Stop": [{"hooks": [{"command": "x"}]}]', False: b'"stop": [{"command": "x"}]'}[form.grouped]
    return filled(JSON[name], section, theirs)


def filled(start, section, theirs):
    return start and start.replace(b"THEIRS", theirs).replace(b"SECTION", section.encode())


@pytest.mark.parametrize("client", CONFIRMED)
@pytest.mark.parametrize("name", JSON)
@pytest.mark.sweep(40)
@pytest.mark.slow
def test_whatever_the_files_of_a_client_were_they_are_again(name, client, machine):
    for scope in [scope for each, scope in FILES if each == client]:
        start = of_servers(client, name)
        if start is not None:
            machine.write(client, scope, start)
        hooked = (client, scope) in HOOK_FILES and machine.hook_file(client, scope) != machine.file(client, scope)
        if hooked and start is not None:
            machine.write(client, scope, of_hooks(client, name), hooks=True)
        before = machine.tree()
        has_hooks = CLIENTS[client].plugin or (client, scope) in HOOK_FILES
        parts = [*(["--hooks"] if has_hooks else []), *(["--skill"] if CLIENTS[client].skills else [])]
        said = machine.done("setup", client, "--scope", scope, *parts)
        assert said.count("set up (") == 1 + len(parts)
        assert machine.tree() != before
        if "--hooks" in parts:  # one after the other, and all at once
            machine.done("unsetup", client, "--scope", scope, "--hooks")
            machine.done("setup", client, "--scope", scope, *parts)
        machine.done("unsetup", client, "--scope", scope)
        assert machine.tree() == before
        assert machine.backups() == []
        assert not machine.data.exists()


def test_every_client_and_every_file_of_hooks_is_among_them():
    assert {client for client, _ in FILES} == set(CONFIRMED)
    scopes = {client: [scope for scope in SCOPES if CLIENTS[client].has_scope(scope)] for client in CONFIRMED}
    assert set(FILES) == {(client, scope) for client in CONFIRMED for scope in scopes[client]}
    assert set(HOOK_FILES) == {
        (client, scope)
        for client in CONFIRMED
        for scope in scopes[client]
        if CLIENTS[client].hooks and CLIENTS[client].hooks.has_scope(scope)
    }


def test_a_directory_that_two_clients_files_were_made_in_goes_with_the_last(machine):
    before = machine.tree()
    for first, second in (("goose", "codex"), ("codex", "goose")):
        machine.done("setup", "goose", "--hooks")
        machine.done("setup", "codex", "--skill")
        machine.done("unsetup", first)
        assert (machine.home / ".agents").is_dir()
        machine.done("unsetup", second)
        assert machine.tree() == before
        assert not machine.data.exists()
