"""HTTP/1.1 as a server reads it: a request that another reader may end elsewhere, or read in another way, is refused.

h11 follows RFC 9112 where that lets a recipient be lenient. Between a client and this server there may be a proxy that
is lenient in another way, and takes for the next request what is a body here, or the other way round (request
smuggling). So a malformed head is refused and its connection closed: no byte behind it is read as a request.
"""

import re

import h11

LONGEST_HEAD = 64 << 10  # bytes, h11's own limit of one that is not complete

_BREAK = re.compile(rb"(?<!\r)\n|\r(?!\n|\Z)")
_CONTROL = re.compile(rb"[^\t\r\n\x20-\x7e\x80-\xff]")
_FOLD = re.compile(rb"\n[ \t]")
_LENGTH = re.compile(rb"\n(?:content-length):([^\r\n]*)", re.IGNORECASE)
_ENCODING = re.compile(rb"\n(?:transfer-encoding):", re.IGNORECASE)
_LINE = re.compile(rb"[^ \r\n]+ (?P<target>[^ \r\n]+) (?P<version>[^ \r\n]+)\r\n")
_END = b"\r\n\r\n"


def fault(received: bytes, looked: int = 0) -> tuple[int, str] | None:
    """Return the status and message that refuse a head, or the part that has arrived; None if nothing is wrong.

    `received` may go on behind the head. What h11 refuses by itself is not looked for. In its first `looked` bytes no
    fault was found before, nor the end of the head.
    """
    found = received.find(_END, max(0, looked - len(_END) + 1))
    end = len(received) if found < 0 else found + len(_END)
    begin = max(0, looked - 1)  # the last byte may have been the first half of a fault
    if end > LONGEST_HEAD:
        return 431, f"the head of a request has at most {LONGEST_HEAD:,} bytes; send fewer or shorter fields"
    if _BREAK.search(received, begin, end):
        return 400, "a line ends in LF or CR alone; end each line with CR LF"
    if _CONTROL.search(received, begin, end):
        return 400, "there is a control character in it; send printable text"
    if _FOLD.search(received, begin, end):
        return 400, "a field is folded over several lines; send it on one line"
    if found < 0:
        return None
    head = received[:end]
    return _line_fault(head) or _length_fault(head)


def _line_fault(head: bytes) -> tuple[int, str] | None:
    line = _LINE.match(head)
    if line is None:
        return None  # which h11 refuses
    if line["version"] not in (b"HTTP/1.1", b"HTTP/1.0"):
        return 505, "it is of another version than HTTP/1.1"
    if not line["target"].startswith(b"/"):
        return 400, "its target is not a path from /; this server is not a proxy"
    return None


def _length_fault(head: bytes) -> tuple[int, str] | None:
    lengths = _LENGTH.findall(head)
    if len(lengths) > 1 or any(b"," in length for length in lengths):
        return 400, "there is more than one Content-Length; send one"
    if not _ENCODING.search(head):
        return None
    if lengths:
        return 400, "a request has Content-Length or Transfer-Encoding, not both; send one of them"
    if head.partition(b"\r\n")[0].endswith(b"HTTP/1.0"):
        return 400, "HTTP/1.0 has no Transfer-Encoding; send Content-Length"
    return None


class StrictConnection(h11.Connection):
    """A connection on the server's side that raises RemoteProtocolError for what two readers could read differently."""

    def __init__(self) -> None:
        super().__init__(h11.SERVER, LONGEST_HEAD)
        self._lately = b""  # what came last: the end of a body in chunks is in it
        self._in_chunks = False
        self._looked = 0  # bytes of a head that is not complete
        self.refused = 400, ""  # with which status and words, once `next_event` raised

    def receive_data(self, data: bytes) -> None:
        """Take in what came. What came before was read as far as it could be, but for the end of a line."""
        if self._in_chunks:
            self._lately = self._lately[-2:] + data
        super().receive_data(data)

    def next_event(self) -> "h11.Event | type[h11.NEED_DATA] | type[h11.PAUSED]":
        """See h11."""
        try:
            return self._next_event()
        except h11.RemoteProtocolError as error:
            self.refused = error.error_status_hint, str(error).partition(":")[0]  # h11 shows what came behind it
            raise

    def _next_event(self) -> "h11.Event | type[h11.NEED_DATA] | type[h11.PAUSED]":
        if self.their_state is h11.IDLE:
            received = self.trailing_data[0]
            if found := fault(received, self._looked):
                raise h11.RemoteProtocolError(found[1], error_status_hint=found[0])
            self._looked = len(received)
        event = super().next_event()
        if isinstance(event, h11.Request):
            self._looked = 0
            self._in_chunks = any(name == b"transfer-encoding" for name, _ in event.headers)
            self._lately = self.trailing_data[0] if self._in_chunks else b""
        elif isinstance(event, h11.EndOfMessage) and self._in_chunks:
            self._in_chunks = False
            self._check_end(event)
        return event

    def _check_end(self, event: h11.EndOfMessage) -> None:
        if event.headers:
            raise h11.RemoteProtocolError("there are trailer fields behind its chunks; send all fields in the head")
        end = len(self._lately) - len(self.trailing_data[0])
        if self._lately[end - 2 : end] != b"\r\n":
            raise h11.RemoteProtocolError("its chunks end in LF alone; end each line with CR LF")
