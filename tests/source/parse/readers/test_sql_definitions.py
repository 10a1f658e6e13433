"""What SQL of any dialect defines."""

import pytest

from source_code import parsed, symbols


@pytest.mark.parametrize(
    ("source", "expected"),
    [
        ("CREATE TABLE a (x int);", ["struct a"]),
        ("create table if not exists `a b`.`c` (x int);", ["struct a b.c"]),
        ('CREATE UNLOGGED TABLE "My T" (a int); CREATE TABLE [dbo].[p] (a int)', ["struct My T", "struct dbo.p"]),
        ("CREATE OR REPLACE VIEW v AS SELECT 1;", ["struct v"]),
        ("CREATE MATERIALIZED VIEW v AS SELECT 1;", ["struct v"]),
        (
            "CREATE FUNCTION f() AS $$ CREATE TABLE no(); $$; CREATE DEFINER=`a`@`b` PROCEDURE p() BEGIN END;",
            ["function f", "function p"],
        ),
        ("CREATE TRIGGER t AFTER INSERT ON a;", ["function t"]),
        ("CREATE TYPE t AS ENUM ('a'); CREATE DOMAIN d AS int;", ["type t", "type d"]),
        ("-- CREATE TABLE no\n/* CREATE TABLE no */ SELECT 'CREATE TABLE no', 'it''s CREATE TABLE no';", []),
        ("CREATE UNIQUE INDEX i ON a (b); ALTER TABLE a ADD b int; DROP TABLE a;", []),
    ],
)
def test_definitions_have_their_kind_and_their_qualified_name(source, expected):
    assert symbols("sql", source) == expected


def test_a_table_has_its_lines_its_columns_and_the_comment_above():
    (table,) = parsed(
        "sql", "-- Who may log in.\nCREATE TABLE users (\n  id int, -- ; of course\n  name text\n);\n"
    ).symbols
    assert (table.line, table.start_line, table.end_line, table.doc) == (2, 2, 5, "Who may log in.")
    assert "id int" in table.signature
