"""Two stores that are the same for one namespace, and in one of which others stored everything there is, too.

What is answered to a token of that namespace must be the same, byte for byte: clock and random source of both stores
are set before each call, so that ids, numbers and times are equal. Only measured durations differ (`DURATIONS`).

The others have two words. Texts and names with PROBED are asked for; HIDDEN stands in every text field of a namespace
that nobody asks about, so that an answer in which it appears has leaked, whatever was asked.
"""

from __future__ import annotations

import json
import random
import re
import secrets
import shutil
import uuid
from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest

import apart
import store_file
from apart import BEGAN, Clock, call
from every_tool import ID, PREPARED, SMALL_CODEBASE
from indelible.admin import maintenance, tokens
from indelible.capture import ingest, spool
from indelible.core.context.context import Context, open_context
from indelible.core.context.permissions import Grant
from indelible.core.records import exporting
from indelible.errors import IndelibleError
from indelible.settings import Settings
from indelible.toolsets import registry
from indelible.toolsets.code import links
from indelible.toolsets.lifecycle import forget
from indelible.toolsets.memory import importing
from made_up_meaning import with_meaning

OWN, PROBED, HIDDEN = "wombat", "quokka", "numbat"
OF_BOTH = "manual"  # a type of documents of which the others' are the newest
DURATIONS = re.compile(r'("(?:[a-z0-9_]+_ms|seconds)": )[\d.e-]+')


