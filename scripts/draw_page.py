#!/usr/bin/env python3
"""Draw the page: a picture of each of its pages, at two widths, light and dark, into docs/assets/page.

    python scripts/draw_page.py

Needs Debian's chromium and the package playwright. The store is made up, in a directory that is deleted afterwards.
"""

import os
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from playwright.sync_api import sync_playwright

from indelible.api import Memory, open_memory
from indelible.capture import ingest, spool
from indelible.server.web.serving import link_to, running

FOLDER = Path(__file__).resolve().parent.parent / "docs" / "assets" / "page"
WIDTHS = (1440, 320)
SCHEMES = ("light", "dark")
HEIGHT = 900
MEMORIES = (
    ("We use pnpm here, never npm.", "preference", 0.9),
    ("Sessions are stored in Redis with a TTL of 30 minutes, since the load balancer is not sticky.", "decision", 0.8),
    ("Money is stored in cents, as integers, never as floats.", "decision", 0.8),
    ("Tests run with vitest, not jest.", "preference", 0.6),
    ("The gateway strips the Authorization header before it calls the mailer.", "context", 0.5),
    ("Errors are wrapped with a code and a hint of what to do.", "style", 0.5),
    ("Feature flags live in flags.yaml; the deployment reads them at its start.", "pattern", 0.5),
    ("الجلسات محفوظة في ريديس。 会话存储在 Redis 中。", "context", 0.4),
    ("Expired sessions are removed by a job that runs each night at two.", "context", 0.4),
    ("A session holds the user's id, the cart and the language; nothing that is secret.", "context", 0.5),
    ("Tests of sessions run against a Redis of their own, stored in memory only.", "pattern", 0.4),
    ("Sessions of the app last 90 days; they are stored beside the device, not in Redis.", "decision", 0.6),
)
TOLD = (
    (
        "prompt",
        {"text": "Let's keep sessions for 20 minutes instead of 30, the auditors ask for it. Fix the test too."},
    ),
    (
        "turn_ended",
        {"text": "Done. I decided to read the TTL of sessions from the settings because tests need 1 second."},
    ),
)
BEGAN = 1_770_000_000_000_000  # microseconds since 1970: when the session was told
RELATIONS = (
    ("checkout", "billing", "calls"),
    ("checkout", "queue", "writes to"),
    ("queue", "mailer", "feeds"),
    ("gateway", "checkout", "routes to"),
    ("gateway", "search", "routes to"),
    ("billing", "redis", "caches in"),
    ("checkout", "redis", "caches in"),
)


def filled(memory: Memory) -> str:
    """Fill a store; return the id of a memory with a history."""
    keys = [
        memory.call("store_memory", content=text, memory_type=type_, importance=importance)["id"]
        for text, type_, importance in MEMORIES
    ]
    names = sorted({name for start, end, _ in RELATIONS for name in (start, end)})
    entities = [{"name": name, "entityType": "service", "observations": [f"{name} is a service"]} for name in names]
    memory.call("create_entities", entities=entities)
    relations = [{"from": start, "to": end, "relationType": name} for start, end, name in RELATIONS]
    memory.call("create_relations", relations=relations)
    memory.call(
        "matrix_failure",
        errorType="test",
        errorMessage="ECONNREFUSED 127.0.0.1:6379 in checkout.test.ts",
        rootCause="Redis does not run in CI",
        fixApplied="start Redis in the workflow",
    )
    memory.call("update_memory", id=keys[3], content="Tests run with vitest, never with jest.")
    memory.call("associate_memories", source_id=keys[1], target_id=keys[4], relationship="RELATES_TO")
    memory.call("store_memory", content="Invoices are sent by the mailer.", namespace="billing")
    return str(keys[1])


def told(memory: Memory, place: Path) -> None:
    """Let a session be captured, so that something waits for review."""
    (place / "shop" / ".git").mkdir(parents=True)
    (place / "shop" / ".git" / "HEAD").write_text("ref: refs/heads/main\n")
    both = {"v": 1, "client": "claude-code", "session": "8f14e45f", "cwd": str(place / "shop")}
    whole = [("session_started", {"source": "startup"}), *TOLD, ("session_ended", {"reason": "exit"})]
    for number, (what, fields) in enumerate(whole):
        event = {**both, "id": f"{what}:{number}", "time": BEGAN + number * 1_000_000, "what": what, **fields}
        spool.put(str(memory.context.settings.data), event)
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
        "shop",
    ]
    process = subprocess.Popen(command, cwd=data, stderr=subprocess.PIPE, text=True)
    assert process.stderr is not None
    try:
        while not process.stderr.readline().startswith("indelible: serving"):
            assert process.poll() is None, "the server left"
        yield running(data)
    finally:
        process.terminate()
        process.wait()
        process.stderr.close()


def drawn(browser: Any, data: Path, url: str, pages: dict[str, str]) -> None:
    """Draw each page at each width in each scheme."""
    for width in WIDTHS:
        for scheme in SCHEMES:
            context = browser.new_context(viewport={"width": width, "height": HEIGHT}, color_scheme=scheme)
            tab = context.new_page()
            tab.goto(link_to(data, url))
            for name, path in pages.items():
                tab.goto(url + path)
                tab.emulate_media(reduced_motion="reduce", color_scheme=scheme)
                tab.wait_for_timeout(500)
                tab.screenshot(path=str(FOLDER / f"{name}-{width}-{scheme}.png"))
            context.close()


def main() -> int:
    """Draw all pages."""
    FOLDER.mkdir(parents=True, exist_ok=True)
    chromium = shutil.which("chromium")
    assert chromium, "apt-get install chromium"
    with tempfile.TemporaryDirectory() as place:
        data = Path(place) / "data"
        os.environ |= {"HOME": place, "INDELIBLE_ENCODER": "off"}  # by words: each picture has the same scores
        with open_memory(data, project="shop") as memory:
            key = filled(memory)
            told(memory, Path(place))
        pages = {
            "home": "/",
            "find": "/find?q=where+are+sessions+stored",
            "record": f"/record?id={key}",
            "edit": f"/record?id={key}&edit=1",
            "review": "/review",
            "timeline": "/timeline",
            "graph": "/graph?id=entity:checkout",
            "projects": "/projects",
            "system": "/system",
        }
        with served(data) as url, sync_playwright() as playwright:
            browser = playwright.chromium.launch(executable_path=chromium, args=["--no-sandbox"])
            drawn(browser, data, url, pages)
            browser.close()
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
