"""A person's work on the page in a real browser: a review by keys alone, a search by words and by meaning."""

import json
import re
import time
from collections import Counter
from itertools import cycle
from urllib.parse import quote

import pytest

import browser as browsers
import encoders
from command_line import export, opened
from http_server import HttpServer
from indelible.capture import ingest, promotion
from indelible.toolsets import registry
from told import repository, spooled, whole_session

pytestmark = [
    *(pytest.mark.process, pytest.mark.browser, pytest.mark.full, pytest.mark.needs("chromium")),
]
SESSIONS = 5  # with four captures each


def waiting(data):
    """The keys of the captures that wait, the newest first, as the page goes through them."""
    with opened(data) as ctx:
        return [record.key for record in promotion.all_waiting(ctx)]


def pressed(tab, *keys):
    """Press keys, the last of which leads to another page."""
    *first, last = keys
    for key in first:
        tab.keyboard.press(key)
    with tab.expect_navigation():
        tab.keyboard.press(last)


def card(tab):
    """The id of the memory that the card shows, "" where there is no card."""
    found = tab.locator("article input[name=id]")
    return found.get_attribute("value") if found.count() else ""


def test_twenty_captures_are_reviewed_by_keys_alone(browser, data, tmp_path):
    for number in range(SESSIONS):
        spooled(data, whole_session(repository(tmp_path / f"app{number}"), f"s{number}").events)
    with opened(data) as ctx:
        assert ingest.drain(ctx).memories == 4 * SESSIONS
    every, done = waiting(data), {}
    with HttpServer(data) as server, browsers.opened(browser, server, data) as tab:
        pressed(tab, "Escape", "g", "r")
        for act in cycle(("y", "n", "e", "Space", "n u y")):
            at = card(tab)
            if not at:
                break
            done[at] = act
            if act == "e":
                pressed(tab, "e")
                tab.keyboard.type(f"Edited by keys, y n u: {at}. ")
                pressed(tab, "Tab", "Enter")
            elif act == "n u y":
                pressed(tab, "n")
                assert card(tab) != at
                pressed(tab, "u")
                assert card(tab) == at
                pressed(tab, "y")
            else:
                pressed(tab, act)
        put_off = sorted(key for key, act in done.items() if act == "Space")
        assert f"{len(put_off)} you put off wait still" in tab.locator("main").inner_text()
        pressed(tab, "Space")
        for _ in put_off:
            done[card(tab)] = "y"
            pressed(tab, "y")
        assert "Nothing to review." in tab.locator("main").inner_text()
    assert sorted(done) == sorted(every)
    assert Counter(done.values()) == {"y": 8, "n": 4, "e": 4, "n u y": 4}
    assert waiting(data) == []
    there = {each["id"]: each for each in map(json.loads, export(data).splitlines()) if "id" in each}
    for key, act in done.items():
        assert (key in there) == (act != "n"), act
        if act == "e":
            assert there[key]["content"].startswith(f"Edited by keys, y n u: {key}. ")


def test_a_search_finds_by_words_and_by_meaning_and_says_by_which(browser, data):
    with encoders.running(), HttpServer(data, env=encoders.SHARED) as server:
        for text in (
            "The lease of a worker lasts twenty seconds.",
            "Customers get their money back within two weeks.",
            "Tabs, not spaces, in Makefiles.",
            "Photographs are stored in the bucket of the gallery.",
        ):
            server.call("store_memory", {"content": text, "namespace": "shop"})
        server.call("recall_memory", {"query": "wake up"})
        until = time.monotonic() + encoders.PATIENCE
        while re.search("loading|pending|not running", said := server.call("codemem_health")["embeddings"]):
            assert time.monotonic() < until, said
        with browsers.opened(browser, server, data) as tab:
            for question, first, by in (
                ("makefile tabs", "Tabs, not spaces", "words"),
                ("refund policy for buyers", "Customers get their money back", "meaning"),
            ):
                tab.goto(f"{server.url}/find")
                tab.locator("#q").press_sequentially(question)
                tab.wait_for_url(f"**/find?q={quote(question)}")  # the results of the last letter are there
                row = tab.locator("#results .row").first
                row.locator("details.why", has_text="Found by").wait_for(state="attached")
                assert first in row.inner_text()
                row.locator("summary").click()
                assert by in row.locator("details.why p").inner_text()
            tab.locator("select[name=kind]").select_option("solution")
            tab.wait_for_url("**kind=solution*")
            tab.locator("#results", has_text="Nothing relevant.").wait_for()


