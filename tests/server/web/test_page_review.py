"""The page of review: a card at a time and a list, undo, edits, and the switch of a project that is not recorded."""

import pytest

from command_line import done, opened
from http_server import HttpServer
from indelible.capture import ingest, pausing, promotion
from indelible.core.records.trust import is_confirmed
from indelible.store.tables import records
from indelible.toolsets.memory import memories
from page_client import Visitor
from told import repository, spooled, whole_session

pytestmark = pytest.mark.process


@pytest.fixture
def data(tmp_path):
    """A store in which a session was captured: four memories wait."""
    data = tmp_path / "data"
    with opened(data) as ctx:
        spooled(data, whole_session(repository(tmp_path / "app")).events)
        assert ingest.drain(ctx).memories == 4
    return data


@pytest.fixture
def waiting(data):
    with opened(data) as ctx:
        return promotion.waiting(ctx, 10)[0]


@pytest.fixture
def visitor(data):
    with HttpServer(data) as server:
        yield Visitor(server)


def left(data):
    with opened(data) as ctx:
        return [record.key for record in promotion.waiting(ctx, 10)[0]]


def stored(data, record):
    with opened(data) as ctx, ctx.store.read() as tx:
        return records.by_ids(tx, [record.id]).get(record.id)


def test_the_newest_is_shown_with_its_speaker_its_session_and_what_stands_around_it(visitor, waiting):
    page = visitor.get("/review")
    assert waiting[0].text.split("\n")[0] in page.text
    assert "4 wait" in page.text
    assert waiting[0].session in page.text
    spoken = next(n for n, record in enumerate(waiting) if record.metadata.get("stated_by") == "user")
    for _ in range(spoken):
        page = page.follow("Later")
    assert "Said by you" in page.text


def test_keep_drop_and_undo_end_in_the_state_that_the_store_shows(visitor, data, waiting):
    page = visitor.get("/review").submit("Keep")
    assert is_confirmed(stored(data, waiting[0]))
    page = page.submit("Drop")
    assert stored(data, waiting[1]) is None
    assert left(data) == [record.key for record in waiting[2:]]
    page = page.submit("Undo")
    assert left(data) == [record.key for record in waiting[1:]]
    assert waiting[1].text.split("\n")[0] in page.text


def test_later_leaves_a_card_and_after_the_last_they_can_begin_again(visitor, data, waiting):
    page = visitor.get("/review")
    for record in waiting[1:]:
        page = page.follow("Later")
        assert record.text.split("\n")[0] in page.text
    page = page.follow("Later")
    assert "4 you put off wait still" in page.text
    assert waiting[0].text.split("\n")[0] in page.follow("Begin again").text
    assert left(data) == [record.key for record in waiting]


def test_an_edit_is_kept_as_it_was_typed(visitor, data, waiting):
    visitor.get("/review").follow("Edit").submit("Keep this text", text="Totals are rounded at the end.\nAlways.")
    kept = stored(data, waiting[0])
    assert (kept.text, is_confirmed(kept)) == ("Totals are rounded at the end.\nAlways.", True)


def test_an_empty_edit_is_refused_and_the_card_stays(visitor, data, waiting):
    page = visitor.get("/review").follow("Edit").submit("Keep this text", text="  ")
    assert page.status == 400
    assert left(data) == [record.key for record in waiting]


def test_what_changed_meanwhile_is_said_and_what_was_typed_is_not_lost(visitor, data, waiting):
    page = visitor.get("/review").follow("Edit")
    with opened(data) as ctx:
        memories.update(ctx, waiting[0].key, "Changed by another", None)  # which confirms it too
    page = page.submit("Keep this text", text="typed here")
    assert page.status == 409
    assert "Your text, which was not kept" in page.text
    assert "typed here" in page.text
    assert waiting[1].text.split("\n")[0] in page.text  # the next card, not to be kept with that text
    assert "textarea" not in page.html
    assert stored(data, waiting[0]).text == "Changed by another"


