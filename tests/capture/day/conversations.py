# ruff: noqa: E501
"""A day of agent work, made up: three conversations about one project, as a script of what was said, run and edited.

`write.py` writes it in the forms that clients give it in: payloads of hooks, and Claude Code's transcripts. The outputs
are those that the tools print. ROOT stands for the project's directory.
"""

ROOT = "/home/dev/ledger"

WRONG_CENT = """\
============================= test session starts ==============================
platform linux -- Python 3.12.4, pytest-8.3.3, pluggy-1.5.0
rootdir: /home/dev/ledger
configfile: pyproject.toml
collected 4 items

tests/test_invoice.py ..F.                                               [100%]

=================================== FAILURES ===================================
_____________________________ test_vat_of_many_lines ___________________________

    def test_vat_of_many_lines():
        invoice = Invoice([Line(999, 3), Line(501, 7)])
>       assert invoice.vat() == 1236
E       assert 1235 == 1236
E        +  where 1235 = vat()
E        +    where vat = Invoice(lines=[Line(net=999, count=3), Line(net=501, count=7)]).vat

tests/test_invoice.py:31: AssertionError
=========================== short test summary info ============================
FAILED tests/test_invoice.py::test_vat_of_many_lines - assert 1235 == 1236
========================= 1 failed, 3 passed in 0.05s ==========================
"""

NO_COLUMN = """\
....E                                                                    [100%]
==================================== ERRORS ====================================
____________________ ERROR at setup of test_invoices_are_stored ________________
/home/dev/ledger/.venv/lib/python3.12/site-packages/sqlalchemy/engine/default.py:943: in do_execute
    cursor.execute(statement, parameters)
E   sqlite3.OperationalError: no such column: invoice.net_cents
/home/dev/ledger/tests/test_store.py:18: OperationalError
=========================== short test summary info ============================
ERROR tests/test_store.py::test_invoices_are_stored - sqlite3.OperationalError: no such column: invoice.net_cents
4 passed, 1 error in 0.31s
"""

WRONG_TYPE = """\
> ledger-web@0.4.0 typecheck
> tsc --noEmit

src/webhooks.ts(27,11): error TS2345: Argument of type 'string | undefined' is not assignable to parameter of type 'string'.
  Type 'undefined' is not assignable to type 'string'.
Found 1 error in src/webhooks.ts:27
"""

NO_REDIS = """\
Exit code 1
Traceback (most recent call last):
  File "/home/dev/ledger/scripts/replay_webhooks.py", line 6, in <module>
    import redis
ModuleNotFoundError: No module named 'redis'
"""

NO_IMAGE = """\
Exit code 17
 => ERROR [web builder 4/6] RUN pnpm install --frozen-lockfile                     2.1s
------
failed to solve: process "/bin/sh -c pnpm install --frozen-lockfile" did not complete successfully: exit code: 1
"""

DATA_RACE = """\
--- FAIL: TestPostsInOrder (0.02s)
    poster_test.go:44: got [2 1 3], want [1 2 3]
FAIL
FAIL	example.com/ledger/poster	0.031s
ok  	example.com/ledger/outbox	0.012s
FAIL
"""

# Each step: ("asked", text), ("answered", text), ("ran", line, outcome, output), ("edited", path, old, new),
# ("read", path), ("searched", pattern), ("helped", pattern) of a subagent, ("noise",) of a harness, ("compacted",).
MORNING = [
    (
        "asked",
        "Our invoices are off by one cent when they have several lines. We decided to keep all amounts as integer cents "
        "in the database, because floats lose money. Please find out what is wrong in src/ledger/invoice.py and fix it.",
    ),
    ("noise",),
    ("searched", "def vat"),
    ("read", "src/ledger/invoice.py"),
    ("ran", "ls src/ledgr", "failed", "Exit code 2\nls: cannot access 'src/ledgr': No such file or directory"),
    ("ran", f"cd {ROOT} && .venv/bin/python -m pytest tests/test_invoice.py", "failed", WRONG_CENT),
    (
        "edited",
        "src/ledger/invoice.py",
        "    def vat(self) -> int:\n        return sum(round(line.total * self.rate) for line in self.lines)\n",
        "    def vat(self) -> int:\n        return round(sum(line.total for line in self.lines) * self.rate)\n",
    ),
    ("ran", ".venv/bin/python -m pytest tests/test_invoice.py -q", "ok", "....\n4 passed in 0.03s"),
    (
        "answered",
        "Fixed: the tax was rounded for each line, now once for the whole invoice. Should I run the other tests too?",
    ),
    ("asked", "Yes. And could we use Decimal instead? Not sure that it is worth it."),
    ("helped", "Decimal"),
    ("ran", "pyest", "failed", "Exit code 127\n/bin/bash: line 1: pyest: command not found"),
    ("ran", "python -m pytest -q 2>&1 | tail -12", "ok", NO_COLUMN),
    (
        "edited",
        "src/ledger/store.py",
        "        metadata.create_all(engine, checkfirst=True)",
        "        alembic.command.upgrade(config, 'head')",
    ),
    ("edited", "README.md", "Run the tests.", "Run `alembic upgrade head` before the tests."),
    ("ran", "python -m pytest -q 2>&1 | tail -12", "ok", ".....\n5 passed in 0.40s"),
    (
        "ran",
        "git push",
        "failed",
        "Exit code 128\nfatal: unable to access 'https://github.com/': Could not resolve host: github.com",
    ),
    ("ran", "git push", "ok", "To github.com:dev/ledger.git\n   4f1c2aa..9d8e7f6  main -> main"),
    (
        "answered",
        "All tests pass. I chose Alembic migrations over create_all because create_all never changes a table that is "
        "there, and that is why net_cents was missing in the test database.",
    ),
]

