"""What keys act on in a real browser: the row that is marked, whatever came meanwhile; and a search that is refused."""

import pytest

import browser as browsers
from command_line import opened
from indelible.capture import ingest
from told import repository, spooled, whole_session

pytestmark = [pytest.mark.process, pytest.mark.browser, pytest.mark.needs("chromium")]
OUTSIDE = "document.activeElement.blur()"


def test_escape_leaves_the_field_and_keeps_the_question(browser, server, data):
    server.call("store_memory", {"content": "Deploys go out on Tuesdays."})
    with browsers.opened(browser, server, data) as tab:
        tab.goto(f"{server.url}/find?q=deploys")
        tab.keyboard.press("/")
        tab.keyboard.press("Escape")
        tab.keyboard.press("j")
        assert tab.locator("#q").input_value() == "deploys"
        assert tab.locator(".row.here").count() == 1


def test_keys_act_on_no_row_of_a_list_that_was_renewed(browser, server, data):
    for number in range(6):
        server.call("store_memory", {"content": f"Memory {number} about queues and makefiles."})
    with browsers.opened(browser, server, data) as tab:
        tab.goto(f"{server.url}/find?q=queues")
        tab.evaluate(OUTSIDE)
        for _ in range(3):
            tab.keyboard.press("j")
        tab.locator("#q").fill("makefiles")
        tab.wait_for_url("**/find?q=makefiles")
        tab.locator(".row.here").wait_for(state="detached")
        tab.evaluate(OUTSIDE)
        tab.keyboard.press("x")
        assert tab.locator("[data-select]:checked").count() == 0
        tab.keyboard.press("j")
        assert tab.locator(".row").first.evaluate("row => row.classList.contains('here')")


def test_e_edits_the_marked_row_also_when_others_came_above_it(browser, server, data):
    key = server.call("store_memory", {"content": "The first memory."})["id"]
    with browsers.opened(browser, server, data) as tab:
        with tab.expect_response(lambda answer: "/live" in answer.url):
            tab.goto(f"{server.url}/timeline")
        tab.evaluate(OUTSIDE)
        tab.keyboard.press("j")
        above = tab.locator("[data-live] .row")
        for number in range(20):  # the stream begins at some moment
            server.call("store_memory", {"content": f"Number {number}, which came meanwhile."})
            if above.count():
                break
        above.first.wait_for()
        tab.keyboard.press("e")
        tab.wait_for_url(f"**/record?id={key}&edit=1")


def test_what_is_typed_behind_e_is_written_into_the_text(browser, server, data):
    key = server.call("store_memory", {"content": "Deploys go out."})["id"]
    with browsers.opened(browser, server, data) as tab:
        tab.goto(f"{server.url}/record?id={key}")
        tab.keyboard.press("e")
        tab.locator("textarea:focus").wait_for()
        tab.keyboard.type("useful: ")
        assert tab.locator("textarea").input_value() == "useful: Deploys go out."


HELD = """key => document.body.dispatchEvent(
    new KeyboardEvent("keydown", { key, repeat: true, bubbles: true, cancelable: true }))"""


def test_a_key_that_is_held_decides_once(browser, server, data, tmp_path):
    spooled(data, whole_session(repository(tmp_path / "app")).events)
    with opened(data) as ctx:
        waiting = ingest.drain(ctx).memories
    with browsers.opened(browser, server, data) as tab:
        tab.goto(f"{server.url}/review")
        with tab.expect_navigation():
            tab.keyboard.press("n")
        assert tab.evaluate(HELD, "n")  # nothing acts on it
        assert f"{waiting - 1} wait" in tab.locator(".head").inner_text()
        assert not tab.evaluate(HELD, "j")


def test_j_and_e_in_the_trash_and_any_key_behind_g(browser, server, data):
    server.call("delete_memory", {"id": server.call("store_memory", {"content": "Gone."})["id"]})
    with browsers.opened(browser, server, data) as tab:  # which fails for an error of a script
        tab.goto(f"{server.url}/system/trash")
        for key in ("j", "e", "g", '"', "g", "h"):
            tab.keyboard.press(key)
        tab.wait_for_url(f"{server.url}/")


def test_a_search_that_is_refused_says_why(browser, server, data):
    server.call("store_memory", {"content": "Deploys go out on Tuesdays."})
    with browsers.opened(browser, server, data) as tab:
        tab.goto(f"{server.url}/find?q=deploys")
        since = tab.locator(".filters input[name=since]")
        since.fill("yesterday")
        since.press("Tab")
        tab.locator("#results", has_text="since must be").wait_for()
        assert not tab.locator("#results .row").count()
        since.fill("7d")
        since.press("Tab")
        tab.locator("#results .row").wait_for()
        tab.context.clear_cookies()
        tab.locator("#q").fill("tuesdays")
        tab.locator("main.alone", has_text="indelible ui").wait_for()


def test_another_project_is_asked_what_was_typed(browser, server, data):
    for name in ("shop", "till"):
        server.call("store_memory", {"content": f"Deploys of the {name} go out on Tuesdays.", "namespace": name})
    with browsers.opened(browser, server, data) as tab:
        tab.goto(f"{server.url}/find")
        tab.locator("#q").fill("deploys")
        tab.wait_for_url("**/find?q=deploys")
        tab.locator("#project").select_option("till")
        tab.wait_for_url("**/find?project=till&q=deploys")
        assert tab.locator("#results .row").count() == 1
        tab.locator(".filters [name=project]").select_option("shop")
        assert tab.locator("#project").input_value() == "shop"
