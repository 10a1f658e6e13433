"""Draw docs/assets/terminal.svg, the README's picture: what real commands print, in a store and project of their own.

    python scripts/draw_terminal.py

Run it again when what these commands print has changed; ids and dates differ each time.
"""

import io
import os
import re
import subprocess
import sys
import tempfile
from pathlib import Path

from rich.console import Console
from rich.terminal_theme import TerminalTheme
from rich.text import Text

ROOT = Path(__file__).parent.parent
PICTURE = ROOT / "docs" / "assets" / "terminal.svg"
COLUMNS = 96
TITLE = "indelible"
# A remark, or a command that is run; all in one project, one after another.
SCRIPT = (
    "# Keep a rule and a decision. Your agent does it with the tool store_memory.",
    'indelible remember "We use pnpm here, never npm." --type preference',
    'indelible remember "Axum over Actix: it shares the tower middleware." --type decision',
    "# With hooks, this is what the next session is told before its first prompt:",
    "indelible brief",
    "# Ask. Where nothing fits, it says so.",
    'indelible recall "axum or actix"',
    'indelible recall "the weather in Lisbon"',
)
THEME = TerminalTheme((21, 23, 27), (222, 226, 233), [(0, 0, 0)] * 8)
REMARK, PROMPT, COMMAND = "rgb(150,162,255)", "rgb(120,128,142)", "bold rgb(255,255,255)"


def main() -> None:
    """Run the commands and write the picture."""
    console = Console(record=True, width=COLUMNS, file=io.StringIO(), force_terminal=True)
    with tempfile.TemporaryDirectory() as made:
        home = Path(made)
        project = home / "shop"
        project.mkdir()
        path = f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}"
        env = {
            **{name: value for name, value in os.environ.items() if not name.startswith("INDELIBLE_")},
            **{"HOME": made, "PATH": path, "INDELIBLE_DATA": str(home / "data"), "COLUMNS": str(COLUMNS)},
        }
        subprocess.run(["git", "init", "--quiet"], cwd=project, env=env, check=True)
        for line in SCRIPT:
            if line.startswith("#"):
                console.print(Text(line, style=REMARK))
                continue
            console.print(Text.assemble(("$ ", PROMPT), (line, COMMAND)))
            ran = subprocess.run(line, shell=True, cwd=project, env=env, capture_output=True, text=True, check=True)
            console.print(Text((ran.stdout + ran.stderr).replace(str(project), "~/shop").rstrip("\n")))
            console.print()
    drawn = console.export_svg(title=TITLE, theme=THEME)
    drawn = re.sub(r"@font-face \{.*?\}\n?", "", drawn, flags=re.DOTALL)  # a picture loads no fonts from elsewhere
    drawn = drawn.replace("Fira Code, monospace", "ui-monospace, Menlo, Consolas, 'DejaVu Sans Mono', monospace")
    PICTURE.parent.mkdir(parents=True, exist_ok=True)
    PICTURE.write_text("\n".join(line.rstrip() for line in drawn.splitlines()) + "\n", encoding="utf-8")
    print(f"wrote {PICTURE.relative_to(ROOT)}")


if __name__ == "__main__":
    main()
