"""Two statements are one that was said twice only if nothing that decides is different."""

import pytest

from indelible.search.statements.repeated import say_the_same

SAME = (
    ("We use pnpm here for all packages, never npm.", "we use pnpm for all packages here, never npm"),
    ("Always run the linter before you commit a change", "always run the linter before you commit changes"),
    (
        "Build paths in path_utils with a function of its own.",
        "Build the paths in path_utils with a function of its own",
    ),
    ("Никогда не пишите письма клиентов в журнал сервера", "никогда не пишите письма клиентов в журнал сервера!"),
)
OTHER = (
    ("Use 3 retries for every call of the upstream API", "Use 5 retries for every call of the upstream API"),
    ("Use tabs, not spaces, in all files of the project", "Use spaces, not tabs, in all files of the project"),
    ("Never log the emails of customers on the server", "Log the emails of customers on the server"),
    ("Put GetLogPath into path_utils beside the others", "Put GetTmpPath into path_utils beside the others"),
    ("The queue of the billing service is in Postgres", "The cache of the web frontend is in Redis"),
    ("use pnpm", "use pnpm"),  # too short to be told from others
    ("", ""),
)


@pytest.mark.parametrize(("one", "other"), SAME)
def test_the_same_in_nearly_the_same_words_is_the_same(one: str, other: str) -> None:
    assert say_the_same(one, other)
    assert say_the_same(other, one)


@pytest.mark.parametrize(("one", "other"), OTHER)
def test_what_differs_in_what_decides_is_not(one: str, other: str) -> None:
    assert not say_the_same(one, other)
    assert not say_the_same(other, one)


def test_long_texts_are_compared_too() -> None:
    assert say_the_same("word " * 2_000, "word " * 2_000)
    assert not say_the_same("word " * 2_000, "other " * 2_000)
