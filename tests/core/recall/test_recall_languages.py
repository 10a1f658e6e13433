"""Text of any language and of code is stored as given and found by what people type."""

import unicodedata

import pytest

from indelible.sanitize.prompt_frame import visible

LANGUAGES = [
    ("Der Überblick über die Größenänderung liegt beim Team", "Überblick"),
    ("Der Überblick über die Größenänderung liegt beim Team", "uberblick"),
    ("Der Überblick über die Größenänderung liegt beim Team", "GRÖSSENÄNDERUNG"),
    ("Die Straße zum Serverraum ist gesperrt", "strasse"),
    ("the café closes early", "cafe"),
    ("the cafe closes early", "café"),
    ("the cafe\u0301 closes early", "caf\u00e9"),
    ("naïve Bayes über résumés", "naive resumes"),
    ("İstanbul sunucusu yavaş", "istanbul"),
    ("Łódź ma wolny serwer", "łódź"),
    ("数据库连接池最多二十个", "连接池"),
    ("数据库连接池最多二十个", "连接池的上限是多少"),
    ("認証サーバーは毎晩再起動する", "認証サーバー"),
    ("認証サーバーは毎晩再起動する", "サーバーの再起動"),
    ("認証ｻｰﾊﾞｰは毎晩再起動する", "サーバー"),
    ("배포 파이프라인이 느리다", "파이프라인"),
    ("배포 파이프라인이 느리다", "배포가 느린 이유"),
    ("ฐานข้อมูลช้ามาก", "ฐานข้อมูล"),
    ("Кэш сбрасывается каждую ночь", "КЭШ сбрасывается"),
    ("Ο εξυπηρετητής έπεσε", "ΕΞΥΠΗΡΕΤΗΤΗΣ"),
    ("الخادم يعمل ببطء شديد", "الخادم"),
    ("השרת נופל בכל לילה", "השרת נופל"),
    ("डेटाबेस धीमा है", "डेटाबेस"),
    ("deploy 🚀 on Fridays 🎉 never", "deploy Fridays"),
    ("ｆｕｌｌｗｉｄｔｈ letters", "fullwidth"),
    ("the ﬁle handle leaks", "file handle"),
]

CODE = [
    ("getUserName returns null for guests", "user name"),
    ("getUserName returns null for guests", "getUserName"),
    ("getUserName returns null for guests", "getusername"),
    ("getUserName returns null for guests", "get_user_name"),
    ("get_user_name returns null for guests", "getUserName"),
    ("retry_count is reset on success", "retry count"),
    ("retry_count is reset on success", "retryCount"),
    ("set MAX_RETRIES to five", "max retries"),
    ("set MAX_RETRIES to five", "MAX_RETRIES"),
    ("HTTPServer2 leaks handles", "http server"),
    ("parseJSONConfig is slow", "json config"),
    ("src/auth/session_store.py holds the lock", "session_store.py"),
    ("src/auth/session_store.py holds the lock", "src/auth/session_store.py"),
    ("src/auth/session_store.py holds the lock", "session store"),
    (r"C:\Users\dev\app\main.rs panics", "main.rs"),
    ("std::unique_ptr owns it", "unique_ptr"),
    ("the kebab-case-name option", "kebab case"),
    ("E0308 mismatched types", "error[E0308]"),
    ("fixed TS2345 by a cast", "TS2345"),
    ("pinned to 1.51.3 because of a bug", "1.51.3"),
    ("call foo(bar, baz=None) twice", "foo(bar)"),
    ("SELECT * FROM users WHERE id = 5", "select from users"),
    ("`cargo clippy --all-targets` before a commit", "cargo clippy"),
    ("@dataclass(frozen=True) for data", "frozen dataclass"),
    ("#include <vector> first", "include vector"),
    ("$HOME/.config/app.toml is read", "app.toml"),
]


@pytest.fixture
def crowded(memory):
    items = [{"content": text} for text in ("bananas are yellow", "明日は雨が降る", "погода хорошая", "the sky above")]
    memory.import_memories(memories=items)
    return memory


@pytest.mark.parametrize(("content", "query"), LANGUAGES + CODE)
def test_a_text_is_found_by_what_people_type_and_given_back_as_it_was(crowded, content, query):
    crowded.store_memory(content=content)
    hits = crowded.recall_memory(query=query)
    assert [hit["content"] for hit in hits] == [content]


@pytest.mark.parametrize("form", ["NFC", "NFD", "NFKC", "NFKD"])
def test_content_is_kept_in_the_form_given_and_its_query_may_have_any(memory, form):
    content = unicodedata.normalize(form, "l'événement ﬁnal à Zürich ｱｲｳ")
    memory.store_memory(content=content, tags=[unicodedata.normalize(form, "événement")])
    for other in ("NFC", "NFD", "NFKC", "NFKD"):
        (hit,) = memory.recall_memory(query=unicodedata.normalize(other, "événement Zürich"))
        assert hit["content"] == visible(content)
        assert hit["score_breakdown"]["tag_matching"] == 1


@pytest.mark.parametrize(
    "content",
    [
        "👩‍👩‍👧‍👦 family emoji with joiners, 🏳️‍🌈 flag, 👍🏽 tone",
        "right\u200fto\u200eleft \u202eoverride\u202c marks",
        "zero\u200bwidth\u2060and\ufeffbom",
        "tab\there, carriage\rreturn, form\ffeed, bell\a, escape \x1b[31mred\x1b[0m",
        "line\nbreaks\r\nof\u2028every\u2029kind\x85",
        "\U0001f600\U00020000\U0010fffd astral",
        " \u00a0leading and trailing\u3000 ",
        "'; DROP TABLE record; -- \" * ( NEAR / OR",
        "%s %d {0} ${HOME} <script>alert(1)</script> \\u0041 \\",
    ],
)
def test_any_character_is_kept_and_comes_back_as_it_can_be_shown(memory, content):
    assert memory.store_memory(content=content)["status"] == "stored"
    assert [item["content"] for item in memory.export_memories()] == [content]
    assert memory.store_memory(content=content)["status"] == "duplicate"
    for hit in memory.recall_memory(query=content):
        assert hit["content"] == visible(content)
