"""A user's words that are kept: rules and decisions however short, and nothing that is only of the moment."""

from __future__ import annotations

import json

import pytest

from indelible.extraction import measures, statements
from indelible.extraction.statements import Head, Prompt


def kept(text, **place):
    return [each.text for each in statements.statements(Prompt(text, **place), working=True)]


@pytest.mark.parametrize(
    "said",
    [
        "We decided to use 3 retries because the upstream API is flaky",
        "We use pnpm here, never npm",
        "Never log customer emails",
        "pnpm instead of npm",
        "tabs instead of spaces please",
        "We'll deploy on Fly, not Heroku",
        "always run the tests before you commit",
        "please ask me before you install a package",
        "the API returns cents, not dollars",
        "don't use mocks in tests, use real objects",
        "we don't want parser.go separate from lexer.go, let's merge those 2 files",
        "yes, the log directory should not be in session.go, that's what paths.go is for",
    ],
)
def test_rules_and_choices_of_a_user_are_kept(said):
    assert kept(said) == [said.removeprefix("yes, ")]


@pytest.mark.parametrize(
    "said",
    [
        "fix the failing test",
        "commit and push",
        "can you run the tests?",
        "what does this function do?",
        "for now use the old endpoint, not the new one",
        "let's try redis instead of memcached",
        "maybe we could use sqlite instead of postgres",
        "if we use Kafka, not NATS, we need a second server",
        "someone said to always use yarn instead of npm",
        "the build is broken again",
        "for 3 drop utc, not gmt",
        "My sister always calls me on Sundays because she is alone",
        "Sarah is on vacation until Monday",
        "2026-01-01T10:00:00Z 200 GET /api/users, not cached 12ms 0x3f 0x41 0x77",
        "",
        "   \n\n ",
    ],
)
def test_tasks_questions_status_wishes_of_the_moment_and_people_are_not_kept(said):
    assert kept(said) == []


@pytest.mark.parametrize(
    "said",
    [
        "Remember: the formatter's snapshots are accepted with cargo insta accept",
        "Please remember that the staging database is wiped every night.",
        "Don't forget: releases are tagged by hand.",
        "Keep in mind that the CI runner has no docker.",
        "For future reference: the invoices of 2019 have no tax.",
    ],
)
def test_what_a_user_asks_to_be_remembered_is_kept_and_told_at_once(said):
    (found,) = statements.statements(Prompt(f"thanks. {said}"), working=True)
    assert (found.text, found.kind, found.own) == (said, "rule", True)


@pytest.mark.parametrize(
    "said",
    [
        "Do you remember that bug in the importer?",
        "I remember that the importer used redis once",
        "Remember that bug in the importer, look at it again",
        "Remember to commit before you push the branch",
    ],
)
def test_what_a_user_remembers_or_is_to_be_done_now_is_not_kept(said):
    assert kept(said) == []


@pytest.mark.parametrize("greeting", ["Hi Claude! ", "hello, ", "Good morning.\n\n", "thanks! "])
def test_a_greeting_before_a_rule_is_no_part_of_it(greeting):
    for rule in ("We use pnpm here, never npm", "Remember: the API returns cents, never floats."):
        assert kept(f"{greeting}{rule}") == [rule]
    assert kept("Hello World is printed by main.py, never by a test") == [
        "Hello World is printed by main.py, never by a test"
    ]


def test_a_question_behind_a_rule_is_no_part_of_it():
    rule = "Never use unwrap() in the parser; return a ParseError instead."
    assert kept(f"{rule} Why does the lexer choke on f-strings?") == [rule]
    why = "We use SQLite instead of Redis for the cart. Why: it needs no server."
    assert kept(why) == [why]


def test_text_in_fences_and_quotations_is_not_the_users():
    assert kept("```\nNever log customer emails\n```\n> We use pnpm here, never npm\n\nsee above") == []


def test_neighbours_in_a_paragraph_are_one_statement_with_what_the_first_refers_to():
    prompt = (
        "Look at the importer, it is slow. The CSV reader holds the whole file. That should always go through the "
        "streaming API in reader.py instead of read_all, because files have up to 10 GB. Never read one whole.\n\n"
        "Can you run the benchmark on the small file and show me the table that it prints, beside the old figures?"
    )
    assert kept(prompt) == [
        "The CSV reader holds the whole file. That should always go through the streaming API in reader.py instead of "
        "read_all, because files have up to 10 GB. Never read one whole."
    ]


def test_other_languages_have_the_rules_of_decisions_only():
    german = "Ab jetzt schreiben wir alle Zeitstempel der Webhooks in UTC. Die Tests laufen bei mir nicht, schau mal."
    assert kept(german) == ["Ab jetzt schreiben wir alle Zeitstempel der Webhooks in UTC."]
    assert kept("ログには常にUTCを使ってください") == []


def test_the_kinds_of_statements():
    kinds = {
        "Never log customer emails": "rule",
        "We'll deploy on Fly, not Heroku": "decision",
        "yes, the log directory should not be in session.go, that's what paths.go is for": "rule",
    }
    found = {text: statements.statements(Prompt(text), working=True)[0].kind for text in kinds}
    assert found == kinds


def test_the_best_is_found_in_a_prompt_of_any_size():
    filler = "Run the script once more and show me the output of it.\n\n" * 100
    rule = "We use pnpm here, never npm, because the lock file of npm broke the release twice."
    assert kept(f"{filler}{rule}\n\n{filler}") == [rule]


