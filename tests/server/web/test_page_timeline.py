"""The timeline: by day and project, filters, older pages, the bars, and what is stored now, live."""

import re
from datetime import UTC, datetime, timedelta

import pytest

from command_line import opened
from indelible.toolsets import registry

pytestmark = pytest.mark.process

TODAY = datetime.now(UTC).replace(hour=0, minute=5, second=0, microsecond=0)


def stored(data, when, tool, **arguments):
    with opened(data, clock=lambda: when) as ctx:
        return registry.call(ctx, registry.find_tool(tool), arguments).value


@pytest.fixture(scope="module")
def data(tmp_path_factory):
    data = tmp_path_factory.mktemp("timeline") / "data"
    for number in range(3):
        when = TODAY - timedelta(days=number, seconds=1)
        for project in ("shop", "blog"):
            given = {"content": f"Note {number} of {project}", "namespace": project}
            stored(data, when, "store_memory", **given, memory_type="decision" if number else "insight")
    failure = {"errorType": "runtime", "errorMessage": "No module named cart", "rootCause": "not installed"}
    stored(data, TODAY - timedelta(days=40), "matrix_failure", **failure, fixApplied="pip install cart")
    parts = [{"name": f"Part {number}", "entityType": "Component"} for number in range(60)]  # all of one moment
    stored(data, TODAY - timedelta(days=50), "create_entities", entities=parts)
    return data


def texts(page):
    return re.findall(r"data-open>([^<]*)</a>", page.html)


def walked(page):
    found = texts(page)
    while "Older" in page.links:
        page = page.follow("Older")
        found += texts(page)
    return found


def test_the_newest_stand_first_under_their_day_and_project(visitor):
    page = visitor.get("/timeline")
    days = re.findall(r'<time datetime="(\d{4}-\d\d-\d\d)">', page.html)
    assert days[:3] == [(TODAY - timedelta(days=number, seconds=1)).date().isoformat() for number in range(3)]
    found = texts(page)
    assert {frozenset(found[at : at + 2]) for at in (0, 2, 4)} == {
        frozenset((f"Note {number} of shop", f"Note {number} of blog")) for number in range(3)
    }
    assert re.findall(r"<h3[^>]*>(\w+)</h3>", page.html)[:2] in (["shop", "blog"], ["blog", "shop"])


def test_older_pages_lead_to_each_record_once_also_those_of_one_moment(visitor):
    found = walked(visitor.get("/timeline"))
    assert len(found) == len(set(found))
    assert {f"Part {number}" for number in range(60)} <= set(found)
    assert {f"Note {number} of {name}" for number in range(3) for name in ("shop", "blog")} <= set(found)


def test_a_project_alone_has_no_record_of_others(visitor):
    found = walked(visitor.get("/timeline?project=blog"))
    assert found == ["Note 0 of blog", "Note 1 of blog", "Note 2 of blog"]


@pytest.mark.parametrize(
    ("what", "expected"),
    [
        ("decisions", {f"Note {number} of {name}" for number in (1, 2) for name in ("shop", "blog")}),
        ("sessions", set()),
        ("commits", set()),
        ("documents", set()),
    ],
)
def test_a_filter_shows_its_own(visitor, what, expected):
    assert set(walked(visitor.get(f"/timeline?what={what}"))) == expected


def test_failures_are_one_filter(visitor):
    (found,) = texts(visitor.get("/timeline?what=failures"))
    assert "No module named cart" in found


def test_the_bars_count_the_last_thirty_days(visitor):
    page = visitor.get("/timeline")
    counted = dict(re.findall(r"<title>(\d{4}-\d\d-\d\d): (\d+)</title>", page.html))
    assert len(counted) == 30
    assert {day: int(count) for day, count in counted.items() if count != "0"} == {
        (TODAY - timedelta(days=number, seconds=1)).date().isoformat(): 2 for number in range(3)
    }
    assert "6 in 30 days" in page.text


