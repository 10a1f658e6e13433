"""Repositories on disk, for tests of what belongs to which."""

from __future__ import annotations

import json
import subprocess
from pathlib import Path

ORIGIN = "git@github.com:team/app.git"


def git(folder: Path, *arguments: str) -> None:
    identity = ["-c", "user.name=t", "-c", "user.email=t@example.org", "-c", "init.defaultBranch=main"]
    command = ["git", *identity, "-C", str(folder), *arguments]
    subprocess.run(command, check=True, capture_output=True, env={"PATH": "/usr/bin:/bin", "HOME": str(folder)})


def repository(folder: Path, origin: str | None = None, **package: object) -> Path:
    """A repository with a commit; `package` is what stands in its package.json."""
    folder.mkdir(parents=True)
    if package:
        (folder / "package.json").write_text(json.dumps(package), encoding="utf-8")
    git(folder, "init")
    if origin is not None:
        git(folder, "remote", "add", "origin", origin)
    git(folder, "commit", "--allow-empty", "-m", "first")
    return folder


def worktree(of: Path, folder: Path) -> Path:
    git(of, "worktree", "add", str(folder))
    return folder
