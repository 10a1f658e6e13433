"""Named SQL: `store/sql/<noun>.sql` holds `-- name: x` sections, `-- name: x (sqlite)` where the dialects differ."""

import re
from functools import cache
from importlib.resources import files

_SECTION = re.compile(r"^-- name: (\w+)(?: \((sqlite|postgres)\))?\s*$", re.MULTILINE)
_PARAMETER = re.compile(r"(?<![:\w]):([a-z_]+)\b")


@cache
def load(dialect: str) -> dict[str, str]:
    """Every query of a dialect as `noun.name`; parameters are written `:name` in the files."""
    found: dict[str, str] = {}
    for file in sorted((files(__package__) / "sql").iterdir(), key=lambda f: f.name):
        noun = file.name.removesuffix(".sql")
        parts = _SECTION.split(file.read_text(encoding="utf-8"))
        for name, only, text in zip(parts[1::3], parts[2::3], parts[3::3], strict=True):
            if only in (None, dialect):
                found[f"{noun}.{name}"] = adapt(text.strip().rstrip(";"), dialect)
    return found


def adapt(sql: str, dialect: str) -> str:
    """SQL with the dialect's own way to write a parameter."""
    if dialect == "postgres":
        return _PARAMETER.sub(r"%(\1)s", sql.replace("%", "%%"))
    return sql


def migrations(dialect: str) -> list[tuple[int, str]]:
    """The numbered migrations of a dialect, ascending: (number, SQL)."""
    folder = files(__package__) / "migrations" / dialect
    return sorted((int(f.name.removesuffix(".sql")), f.read_text(encoding="utf-8")) for f in folder.iterdir())


def newest_schema(dialect: str) -> int:
    """The schema number that this version of Indelible writes."""
    folder = files(__package__) / "migrations" / dialect
    return max(int(f.name.removesuffix(".sql")) for f in folder.iterdir())
