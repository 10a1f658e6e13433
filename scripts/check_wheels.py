"""Are there wheels of everything we depend on, for every platform that we promise?"""

import subprocess
import sys
import tempfile
import tomllib
from pathlib import Path

PLATFORMS = {
    "Linux x64": ["manylinux2014_x86_64", "manylinux_2_17_x86_64", "manylinux_2_28_x86_64"],
    "Linux arm64": ["manylinux2014_aarch64", "manylinux_2_17_aarch64", "manylinux_2_28_aarch64"],
    "macOS arm64": ["macosx_11_0_arm64", "macosx_12_0_arm64", "macosx_14_0_arm64"],
    "Windows x64": ["win_amd64"],
}


def main() -> int:
    project = tomllib.loads((Path(__file__).parent.parent / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    bad = 0
    for name, tags in PLATFORMS.items():
        with tempfile.TemporaryDirectory() as folder:
            command = [
                sys.executable,
                "-m",
                "pip",
                "download",
                "--quiet",
                "--disable-pip-version-check",
                "--dest",
                folder,
            ]
            command += ["--only-binary=:all:", "--python-version", "3.11", "--implementation", "cp"]
            command += [f"--platform={tag}" for tag in tags] + project["dependencies"]
            done = subprocess.run(command, capture_output=True, text=True, check=False)
            files = len(list(Path(folder).iterdir()))
        print(f"{name}: {files} wheels" if done.returncode == 0 else f"{name}: NOT INSTALLABLE\n{done.stderr[-1500:]}")
        bad += done.returncode != 0
    return 1 if bad else 0


if __name__ == "__main__":
    sys.exit(main())
