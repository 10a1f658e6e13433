"""The checks of `doctor` beside the database itself: one small check for each redundancy in the store.

A new finding is a `Check` in one of these modules and in `CHECKS`, in the order in which they are mended: what others
read comes before them. `docs/how-to/find-out-what-is-wrong.md` lists them, and what cannot be checked.
"""

from indelible.admin.checks.blocks import BLOCKS
from indelible.admin.checks.check import Check, Finding
from indelible.admin.checks.chunks import DOCUMENTS
from indelible.admin.checks.rows import RECORDS
from indelible.admin.checks.tables import CODE, NUMBERS, READABLE, RELATIONS, WAITING

__all__ = ["CHECKS", "FIRST", "Check", "Finding"]

# Rows that cannot be read stop everything that comes upon them: with one of these the rest is not looked at.
FIRST: list[Check] = [table.check() for table in READABLE]
CHECKS: list[Check] = [
    *(table.check() for table in (*RELATIONS, *NUMBERS, *CODE)),
    DOCUMENTS,
    RECORDS,
    *(table.check() for table in WAITING),
    BLOCKS,
]
