"""A repository of git for a test, with commits of files."""

import os
import subprocess
from collections.abc import Mapping
from pathlib import Path


class GitRepository:
    """A new repository at `path`; nothing of the user's configuration counts in it."""

    def __init__(self, path: Path) -> None:
        path.mkdir(parents=True)
        self.path = path
        self._clock = 1_700_000_000
        self.run("init", "-q")

    def run(self, *arguments: str) -> str:
        """Run git and return its output."""
        kept = {name: value for name, value in os.environ.items() if not name.startswith("GIT_")}
        date = f"{self._clock} +0000"
        env = kept | {
            "GIT_CONFIG_GLOBAL": os.devnull,
            "GIT_CONFIG_SYSTEM": os.devnull,
            "GIT_AUTHOR_NAME": "Ada",
            "GIT_AUTHOR_EMAIL": "ada@example.org",
            "GIT_AUTHOR_DATE": date,
            "GIT_COMMITTER_NAME": "Ada",
            "GIT_COMMITTER_EMAIL": "ada@example.org",
            "GIT_COMMITTER_DATE": date,
        }
        done = subprocess.run(["git", *arguments], cwd=self.path, env=env, check=True, capture_output=True)
        return done.stdout.decode()

    @property
    def now(self) -> int:
        """The time of what git does, in seconds since 1970."""
        return self._clock

    def pass_(self, seconds: int) -> None:
        """Let time pass for git."""
        self._clock += seconds

    def write(self, files: Mapping[str, str | bytes | None]) -> None:
        """Write files, or delete those that are None."""
        for name, content in files.items():
            path = self.path / name
            if content is None:
                path.unlink()
                continue
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_bytes(content.encode() if isinstance(content, str) else content)

    def commit(self, files: Mapping[str, str | bytes | None], message: str = "change") -> str:
        """Commit files an hour after the last commit, and return the commit's id."""
        self._clock += 3_600
        self.write(files)
        self.run("add", "-A")
        self.run("commit", "-q", "--allow-empty", "--cleanup=verbatim", "-m", message)
        return self.run("rev-parse", "HEAD").strip()
