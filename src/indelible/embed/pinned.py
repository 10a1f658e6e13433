"""Verification of model files: only files with the expected hash, byte for byte, are used."""

import hashlib
from pathlib import Path

from indelible.errors import StoreError

DATA = Path(__file__).parent / "data"


def verified(path: Path, sha256: str, remedy: str) -> Path:
    """Return the path if its content has this SHA-256; raises StoreError, with the remedy, otherwise."""
    try:
        with path.open("rb") as file:
            found = hashlib.file_digest(file, "sha256").hexdigest()
    except OSError as problem:
        raise StoreError(f"the model file {path} cannot be read ({problem}): {remedy}") from problem
    if found != sha256:
        raise StoreError(f"the model file {path} has the SHA-256 {found}, expected is {sha256}: {remedy}")
    return path
