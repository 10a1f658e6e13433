"""The bundle for desktop clients and the entry for the registry validate against what their owners publish.

    python scripts/check_packaging.py [--bundle FILE] [CACHE]

`@anthropic-ai/mcpb` from npm validates packaging/mcpb/manifest.json and packs it with the source to a bundle, which is
kept as FILE. packaging/server.json is validated against the registry's schema of 2025-12-11, of which the wheel of
skillsaw has a copy (static.modelcontextprotocol.io serves it; CI reaches package registries only). Both come into
CACHE, which is kept, else into a directory that is deleted in the end. Exits 1 on the first fault.
"""

import argparse
import json
import shutil
import subprocess
import sys
import tempfile
import zipfile
from pathlib import Path
from typing import Any

import jsonschema

ROOT = Path(__file__).parent.parent
PACKAGING = ROOT / "packaging"
BUNDLER = "@anthropic-ai/mcpb"
PACKAGES = (f"{BUNDLER}@2.1.2",)
SCHEMAS = "skillsaw==0.22.0"
SCHEMA = "skillsaw/schemas/mcp_registry/v2025_12_11/server.schema.json"
PARTS = ("pyproject.toml", "README.md", "LICENSE", "NOTICE")  # what building the package needs, beside the source
PATIENCE = 120  # seconds for one command


class Failure(Exception):
    """Something does not validate, or could not be checked."""


def run(*words: str, cwd: Path = ROOT) -> str:
    """The output of a command that must succeed."""
    ran = subprocess.run(words, capture_output=True, text=True, check=False, cwd=cwd, timeout=PATIENCE)
    if ran.returncode:
        raise Failure(f"{' '.join(words)}: exit {ran.returncode}\n{ran.stdout}{ran.stderr}")
    return ran.stdout


def bundler(cache: Path) -> list[str]:
    """The command that validates and packs, from `cache`."""
    package = cache / "node_modules" / BUNDLER
    node = shutil.which("node") or shutil.which("nodejs")
    if node is None or shutil.which("npm") is None:
        raise Failure(f"npm and node are not installed, and {BUNDLER} comes from them")
    if not package.exists():
        run("npm", "install", "--prefix", str(cache), "--no-audit", "--no-fund", "--ignore-scripts", *PACKAGES)
    described = json.loads((package / "package.json").read_text(encoding="utf-8"))
    return [node, str(package / described["bin"])]


def check_bundle(mcpb: list[str], bundle: Path, directory: Path) -> str:
    """Validate the manifest and pack a bundle; what was done."""
    run(*mcpb, "validate", str(PACKAGING / "mcpb" / "manifest.json"))
    shutil.copytree(ROOT / "src", directory / "src", ignore=shutil.ignore_patterns("__pycache__", "*.py[co]"))
    for part in PARTS:
        shutil.copy(ROOT / part, directory)
    shutil.copy(PACKAGING / "mcpb" / "manifest.json", directory)
    run(*mcpb, "pack", str(directory), str(bundle))
    with zipfile.ZipFile(bundle) as packed:
        names = set(packed.namelist())
    entry = json.loads((directory / "manifest.json").read_text(encoding="utf-8"))["server"]["entry_point"]
    missing = {"manifest.json", entry, *PARTS} - names
    if missing:
        raise Failure(f"the bundle lacks {', '.join(sorted(missing))}")
    return f"the manifest is valid; the bundle has {len(names)} files, {bundle.stat().st_size / 2**20:.1f} MiB"


def registry_schema(cache: Path) -> Any:
    """The registry's schema, from `cache`."""
    if not list(cache.glob("skillsaw-*.whl")):
        pip = (sys.executable, "-m", "pip", "download", "--quiet", "--disable-pip-version-check", "--no-deps")
        run(*pip, "--dest", str(cache), SCHEMAS)
    [wheel] = cache.glob("skillsaw-*.whl")
    with zipfile.ZipFile(wheel) as packed:
        return json.loads(packed.read(SCHEMA))


def check_registry_entry(schema: Any) -> str:
    """Validate the registry's entry; what was done."""
    entry = json.loads((PACKAGING / "server.json").read_text(encoding="utf-8"))
    if entry["$schema"] != schema["$id"]:
        raise Failure(f"server.json names {entry['$schema']}, checked is {schema['$id']}")
    faults = [
        f"{'.'.join(map(str, fault.absolute_path)) or 'server.json'}: {fault.message}"
        for fault in jsonschema.validators.validator_for(schema)(schema).iter_errors(entry)
    ]
    if faults:
        raise Failure("\n".join(faults))
    return f"server.json is valid by {schema['$id']}"


def main() -> int:
    parser = argparse.ArgumentParser(description="Validate the bundle and the registry's entry.")
    parser.add_argument("--bundle", type=Path, metavar="FILE", help="where the bundle is kept")
    parser.add_argument("cache", nargs="?", type=Path, help="where what validates is kept")
    given = parser.parse_args()
    with tempfile.TemporaryDirectory() as temporary, tempfile.TemporaryDirectory() as packed:
        cache = given.cache.absolute() if given.cache else Path(temporary)
        cache.mkdir(parents=True, exist_ok=True)
        bundle = given.bundle.absolute() if given.bundle else Path(temporary) / "indelible.mcpb"
        try:
            print(check_registry_entry(registry_schema(cache)))
            print(check_bundle(bundler(cache), bundle, Path(packed)))
        except Failure as failure:
            print(failure)
            return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
