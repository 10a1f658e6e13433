"""Every act on a project takes exactly what a written model says, over random trees and orders of first use.

The model knows how it made the tree, and nothing of the code: what is a repository, a worktree, a clone of an origin, a
link, a plain directory. It keeps, of each place where something was stored, the project that it had then.
"""

import os
import random
from collections import Counter
from dataclasses import dataclass, field
from itertools import count
from pathlib import Path

import pytest

from indelible.admin import purge, tokens
from indelible.api import Memory
from indelible.core.context.call import Call
from indelible.core.context.context import Context, open_context
from indelible.errors import InvalidInput
from indelible.project import locate
from indelible.settings import Settings
from indelible.store.tables import projects, repositories
from indelible.toolsets.code import index
from indelible.toolsets.memory import namespaces

TREES = 12
ORIGINS = ("github.com/me/one", "github.com/me/two")


@dataclass
class Place:
    """A directory of the tree. `main` is the repository of a worktree, `origin` that of a clone."""

    path: str
    repository: bool = False
    main: str = ""
    origin: str = ""


@dataclass
class Model:
    """What belongs where: rules 1 to 5 of docs/design/projects.md, as a person would apply them."""

    places: dict[str, Place]
    noted: dict[str, str] = field(default_factory=dict)  # path or origin: project
    stored: dict[str, set[str]] = field(default_factory=dict)  # project: contents

    def top(self, path: str) -> Place | None:
        """The repository around a directory."""
        while path in self.places:
            if self.places[path].repository:
                return self.places[path]
            path = os.path.dirname(path)
        return None

    def home(self, path: str) -> tuple[str, str]:
        """The path that a process in a directory is of, and its origin."""
        top = self.top(path)
        if top is None:
            return path, ""
        main = self.places[top.main or top.path]
        return main.path, main.origin

    def project(self, path: str) -> str:
        home, origin = self.home(path)
        for name in (home, origin):
            if name and name in self.noted:
                return self.noted[name]
        if self.top(path) is None:
            above = os.path.dirname(home)
            while above in self.places:
                if above in self.noted:
                    return self.noted[above]
                above = os.path.dirname(above)
        return home

    def remember(self, path: str, content: str) -> None:
        project = self.project(path)
        for name in self.home(path):
            if name:
                self.noted.setdefault(name, project)
        self.stored.setdefault(project, set()).add(content)


def grown(rng: random.Random, root: Path) -> dict[str, Place]:
    """Make a tree of directories, and say what it is."""
    places = {str(root): Place(str(root))}
    root.mkdir()
    origins = list(ORIGINS) * 2
    rng.shuffle(origins)
    for number in range(rng.randint(4, 9)):
        parent = rng.choice(sorted(places))
        path = os.path.join(parent, f"d{number}")
        os.mkdir(path)
        place = places[path] = Place(path)
        kind = rng.choice(["plain", "plain", "repository", "repository", "clone", "worktree"])
        mains = sorted(each.path for each in places.values() if each.repository and not each.main)
        if kind == "worktree" and mains:
            worktree(path, rng.choice(mains), number)
            place.repository, place.main = True, pointed_to(path)
        elif kind != "plain":
            place.repository = True
            place.origin = origins.pop() if kind == "clone" and origins else ""
            repository(path, place.origin)
    return places


def repository(path: str, origin: str) -> None:
    """What `git init` and `git remote add` leave, as far as it is looked at, without a process."""
    folder = Path(path, ".git")
    (folder / "objects").mkdir(parents=True)
    (folder / "HEAD").write_text("ref: refs/heads/main\n")
    remote = f'[remote "origin"]\n\turl = https://{origin}.git\n' if origin else ""
    (folder / "config").write_text(f"[core]\n\tbare = false\n{remote}")


def worktree(path: str, main: str, number: int) -> None:
    """What `git worktree add` leaves."""
    own = Path(main, ".git", "worktrees", f"w{number}")
    own.mkdir(parents=True)
    (own / "HEAD").write_text("ref: refs/heads/other\n")
    (own / "commondir").write_text("../..\n")
    Path(path, ".git").write_text(f"gitdir: {own}\n")


def pointed_to(path: str) -> str:
    """The main worktree of the worktree that was just made."""
    text = Path(path, ".git").read_text().removeprefix("gitdir:").strip()
    return str(Path(text).parents[2])


def at(ctx: Context, path: str) -> Context:
    """The context of a process in a directory: its location is found anew, as by `open_context`."""
    return ctx.at(locate(None, {}, Path(path), ctx.settings.home))


