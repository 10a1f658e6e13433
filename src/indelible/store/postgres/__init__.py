"""A store in PostgreSQL. Only modules that were asked for one import this room: it needs psycopg."""

from indelible.errors import MissingExtra

try:
    import psycopg  # noqa: F401
except ImportError as error:
    raise MissingExtra("a store in PostgreSQL needs psycopg; pip install 'indelible[postgres]'") from error
