"""The page in a real browser: what an agent stores appears, keys work, and no stored text runs."""

import threading
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from urllib.parse import urlencode

import pytest

import browser as browsers
from command_line import opened
from http_server import HttpServer
from indelible.admin import tokens
from indelible.capture import ingest
from indelible.toolsets.code import links
from indexed_code import write
from mcp_client import McpClient
from told import repository, spooled, whole_session

pytestmark = [pytest.mark.process, pytest.mark.browser, pytest.mark.needs("chromium")]

PAGES = ("/", "/find", "/review", "/timeline", "/projects", "/system", "/graph")
SYSTEM = ("trash", "weights", "settings", "tokens", "doctor", "namespaces", "tenants")
RUNS = (
    "<script>document.title='ran'</script>",
    "<img src=/ran onerror=\"document.title='ran'\">",
    "<svg/onload=document.title='ran'>",
    "javascript:document.title='ran'",
    "<a href=\"javascript:document.title='ran'\">x</a>",
    '"><iframe srcdoc="<script>parent.document.title=\'ran\'</script>">',
    "' autofocus onfocus=document.title='ran' x='",
    "{{ 7*7 }} {% for x in y %} ${7*7} #{7*7} <%= 7*7 %>",
    "</textarea></pre></bdi></title><script>document.title='ran'</script>",
    "<div hx-get=/record/delete hx-trigger=load>x</div>",
    "<div hx-on::load=\"document.title='ran'\" data-key=u>x</div>",
    '<meta http-equiv=refresh content="0;url=/ran">',
    "<base href=//evil.example/>",
    "<form action=//evil.example><button>x</button></form>",
    "<style>*{display:none}</style>",
    "\u202egnp.exe\u202c \u200bzero\u200bwidth\u200d \u2066isolated\u2069",
    "event: record\ndata: <script>document.title='ran'</script>\n\n",
    "&lt;script&gt;document.title='ran'&lt;/script&gt;",
    "\x1b]0;ran\x07\x1b[31mred",
    "العربية 中文 日本語 ไทย हिन्दी",
)


def test_a_memory_that_an_agent_stores_appears_without_a_reload(browser, server, data):
    server.call("store_memory", {"content": "The first memory of the shop.", "namespace": "shop"})
    with browsers.opened(browser, server, data) as tab:
        tab.goto(f"{server.url}/?project=shop")
        with tab.expect_response(lambda answer: "/live" in answer.url):
            tab.reload()
        tab.wait_for_function("document.querySelector('[data-live]') !== null")
        with McpClient(data) as agent:
            found = tab.locator("[data-live] .row", has_text="told over stdio")
            for number in range(20):  # the stream begins at some moment; what came before it is in the page
                agent.call("store_memory", {"content": f"Number {number} told over stdio.", "namespace": "shop"})
                if found.count():
                    break
            found.first.wait_for()


def test_no_stored_text_runs_and_each_is_shown(browser, server, data):
    keys = []
    for number in range(100):
        text = RUNS[number % len(RUNS)]
        given = {"content": f"{text} number {number}", "namespace": f"{text[:40]}", "tags": [text[:60]]}
        keys.append(server.call("store_memory", given)["id"])
    asked: list[str] = []
    with browsers.opened(browser, server, data) as tab:
        tab.on("request", lambda request: asked.append(request.url))
        tab.on("dialog", lambda dialog: asked.append(f"dialog {dialog.message}"))
        for path in (*PAGES, "/find?k=200", "/find?q=number", *(f"/record?id={key}" for key in keys[: len(RUNS)])):
            tab.goto(server.url + path)
            assert tab.title() != "ran"
            assert tab.locator("main").is_visible()
        tab.goto(f"{server.url}/find?k=200")
        assert tab.locator("#results .row").count() == 100
        for number in range(len(RUNS)):
            assert tab.locator(".row", has_text=f"number {number}").first.is_visible()
    assert not [each for each in asked if not each.startswith(server.url) or "/ran" in each]


