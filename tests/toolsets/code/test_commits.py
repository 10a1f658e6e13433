"""Commits as records: what a run of the index stores, follows and deletes, and how a recall finds them."""

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from git_repository import GitRepository
from indelible.admin import doctor
from indelible.core.context.context import Context, open_context
from indelible.core.indexes import partitions, sealing
from indelible.core.indexes.embedder import Embedder
from indelible.core.indexes.indexes import Indexes
from indelible.core.recall import recall
from indelible.core.recall.candidates import Query
from indelible.core.records.exporting import export_all
from indelible.embed.base import Deferred, Embedding
from indelible.errors import InvalidInput
from indelible.model import COMMIT, MODIFIES
from indelible.project import locate
from indelible.server.mcp import lean
from indelible.settings import Settings
from indelible.store.tables import edges, pending, records, symbols, terms
from indelible.toolsets.code import index
from indelible.toolsets.code.history import commits
from indelible.toolsets.memory import deletion, namespaces
from indelible.toolsets.registry import find_tool
from indexed_code import call
from made_up_meaning import MadeUpEncoder, embed_all

pytestmark = pytest.mark.process

FIRST = "def one():\n    return 1\n\n\ndef two():\n    return 2\n"


@pytest.fixture
def repository(tmp_path: Path) -> GitRepository:
    repository = GitRepository(tmp_path / "repository")
    repository.commit({"lib.py": FIRST}, "Add both functions\n\nThe zebra needs them.")
    repository.commit({"lib.py": FIRST.replace("return 2", "return 3")}, "Two is three now")
    repository.commit({"notes.txt": "hello"}, "Write notes\n\nSigned-off-by: Grace Hopper <grace@example.org>")
    return repository


def opened(repository: Path, tmp_path: Path, **more: Any) -> Context:
    settings = Settings(data=tmp_path / "data", start=repository, home=tmp_path / "home", **more)
    ctx = open_context(settings)
    return ctx.at(locate(None, {}, repository, settings.home))


@pytest.fixture
def ctx(repository: GitRepository, tmp_path: Path) -> Iterator[Context]:
    ctx = opened(repository.path, tmp_path)
    yield ctx
    ctx.close()


def stored(ctx: Context) -> dict[str, Any]:
    """The stored commits, by subject."""
    with ctx.store.read() as tx:
        found = [each for page in _pages(tx) for each in page if each.kind == COMMIT]
    return {each.text.partition("\n")[0]: each for each in found}


def _pages(tx: Any) -> Iterator[Any]:
    last = 0
    while page := records.after(tx, last, 500):
        yield page
        last = page[-1].id


def changed(ctx: Context, subject: str) -> set[str]:
    """The names of the symbols that a commit is related to."""
    record = stored(ctx)[subject]
    with ctx.store.read() as tx:
        targets = [e.target for e in edges.of_records(tx, [record.id]) if e.canonical == MODIFIES]
        return {each.row.qualified_name for each in symbols.by_records(tx, targets).values()}


def test_a_run_stores_the_commits_of_the_history(repository: GitRepository, ctx: Context) -> None:
    found = index.index(ctx, repository.path)
    assert (found.commits, found.commits_left, found.commits_unread) == (3, 0, "")
    known = stored(ctx)
    assert set(known) == {"Add both functions", "Two is three now", "Write notes"}
    newest = known["Write notes"]
    assert newest.key == repository.run("rev-parse", "HEAD").strip()
    assert newest.text == "Write notes"  # who signed it is a name
    assert newest.metadata["files"] == ["notes.txt"]
    assert "author" not in newest.metadata
    assert known["Add both functions"].text == "Add both functions\n\nThe zebra needs them."
    with ctx.store.read() as tx:
        assert not {each.id for each in known.values()} & {e.record for e in pending.newest(tx, 100)}
        assert terms.records_without(tx) == 0


def test_names_of_authors_are_kept_where_the_owner_allows_it(repository: GitRepository, tmp_path: Path) -> None:
    ctx = opened(repository.path, tmp_path, commit_authors=True)
    try:
        index.index(ctx, repository.path)
        known = stored(ctx)["Write notes"]
        assert known.metadata["author"] == "Ada"
        assert "Grace Hopper" in known.text
        without = replace(ctx, settings=replace(ctx.settings, commit_authors=False))
        assert index.index(without, repository.path).commits == 3
        assert "author" not in stored(ctx)["Write notes"].metadata
        assert "Grace Hopper" not in stored(ctx)["Write notes"].text
    finally:
        ctx.close()


