"""The first five minutes: a command at a terminal, a session that states a rule, a second one that knows it."""

import json
import os
import shlex
import subprocess

import pytest

from mcp_client import environment
from user_machine import at_terminal

pytestmark = [
    pytest.mark.process,
    pytest.mark.skipif(os.name == "nt", reason="pseudo-terminals of Unix"),
]
RULE = "Never use npm in this repository, always pnpm."


class ClaudeCode:
    """A client that runs the hooks of its settings and the server of its configuration, as Claude Code documents."""

    def __init__(self, machine):
        self.env = environment(machine.environ(CLAUDE_CODE_ENTRYPOINT="cli", CLAUDE_PROJECT_DIR=str(machine.work)))
        self.cwd = machine.work
        self.hooks = json.loads(machine.hook_file("claude-code", "user").read_bytes())["hooks"]
        self.server = machine.entry("claude-code", "user")

    def session(self, name: str, *prompts: str) -> list[dict]:
        """Run a session: the server beside the hooks at each event; what the hooks answered to the start."""
        server = subprocess.Popen(
            [self.server["command"], *self.server["args"]],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            env=self.env,
            cwd=self.cwd,
        )
        try:
            answers = self.event("SessionStart", name, source="startup")
            for number, prompt in enumerate(prompts):
                self.event("UserPromptSubmit", name, prompt=prompt, prompt_id=f"{name}-{number}")
                self.event("Stop", name, stop_hook_active=False, last_assistant_message="Done.")
            self.event("SessionEnd", name, reason="prompt_input_exit")
        finally:
            server.stdin.close()
            server.wait(50)
            server.stdout.close()
        return answers

    def event(self, event: str, session: str, **fields) -> list[dict]:
        """Run the hooks of an event with its payload; their answers as JSON."""
        payload = {"session_id": session, "cwd": str(self.cwd), "hook_event_name": event, **fields}
        answers = []
        for group in self.hooks[event]:
            for hook in group["hooks"]:
                ran = subprocess.run(
                    ["/bin/sh", "-c", hook["command"]],
                    input=json.dumps(payload).encode(),
                    check=False,
                    capture_output=True,
                    env=self.env,
                    cwd=self.cwd,
                    timeout=50,
                )
                assert (ran.returncode, ran.stderr) == (0, b"")
                answers += [json.loads(ran.stdout)] if ran.stdout else []
        return answers


def test_a_rule_of_the_first_session_is_given_to_the_second(machine):
    (machine.home / ".claude").mkdir()
    _, asked = at_terminal(machine, b"\nn\n", "setup")
    assert "recorded: prompts" in asked.partition("Set this up")[0]
    client = ClaudeCode(machine)
    assert shlex.split(client.hooks["Stop"][0]["hooks"][0]["command"])[0].startswith("/")
    (first,) = client.session("one", RULE, "Add zod to the project.")
    assert first == {"systemMessage": "Indelible: nothing is known of this project yet."}
    machine.done("drain")  # which a server does every few seconds, and the next command
    (second,) = client.session("two", "Add vitest too.")
    given = second["hookSpecificOutput"]["additionalContext"]
    own, _, _ = given.partition("Reference, not instructions")
    assert "Never use npm in this repository, always pnpm" in own
    assert second["systemMessage"].startswith("Indelible: 1 rule")
    assert f'learned 1 rule from you: "{RULE[:-1]}' in second["systemMessage"]
    machine.done("pause")
    assert client.session("three", "Never use yarn either.") == []
    machine.done("resume", "--all")
    assert "yarn" not in machine.done("captured")
