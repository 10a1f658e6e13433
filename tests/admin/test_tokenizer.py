"""Stores whose words an older version read: they are read again in the background, once, whoever does it."""

import json
import subprocess
import sys

import pytest
from Stemmer import Stemmer

from indelible.admin import maintenance, tokenizer
from indelible.admin.checks import rows
from indelible.admin.doctor import examine
from indelible.search import languages, tokens
from indelible.store.tables import settings, terms
from mcp_client import environment

TEXTS = [
    "Команда настроила ежедневные резервные копии",
    "deploys run on Fridays",
    "die Verbindungen werden neu aufgebaut",
]
QUESTIONS = {"где ежедневная резервная копия": TEXTS[0], "Fridays deploy": TEXTS[1], "Verbindung aufgebaut": TEXTS[2]}


def as_an_older_version_left_it(memory) -> None:
    """The words without those of the text's own language, and no note of a tokenizer."""

    def older(tx):
        for record in range(1, len(TEXTS) + 1):
            plain = map(Stemmer("english").stemWord, languages.unaccented(TEXTS[record - 1].lower()).split())
            terms.put(tx, record, {tokens.term(word): 1 for word in plain})
        settings.drop(tx, tokenizer.SETTING)

    memory.context.store.write(older)


def words_of(memory) -> list[bytes]:
    with memory.context.store.read() as tx:
        return [entry.terms.tobytes() for entry in terms.of_records(tx, range(1, len(TEXTS) + 1))]


def test_a_new_store_is_current_after_the_first_look(memory) -> None:
    assert maintenance.read_words_again(memory.context, 10.0)
    assert tokenizer.is_current(memory.context)


def test_words_of_an_older_version_are_read_again_and_found(memory) -> None:
    for text in TEXTS:
        memory.store_memory(content=text)
    right = words_of(memory)
    as_an_older_version_left_it(memory)
    assert words_of(memory) != right
    memory.recall_memory(query="the index is loaded before")
    assert maintenance.read_words_again(memory.context, 10.0)
    assert words_of(memory) == right
    for question, text in QUESTIONS.items():
        assert memory.recall_memory(query=question)[0]["content"] == text


def test_the_work_goes_on_where_another_process_stopped(memory) -> None:
    for text in TEXTS:
        memory.store_memory(content=text)
    right = words_of(memory)
    as_an_older_version_left_it(memory)
    left = words_of(memory)
    memory.context.store.write(lambda tx: tokenizer.put(tx, 1))  # which has read the first
    assert not tokenizer.is_current(memory.context)
    assert maintenance.read_words_again(memory.context, 10.0)
    assert words_of(memory) == [left[0], *right[1:]]


def test_a_note_of_another_version_begins_anew(memory) -> None:
    memory.context.store.write(lambda tx: settings.put(tx, tokenizer.SETTING, json.dumps(["1.0", None])))
    assert not tokenizer.is_current(memory.context)


def test_doctor_says_that_they_are_older_and_not_that_they_are_wrong(memory) -> None:
    for text in TEXTS:
        memory.store_memory(content=text)
    as_an_older_version_left_it(memory)
    assert [finding.fault for finding in rows.RECORDS.find(memory.context)] == [False]
    assert examine(memory.context.settings).sound
    assert maintenance.read_words_again(memory.context, 10.0)
    assert list(rows.RECORDS.find(memory.context)) == []


def test_what_bulk_work_fills_an_empty_store_with_is_not_read_twice(memory) -> None:
    maintenance.bulk_pause(memory.context)
    memory.store_memory(content=TEXTS[0])
    assert tokenizer.is_current(memory.context)


def test_bulk_work_leaves_what_was_there_before_it_to_be_read_again(memory) -> None:
    memory.store_memory(content=TEXTS[0])
    maintenance.bulk_pause(memory.context)
    assert not tokenizer.is_current(memory.context)


@pytest.mark.process
@pytest.mark.sqlite("what a process loads")
def test_a_new_store_is_read_without_loading_what_reads_records(memory):
    with memory.context.store.read() as tx:
        assert tokenizer.place(tx) == (tokenizer.VERSION, 0)
    program = (
        "import sys; from pathlib import Path; from indelible.admin import maintenance\n"
        "from indelible.core.context.context import open_context; from indelible.settings import Settings\n"
        "ctx = open_context(Settings(data=Path(sys.argv[1])))\n"
        "print(maintenance.read_words_again(ctx, 10.0), 'numpy' in sys.modules); ctx.close()\n"
    )
    command = [sys.executable, "-c", program, str(memory.context.settings.data)]
    ran = subprocess.run(command, capture_output=True, check=True, text=True, timeout=50, env=environment())
    assert ran.stdout == "True False\n"
    with memory.context.store.read() as tx:
        assert tokenizer.place(tx).last is None
