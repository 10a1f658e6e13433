"""A secret where a text of the source is cut: no half of it is stored."""

import zlib
from collections.abc import Iterator
from pathlib import Path
from random import Random

import pytest

from code_tree import Tree
from indelible.core.context.context import Context
from indelible.source.parse import comments, definitions, texts
from indelible.store.tables import records, source_files, symbols
from indelible.store.views import redaction
from secret_formats import drawn

HALF = 8  # characters of a secret that are one of its halves
SHAPE = "ghp_{a 36}"


@pytest.fixture
def tree(tmp_path: Path) -> Iterator[Tree]:
    made = Tree(tmp_path)
    yield made
    made.close()


def all_texts(ctx: Context) -> str:
    """All that an index stored: records, rows of symbols and files, outlines."""
    with ctx.store.read() as tx:
        found = [f"{each.key}\n{each.label}\n{each.text}" for each in records.after(tx, 0, 10_000)]
        for _, parts in redaction.code(tx):
            found += [part if isinstance(part, str) else _unpacked(part) for part in parts]
    return "\n".join(found)


def _unpacked(body: bytes) -> str:
    try:
        return zlib.decompress(body).decode(errors="replace")
    except zlib.error:
        return body.decode(errors="replace")


def halves(secret: str, said: str) -> list[str]:
    return [secret[at : at + HALF] for at in range(len(secret) - HALF + 1) if secret[at : at + HALF] in said]


def docstring(number: int, before: int, secret: str) -> str:
    """A function in whose documentation so many characters stand before the secret."""
    words = ("word " * before)[: before - 1]
    return f'def f{number}():\n    """{words} {secret} and more\n    """\n    return {number}\n'


def comment(number: int, before: int, secret: str) -> str:
    words = ("word word word word word\n" * before)[: before - 1].replace("\n", "\n// ")
    return f"// {words} {secret} and more\nfunction f{number}() {{ return 1; }}\n"


def signature(number: int, before: int, secret: str) -> str:
    start = f"def f{number}(aa='"
    filler = ("x, " * before)[: before - len(start) - 1] + " "
    return f"{start}{filler}{secret} and more'):\n    return {number}\n"


def title(number: int, before: int, secret: str) -> str:
    return f"test('{('word ' * before)[: before - 1]} {secret} and more {number}', () => {{ run({number}); }});\n"


def body(number: int, before: int, secret: str) -> str:
    return f'def f{number}():\n    send("{("word " * before)[: before - 1]} {secret} and more")\n'


@pytest.mark.slow
@pytest.mark.parametrize(
    ("name", "made", "border", "around"),
    [
        ("a.py", docstring, comments.LONGEST, 4),
        ("a.js", comment, comments.LONGEST, 4),
        ("a.py", signature, definitions.LONGEST_SIGNATURE, 4),
        ("a.test.js", title, definitions.LONGEST_NAME, 4),
        ("a.py", body, texts.MOST_SHOWN, 60),  # what stands before it has some length of its own
        ("a.py", docstring, texts.MOST_EMBEDDED, 4),
    ],
)
def test_no_half_of_a_secret_is_stored_wherever_it_stands(tree, name, made, border, around):
    random = Random(border)
    cases = [(border - at, drawn(random, SHAPE)) for at in range(-around, 40 + around)]
    tree.write({f"d{at}/{name}": made(at, before, secret) for at, (before, secret) in enumerate(cases)})
    ctx = tree.open()
    found = tree.index(ctx)
    assert found.files_skipped == 0
    said = all_texts(ctx)
    assert "[REDACTED:github-token]" in said
    assert {before: kept for before, secret in cases if (kept := halves(secret, said))} == {}


def test_lines_are_counted_as_in_the_file(tree):
    lines = ["-----BEGIN RSA PRIVATE KEY-----", *(drawn(Random(each), "{b 64}") for each in range(6))]
    key = "\n".join([*lines, "-----END RSA PRIVATE KEY-----"])
    tree.write({"a.py": f'KEY = """\n{key}\n"""\n\n\ndef after():\n    return KEY\n'})
    ctx = tree.open()
    found = tree.index(ctx)
    with ctx.store.read() as tx:
        files = [each.record for each in source_files.of_repository(tx, found.repository)]
        lines = {each.row.name: each.row.start_line for each in symbols.of_files(tx, files)}
    assert lines["after"] == 13
