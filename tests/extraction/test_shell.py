"""The commands of a shell line, as bash would run them."""

import pytest

from indelible.extraction import shell

TESTED = "pytest tests/test_a.py"


def texts(line):
    return [command.text for command in shell.line(line).commands]


@pytest.mark.parametrize(
    ("line", "expected"),
    [
        (f"if make; then {TESTED}; fi", ["make", TESTED]),
        (
            f"if ! make; then\n  {TESTED}\nelif [ -f x ]; then\n  npm test\nelse\n  go test\nfi",
            ["make", TESTED, "npm test", "go test"],
        ),
        (f"for f in a b; do {TESTED}; done", [TESTED]),
        (f"for ((i = 0; i < 3; i++)); do {TESTED}; done", [TESTED]),
        (f"while ! make; do {TESTED}; done", ["make", TESTED]),
        (f"until make; do\n{TESTED}\ndone", ["make", TESTED]),
        (f"case $1 in\n  a | b) {TESTED} ;;\n  *) make ;;\nesac", [TESTED, "make"]),
        (f"! {TESTED}", [TESTED]),
        (f"{{ {TESTED}; }}", [TESTED]),
        (f"( cd web && {TESTED} )", ["cd web", TESTED]),
        (f"a=(1 2) && {TESTED}", [TESTED]),
        (f"a=(1 'pytest b' 2)\n{TESTED}", [TESTED]),
        ("a=1 b=(make test)", []),
        (f"A=1 B='x y' {TESTED} > out.txt 2>&1", [TESTED]),
        (f"out=$({TESTED} 2>&1); echo $out", [TESTED, "echo $out"]),
        (f'out="$({TESTED})"', [TESTED]),
        (f"check() {{ make; }}; {TESTED}", [TESTED]),
        (f"{TESTED} # make all", [TESTED]),
        (f"# make all\n{TESTED}", [TESTED]),
        (f"time {TESTED}", [TESTED]),
        (f"{TESTED} &", [TESTED]),
        (f"bash -lc 'if make; then {TESTED}; fi'", ["make", TESTED]),
        (f"cat <<'EOF' > f && {TESTED}\nmake; then\nEOF", ["cat", TESTED]),
        (f"cat > f <<-EOF\n\tmake $(ls)\n\tEOF\n{TESTED}", ["cat", TESTED]),
        ("git commit -m \"$(cat <<'EOF'\nhello (world); make\nEOF\n)\" && git push", None),
        ("pytest -k 'a or b' 'tests/a b.py'", ["pytest -k 'a or b' 'tests/a b.py'"]),
        (f"{TESTED} \\\n  -x", [f"{TESTED} -x"]),
        (f"if make; then {TESTED}", ["make", TESTED]),
        (f"{TESTED} && echo 'not closed", [TESTED, "echo"]),
        (f"{TESTED} <(make) <<< 'a; b'", None),
        ("", []),
        (";;", []),
        (")", []),
    ],
)
def test_commands_are_those_that_run(line, expected):
    found = texts(line)
    if expected is None:
        assert found[0].startswith(("git commit", TESTED))
        assert found[1:] in ([], ["git push"])
    else:
        assert found == expected


def test_no_word_of_the_shell_is_a_program():
    words = "if make; then a; elif b; then c; else d; fi; while e; do f; done; ! g; { h; }; for i in j k; do l; done"
    programs = {command.program for command in shell.line(words).commands}
    assert programs == {"make", *"abcdefghl"}


@pytest.mark.parametrize(
    ("line", "hides"),
    [
        (TESTED, False),
        (f"cd web && {TESTED}", False),
        (f"( cd web && {TESTED} )", False),
        (f"{{ {TESTED}; }} 2>&1", False),
        (f"A=1; {TESTED}", False),
        (f"{TESTED}; echo done", True),
        (f"{TESTED}\necho done", True),
        (f"{TESTED} || true", True),
        (f"{TESTED} | tail", True),
        (f"{TESTED} |& tail", True),
        (f"cat <<EOF | {TESTED}\na\nEOF", True),
        (f"! {TESTED}", True),
        (f"if {TESTED}; then make; fi", True),
        (f"for f in a; do {TESTED}; done", True),
        (f"while {TESTED}; do make; done", True),
        (f"case a in a) {TESTED};; esac", True),
    ],
)
def test_whether_the_exit_status_may_be_another_s(line, hides):
    assert shell.line(line).hides is hides


def test_what_a_pipe_feeds_filters():
    found = shell.line("(cd a && pytest 2>&1) | grep -v x | tail -5 && make")
    assert found.filters == {"grep", "tail"}
    assert [command.program for command in found.commands] == ["cd", "pytest", "make"]


@pytest.mark.parametrize(
    "piece",
    [
        "$(",
        "(",
        "((",
        "{ ",
        "if ",
        "`",
        '"$(',
        "${",
        "a|",
        "[[ ",
        "case a in ",
        "a &&",
        "for((",
        "a=(",
        "<<a ",
        "! ",
        "bash -c ",
        "\x00",
        "\ud800",
        "é\\\n",
    ],
)
def test_any_line_is_read(piece):
    assert len(shell.line(piece * 100_000).commands) <= shell.MOST


@pytest.mark.parametrize("text", ["psql -h db shop", "pg_dump -h db.example -U me shop", "redis-cli -h cache ping"])
def test_an_h_with_a_word_behind_it_names_a_host(text):
    (command,) = shell.line(text).commands
    assert command.text == text
    assert not {"db", "db.example", "cache"} & command.targets


@pytest.mark.parametrize("text", ["psql -h", "cargo test -h", "psql --help", "psql -h db --help", "pytest -h -q"])
def test_one_that_asks_for_help_runs_nothing(text):
    assert shell.line(text).commands == ()
