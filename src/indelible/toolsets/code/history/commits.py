"""Commits of a codebase's repository as records, and which symbols each changed, kept up by runs of the index.

A commit is a record of the project whose key is its id; what stands in it never changes. So a run compares the newest
ids of the history with those that are stored: what is missing is read, the newest first, and what no branch leads to
any more is deleted. It does not matter how it came to that: a rebase, a clone that was deepened, a run that was killed.
Git runs here alone, never in a store or a recall.
"""

import re
from collections.abc import Callable, Collection, Iterable, Sequence
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Any

from indelible.core.context.context import Context
from indelible.core.context.quota import size_of
from indelible.core.records import insert
from indelible.dataclass import dataclass
from indelible.errors import InvalidInput
from indelible.model import COMMIT, MODIFIES, Record
from indelible.sanitize.redact import Finding, redact
from indelible.search import tokens
from indelible.source.history import log, touched
from indelible.source.history.git import Git, GitFailed
from indelible.source.history.log import Commit
from indelible.source.history.touched import Place, Step
from indelible.store.database import Transaction
from indelible.store.namespace_filter import whole
from indelible.store.tables import edges, pending, records, repositories, source_files, symbols, terms
from indelible.store.tables.repositories import Repository
from indelible.toolsets.code.roots import Codebase

A_RUN = 5_000  # commits that one run reads
FOLLOWED = 2_000  # newest commits of which it is looked up which symbols they changed
TOGETHER = 400  # commits, or relations of so many, in one transaction
LONGEST = 4_000  # characters of a message
MOST_FILES = 40  # paths of a commit that are kept
SHORT = 8  # digits of an id that people write
STATE = "history"  # the part of a codebase's summary that says how far this is

_PEOPLE = re.compile(
    r"^[ \t]*(?:signed-off|co-authored|co-developed|reviewed|acked|tested|reported|suggested|helped|mentored|cc|from)"
    r"(?:-by)?:.*(?:\n|\Z)",
    re.IGNORECASE | re.MULTILINE,
)


@dataclass(frozen=True, slots=True)
class Done:
    """A run's commits: stored by it, deleted by it, and left for the next; `why` they were not read, else ""."""

    stored: int = 0
    deleted: int = 0
    left: int = 0
    why: str = ""


def note(ctx: Context, codebase: Codebase, pause: Callable[[], None], *, everything: bool = False) -> Done:
    """Bring the commits of a codebase up to date, as far as one run goes; what is left is the next one's.

    `everything`: follow all symbols anew. Where git is missing or refuses, what is stored stays, and `Done` says why.
    """
    try:
        git = Git(codebase.root)
        if not git.head():
            return Done()
        return _Run(ctx, codebase, git, pause).run(everything=everything)
    except (GitFailed, InvalidInput) as error:
        return Done(why=str(error))


