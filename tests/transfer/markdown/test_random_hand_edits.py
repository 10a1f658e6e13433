"""Random edits by hand in a tree of Markdown, import upon import: each is taken or named, and no word of it is lost."""

import random
import shutil

import pytest

import everything
from indelible.core.records import exporting
from indelible.transfer.markdown import hand_edits, tree

EACH = 5  # edits before an import


def files(root):
    found = {path.relative_to(root).as_posix(): path.read_bytes() for path in root.rglob("*") if path.is_file()}
    return {path: content for path, content in found.items() if not path.startswith(".indelible/")}


# --- Edits: each may write the word, which is in nothing else ---


def text(memory, path, draw, word):
    path.write_bytes(path.read_bytes().replace(b"---\n\n", f"---\n\n{word} ".encode(), 1))


def append(memory, path, draw, word):
    more = draw.choice([f"{word}\n", f"\n## Relations\n\n- {word} [[{path.stem}]]\n", f"- {word}"])
    path.write_bytes(path.read_bytes() + more.encode())


def field(memory, path, draw, word):
    line = draw.choice(["tags: [{}]", "importance: 0.25\n{}: [a, b]", "{}: x", "kind: {}", "{}", "uid: {}", "id: {}"])
    path.write_bytes(path.read_bytes().replace(b"---\n", f"---\n{line.format(word)}\n".encode(), 1))


def cut(memory, path, draw, word):
    lines = path.read_bytes().split(b"\n")
    del lines[draw.randrange(len(lines))]
    path.write_bytes(b"\n".join([*lines, word.encode()]))


def garble(memory, path, draw, word):
    content = bytearray(path.read_bytes())
    if content:
        content[draw.randrange(len(content))] = draw.randrange(256)
    path.write_bytes(bytes(content) + word.encode())


def windows(memory, path, draw, word):
    path.write_bytes(b"\xef\xbb\xbf" + path.read_bytes().replace(b"\n", b"\r\n") + word.encode())


def add(memory, path, draw, word):
    (path.parent / f"{word}.md").write_text(f"A note {word}\n", encoding="utf-8")


def copy(memory, path, draw, word):
    shutil.copy(path, path.parent / f"{word}.md")


def move(memory, path, draw, word):
    path.rename(path.parents[draw.randrange(2)] / f"{word}.md")


def remove(memory, path, draw, word):
    path.unlink()


def change_here(memory, path, draw, word):
    found = [item for item in exporting.export_all(memory.context) if item["kind"] == "memory"]
    if found:
        memory.update_memory(id=draw.choice(found)["id"], content=f"Changed here {word}")


def store_here(memory, path, draw, word):
    memory.store_memory(content=f"Stored here {word}", tags=["zoo"], namespace=draw.choice([None, "/srv/zoo"]))


HERE = (change_here, store_here)
EDITS = (text, append, field, cut, garble, windows, add, copy, move, remove, *HERE)


def edit(memory, root, draw, number):
    """Make a few edits; returns the words that they wrote into files."""
    words = []
    for at in range(EACH):
        found = sorted(root.rglob("*.md"))
        if not found:
            store_here(memory, root, draw, f"marker{number}x{at}x")
            tree.export(memory.context, root)
            continue
        change, word = draw.choice(EDITS), f"marker{number}x{at}x"
        change(memory, draw.choice(found), draw, word)
        words += [] if change in HERE else [word]
        if draw.random() < 0.1:
            tree.export(memory.context, root)
    return words


def check(memory, root, words, number, *, deletes):
    """Import, and look for every word, every change that was made here, and every reason."""
    before = files(root)
    here = {item["uid"]: item for item in exporting.export_all(memory.context)}
    done = hand_edits.take_in(memory.context, root, deletes=deletes)
    after, stored = files(root), {item["uid"]: item for item in exporting.export_all(memory.context)}
    every = repr([*stored.values()]).lower()  # names of relations are in capitals
    left = {**done.refused, **done.conflicts}
    for word in words:
        for path in (path for path, content in before.items() if word.encode() in content):
            place = done.conflicts.get(path) or path
            assert word in every or (path.endswith(".md") and path in left) or after.get(path) == before[path], path
            assert word in every or word.encode() in after.get(place, b""), f"{word} of {path} is lost"
    for uid, item in here.items():
        if f"ed here marker{number}x" in item["content"]:
            assert uid in by_hand(done, before, item) or stored[uid]["content"] == item["content"], "overwritten"
    again = hand_edits.take_in(memory.context, root, deletes=deletes)
    assert (again.added, again.changed, again.conflicts, again.deleted) == ([], [], {}, [])
    new = again.refused.keys() - done.refused.keys() - {*done.changed, *done.added}
    assert all("record was deleted" in again.refused[path] for path in new), "only a failure's entities go with it"
    assert files(root) == after, "nothing is left to be done"


def by_hand(done, before, item):
    """The uid of a record that was changed here, exported, and then edited or deleted by hand."""
    deleted = [item["uid"] for path in done.deleted if item["uid"][:8] in path]
    return deleted + [item["uid"] for path in done.changed if item["uid"].encode() in before[path]]


def live(memory, root, seed, rounds):
    draw = random.Random(seed)
    everything.fill(memory)
    memory.store_memory(content="Otters swim", tags=["zoo"], namespace="/srv/zoo")
    memory.store_memory(content="# The park\n\nAll of it.\n\n## Relations\n", file_name="park.md")
    memory.add_todo(title="Mend the fence", description="soon")
    tree.export(memory.context, root)
    for number in range(rounds):
        words = edit(memory, root, draw, number)
        check(memory, root, words, number, deletes=draw.random() < 0.5)


def test_no_edit_is_lost(memory, tmp_path):
    live(memory, tmp_path / "tree", seed=0, rounds=5)


@pytest.mark.full
@pytest.mark.parametrize("seed", range(1, 9))
def test_of_a_thousand_edits_none_is_lost(memory, tmp_path, seed):
    live(memory, tmp_path / "tree", seed, rounds=25)
