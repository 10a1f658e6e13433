"""A store as somebody has it after months: long texts, many scripts, code, failures, and texts that attack a terminal.

made = build(tmp_path)  # once
made.renew()            # before each run: the same paths, ids and texts
"""

from __future__ import annotations

import itertools
import shutil
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from command_line import opened
from every_tool import ID, PREPARED
from indelible.admin import tokens
from indelible.capture import ingest, pausing
from indelible.core.context.call import Call
from indelible.toolsets import registry
from indelible.toolsets.code import index
from indelible.toolsets.context.documents import files
from indelible.transfer.markdown import tree
from told import Told, repository, spooled, whole_session

DEEP = "/srv/build/" + "/".join(f"a-directory-with-a-long-name-{number}" for number in range(6))
MARK = "steerage"  # a word of every text that attacks a terminal, so that it is found
ATTACKS = (
    f"{MARK} red: \x1b[31;1mred\x1b[0m and the screen \x1b[2J\x1b[H is empty",
    f"{MARK} title: \x1b]0;owned\x07 and \x1b]8;;https://evil.example\x1b\\a link\x1b]8;;\x1b\\ and \x1b]52;c;cm0=\x07",
    f"{MARK} C1: \x9b31mred\x9b0m \x9d0;owned\x9c and \x85next line",
    f"{MARK} lines: \rover the line \x08\x08\x08 back \x0b down \x0c page \x07 bell \x7f delete",
    f"{MARK} bidi: \u202egpj.exe\u202c and \u2066isolate\u2069 and zero\u200bwidth \u2028 line separator",
)
TEXTS = (
    ("decision", "We use pnpm here, never npm: the lock file of npm broke the release twice."),
    ("decision", "データベースの接続プールは最大二十本とし、長時間のバッチ処理では別のプールを使うことにした。" * 3),
    ("pattern", "العربية: يجب دائمًا إغلاق الاتصال بقاعدة البيانات قبل إعادة المحاولة، وإلا تتراكم الأقفال"),
    ("insight", "עברית: הבדיקות האיטיות רצות רק בלילה because the CI has two cores"),
    ("preference", "🚀 Deploys on Fridays are fine 🎉 as long as 👩‍👩‍👧‍👦 the family of canaries 🐤 is green ✅"),
    ("context", "हिन्दी में: परीक्षण रात में चलते हैं; ภาษาไทย: การทดสอบทำงานในเวลากลางคืน"),
    ("style", "Straße, naïve, Ångström, e\u0301 (combined), ﬁ (ligature), ￥ and ＡＢＣ (full width)"),
    ("insight", "The build is slow because webpack resolves symlinks. " * 40),
    ("habit", "for path in paths:\n\tif path.suffix == '.py':\n\t    lint(path)\n\n\n# tabs, indents\nreturn 0"),
    ("context", f"The artefacts are in {DEEP}/artefact-of-the-nightly-build.tar.zst and nowhere else"),
    ("context", "https://ci.example/job/nightly/1234/artifact/" + "segment/" * 20 + "log.txt?full=1#L4711"),
    ("decision", "the token is ghp_" + "A1b2C3d4" * 4 + "E5f6" + " and it must not be stored"),
    *(("insight", text) for text in ATTACKS),
)
FAILURES = (
    ("runtime", "TypeError: Cannot read properties of undefined (reading 'map')\n    at UserList (UserList.tsx:42)"),
    ("build", f"error[E0308]: mismatched types in {DEEP}/src/main.rs: expected `u32`, found `usize`"),
    ("runtime", f"{MARK}Error: \x1b[31mthe queue\x1b[0m 队列 is full\x9b2J"),
)
BUILD = "npm run build"
ERROR = "Cannot find module 'left-pad' in /srv/app"


def _ids(number: int) -> str:
    return f"10000000-0000-4000-8000-{number:012}"


FIRST, LONG, ATTACK = _ids(0), _ids(7), _ids(len(TEXTS) - len(ATTACKS))
SOLUTION = "sol_1000a1b2"


@dataclass(frozen=True)
class Made:
    """The directory of a user: data/ with the store, home/, the project shop/, and notes/, all of it as Markdown."""

    root: Path
    kept: Path
    failure: str
    captured: str
    operation: str

    def renew(self) -> None:
        """Make all of it as it was at first."""
        shutil.rmtree(self.root, ignore_errors=True)
        shutil.copytree(self.kept, self.root, symlinks=True)