class _Run:
    def __init__(self, ctx: Context, codebase: Codebase, git: Git, pause: Callable[[], None]) -> None:
        self._ctx, self._codebase, self._git, self._pause = ctx, codebase, git, pause
        self._namespace = codebase.repository.namespace
        self._with_secrets: list[str] = []

    def run(self, *, everything: bool) -> Done:
        head, shallow = self._git.head(), sorted(self._git.shallow())
        settings = self._ctx.settings
        rules = [settings.commits, settings.commit_authors]
        with self._ctx.store.read() as tx:
            repository = repositories.find(whole(tx), self._namespace, self._codebase.repository.folder)
            assert repository is not None
        before: dict[str, Any] = repository.summary.get(STATE, {})
        same = (before.get("head"), before.get("shallow"), before.get("rules")) == (head, shallow, rules)
        if same and not before.get("left") and not everything:
            return Done()
        with self._ctx.store.read() as tx:
            known = records.keys_in(whole(tx), self._namespace, COMMIT)
            others = {each.id for each in repositories.everything(whole(tx))} - {repository.id}
        stored = {key: id_ for key, (id_, _) in known.items()}
        own = {key: id_ for key, (id_, by) in known.items() if by not in others}
        newest = log.names(self._git, head, settings.commits) if settings.commits else []
        to_delete = self._to_delete(own, newest, before, shallow, rules)
        deleted = self._delete(stored, to_delete)
        missing = [name for name in newest if name not in stored]
        added = self._store(missing[:A_RUN], frozenset(shallow))
        left = len(missing) - added
        anew = everything or (before.get("shallow"), before.get("rules")) != (shallow, rules)
        followed = "" if anew else self._followed_to(before)
        state = {"head": head, "related": followed, "left": left, "shallow": shallow, "rules": rules}
        self._keep(repository, state)
        if newest:
            try:
                self._relate(head, followed, frozenset(shallow), {**stored, **self._ids(missing[:A_RUN])})
            except GitFailed as error:  # the commits are stored, and the next new one has their symbols looked up again
                return Done(added, deleted, left, f"which symbols they changed is unknown: {error}")
        self._keep(repository, {**state, "related": head})
        return Done(added, deleted, left)

    def _followed_to(self, before: dict[str, Any]) -> str:
        """Return the commit up to which symbols were followed, "" where it is not here any more."""
        name = str(before.get("related", ""))
        if not name:
            return ""
        try:
            return self._git.commit(name)
        except InvalidInput:
            return ""

    # --- Which ---

    def _to_delete(
        self,
        own: dict[str, int],
        newest: Sequence[str],
        before: dict[str, Any],
        shallow: Sequence[str],
        rules: Sequence[Any],
    ) -> set[str]:
        """Return what is stored and is not so any more: what no branch leads to, and what was the end of a clone."""
        if not newest or before.get("rules", rules) != rules:
            return set(own)
        ended = set(before.get("shallow", ())) ^ set(shallow)
        others = sorted(own.keys() - set(newest))
        lost = log.lost(self._git, others, log.heads(self._git)) if others else set()
        return (ended & own.keys()) | lost | self._older(own, others, newest)

    def _older(self, own: dict[str, int], others: Sequence[str], newest: Sequence[str]) -> set[str]:
        """Return what is older than the oldest of as many as are kept."""
        oldest = own.get(newest[-1])
        if not others or oldest is None or len(newest) < self._ctx.settings.commits:
            return set()
        with self._ctx.store.read() as tx:
            found = records.by_ids(whole(tx), [oldest, *(own[name] for name in others)])
        since = found[oldest].created if oldest in found else 0
        return {name for name in others if own[name] in found and found[own[name]].created < since}

    def _delete(self, stored: dict[str, int], names: Collection[str]) -> int:
        """Delete commits; those that a caller related to something are marked as no longer in the history instead."""
        ids = {stored[name]: name for name in sorted(names)}
        order = list(ids)
        for at in range(0, len(order), TOGETHER):
            part = order[at : at + TOGETHER]

            def work(tx: Transaction, part: Sequence[int] = part) -> set[int]:
                held = edges.held(tx, part)
                edges.drop_index_edges(tx, held)
                now = self._ctx.now()
                kept = [each for each in records.by_ids(tx, sorted(held)).values() if "gone" not in each.metadata]
                records.update_many(tx, [replace(each, metadata={**each.metadata, "gone": now}) for each in kept])
                symbols.delete_code(tx, [each for each in part if each not in held])
                return held

            held = self._ctx.store.write(work)
            for each in part:
                if each not in held:
                    del stored[ids[each]]
            self._pause()
        return len(ids)

    # --- Storing ---

    def _store(self, names: Sequence[str], shallow: frozenset[str]) -> int:
        """Store commits by their ids; return of how many git gave the log."""
        count = 0
        for at in range(0, len(names), log.AT_ONCE):
            found = log.of_names(self._git, names[at : at + log.AT_ONCE])
            made = [self._record(each, ended=each.hash in shallow) for each in found]
            words = [insert.words_of(each) for each in made]
            self._ctx.store.write(partial(self._add, made, words))
            count += len(found)
            self._pause()
        if self._with_secrets:
            place = f"commit {self._with_secrets[0]}"
            more = len(self._with_secrets) - 1
            rule = "commit-message"
            where = place + (f" and {more} more" if more else "")
            self._ctx.call.redacted.append(Finding(rule, where, len(self._with_secrets)))
        return count

    def _add(self, made: Sequence[Record], words: Sequence[dict[int, int]], tx: Transaction) -> None:
        taken = records.by_keys(tx, self._namespace, COMMIT, [each.key for each in made])
        new = [(each, counts) for each, counts in zip(made, words, strict=True) if each.key not in taken]
        added = [each for each, _ in new]
        self._ctx.take_room(tx, len(added), lambda: size_of(added))
        ids = records.add_many(tx, added)
        rows = [(i, sum(counts.values()), tokens.pack(counts)) for i, (_, counts) in zip(ids, new, strict=True)]
        terms.put_many(tx, terms.COMMIT_WORDS, rows)
        pending.never(tx, ids)

    def _record(self, commit: Commit, *, ended: bool) -> Record:
        """Return a commit as a record; one at which a clone ends shows the whole tree as new, which it did not make."""
        with_authors = self._ctx.settings.commit_authors
        body = commit.body if with_authors else _PEOPLE.sub("", commit.body).strip()
        text = f"{commit.subject}\n\n{body}".strip()[:LONGEST] or "(no message)"
        files = () if ended else commit.files
        metadata: dict[str, Any] = {
            "origin": "git",
            "trust": "untrusted",
            "files": [each.path for each in files[:MOST_FILES]],
            "file_count": 0 if ended else commit.file_count,
        }
        metadata |= {"merge": True} if commit.is_merge else {}
        metadata |= {"author": commit.author} if with_authors and commit.author else {}
        clean, secrets = redact({"text": text, "metadata": metadata}, "commit")
        assert isinstance(clean, dict)
        if secrets:
            self._with_secrets.append(commit.hash[:SHORT])
        return Record(
            *(commit.hash, COMMIT, str(clean["text"]), commit.time, commit.time),
            namespace=self._namespace,
            position=self._codebase.repository.id,  # whose run stored it, and deletes it
            label=commit.hash[:SHORT],
            metadata=dict(clean["metadata"]),  # type: ignore[arg-type]
        )

    def _ids(self, names: Sequence[str]) -> dict[str, int]:
        with self._ctx.store.read() as tx:
            return records.by_keys(whole(tx), self._namespace, COMMIT, list(names))

    # --- Which symbols they changed ---

    def _relate(self, head: str, without: str, shallow: frozenset[str], stored: dict[str, int]) -> None:
        if head == without:
            return
        steps = touched.steps(self._git, head, without, FOLLOWED)
        steps = [each for each in steps if each.name not in shallow]
        found = touched.touched(steps, self._places(head, steps))
        rows = [(stored[name], symbol) for name, changed in found.items() if name in stored for symbol in changed]
        for at in range(0, len(rows), TOGETHER):
            self._ctx.store.write(partial(self._add_relations, rows[at : at + TOGETHER]))
            self._pause()

    def _add_relations(self, rows: Iterable[tuple[int, int]], tx: Transaction) -> None:
        ends = list(rows)
        there = records.keys_of(tx, {end for row in ends for end in row})
        edges.add_index_edges(
            tx, {(a, b, MODIFIES): (1.0, 0, 1) for a, b in ends if a in there and b in there}, self._ctx.now()
        )

    def _places(self, head: str, steps: Iterable[Step]) -> dict[str, list[Place]]:
        """Return the symbols of changed files as they are at the head; files that differ from it are left out."""
        prefix = _prefix(self._git.top(), self._codebase.root)
        wanted = {file.path for step in steps for file in step.files}
        output = self._git.run("diff-index", "--name-only", "-z", "--no-ext-diff", head, "--").content
        dirty = frozenset(output.decode("utf-8", "replace").split("\0"))
        with self._ctx.store.read() as tx:
            files = {
                each.record: prefix + each.path
                for each in source_files.of_repository(whole(tx), self._codebase.repository.id)
                if each.hash and prefix + each.path in wanted and prefix + each.path not in dirty
            }
            every = [each for each in symbols.of_files(whole(tx), files) if not each.row.gone]
        by_name = {(each.row.file, each.row.qualified_name): each.row.record for each in every}
        places: dict[str, list[Place]] = {}
        for each in every:
            row = each.row
            around = by_name.get((row.file, row.parent), 0) if row.parent else 0
            ranges = [(row.start_line, row.end_line), *((first, last) for _, first, last in row.places)]
            places.setdefault(files[row.file], []).extend(Place(row.record, *lines, around) for lines in ranges)
        return places

    def _keep(self, repository: Repository, state: dict[str, Any]) -> None:
        def work(tx: Transaction) -> None:
            found = repositories.find(tx, repository.namespace, repository.folder)
            if found is not None:
                repositories.summarize(tx, found.id, {**found.summary, STATE: state})

        self._ctx.store.write(lambda tx: work(whole(tx)))


def _prefix(top: Path, root: Path) -> str:
    folder = root.resolve().relative_to(top.resolve()).as_posix()
    return "" if folder == "." else f"{folder}/"
