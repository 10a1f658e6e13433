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
