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
