"""Files of JSON lines as UTF-8, whichever Unicode encoding they were saved in."""

import codecs
from collections.abc import Iterable, Iterator
from itertools import chain

_UTF_16 = (codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)


def as_utf8(lines: Iterable[bytes]) -> Iterator[bytes]:
    """Yield the lines of a file without its byte order mark, from UTF-16 too, as Windows PowerShell's `>` writes it.

    What ends within a character ends in U+FFFD.
    """
    rest = iter(lines)
    first = next(rest, None)
    if first is None:  # a terminal would be asked for more
        return
    if first.startswith(_UTF_16):
        yield from _decoded(chain([first], rest))
        return
    yield first.removeprefix(codecs.BOM_UTF8)
    yield from rest


def _decoded(pieces: Iterable[bytes]) -> Iterator[bytes]:
    decoder = codecs.getincrementaldecoder("utf-16")("surrogatepass")
    line = ""
    for piece in pieces:  # which end at any byte 10, within a character too
        *whole, line = (line + decoder.decode(piece)).split("\n")
        yield from (f"{each}\n".encode(errors="surrogatepass") for each in whole)
    if decoder.getstate()[0]:
        line += "\ufffd"
    if line:
        yield line.encode(errors="surrogatepass")
