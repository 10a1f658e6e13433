"""The page of review: a card at a time and a list, undo, edits, and the switch of a project that is not recorded."""

from urllib.parse import urlencode

import pytest

from indelible.capture import ingest, pausing, promotion
from indelible.core.records.trust import is_confirmed, typed_by
from indelible.store.tables import records
from indelible.toolsets.memory import memories
from told import repository, spooled, whole_session

pytestmark = pytest.mark.process


@pytest.fixture
def waiting(ctx, data, tmp_path):
    """The four memories that were captured of a session in a project of this test's own, the newest first."""
    session = f"s{tmp_path.name}"
    spooled(data, whole_session(repository(tmp_path / "app"), session).events)
    ingest.drain(ctx, wait=True)  # the server may have taken some of it in already
    found = [record for record in promotion.all_waiting(ctx) if record.session.endswith(session)]
    assert len(found) == 4
    return found


@pytest.fixture
def where(waiting):
    """The address of the review of that project."""
    return f"/review?{urlencode({'project': waiting[0].namespace})}"


def test_what_the_reader_typed_is_said_to_be_in_the_reader_s_briefs_elsewhere_it_is_untrusted(visitor, waiting):
    own = [record for record in waiting if typed_by(record)]
    assert 0 < len(own) < len(waiting)
    for record in waiting:
        page = visitor.get(f"/record?{urlencode({'id': record.key})}")
        assert ("In your own briefs." in page.text) == (record in own)
        assert ("Not confirmed" in page.text) == (record not in own)
    listed = visitor.get(f"/find?{urlencode({'project': waiting[0].namespace, 'trust': 'untrusted'})}").html
    assert listed.count('"mark untrusted">in your briefs, not reviewed<') == len(own)
    assert listed.count('"mark untrusted">untrusted<') == len(waiting) - len(own)


@pytest.fixture
def left(ctx, waiting):
    """The keys of those that wait still."""

    def left():
        keys = {record.key for record in waiting}
        return [record.key for record in promotion.all_waiting(ctx) if record.key in keys]

    return left


@pytest.fixture
def stored(ctx):
    def stored(record):
        with ctx.store.read() as tx:
            return records.by_ids(tx, [record.id]).get(record.id)

    return stored


def test_the_newest_is_shown_with_its_speaker_its_session_and_what_stands_around_it(visitor, waiting, where):
    page = visitor.get(where)
    assert waiting[0].text.split("\n")[0] in page.text
    assert "4 wait" in page.text
    assert waiting[0].session in page.text
    spoken = next(n for n, record in enumerate(waiting) if record.metadata.get("stated_by") == "user")
    for _ in range(spoken):
        page = page.follow("Later")
    assert "Said by you" in page.text


def test_the_list_of_what_belongs_to_no_project_has_nothing_of_another(visitor, waiting):
    page = visitor.get("/review?project=-")
    assert "Nothing to review." in page.text
    listed = page.follow("List")
    assert waiting[0].text.split("\n")[0] not in listed.text
    assert "project=-" in listed.links["One at a time"]


def test_keep_drop_and_undo_end_in_the_state_that_the_store_shows(visitor, waiting, where, left, stored):
    page = visitor.get(where).submit("Keep")
    assert is_confirmed(stored(waiting[0]))
    page = page.submit("Drop")
    assert stored(waiting[1]) is None
    assert left() == [record.key for record in waiting[2:]]
    page = page.submit("Undo")
    assert left() == [record.key for record in waiting[1:]]
    assert waiting[1].text.split("\n")[0] in page.text


def test_later_leaves_a_card_and_after_the_last_they_can_begin_again(visitor, waiting, where, left):
    page = visitor.get(where)
    for record in waiting[1:]:
        page = page.follow("Later")
        assert record.text.split("\n")[0] in page.text
    page = page.follow("Later")
    assert "4 you put off wait still" in page.text
    assert waiting[0].text.split("\n")[0] in page.follow("Begin again").text
    assert left() == [record.key for record in waiting]


def test_an_edit_is_kept_as_it_was_typed(visitor, waiting, where, stored):
    visitor.get(where).follow("Edit").submit("Keep this text", text="Totals are rounded at the end.\nAlways.")
    kept = stored(waiting[0])
    assert (kept.text, is_confirmed(kept)) == ("Totals are rounded at the end.\nAlways.", True)


