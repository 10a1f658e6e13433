#!/usr/bin/env python3
"""Draw the page: a picture of each of its pages, at two widths, light and dark, into docs/assets/page.

    python scripts/draw_page.py

Needs Debian's chromium and the package playwright. The store is made up, in /tmp/ann, which is deleted afterwards.
"start.png" is the README's: what Claude Code shows when a session starts, beside the first screen.
"""

import base64
import html
import json
import os
import shutil
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

from playwright.sync_api import sync_playwright

from indelible.api import Memory
from indelible.capture import ingest, spool
from indelible.core.context.context import open_context
from indelible.server.web.serving import link_to, running
from indelible.settings import Settings
from indelible.toolsets.code import links

FOLDER = Path(__file__).resolve().parent.parent / "docs" / "assets" / "page"
HOUSE = Path("/tmp/ann")  # whose path is in the pictures
SHOP = HOUSE / "shop"
WIDTHS = (1440, 320)
SCHEMES = ("light", "dark")
HEIGHT = 900
# Days ago, text, type, importance.
MEMORIES = (
    (12, "Money is stored in cents, as integers, never as floats.", "decision", 0.8),
    (11, "Sessions of the app last 90 days; they are stored beside the device, not in Redis.", "decision", 0.6),
    (9, "Errors are wrapped with a code and a hint of what to do.", "style", 0.5),
    (9, "Feature flags live in flags.yaml; the deployment reads them at its start.", "pattern", 0.5),
    (8, "The gateway strips the Authorization header before it calls the mailer.", "context", 0.5),
    (6, "A session holds the user's id, the cart and the language; nothing that is secret.", "context", 0.5),
    (6, "Expired sessions are removed by a job that runs each night at two.", "context", 0.4),
    (5, "Tests of sessions run against a Redis of their own, stored in memory only.", "pattern", 0.4),
    (4, "الجلسات محفوظة في ريديس。 会话存储在 Redis 中。", "context", 0.4),
    (3, "Tests run with jest.", "preference", 0.6),
    (3, "Sessions of guests are stored like those of users, without a name.", "context", 0.4),
    (2, "We use pnpm here, never npm.", "preference", 0.9),
)
CODE = '''TTL = 30 * 60  # seconds


def open_session(user):
    """Store a new session of a user, and return its key."""
    key = new_key()
    redis.set(f"session:{key}", dump(user), ex=TTL)
    return key
'''
DECISION = (
    "Sessions are stored in Redis with a TTL of 30 minutes, since the load balancer is not sticky: `open_session`."
)
TOLD = (
    (
        "prompt",
        {"text": "Let's keep sessions for 20 minutes instead of 30, the auditors ask for it. Fix the test too."},
    ),
    (
        "tool",
        {
            **{"tool": "Bash", "action": "command", "subject": "pnpm vitest run sessions", "outcome": "failed"},
            **{"output": "FAIL sessions.test.ts\nAssertionError: expected 1800 to be 1200", "edits": []},
        },
    ),
    (
        "turn_ended",
        {"text": "Done. I decided to read the TTL of sessions from the settings because tests need 1 second."},
    ),
)
RELATIONS = (
    ("checkout", "billing", "calls"),
    ("checkout", "queue", "writes to"),
    ("queue", "mailer", "feeds"),
    ("gateway", "checkout", "routes to"),
    ("gateway", "search", "routes to"),
    ("billing", "redis", "caches in"),
    ("checkout", "redis", "caches in"),
)


@contextmanager
def opened(data: Path, days: float) -> Iterator[Memory]:
    """The store as it was used so many days ago, by words: each picture has the same scores."""
    settings = Settings.load(data=str(data), project=str(SHOP), environ={**os.environ, "INDELIBLE_ENCODER": "off"})
    with Memory(open_context(settings, lambda: datetime.now(UTC) - timedelta(days=days))) as memory:
        yield memory


