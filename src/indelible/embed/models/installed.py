"""The models that are installed: a folder for each below a data directory, complete or not there."""

from pathlib import Path

from indelible.dataclass import dataclass
from indelible.embed.models import description
from indelible.embed.models.description import Description
from indelible.errors import IndelibleError, InvalidInput, NotFound

FOLDER = "models"  # in a data directory


@dataclass(frozen=True, slots=True)
class Installed:
    """An installed model: its folder and what is written there about it."""

    folder: Path
    description: Description


@dataclass(frozen=True, slots=True)
class Broken:
    """A folder whose description cannot be read, and why."""

    folder: Path
    reason: str


def folder_of(data: Path, name: str) -> Path:
    """Return the folder of the model of this name, which need not be there; raises InvalidInput for no name."""
    return data / FOLDER / description.check_name(name)


def installed(data: Path) -> list[Installed | Broken]:
    """Return all models below a data directory in the order of their names; what is being installed is none."""
    try:
        folders = sorted(path for path in (data / FOLDER).iterdir() if path.is_dir() and not path.name.startswith("."))
    except FileNotFoundError:
        return []
    found: list[Installed | Broken] = []
    for folder in folders:
        try:
            found.append(_read(folder))
        except IndelibleError as problem:
            found.append(Broken(folder, str(problem)))
    return found


def find(data: Path, name: str) -> Installed:
    """Return the installed model of this name.

    Raises NotFound with the remedy where there is none, StoreError or InvalidInput where its description is no good.
    """
    folder = folder_of(data, name)
    if not folder.is_dir():
        raise NotFound(
            f"no model {name!r} is installed in {data / FOLDER}: `indelible model list` shows those that are, and "
            f"`indelible model install {name}` installs one"
        )
    return _read(folder)


def _read(folder: Path) -> Installed:
    found = description.read(folder)
    if found.name != folder.name:
        raise InvalidInput(
            f"{folder / description.FILE} describes the model {found.name!r}; a folder has the name of its model: "
            f"install it with `indelible model install`, do not move folders"
        )
    return Installed(folder, found)