def listed(ctx: Context) -> dict[str, int]:
    return {each["name"]: each["memory_count"] for each in namespaces.listed(ctx)}


def look(ctx: Context, model: Model, path: str, link: str) -> None:
    """What is read for a place, by its name and by a process in it, is its project's and nothing else."""
    wanted = sorted(model.stored.get(model.project(path), ()))
    inside = Memory(at(ctx, os.path.join(link, os.path.relpath(path, os.path.dirname(link))) if link else path))
    for memory in (Memory(ctx), inside):
        found = sorted(each["content"] for each in memory.export_memories(limit=1000, namespace=path))
        assert found == wanted, (path, model.project(path))
        recalled = [each["content"] for each in memory.recall_memory(query="thing", k=100, namespace=path)]
        assert sorted(recalled) == wanted, path


def act(ctx: Context, model: Model, path: str, rng: random.Random) -> None:
    """Give a token of a place, index it, then delete or purge it: what the model says goes, and all else stays."""
    project = model.project(path)
    shared = model.top(path) is None and project != path
    if shared and model.noted.get(path):  # a plain directory whose memories are another's: refused where it is final
        with pytest.raises(InvalidInput, match="is a part of the project"):
            tokens.create(ctx, "", "read", [path])
        with pytest.raises(InvalidInput, match="is a part of the project"):
            purge.of_namespace(ctx, path)
        return
    made = set(tokens.create(ctx, "", "read", [path]).token.namespaces or ())
    known = project in model.noted.values()  # what was never noted stands for itself
    assert made == ({path} if shared else {project}) or (not known and made == {path}), path
    if shared:
        assert purge.of_namespace(ctx, path).names == {path}
        return
    before = listed(ctx)
    if rng.random() < 0.5:
        taken = namespaces.delete(ctx, path, confirm=True)
        assert sum(taken.values()) == before.get(project, 0)
    else:
        plan = purge.plan(ctx, purge.of_namespace(ctx, path))
        assert {name for name, kinds in plan.namespaces.items() if kinds} <= {project}
        namespaces.purge_all(ctx, plan.selection.names)
    model.stored.pop(project, None)
    before.pop(project, None)
    assert listed(ctx) == before


def check_tree(tmp_path: Path, seed: int) -> Counter[str]:
    rng = random.Random(seed)
    root = tmp_path / "tree"
    places = grown(rng, root)
    model = Model(places)
    link = str(tmp_path / "link")
    os.symlink(root, link)
    ctx = open_context(Settings(data=tmp_path / "data", start=tmp_path, home=tmp_path, encoder="off"))
    try:
        numbers = count()
        paths = sorted(places)
        rng.shuffle(paths)
        for path in paths[: rng.randint(2, len(paths))]:
            for _ in range(rng.randint(1, 2)):
                content = f"thing {next(numbers)} of {os.path.basename(path)}"
                start = os.path.join(link, os.path.relpath(path, root)) if rng.random() < 0.3 else path
                Memory(at(ctx, start)).store_memory(content=content)
                model.remember(path, content)
        ctx = ctx.for_call(Call(tool="test"))
        assert listed(ctx) == {name: len(texts) for name, texts in model.stored.items()}, seed
        for path in rng.sample(paths, min(3, len(paths))):
            look(ctx, model, path, "")
        indexed = rng.choice(paths)
        Path(indexed, "m.py").write_text("def run():\n    return 1\n")
        index.index(ctx, Path(indexed))
        project = model.project(indexed)
        for name in model.home(indexed):
            if name:
                model.noted.setdefault(name, project)
        with ctx.store.read() as tx:
            assert {each.namespace for each in repositories.everything(tx)} == {project}, seed
            assert projects.merged(tx) == {}
        for path in rng.sample(paths, min(3, len(paths))):
            act(ctx, model, path, rng)
    finally:
        ctx.close()
    return Counter("repository" if each.repository else "plain" for each in places.values())


@pytest.mark.process
@pytest.mark.parametrize("seed", range(TREES))
def test_every_act_takes_exactly_the_project_that_the_model_names(tmp_path: Path, seed: int) -> None:
    assert check_tree(tmp_path, seed).total() > 1


@pytest.mark.full
@pytest.mark.parametrize("first", range(0, 1_000, 50))
def test_every_act_takes_exactly_the_project_in_a_thousand_trees(tmp_path: Path, first: int) -> None:
    for seed in range(first, first + 50):
        folder = tmp_path / str(seed)
        folder.mkdir()
        assert check_tree(folder, 1_000 + seed).total() > 1