def build(place: Path) -> Made:
    """Fill a store in a new directory `ann` of `place`, and a home and a project beside it."""
    root = place / "ann"
    root.mkdir()
    data, shop = root / "data", repository(root / "shop")
    (root / "home" / ".claude").mkdir(parents=True)
    _write_project(shop)
    spooled(data, itertools.chain.from_iterable(told.events for told in _sessions(root)))
    with opened(data) as ctx:

        def call(tool: str, **values: Any) -> Any:
            return registry.call(ctx, registry.find_tool(tool), values).value

        assert ingest.drain(ctx).memories
        done = call("import_memories", memories=[*_prepared(), *_memories(str(shop))])
        assert not done.get("errors"), done
        for kind, text in FAILURES:
            made = call(
                "matrix_failure", errorType=kind, errorMessage=text, rootCause=f"{MARK}\x1b[1m", fixApplied=text
            )
        call("matrix_recall", query="queue")
        call("matrix_reward", solutionId=SOLUTION, outcome="partial", notes=ATTACKS[0])
        call("create_entities", entities=_graph()[0])
        call("create_relations", relations=_graph()[1])
        call("update_memory", id=FIRST, content=TEXTS[0][1] + " Ever.")
        call("delete_memory", id=_ids(3))
        call("memorize", id=f"{MARK}\x1b[31m", vector=[1.0], text=ATTACKS[1])
        call("add_todo", title=ATTACKS[2], description="später")
        files.add(ctx.for_call(Call(tool="add")), [shop / "docs"], None)
        index.index(ctx.for_call(Call(tool="index")), shop)
        day = ctx.now() + 86_400_000_000
        tokens.create(ctx.for_call(Call(tool="token create")), f"CI \x1b[31m{MARK} 构建", "read", [str(shop)], day)
        pausing.pause(str(data), "/projects/old", left_out=True, origin=None)
        from indelible.capture import promotion
        from indelible.core.records import history

        captured = promotion.waiting(ctx, 1)[0][0].key
        operation = history.operations(ctx, 1)[0]["operation"]
        tree.export(ctx, root / "notes")
    kept = place / "kept"
    shutil.copytree(root, kept, symlinks=True)
    return Made(root, kept, made["id"], captured, operation)


def _prepared() -> list[dict[str, Any]]:
    """Return what every_tool.py has, but for a chunk that is shorter than its document, which is a fault."""
    return [each for each in PREPARED if each.get("kind") not in ("document", "chunk", "message")]


def _memories(shop: str) -> list[dict[str, Any]]:
    texts = [
        {
            "id": _ids(number),
            "content": text,
            "memory_type": type_,
            "tags": ["release:lock", f"{MARK}\x1b[31m", "标签"],
            "namespace": shop,
            "created_at": f"2026-0{number % 9 + 1}-03T10:00:00Z",
        }
        for number, (type_, text) in enumerate(TEXTS)
    ]
    other = {"content": f"Of a project with a long path {MARK}", "namespace": DEEP, "id": _ids(99)}
    hostile = {"content": "Of a project with a hostile name", "namespace": f"/srv/{MARK}\x1b[31m\x9b1m", "id": _ids(98)}
    solution = {
        "id": SOLUTION,
        "kind": "solution",
        "content": f"{ATTACKS[0]}\n\n1. 再起動する\n2. {DEEP}\n3. {ATTACKS[3]}",
        "memory_type": "global",
        "tags": [MARK],
    }
    return [*texts, other, hostile, solution]


def _graph() -> tuple[list[dict[str, Any]], list[dict[str, str]]]:
    from indelible.graph import keys

    error = keys.error_key(ERROR)
    build_ = keys.command_key(BUILD, "/srv", 1)
    strategy = f"pin left-pad {MARK}\x1b[31m 版本 and run the whole build again before anything else is tried"
    fix = keys.fix_key(ERROR, strategy, ["package.json"])
    capture = {
        "type": "error.capture",
        "normalizedKey": ERROR.lower(),
        "kind": "runtime",
        "message": f"{ERROR} \x1b[31m",
        "detector": "tests",
    }
    applied = {"type": "fix.apply", "strategy": strategy, "changes": ["package.json"], "result": "applied"}
    outcome = {
        "type": "fix.outcome",
        "ts": "1",
        "status": "verified_successful",
        "verificationMethod": "pytest",
        "durationToVerify": 1,
    }
    entities = [
        {"name": error, "entityType": "Error", "observations": [capture]},
        {"name": build_, "entityType": "Command", "observations": []},
        {"name": fix, "entityType": "Fix", "observations": [applied, outcome]},
    ]
    relations = [
        {"from": fix, "to": error, "relationType": "RESOLVES"},
        {"from": build_, "to": error, "relationType": "EMITS"},
    ]
    return entities, relations


def _sessions(root: Path) -> list[Told]:
    first = whole_session(root / "shop", "s1")
    second = Told(root / "shop", "s2", began=1_771_000_000_000_000)
    second.start()
    second.prompt(f"Never use npm in this repository {MARK} \x1b[31m, always pnpm. 必ず pnpm を使うこと。")
    second.command(f"pytest -q \x1b]0;{MARK}\x07", f"{MARK} \x1b[31mFAILED\x1b[0m tests/test_cart.py::t", failed=True)
    second.edit("cart.py", "total = 3", "total = 4")
    second.command(f"pytest -q \x1b]0;{MARK}\x07", "1 passed")
    second.turn("I decided to keep the cart in SQLite because Redis loses it at each restart of the container.")
    second.end()
    return [first, second]


def _write_project(shop: Path) -> None:
    (shop / "docs").mkdir()
    (shop / "docs" / "guide.md").write_text("# Guide\n\nRetries back off. 再試行。\n", encoding="utf-8")
    (shop / "docs" / f"notes \x1b[31m{MARK}.md").write_text(f"# {ATTACKS[0]}\n", encoding="utf-8")
    (shop / "docs" / "picture.png").write_bytes(b"\x89PNG\0")
    (shop / "cart.py").write_text(
        '"""The cart."""\n\n\nclass Cart:\n    def total(self, prices: list[int]) -> int:\n        """总额。"""\n'
        "        return sum(prices)\n\n\ndef main() -> None:\n    print(Cart().total([1]))\n",
        encoding="utf-8",
    )
    (shop / "broken.py").write_text("def (:\n", encoding="utf-8")


__all__ = ["ATTACK", "ATTACKS", "BUILD", "DEEP", "ERROR", "FIRST", "ID", "LONG", "MARK", "SOLUTION", "Made", "build"]