def test_answers_of_a_question_tool_are_read_in_each_form():
    assert statements.answered(
        'User has answered your questions: "Which one?"="pnpm, not npm", "And?"="B". Go on.'
    ) == [
        "pnpm, not npm",
        "B",
    ]
    assert statements.answered(json.dumps({"answers": {"Which?": "pnpm, not npm"}, "questions": []})) == [
        "pnpm, not npm"
    ]
    assert statements.answered("**Which?**\n\nOptions:\n- **A** - one\n\n**Answer:** pnpm, not npm") == [
        "pnpm, not npm"
    ]
    assert statements.answered('{"answers": ["x"]}') == []
    assert statements.answered("{not json") == []


def test_a_prompt_knows_what_came_before_it():
    tool = {"what": "tool", "tool": "Bash", "action": "command"}
    asks = {"what": "turn_ended", "text": "Done. Which one do you want?"}
    events = [
        {"what": "prompt", "text": "a"},
        asks,
        {"what": "prompt", "text": "b"},
        tool,
        {"what": "prompt", "text": "c"},
    ]
    said = [each for prompts in statements.prompts(events) for each in prompts]
    assert said == [Prompt("a", first=True), Prompt("b", answers=True), Prompt("c", interrupted=True, answers=True)]


def test_a_command_of_the_client_says_nothing_and_a_chosen_option_was_not_typed():
    rule = "We use pnpm here, never npm"
    asked = {"what": "tool", "tool": "AskUserQuestion", "output": json.dumps({"answers": {"Which?": rule}})}
    events = [{"what": "prompt", "text": f"/review {rule}"}, asked, {"what": "prompt", "text": f"/srv/app/a.py {rule}"}]
    command, answer, path = statements.prompts(events)
    assert command == []
    assert [each.text for each in path] == [f"/srv/app/a.py {rule}"]
    (chosen,) = statements.statements(answer[0], working=True)
    assert (chosen.text, chosen.own) == (rule, False)
    (typed,) = statements.statements(Prompt(rule), working=True)
    assert typed.own


def test_the_trained_head_has_a_weight_for_each_measure():
    place = measures.Place(0, 1, 10)
    assert set(statements.trained().weights) == set(measures.measures("x", place))
    head = Head(dict.fromkeys(statements.trained().weights, 0.0), constant=-5.0, threshold=0.0)
    assert statements.statements(Prompt("the tests should always use the real database"), working=True, head=head) == []


def test_words_and_pairs_of_words_count_once_each_and_the_ends_of_a_sentence_are_words():
    words = {"<", "< we", "we", "we don't", "don't", "don't use", "use", "use :", ":", ": >", ">"}
    assert measures.words_of("We don’t use:") == words
    place = measures.Place(0, 1, 10)
    nothing = dict.fromkeys(measures.measures("x", place), 0.0)
    head = Head(nothing, constant=1.0, threshold=0.0, words={"< we": 0.5, "never": -2.0, "use": 0.25})
    assert head.score("We use it, we use it", place) == 1.75
    assert head.score("we never do", place) == -0.5


# --- What waits for a review ---


def stated(text):
    return [(each.text, each.own) for each in statements.statements(Prompt(text), working=True)]


@pytest.mark.parametrize(
    "text",
    [
        "We should always write the lock file in the index, can you update the recorded file of it",
        "Seems the index should always write the lock file instead of the cache",
        "When --json is used in a command we should never print this",
    ],
)
def test_what_asks_supposes_or_points_ahead_is_kept_and_waits_for_a_review(text):
    assert stated(text) == [(text, False)]


@pytest.mark.parametrize(
    ("text", "kept_as"),
    [
        ("yes, the log directory should never be in session.go", "the log directory should never be in session.go"),
        ("no man... never log customer emails in the importer", "never log customer emails in the importer"),
        ("ok, right, we use pnpm here, never npm", "we use pnpm here, never npm"),
        ("No mocks, we use the real database in tests, never a fake", None),
    ],
)
def test_the_opening_of_a_reply_is_left_out_of_what_is_kept(text, kept_as):
    assert [each for each, _ in stated(text)] == [kept_as or text]


def test_who_is_to_be_asked_is_a_rule():
    ((text, own),) = stated("you are to ask me about schema changes")
    assert (text, own) == ("you are to ask me about schema changes", True)


def test_a_plan_that_the_client_hands_on_says_nothing():
    plan = "Implement the following plan:\n\n# Plan\n\nWe always write the lock file, never the cache."
    assert list(statements.prompts([{"what": "prompt", "text": plan}])) == [[]]


# --- The task of the moment ---

MOMENTS = (
    "I'd like to make sure it works in the pre-built UI before going further with the frontend.",
    "Let's create a new git branch to work on this and switch over to it.",
    "Ok let's resume, I'd like to test the command manually myself.",
    "I'd like your help adding this template to the repo.",
    "I need to figure out how this software loads the chapter data.",
    "I'm just curious to know which roles those would be, no need to write any code.",
    "Next, I'd like to commit what we've worked on to git.",
    "Don't take any action yet, I want to see the differences first.",
)


@pytest.mark.parametrize("text", MOMENTS)
def test_the_task_of_the_moment_is_not_kept_however_it_is_wished_for(text):
    assert kept(text) == []


@pytest.mark.parametrize(
    "text",
    [
        "Don't take the mock database, we always use the real one.",
        "We need JSON for the extension, but the default output should be for humans.",
        "Let's put the table into list.go rather than a new table.go.",
    ],
)
def test_a_wish_that_lasts_is_kept(text):
    assert kept(text)
