"""SpecStory's histories: `.specstory/history/**/*.md` of a project, a conversation a file.

A message begins with `_**User (2026-07-13 13:40:49Z)**_` or `_**Agent (model time)**_`, of old `_**User**_` and
`_**Assistant**_`; messages are parted by `---`. The session's id stands in a comment, the time in the file's name.
Taken from github.com/specstoryai/getspecstory specstory-cli (Markdown v2.1.0) and samples of older ones, read on
2026-11-29. What tools did (`<tool-use>`) and thoughts (`<think>`) are left out: they are not what was said.
"""

import re
from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path

from indelible.errors import InvalidInput
from indelible.store.views import chats
from indelible.transfer.sources import projects, texts
from indelible.transfer.sources.source import Entry, PassedOver, Refused, Source, Surroundings

_MARK = re.compile(r"^_\*\*(User|Agent|Assistant)\b([^*\n]{0,300})\*\*_[ \t]*$", re.MULTILINE)
_TIME = re.compile(r"(\d{4}-\d\d-\d\d)[ T](\d\d:\d\d)(:\d\d)?(?:\.\d+)?[ \t]*(Z|[+-]\d\d:?\d\d)?")
_NAME_TIME = re.compile(r"(\d{4}-\d\d-\d\d)_(\d\d)-(\d\d)(?:-(\d\d))?")
_SESSION = re.compile(r"<!--[^>\n]{0,100}\bSession[ \t]+([0-9A-Za-z-]{8,64})")
_NOT_SAID = re.compile(r"<(tool-use|think)\b.*?(?:</\1>|\Z)", re.DOTALL)


def _places(around: Surroundings) -> list[Path]:
    folder = around.directory / ".specstory" / "history"
    return [folder] if folder.is_dir() and texts.files(folder, ".md") else []


def _read(place: Path, around: Surroundings) -> Iterator[Entry | Refused | PassedOver]:
    namespace = projects.namespace(projects.around(place if place.is_dir() else place.parent), around.home)
    for path in texts.files(place, ".md"):
        try:
            text = texts.read(path)
            started = _name_time(path) or texts.changed(path)
        except (InvalidInput, OSError) as error:
            yield Refused(str(path), str(error))
            continue
        marks = list(_MARK.finditer(text))
        if not marks:
            yield Refused(str(path), "it has no message (`_**User**_`); is it a history of SpecStory?")
            continue
        session = _SESSION.search(text)
        conversation = session[1] if session is not None else path.stem
        when = started
        for number, mark in enumerate(marks):
            end = marks[number + 1].start() if number + 1 < len(marks) else len(text)
            said = _NOT_SAID.sub("", text[mark.end() : end]).strip().removesuffix("---").strip()
            when = _time(mark[2]) or when
            if not said:
                yield PassedOver("an agent's call of a tool")
                continue
            yield Entry(
                f"{conversation}#{number}",
                f"{path} message {number + 1}",
                {
                    "kind": "message",
                    "content": said,
                    "memory_type": "user" if mark[1] == "User" else "assistant",
                    "namespace": namespace,
                    "session": chats.session_of(conversation),
                    "position": number,
                    "metadata": {"conversation": conversation, "source_tool": "specstory"},
                    "created_at": when,
                    "updated_at": when,
                },
            )


def _time(text: str) -> str | None:
    found = _TIME.search(text)
    if found is None:
        return None
    zone = (found[4] or "Z").replace("Z", "+00:00")
    return _valid(f"{found[1]}T{found[2]}{found[3] or ':00'}{zone}")


def _name_time(path: Path) -> str | None:
    found = _NAME_TIME.match(path.name)
    return None if found is None else _valid(f"{found[1]}T{found[2]}:{found[3]}:{found[4] or '00'}+00:00")


def _valid(text: str) -> str | None:
    try:
        return datetime.fromisoformat(text).astimezone(UTC).isoformat()
    except (ValueError, OverflowError):
        return None


SOURCE = Source("specstory", "SpecStory's histories", _places, _read)
