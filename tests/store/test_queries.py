import re
from importlib.resources import files

from indelible.store import named_queries

DIALECTS = ("sqlite", "postgres")


def statements():
    return [(f"{dialect}: {name}", sql) for dialect in DIALECTS for name, sql in named_queries.load(dialect).items()]


def test_every_statement_names_the_tenant():
    named = re.compile(r"\btenant\b")
    given = re.compile(r":tenant\b|%\(tenant\)s")
    assert [name for name, sql in statements() if not (named.search(sql) and given.search(sql))] == []


def test_every_query_exists_in_both_dialects():
    assert named_queries.load("sqlite").keys() == named_queries.load("postgres").keys()


def test_every_section_of_the_files_is_loaded():
    folder = files("indelible.store") / "sql"
    sections = sum(file.read_text().count("-- name:") for file in folder.iterdir())
    both = named_queries.load("sqlite").items() & named_queries.load("postgres").items()
    same = {
        name
        for name, sql in named_queries.load("sqlite").items()
        if named_queries.load("postgres")[name] == named_queries.adapt(sql, "postgres")
    }
    assert sections == len(same) + 2 * (len(named_queries.load("sqlite")) - len(same))
    assert not both  # every statement has a parameter, and the dialects write it differently


def test_both_dialects_migrate_to_the_same_schema_number_without_a_gap():
    numbers = [[number for number, _ in named_queries.migrations(dialect)] for dialect in DIALECTS]
    assert numbers[0] == numbers[1] == list(range(1, named_queries.newest_schema("sqlite") + 1))


def test_parameters_are_written_in_the_way_of_the_dialect():
    sql = "SELECT '5%', :ids::json, a.b FROM t WHERE x LIKE :name_a"
    assert named_queries.adapt(sql, "sqlite") == sql
    assert named_queries.adapt(sql, "postgres") == "SELECT '5%%', %(ids)s::json, a.b FROM t WHERE x LIKE %(name_a)s"
