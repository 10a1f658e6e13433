"""The program `indelible` of a shell, of milliseconds: it lets forked_commands.py fork what it stands for.

It runs with `python -I -S` and imports what takes no time only. It sends its descriptors 0, 1 and 2, arguments,
environment, directory and umask to the socket SOCKET; it is answered the process id of the fork, to which it hands on
signals, then the exit code, which is its own; or 0, so that it becomes REAL. The fork ends with it.
"""

import _signal
import _socket
import marshal
import os
import sys

HANDED_ON = (_signal.SIGHUP, _signal.SIGINT, _signal.SIGQUIT, _signal.SIGTERM, _signal.SIGUSR1, _signal.SIGUSR2)


def _main() -> None:
    server = _socket.socket(_socket.AF_UNIX, _socket.SOCK_STREAM)
    server.connect(SOCKET)  # noqa: F821 - the two stand above where this is a program
    umask = os.umask(0)
    os.umask(umask)
    request = marshal.dumps((sys.argv, dict(os.environ), os.getcwd(), umask))
    rights = b"".join(number.to_bytes(4, sys.byteorder) for number in (0, 1, 2))
    _signal.pthread_sigmask(_signal.SIG_BLOCK, HANDED_ON)
    server.sendmsg([len(request).to_bytes(4, "big")], [(_socket.SOL_SOCKET, _socket.SCM_RIGHTS, rights)])
    server.sendall(request)
    process = _number(server)
    for number in HANDED_ON if process else ():
        if _signal.getsignal(number) != _signal.SIG_IGN:  # a shell's jobs in the background ignore interrupts
            _signal.signal(number, lambda number, _: _send(process, number))
    _signal.pthread_sigmask(_signal.SIG_UNBLOCK, HANDED_ON)
    if not process:
        os.execv(REAL, [REAL, *sys.argv[1:]])  # noqa: F821
    os.close(0)
    os.close(1)  # what reads from a pipe waits for the fork alone
    code = _number(server)
    if code < 0:
        _signal.signal(-code, _signal.SIG_DFL) if -code != _signal.SIGKILL else None
        os.kill(os.getpid(), -code)
    os._exit(code)


def _number(server: _socket.socket) -> int:
    line = b""
    while not line.endswith(b"\n"):
        more = server.recv(1)
        if not more:
            sys.exit("indelible: the test's server of forks has left")
        line += more
    return int(line)


def _send(process: int, number: int) -> None:
    try:
        os.kill(process, number)
    except ProcessLookupError:
        return  # its exit code is on its way


_main()