def exported(data):
    """What `indelible export` shows of each memory: its text, by id."""
    lines = map(json.loads, export(data).splitlines())
    return {each["id"]: each["content"] for each in lines if each.get("kind") == "memory" or "memory_type" in each}


def test_edit_refine_delete_and_undo_end_in_what_an_export_shows(browser, data, server):
    key = server.call("store_memory", {"content": "Prices are stored as floats."})["id"]
    with browsers.opened(browser, server, data) as tab:
        tab.goto(f"{server.url}/record?id={key}&edit=1")
        tab.locator("textarea").fill("Prices are stored in cents.")
        tab.get_by_role("button", name="Save", exact=True).click()
        tab.locator(".undo", has_text="Changed").wait_for()
        assert exported(data) == {key: "Prices are stored in cents."}
        tab.get_by_role("button", name="Undo").click()
        tab.locator(".content", has_text="as floats").wait_for()
        assert exported(data) == {key: "Prices are stored as floats."}
        tab.goto(f"{server.url}/record?id={key}&edit=1")
        tab.locator("textarea").fill("Prices are stored in cents, as integers.")
        tab.get_by_role("button", name="Save as a new version").click()
        tab.locator(".content", has_text="as integers").wait_for()
        newer = next(each for each in exported(data) if each != key)
        assert exported(data) == {
            key: "Prices are stored as floats.",
            newer: "Prices are stored in cents, as integers.",
        }
        tab.get_by_role("button", name="Delete").click()
        tab.locator(".undo", has_text="Deleted").wait_for()
        assert newer not in exported(data)
        tab.get_by_role("button", name="Undo").click()
        tab.locator(".undo").wait_for(state="detached")
        assert exported(data)[newer] == "Prices are stored in cents, as integers."


def test_of_two_tabs_that_edit_one_record_the_second_is_told(browser, data, server):
    key = server.call("store_memory", {"content": "The queue keeps messages for nine days."})["id"]
    with browsers.opened(browser, server, data) as first:
        second = first.context.new_page()
        for tab in (first, second):
            tab.goto(f"{server.url}/record?id={key}&edit=1")
        for tab, days in ((first, "four"), (second, "two")):
            tab.locator("textarea").fill(f"The queue keeps messages for {days} days.")
            tab.get_by_role("button", name="Save", exact=True).click()
            tab.wait_for_load_state()
        assert "four days" in second.locator(".content").inner_text()
        assert "two days" in second.locator("textarea").input_value()
        assert exported(data)[key] == "The queue keeps messages for four days."
        second.get_by_role("button", name="Save", exact=True).click()
        second.locator(".undo", has_text="Changed").wait_for()
        assert exported(data)[key] == "The queue keeps messages for two days."


MANY = 5_000
PAINTED = """canvas => canvas.getContext("2d").getImageData(0, 0, canvas.width, canvas.height).data
    .filter((value, place) => place % 4 === 3 && value > 0).length"""


def test_the_graph_of_an_entity_with_many_relations_is_drawn_in_part_and_says_so(browser, data):
    with opened(data) as ctx:
        names = [f"part {number}" for number in range(MANY)]
        every = [{"name": name, "entityType": "part"} for name in ("whole", *names)]
        registry.call(ctx, registry.find_tool("create_entities"), {"entities": every})
        relations = [{"from": "whole", "to": name, "relationType": "has"} for name in names]
        registry.call(ctx, registry.find_tool("create_relations"), {"relations": relations})
    with HttpServer(data) as server, browsers.opened(browser, server, data, reduced_motion="reduce") as tab:
        tab.goto(f"{server.url}/graph?id=entity:whole")
        tab.locator("[data-graph-says]", has_text="Click a record").wait_for()
        assert "300 records" in tab.locator("form.filters").inner_text()
        assert f"it has {MANY} relations" in tab.locator("form.filters").inner_text()
        assert tab.locator("canvas").evaluate(PAINTED) > 1_000
        assert tab.locator("ul.relations li").count() == 299
        tab.locator("ul.relations a", has_text="part").first.click()
        tab.locator("h2", has_text="Relations").wait_for()
        assert "whole" in tab.locator("ul.relations").inner_text()
