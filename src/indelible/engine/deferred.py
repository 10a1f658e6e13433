"""Where clients of this machine keep the writes that wait for a server: in files beside the store."""

import hashlib
from pathlib import Path

FOLDER = "client"  # in a data directory; below it a spool for each target


def spool_of(home: Path, target: str) -> Path:
    """The spool for a target below a data directory: one for each store, project and caller."""
    return home / FOLDER / hashlib.sha256(target.encode()).hexdigest()[:16]


def target_of(home: Path, project: str, place: str = "") -> str:
    """The store in a directory, as a server of this project sees it, by whatever way it is reached from here.

    `place` is a store in a database, '' for the file in the directory.
    """
    return f"{home}\n{project}" + (f"\n{place}" if place else "")
