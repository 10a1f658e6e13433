"""What a start of Python does first where the suite runs on PostgreSQL: see tests/support/on_postgres.py."""

import os
import sys

if "TESTS_POSTGRES_URL" in os.environ and any("indelible" in word for word in sys.orig_argv):
    sys.path.append(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
    import on_postgres

    on_postgres.install()
