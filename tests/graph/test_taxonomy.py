"""The taxonomy's tables, held against the reference as it is written."""

import pytest

from indelible.graph.taxonomy import ENTITY_TYPES, OBSERVATION_TYPES, RELATIONS, TYPE_OF_PREFIX

REQUIRED = {
    "command.exec": "cmd exitCode",
    "error.capture": "normalizedKey kind message detector",
    "warning.capture": "normalizedKey kind message detector",
    "fix.apply": "strategy changes result",
    "fix.outcome": "status verificationMethod durationToVerify",
    "doc.note": "url accessed_at",
    "run.summary": "summary",
}
OPTIONAL = {
    "command.exec": "cwd durationMs stdoutHead stderrHead",
    "error.capture": "context",
    "warning.capture": "context",
    "fix.apply": "",
    "fix.outcome": "sideEffects testCoverage",
    "doc.note": "title site author published_at archive_url excerpt",
    "run.summary": "",
}
ENTITIES = """
Run run# command.exec run.summary
Command cmd# command.exec
Error err# error.capture
Warning warn# warning.capture
Dependency dep#
Fix fix# fix.apply fix.outcome
Outcome outcome# fix.outcome
Doc doc# doc.note
Mode mode#
Tool tool#
File file#
Concept concept#
"""
SENTENCES = """
Run EXECUTES Command
Command EMITS Error
Command EMITS Warning
Error CAUSED_BY Dependency
Fix RESOLVES Error
Fix MITIGATES Warning
Fix HAS_OUTCOME Outcome
Fix DERIVED_FROM Doc
Doc REFERENCES Concept
Error ABOUT Concept
Run PERFORMED_BY Mode
Run USES Tool
Run TOUCHES File
"""


def names(observation_type: str, required: bool) -> set[str]:
    return {field.name for field in OBSERVATION_TYPES[observation_type].fields if field.required == required}


@pytest.mark.parametrize("observation_type", REQUIRED)
def test_an_observation_type_has_the_fields_of_the_reference(observation_type):
    assert names(observation_type, required=True) == set(REQUIRED[observation_type].split())
    assert names(observation_type, required=False) == set(OPTIONAL[observation_type].split())


def test_the_observation_types_are_the_seven():
    assert list(OBSERVATION_TYPES) == list(REQUIRED)


def test_the_entity_types_are_the_twelve_with_their_prefixes_and_envelopes():
    rows = [[each.name, each.prefix, *each.observations] for each in ENTITY_TYPES.values()]
    assert rows == [line.split() for line in ENTITIES.split("\n") if line]
    assert {prefix: each.name for prefix, each in TYPE_OF_PREFIX.items()} == {row[1]: row[0] for row in rows}


def test_the_relations_join_what_the_reference_says():
    said = {tuple(line.split()) for line in SENTENCES.split("\n") if line}
    assert {(source, relation, target) for relation, ends in RELATIONS.items() for source, target in ends} == said


def test_every_name_in_the_tables_is_of_the_tables():
    assert {name for each in ENTITY_TYPES.values() for name in each.observations} == set(OBSERVATION_TYPES)
    assert {end for ends in RELATIONS.values() for pair in ends for end in pair} == set(ENTITY_TYPES)
