"""Small codebases of the further languages, by language: files by path."""

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
