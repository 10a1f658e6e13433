"""Who is let in to the page, and what its answers allow a browser to do."""

import gzip
import re
import time
from html.parser import HTMLParser

import pytest

from indelible.server.http import sessions
from indelible.server.http.sessions import make_link, take_link
from indelible.server.web.page import assets
from page_client import FORM, Visitor

pytestmark = pytest.mark.process
ATTACKS = [
    "<script>document.title='ran'</script>",
    "<img src=x onerror=\"document.title='ran'\">",
    "{{ 7 * 7 }} {% raw %} ${7*7} <%= 7*7 %>",
    "javascript:alert(1)",
    "\"'><svg onload=alert(1)>",
    "</pre></textarea></bdi><iframe src=//evil.example>",
]


@pytest.fixture(scope="module", autouse=True)
def _filled(call):
    for number, text in enumerate(ATTACKS):
        call("store_memory", content=f"{text} attack {number}", tags=[text], namespace=f"{text[:20]}/shop")
    call("store_memory", content="We use pnpm here, never npm.")


class Tags(HTMLParser):
    """The tags of a page with their attributes, as a browser sees them."""

    def __init__(self):
        super().__init__()
        self.found = []

    def handle_starttag(self, tag, attrs):
        self.found.append((tag, [(name, value or "") for name, value in attrs]))


def tags(body):
    parser = Tags()
    parser.feed(body)
    return parser.found


# --- Links, cookies, forms ---


def test_without_a_cookie_there_is_nothing_but_the_log_in(server):
    stranger = Visitor(server, is_stranger=True)
    for path in ("/", "/find", "/record", "/review", "/timeline", "/projects", "/system", "/graph"):
        answer = stranger.get(path)
        assert answer.status == 401
        assert "indelible ui" in answer.text
        assert "pnpm" not in answer.text
    assert stranger.sent("GET", "/live").status == 401
    assert stranger.sent("POST", "/record/delete", b"id=x", FORM).status == 401


@pytest.mark.parametrize("path", ["/recrod?id=x", "/record/x", "/system/nothing", "/favicon.ico"])
def test_at_an_unknown_address_a_page_says_that_there_is_nothing(server, visitor, path):
    for who in (visitor, Visitor(server, is_stranger=True)):
        answer = who.sent("GET", path, None, {"Accept": "text/html,application/xhtml+xml,*/*;q=0.8"})
        assert (answer.status, answer.headers["content-type"]) == (404, "text/html; charset=utf-8")
        assert "there is nothing at" in answer.body.decode()


def test_a_link_holds_once(server, data):
    link = make_link(data)
    first, second = (Visitor(server, is_stranger=True) for _ in range(2))
    assert first.get("/open", link=link).status == 200
    assert second.get("/open", link=link).status == 401
    assert second.get("/open", link="nonsense").status == 401
    assert first.get("/").status == 200


def test_a_link_is_too_old_after_its_time(tmp_path, monkeypatch):
    ticket = make_link(tmp_path)
    now = time.time()
    monkeypatch.setattr(sessions.time, "time", lambda: now + sessions.LINK_SECONDS + 5)
    assert not take_link(tmp_path / sessions.LINKS, ticket)
    sessions.drop_old_links(tmp_path / sessions.LINKS)
    assert not list((tmp_path / sessions.LINKS).glob("*.link"))


def test_a_cookie_is_for_this_site_alone_and_for_no_script(server, data):
    answer = Visitor(server, is_stranger=True).sent("GET", f"/open?link={make_link(data)}")
    cookie = answer.headers["set-cookie"]
    assert "HttpOnly" in cookie
    assert "SameSite=Strict" in cookie


def test_a_form_without_the_key_of_the_page_is_refused(visitor):
    for key in ("", "0" * 64):
        answer = visitor.post("/record/delete", id="x", form_key=key)
        assert answer.status == 403
        assert "reload" in answer.text


def test_a_foreign_page_is_not_answered(visitor):
    foreign = {"Origin": "http://evil.example", **FORM}
    answer = visitor.sent("POST", "/record/delete", b"id=x", foreign)
    assert answer.status == 403
    assert visitor.sent("GET", "/", None, {"Host": "evil.example"}).status == 421


@pytest.mark.parametrize("kind", ["application/json", "text/plain", "multipart/form-data; boundary=x"])
def test_a_form_comes_as_a_form(visitor, kind):
    assert visitor.sent("POST", "/record/delete", b"{}", {"Content-Type": kind}).status == 415


# --- What an answer allows ---


def test_scripts_run_by_the_nonce_of_an_answer_alone(visitor):
    nonces = set()
    for path in ("/", "/find", "/record?id=nothing"):
        answer = visitor.sent("GET", path)
        policy = answer.headers["content-security-policy"]
        nonce = re.search(r"script-src 'nonce-([\w-]+)'", policy)[1]
        nonces.add(nonce)
        assert "default-src 'none'" in policy
        assert "frame-ancestors 'none'" in policy
        assert "unsafe" not in policy
        body = answer.body.decode()
        assert set(re.findall(r"<script[^>]*?nonce=\"([^\"]*)\"", body)) == {nonce}
        assert len(re.findall("<script", body)) == len(re.findall(r"<script[^>]*\bsrc=", body))
        names = {name for _, attributes in tags(body) for name, _ in attributes}
        assert not [name for name in names if name.startswith("on") or name == "style"]
    assert len(nonces) == 3


def test_texts_are_text_wherever_they_are_shown(visitor):
    for path in ("/", "/find?q=attack", "/find", "/find?q=attack&as=json"):
        answer = visitor.sent("GET", path)
        if "html" in answer.headers["content-type"]:
            found = tags(answer.body.decode())
            assert not {"img", "iframe", "object", "embed"} & {name for name, _ in found}
            assert not [each for _, attributes in found for each in attributes if each[0].startswith("on")]
            links = [
                value for _, attributes in found for name, value in attributes if name in ("href", "src", "action")
            ]
            assert not [link for link in links if not link.startswith(("/", "#")) and link != ""]
    words = visitor.get("/find", k="50").text
    for text in ATTACKS:
        assert text in words


def test_files_are_served_under_an_address_of_their_content(visitor):
    body = visitor.get("/").html
    for name in assets():
        found = re.search(rf"/assets/{re.escape(name)}\?v=[0-9a-f]+", body)
        if found:
            answer = visitor.sent("GET", found[0])
            assert answer.status == 200
            assert answer.body == assets()[name]
            assert "immutable" in answer.headers["cache-control"]
    assert visitor.sent("GET", "/assets/../page.py").status in (404, 401)
    assert visitor.sent("GET", "/assets/nothing.js").status == 404


def test_all_scripts_together_are_small():
    scripts = b"".join(body for name, body in assets().items() if name.endswith(".js"))
    assert len(gzip.compress(scripts)) < 120_000


def test_what_is_not_there_names_the_next_step(visitor):
    answer = visitor.get("/record", id="nothing-like-it")
    assert answer.status == 404
    assert "Home" in answer.text
