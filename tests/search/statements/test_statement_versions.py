"""Another value of the same thing is told from another thing, a restatement and an addition."""

import math

import pytest

from indelible.search.statements import versions

NEAR = 0.75  # cosine of two texts about the same


@pytest.mark.parametrize(
    ("older", "newer"),
    [
        ("The lease of a worker lasts 20 seconds", "The lease of a worker lasts 90 seconds"),
        ("Keep three copies of every block", "Keep five copies of every block"),
        ("Begin the names of views with 'vw_'", "Begin the names of views with 'v_'"),
        ("The cleaner runs on every start", "The cleaner does not run on every start"),
        ("Use curl for downloads in scripts", "Use wget instead of curl for downloads in scripts"),
        ("Ana: Nice day! End the names of hooks with '_hk'. Bye", "Ana: So tired. End the names of hooks with '_on'."),
    ],
)
def test_another_value_of_the_same_thing_is_a_version(older, newer):
    assert versions.may_supersede(newer, older, NEAR)


@pytest.mark.parametrize(
    ("older", "newer"),
    [
        ("The lease of a worker lasts 20 seconds", "The ticket of a visitor costs 90 euros"),
        ("The lease of a worker lasts 20 seconds", "A worker's lease lasts 20 seconds"),
        ("The lease of a worker lasts 20 seconds", "The lease of a worker is kept in the table of jobs"),
        ("Fixed a crash when the disk is full", "Fixed a crash when the clock jumps"),
        ("Begin the names of views with 'vw_'", "End the names of exceptions with 'Error'"),
        ("", "Begin the names of views with 'vw_'"),
        ("The cleaner runs on every start", "The cleaner runs on every start"),
    ],
)
def test_another_thing_a_restatement_an_addition_and_a_report_are_none(older, newer):
    assert not versions.may_supersede(newer, older, NEAR)


def test_texts_that_are_far_by_their_vectors_are_not_compared():
    older, newer = "The lease of a worker lasts 20 seconds", "The lease of a worker lasts 90 seconds"
    assert not versions.may_supersede(newer, older, versions.LEAST_COSINE - 0.01)


def test_the_surer_of_several_statements_counts():
    older = "The weather was fine. The lease of a worker lasts 20 seconds."
    newer = "Somebody sold the car. The lease of a worker lasts 90 seconds."
    alone = versions.surest("The lease of a worker lasts 90 seconds.", "The lease of a worker lasts 20 seconds.", NEAR)
    assert versions.surest(newer, older, NEAR) == alone


def test_what_was_measured_is_what_the_weights_are_of():
    (measured,) = versions.measures("The lease lasts 90 seconds", "The lease lasts 20 seconds", NEAR)
    assert len(measured) == len(versions.WEIGHTS)


@pytest.mark.parametrize(
    ("older", "newer"),
    [
        ("get_user(id) returns the user or None", "get_order(id) returns the order or raises KeyError"),
        ("src/parse/lexer.py: opens 2 files", "src/parse/printer.py: opens 3 files"),
        ("`retry_count`: how often an upload is tried, 3 by default", "`retry_delay`: seconds between, 5 by default"),
        ("Uses load_page and save_page, 10 at a time", "Uses open_pool and close_pool, 20 at a time"),
    ],
)
def test_texts_about_different_code_are_no_versions(older, newer):
    assert versions.surest(newer, older, 0.9) == -math.inf


@pytest.mark.parametrize(
    ("older", "newer"),
    [
        (
            "`retry_count`: how often an upload is tried, 3 by default",
            "`retry_count`: uploads are tried 5 times by default",
        ),
        ("The deploy token is read from config/deploy.toml", "The deploy token is now read from config/secrets.toml"),
        ("Deploys run on GitHub Actions", "Deploys now run on CircleCI"),
    ],
)
def test_a_name_of_code_may_be_the_subject_or_the_new_value(older, newer):
    assert versions.surest(newer, older, 0.9) > -math.inf


@pytest.mark.parametrize(
    ("older", "newer"),
    [
        ("Ana: Stop opening a window for each report", "Ana: First off, I want to stress that a report has a window"),
        ("We stopped sealing the crates with tape", "We seal the crates with tape"),
        ("I never want you to seal the crates with tape", "From now on, I want you to seal the crates with tape"),
        ("Avoid tape", "Use tape"),
        ("We are skipping the rinse of the bottles", "From now on, start with the rinse of the bottles"),
        ("Going forward, clean the filter no more than twice a day", "Please clean the filter no more than once a day"),
    ],
)
def test_what_frames_a_statement_is_no_part_of_it_nor_is_the_form_of_a_negation(older, newer):
    assert versions.may_supersede(newer, older, NEAR)


@pytest.mark.parametrize(
    ("older", "newer"),
    [
        ("End the names of hooks with '_hk', please", "Noted, I'll end the names of my hooks with '_hk' from now on"),
        (
            "Ana: Nobody works in the tower on Sundays",
            "Bo: Got it, from now on I will not work in the tower on Sundays",
        ),
        ("Ana: Thanks a lot, take care!", "Ana: No worries, take care!"),
        ("The function is `seal`", "Of each function the crate is `open`, and its colour"),
        ("How many crates are there in the hall?", "How many crates are there now in the yard?"),
        ("Ana: Look! [a picture of two boats on a lake]", "Ana: Here! [a picture of three boats on a river]"),
        ("The rent is due on no later than the third day", "The rent is due on the third day at the latest"),
    ],
)
def test_a_receipt_a_courtesy_a_question_and_a_caption_are_none(older, newer):
    assert not versions.may_supersede(newer, older, NEAR)


@pytest.mark.parametrize(
    ("older", "newer"),
    [
        ("Fixtures of the lab are made by hand", "Fixtures of the lab are made by the robot"),
        ("The error page is blue", "The error page is green"),
        ("Add '@seen' to every public handler", "Add '@traced' to every public handler"),
        ("Fixtures need at most 3 lines", "Fixtures need at most 5 lines"),
    ],
)
def test_what_begins_like_a_report_may_be_none(older, newer):
    assert versions.may_supersede(newer, older, NEAR + 0.1)


def test_a_name_of_several_parts_is_one_word():
    (measured,) = versions.measures("FastAPI runs behind Caddy", "FastAPI runs behind Nginx", NEAR)
    assert measured == versions.measures("Fastapi runs behind Caddy", "Fastapi runs behind Nginx", NEAR)[0]


def test_texts_that_begin_with_different_names_of_code_are_about_these():
    older = "src/store/lake.py: defines LakeStore, open_all, update, read_all, write_all."
    newer = "src/store/river.py: defines RiverStore, open_all, update, read_all, write_all."
    assert versions.surest(newer, older, 0.95) == -math.inf
