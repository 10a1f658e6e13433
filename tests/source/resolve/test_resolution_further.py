"""What refers to what, in small codebases of the further languages."""

import pytest

from code_edges_of import edges
from further_codebases import CODEBASES
from indelible.source.parse.languages import BY_NAME
from source_code import need_grammar

EXPECTED = {
    "csharp": """
        App.Db.Store IMPLEMENTS App.Db.IStore
        App.Db.Store INHERITS App.Db.Base
        App.Db.Store.Put CALLS App.Db.Base.Save
        App.Db.Store.Put CALLS App.Db.Store.Help
        App.Ui.Page.Run CALLS App.Db.Base.Save
        App.Ui.Page.Run CALLS App.Db.Store
        App.Ui.Page.Run CALLS App.Db.Store.Open
        App.Ui.Page.Run CALLS App.Db.Store.Put
        App.Ui.Page.Run CALLS App.Tools.Go
        Ui/Page.cs IMPORTS App.Db.Store
        Ui/Page.cs IMPORTS Db/Store.cs
    """,
    "ruby": """
        App::Store IMPLEMENTS App::Mix
        App::Store INHERITS App::Base
        App::Store::run CALLS App::Base::save
        App::Store::run CALLS App::Db::Conn
        App::Store::run CALLS App::Db::Conn::query
        App::Store::run CALLS App::Mix::mixed
        App::Store::run CALLS App::Store::help!
        App::Store::run CALLS App::Store::open
        lib/b.rb CALLS App::Store
        lib/b.rb IMPORTS lib/a.rb
    """,
    "php": """
        App\\Db\\Store IMPLEMENTS App\\Db\\Keeps
        App\\Db\\Store IMPLEMENTS App\\Db\\Logs
        App\\Db\\Store INHERITS App\\Db\\Base
        App\\Db\\Store\\put CALLS App\\Db\\Base\\open
        App\\Db\\Store\\put CALLS App\\Db\\Base\\save
        App\\Db\\Store\\put CALLS App\\Db\\Conn\\q
        App\\Db\\Store\\put CALLS App\\Db\\Logs\\log
        App\\Db\\Store\\put CALLS App\\Db\\helper
        App\\Ui\\page CALLS App\\Db\\Base\\open
        App\\Ui\\page CALLS App\\Db\\Base\\save
        App\\Ui\\page CALLS App\\Db\\Conn\\q
        App\\Ui\\page CALLS App\\Db\\Store
        App\\Ui\\page CALLS App\\Db\\Store\\put
        App\\Ui\\page CALLS App\\Db\\helper
        src/page.php IMPORTS App\\Db\\Base
        src/page.php IMPORTS App\\Db\\Conn
        src/page.php IMPORTS App\\Db\\Store
        src/page.php IMPORTS App\\Db\\helper
    """,
    "kotlin": """
        app.db.Store IMPLEMENTS app.db.Keeps
        app.db.Store INHERITS app.db.Base
        app.db.Store.open CALLS app.db.Conn
        app.db.Store.open CALLS app.db.Store
        app.db.Store.put CALLS app.db.Base.save
        app.db.Store.put CALLS app.db.Conn.q
        app.db.Store.put CALLS app.db.help
        app.ui.page CALLS app.db.Conn
        app.ui.page CALLS app.db.Conn.q
        app.ui.page CALLS app.db.Store
        app.ui.page CALLS app.db.Store.open
        app.ui.page CALLS app.db.Store.put
        app.ui.page CALLS app.db.help
        b/Page.kt IMPORTS a/Store.kt
        b/Page.kt IMPORTS app.db.Store
        b/Page.kt IMPORTS app.db.help
    """,
    "swift": """
        Store IMPLEMENTS Keeps
        Store IMPLEMENTS Other
        Store INHERITS Base
        Store.more CALLS Base.save
        Store.more CALLS Store.put
        Store.open CALLS Conn
        Store.open CALLS Store
        Store.put CALLS Base.save
        Store.put CALLS Conn.q
        Store.put CALLS help
        page CALLS Conn
        page CALLS Conn.q
        page CALLS Store
        page CALLS Store.more
        page CALLS Store.open
        page CALLS Store.put
    """,
    "scala": """
        B.scala IMPORTS app.db.Conn
        B.scala IMPORTS app.db.Store
        B.scala IMPORTS app.db.Util
        app.db.Store IMPLEMENTS app.db.Keeps
        app.db.Store INHERITS app.db.Base
        app.db.Store.open CALLS app.db.Conn
        app.db.Store.open CALLS app.db.Store
        app.db.Store.put CALLS app.db.Base.save
        app.db.Store.put CALLS app.db.Conn.q
        app.db.Store.put CALLS app.db.Util.help
        app.ui.Page.page CALLS app.db.Conn.q
        app.ui.Page.page CALLS app.db.Store
        app.ui.Page.page CALLS app.db.Store.open
        app.ui.Page.page CALLS app.db.Store.put
        app.ui.Page.page CALLS app.db.Util.help
    """,
    "bash": """
        lib/log.log_all CALLS lib/log.log
        run.main CALLS lib/log.log
        run.main CALLS lib/log.log_all
        run.main CALLS other.other_fn
        run.sh CALLS run.main
        run.sh IMPORTS lib/log.sh
    """,
}


@pytest.mark.parametrize("language", CODEBASES)
def test_the_edges_are_those_that_are_listed_and_no_others(language):
    need_grammar(language)
    assert sorted(edges(CODEBASES[language])) == [line.strip() for line in EXPECTED[language].strip().splitlines()]


def test_an_attribute_of_csharp_is_found_by_its_whole_name_first():
    need_grammar("csharp")
    found = edges(
        {
            "a.cs": "class Key {} class KeyAttribute {} class Mark {}",
            "b.cs": "[Key] class B { } [Mark] class C { }",
        }
    )
    assert sorted(found) == ["B CALLS KeyAttribute", "C CALLS Mark"]


@pytest.mark.parametrize(
    ("language", "files"),
    [
        ("ruby", {"a.rb": "module A; def self.f; end; end", "spec/a_spec.rb": "describe A do\n A.f(1)\nend"}),
        ("scala", {"src/test/A.scala": 'object T { test("Set") { Set(1) } }'}),
    ],
)
def test_the_title_of_a_test_is_no_name(language, files):
    need_grammar(language)
    assert not [edge for edge in edges(files) if edge.endswith((" A", "Set")) and "CALLS" in edge]


def test_every_language_of_the_table_is_held_here_or_beside():
    beside = {"c", "cpp", "go", "java", "javascript", "python", "rust", "tsx", "typescript", "markdown", "sql"}
    assert set(BY_NAME) == beside | CODEBASES.keys()