def test_a_text_that_was_refused_stays_in_the_form_of_its_own_card(visitor, data, waiting):
    page = visitor.get("/review").follow("Later").follow("Edit")
    page = page.submit("Keep this text", text=waiting[0].text)  # which another has
    assert page.status == 409
    page = page.submit("Keep this text", text="Another text")
    assert stored(data, waiting[1]).text == "Another text"


def test_a_key_that_was_pressed_twice_decides_once(visitor, data, waiting):
    page = visitor.get("/review")
    page.submit("Keep")
    again = page.submit("Keep")
    assert again.status == 200
    assert left(data) == [record.key for record in waiting[1:]]
    assert page.submit("Drop").status == 409
    page = visitor.get("/review")
    page.submit("Drop")
    assert page.submit("Drop").status == 200
    assert page.submit("Keep").status == 409
    assert left(data) == [record.key for record in waiting[2:]]


@pytest.mark.parametrize(("button", "confirmed"), [("Keep the selected", True), ("Drop the selected", None)])
def test_the_selected_of_the_list_are_decided_on_and_undone_as_one(visitor, data, waiting, button, confirmed):
    page = visitor.get("/review?view=list")
    assert page.ids == [record.key for record in waiting]
    page = page.submit(button, ("id", page.ids[0]), ("id", page.ids[2]))
    assert left(data) == [waiting[1].key, waiting[3].key]
    found = stored(data, waiting[0])
    assert (found and is_confirmed(found)) == confirmed
    page.submit("Undo")
    assert left(data) == [record.key for record in waiting]


def test_nothing_selected_is_said(visitor, data, waiting):
    assert visitor.get("/review?view=list").submit("Keep the selected").status == 400
    assert left(data) == [record.key for record in waiting]


def test_the_project_of_the_switcher_holds(visitor, waiting):
    assert "4 wait" in visitor.get(f"/review?project={waiting[0].namespace}").text
    page = visitor.get("/review?project=/elsewhere")
    assert "Nothing to review." in page.text
    assert waiting[0].text.split("\n")[0] in page.follow("Look in all projects").text


def test_nothing_waits(visitor, data):
    with opened(data) as ctx:
        promotion.promote_all(ctx, promotion.all_waiting(ctx))
    assert "Nothing to review." in visitor.get("/review").text


def test_a_project_that_is_not_recorded_is_named_with_the_switch(visitor, data, tmp_path):
    with opened(data) as ctx:
        inbox = ctx.settings.inbox
    pausing.pause(inbox, str(tmp_path / "shop"), left_out=False)
    page = visitor.get("/review")
    assert "Recording is off for shop" in page.text
    page = page.submit("Record again")
    assert "Recording is off" not in page.text
    assert pausing.paused(inbox) == {}


def test_only_a_visitor_of_the_machine_sees_and_turns_the_switch(data, tmp_path):
    secret = done("token", "create", "remote", "--scope", "admin", data=data).strip()
    with opened(data) as ctx:
        inbox = ctx.settings.inbox
    pausing.pause(inbox, "shop", left_out=False)
    with HttpServer(data) as server:
        remote = Visitor(server, secret)
        page = remote.get("/review")
        assert "Recording is off" not in page.text
        key = page.form_key
        assert remote.post("/review/resume", [("form_key", key), ("off", "shop")]).status == 403
    assert list(pausing.paused(inbox)) == ["shop"]


def test_a_token_that_may_only_read_sees_the_card_and_decides_on_nothing(data, waiting):
    secret = done("token", "create", "reader", "--scope", "read", data=data).strip()
    with HttpServer(data) as server:
        reader = Visitor(server, secret)
        page = reader.get("/review")
        assert waiting[0].text.split("\n")[0] in page.text
        assert not any("Keep" in name for form in page.forms for name in form.buttons)
        values = [("form_key", page.form_key), ("id", waiting[0].key), ("decision", "drop")]
        assert reader.post("/review/decide", values).status == 403
        assert reader.post("/review/selected", values).status == 403
    assert left(data) == [record.key for record in waiting]
