"""Files of instructions for agents: CLAUDE.md, AGENTS.md, `.cursor/rules/*.mdc`, each section an entry of its own.

CLAUDE.md by code.claude.com/docs/en/memory (project, `.claude/`, CLAUDE.local.md, `~/.claude/`), AGENTS.md by
agents.md, rules by cursor.com/docs/rules (front matter `description`, `globs`, `alwaysApply`; `.cursorrules` of old);
read on 2026-11-29. What a file includes by `@path` is not followed.
"""

from collections.abc import Iterator
from pathlib import Path

from indelible.errors import InvalidInput
from indelible.transfer.sources import projects, texts
from indelible.transfer.sources.source import Entry, Refused, Source, Surroundings

_OF_PROJECT = ("CLAUDE.md", ".claude/CLAUDE.md", "CLAUDE.local.md", "AGENTS.md", ".cursorrules")
_RULES = ".cursor/rules"
_ENDINGS = (".md", ".mdc", ".cursorrules")


def _places(around: Surroundings) -> list[Path]:
    own = around.named("CLAUDE_CONFIG_DIR") or around.home / ".claude"
    codex = around.named("CODEX_HOME") or around.home / ".codex"
    files = [around.directory / name for name in _OF_PROJECT] + [own / "CLAUDE.md", codex / "AGENTS.md"]
    rules = around.directory / _RULES
    found = [path for path in files if path.is_file()] + ([rules] if rules.is_dir() else [])
    own_files = {path.resolve() for path in found if not path.is_symlink()}
    # A link to one of the others, as CLAUDE.md to AGENTS.md, says nothing more.
    return [path for path in dict.fromkeys(found) if not (path.is_symlink() and path.resolve() in own_files)]


def _read(place: Path, around: Surroundings) -> Iterator[Entry | Refused]:
    namespace = projects.namespace(projects.around(place if place.is_dir() else place.parent), around.home)
    for path in texts.files(place, *_ENDINGS):
        try:
            values, text = texts.front_matter(texts.read(path))
            when = texts.changed(path)
        except (InvalidInput, OSError) as error:
            yield Refused(str(path), str(error))
            continue
        description, globs = values.get("description"), texts.listed(values.get("globs"))
        metadata = {"file": str(path), **({"globs": globs} if globs else {})}
        about = description.strip() if isinstance(description, str) else ""
        for part in texts.parts(text):
            content = "\n".join(filter(None, (about, part.content)))
            yield Entry(
                f"{path}{part.own}",
                f"{path}{part.own}",
                {
                    "content": content,
                    "memory_type": "preference",
                    "tags": ["instructions"],
                    "namespace": namespace,
                    "metadata": metadata,
                    "created_at": when,
                    "updated_at": when,
                },
            )


SOURCE = Source("instructions", "CLAUDE.md, AGENTS.md and .cursor/rules", _places, _read)
