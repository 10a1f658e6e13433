import re

import pytest

from indelible.embed.models import catalogue, description
from indelible.embed.models.catalogue import Known
from indelible.embed.models.description import ModelFile


@pytest.mark.parametrize("known", catalogue.known().values(), ids=lambda known: known.name)
def test_each_known_model_can_be_described(known: Known) -> None:
    files = {path: file or ModelFile("a" * 64, 1) for path, file in known.files.items()}
    listed = {path: {"sha256": file.sha256, "size": file.size} for path, file in files.items()}
    described = description.parsed({**known.values, "name": known.name, "files": listed})
    assert described.licence
    assert known.note
    assert re.fullmatch(r"[\w.-]+/[\w.-]+", known.repository)
    assert known.revision is None or re.fullmatch("[0-9a-f]{40}", known.revision)


def test_a_pinned_hash_stands_beside_a_pinned_revision_only() -> None:
    for known in catalogue.known().values():
        assert known.revision or not any(known.files.values()), known.name
