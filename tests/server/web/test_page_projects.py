"""The page of projects: what it lists, joining with undo, the rehearsed purge, and the switch of recording."""

import json
import re

import pytest

from indelible.capture import pausing
from indelible.server.web.page import labels

pytestmark = pytest.mark.process


@pytest.fixture
def shop(call, place):
    call("store_memory", content="Prices are in cents", namespace=f"{place}/shop")
    return f"{place}/shop"


@pytest.fixture
def till(call, place):
    call("store_memory", content="The till prints on 80 mm", namespace=f"{place}/till")
    return f"{place}/till"


@pytest.fixture
def counts(call, shop, till):
    """How many memories each of the two projects has."""

    def counts():
        every = {each["name"]: each["memory_count"] for each in call("list_namespaces")["namespaces"]}
        return [every.get(name, 0) for name in (shop, till)]

    return counts


def test_projects_are_listed_with_their_counts(visitor, shop, till):
    said = visitor.get("/projects").text
    assert shop in said
    assert till in said
    assert said.count("1 memory") >= 2
    assert "Pause recording everywhere" in said


def test_projects_with_one_name_are_told_apart_where_one_is_chosen(call, visitor, place):
    for where in (f"{place}/a/shop", f"{place}/b/shop", f"{place}/barn"):
        call("store_memory", content="Prices are in cents", namespace=where)
    page = visitor.get("/find").html
    for words in ("a/shop", "b/shop", "barn"):
        assert len(re.findall(rf"<option [^>]*{place}/[^>]*>{words}</option>", page)) == 2  # the switcher, the filter


def test_what_belongs_to_no_project_is_what_its_page_leads_to(call, visitor, shop):
    call("store_memory", content="Belongs nowhere")
    where = next(each for each in visitor.get("/projects/one", name="").links.values() if each.startswith("/find"))
    found = visitor.get(where).text
    assert "Belongs nowhere" in found
    assert "Prices are in cents" not in found


def test_another_project_is_asked_the_same(call, visitor, shop):
    for where, kept in (("/find", {"q": "cents", "tag": "x"}), ("/timeline", {"what": "decisions"}), ("/", {})):
        switcher = next(each for each in visitor.get(where, **kept).forms if each.action == where)
        assert {name: value for name, value in switcher.values if value} == kept


def test_short_names_of_projects_end():
    names = ["", "no project", "shop", "/a/shop", "a/shop", "/", "//", "C:\\x\\shop", "C:/x/shop"]
    found = labels(names)
    assert found.keys() == set(names)
    assert found[""] == "no project"
    assert labels(["/src/x/shop", "/src/y/shop"]) == {"/src/x/shop": "x/shop", "/src/y/shop": "y/shop"}


def test_an_unknown_project_is_not_found(visitor):
    assert visitor.get("/projects/one?name=/src/nothing").status == 404


def test_everything_of_a_project_moves_to_another_and_comes_back(visitor, shop, till, counts):
    visitor.get(f"/projects/one?name={till}")
    moved = visitor.post("/projects/move", name=till, to=shop)
    assert moved.status == 200
    assert counts() == [2, 0]
    moved.submit("Undo")
    assert counts() == [1, 1]


def test_a_move_takes_what_a_clock_that_ran_ahead_stored(call, visitor, shop, till, counts):
    ahead = {"content": "Of tomorrow", "namespace": till, "created_at": "2099-01-01T00:00:00Z"}
    call("import_memories", memories=[ahead])
    visitor.get(f"/projects/one?name={till}")
    assert visitor.post("/projects/move", name=till, to=shop).status == 200
    assert counts() == [3, 0]


def test_a_move_needs_another_project(visitor, till, counts):
    visitor.get("/projects")
    for to in ("", "  ", till):
        assert visitor.post("/projects/move", name=till, to=to).status == 400
    assert counts() == [1, 1]


def test_a_purge_shows_first_what_goes_and_deletes_nothing(visitor, shop, counts):
    said = visitor.get(f"/projects/purge?name={shop}").text
    assert "What a purge would delete" in said
    assert "memory 1" in said
    assert counts() == [1, 1]


def test_a_purge_needs_the_name_typed(visitor, shop, counts):
    visitor.get(f"/projects/purge?name={shop}")
    refused = visitor.post("/projects/purge", name=shop, typed="shop")
    assert refused.status == 400
    assert "Nothing was deleted" in refused.text
    assert counts() == [1, 1]
    done = visitor.post("/projects/purge", name=shop, typed=shop)
    assert done.status == 200
    assert "Purged, for good" in done.text
    assert counts() == [0, 1]
    assert "Nothing is stored of it" in visitor.get(f"/projects/purge?name={shop}").text


def test_recording_is_paused_and_resumed(visitor, data, shop):
    page = visitor.get(f"/projects/one?name={shop}").submit("Pause recording")
    assert "Recording is off for shop" in page.text
    assert set(json.loads((data / "paused.json").read_text())) == {shop}
    assert "recording is off" in visitor.get("/projects").text
    assert "Recording is on" in page.submit("Record again").text
    assert not (data / "paused.json").exists()


def test_recording_again_ends_the_pauses_of_all_clones(visitor, data, place):
    for name, origin in (("shop", "example.org/shop"), ("clone", "example.org/shop"), ("till", "example.org/till")):
        pausing.pause(str(data), f"{place}/{name}", left_out=False, origin=origin)
    visitor.get("/projects")
    assert visitor.post("/projects/recording", name=f"{place}/clone", recorded="1").status == 200
    assert set(pausing.paused(str(data))) == {f"{place}/till"}
    pausing.resume(str(data), f"{place}/till")


def test_recording_is_paused_everywhere(visitor):
    visitor.get("/projects")
    assert "Recording is off everywhere" in visitor.post("/projects/recording", name="*", recorded="0").text
    assert "Recording is off everywhere" not in visitor.post("/projects/recording", name="*", recorded="1").text


def test_pauses_that_cannot_be_read_are_a_pause_of_everything(visitor, data):
    (data / "paused.json").write_text("[]")
    assert "Recording is off everywhere" in visitor.get("/projects").text
    (data / "paused.json").unlink()


# --- Other visitors ---


@pytest.fixture
def limited(with_token, shop):
    """A visitor with a token that is limited to one project."""
    return with_token("admin", shop)


def test_a_limited_visitor_sees_its_projects_and_nothing_of_this_machine(limited, shop, till):
    for said in (limited.get("/projects").text, limited.get(f"/projects/one?name={shop}").text):
        assert shop in said
        assert till not in said
        assert "ecording" not in said
        assert "urge" not in said
    assert limited.get(f"/projects/one?name={till}").status == 404


def test_a_limited_visitor_changes_nothing_of_this_machine(limited, data, shop):
    limited.get("/projects")
    assert limited.post("/projects/purge", name=shop, typed=shop).status == 403
    for name in (shop, "*"):
        assert limited.post("/projects/recording", name=name, recorded="0").status == 403
    assert not (data / "paused.json").exists()
    assert "1 memory" in limited.get("/projects").text


def test_a_visitor_who_may_only_write_neither_moves_nor_purges(with_token, shop, till):
    writer = with_token("write")
    assert "Move everything" not in writer.get(f"/projects/one?name={shop}").text
    assert writer.post("/projects/move", name=shop, to=till).status == 403
    assert writer.get(f"/projects/purge?name={shop}").status == 403
    assert writer.post("/projects/purge", name=shop, typed=shop).status == 403
    assert shop in writer.get("/projects").text
