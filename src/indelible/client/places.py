"""Where what waits for a server is kept on this machine."""

import os
from pathlib import Path

from indelible import environment
from indelible.engine import deferred
from indelible.engine.deferred import spool_of
from indelible.engine.project import locate

__all__ = ["project_here", "spool_of", "target_of"]


def target_of(home: Path, project: str | None, start: Path | None = None) -> str:
    """The store of a directory, as a server of this project sees it, by whatever way it is reached from here."""
    database = environment.database(None, str(home))
    place = environment.place_of(database, environment.tenant(None, str(home))) if database else ""
    return deferred.target_of(home, project_here(project, start), place)


def project_here(given: str | None, start: Path | None = None) -> str:
    """The project that a server started here belongs to, by its directory or name; "" for none."""
    named, hint = environment.project()
    environ = {"CLAUDE_PROJECT_DIR": hint} if hint else {}
    found = locate(given or named, environ, start or Path.cwd(), Path.home())
    return "" if found is None else os.fspath(found.path)