MIDDAY = [
    (
        "asked",
        "Der Webhook von Stripe kommt manchmal doppelt an. Wir haben uns entschieden, die Event-IDs in Redis statt in "
        "Postgres zu merken, weil sie nach drei Tagen verfallen sollen. Bau das bitte in web/src/webhooks.ts ein.",
    ),
    ("searched", "stripe.webhooks.constructEvent"),
    ("read", "web/src/webhooks.ts"),
    (
        "edited",
        "web/src/webhooks.ts",
        "  await post(event);\n",
        "  if (await redis.set(event.id, '1', { NX: true, EX: 259200 })) {\n    await post(event);\n  }\n",
    ),
    ("ran", "cd web && npm run typecheck", "failed", "Exit code 2\n" + WRONG_TYPE),
    (
        "edited",
        "web/src/webhooks.ts",
        "const redis = createClient({ url: process.env.REDIS_URL });\nconnect(process.env.REDIS_URL);",
        "const url = process.env.REDIS_URL ?? 'redis://localhost:6379';\nconst redis = createClient({ url });\nconnect(url);",
    ),
    ("ran", "cd web && npm run typecheck", "ok", "> ledger-web@0.4.0 typecheck\n> tsc --noEmit\n"),
    (
        "asked",
        "Ab jetzt schreiben wir alle Zeitstempel der Webhooks in UTC. Spiel danach die Webhooks von gestern noch einmal ein.",
    ),
    ("ran", "uv run python scripts/replay_webhooks.py --day yesterday", "failed", NO_REDIS),
    ("ran", "uv add redis", "ok", "Resolved 41 packages in 312ms\n + redis==5.2.0"),
    (
        "ran",
        "uv run python scripts/replay_webhooks.py --day yesterday",
        "ok",
        "replayed 118 events, 3 of them were known",
    ),
    ("compacted",),
    ("ran", "docker compose build web", "failed", NO_IMAGE),
    ("edited", "web/Dockerfile", "COPY package.json ./", "COPY package.json pnpm-lock.yaml ./"),
    ("ran", "docker compose build web", "failed", NO_IMAGE),
    (
        "answered",
        "Die Webhooks werden jetzt nur einmal verbucht. Das Image von web lässt sich noch nicht bauen: die Lock-Datei passt "
        "nicht zu package.json. Sollen wir pnpm statt npm im ganzen Projekt verwenden?",
    ),
]

AFTERNOON = [
    (
        "asked",
        "The poster posts entries out of order now and then. Never log full account numbers in this repo while you debug it!",
    ),
    ("ran", "rg -n 'go func' poster", "ok", "poster/poster.go:31:\t\tgo func(entry Entry) {"),
    ("ran", "go test ./...", "failed", DATA_RACE),
    (
        "edited",
        "poster/poster.go",
        "\t\tgo func(entry Entry) {\n\t\t\tp.post(entry)\n\t\t}(entry)",
        "\t\tp.post(entry)",
    ),
    (
        "ran",
        "go test ./...",
        "ok",
        "ok  \texample.com/ledger/poster\t0.028s\nok  \texample.com/ledger/outbox\t(cached)",
    ),
    (
        "answered",
        "Entries are posted one after another now, and the test passes. We agreed on the outbox pattern for retries: a failed "
        "entry stays in the outbox table, and nothing is posted twice.",
    ),
]

DAY = {"morning": MORNING, "midday": MIDDAY, "afternoon": AFTERNOON}
