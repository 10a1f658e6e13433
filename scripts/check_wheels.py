"""Are there wheels of everything we depend on, for every platform and version of Python that we promise?

    python scripts/check_wheels.py                every version, on every platform
    python scripts/check_wheels.py 3.11 3.14      these versions

uv resolves, which is told the platform whose wheels and whose conditions ("on Windows only") are asked for. What has
no wheel is named, each dependency on its own: a resolution stops at the first.
"""

import os
import subprocess
import sys
import tomllib
from itertools import chain
from pathlib import Path

import uv

PLATFORMS = {
    "Linux x64": "x86_64-manylinux_2_28",
    "Linux arm64": "aarch64-manylinux_2_28",
    "macOS arm64": "aarch64-apple-darwin",
    "Windows x64": "x86_64-pc-windows-msvc",
}
PYTHONS = ("3.11", "3.12", "3.13", "3.14")


def main() -> int:
    project = tomllib.loads((Path(__file__).parent.parent / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    extras = (project["optional-dependencies"][extra] for extra in ("languages", "models", "otel", "postgres"))
    wanted = [*project["dependencies"], *chain(*extras)]
    bad = 0
    for python in sys.argv[1:] or PYTHONS:
        for name, platform in PLATFORMS.items():
            whole = resolved(wanted, python, platform)
            if whole.returncode == 0:
                print(f"Python {python}, {name}: all wheels are there", flush=True)
                continue
            bad += 1
            print(f"Python {python}, {name}: NOT INSTALLABLE")
            missing = [each for each in wanted if resolved([each], python, platform, "--no-deps").returncode != 0]
            print(f"  no wheel of: {', '.join(missing) or 'what these require'}")
            print("  " + whole.stderr.strip()[-600:].replace("\n", "\n  "), flush=True)
    return 1 if bad else 0


def resolved(wanted: list[str], python: str, platform: str, *more: str) -> subprocess.CompletedProcess[str]:
    """Resolve what would be installed of wheels alone; nothing is installed."""
    return subprocess.run(
        [
            *(uv.find_uv_bin(), "pip", "compile", "--quiet", "--system-certs", "--no-python-downloads"),
            *("--only-binary=:all:", "--python-version", python, "--python-platform", platform, *more, "-"),
        ],
        env=os.environ | {"MACOSX_DEPLOYMENT_TARGET": "14.0"},  # onnxruntime needs it
        input="\n".join(wanted),
        capture_output=True,
        text=True,
        check=False,
    )


if __name__ == "__main__":
    sys.exit(main())