def test_a_commit_is_related_to_the_symbols_that_it_changed(repository: GitRepository, ctx: Context) -> None:
    index.index(ctx, repository.path)
    assert changed(ctx, "Two is three now") == {"lib.two"}
    assert changed(ctx, "Add both functions") == {"lib.one", "lib.two"}
    assert changed(ctx, "Write notes") == set()


def test_the_next_run_reads_what_is_new(repository: GitRepository, ctx: Context) -> None:
    index.index(ctx, repository.path)
    assert index.index(ctx, repository.path).commits == 0
    repository.commit({"lib.py": FIRST.replace("return 2", "return 4")}, "Two is four")
    assert index.index(ctx, repository.path).commits == 1
    assert changed(ctx, "Two is four") == {"lib.two"}


def test_a_run_is_bounded_and_the_next_goes_on(
    repository: GitRepository, ctx: Context, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(commits, "A_RUN", 2)
    found = index.index(ctx, repository.path)
    assert (found.commits, found.commits_left) == (2, 1)
    assert set(stored(ctx)) == {"Two is three now", "Write notes"}
    found = index.index(ctx, repository.path)
    assert (found.commits, found.commits_left) == (1, 0)


def test_a_bound_of_the_owner_holds(repository: GitRepository, tmp_path: Path) -> None:
    ctx = opened(repository.path, tmp_path, commits=1)
    try:
        assert index.index(ctx, repository.path).commits_left == 0
        assert set(stored(ctx)) == {"Write notes"}
        none = replace(ctx, settings=replace(ctx.settings, commits=0))
        index.index(none, repository.path)
        assert stored(ctx) == {}
    finally:
        ctx.close()


def test_what_is_older_than_the_newest_that_are_kept_goes(repository: GitRepository, tmp_path: Path) -> None:
    ctx = opened(repository.path, tmp_path, commits=2)
    try:
        index.index(ctx, repository.path)
        repository.commit({"more.txt": "more"}, "On it goes")
        assert index.index(ctx, repository.path).commits == 1
        assert set(stored(ctx)) == {"Write notes", "On it goes"}
    finally:
        ctx.close()


def test_a_rewritten_history_leaves_no_doubles(repository: GitRepository, ctx: Context) -> None:
    index.index(ctx, repository.path)
    repository.run("commit", "-q", "--amend", "-m", "Write better notes")
    index.index(ctx, repository.path)
    assert set(stored(ctx)) == {"Add both functions", "Two is three now", "Write better notes"}


def test_another_branch_keeps_its_commits(repository: GitRepository, ctx: Context) -> None:
    repository.run("checkout", "-q", "-b", "side")
    repository.commit({"side.txt": "side"}, "On the side")
    index.index(ctx, repository.path)
    repository.run("checkout", "-q", "-")
    index.index(ctx, repository.path)
    assert "On the side" in stored(ctx)
    repository.run("branch", "-D", "side")
    repository.commit({"more.txt": "more"}, "On it goes")
    index.index(ctx, repository.path)
    assert "On the side" not in stored(ctx)


def test_a_worktree_adds_its_commits_to_the_same_project(
    repository: GitRepository, ctx: Context, tmp_path: Path
) -> None:
    index.index(ctx, repository.path)
    repository.run("worktree", "add", "-q", "-b", "side", str(tmp_path / "side"))
    (tmp_path / "side" / "more.txt").write_text("more")
    for command in (("add", "-A"), ("commit", "-qm", "In the worktree")):
        repository.run("-C", str(tmp_path / "side"), *command)
    assert index.index(ctx, tmp_path / "side").commits == 1
    index.index(ctx, repository.path)
    assert len(stored(ctx)) == 4


def test_a_shallow_clone_says_nothing_of_where_it_ends(repository: GitRepository, tmp_path: Path) -> None:
    clone = tmp_path / "clone"
    repository.run("clone", "-q", "--depth", "2", f"file://{repository.path}", str(clone))
    ctx = opened(clone, tmp_path)
    try:
        index.index(ctx, clone)
        assert set(stored(ctx)) == {"Two is three now", "Write notes"}
        assert stored(ctx)["Two is three now"].metadata["files"] == []
        assert changed(ctx, "Two is three now") == set()
        repository.run("-C", str(clone), "fetch", "-q", "--unshallow")
        index.index(ctx, clone)
        assert len(stored(ctx)) == 3
        assert stored(ctx)["Two is three now"].metadata["files"] == ["lib.py"]
        assert changed(ctx, "Two is three now") == {"lib.two"}
    finally:
        ctx.close()


def test_secrets_in_messages_are_redacted(repository: GitRepository, ctx: Context) -> None:
    secret = "ghp_" + "1a2B3c4D5e" * 3 + "6F7g8H"
    repository.commit({"more.txt": "more"}, f"Add a token\n\n{secret}")
    index.index(ctx, repository.path)
    assert secret not in stored(ctx)["Add a token"].text


def test_a_recall_finds_commits_only_where_they_are_asked_for(repository: GitRepository, ctx: Context) -> None:
    call(ctx, "store_memory", content="The zebra stands in the stable", memory_type="insight")
    index.index(ctx, repository.path)
    assert [each["kind"] for each in call(ctx, "recall_memory", query="zebra")] == ["memory"]
    (found,) = call(ctx, "recall_memory", query="zebra", kinds=["commit"])
    assert found["content"].startswith("Add both functions")
    assert found["commit"]["files"] == ["lib.py"]
    assert found["trust"] == "untrusted"
    both = call(ctx, "recall_memory", query="zebra", kinds=["commit", "memory"])
    assert sorted(each["kind"] for each in both) == ["commit", "memory"]
    short = found["commit"]["hash"][:8]
    assert call(ctx, "recall_memory", query=short, kinds=["commit"])[0]["id"] == found["id"]


def test_a_lean_answer_has_the_short_id_the_date_and_the_files(repository: GitRepository, ctx: Context) -> None:
    index.index(ctx, repository.path)
    asked = {"query": "zebra", "kinds": ["commit"]}
    found = lean.text(ctx, find_tool("recall_memory"), call(ctx, "recall_memory", **asked), asked, ctx.call.searched)
    short = stored(ctx)["Add both functions"].key[:8]
    assert found.endswith(f"needs them.\n[{short} commit, 2023-11-14, words; lib.py; untrusted]")


class CountingEncoder(MadeUpEncoder):
    """One that counts what it is asked for."""

    def __init__(self) -> None:
        super().__init__()
        self.queries: list[str] = []

    def query(self, text: str, timeout: float) -> Embedding:
        self.queries.append(text)
        return super().query(text, timeout)

    def begin(self, text: str, timeout: float) -> Deferred:
        self.queries.append(text)
        return super().begin(text, timeout)


@pytest.mark.parametrize("as_of", [False, True])
def test_a_recall_of_commits_alone_encodes_no_question(repository: GitRepository, ctx: Context, as_of: bool) -> None:
    index.index(ctx, repository.path)
    encoder = CountingEncoder()
    meant = replace(ctx, embedder=Embedder(encoder))
    embed_all(meant)
    when = ctx.now() if as_of else None
    plain = recall.recall(ctx, Query("zebra functions", 5, kinds=(COMMIT,), as_of=when))
    found = recall.recall(meant, Query("zebra functions", 5, kinds=(COMMIT,), as_of=when))
    assert [hit.record.id for hit in found] == [hit.record.id for hit in plain]
    assert len(found) > 0
    assert encoder.queries == []
    assert not meant.call.searched.by_words
    recall.recall(meant, Query("zebra functions", 5, kinds=("memory", COMMIT)))
    assert "zebra functions" in encoder.queries


def test_commits_of_a_time(repository: GitRepository, ctx: Context) -> None:
    index.index(ctx, repository.path)
    found = recall.recall(ctx, Query("functions", 5, kinds=(COMMIT,), as_of=ctx.now()))
    assert [hit.record.kind for hit in found] == [COMMIT]
    assert recall.recall(ctx, Query("functions", 5, kinds=(COMMIT,), as_of=1)) == []


def test_commits_are_no_way_between_memories(repository: GitRepository, ctx: Context) -> None:
    one = call(ctx, "store_memory", content="`lib.one` answers", memory_type="insight")
    index.index(ctx, repository.path)
    kinds = {each["kind"] for each in call(ctx, "graph_traverse", start_id=one["id"], max_depth=4)}
    assert COMMIT not in kinds
    start = f"commit:{stored(ctx)['Two is three now'].key}"
    assert [each["kind"] for each in call(ctx, "graph_traverse", start_id=start, max_depth=1)] == [COMMIT, "symbol"]


def test_an_export_leaves_out_what_git_has(repository: GitRepository, ctx: Context) -> None:
    index.index(ctx, repository.path)
    assert not [each for each in export_all(ctx) if each["kind"] == COMMIT]


def test_a_purge_of_the_project_takes_its_commits(repository: GitRepository, ctx: Context) -> None:
    index.index(ctx, repository.path)
    with ctx.store.read() as tx:
        names = set(records.namespaces(tx))
    namespaces.purge_all(ctx, names)
    assert stored(ctx) == {}
    assert index.index(ctx, repository.path).commits == 3


def test_a_commit_is_not_deleted_by_hand(repository: GitRepository, ctx: Context) -> None:
    index.index(ctx, repository.path)
    with pytest.raises(InvalidInput, match="commit"):
        deletion.delete(ctx, [f"commit:{stored(ctx)['Write notes'].key}"])


def test_one_that_a_caller_related_stays_marked(repository: GitRepository, ctx: Context) -> None:
    memory = call(ctx, "store_memory", content="Why the notes were written", memory_type="decision")
    index.index(ctx, repository.path)
    name = f"commit:{stored(ctx)['Write notes'].key}"
    call(ctx, "associate_memories", source_id=memory["id"], target_id=name, relationship="RELATES_TO")
    repository.run("commit", "-q", "--amend", "-m", "Write better notes")
    index.index(ctx, repository.path)
    assert stored(ctx)["Write notes"].metadata["gone"]
    exported = [each for each in export_all(ctx) if each["kind"] == COMMIT]
    assert [each["content"] for each in exported] == ["Write notes"]


def test_doctor_finds_nothing_wrong(repository: GitRepository, ctx: Context) -> None:
    index.index(ctx, repository.path)
    with ctx.store.read() as tx:
        every = sealing.partitions_of(tx)
    for partition in every:
        sealing.seal(ctx.store, partition, 0)
    report = doctor.examine(ctx.settings)
    assert report.sound, report.lines
    again = replace(ctx, indexes=Indexes())
    assert [each["kind"] for each in call(again, "recall_memory", query="zebra", kinds=["commit"])] == [COMMIT]


def test_doctor_sees_words_of_commits_that_are_lost(repository: GitRepository, ctx: Context) -> None:
    index.index(ctx, repository.path)
    record = stored(ctx)["Write notes"].id
    ctx.store.write(lambda tx: tx.run("terms.drop", record=record, space=terms.COMMIT_WORDS))
    assert not doctor.examine(ctx.settings).sound
    doctor.mend(ctx)
    assert doctor.examine(ctx.settings).sound
    with ctx.store.read() as tx:
        assert [each.record for each in terms.of_records(tx, [record], terms.COMMIT_WORDS)] == [record]
        assert not pending.newest(tx, 10)


def test_the_sealed_words_of_commits_go_with_the_last_codebase(repository: GitRepository, ctx: Context) -> None:
    index.index(ctx, repository.path)
    sealing.seal(ctx.store, partitions.words(terms.COMMIT_WORDS), 0)
    with ctx.store.read() as tx:
        names = set(records.namespaces(tx))
    namespaces.purge_all(ctx, names)
    with ctx.store.read() as tx:
        assert terms.blocks(tx, terms.COMMIT_WORDS, partitions.words(terms.COMMIT_WORDS).version) == []


def test_two_codebases_of_one_repository_share_its_commits(repository: GitRepository, ctx: Context) -> None:
    repository.commit({"a/one.py": "def one():\n    return 1\n", "b/two.py": "def two():\n    return 2\n"}, "Both")
    assert index.index(ctx, repository.path / "a").commits == 4
    assert index.index(ctx, repository.path / "b").commits == 0
    assert changed(ctx, "Both") == {"one.one", "two.two"}
    repository.run("commit", "-q", "--amend", "-m", "Both again")
    assert index.index(ctx, repository.path / "b").commits == 1
    index.index(ctx, repository.path / "a")
    assert set(stored(ctx)) == {"Add both functions", "Two is three now", "Write notes", "Both again"}
    assert changed(ctx, "Both again") == {"one.one", "two.two"}
