"""The page of kinds, types and relations has what the code has; the glossary is short and in order."""

import re
from pathlib import Path

import pytest

from indelible.graph.taxonomy import ENTITY_TYPES, OBSERVATION_TYPES, RELATIONS
from indelible.model import COMPONENTS, KINDS, MEMORY_TYPES, RELATIONSHIPS
from indelible.search.scoring import DEFAULT_WEIGHTS
from indelible.toolsets.registry import all_tools

DOCS = Path(__file__).parents[2] / "docs"
GLOSSARY = (DOCS / "glossary.md").read_text(encoding="utf-8")
MODEL = (DOCS / "model.md").read_text(encoding="utf-8")


def rows(heading):
    """The rows of the table under a heading: the name without its quotes, then the other cells."""
    section = MODEL.split(f"\n## {heading}\n")[1].split("\n## ")[0]
    cells = [[cell.strip() for cell in line.strip("|").split("|")] for line in re.findall(r"^\|.*\|$", section, re.M)]
    return [(row[0].strip("`"), *row[1:]) for row in cells[2:]]


@pytest.mark.parametrize(
    ("heading", "names"),
    [
        ("Kinds", KINDS),
        ("Memory types", MEMORY_TYPES),
        ("Relations", RELATIONSHIPS),
        ("Score components", COMPONENTS),
        ("Canonical entities", tuple(ENTITY_TYPES)),
        ("Envelopes", tuple(OBSERVATION_TYPES)),
        ("Relations of canonical entities", tuple(RELATIONS)),
        ("Toolsets", tuple({tool.toolset: None for tool in all_tools().values()})),
    ],
)
def test_every_name_of_the_model_is_explained_and_no_other(heading, names):
    found = rows(heading)
    assert tuple(row[0] for row in found) == names
    assert all(row[-1] for row in found)


def test_the_weights_on_the_page_are_the_default_ones():
    assert {row[0]: float(row[1]) for row in rows("Score components")} == DEFAULT_WEIGHTS


def test_what_the_page_says_of_canonical_entities_is_the_taxonomy():
    entities = {row[0]: (row[1], row[2]) for row in rows("Canonical entities")}
    assert entities == {
        name: (f"`{entity.prefix}`", ", ".join(f"`{each}`" for each in entity.observations))
        for name, entity in ENTITY_TYPES.items()
    }
    assert {row[0]: row[1] for row in rows("Envelopes")} == {
        name: ", ".join(f"`{field.name}`" for field in envelope.fields if field.required)
        for name, envelope in OBSERVATION_TYPES.items()
    }
    assert {row[0]: row[1] for row in rows("Relations of canonical entities")} == {
        name: ", ".join(f"{source} to {target}" for source, target in pairs) for name, pairs in RELATIONS.items()
    }


def test_the_nouns_are_in_alphabetical_order_and_each_is_there_once():
    nouns = re.findall(r"^- \*\*(.+?)\*\*: \S", GLOSSARY, re.MULTILINE)
    assert len(nouns) == len(re.findall(r"^- ", GLOSSARY, re.MULTILINE))
    assert nouns == sorted(set(nouns))


def test_the_glossary_is_of_at_most_a_hundred_lines():
    assert len(GLOSSARY.splitlines()) <= 100
