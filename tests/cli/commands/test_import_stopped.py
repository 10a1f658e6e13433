"""Ctrl-C in the middle of an import: what was stored is kept and said to be, and the same command does the rest."""

import json
import os
import signal
import subprocess
import sys

import pytest

from command_line import done
from mcp_client import McpClient, environment


@pytest.mark.process
@pytest.mark.skipif(os.name == "nt", reason="signals of Unix")
def test_ctrl_c_keeps_what_was_stored_and_says_so(tmp_path):
    data = tmp_path / "data"
    lines = "".join(json.dumps({"content": f"Fact number {number}"}) + "\n" for number in range(3_000))
    (tmp_path / "facts.jsonl").write_text(lines, encoding="utf-8")
    command = [sys.executable, "-m", "indelible", "import", "--data", str(data)]
    importing = subprocess.Popen(
        command, stdin=subprocess.PIPE, stderr=subprocess.PIPE, env=environment(), cwd=tmp_path, text=True
    )
    with McpClient(data) as client:
        importing.stdin.write(lines)
        importing.stdin.flush()  # and there is more to come
        while client.call("codemem_stats")["storage"]["memories"] == 0:
            assert importing.poll() is None
        importing.send_signal(signal.SIGINT)
        assert importing.wait(50) == 130
        stored = client.call("codemem_stats")["storage"]["memories"]
        assert stored > 0
        assert "stopped; what was stored is kept, and the same command continues" in importing.stderr.read()
        importing.stdin.close()
        importing.stderr.close()
        done("import", str(tmp_path / "facts.jsonl"), data=data)
        assert client.call("codemem_stats")["storage"]["memories"] == 3_000
