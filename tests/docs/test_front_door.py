"""What a stranger meets first: the README, the root's files and GitHub's, the picture, and where their links lead."""

import re
import subprocess
import tomllib
from pathlib import Path
from urllib.parse import urlsplit

import pytest

ROOT = Path(__file__).parents[2]
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
MOST_LINES = {"README.md": 150, "CONTRIBUTING.md": 120, "SECURITY.md": 120}
PAGES = (*MOST_LINES, "CHANGELOG.md", "docs/platforms.md", "docs/tools/README.md")


def read(name):
    return (ROOT / name).read_text(encoding="utf-8")


def anchors(page):
    """The anchors of a page's headings, as GitHub makes them."""
    heads = re.findall(r"^#+ (.*)$", page.read_text(encoding="utf-8"), re.MULTILINE)
    return {re.sub(r"[^\w\- ]", "", head).lower().replace(" ", "-") for head in heads}


def of_this_tree(text):
    """A page with its links to our repository's files as relative ones."""
    base = PROJECT["urls"]["Homepage"]
    raw = base.replace("https://github.com/", "https://raw.githubusercontent.com/")
    return text.replace(f"]({base}/blob/main/", "](").replace(f"]({raw}/main/", "](")


def test_the_readme_leads_to_the_same_places_on_pypi():
    """PyPI shows it beside no other file: no link and no picture of it is relative."""
    targets = re.findall(r"\]\(([^)]+)\)", read(PROJECT["readme"]))
    assert [each for each in targets if not each.startswith(("https://", "#"))] == []
    pictures = re.findall(r"!\[[^]]*\]\(([^)]+)\)", read(PROJECT["readme"]))
    assert {urlsplit(each).hostname for each in pictures} == {"raw.githubusercontent.com"}  # elsewhere it is a page
    assert "<img" not in read(PROJECT["readme"])


@pytest.mark.parametrize("name", PAGES)
def test_every_link_of_a_page_leads_to_what_is_there(name):
    page = ROOT / name
    links = re.findall(r"\]\((?!https?:)([^)#]*)(?:#([^)]*))?\)", of_this_tree(page.read_text(encoding="utf-8")))
    assert links
    for target, anchor in links:
        file = page.parent / target if target else page
        assert file.exists(), target
        assert not anchor or anchor in anchors(file), f"{target}#{anchor}"


@pytest.mark.parametrize(("name", "most"), MOST_LINES.items())
def test_a_page_is_short(name, most):
    assert len(read(name).splitlines()) <= most


def test_the_license_is_the_whole_apache_license():
    assert PROJECT["license"] == "Apache-2.0"
    text = read("LICENSE")
    assert text.split()[:4] == ["Apache", "License", "Version", "2.0,"]
    for heading in (
        "1. Definitions.",
        "9. Accepting Warranty",
        "END OF TERMS AND CONDITIONS",
        "APPENDIX: How to apply",
    ):
        assert heading in text


def test_the_notice_names_every_file_of_others():
    told = read("NOTICE")
    notices = sorted((ROOT / "src").rglob("NOTICE"))
    assert notices
    for notice in notices:
        assert notice.parent.relative_to(ROOT).as_posix() in told
        for file in notice.parent.iterdir():
            if file.name not in ("NOTICE", "LICENSE"):
                assert re.search(rf"^{re.escape(file.name)}\b|, {re.escape(file.name)}\b", told, re.MULTILINE), file


def test_every_file_that_the_package_is_to_carry_is_there():
    for name in (PROJECT["readme"], *PROJECT["license-files"]):
        assert (ROOT / name).is_file(), name


def test_the_changelog_begins_with_the_newest_version():
    heads = re.findall(r"^## \[(.+?)\]", read("CHANGELOG.md"), re.MULTILINE)
    assert heads[0] == "Unreleased"
    import indelible

    assert indelible.__version__ in heads


@pytest.mark.process
@pytest.mark.needs("make")
def test_what_ci_calls_is_what_the_makefile_runs():
    printed = {
        target: subprocess.run(
            ["make", "--dry-run", "--no-print-directory", target], cwd=ROOT, capture_output=True, text=True, check=True
        ).stdout.splitlines()
        for target in ("fast", "test", "check", "docs")
    }
    assert printed["fast"] == ['pytest -n 2 -m "not process and not slow and not full" --hypothesis-profile fast']
    assert printed["test"] == ['pytest -n 3 -m "not full"']
    for command in ("ruff check .", "ruff format --check .", "mypy"):
        assert command in printed["check"]
    script = read(".ci/run")
    assert "\n  make check\n" in script
    assert "\n  make docs\n" in script
    assert f".venv/bin/{printed['test'][0]}" in read("README.md")
    assert printed["test"][0] in read(".github/workflows/ci.yml")
