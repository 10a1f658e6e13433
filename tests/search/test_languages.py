"""The language of short questions, of code, of what is mixed."""

import pytest

from indelible.search import languages, tokens

QUESTIONS = [
    ("en", "which web framework did we choose?"),
    ("en", "set MAX_RETRIES to five"),
    ("en", "the der pool is full"),
    ("en", "die cache when the server dies in tests"),
    ("en", "lizards"),
    ("en", "kubernetes"),
    ("en", ""),
    ("en", "🚀 12345 !!!"),
    ("en", "getUserName returns null"),
    ("en", "rename 数据 to data everywhere in the loader and its tests"),
    ("de", "Wie heißt die Katze des Nachbarn?"),
    ("de", "welche Datenbank benutzen wir"),
    ("de", "warum ist der Build mit Docker Compose so langsam"),
    ("fr", "quels sont les paramètres de requête ?"),
    ("fr", "pourquoi le serveur est lent"),
    ("es", "¿cómo se declara un parámetro opcional?"),
    ("es", "por qué falla la prueba de pagos"),
    ("pt", "como declarar um corpo de requisição"),
    ("pt", "onde estão as configurações do servidor"),
    ("it", "come si configura il server di posta"),
    ("nl", "hoe start ik de server opnieuw op"),
    ("sv", "hur startar jag om servern och varför är den långsam"),
    ("pl", "dlaczego testy są wolne i jak to naprawić"),
    ("tr", "sunucu neden bu kadar yavaş"),
    ("fi", "miksi palvelin on hidas ja mitä sille voi tehdä"),
    ("ru", "Как настроить CORSMiddleware в FastAPI?"),
    ("uk", "як налаштувати сервер і де це записано"),
    ("el", "γιατί ο εξυπηρετητής είναι αργός"),
    ("ja", "レシピを教えて"),
    ("ja", "FastAPIのルーターの設定方法"),
    ("zh", "数据库连接池的上限是多少"),
    ("ko", "배포가 느린 이유"),
    ("th", "ฐานข้อมูลช้ามาก"),
    ("ar", "لماذا الخادم بطيء"),
    ("he", "למה השרת נופל"),
    ("hi", "डेटाबेस धीमा क्यों है"),
]


@pytest.mark.parametrize(("language", "question"), QUESTIONS)
def test_the_language_of_a_question(language: str, question: str) -> None:
    assert tokens.language_of(question) == language


def test_no_function_word_of_a_language_is_a_subject_in_it() -> None:
    for language in languages.LANGUAGES:
        for word in languages.function_words(language):
            assert not tokens.is_telling(word, language), (language, word)


@pytest.mark.parametrize(
    ("text", "question"),
    [
        ("Команда настроила ежедневные резервные копии", "где ежедневная резервная копия"),
        ("Die Verbindungen werden nachts neu aufgebaut", "wann wird die Verbindung aufgebaut"),
        ("Los servidores de prueba se reinician cada noche", "cuándo se reinicia el servidor de pruebas"),
        ("Les sauvegardes sont vérifiées chaque nuit", "quand la sauvegarde est vérifiée"),
    ],
)
def test_inflected_words_of_a_language_share_their_stem(text: str, question: str) -> None:
    language = tokens.language_of(question)
    asked = {word for word in tokens.words(question) if tokens.is_telling(word, language)}
    assert len(asked & set(tokens.words(text))) >= 2


def test_a_text_of_another_language_keeps_its_identifiers_and_its_plain_words() -> None:
    words = set(tokens.words("Die Funktion getUserName gibt für Gäste nichts zurück"))
    assert {"get", "user", "name", "getusernam", "funktion", "gast"} <= words


def test_english_words_are_what_they_were() -> None:
    assert list(tokens.words("The servers of the backups are restarted, see getUserName")) == [
        *("the", "server", "of", "the", "backup", "are", "restart", "see"),
        *("get", "user", "name", "getusernam"),
    ]


@pytest.mark.parametrize(
    ("language", "question", "telling"),
    [
        ("ja", "レシピを教えて", {"レシ", "シピ", "ピを", "を教", "教え"}),
        ("de", "Wie heißt die Katze des Nachbarn?", {"heisst", "katz", "nachbarn"}),
        ("ru", "как и где", set()),
        ("zh", "猫", set()),
        ("zh", "数据库的上限是什么", {"数据", "据库", "上限"}),
        ("ja", "存在", {"存在"}),
    ],
)
def test_function_words_endings_and_single_characters_name_no_subject(
    language: str, question: str, telling: set[str]
) -> None:
    assert {word for word in tokens.words(question) if tokens.is_telling(word, language)} == telling


def test_a_word_with_two_stems_counts_once_as_evidence() -> None:
    text = "Die Katzen schlafen in der Werkstatt"
    assert tokens.stood_for(text, tokens.language_of(text)) == {"katzen", "schlafen"}
    assert {"katz", "schlaf"} <= set(tokens.words(text))
    assert tokens.stood_for("The cats sleep in the workshop", "en") == frozenset()
