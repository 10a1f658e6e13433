"""The files that name the version, all made from the one in src/indelible/version.py, and the formula of a release.

python scripts/release_files.py                  write it into each of them
python scripts/release_files.py --check          exit 1 where one names another
python scripts/release_files.py --formula SDIST  print the Homebrew formula for this source archive
"""

import argparse
import hashlib
import re
import sys
from pathlib import Path

ROOT = Path(__file__).parent.parent
VERSION = ROOT / "src" / "indelible" / "version.py"
FORMULA = ROOT / "packaging" / "homebrew" / "indelible.rb"
# Where each names it, and how often: the version stands between the two groups.
JSON = r'("version": ")[^"]+(")'
NAMED = {
    "packaging/mcpb/manifest.json": (JSON, 1),
    "packaging/server.json": (JSON, 2),
    "src/indelible/cli/setup/plugin/.claude-plugin/plugin.json": (JSON, 1),
    "packaging/kubernetes/kustomization.yaml": (r'(newTag: ")[^"]+(")', 1),
    "packaging/docker/compose.yaml": (r"(ghcr\.io/indelible-memory/indelible:)[^}]+(\})", 1),
}


def version() -> str:
    """Return the one version."""
    [found] = re.findall(r'^__version__ = "(.+)"$', VERSION.read_text(encoding="utf-8"), re.MULTILINE)
    return str(found)


def with_version(path: str, text: str, number: str) -> str:
    """Return the text of a file with another version. Raises ValueError where it names none, or more than it should."""
    pattern, wanted = NAMED[path]
    replaced, found = re.subn(pattern, rf"\g<1>{number}\g<2>", text)
    if found != wanted:
        raise ValueError(f"{path} names a version {found} times, expected {wanted}")
    return replaced


def stale(number: str) -> list[str]:
    """Return the files that name another version."""
    texts = {path: (ROOT / path).read_text(encoding="utf-8") for path in NAMED}
    return [path for path, text in texts.items() if with_version(path, text, number) != text]


def formula(number: str, digest: str) -> str:
    """Return the formula of a version whose source archive has this SHA-256."""
    text = FORMULA.read_text(encoding="utf-8")
    return text.replace("@VERSION@", number).replace("@SHA256@", digest)


def main() -> int:
    parser = argparse.ArgumentParser(description="Write one version into all files that name it.")
    parser.add_argument("--check", action="store_true", help="write nothing; exit 1 where a file names another")
    parser.add_argument("--formula", type=Path, metavar="SDIST", help="print the formula for this source archive")
    given = parser.parse_args()
    number = version()
    if given.formula is not None:
        if given.formula.name != f"indelible-{number}.tar.gz":
            sys.exit(f"{given.formula.name} is not the archive of version {number}: indelible-{number}.tar.gz")
        sys.stdout.write(formula(number, hashlib.sha256(given.formula.read_bytes()).hexdigest()))
        return 0
    differing = stale(number)
    if given.check and differing:
        print(f"not {number}: {', '.join(differing)}; `python scripts/release_files.py` writes it")
        return 1
    for path in differing:
        file = ROOT / path
        file.write_text(with_version(path, file.read_text(encoding="utf-8"), number), encoding="utf-8")
        print(f"{path}: {number}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
