"""Files that usually change together."""

from indelible.source.history.cochange import HALF_LIFE, MOST_FILES, MOST_FILES_OF_SERIES, WITHIN, CoChanges
from indelible.source.history.log import Commit, FileChange


def commit(
    *paths: str,
    time: int = 0,
    parents: tuple[str, ...] = ("p",),
    renamed: str = "",
    count: int = 0,
    author: str = "",
) -> Commit:
    files = tuple(FileChange("R" if renamed else "M", path, renamed) for path in paths)
    return Commit("h", parents, time, author, "", "", files, count or len(files))


def test_what_changed_together_more_often_is_likelier() -> None:
    history = [commit("a", "b")] * 3 + [commit("a", "c")] + [commit("d", "e")] * 9
    found = CoChanges(history).beside({"a"})
    assert found.keys() == {"b", "c"}
    assert found["b"].chance > found["c"].chance > 0
    assert (found["b"].often, found["b"].with_path) == (3, "a")


def test_large_commits_and_merges_say_nothing_and_small_ones_more() -> None:
    many = [f"f{number}" for number in range(MOST_FILES)]
    assert CoChanges([commit("a", "b", count=MOST_FILES + 1)]).beside({"a"}) == {}
    assert CoChanges([commit("a", "b", parents=("p", "q"))]).beside({"a"}) == {}
    found = CoChanges([commit("a", "b"), commit("a", *many[1:])]).beside({"a"})
    assert found["b"].chance > found["f1"].chance > 0


def test_an_old_commit_counts_less() -> None:
    found = CoChanges([commit("a", "b", time=HALF_LIFE), commit("a", "c", time=0)]).beside({"a"})
    assert found["b"].chance > found["c"].chance


def test_renames_are_followed() -> None:
    history = [commit("new", renamed="old"), commit("old", "b"), commit("old", "b")]
    assert CoChanges(history).beside({"new"})["b"].often == 2
    assert CoChanges(history).beside({"b"}).keys() == {"new"}
    assert CoChanges([commit("old", "b")], renamed=[("old", "newer")]).beside({"newer"}).keys() == {"b"}


def test_several_files_of_a_diff_add_up_and_are_no_candidates() -> None:
    history = [commit("a", "c"), commit("b", "c"), commit("a", "b")]
    both, one = CoChanges(history).beside({"a", "b"}), CoChanges(history).beside({"a"})
    assert both.keys() == {"c"}
    assert 1 > both["c"].chance > one["c"].chance
    assert both["c"].often == 2


def test_what_one_author_commits_within_hours_is_a_series() -> None:
    history = [
        commit("c", time=2 * WITHIN, author="Ann"),
        commit("x", time=2 * WITHIN, author="Bob"),
        commit("b", time=WITHIN, author="Ann"),
        commit("a", time=0, author="Ann"),
        commit("d", time=-WITHIN - 1, author="Ann"),
    ]
    changes = CoChanges(history)
    assert changes.beside({"a"}) == {}
    found = changes.in_series({"a"})
    assert found.keys() == {"b", "c"}
    assert (found["b"].often, found["b"].with_path) == (1, "a")
    assert changes.in_series({"d"}) == {}
    assert changes.in_series({"x"}) == {}


def test_a_series_follows_renames_and_ends_where_it_has_too_many_files() -> None:
    history = [commit("new", renamed="old", author="Ann"), commit("b", author="Ann"), commit("old", author="Ann")]
    assert CoChanges(history).in_series({"b"}).keys() == {"new"}
    many = [commit(*(f"{part}/{number}" for number in range(MOST_FILES)), author="Ann") for part in range(3)]
    assert 3 * MOST_FILES > MOST_FILES_OF_SERIES
    assert len(CoChanges(many).in_series({"0/0"})) == 2 * MOST_FILES - 1
    assert len(CoChanges(many).in_series({"2/0"})) == MOST_FILES - 1


def test_no_history_says_nothing() -> None:
    assert CoChanges([]).beside({"a"}) == CoChanges([]).in_series({"a"}) == {}