def filled(data: Path) -> dict[str, str]:
    """Fill a store; return the ids of a decision, of a memory that was changed, and of one that can be deleted."""
    keys = {}
    for days, text, type_, importance in MEMORIES:
        with opened(data, days) as memory:
            keys[text] = memory.call("store_memory", content=text, memory_type=type_, importance=importance)["id"]
    changed = keys["Tests run with jest."]
    with opened(data, 2.5) as memory:
        decision = memory.call("store_memory", content=DECISION, memory_type="decision", importance=0.8)["id"]
        memory.call("update_memory", id=changed, content="Tests run with vitest, never with jest.")
        memory.call("associate_memories", source_id=decision, target_id=keys[MEMORIES[4][1]], relationship="RELATES_TO")
        names = sorted({name for start, end, _ in RELATIONS for name in (start, end)})
        entities = [
            {"name": name, "entityType": "service", "observations": ["a service of the shop"]} for name in names
        ]
        memory.call("create_entities", entities=entities)
        relations = [{"from": start, "to": end, "relationType": name} for start, end, name in RELATIONS]
        memory.call("create_relations", relations=relations)
    with opened(data, 1.2) as memory:
        memory.call(
            "matrix_failure",
            errorType="test",
            errorMessage="ECONNREFUSED 127.0.0.1:6379 in checkout.test.ts",
            rootCause="Redis does not run in CI",
            fixApplied="start Redis in the workflow",
        )
        memory.call("store_memory", content="Invoices are sent by the mailer.", namespace=str(HOUSE / "billing"))
        memory.call("add_todo", title="Write the migration for prices in cents")
        memory.call("index_codebase", path=str(SHOP))
        links.catch_up(memory.context)
    told(data)
    return {"decision": decision, "changed": changed, "other": keys[MEMORIES[3][1]]}


def told(data: Path) -> None:
    """Let a session be captured, so that something waits for review and something has failed."""
    both = {"v": 1, "client": "claude-code", "session": "8f14e45f", "cwd": str(SHOP)}
    whole = [("session_started", {"source": "startup"}), *TOLD, ("session_ended", {"reason": "exit"})]
    began = (datetime.now(UTC) - timedelta(hours=3)).timestamp()
    for number, (what, fields) in enumerate(whole):
        time = int((began + number) * 1_000_000)
        spool.put(str(data), {**both, "id": f"{what}:{number}", "time": time, "what": what, **fields})
    with opened(data, 0) as memory:
        ingest.drain(memory.context)


@contextmanager
def served(data: Path) -> Iterator[str]:
    """The address of a server of a data directory."""
    command = [
        sys.executable,
        "-m",
        "indelible",
        "serve",
        "--http",
        "127.0.0.1:0",
        "--data",
        str(data),
        "--project",
        str(SHOP),
    ]
    process = subprocess.Popen(command, cwd=SHOP, stderr=subprocess.PIPE, text=True)
    assert process.stderr is not None
    try:
        while not process.stderr.readline().startswith("indelible: serving"):
            assert process.poll() is None, "the server left"
        yield running(data)
    finally:
        process.terminate()
        process.wait()
        process.stderr.close()


def drawn(browser: Any, data: Path, url: str, pages: dict[str, str], other: str) -> None:
    """Draw each page at each width in each scheme; the last one just after a memory was deleted."""
    for width in WIDTHS:
        for scheme in SCHEMES:
            context = browser.new_context(viewport={"width": width, "height": HEIGHT}, color_scheme=scheme)
            tab = context.new_page()
            tab.goto(link_to(data, url))
            for name, path in pages.items():
                tab.goto(url + path)
                tab.emulate_media(reduced_motion="reduce", color_scheme=scheme)
                tab.wait_for_timeout(500)
                if name == "why":
                    tab.locator("details.why summary").first.click()
                tab.screenshot(path=str(FOLDER / f"{name}-{width}-{scheme}.png"))
            tab.goto(f"{url}/record?id={other}")
            tab.get_by_role("button", name="Delete").click()
            tab.locator(".undo").wait_for()
            tab.screenshot(path=str(FOLDER / f"undo-{width}-{scheme}.png"))
            tab.get_by_role("button", name="Undo").click()
            tab.locator(".undo").wait_for(state="detached")
            context.close()


