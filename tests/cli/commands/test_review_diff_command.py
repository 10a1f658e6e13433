"""`indelible review-diff` where no server runs: what was stored a moment ago counts."""

from __future__ import annotations

from pathlib import Path

import pytest

from command_line import done
from git_repository import GitRepository

pytestmark = pytest.mark.process


def test_a_decision_that_was_stored_since_the_index_ran_is_at_stake(tmp_path: Path):
    data, shop = tmp_path / "data", GitRepository(tmp_path / "shop")
    shop.commit({"prices.py": "def gross(net):\n    return net * 1.19\n"})
    done("index", shop.path, data=data)
    for rule in ("gross in prices.py rounds nowhere", "prices.py is read by the tax office"):
        done("remember", rule, "--type", "decision", "--project", shop.path, data=data)
    (shop.path / "prices.py").write_text("def gross(net):\n    return round(net * 1.19)\n")
    shop.run("add", "prices.py")
    for _ in range(2):
        said = done("review-diff", "--project", shop.path, data=data)
        assert "gross in prices.py rounds nowhere" in said
        assert "prices.py is read by the tax office" in said


def test_a_store_that_is_only_read_is_reviewed_as_it_is(tmp_path: Path):
    data, shop = tmp_path / "data", GitRepository(tmp_path / "shop")
    shop.commit({"prices.py": "def gross(net):\n    return net * 1.19\n"})
    done("index", shop.path, data=data)
    done("remember", "gross in prices.py rounds nowhere", "--type", "decision", "--project", shop.path, data=data)
    (shop.path / "prices.py").write_text("def gross(net):\n    return round(net * 1.19)\n")
    shop.run("add", "prices.py")
    said = done("review-diff", "--project", shop.path, data=data, env={"INDELIBLE_READ_ONLY": "1"})
    assert said.startswith("change of 1 file: prices.gross\n")
