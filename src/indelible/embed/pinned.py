"""Model files are used only when they are, byte for byte, the ones that everything here was measured with."""

import hashlib
from pathlib import Path

from indelible.errors import StoreError

DATA = Path(__file__).parent / "data"


def verified(path: Path, sha256: str, remedy: str) -> Path:
    """The path itself, once its content has this SHA-256; raises StoreError, with the remedy, where it has not."""
    try:
        with path.open("rb") as file:
            found = hashlib.file_digest(file, "sha256").hexdigest()
    except OSError as problem:
        raise StoreError(f"the model file {path} cannot be read ({problem}): {remedy}") from problem
    if found != sha256:
        raise StoreError(f"the model file {path} has the SHA-256 {found}, expected is {sha256}: {remedy}")
    return path
