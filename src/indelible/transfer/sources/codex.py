"""Codex's memories: `~/.codex/memories` (`CODEX_HOME`).

`MEMORY.md` is the handbook, `memory_summary.md` what is always loaded (made of it), `raw_memories.md` and
`rollout_summaries/*.md` what it was made of; notes by hand are in `extensions/*/notes`. Taken are the handbook, a block
`# Task Group: NAME` of which names its folder as `applies_to: cwd=...`, the summaries of sessions and the notes. NAME
is a tag of what is in the block. Taken from developers.openai.com/codex/memories and github.com/openai/codex
codex-rs/memories (read on 2026-11-29).
"""

import re
from collections.abc import Iterator
from pathlib import Path

from indelible.errors import InvalidInput
from indelible.transfer.sources import projects, texts
from indelible.transfer.sources.source import Entry, PassedOver, Refused, Source, Surroundings

HANDBOOK = "MEMORY.md"
_MADE_OF_OTHERS = ("memory_summary.md", "raw_memories.md")
_GROUP = re.compile(r"^(?=# Task Group:)", re.MULTILINE)
_OF_GROUP = re.compile(r"Task Group:[ \t]*(.*)")
_CWD = re.compile(r"\bcwd[=:][ \t]*([^;\n)]+)")


def _places(around: Surroundings) -> list[Path]:
    folder = (around.named("CODEX_HOME") or around.home / ".codex") / "memories"
    return [folder] if folder.is_dir() and texts.files(folder, ".md") else []


def _read(place: Path, around: Surroundings) -> Iterator[Entry | Refused | PassedOver]:
    folder = place.parent if place.is_file() else place
    for path in texts.files(place, ".md"):
        name = path.relative_to(folder).as_posix()
        if name in _MADE_OF_OTHERS and path != place:
            yield PassedOver("a file made of the others")
            continue
        try:
            text = texts.read(path)
            when = texts.changed(path)
        except (InvalidInput, OSError) as error:
            yield Refused(str(path), str(error))
            continue
        item = {"created_at": when, "updated_at": when, "metadata": {"file": name}}
        seen = set[str]()
        for block in _GROUP.split(text) if name == HANDBOOK else [text]:
            namespace = _namespace(block, around)
            for part in texts.parts(block):
                own = name + part.own
                while own in seen:  # two groups of one name
                    own += "'"
                seen.add(own)
                group = _OF_GROUP.match(part.headings[0]) if part.headings else None
                fields = {
                    "namespace": namespace,
                    "tags": texts.tags("codex", group[1] if group else ""),
                    "content": part.below(1 if group else 0),
                }
                yield Entry(own, f"{path}{part.own}", {**item, **fields})


def _namespace(block: str, around: Surroundings) -> str | None:
    """The project of a block: that of the one folder that it names, none where it names several."""
    named = {found.strip().strip("`") for found in _CWD.findall(block)}
    (only,) = named if len(named) == 1 else ("",)
    return projects.namespace(Path(only), around.home) if only and Path(only).is_absolute() else None


SOURCE = Source("codex", "Codex's memories", _places, _read)