def test_the_keys_of_a_list_and_of_a_record(browser, server, data):
    for number in range(3):
        server.call("store_memory", {"content": f"Memory {number} about queues.", "namespace": "shop"})
    with browsers.opened(browser, server, data) as tab:
        tab.goto(f"{server.url}/find")
        tab.locator("body").click(position={"x": 5, "y": 5})
        tab.keyboard.press("j")
        tab.keyboard.press("j")
        assert tab.locator(".row.here").count() == 1
        tab.keyboard.press("Enter")
        tab.wait_for_url("**/record?id=*")
        tab.keyboard.press("e")
        tab.locator("textarea").wait_for()
        tab.locator("textarea").fill("Changed by keys. e j x ?")
        tab.locator("button.primary", has_text="Save").click()
        tab.locator(".content", has_text="Changed by keys").wait_for()
        tab.locator(".undo").wait_for()
        tab.keyboard.press("u")
        tab.locator(".undo").wait_for(state="detached")
        assert "about queues" in tab.locator(".content").inner_text()
        tab.keyboard.press("g")
        tab.keyboard.press("h")
        tab.wait_for_url(f"{server.url}/")
        tab.locator("#q").wait_for()


def test_results_come_as_one_types(browser, server, data):
    server.call("store_memory", {"content": "We deploy on Fridays with the train of Zürich."})
    server.call("store_memory", {"content": "Tabs, not spaces, in Makefiles."})
    with browsers.opened(browser, server, data) as tab:
        tab.goto(f"{server.url}/find")
        assert tab.locator("#results .row").count() == 2
        tab.locator("#q").press_sequentially("makefile indentation")
        tab.wait_for_url("**/find?q=makefile%20indentation")
        tab.locator("#results h1", has_text="Found").or_(tab.locator("#results h1", has_text="Nothing here")).wait_for()
        assert "Tabs, not spaces" in tab.locator("#results .row").first.inner_text()


def filled(server, data, tmp_path):
    """Fill a store with texts that are hard to set and with a row in each list; the addresses that show them."""
    long = "A long text. " * 300 + "a/path/" * 17 + "name.py العربية 中文 ```python\nprint('x' * 200)\n```"
    key = server.call("store_memory", {"content": long, "namespace": "/home/ann/" + "deep/" * 20 + "shop"})["id"]
    other = server.call("store_memory", {"content": "x" * 4_000})["id"]
    server.call("associate_memories", {"source_id": key, "target_id": other, "relationship": "EXPLAINS"})
    server.call("update_memory", {"id": key, "content": f"Again: {long}"})
    server.call("delete_memory", {"id": server.call("store_memory", {"content": f"Gone: {long}"})["id"]})
    manual = {"content": f"# Manual\n\n{long}", "file_name": "m" * 100 + ".md"}
    document = server.call("store_memory", manual)["id"]
    root = write(tmp_path / "code", {"pay.py": f"def price(cents):\n    return cents  # {'wide ' * 60}\n"})
    server.call("index_codebase", {"path": str(root)})
    code = server.call("store_memory", {"content": "`price` gives back its cents.", "namespace": str(root)})["id"]
    unbroken = f"/home/ann/{'customer_management_' * 5}"  # no place where a line may end
    named = server.call("store_memory", {"content": "Its project has a long name.", "namespace": unbroken})["id"]
    spooled(data, whole_session(repository(tmp_path / "app")).events)
    with opened(data) as ctx:
        links.catch_up(ctx)
        assert ingest.drain(ctx).memories
        assert tokens.create(ctx, "ci " * 30, "read", [f"/src/{'deep/' * 20}"])
    ways = {"tab": "history"}, {"tab": "relations"}, {"edit": "1"}, {}
    records = [f"/record?{urlencode({'id': key, **way})}" for way in ways]
    one = urlencode({"name": unbroken})
    records += [f"/record?id={named}", f"/?{urlencode({'project': unbroken})}"]
    records += [f"/projects/one?{one}", f"/projects/purge?{one}", f"/record?id={'none' * 50}"]
    more = f"/record?id={document}&tab=parts", f"/record?id={code}", f"/graph?id={key}", "/review?view=list"
    return [*records, *more, "/find?q=nothing+of+the+kind+wombat", "/system/weights?q=text", "/timeline?what=documents"]


