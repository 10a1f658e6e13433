"""What the build of the site does not look at: the length of pages, and pages that other files name."""

import re
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
DOCS = ROOT / "docs"
WRITTEN = sorted(page for folder in ("design", "decisions") for page in (DOCS / folder).glob("*.md"))
NAMING = ("src/**/*.py", "src/**/*.sql", "bench/*.py", "scripts/*.py", "*.md", ".ci/*")  # links of pages: mkdocs


@pytest.mark.parametrize("page", WRITTEN, ids=lambda page: f"{page.parent.name}/{page.stem}")
def test_a_page_of_design_can_be_read_in_one_go(page):
    assert len(page.read_text(encoding="utf-8").splitlines()) <= 300


def test_every_page_that_a_file_names_is_there():
    named = {
        (file.relative_to(ROOT).as_posix(), page)
        for pattern in NAMING
        for file in ROOT.glob(pattern)
        for page in re.findall(
            r"\bdocs/(?:(?:design|decisions|how-to|tools)/)?[\w-]+\.md\b", file.read_text(encoding="utf-8")
        )
    }
    assert {page for _, page in named} >= {"docs/design/README.md", "docs/benchmarks.md"}
    assert {(file, page) for file, page in named if not (ROOT / page).is_file()} == set()


def test_decisions_are_numbered_without_a_gap_and_listed():
    decisions = sorted(page.name for page in (DOCS / "decisions").glob("[0-9]*.md"))
    assert [int(name[:3]) for name in decisions] == list(range(1, len(decisions) + 1))
    listed = re.findall(r"^\| \[\d{3}\]\(([\w-]+\.md)\)", (DOCS / "decisions" / "README.md").read_text("utf-8"), re.M)
    assert listed == decisions
