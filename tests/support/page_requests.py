"""Single requests of a visitor of the page, those too that no form of it sends; page_client.py fills in its forms.

    with HttpServer(data) as server:
        page = Visitor.by_link(server, data)
        page.get("/find", q="pnpm")
        page.post("/record/edit", id=..., text=..., updated=...)

`get` and `post` give what the browser would show in the end: redirections are followed.
"""

from __future__ import annotations

import html
import re
from collections.abc import Mapping
from pathlib import Path
from urllib.parse import urlencode

from http_server import Answer, HttpServer
from indelible.server.http.sessions import make_link

FORM = "application/x-www-form-urlencoded"
_KEY = re.compile(r'name="form_key" value="([0-9a-f]+)"')
_TAG = re.compile(r"<(script|style|select)\b.*?</\1>|<[^>]*>", re.DOTALL)


class Visitor:
    """Somebody with a browser at a server's page; `form_key` is that of the last page."""

    def __init__(self, server: HttpServer):
        self.server = server
        self.cookies: dict[str, str] = {}
        self.form_key = ""
        self.last: Answer | None = None

    @classmethod
    def by_link(cls, server: HttpServer, data: Path) -> Visitor:
        """A visitor of this machine, by a one-time link."""
        visitor = cls(server)
        assert visitor.get("/open", link=make_link(data)).status == 200
        return visitor

    @classmethod
    def by_token(cls, server: HttpServer, secret: str) -> Visitor:
        """A visitor with a token."""
        visitor = cls(server)
        assert visitor.post("/login", token=secret).status == 200
        return visitor

    def get(self, path: str, /, **query: str) -> Answer:
        """Open an address."""
        return self._asked("GET", f"{path}?{urlencode(query)}" if query else path, None, {})

    def post(self, path: str, /, **form: str | list[str]) -> Answer:
        """Send a form, with the key of the last page unless another is given."""
        body = urlencode({"form_key": self.form_key, **form}, doseq=True).encode()
        return self._asked("POST", path, body, {"Content-Type": FORM, "Origin": self.server.url})

    def sent(
        self, method: str, path: str, body: bytes | None = None, headers: Mapping[str, str] | None = None
    ) -> Answer:
        """Send one request with the cookies, and follow nothing."""
        cookies = "; ".join(f"{name}={value}" for name, value in self.cookies.items())
        answer = self.server.request(method, path, body, {"Cookie": cookies, **(headers or {})})
        for cookie in answer.headers.get("set-cookie", "").split("\n"):
            name, _, value = cookie.partition(";")[0].partition("=")
            if name:
                self.cookies[name] = value
        return answer

    def _asked(self, method: str, path: str, body: bytes | None, headers: Mapping[str, str]) -> Answer:
        answer = self.sent(method, path, body, headers)
        if answer.status == 303:
            return self._asked("GET", answer.headers["location"], None, {})
        found = _KEY.search(answer.body.decode(errors="replace"))
        self.form_key = found[1] if found else self.form_key
        self.last = answer
        return answer


def text_of(answer: Answer) -> str:
    """Return the words of a page, in one line."""
    return " ".join(html.unescape(_TAG.sub(" ", answer.body.decode())).split())
