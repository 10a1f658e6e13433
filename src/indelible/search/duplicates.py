"""Texts that are the same but for white space and final marks: what they have in common, and which those are."""

import hashlib
import re
import unicodedata
from array import array
from collections.abc import Hashable, Iterable

# Imported late (start, cli): numpy

PREFIX = 16  # hexadecimal digits of the hash


def digest(content: str) -> str:
    """Return a hash that duplicates have in common: the first 16 hexadecimal digits of a SHA-256.

    Runs of white space count as one blank, and final full stops and exclamation marks are ignored, unless there is
    nothing else. All other characters count: `C`, `C++` and `C#` differ.
    """
    squeezed = " ".join(unicodedata.normalize("NFC", content).split())
    plain = re.sub(r"(?<![.! ])[.! ]++\Z", "", squeezed) or squeezed
    return hashlib.sha256(plain.encode()).hexdigest()[:PREFIX]


def groups(texts: Iterable[tuple[int, Hashable, str]]) -> list[list[int]]:
    """Return the ids of probable duplicates of (id, type, text), those of a type together, in the order given.

    Only hashes of the texts are held, 24 bytes each.
    """
    import numpy as np

    ids, hashes, of_type, types = array("q"), array("Q"), array("q"), dict[Hashable, int]()
    for record, type_, text in texts:
        ids.append(record)
        hashes.append(int(digest(text), 16))
        of_type.append(types.setdefault(type_, len(types)))
    if not ids:
        return []
    number, hash_, kind = np.array(ids), np.array(hashes), np.array(of_type)
    order = np.lexsort((kind, hash_))
    new = (np.diff(hash_[order]) != 0) | (np.diff(kind[order]) != 0)
    alike = np.split(order, np.flatnonzero(new) + 1) if not new.all() else []
    return [number[group].tolist() for group in alike if len(group) > 1]
