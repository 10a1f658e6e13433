"""What refers to what, in small codebases of the further languages."""

import pytest

from code_edges_of import edges
from indelible.source.parse.languages import BY_NAME
from source_code import need_grammar

CODEBASES = {
    "csharp": {
        "Db/Store.cs": """namespace App.Db;
public interface IStore { void Put(); }
public class Base { public void Save() {} }
public class Store : Base, IStore {
  public void Put() { Save(); this.Help(); base.Save(); }
  void Help() {}
  public static Store Open() { return null; }
}""",
        "Ui/Page.cs": """using App.Db;
using S = App.Db.Store;
namespace App.Ui {
  class Page {
    Store store;
    void Run(Base b) { store.Put(); b.Save(); var s = S.Open(); s.Put(); new S(); Tools.Go(); Console.Write(); }
  }
}""",
        "Tools.cs": "namespace App { static class Tools { public static void Go() {} } }",
    },
    "ruby": {
        "lib/a.rb": "module App\n class Base\n  def save; end\n end\n module Mix\n  def mixed; end\n end\nend",
        "lib/b.rb": """require_relative 'a'
module App
  class Store < Base
    include Mix
    def run(x)
      save()
      mixed 1
      self.help!(1)
      Store.open.run(1)
      @db = Db::Conn.new
      @db.query(1)
      unknown(1)
    end
    def help!(x) end
    def self.open() end
  end
end
App::Store.new.run(1)
""",
        "lib/c.rb": "module App\n module Db\n  class Conn\n   def query(x) end\n  end\n end\nend\n",
    },
    "php": {
        "src/Db/Store.php": """<?php
namespace App\\Db;
interface Keeps { function put(); }
trait Logs { function log() {} }
class Base { function save() {} static function open(): self { } }
class Store extends Base implements Keeps {
  use Logs;
  function __construct(private Conn $d) {}
  function put() { $this->save(); parent::save(); self::open(); $this->log(); $this->d->q(); helper(); strlen(''); }
}
function helper() {}
class Conn { function q() {} }
""",
        "src/page.php": """<?php
namespace App\\Ui;
use App\\Db\\Store;
use App\\Db\\{Base as B, Conn};
use function App\\Db\\helper;
function page(Store $s, ?Conn $c) { $s->put(); $c->q(); B::open()->save(); helper(); $x = new Store($c); $x->put(); }
""",
    },
    "kotlin": {
        "a/Store.kt": """package app.db
interface Keeps { fun put() }
open class Base { fun save() {} }
class Store(private val c: Conn) : Base(), Keeps {
  override fun put() { save(); this.save(); super.save(); c.q(); help() }
  companion object {
    fun open(): Store = Store(Conn())
  }
}
class Conn { fun q() {} }
fun help() {}
""",
        "b/Page.kt": """package app.ui
import app.db.Store
import app.db.*
import app.db.help as h
fun page(s: Store, c: Conn?) {
  s.put(); c?.q(); Store.open().put(); h(); println()
  val x = Store(Conn())
  x.put()
}
""",
    },
    "swift": {
        "A.swift": """protocol Keeps { func put() }
class Base { func save() {} }
class Store: Base, Keeps {
  let c: Conn
  init(c: Conn) { self.c = c }
  func put() { save(); self.save(); super.save(); c.q(); self.c.q(); help() }
  static func open() -> Store { return Store(c: Conn()) }
}
struct Conn { func q() {} }
func help() {}
""",
        "B.swift": """protocol Other {}
extension Store: Other { func more() { put(); save() } }
func page(s: Store, c: Conn?) { s.more(); c?.q(); Store.open().put(); let x = Store(c: Conn()); x.put(); print(1) }
""",
    },
    "scala": {
        "A.scala": """package app.db
trait Keeps { def put(): Unit }
class Base { def save() = {} }
class Store(c: Conn) extends Base with Keeps {
  def put() = { save(); this.save(); super.save(); c.q(); Util.help() }
}
object Store { def open(): Store = new Store(new Conn) }
class Conn { def q() = {} }
object Util { def help() = {} }
""",
        "B.scala": """package app.ui
import app.db.{Store, Conn => C}
import app.db.Util._
class Page { def page(s: Store, c: C) = { s.put(); c.q(); Store.open().put(); help(); val x = new Store(c); x.put() } }
""",
    },
    "bash": {
        "lib/log.sh": 'log() { echo "$1"; }\nlog_all() { log 1; }',
        "run.sh": '#!/bin/bash\n. "$HERE/lib/log.sh"\nmain() { log x; log_all; other_fn; other; }\nmain',
        "other.sh": "other_fn() { :; }\nother() { :; }",  # not read in: found by a name that is hardly a program's
    },
}
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
