"""Tell systemd that a server answers, where it is a service of the type `notify` (sd_notify(3))."""

import socket
from contextlib import suppress

from indelible.settings import notify_socket


def say_ready() -> None:
    """Tell systemd, if it asked to be told, that this process answers."""
    address = notify_socket()
    if not address or not hasattr(socket, "AF_UNIX"):
        return
    name = f"\0{address[1:]}" if address.startswith("@") else address  # in Linux' namespace of sockets without a file
    with suppress(OSError), socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as told:
        told.sendto(b"READY=1", name)
