"""Record every run of every_command.py in every surroundings, to be looked at: python tests/support/recorded.py FILE.

The file is not for the repository: it has paths of this machine.
"""

from __future__ import annotations

import os
import sys
import tempfile
from pathlib import Path

os.environ["INDELIBLE_ENCODER"] = "off"

import every_command
import terminals
import varied_store
from indelible.cli.main import COMMANDS


def main() -> None:
    """Write the recordings: the words after FILE choose commands, and @NAME surroundings."""
    target, *chosen = sys.argv[1:]
    names = {word[1:] for word in chosen if word.startswith("@")}
    commands = {word for word in chosen if not word.startswith("@")}
    with tempfile.TemporaryDirectory() as place, open(target, "w", encoding="utf-8") as file:
        made = varied_store.build(Path(place))
        helps = [every_command.Run((name, "--help")) for name in COMMANDS]
        for run in (*helps, *every_command.RUNS):
            if commands and run.command not in commands:
                continue
            for around in terminals.EVERY:
                if names and around.name not in names:
                    continue
                recorded = every_command.record(run, made, around, one=True)
                print(f"===== indelible {run} [{around}] -> {recorded.code}", file=file)
                if not recorded.modes_kept:
                    print("!!! modes changed", file=file)
                for name, printed in (("out", recorded.output), ("err", recorded.errors)):
                    if printed:
                        print(f"--- {name}", file=file)
                        text = printed.decode("utf-8", "backslashreplace").replace("\r\n", "\n")
                        print(text.replace("\x1b", "␛").replace("\r", "␍"), file=file)


if __name__ == "__main__":
    main()
