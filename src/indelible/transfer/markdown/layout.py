"""The place of each record in the tree: a folder a project, one a kind in it, and a name that tells what is in it."""

import hashlib
import unicodedata
from collections import Counter
from collections.abc import Iterable, Mapping
from typing import Any

from indelible.transfer.markdown.pages import FOLDERS

NO_PROJECT = "no-project"
LONGEST = 60  # characters of a text in the name of a file
LONGEST_BYTES = 150
SHORT = 8  # digits of a uid in the name of a file


def has_file(item: Mapping[str, Any]) -> bool:
    """Whether a record has a file of its own."""
    return item["kind"] in FOLDERS


def paths(items: Iterable[Mapping[str, Any]]) -> dict[str, str]:
    """Return the path of each record that has a file, by uid, with / between folders.

    It depends on the records alone, so that a store has the same tree everywhere. No two files have one name, in
    whatever folder, so that a link needs only that.
    """
    stems: dict[str, tuple[str, str]] = {}
    for item in items:
        if has_file(item):
            folder = f"{folder_of(item['namespace'] or '')}/{FOLDERS[item['kind']]}"
            stems[item["uid"]] = folder, slug(_title(item)) or item["kind"]
    count = Counter(f"{stem}-{uid[:SHORT]}" for uid, (_, stem) in stems.items())
    found = {}
    for uid, (folder, stem) in stems.items():
        name = f"{stem}-{uid[:SHORT]}"
        found[uid] = f"{folder}/{name if count[name] == 1 else f'{stem}-{uid}'}.md"
    return found


def folder_of(namespace: str) -> str:
    """Return the folder of a project: the last part of its path, and a few digits that tell it from its namesakes."""
    if not namespace:
        return NO_PROJECT
    digits = hashlib.sha256(namespace.encode()).hexdigest()[:6]
    last = namespace.replace("\\", "/").rstrip("/").rpartition("/")[2]
    return f"{slug(last) or 'project'}-{digits}"


def slug(text: str) -> str:
    """Return a text as a part of a file's name that every file system takes: lower case, words joined by hyphens."""
    words, within = [""], False
    for char in unicodedata.normalize("NFC", text[: LONGEST * 4].lower()):
        is_word = char.isalnum() or unicodedata.category(char).startswith("M")
        if is_word and not within and words[-1]:
            words.append("")
        within = is_word
        words[-1] += char if is_word else ""
    name = ""
    for word in words:
        longer = f"{name}-{word}" if name else word
        if len(longer) > LONGEST or len(longer.encode()) > LONGEST_BYTES:
            break
        name = longer
    return name or words[0][:LONGEST].encode()[:LONGEST_BYTES].decode(errors="ignore")


def name_of(path: str) -> str:
    """Return the name by which links know a file: without folders, ending, a part of it or what it is shown as."""
    name = path.partition("|")[0].partition("#")[0].strip().rpartition("/")[2]
    return unicodedata.normalize("NFC", name.removesuffix(".md"))


def _title(item: Mapping[str, Any]) -> str:
    if item.get("label"):
        return str(item["label"])
    if item["kind"] == "entity":
        return str(item["id"])
    return next((line for line in item["content"].split("\n") if line.strip()), "")
