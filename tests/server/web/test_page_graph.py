"""The graph of the page: data for the picture, the same as a list, and the communities as an overview."""

import json

import pytest

from http_server import HttpServer
from page_requests import Visitor, text_of

pytestmark = pytest.mark.process


@pytest.fixture(scope="module")
def data(tmp_path_factory):
    return tmp_path_factory.mktemp("graph") / "data"


@pytest.fixture(scope="module")
def server(data):
    with HttpServer(data) as server:
        names = ("queue", "broker", "<b>disk</b>")
        server.call(
            "create_entities", {"entities": [{"name": n, "entityType": "part", "observations": ["x"]} for n in names]}
        )
        relations = [("queue", "broker", "runs on"), ("broker", "<b>disk</b>", "writes")]
        server.call(
            "create_relations",
            {"relations": [{"from": start, "to": end, "relationType": name} for start, end, name in relations]},
        )
        yield server


@pytest.fixture
def page(server, data):
    return Visitor.by_link(server, data)


def test_the_picture_and_the_list_have_the_same(page):
    answer = page.get("/graph", id="entity:queue")
    words = text_of(answer)
    assert "runs on" in words
    assert "<b>disk</b>" in words
    found = json.loads(page.sent("GET", "/graph/data?id=entity%3Aqueue").body)
    assert [node["label"] for node in found["nodes"]][:2] == ["queue", "broker"]
    assert {link["relation"] for link in found["links"]} == {"runs on", "writes"}
    assert found["nodes"][0]["depth"] == 0


def test_one_relation_can_be_looked_at_alone(page):
    found = json.loads(page.sent("GET", "/graph/data?id=entity%3Aqueue&relation=RUNS%20ON").body)
    assert {node["label"] for node in found["nodes"]} == {"queue", "broker"}


def test_without_a_record_the_communities_are_shown(page):
    words = text_of(page.get("/graph"))
    assert "Communities" in words
    assert "3 records" in words


def test_an_unknown_record_is_no_page(page):
    assert page.get("/graph", id="entity:nothing").status == 404
    assert page.sent("GET", "/graph/data?id=entity%3Anothing").status == 404
