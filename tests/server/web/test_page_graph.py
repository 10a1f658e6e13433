"""The graph of the page: data for the picture, the same as a list, and the communities as an overview."""

import json

import pytest

pytestmark = pytest.mark.process


@pytest.fixture(scope="module", autouse=True)
def _filled(call):
    entities = [{"name": n, "entityType": "part", "observations": ["x"]} for n in ("queue", "broker", "<b>disk</b>")]
    call("create_entities", entities=entities)
    relations = [("queue", "broker", "runs on"), ("broker", "<b>disk</b>", "writes")]
    call(
        "create_relations",
        relations=[{"from": start, "to": end, "relationType": name} for start, end, name in relations],
    )


def test_the_picture_and_the_list_have_the_same(visitor):
    words = visitor.get("/graph", id="entity:queue").text
    assert "runs on" in words
    assert "<b>disk</b>" in words
    found = json.loads(visitor.sent("GET", "/graph/data?id=entity%3Aqueue").body)
    assert [node["label"] for node in found["nodes"]][:2] == ["queue", "broker"]
    assert {link["relation"] for link in found["links"]} == {"runs on", "writes"}
    assert found["nodes"][0]["depth"] == 0


def test_one_relation_can_be_looked_at_alone(visitor):
    found = json.loads(visitor.sent("GET", "/graph/data?id=entity%3Aqueue&relation=RUNS%20ON").body)
    assert {node["label"] for node in found["nodes"]} == {"queue", "broker"}


def test_without_a_record_the_communities_are_shown(visitor):
    words = visitor.get("/graph").text
    assert "Communities" in words
    assert "3 records" in words


def test_an_unknown_record_is_no_page(visitor):
    assert visitor.get("/graph", id="entity:nothing").status == 404
    assert visitor.sent("GET", "/graph/data?id=entity%3Anothing").status == 404