@pytest.mark.full
@pytest.mark.parametrize("width", [320, 1440])
@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_no_page_is_wider_than_the_window_and_none_has_a_serious_finding(
    browser, server, data, tmp_path, width, scheme
):
    from axe_playwright_python.sync_playwright import Axe

    system = [f"/system/{name}" for name in SYSTEM]
    pages = [*PAGES, *system, *filled(server, data, tmp_path), "/find?q=text", "/record?id=none"]
    options = {"viewport": {"width": width, "height": 900}, "color_scheme": scheme}
    with browsers.opened(browser, server, data, **options) as tab:
        for path in pages:
            tab.goto(server.url + path)
            wide = tab.evaluate("document.documentElement.scrollWidth - document.documentElement.clientWidth")
            assert wide <= 0, (path, wide)
            found = Axe().run(tab).response["violations"]
            serious = [each for each in found if each["impact"] in ("serious", "critical")]
            assert not serious, (path, [(each["id"], [node["html"] for node in each["nodes"]]) for each in serious])


@pytest.mark.full
def test_an_empty_store_names_the_next_step_on_each_page(browser, server, data):
    with browsers.opened(browser, server, data) as tab:
        for path in ("/", "/find", "/find?q=anything", "/timeline", "/projects", "/system/namespaces"):
            tab.goto(server.url + path)
            assert "indelible import --from claude-code" in tab.locator("main").inner_text(), path
        tab.goto(f"{server.url}/review")
        assert "Nothing to review." in tab.locator("main").inner_text()


BEGINS = """row => {
    const text = row.querySelector(".text"), first = document.createRange(), box = text.getBoundingClientRect();
    first.setStart(text.firstChild, 0); first.setEnd(text.firstChild, 1);
    const at = first.getBoundingClientRect();
    return at.left >= box.left - 1 && at.right <= box.right + 1 && text.scrollWidth > text.clientWidth;
}"""


@pytest.mark.full
@pytest.mark.parametrize("text", ["We never store prices as floats. ", "لا نخزن الأسعار كأعداد عشرية. "])
def test_the_beginning_of_a_long_text_is_seen_in_either_direction(browser, server, data, text):
    server.call("store_memory", {"content": text * 40})
    with browsers.opened(browser, server, data) as tab:
        tab.goto(f"{server.url}/find")
        assert tab.locator(".row").first.evaluate(BEGINS)


@pytest.mark.full
def test_a_server_that_ends_is_said_and_one_that_comes_back_asks_for_a_link(browser, data):
    server = HttpServer(data).started()
    server.call("store_memory", {"content": "The first.", "namespace": "shop"})
    with browsers.opened(browser, server, data) as tab:
        tab.goto(f"{server.url}/?project=shop")
        tab.locator("[data-live]").wait_for()
        server.kill()
        tab.locator("#lost").wait_for()
        assert "does not answer" in tab.locator("#lost").inner_text()
        with HttpServer(data, http=f"127.0.0.1:{server.port}"):
            tab.reload()
            assert "indelible ui" in tab.locator("main").inner_text()


class Foreign(BaseHTTPRequestHandler):
    """A site of somebody else."""

    def do_GET(self):
        body = b"<!doctype html><title>foreign</title><p>Hello"
        self.send_response(200)
        self.send_header("Content-Type", "text/html")
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *_):
        pass


TRY = """async ([url, key]) => {
    const found = [], post = {method: "POST", body: new URLSearchParams({id: key})};
    for (const [path, options] of [
        ["/find", {credentials: "include"}],
        ["/live", {credentials: "include"}],
        ["/record/delete", {...post, credentials: "include"}],
        ["/record/delete", {...post, credentials: "include", mode: "no-cors"}],
    ]) {
        try { found.push(await (await fetch(url + path, options)).text()); }
        catch (error) { found.push(""); }
    }
    return found;
}"""


@pytest.mark.full
def test_a_foreign_page_can_neither_read_nor_post_nor_frame(browser, server, data):
    key = server.call("store_memory", {"content": "A secret plan."})["id"]
    with browsers.opened(browser, server, data) as tab, ThreadingHTTPServer(("127.0.0.1", 0), Foreign) as foreign:
        thread = threading.Thread(target=foreign.serve_forever)
        thread.start()
        try:
            tab.goto(f"http://127.0.0.1:{foreign.server_port}/")
            assert tab.evaluate(TRY, [server.url, key]) == [""] * 4
            frame = "url => { const it = document.createElement('iframe'); it.src = url; document.body.append(it); }"
            with tab.expect_request("**/find"):
                tab.evaluate(frame, f"{server.url}/find")
            tab.wait_for_load_state("networkidle")
            assert not [each for each in tab.frames if "secret plan" in (each.content() if each.url else "")]
        finally:
            foreign.shutdown()
            thread.join()
    assert server.call("recall_memory", {"query": key})
