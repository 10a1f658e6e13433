"""Serena's memories: `.serena/memories/*.md` of a project, of all projects `~/.serena/memories/global`.

Each file is plain Markdown; its name is that of the memory, with folders as topics: its parts are tags. Taken from
github.com/oraios/serena (src/serena/project.py, its documentation on memories), read on 2026-11-29.
"""

from collections.abc import Iterator
from pathlib import Path

from indelible.errors import InvalidInput
from indelible.transfer.sources import projects, texts
from indelible.transfer.sources.source import Entry, Refused, Source, Surroundings


def _places(around: Surroundings) -> list[Path]:
    folders = (around.directory / ".serena" / "memories", around.home / ".serena" / "memories" / "global")
    return [folder for folder in folders if folder.is_dir() and texts.files(folder, ".md")]


def _read(place: Path, around: Surroundings) -> Iterator[Entry | Refused]:
    folder = place.parent if place.is_file() else place
    namespace = projects.namespace(projects.around(folder), around.home)
    for path in texts.files(place, ".md"):
        name = path.relative_to(folder).with_suffix("").as_posix()
        try:
            text = texts.read(path)
            when = texts.changed(path)
        except (InvalidInput, OSError) as error:
            yield Refused(str(path), str(error))
            continue
        item = {"namespace": namespace, "tags": texts.tags(*name.split("/")), "metadata": {"name": name}}
        times = {"created_at": when, "updated_at": when}
        for part in texts.parts(text):
            yield Entry(f"{folder}/{name}{part.own}", f"{path}{part.own}", {**item, **times, "content": part.content})


SOURCE = Source("serena", "Serena's memories", _places, _read)
