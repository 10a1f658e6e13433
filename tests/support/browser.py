"""A real browser at the page: Debian's Chromium, driven by Playwright, which is loaded where a test needs it.

with opened(server, data) as tab:
    tab.goto(server.url + "/find")
"""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

from http_server import HttpServer
from indelible.server.web.serving import link_to

if TYPE_CHECKING:
    from pathlib import Path

PATIENCE = 30_000  # milliseconds for anything that a page is to show


@contextmanager
def chromium() -> Iterator[Any]:
    """A browser without a window."""
    from playwright.sync_api import sync_playwright

    path = shutil.which("chromium")
    assert path is not None
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=path, args=["--no-sandbox", "--disable-dev-shm-usage"])
        try:
            yield browser
        finally:
            browser.close()


def _is_of(message: Any, server: HttpServer) -> bool:
    """Return whether a message says that a page of ours wants what its own policy refuses."""
    return "Content Security Policy" in message.text and message.location.get("url", "").startswith(server.url)


@contextmanager
def opened(browser: Any, server: HttpServer, data: Path, **options: Any) -> Iterator[Any]:
    """A tab at the first screen, opened with a one-time link; `errors` of scripts and refusals fail the test."""
    context = browser.new_context(**options)
    context.set_default_timeout(PATIENCE)
    tab = context.new_page()
    said: list[str] = []
    tab.on("pageerror", lambda error: said.append(str(error)))
    tab.on("console", lambda each: said.append(each.text) if _is_of(each, server) else None)
    try:
        tab.goto(link_to(data, server.url))
        yield tab
    finally:
        context.close()
    assert not said, said