class Chance:
    """The random source of this process, set anew before each call."""

    def __init__(self, patch: pytest.MonkeyPatch) -> None:
        self._random = random.Random(0)
        patch.setattr(uuid, "uuid4", lambda: uuid.UUID(int=self._random.getrandbits(128), version=4))
        patch.setattr(secrets, "randbelow", self._random.randrange)
        patch.setattr(secrets, "token_hex", lambda size: self._random.randbytes(size).hex())
        patch.setattr(
            secrets, "token_urlsafe", lambda size: (self._random.randbytes(size).hex() * 2)[: size * 4 // 3 + 1]
        )

    def set(self, *seed: object) -> None:
        """What is drawn from now on."""
        self._random.seed(repr(seed))


@dataclass
class Store:
    """One of the two stores; `me` is the caller who is limited to its own namespace."""

    ctx: Context
    clock: Clock
    chance: Chance
    own: str
    ids: dict[str, str] = field(default_factory=dict)
    foreign: dict[str, str] = field(default_factory=dict)
    secret: str = ""

    @property
    def me(self) -> Context:
        return self.ctx.granted(Grant("tok_me", "admin", frozenset({self.own})))

    def said(self, number: int, tool: str, arguments: dict[str, Any]) -> tuple[bool, str]:
        """Whether a call succeeds, and what is answered to it."""
        self.clock.now = BEGAN + timedelta(days=6, seconds=number)
        self.chance.set("call", number)
        try:
            done, value = True, call(self.me, tool, **arguments)
        except IndelibleError as error:
            done, value = False, f"{error.code}: {error}"
        return done, DURATIONS.sub(r"\1<time>", json.dumps(value, ensure_ascii=False, indent=1))

    def others(self) -> list[dict[str, Any]]:
        """All that is not the caller's, as the owner exports it, without how often it was read."""
        looks = ("access_count", "last_accessed_at")
        found = [each for each in exporting.export_all(self.ctx) if each["namespace"] != self.own]
        return [{name: value for name, value in each.items() if name not in looks} for each in found]

    def moments(self, who: str, start: datetime) -> Iterator[None]:
        """Before each step of a fill: a minute later, and what is drawn in it."""
        for step in range(10_000):
            self.clock.now = start + timedelta(seconds=61 * step)
            self.chance.set(who, step)
            yield None


def codebase(root: Path, word: str) -> Path:
    """A directory of code, and its git, that says a word in every place that is indexed."""
    (root / "packages" / word).mkdir(parents=True)
    (root / ".git").mkdir()
    (root / ".git" / "HEAD").write_text("ref: refs/heads/main\n")
    (root / ".git" / "config").write_text(f'[remote "origin"]\n\turl = https://example.com/{word}/{word}.git\n')
    manifest = {"name": word, "version": "1.0.0", "workspaces": ["packages/*"], "dependencies": {f"{word}-kit": "1"}}
    (root / "package.json").write_text(json.dumps(manifest))
    (root / "packages" / word / "package.json").write_text(json.dumps({**manifest, "name": f"{word}-inner"}))
    (root / "pyproject.toml").write_text(f'[project]\nname = "{word}"\ndependencies = ["{word}-lib"]\n')
    text = (
        f'"""Prices of a {word}."""\n\nfrom prices import gross\n\n{word.upper()} = "{word}"\n\n\n'
        f'class {word.title()}:\n    """A {word}."""\n\n    def save(self):\n        return gross({word.upper()})\n\n\n'
        f'def {word}_gross(net):\n    """The gross of a {word}."""\n    return {word.title()}().save()\n'
    )
    (root / f"{word}.py").write_text(text)
    (root / "prices.py").write_text((Path(SMALL_CODEBASE) / "prices.py").read_text() + "\n\n" + text)
    return root


def _events(cwd: Path, word: str) -> Iterator[dict[str, Any]]:
    """A session as hooks tell it, with a failure that an edit fixed and a decision."""
    run = {"tool": "Bash", "action": "command", "subject": f"pytest {word}_test.py", "edits": []}
    failure = f"FAILED {word}_test.py::test_it - AssertionError: {word} is 3\n1 failed in 0.1s"
    edit = {"path": f"{cwd}/{word}.py", "old": f"{word} = 3", "new": f"{word} = 4"}
    steps: list[tuple[str, dict[str, Any]]] = [
        ("session_started", {"source": "startup"}),
        ("prompt", {"text": f"Let's use SQLite instead of Redis for the {word} cache. Please fix the failing test."}),
        ("tool", {**run, "outcome": "failed", "output": failure}),
        (
            "tool",
            {"tool": "Edit", "action": "edit", "subject": edit["path"], "outcome": "ok", "output": "", "edits": [edit]},
        ),
        ("tool", {**run, "outcome": "ok", "output": f"{word}: 1 passed"}),
        ("turn_ended", {"text": f"Decision: the {word} cache stays in SQLite, because it is one file."}),
        ("session_ended", {"reason": "exit"}),
    ]
    for number, (what, said) in enumerate(steps):
        known = {"v": 1, "id": f"{what}:{word}{number}", "client": "claude-code", "session": f"session-{word}"}
        yield {**known, "time": 1_772_000_000_000_000 + number * 1_000_000, "cwd": str(cwd), "what": what, **said}


def _all_of(ctx: Context, owner: Context, word: str, cwd: Path, moments: Iterator[None]) -> dict[str, str]:
    """One of everything that tools, hooks and imports make, every text of it with a word; its ids."""
    made = apart.fill(ctx, word, moments)
    next(moments)
    metadata = {"of": word, word: [word]}
    items = [
        {"id": f"{word}-{kind}", "kind": kind, "content": f"An imported {kind} of a {word}", "label": f"{word} {kind}"}
        for kind in ("memory", "solution", "entity", "file")
    ]
    for item in items:
        item |= {"session": f"conversation:{word}", "tags": [word], "metadata": metadata, "namespace": str(cwd)}
        made[f"imported {item['kind']}"] = item["id"]
    assert importing.import_items(owner, items).errors == []
    call(ctx, "index_codebase", path=str(cwd))
    next(moments)
    call(ctx, "store_memory", key=f"key-{word}", content=f"Kept under a key of a {word}", tags=[f"{word}:tag"])
    gone = call(ctx, "store_memory", content=f"A {word} that is deleted")["id"]
    call(ctx, "delete_memory", id=gone)
    for event in _events(cwd, word):
        spool.put(owner.settings.inbox, event)
    ingest.drain(owner)
    return made


def _opened(place: Path, data: str, clock: Clock, start: Path) -> Context:
    return with_meaning(open_context(Settings(data=place / data, start=start, home=place), clock))


def make(place: Path, data: str, chance: Chance, *, with_others: bool) -> Store:
    """A store in a directory in which the codebases are."""
    clock = Clock()
    chance.set("opened")
    store = Store(_opened(place, data, clock, place), clock, chance, str(place / "own"))
    chance.set("token")
    store.secret = tokens.create(store.ctx, "mine", "admin", [store.own]).secret
    if with_others:
        _fill_others(store, place)
    chance.set("me")  # of which the session of the caller is drawn
    clock.now = BEGAN + timedelta(days=2.5)
    prepared = [{**item, "namespace": store.own} for item in PREPARED]
    assert importing.import_items(store.ctx, prepared).errors == []
    store.ids = _all_of(store.me, store.ctx, OWN, place / "own", store.moments("me", BEGAN + timedelta(days=3)))
    if with_others:
        _relate(store)
    return _settled(store)


def copied(made: Store, place: Path, chance: Chance) -> Store:
    """A copy of a store that was made and closed, opened in another directory."""
    data = place / made.ctx.settings.data.name
    store_file.copy(made.ctx.settings.data, data)
    clock = Clock()
    clock.now = BEGAN + timedelta(days=5)
    chance.set("opened")
    settings = replace(made.ctx.settings, data=data, database="", tenant=1)  # on PostgreSQL both follow from the place
    ctx = with_meaning(open_context(settings, clock))
    chance.set("token of the copy")
    secret = tokens.create(ctx, "of the copy", "admin", [made.own]).secret  # which says its tenant
    return replace(made, ctx=ctx, clock=clock, chance=chance, secret=secret)


def _settled(store: Store) -> Store:
    store.chance.set("settled")
    apart._settled(apart.World(store.ctx, store.clock))
    links.catch_up(store.ctx, lambda: False)
    return store


def kept_house(store: Store) -> None:
    """Do what a server does beside answering today: how soon it comes to that says nothing then."""
    store.clock.now = datetime.now(UTC)
    store.chance.set("kept house")
    links.catch_up(store.ctx, lambda: False)
    maintenance.trim(store.ctx)
    forget.fold_daily(store.ctx)
    store.ctx.write_behind.flush()


def _fill_others(store: Store, place: Path) -> None:
    """Namespaces of others, what belongs to no project, and tokens, before the caller's own things."""
    for number, word in enumerate((PROBED, HIDDEN)):
        owner = _opened(place, Path(store.ctx.settings.data).name, store.clock, place / word)  # a process of theirs
        try:
            moments = store.moments(word, BEGAN + timedelta(days=number))
            next(moments)
            tokens.create(owner, f"token of {word}", "write", [str(place / word)])
            made = _all_of(
                replace(owner, session=replace(owner.session, id=f"session_{word}")), owner, word, place / word, moments
            )
        finally:
            owner.close()
        if word == PROBED:
            store.foreign = made
        else:  # of those whom nobody asks about nothing is told but what says nothing
            hidden = {name: id_ if apart.is_random(id_) else store.foreign[name] for name, id_ in made.items()}
            store.foreign = {**store.foreign, **{f"own {name}": id_ for name, id_ in hidden.items()}}
    moments = store.moments("none", BEGAN + timedelta(days=2))
    apart.fill(store.ctx, HIDDEN, moments)


def _relate(store: Store) -> None:
    """What the owner relates to the caller's own things, and loads into what all callers share."""
    known = {name: store.ids[name] for name in ("decision", "solution", "entity", "document", "chunk", "todo")}
    for name, id_ in {**known, "axum": ID["axum"]}.items():
        next(store.moments(f"relate {name}", BEGAN + timedelta(days=4)))
        kind = "memory" if name in ("decision", "axum") else name
        ends = {"source_id": f"{kind}:{id_}", "target_id": f"memory:{store.foreign['decision']}"}
        call(store.ctx, "associate_memories", **ends, relationship="LEADS_TO")
    _store_the_same(store)
    disturb(store, 0)


def _store_the_same(store: Store) -> None:
    """Let others try what the caller tried, before: the caller's attempt is shown, the share that passed would tell."""
    store.chance.set("the same")
    store.clock.now = BEGAN
    attempt = {"input_prompt": f"Write a {OWN} loop", "generated_code": HIDDEN, "result": "fail"}
    call(_others(store), "log_code_attempt", **attempt)


def _others(store: Store) -> Context:
    """One of the others, who is limited to the namespace that is asked about."""
    return store.ctx.granted(Grant("tok_they", "admin", frozenset({str(Path(store.own).with_name(PROBED))})))


def disturb(store: Store, number: int) -> None:
    """Others write and read while the caller works."""
    store.chance.set("others", number)
    they = _others(store)
    subject = f"{OWN} {HIDDEN}"
    call(they, "store_memory", content=f"The {subject} cache is loved, for the time {number}", tags=[HIDDEN, "shared"])
    call(they, "add_todo", title=f"Feed the {subject} again {number}")
    call(they, "log_chat", content=f"{subject} retries {number}", conversation_id="talk", source_tool="editor")
    entity = {"name": f"{subject} {number}", "entityType": HIDDEN, "observations": [f"{subject} was here"]}
    call(they, "create_entities", entities=[entity])
    call(they, "memorize", id=f"{HIDDEN} {number}", vector=[1.0, 2.0], text=subject)
    call(they, "log_code_attempt", input_prompt=f"Write a {subject} loop", generated_code=HIDDEN, result="fail")
    call(they, "memorize", id=f"far {number}", vector={"900": 1.0}, text=HIDDEN)
    store.clock.now += timedelta(seconds=0.5)
    call(they, "store_memory", content=f"# {subject}", file_name=f"{HIDDEN} {number}.md", resource_type=OF_BOTH)
    for caller in (store.ctx, they):  # what a process keeps in memory is loaded, by others
        # the owner finds nothing of the caller's: that it was read is counted, and told
        call(caller, "recall_memory", query=f"{HIDDEN} loved", k=1)
        call(caller, "search_nodes", query=f"{HIDDEN} {number}", limit=1)
        call(caller, "search", vector={"900": 1.0}, limit=1)
    call(they, "matrix_recall", query=f"{subject} queue hangs", limit=5)
    call(they, "retrieve_memory", query=f"{subject} retries", conversation_id="talk")


def codebases(place: Path) -> None:
    """The directories of all projects, which are there whoever stored what."""
    shutil.copytree(SMALL_CODEBASE, place / "own")
    for word in (PROBED, HIDDEN):
        codebase(place / word, word)


def differing(alone: Store, among: Store, calls: list[apart.Call], first: int = 0) -> tuple[list[Any], set[str]]:
    """The calls that are answered otherwise in the two stores or tell of HIDDEN; the tools of which one succeeded."""
    found, succeeded = [], set()
    for number, (tool, arguments) in enumerate(calls, first):
        if number % 50 == 49:
            disturb(among, number)
        answers = [store.said(number, tool, arguments) for store in (alone, among)]
        if answers[0] != answers[1] or HIDDEN in answers[1][1].casefold():
            found.append((tool, arguments, answers[0][1], answers[1][1]))
        if answers[0][0]:
            succeeded.add(tool)
    return found, succeeded


def order(tools: dict[str, registry.Tool]) -> list[str]:
    """The names of tools: those first that take nothing away."""
    return sorted(tools, key=lambda name: tools[name].destructive)
