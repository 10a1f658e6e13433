"""The tables of docs/scaling.md are those of `scripts/scaling_model.py`, whose figures stand in docs/benchmarks.md."""

import subprocess
import sys
from dataclasses import replace
from pathlib import Path

import pytest
import scaling_model
from scaling_model import Assumed, Measured, Model

ROOT = Path(__file__).parents[2]
LARGE = scaling_model.SIZES[scaling_model.LARGER]


def test_the_page_has_the_tables_of_the_model():
    page = scaling_model.PAGE.read_text(encoding="utf-8")
    assert scaling_model.written(page, Assumed()) == page, "run `python scripts/scaling_model.py --write`"


def test_every_measured_figure_names_a_section_of_the_benchmarks():
    page = (ROOT / "docs" / "benchmarks.md").read_text(encoding="utf-8")
    headings = {line.lstrip("# ") for line in page.splitlines() if line.startswith("##")}
    named = {each.section for each in vars(scaling_model).values() if isinstance(each, Measured)}
    assert len(named) > 5
    assert named <= headings


def test_a_model_by_hand():
    given = Assumed(
        active=0.1, calls=0.5, writes=0.25, bloat=2, disk_used=0.5, database_disk=1000, database_price=10, standbys=1,
        serving_price=1, backups=0, log_days=0,
    )  # fmt: skip
    model = Model(1e6, 1000, given)
    assert (model.active, model.mean, model.rate, model.stores) == (100, 1000, 50, 12.5)
    assert model.disk == pytest.approx(2e6 * scaling_model.DISK.value / 1e9)
    assert model.processes == 2  # 64 open tenants each
    assert model.connections == 2 * 4 + 100
    assert model.databases == 1
    assert model.money == 1 * 2 * 10 + model.serving_nodes


@pytest.mark.parametrize("name", ["active", "calls", "bloat", "database_price", "serving_price", "backups", "standbys"])
def test_more_of_anything_never_costs_less(name):
    usual = Assumed()
    more = replace(usual, **{name: 3 * getattr(usual, name)})
    assert Model(*LARGE, more).money > Model(*LARGE, usual).money


@pytest.mark.process
def test_an_assumption_is_replaced_by_its_name():
    command = [sys.executable, ROOT / "scripts" / "scaling_model.py"]
    done = subprocess.run([*command, "--set", "database_price=1"], capture_output=True, text=True, check=True)
    assert "| `database_price` | 1 |" in done.stdout
    refused = subprocess.run([*command, "--set", "databse_price=1"], capture_output=True, text=True, check=False)
    assert refused.returncode == 1
    assert "no assumption 'databse_price'" in refused.stderr