def started(data: Path) -> str:
    """Return the line that Claude Code shows where a session starts, as the hook says it."""
    payload = {"hook_event_name": "SessionStart", "session_id": "b", "cwd": str(SHOP), "source": "startup"}
    command = [sys.executable, "-m", "indelible", "hook", "session-start", "--client", "claude-code"]
    env = {**os.environ, "INDELIBLE_DATA": str(data)}
    ran = subprocess.run(
        command, cwd=SHOP, env=env, input=json.dumps(payload), capture_output=True, text=True, check=True
    )
    return str(json.loads(ran.stdout)["systemMessage"])


START = """<!doctype html><meta charset="utf-8"><style>
body { margin: 0; display: flex; gap: 24px; padding: 24px; background: #e9ebef; align-items: flex-start; }
pre { margin: 0; width: 440px; box-sizing: border-box; background: #15171b; color: #dee2e9; border-radius: 8px; }
pre { padding: 20px 24px; font: 15px/24px ui-monospace, Menlo, monospace; white-space: pre-wrap; }
i { color: #9098a6; font-style: normal; } b { color: #fff; } u { color: #96a2ff; text-decoration: none; }
img { display: block; border-radius: 8px; }
</style><pre><i>~/shop $</i> <b>claude</b>

<u>SessionStart</u> %s

<i>The agent has what is on the right before your first prompt.</i></pre><img src="data:image/png;base64,%s">"""


def drawn_start(browser: Any, data: Path, url: str, line: str) -> None:
    """Draw the README's picture: the line of a session's start beside the first screen."""
    tab = browser.new_page(viewport={"width": 1020, "height": 628}, color_scheme="light")
    tab.goto(link_to(data, url))
    page = base64.b64encode(tab.screenshot()).decode()
    tab.set_viewport_size({"width": 1532, "height": 676})
    tab.goto("about:blank")
    tab.set_content(START % (html.escape(line), page))
    tab.screenshot(path=str(FOLDER / "start.png"))
    tab.close()


def main() -> int:
    """Draw all pages."""
    FOLDER.mkdir(parents=True, exist_ok=True)
    chromium = shutil.which("chromium")
    assert chromium, "apt-get install chromium"
    HOUSE.mkdir()
    try:
        (SHOP / ".git").mkdir(parents=True)
        (SHOP / ".git" / "HEAD").write_text("ref: refs/heads/main\n")
        (SHOP / "sessions.py").write_text(CODE)
        data = HOUSE / "data"
        os.environ |= {"HOME": str(HOUSE), "INDELIBLE_ENCODER": "off"}
        keys = filled(data)
        question = "q=where+are+sessions+stored"
        pages = {
            "home": "/",
            "find": f"/find?{question}",
            "why": f"/find?{question}&missed={keys['other']}",
            "nothing": "/find?q=the+weather+in+lisbon",
            "record": f"/record?id={keys['decision']}",
            "history": f"/record?id={keys['changed']}&tab=history",
            "edit": f"/record?id={keys['decision']}&edit=1",
            "review": "/review",
            "timeline": "/timeline",
            "graph": "/graph?id=entity:checkout",
            "projects": "/projects",
            "system": "/system",
        }
        with served(data) as url, sync_playwright() as playwright:
            browser = playwright.chromium.launch(executable_path=chromium, args=["--no-sandbox"])
            drawn(browser, data, url, pages, keys["other"])
            drawn_start(browser, data, url, started(data))
            browser.close()
    finally:
        shutil.rmtree(HOUSE)
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
