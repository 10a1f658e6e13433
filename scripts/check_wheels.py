"""Are there wheels of everything we depend on, for every platform and version of Python that we promise?

    python scripts/check_wheels.py                every version, on every platform
    python scripts/check_wheels.py 3.11 3.14      these versions

What has none is named, each dependency on its own: pip stops at the first. Only metadata is fetched where the index
gives it without the wheel. What is required of one system only is looked for as on this machine.
"""

import subprocess
import sys
import tempfile
import tomllib
from itertools import chain
from pathlib import Path

PLATFORMS = {
    "Linux x64": ["manylinux2014_x86_64", "manylinux_2_17_x86_64", "manylinux_2_28_x86_64"],
    "Linux arm64": ["manylinux2014_aarch64", "manylinux_2_17_aarch64", "manylinux_2_28_aarch64"],
    "macOS arm64": ["macosx_11_0_arm64", "macosx_12_0_arm64", "macosx_14_0_arm64"],
    "Windows x64": ["win_amd64"],
}
PYTHONS = ("3.11", "3.12", "3.13", "3.14")


def main() -> int:
    project = tomllib.loads((Path(__file__).parent.parent / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    extras = (project["optional-dependencies"][extra] for extra in ("languages", "models", "postgres"))
    wanted = [*project["dependencies"], *chain(*extras)]
    bad = 0
    for python in sys.argv[1:] or PYTHONS:
        for name, tags in PLATFORMS.items():
            whole = resolved(wanted, python, tags)
            if whole.returncode == 0:
                print(f"Python {python}, {name}: all wheels are there", flush=True)
                continue
            bad += 1
            print(f"Python {python}, {name}: NOT INSTALLABLE")
            missing = [each for each in wanted if resolved([each], python, tags, "--no-deps").returncode != 0]
            print(f"  no wheel of: {', '.join(missing) or 'what these require'}")
            print("  " + whole.stderr.strip()[-600:].replace("\n", "\n  "), flush=True)
    return 1 if bad else 0


def resolved(wanted: list[str], python: str, tags: list[str], *more: str) -> subprocess.CompletedProcess[str]:
    """What pip would install of wheels alone; nothing is installed."""
    with tempfile.TemporaryDirectory() as folder:
        return subprocess.run(
            [
                *(sys.executable, "-m", "pip", "install", "--dry-run", "--quiet", "--disable-pip-version-check"),
                *("--ignore-installed", "--target", folder, "--only-binary=:all:", "--implementation", "cp"),
                *("--python-version", python, *(f"--platform={tag}" for tag in tags), *more, *wanted),
            ],
            capture_output=True,
            text=True,
            check=False,
        )


if __name__ == "__main__":
    sys.exit(main())
