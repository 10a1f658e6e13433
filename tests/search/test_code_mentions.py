"""What of source code a text names."""

import pytest

from indelible.search.code_mentions import LONGEST_SCANNED, MOST_NAMES, MOST_PATHS, mentions, path


def names(text):
    return {name.text: name.sureness for name in mentions(text).names}


def paths(text):
    return {each.text: each.sureness for each in mentions(text).paths}


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        # words of prose
        ("We run the tests, open a file and get on with it.", {}),
        ("It works, e.g. in Python; see the URLs, PRs and APIs (or not).", {"e.g": 0.9}),  # which nobody has
        ("The function(s) and class(es) and entry(ies)", {}),
        ("Dr. Smith and Mrs. Jones met at 10.30", {}),
        # what looks like code
        ("retry_count grows", {"retry_count": 0.7}),
        ("MAX_SIZE and _private, __init__", {"MAX_SIZE": 0.7, "_private": 0.7, "__init__": 0.7}),
        ("getUser of UserService by HTTPServer", {"getUser": 0.7, "UserService": 0.7, "HTTPServer": 0.7}),
        # what is called
        ("then open() it, or run(fast)", {"open": 0.6, "run": 0.6}),
        ("vec!(1) and println!(x)", {"vec": 0.6, "println": 0.6}),
        # names of several segments
        ("Store.write and db::open and a->b", {"Store.write": 0.9, "db.open": 0.9, "a.b": 0.9}),
        ("crate::db::open, self.write_all() and this.close()", {"db.open": 0.9, "write_all": 0.7, "close": 0.6}),
        ("Store#write of $scope.apply", {"Store.write": 0.9, "$scope.apply": 0.9}),
        # alone between backticks
        ("`run`, ``open`` and `Vec<T>`", {"run": 0.9, "open": 0.9, "Vec": 0.9}),
        ("`def run(self, x)`, `pub fn open(path: &str)`, `class Store:`", {"run": 0.9, "open": 0.9, "Store": 0.9}),
        ("`git commit`, `a b` and `it's`", {}),
        ("```\\nrun fast\\nrun_all()\\n```", {"run_all": 0.7}),
        ("a ` lone backtick, and another ` one", {}),
        # other scripts
        ("関数getUserNameは遅い", {"getUserName": 0.7}),
        ("`データ.読む()` と 프로젝트의 open_store를", {"データ.読む": 0.9, "open_store": 0.7}),
        ("le café d'été_prochain", {"été_prochain": 0.7}),
        # one of them with its file
        ("tests/test_store.py::TestStore::test_it[1]", {"TestStore.test_it": 0.9}),
    ],
)
def test_names_are_what_cannot_be_a_word(text, expected):
    found = names(text.replace("\\n", "\n"))
    assert {name: found[name] for name in found if not name.endswith(".py")} == expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("see src/auth.rs.", {"src/auth.rs": 0.9}),
        (
            "see src/auth.rs:12, ./lib/x-y.test.ts (and ../b.go)",
            {"src/auth.rs": 0.9, "lib/x-y.test.ts": 0.9, "b.go": 0.8},
        ),
        ("auth.rs", {"auth.rs": 0.8}),
        ("C:\\\\proj\\\\src\\\\x.py and ~/app/y.py", {"proj/src/x.py": 0.9, "app/y.py": 0.9}),
        ("file:///home/me/a.py but https://example.com/a/b.py", {"home/me/a.py": 0.9}),
        ('File "/srv/app/db.py", line 3, in write', {"srv/app/db.py": 0.9}),
        ("は src/データ/名前.py とsrc/auth.rsを", {"src/データ/名前.py": 0.9, "src/auth.rs": 0.9}),
        ("src/auth and either/or, 1.5 and v2.0", {}),
        ("..., ./ and //", {}),
    ],
)
def test_paths_are_what_ends_with_the_name_of_a_file(text, expected):
    assert {said: found for said, found in paths(text).items() if "/" in said or said in expected} == expected


def test_a_name_that_is_said_twice_is_as_sure_as_where_it_is_surest():
    assert names("retry_count, `retry_count`, retry_count()") == {"retry_count": 0.9}


def test_a_path_by_itself_may_have_any_characters():
    assert path("/home/me/my app/été (1).py").parts == ("home", "me", "my app", "été (1).py")
    assert path("/") is None
    assert path("") is None


def test_names_are_compared_in_one_form_of_unicode():
    assert names("cafe\u0301_au_lait") == {"caf\u00e9_au_lait": 0.7}


@pytest.mark.parametrize(
    "part", ["a_b.", "`", "`a ", "a/", "(", "a.b.c() ", "~.~.", "$", "_", "-", "`pub fn ", "デa", "::", "\\", "a::b("]
)
def test_a_long_text_is_looked_at_once(part):
    """No expression goes back and forth: this would take minutes."""
    found = mentions(part * (2 * LONGEST_SCANNED // len(part)))
    assert len(found.names) <= MOST_NAMES
    assert len(found.paths) <= MOST_PATHS


def test_of_a_text_with_very_many_names_the_first_are_looked_up():
    found = mentions(" ".join(f"name_{i} dir/file_{i}.py" for i in range(5_000)))
    assert found.names[0].text == "name_0"
    assert (len(found.paths), MOST_NAMES <= len(found.names) <= MOST_NAMES + MOST_PATHS) == (MOST_PATHS, True)
