"""A process that parses and resolves a share of a codebase: frames of `marshal` on its standard streams.

A frame is its length (4 bytes, little-endian) and the bytes of a pair: a request or answer, and its value. Both ends
are this program, of one version. The process ends with its input, and where a file takes more processor time than its
argument says, as nothing else ends one call of a parser's C code.
"""

import gc
import marshal
import os
import signal
import struct
import sys
from collections.abc import Iterable, Iterator
from typing import IO, Any

from indelible.source.indexing import Project, Share, Wanted
from indelible.source.parse.deadline import HardLimit

PARSE, TAKE, EDGES, DONE = "parse", "take", "edges", "done"
TOGETHER = 64  # files whose edges go into a frame
NICE = 5  # steps behind the process that writes, for which all others wait in the end
_LENGTH = struct.Struct("<I")


def send(stream: IO[bytes], kind: str, value: Any) -> None:
    """Write a frame."""
    body = marshal.dumps((kind, value))
    stream.write(_LENGTH.pack(len(body)) + body)
    stream.flush()


def receive(stream: IO[bytes]) -> tuple[str, Any] | None:
    """Read a frame, None at the end of the stream, or where it ends within one."""
    head = stream.read(_LENGTH.size)
    if len(head) < _LENGTH.size:
        return None
    (size,) = _LENGTH.unpack(head)
    body = stream.read(size)
    if len(body) < size:
        return None
    kind, value = marshal.loads(body)
    return kind, value


def main() -> None:
    """Answer requests until the input ends."""
    gc.disable()  # everything made here lives until the end
    if sys.platform != "win32":
        os.nice(NICE)
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # meant for the parent, which ends this process
    incoming, outgoing = sys.stdin.buffer, sys.stdout.buffer
    first = receive(incoming)
    if first is None:
        return
    limit = HardLimit(float(sys.argv[1]))
    share = Share(Project(*first[1]), limit.begin)
    while (asked := receive(incoming)) is not None:
        kind, value = asked
        if kind == PARSE:
            found = [_flat(read) for read in share.parse(Wanted(*each) for each in value)]
            limit.end()
            send(outgoing, PARSE, found)
        elif kind == TAKE:
            share.take(value)
        else:
            for part in _parts(share.edges()):
                send(outgoing, EDGES, part)
            send(outgoing, DONE, None)


def _flat(read: Any) -> tuple[Any, ...]:
    """A named tuple with its rows as tuples that `marshal` takes."""
    return (*read[:-1], [tuple(row) for row in read.rows])


def _parts(found: Iterable[tuple[str, list[Any]]]) -> Iterator[list[tuple[str, list[tuple[Any, ...]]]]]:
    part: list[tuple[str, list[tuple[Any, ...]]]] = []
    for path, relations in found:
        part.append((path, [tuple(each) for each in relations]))
        if len(part) == TOGETHER:
            yield part
            part = []
    yield part


if __name__ == "__main__":
    try:
        main()
    except BrokenPipeError:  # the parent has ended
        os._exit(1)
