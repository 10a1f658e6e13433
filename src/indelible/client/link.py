"""A transport to a server with retries and a circuit breaker."""

from collections.abc import Mapping
from typing import Any

from indelible.client.circuit import Circuit
from indelible.client.failures import Failure
from indelible.client.log import Log
from indelible.client.retries import Policy, Timing, attempted
from indelible.client.transport import Transport
from indelible.errors import IndelibleError


class Link:
    """Calls tools; the only place with retries, so that these do not multiply."""

    def __init__(self, transport: Transport, policy: Policy, timing: Timing, log: Log):
        self._transport = transport
        self._policy = policy
        self._timing = timing
        self._log = log
        self._circuit = Circuit(policy, timing)

    @property
    def why(self) -> str:
        """Why the server is left alone; "" where it is not."""
        return self._circuit.why

    def is_up(self) -> bool:
        """Whether the server is worth calling; asks it if it was away and its pause is over. Raises what refuses us."""
        if not self._circuit.why:
            return True
        if not self._circuit.probes():
            return False
        try:
            self._transport.probe(self._policy.probe)
        except Failure as failure:
            self._fails(failure, "")
            return False
        except BaseException:
            self._circuit.gives_up()
            raise
        self._circuit.answers()
        return True

    def send(self, tool: str, arguments: Mapping[str, Any], key: str | None, shown: str = "") -> tuple[Any, int]:
        """A tool's value, and after how many failures. Raises Failure, and the errors of what refuses the call.

        `shown` is the key for the log, where it is not the request key.
        """

        def once() -> Any:
            return self._transport.call(tool, arguments, key, self._policy.timeout)

        def failed(failure: Failure) -> None:
            self._log.warning("retry", key or shown, retries=failure.retries, tool=tool, why=failure.why)

        try:
            answered = attempted(once, self._policy, self._timing, failed)
        except Failure as failure:
            self._fails(failure, key or shown)
            raise
        except IndelibleError:
            self._works()
            raise
        self._works()
        return answered

    def _works(self) -> None:
        if self._circuit.works():
            self._log.warning("server_back", "")

    def _fails(self, failure: Failure, key: str) -> None:
        pause = self._circuit.fails(failure.why, failure.after)
        self._log.warning("server_down", key, retries=failure.retries, why=failure.why, pauseMs=round(pause * 1000))

    def close(self) -> None:
        """Let the server go."""
        self._transport.close()
