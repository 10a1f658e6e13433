"""Stores of which a brief is asked for, and its text by every door."""

import re
import uuid
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest

from empty_store import begin
from indelible import hook_settings
from indelible.capture import brief as briefs
from indelible.capture import hook_brief, project_brief
from indelible.capture.hook_brief import place_of
from indelible.cli import main
from indelible.core.context.call import NO_CALLER
from indelible.core.context.context import Context, open_context
from indelible.model import Record
from indelible.server.mcp import prompts, resources
from indelible.settings import Settings
from indelible.store.tables import records
from indelible.toolsets import registry

LINE = re.compile(r"- (.+) \[([^\[\]]*)\]")


class Clock:
    """The time of now, until a test lets some pass."""

    def __init__(self) -> None:
        self.ahead = timedelta()

    def __call__(self) -> datetime:
        return datetime.now(UTC) + self.ahead


def opened(data: Path, start: Path, clock: Any) -> Context:
    begin(data)
    return open_context(Settings(data=data, start=start, home=data.parent), clock)


def opened_in_project(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Context:
    """A new store and a project, which is the working directory."""
    for variable in ("INDELIBLE_PROJECT", "CLAUDE_PROJECT_DIR", "INDELIBLE_DATA"):
        monkeypatch.delenv(variable, raising=False)
    place = tmp_path / "app"
    place.mkdir()
    monkeypatch.chdir(place)
    return opened(tmp_path / "data", place, Clock())


def call(ctx: Context, tool: str, /, **arguments: Any) -> Any:
    return registry.call(ctx, registry.find_tool(tool), arguments).value


def remember(ctx: Context, content: str, memory_type: str = "decision", **more: Any) -> str:
    return str(call(ctx, "store_memory", content=content, memory_type=memory_type, **more)["id"])


def fail(ctx: Context, message: str, **more: Any) -> str:
    given = {"errorType": "test", "rootCause": "a cause", "fixApplied": "a fix", **more}
    return str(call(ctx, "matrix_failure", errorMessage=message, **given)["id"])


def capture(ctx: Context, content: str, captured: str = "decision", key: str = "", **metadata: Any) -> str:
    """A record as capture stores it, untrusted."""
    now = ctx.now()
    record = Record(
        key=key or str(uuid.uuid4()),
        kind="memory",
        type={"decision": "decision", "failure": "insight"}.get(captured, "context"),
        text=content,
        tags=(content,),
        namespace=str(ctx.session.location.path) if ctx.session.location else "",
        metadata={"origin": "capture", "trust": "untrusted", "captured": captured, **metadata},
        importance=0.9,
        content_hash=content,
        session=content,
        created=now,
        updated=now,
    )
    assert ctx.store.write(lambda tx: records.insert(tx, record))
    return record.key


def told(ctx: Context, tokens: int = briefs.DEFAULT) -> str:
    return project_brief.brief_of(ctx, None, tokens)


def asked_for(ctx: Context, request: str) -> dict[str, str]:
    """The metadata of a captured session that the person who reads the briefs certainly began with that request."""
    return {"request": request, "typed_by": hook_settings.person(ctx.settings.database)}


def hooked(ctx: Context, cwd: Path | None = None) -> str:
    return hook_brief.for_hook(place_of(ctx.settings), str(cwd or Path.cwd()), "codex").text


def sections(text: str) -> dict[str, list[str]]:
    """The lines of a brief under their titles."""
    assert text.count("<memory ") == text.count("</memory>") == 1, text
    found: dict[str, list[str]] = {}
    title = ""
    for line in text.split('trust="trusted">\n')[1].split("</memory>", maxsplit=1)[0].splitlines():
        if line.startswith("- "):
            found[title].append(line)
        else:
            title = re.sub(r" \(\d+ of \d+\+?\)$|, newest first$", "", line.removesuffix(":"))
            found[title] = []
    return found


def doors(ctx: Context, capsys: pytest.CaptureFixture[str], arguments: tuple[str, ...] = ()) -> dict[str, str]:
    """The brief by each door; the command line and the hook as processes of their own would give it."""
    capsys.readouterr()
    assert main.main(["brief", "--data", str(ctx.settings.data), *arguments]) == 0
    own = str(ctx.session.location.path) if ctx.session.location else ""
    return {
        "engine": told(ctx),
        "prompt": prompts.PROMPTS["onboard"].text(ctx, {"namespace": None}, ()),
        "resource": resources.text_of(ctx, resources.uri_of_brief(own), NO_CALLER),
        "command": capsys.readouterr().out.rstrip("\n"),
        "hook": hooked(ctx),
    }
