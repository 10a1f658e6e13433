"""The commit that changed what a memory names, where git knows it."""

import pytest

from git_repository import GitRepository
from indelible.toolsets.code import index
from indelible.toolsets.code import links as linking

TILL = "def till(coins):\n    return sum(coin * 2 for coin in coins)\n\n\ndef drawer():\n    return [1, 2, 5, 10, 20]\n"

pytestmark = pytest.mark.process


class Shop:
    """A repository that is indexed, and what is remembered of it."""

    def __init__(self, open_store, path):
        self.repository = GitRepository(path / "shop")
        self.repository.commit({"till.py": TILL, "web.py": "def page():\n    return '<p>all of it</p>' * 3\n"})
        self.memory = open_store(start=self.repository.path)
        self.index()

    def index(self):
        index.index(self.memory.context, self.repository.path)

    def remember(self, content):
        self.memory.store_memory(content=content)
        linking.catch_up(self.memory.context)

    def states(self, query):
        (hit,) = self.memory.recall_memory(query=query)
        return {each["name"]: (each["state"], each.get("commit")) for each in hit["freshness"]["code"]}


@pytest.fixture
def shop(open_store, tmp_path):
    return Shop(open_store, tmp_path)


def test_a_change_names_its_commit_and_the_next_one_another(shop):
    shop.remember("`till` counts coins")
    commit = shop.repository.commit({"till.py": TILL.replace("coin * 2", "coin * 3")})
    shop.index()
    assert shop.states("counts coins") == {"till": ("changed", commit[:8])}
    later = shop.repository.commit({"till.py": TILL.replace("coin * 2", "coin * 4")})
    shop.index()
    assert shop.states("counts coins") == {"till": ("changed", later[:8])}


def test_of_several_commits_to_a_file_it_is_the_one_that_touched_the_symbol(shop):
    shop.remember("`till` counts coins")
    commit = shop.repository.commit({"till.py": TILL.replace("coin * 2", "coin * 3")})
    shop.repository.commit({"till.py": TILL.replace("coin * 2", "coin * 3").replace("5, 10", "5, 50")})
    shop.index()
    assert shop.states("counts coins") == {"till": ("changed", commit[:8])}


def test_what_is_not_committed_yet_names_none_and_later_its_commit_only_if_it_is_known(shop):
    shop.remember("`till` counts coins")
    shop.repository.commit({"web.py": "def page():\n    return 3\n"})
    shop.repository.write({"till.py": TILL.replace("coin * 2", "coin * 3")})
    shop.index()
    assert shop.states("counts coins") == {"till": ("changed", None)}


def test_a_deleted_file_names_the_commit_that_deleted_it(shop):
    shop.remember("`page` shows all of it")
    commit = shop.repository.commit({"web.py": None})
    shop.repository.commit({"till.py": TILL.replace("5, 10", "5, 50")})
    shop.index()
    assert shop.states("shows all of it") == {"page": ("gone", commit[:8])}


def test_a_history_that_was_rewritten_names_none(shop):
    shop.remember("`till` counts coins")
    shop.repository.run("checkout", "-q", "--orphan", "anew")
    shop.repository.commit({"till.py": TILL.replace("coin * 2", "coin * 3")})
    for name in ("master", "main"):
        if shop.repository.run("branch", "--list", name):
            shop.repository.run("branch", "-q", "-D", name)
    shop.repository.run("reflog", "expire", "--expire=now", "--all")
    shop.repository.run("gc", "-q", "--prune=now")
    shop.index()
    (state,) = shop.states("counts coins").values()
    assert state[0] == "changed"
