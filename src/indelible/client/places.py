"""The targets and projects by which waiting writes are kept on this machine."""

import os
from pathlib import Path

from indelible import filesystem, hook_settings
from indelible.project import locate


def target_of(home: Path, project: str | None, start: Path | None = None) -> str:
    """The store of a directory, as a server of this project sees it, by whatever way it is reached from here."""
    database = hook_settings.database(None, str(home))
    place = hook_settings.place_of(database, hook_settings.tenant(None, str(home))) if database else ""
    return filesystem.target_of(home, project_here(project, start), place)


def project_here(given: str | None, start: Path | None = None) -> str:
    """The project that a server started here belongs to, by its directory or name; "" for none."""
    named, hint = hook_settings.project()
    environ = {"CLAUDE_PROJECT_DIR": hint} if hint else {}
    found = locate(given or named, environ, start or Path.cwd(), filesystem.home_directory())
    return "" if found is None else os.fspath(found.path)
