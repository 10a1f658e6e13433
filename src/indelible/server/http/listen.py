"""The address of a server: `[HOST:]PORT` is parsed, looked up and bound."""

import ipaddress
import os
import re
import socket
from collections.abc import Sequence
from dataclasses import replace

from indelible.dataclass import dataclass
from indelible.errors import InvalidInput, StoreError
from indelible.server.options import DEFAULT

Place = tuple[socket.AddressFamily, str]

BACKLOG = 1024  # connections that wait to be accepted


@dataclass(frozen=True, slots=True)
class Address:
    """A host name or IP address (without the brackets of IPv6) and a port; port 0 is any free one.

    `flag` is what names it on the command line.
    """

    host: str
    port: int
    scheme: str = "http"
    flag: str = "--http"

    @property
    def url(self) -> str:
        """Return the URL for clients on this machine, or for those that know the host by that name."""
        return f"{self.scheme}://{f'[{self.host}]' if ':' in self.host else self.host}:{self.port}"


def parse(text: str, scheme: str = "http", flag: str = "--http") -> Address:
    """The address that a flag names. Raises InvalidInput."""
    found = re.fullmatch(r"(?:(\[[^\[\]]+\]|[^:\[\]\s/]+):)?(\d{1,5})", text.strip(), re.ASCII)
    if found is None or int(found[2]) > 65_535:
        raise InvalidInput(
            f"{flag} must be [HOST:]PORT with a port from 0 to 65535, such as 5050 or 127.0.0.1:5050 or [::1]:5050, "
            f"got {text!r:.80}"
        )
    host = (found[1] or DEFAULT.partition(":")[0]).strip("[]")
    return Address(host, int(found[2]), scheme, flag)


def listening(address: Address) -> list[socket.socket]:
    """Sockets that listen on every address that the host has: one, or two for `localhost`.

    Raises InvalidInput for a host that is not this machine's, StoreError where the port is taken or not ours to take.
    """
    bound: list[socket.socket] = []
    port = address.port
    try:
        for family, host in _looked_up(address):
            bound.append(_bound(family, host, port))
            port = bound[0].getsockname()[1]  # that of the first, where any was asked for
    except OSError as error:
        for opened in bound:
            opened.close()
        raise _refused(address, error) from None
    return bound


def where(sockets: list[socket.socket], address: Address) -> Address:
    """The address with the port that was got."""
    return replace(address, port=sockets[0].getsockname()[1])


def is_loopback(sockets: list[socket.socket]) -> bool:
    """Return whether only this machine can connect to them."""
    return all(ipaddress.ip_address(each.getsockname()[0].partition("%")[0]).is_loopback for each in sockets)


def _looked_up(address: Address) -> Sequence[Place]:
    try:
        found = socket.getaddrinfo(address.host, address.port, type=socket.SOCK_STREAM, flags=socket.AI_PASSIVE)
    except (socket.gaierror, UnicodeError) as error:
        raise InvalidInput(
            f"{address.flag}: there is no host {address.host!r:.80} ({error}); "
            "give a name or IP address of this machine"
        ) from None
    places = dict.fromkeys((family, str(place[0])) for family, _, _, _, place in found)
    usable = [each for each in places if each[0] == socket.AF_INET or (each[0] == socket.AF_INET6 and socket.has_ipv6)]
    return _without_missing_ipv6(usable)


def _without_missing_ipv6(places: Sequence[Place]) -> Sequence[Place]:
    """Without `::1` where a machine has it in its hosts file and not on its loopback device."""
    if len(places) < 2:
        return places
    kept = []
    for family, host in places:
        with socket.socket(family, socket.SOCK_STREAM) as probe:
            try:
                probe.bind((host, 0))
            except OSError:
                continue
        kept.append((family, host))
    return kept or places


def _bound(family: socket.AddressFamily, host: str, port: int) -> socket.socket:
    # By its protocol asyncio knows a TCP socket and lets short writes go out at once: else an answer waits for 40 ms.
    opened = socket.socket(family, socket.SOCK_STREAM, socket.IPPROTO_TCP)
    try:
        if os.name == "posix":  # elsewhere it lets two servers have one port
            opened.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        elif hasattr(socket, "SO_EXCLUSIVEADDRUSE"):
            opened.setsockopt(socket.SOL_SOCKET, socket.SO_EXCLUSIVEADDRUSE, 1)
        if family == socket.AF_INET6:
            opened.setsockopt(socket.IPPROTO_IPV6, socket.IPV6_V6ONLY, 1)
        opened.bind((host, port))
        opened.listen(BACKLOG)  # of two that bind at once the later one fails here
        opened.setblocking(False)
    except OSError:
        opened.close()
        raise
    return opened


def _refused(address: Address, error: OSError) -> StoreError:
    remedy = "end what listens there, or give another port"
    if isinstance(error, PermissionError):
        remedy = "ports below 1024 are for root; give a higher one"
    return StoreError(
        f"cannot listen on {address.host} port {address.port}: {error.strerror or error}; {remedy}: "
        f"indelible serve {address.flag} PORT"
    )
