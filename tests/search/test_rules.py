"""Which texts state a standing rule, and how it is marked."""

import pytest

from indelible.search import rules, tokens

RULES = [
    "Always use snake_case for columns.",
    "Noah, when naming variables, I want you to end the names with '_m'. It is for consistency, as I told you before.",
    "Never push to main directly; open a pull request.",
    "From now on commit messages are in English.",
    "Use pathlib instead of os.path.",
    "Please keep explanations short.",
    "Whenever I ask about money, quote amounts in euros.",
    "- Do not use any in TypeScript",
    "No deployments on Fridays.",
    "Secrets must never be hard-coded.",
    "Function names must be written in camel case.",
    "Every new endpoint gets an integration test.",
    "We squash before merging.",
    "Mara: I prefer bullet points to paragraphs.",
    "Verwende in Tests keine echten Personennamen.",
    "Fehlermeldungen müssen einen Vorschlag enthalten.",
    "Usa siempre comillas simples.",
    "No quiero comentarios en el código.",
    "Utilise toujours des noms en anglais.",
    "Les montants sont toujours en centimes, jamais en flottants.",
]
NONE = [
    "",
    "The deploy of 2.14 failed: the secret had expired.",
    "We chose PostgreSQL over MySQL for its JSON support.",
    "Must names of columns be in snake case?",
    "Audrey: They must be so happy with the new yard!",
    "Don't worry, you'll get there!",
    "No problem, always happy to help.",
    "I always loved hiking.",
    "Always running around, those dogs.",
    "Never heard of it.",
    "Write a migration that adds the order table.",
    "Let me know when you are ready to go.",
    "Das Meeting wurde verschoben.",
    "La reunión se canceló.",
    "GET /v1/changes was slow since the planner ignored the index.",
]


@pytest.mark.parametrize("text", RULES)
def test_what_says_how_things_are_to_be_done_is_a_rule(text):
    assert rules.is_rule("", (), text)


@pytest.mark.parametrize("text", NONE)
def test_what_tells_asks_or_comforts_is_none(text):
    assert not rules.is_rule("", (), text)


def test_one_sentence_of_a_long_text_makes_no_rule_unless_it_says_that_it_lasts():
    story = "The importer read the file twice and kept both copies in memory. " * 4
    assert not rules.is_rule("", (), story + "Do not read it twice.")
    assert rules.is_rule("", (), story + "From now on it is read once.")


def test_type_and_tags_make_a_rule_of_any_text():
    for type_ in ("preference", "pattern", "style", "habit"):
        assert rules.is_rule(type_, (), "Tabs")
    for type_ in ("decision", "insight", "context"):
        assert not rules.is_rule(type_, (), "Tabs")
    assert rules.is_rule("context", ("team:conventions",), "Tabs")


def test_marks_are_terms_of_no_word_that_weigh_nothing():
    text = "Always use snake_case for columns."
    marks = rules.marks("memory", "context", (), text)
    assert rules.MARK in marks
    assert rules.mark_of("database") in marks
    assert set(marks.values()) == {0}
    assert not marks.keys() & tokens.terms(text).keys()


@pytest.mark.parametrize("kind", ["chunk", "document", "solution", "failure", "symbol", "file", "todo"])
def test_other_kinds_are_never_marked(kind):
    assert rules.marks(kind, "preference", ("rule",), "Always use tabs.") == {}


def test_the_type_of_other_kinds_is_no_type_of_a_memory():
    assert rules.marks("entity", "preference", (), "The team") == {}
    assert rules.marks("entity", "person", (), "Ann: always wants tests first") == {}
    assert rules.MARK in rules.marks("entity", "person", (), "Never call Ann before noon.")


def test_a_question_is_told_from_work_to_be_done():
    for text in ("which library?", "What's our policy", "kann das weg?", "レシピは？", "how do tests run"):
        assert rules.is_question(text), text
    for text in ("write a migration", "island tests fail", "add the order table", ""):
        assert not rules.is_question(text), text


def test_a_rule_and_the_work_that_it_is_for_share_a_topic():
    rule, work = "Always use snake_case for columns.", "write a migration that adds the order table"
    assert not {w for w in tokens.words(rule) if tokens.is_telling(w)} & set(tokens.words(work))
    assert "database" in rules.topics(tokens.words(rule)) & rules.topics(tokens.words(work))
    assert rules.topics(tokens.words("port src/cache.rs to Python")) & rules.LANGUAGES == {"rust", "python"}


def test_topics_are_looked_up_by_the_words_that_texts_have():
    for topic, listed in rules._TOPICS.items():
        for word in listed.split():
            assert topic in rules.topics(tokens.words(word)), word
