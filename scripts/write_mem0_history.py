"""Write a history of mem0 with mem0's own code, to try `indelible import --from mem0` on.

Run it in an environment that has mem0ai (2.2.1 was tried): python scripts/write_mem0_history.py history.db
"""

import sys

from mem0.memory.storage import SQLiteManager  # type: ignore[import-not-found]

COUNT = 600
WHEN = "2026-01-01T00:00:00+00:00"


def main() -> None:
    """Write 600 memories, of which 50 are changed and 50 deleted afterwards."""
    history = SQLiteManager(sys.argv[1])
    for number in range(COUNT):
        text = f"The service {number} listens on port {8_000 + number}"
        history.add_history(f"id-{number}", None, text, "ADD", created_at=WHEN)
    for number in range(50):
        history.add_history(f"id-{number}", "", f"The service {number} is switched off", "UPDATE", updated_at=WHEN)
        history.add_history(f"id-{number + 50}", "", None, "DELETE", is_deleted=1)
    history.close()


if __name__ == "__main__":
    main()