def test_an_empty_edit_is_refused_and_the_card_stays(visitor, waiting, where, left):
    page = visitor.get(where).follow("Edit").submit("Keep this text", text="  ")
    assert page.status == 400
    assert left() == [record.key for record in waiting]


def test_what_changed_meanwhile_is_said_and_what_was_typed_is_not_lost(visitor, waiting, ctx, where, stored):
    page = visitor.get(where).follow("Edit")
    memories.update(ctx, waiting[0].key, "Changed by another", None)  # which confirms it too
    page = page.submit("Keep this text", text="typed here")
    assert page.status == 409
    assert "Your text, which was not kept" in page.text
    assert "typed here" in page.text
    assert waiting[1].text.split("\n")[0] in page.text  # the next card, not to be kept with that text
    assert "textarea" not in page.html
    assert stored(waiting[0]).text == "Changed by another"


def test_a_text_that_was_refused_stays_in_the_form_of_its_own_card(visitor, waiting, where, stored):
    page = visitor.get(where).follow("Later").follow("Edit")
    page = page.submit("Keep this text", text=waiting[0].text)  # which another has
    assert page.status == 409
    page = page.submit("Keep this text", text="Another text")
    assert stored(waiting[1]).text == "Another text"


def test_a_key_that_was_pressed_twice_decides_once(visitor, waiting, where, left):
    page = visitor.get(where)
    page.submit("Keep")
    again = page.submit("Keep")
    assert again.status == 200
    assert left() == [record.key for record in waiting[1:]]
    assert page.submit("Drop").status == 409
    page = visitor.get(where)
    page.submit("Drop")
    assert page.submit("Drop").status == 200
    assert page.submit("Keep").status == 409
    assert left() == [record.key for record in waiting[2:]]


@pytest.mark.parametrize(("button", "confirmed"), [("Keep the selected", True), ("Drop the selected", None)])
def test_the_selected_of_the_list_are_decided_on_and_undone_as_one(
    visitor, waiting, button, confirmed, where, left, stored
):
    page = visitor.get(where + "&view=list")
    assert page.ids == [record.key for record in waiting]
    page = page.submit(button, ("id", page.ids[0]), ("id", page.ids[2]))
    assert left() == [waiting[1].key, waiting[3].key]
    found = stored(waiting[0])
    assert (found and is_confirmed(found)) == confirmed
    page.submit("Undo")
    assert left() == [record.key for record in waiting]


def test_nothing_selected_is_said(visitor, waiting, where, left):
    assert visitor.get(where + "&view=list").submit("Keep the selected").status == 400
    assert left() == [record.key for record in waiting]


def test_the_project_of_the_switcher_holds(visitor, waiting):
    assert "4 wait" in visitor.get(f"/review?project={waiting[0].namespace}").text
    page = visitor.get("/review?project=/elsewhere")
    assert "Nothing to review." in page.text
    assert waiting[0].text.split("\n")[0] in page.follow("Look in all projects").text


def test_nothing_waits(visitor, ctx, waiting, where):
    promotion.promote_all(ctx, waiting)
    assert "Nothing to review." in visitor.get(where).text


def test_a_project_that_is_not_recorded_is_named_with_the_switch(visitor, tmp_path, ctx):
    inbox = ctx.settings.inbox
    pausing.pause(inbox, str(tmp_path / "shop"), left_out=False)
    page = visitor.get("/review")
    assert "Recording is off for shop" in page.text
    page = page.submit("Record again")
    assert "Recording is off" not in page.text
    assert pausing.paused(inbox) == {}


def test_only_a_visitor_of_the_machine_sees_and_turns_the_switch(ctx, with_token):
    inbox = ctx.settings.inbox
    pausing.pause(inbox, "shop", left_out=False)
    remote = with_token("admin")
    assert "Recording is off" not in remote.get("/review").text
    assert remote.post("/projects/recording", name="shop", recorded="1").status == 403
    assert list(pausing.paused(inbox)) == ["shop"]
    pausing.resume(inbox, "shop")


def test_a_token_that_may_only_read_sees_the_card_and_decides_on_nothing(with_token, waiting, where, left):
    reader = with_token("read")
    page = reader.get(where)
    assert waiting[0].text.split("\n")[0] in page.text
    assert not any("Keep" in name for form in page.forms for name in form.buttons)
    for decision in ("/review/decide", "/review/selected"):
        assert reader.post(decision, id=waiting[0].key, decision="drop").status == 403
    assert left() == [record.key for record in waiting]