@pytest.mark.parametrize("query", ["what=nothing", "before=soon", "before=1e9"])
def test_an_address_that_means_nothing_is_refused_with_what_is_allowed(visitor, query):
    page = visitor.get(f"/timeline?{query}")
    assert page.status == 400
    assert "must be" in page.text


def live(page):
    """Where the page listens for what is stored."""
    return re.search(r'sse-connect="([^"]*)"', page.html)[1].replace("&amp;", "&")


def first_row(events):
    return next(event for event in events if event.startswith("event: record"))


def test_what_is_stored_among_much_else_comes_to_the_list_as_if_it_were_alone(visitor, call):
    """One transaction stores a document with all its parts, or an import."""
    guide = "".join(f"# Part {number}\n\n{f'Words of part {number}. ' * 40}\n\n" for number in range(40))
    with visitor.stream(live(visitor.get("/timeline?what=documents"))) as events:
        assert next(events).startswith("event: ready")
        call("store_memory", content=guide, namespace="shop", resource_type="document", file_name="guide.md")
        assert "guide.md" in first_row(events)
    imported = [{"content": f"Imported {number}", "namespace": "blog"} for number in range(250)]
    with visitor.stream(live(visitor.get("/timeline?project=shop"))) as events:
        assert next(events).startswith("event: ready")
        call("import_memories", memories=[{"content": "Of the shop", "namespace": "shop"}, *imported])
        assert "Of the shop" in first_row(events)


def test_each_link_of_a_filtered_timeline_stays_in_the_project(visitor, call):
    call("store_memory", content="Of no project here")
    page = visitor.get("/timeline?project=-")
    assert {"Of no project here"} <= set(texts(page)) == set(texts(page.follow("Everything")))
    assert texts(page.follow("Decisions")) == []


def test_only_what_belongs_to_no_project_comes_to_its_list(visitor, call):
    with visitor.stream(live(visitor.get("/timeline?project=-"))) as events:
        assert next(events).startswith("event: ready")
        call("store_memory", content="Of the blog again", namespace="blog")
        call("store_memory", content="Of no project")
        assert "Of no project" in first_row(events)


def test_what_is_stored_now_comes_to_the_list_if_it_is_of_its_filter(server, visitor):
    with visitor.stream(live(visitor.get("/timeline?what=decisions&project=shop"))) as events:
        assert next(events).startswith("event: ready")
        server.call("store_memory", {"content": "An insight now", "namespace": "shop", "memory_type": "insight"})
        server.call("store_memory", {"content": "Elsewhere now", "namespace": "blog", "memory_type": "decision"})
        server.call("store_memory", {"content": "A decision now", "namespace": "shop", "memory_type": "decision"})
        row = next(event for event in events if event.startswith("event: record"))
    assert "A decision now" in row
    assert "An insight" not in row
    assert "Elsewhere" not in row


def test_a_stream_that_was_lost_brings_what_was_stored_meanwhile(visitor, call):
    call("store_memory", content="Stored before the gap", namespace="gap")
    where = live(visitor.get("/timeline?project=gap"))
    with visitor.stream(where) as events:
        had = re.search(r"^id: (\d+)$", next(events), re.MULTILINE)[1]
    call("store_memory", content="Stored in the gap", namespace="gap")
    with visitor.stream(where, Last_Event_ID=had) as events:
        assert "Stored in the gap" in first_row(events)
        assert "id: " in next(each for each in events if each.startswith("event: beat"))


@pytest.mark.parametrize("had", ["9999999999999999999", "999999999999999999", "-1", "x"])
def test_a_stream_that_claims_what_cannot_be_begins_now(visitor, call, place, had):
    call("store_memory", content="Before", namespace=place)
    with visitor.stream(live(visitor.get(f"/timeline?project={place}")), Last_Event_ID=had) as events:
        assert next(events).startswith("event: ready")
        call("store_memory", content="And now", namespace=place)
        assert "And now" in first_row(events)
