"""A visitor of the page: opens the one-time link, keeps its cookies, and sends the forms that it is shown, or others.

page = Visitor(server).get("/review", project="shop")
page.submit("Keep")                         # the form of the button with these words
visitor.post("/record/pin", id=..., pinned="1")     # a form that nothing shows, with the key of the last page
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from html.parser import HTMLParser
from http.client import HTTPResponse
from http.cookies import SimpleCookie
from urllib.parse import urlencode, urlsplit

from http_server import Answer, HttpServer
from indelible.server.web.serving import link_to

FORM = {"Content-Type": "application/x-www-form-urlencoded"}
_SILENT = ("select", "style", "script", "title")  # what a visitor does not read on the page


@dataclass
class Form:
    """A form as it is shown: where it goes, its values, and its buttons by their words."""

    action: str
    method: str
    id: str
    values: list[tuple[str, str]] = field(default_factory=list)
    buttons: dict[str, tuple[str, list[tuple[str, str]]]] = field(default_factory=dict)  # (formaction, name and value)


class _Reader(HTMLParser):
    def __init__(self) -> None:
        super().__init__()
        self.forms: list[Form] = []
        self.links: dict[str, str] = {}
        self.words: list[str] = []
        self._open: Form | None = None
        self._silent = ""
        self._taken: tuple[str, dict[str, str], list[str]] | None = None

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        given = {name: value or "" for name, value in attrs}
        if tag == "form":
            self._open = Form(given.get("action", ""), given.get("method", "get").lower(), given.get("id", ""))
            self.forms.append(self._open)
        elif tag == "input" and self._open is not None and given.get("type") != "checkbox" and given.get("name"):
            self._open.values.append((given["name"], given.get("value", "")))
        elif tag in ("button", "a", "textarea"):
            self._taken = tag, given, []
        self._silent = tag if tag in _SILENT else self._silent

    def handle_data(self, data: str) -> None:
        if not self._silent:
            self.words.append(data)
        if self._taken is not None:
            self._taken[2].append(data)

    def handle_endtag(self, tag: str) -> None:
        if tag == self._silent:
            self._silent = ""
        if tag == "form":
            self._open = None
        if self._taken is None or self._taken[0] != tag:
            return
        (_, given, words), self._taken = self._taken, None
        text = "".join(words)
        form = next((each for each in self.forms if each.id and each.id == given.get("form")), self._open)
        if tag == "a":
            self.links[" ".join(text.split())] = given.get("href", "")
        elif tag == "textarea" and form is not None:
            form.values.append((given["name"], text))
        elif tag == "button" and form is not None:
            value = [(given["name"], given.get("value", ""))] if given.get("name") else []
            form.buttons[" ".join(text.split())] = given.get("formaction", ""), value


class Shown:
    """An answer of the page, with what can be done on it."""

    def __init__(self, visitor: Visitor, answer: Answer, where: str):
        self.status, self.headers, self.where = answer.status, answer.headers, where
        self.html = answer.body.decode()
        self._visitor = visitor
        reader = _Reader()
        if answer.headers.get("content-type", "").startswith("text/html"):
            reader.feed(self.html)
        self.forms, self.links = reader.forms, reader.links
        self.text = " ".join(" ".join(reader.words).split())

    def follow(self, words: str) -> Shown:
        """Follow the link with these words."""
        return self._visitor.get(next(where for name, where in self.links.items() if name.startswith(words)))

    def submit(self, words: str, *more: tuple[str, str], **changed: str) -> Shown:
        """Press the button whose words begin so, with other values of its form, and further ones."""
        for form in self.forms:
            for name, (action, values) in form.buttons.items():
                if name.startswith(words):
                    kept = [(each, changed.get(each, value)) for each, value in form.values]
                    return self._visitor.sent_form(action or form.action, [*kept, *values, *more])
        raise AssertionError(f"no button {words!r} on {self.where}: {[list(each.buttons) for each in self.forms]}")

    @property
    def form_key(self) -> str:
        """What each form of the page carries."""
        return next((value for form in self.forms for name, value in form.values if name == "form_key"), "")

    @property
    def operation(self) -> str:
        """The operation that the bar offers to undo, "" for none."""
        form = next((each for each in self.forms if each.action == "/undo"), None)
        return dict(form.values)["operation"] if form else ""

    @property
    def ids(self) -> list[str]:
        """The records that can be selected, in their order."""
        return re.findall(r'name="id" value="([^"]*)" form="chosen"', self.html)


class Visitor:
    """Somebody who opened the one-time link of a server, or logged in with a token; a stranger did neither."""

    def __init__(self, server: HttpServer, token: str = "", *, is_stranger: bool = False):
        self._server = server
        self._cookies: dict[str, str] = {}
        self._form_key = ""
        if token:
            assert self.post("/login", token=token).status == 200
        elif not is_stranger:
            assert self.get(link_to(server.data, "")).status == 200

    @property
    def cookies(self) -> Mapping[str, str]:
        """Return its cookies by name."""
        return self._cookies

    def keep(self, name: str, value: str) -> None:
        """Have a cookie from now on, as if an answer had set it."""
        self._cookies[name] = value

    def get(self, where: str, /, **query: str) -> Shown:
        """An answer, redirects followed."""
        return self._ask("GET", f"{where}?{urlencode(query)}" if query else where, None, {})

    def post(self, where: str, /, **form: str | list[str]) -> Shown:
        """The answer to a form with these values, and the key of the last page unless another is given."""
        given = {"form_key": self._form_key, **form}.items()
        values = [(name, each) for name, said in given for each in ([said] if isinstance(said, str) else said)]
        return self.sent_form(where, values)

    def sent_form(self, where: str, values: list[tuple[str, str]]) -> Shown:
        """The answer to a form with exactly these values, redirects followed."""
        headers = {**FORM, "Origin": self._server.url}
        return self._ask("POST", where, urlencode(values).encode(), headers)

    def sent(
        self, method: str, where: str, body: bytes | None = None, headers: Mapping[str, str] | None = None
    ) -> Answer:
        """The answer to one request with the cookies; nothing is followed."""
        answer = self._server.request(method, where, body, {**self._cookie(), **(headers or {})})
        for line in re.split(r", (?=\w+=)", answer.headers.get("set-cookie", "")):
            self._cookies.update({name: each.value for name, each in SimpleCookie(line).items()})
        return answer

    @contextmanager
    def stream(self, where: str, **headers: str) -> Iterator[Iterator[str]]:
        """The events of a stream, one after the other, as they come. (`X_Name="value"` is a header.)"""
        connection = self._server.connect()
        try:
            given = {name.replace("_", "-"): value for name, value in headers.items()}
            connection.request("GET", where, headers={**self._cookie(), **given})
            answer = connection.getresponse()
            assert answer.status == 200
            yield _events(answer)
        finally:
            connection.close()

    def _cookie(self) -> dict[str, str]:
        said = "; ".join(f"{name}={value}" for name, value in self._cookies.items())
        return {"Cookie": said} if said else {}

    def _ask(self, method: str, where: str, body: bytes | None, headers: Mapping[str, str]) -> Shown:
        answer = self.sent(method, where, body, headers)
        if answer.status == 303:
            place = urlsplit(answer.headers["location"])
            return self.get(place.path + (f"?{place.query}" if place.query else ""))
        shown = Shown(self, answer, where)
        self._form_key = shown.form_key or self._form_key
        return shown


def _events(answer: HTTPResponse) -> Iterator[str]:
    lines: list[str] = []
    while line := answer.readline().decode():
        if line.strip():
            lines.append(line)
        elif lines:
            yield "".join(lines)
            lines = []
