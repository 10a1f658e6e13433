"""What is captured as a decision of what a person or an agent says; and what is none, or is taken back."""

import pytest

from captured_of import CWD, of_kind
from indelible.extraction.decisions import decisions
from told import Told


@pytest.mark.parametrize(
    "said",
    [
        "We decided to store amounts in cents as integers, because floats lose money.",
        "ok let's go with Postgres instead of MySQL, we know it better",
        "Decision: JWTs expire after 15 minutes.",
        "**Decision:** refresh tokens live for 30 days.",
        "From now on all timestamps are in UTC.",
        "from now on run the linter before committing",
        "We will use pnpm because the monorepo needs workspaces.",
        "Never commit to main in this repo.",
        "always use uv, never pip",
        "We agreed with the server team that moves are sent as u16.",
        "Going forward, use `X | None` rather than Optional in this codebase.",
        "It was decided that the API has no versions in its paths.",
        "Wir haben uns entschieden, SQLite statt Postgres zu nehmen.",
        "Ab jetzt schreiben wir alle Zeitstempel in UTC.",
        "In diesem Projekt nie Floats für Geld verwenden.",
        "Nous avons décidé de garder Redis pour le cache.",
        "Désormais toutes les dates sont en UTC.",
        "Hemos decidido usar pnpm en lugar de npm.",
        "A partir de ahora todos los importes son enteros en la base de datos.",
    ],
)
def test_a_decision_stated_in_so_many_words_is_captured(said):
    told = Told(CWD)
    told.prompt(f"The build is red, see the log.\n\n{said}\n\nPlease look.")
    told.command("make", "ok")
    found = of_kind("decision", told)
    assert len(found) == 1
    assert found[0].content.rstrip(".") in said.replace("**", "")
    assert found[0].memory_type == "decision"


@pytest.mark.parametrize(
    "said",
    [
        "Should we use Postgres instead of MySQL?",
        "Did we decide to use a src layout?",
        "We could go with Redis instead.",
        "Maybe we decided to use the API of Stripe, I do not remember.",
        "If we decide to use Redis, we need another server.",
        "Once we have decided to use Redis we need a server.",
        "I think we should use Redis because it is fast.",
        "I haven't decided to use Redis.",
        "let's go with that",
        "Let's go with option 2.",
        "let's go with the first one, it is simpler",
        "I decided to look at the database logs first.",
        "They decided to use GraphQL instead of REST.",
        "We install on the schedule that we agreed to.",
        "We decided to use Redis for the cache. Scratch that.",
        "We originally decided to use Redis for the cache.",
        "The team said they wanted to use Redis because of the cache.",
        "```\nwe decided to use Postgres\n```",
        "> we decided to use Redis for the cache",
        "    we decided to use Redis for the cache",
        "2026-01-01 10:00:00 INFO we decided to use the cache server",
        "<system-reminder>\nWe decided to use the database.\n</system-reminder>",
        "You'll sign in with this password from now on.",
        "Wir könnten SQLite statt Postgres nehmen.",
        "Sollen wir pnpm statt npm verwenden?",
        "On pourrait utiliser Redis plutôt que Postgres.",
        "¿Deberíamos usar pnpm en lugar de npm?",
    ],
)
def test_what_is_only_asked_considered_quoted_or_taken_back_is_no_decision(said):
    told = Told(CWD)
    told.prompt(said)
    told.command("make", "ok")
    assert of_kind("decision", told) == []


@pytest.mark.parametrize(
    ("said", "count"),
    [
        ("I chose Alembic over create_all because that never changes a table.", 1),
        ("We settled on TOML for all settings.", 1),
        ("I went with urllib.", 0),
        ("Let's use Redis instead of Postgres because it is faster.", 0),
        ("Always use parameters in queries.", 0),
    ],
)
def test_an_agent_decides_where_it_says_what_it_did_not_take_or_why(said, count):
    told = Told(CWD)
    told.command("make", "ok")
    told.turn(said)
    assert len(of_kind("decision", told)) == count


def test_a_decision_comes_with_its_reason_its_files_and_its_words():
    told = Told(CWD)
    told.prompt("We decided to use bcrypt for passwords. Because the library is there. See src/auth.py for more.")
    (found,) = of_kind("decision", told)
    assert found.content == (
        "We decided to use bcrypt for passwords. Because the library is there. (files: src/auth.py)"
    )
    assert found.metadata["files"] == ["src/auth.py"]
    assert "bcrypt" in found.tags


def test_a_decision_that_the_next_message_takes_back_is_none():
    told = Told(CWD)
    told.prompt("We decided to use Redis for the cache.")
    told.turn("Done.")
    told.prompt("Never mind, the cache can wait.")
    assert of_kind("decision", told) == []


@pytest.mark.parametrize(
    "said",
    [
        "Scratch that.",
        "Never mind.",
        "forget it, we keep the dict",
        "Ignore that and use a dict!",
        "Forget what I said.",
    ],
)
def test_words_alone_take_back_what_was_decided_before(said):
    told = Told(CWD)
    told.prompt("We decided to use Redis for the cache.")
    told.prompt(said)
    assert not [each for each in of_kind("decision", told) if "Redis" in each.content]


@pytest.mark.parametrize(
    "said",
    [
        "Never mind the failing lint, add a health route.",
        "Forget what I said about the button color.",
        "Ignore that warning in main.rs, it is harmless.",
        "Cancel that build and start it again.",
        "Forget it was ever called v1.",
    ],
)
def test_words_about_something_else_take_no_decision_back(said):
    told = Told(CWD)
    told.prompt("We decided to use Redis for the cache.")
    told.prompt(said)
    (found,) = of_kind("decision", told)
    assert "Redis" in found.content


def test_people_who_talk_of_their_lives_decide_nothing_about_the_code():
    assert decisions("We decided to go hiking instead of swimming!", asked=True) == []
    assert decisions("From now on we all eat less sugar.", asked=True) == []
