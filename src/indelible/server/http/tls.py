"""The certificate of a server that speaks TLS itself; renewed files are taken in while it runs."""

import logging
import ssl
from pathlib import Path

from indelible.errors import InvalidInput

log = logging.getLogger("indelible")


class Certificate:
    """A certificate, with the chain that belongs to it, and its key, both in PEM. Raises InvalidInput."""

    def __init__(self, chain: Path, key: Path):
        self._files = chain, key
        self.context = self._newest = self._read()
        self.context.sni_callback = self._give_newest  # asked for each connection, also where it names no server

    def _read(self) -> ssl.SSLContext:
        context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)  # TLS 1.2 and newer
        context.set_alpn_protocols(["http/1.1"])
        try:
            context.load_cert_chain(*self._files, password=_no_password)
        except (OSError, ValueError) as error:  # SSLError is an OSError
            chain, key = self._files
            raise InvalidInput(
                f"--tls-cert {chain} and --tls-key {key} are no certificate with its key ({error}); "
                "both are files in PEM that this user can read, the first with the chain, the second not encrypted"
            ) from None
        return context

    def _give_newest(self, connection: ssl.SSLObject, _name: str | None, _context: ssl.SSLContext) -> None:
        connection.context = self._newest

    def renew(self) -> None:
        """Read the files again, for connections from now on; where they do not fit, the certificate stays as it is."""
        try:
            self._newest = self._read()
        except InvalidInput as error:
            log.error("certificate not renewed", extra={"message_text": str(error)})
        else:
            log.info("certificate renewed")


def _no_password() -> str:
    """Keep OpenSSL from asking for one at the terminal."""
    raise ValueError("the key is encrypted")
