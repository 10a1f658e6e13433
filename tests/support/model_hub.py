"""A hub of models for tests: an HTTP server in a thread that speaks as the Hugging Face hub does, with its faults."""

from __future__ import annotations

import hashlib
import http.server
import json
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from urllib.parse import unquote, urlsplit

COMMIT = "0123456789abcdef0123456789abcdef01234567"
TOKEN = "-".join(["hf", "of", "the", "test"])


class ModelHub(http.server.ThreadingHTTPServer):
    """Serves the files of one repository at one commit.

    `broken` has, for a path, after how many bytes each of its next answers breaks off. `refused` has the status with
    which a path is refused. With `elsewhere` files are at another address, to which the hub leads on. Without `ranges`
    every answer begins at the beginning. A `gated` repository wants TOKEN.
    """

    daemon_threads = True

    def __init__(self, repository: str, files: dict[str, bytes]) -> None:
        super().__init__(("127.0.0.1", 0), _Asked)
        self.repository = repository
        self.files = files
        self.large = set(files)  # whose hash the list of files has
        self.asked: list[tuple[str, dict[str, str]]] = []
        self.broken: dict[str, list[int]] = {}
        self.refused: dict[str, int] = {}
        self.elsewhere = ""
        self.ranges = True
        self.gated = False

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.server_port}"

    def ranges_of(self, path: str) -> list[str]:
        """From where each request for a file wanted it, '' for the beginning."""
        return [
            headers.get("Range", "") for asked, headers in self.asked if asked.endswith(f"/resolve/{COMMIT}/{path}")
        ]


class _Asked(http.server.BaseHTTPRequestHandler):
    server: ModelHub

    def do_GET(self) -> None:
        hub = self.server
        path = unquote(urlsplit(self.path).path)
        hub.asked.append((path, dict(self.headers)))
        if hub.gated and self.headers.get("Authorization") != f"Bearer {TOKEN}":
            self._answer(401, b"gated")
        elif path.startswith(f"/api/models/{hub.repository}/revision/"):
            wanted = path.rsplit("/", 1)[1]
            known = wanted in ("main", "v1", COMMIT)
            self._answer(200 if known else 404, json.dumps({"sha": COMMIT, "cardData": {}}).encode())
        elif path == f"/api/models/{hub.repository}/tree/{COMMIT}":
            self._answer(200, json.dumps([_listed(hub, name) for name in hub.files]).encode())
        elif path.startswith("/cdn/"):
            self._file(path.removeprefix("/cdn/"))
        elif path.startswith(f"/{hub.repository}/resolve/{COMMIT}/"):
            name = path.removeprefix(f"/{hub.repository}/resolve/{COMMIT}/")
            if hub.elsewhere:
                self.send_response(302)
                self.send_header("Location", f"{hub.elsewhere}/cdn/{name}")
                self.send_header("Content-Length", "0")
                self.end_headers()
            else:
                self._file(name)
        else:
            self._answer(404, b"no such page")

    def _file(self, name: str) -> None:
        hub = self.server
        content = hub.files.get(name)
        if name in hub.refused or content is None:
            self._answer(hub.refused.get(name, 404), b"no")
            return
        start = int(self.headers.get("Range", "bytes=0-")[6:-1]) if hub.ranges else 0
        if start >= len(content) > 0:
            self._answer(416, b"")
            return
        limits = hub.broken.get(name, [])
        sent = content[start:][: limits.pop(0)] if limits else content[start:]
        self.send_response(206 if start else 200)
        if start:
            self.send_header("Content-Range", f"bytes {start}-{len(content) - 1}/{len(content)}")
        self.send_header("Content-Length", str(len(content) - start))
        self.end_headers()
        self.wfile.write(sent)
        self.close_connection = True

    def _answer(self, status: int, body: bytes) -> None:
        self.send_response(status)
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *_: object) -> None:
        pass


def _listed(hub: ModelHub, name: str) -> dict[str, object]:
    content = hub.files[name]
    large = {"lfs": {"oid": hashlib.sha256(content).hexdigest(), "size": len(content)}} if name in hub.large else {}
    return {"type": "file", "path": name, "size": len(content), "oid": "0" * 40, **large}


@contextmanager
def serving(repository: str, files: dict[str, bytes]) -> Iterator[ModelHub]:
    """A running hub."""
    with ModelHub(repository, files) as hub:
        thread = threading.Thread(target=hub.serve_forever, kwargs={"poll_interval": 0.01}, daemon=True)
        thread.start()
        try:
            yield hub
        finally:
            hub.shutdown()
            thread.join()


def files_in(folder: Path) -> dict[str, bytes]:
    """The files of a folder by path."""
    return {path.relative_to(folder).as_posix(): path.read_bytes() for path in folder.rglob("*") if path.is_file()}
