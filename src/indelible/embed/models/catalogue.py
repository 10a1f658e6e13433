"""Models that are known by name: where they are published, how they are used, and the hashes of their files.

Facts are in `catalogue.json`. A revision or hash that is null there is not known to us: what is installed is then what
the hub gives, and the installation says so. None of these models was run by the tests of this project. The window of
embeddinggemma-300m is that of its local attention, which its ONNX file does not have: within it both are the same.
"""

import json
from collections.abc import Mapping
from functools import cache
from pathlib import Path
from typing import Any

from indelible.dataclass import dataclass
from indelible.embed.models.description import ModelFile

_PATH = Path(__file__).with_name("catalogue.json")
_NOT_DESCRIBED = ("repository", "revision", "note", "files")


@dataclass(frozen=True, slots=True)
class Known:
    """A model of the catalogue.

    `revision` is a commit of `repository` on the hub, None where none is known; `files` has None where hash and size
    are not. `values` are the fields of a description apart from its name, files and source.
    """

    name: str
    repository: str
    revision: str | None
    note: str
    files: Mapping[str, ModelFile | None]
    values: Mapping[str, Any]

    @property
    def size(self) -> int:
        """Bytes of the files whose size is known."""
        return sum(file.size for file in self.files.values() if file)


@cache
def known() -> Mapping[str, Known]:
    """Return the models of the catalogue by name, those for a first choice first."""
    return {name: _known(name, about) for name, about in json.loads(_PATH.read_text(encoding="utf-8")).items()}


def _known(name: str, about: Mapping[str, Any]) -> Known:
    return Known(
        name,
        about["repository"],
        about["revision"],
        about["note"],
        {path: ModelFile(**file) if file else None for path, file in about["files"].items()},
        {field: value for field, value in about.items() if field not in _NOT_DESCRIBED},
    )
