"""Every metric that a file for operators names is one that a server has."""

import json
import re
from pathlib import Path

import pytest
import yaml

from command_line import opened
from indelible.api import Memory
from indelible.errors import InvalidInput
from indelible.server.http import prometheus
from indelible.server.http.middleware import Traffic

PACKAGING = Path(__file__).parents[3] / "packaging"
OF_PROMETHEUS = {"up"}  # which it has itself
NAME = re.compile(r"\b(?:indelible|process)_[a-z_]+\b")


def rules():
    groups = yaml.safe_load((PACKAGING / "prometheus" / "rules.yaml").read_text(encoding="utf-8"))["groups"]
    return [rule for group in groups for rule in group["rules"]]


def dashboard():
    return json.loads((PACKAGING / "grafana" / "dashboard.json").read_text(encoding="utf-8"))


def expressions():
    told = [target["expr"] for panel in dashboard()["panels"] for target in panel["targets"]]
    asked = [variable["definition"] for variable in dashboard()["templating"]["list"] if "definition" in variable]
    return [*told, *asked, *(rule["expr"] for rule in rules())]


@pytest.fixture
def text(tmp_path):
    traffic = Traffic()
    traffic.answered["/health", 200] += 1
    with opened(tmp_path / "data") as ctx:
        memory = Memory(ctx)
        memory.store_memory(content="Deploys go out on Tuesdays")
        with pytest.raises(InvalidInput):
            memory.store_memory(content="")
        return prometheus.text(ctx, traffic)


def test_every_metric_of_the_dashboard_and_the_rules_is_one_of_a_server(text):
    known = {re.match(r"[a-z_]+", line)[0] for line in text.splitlines() if not line.startswith("#")}
    known |= {line.split()[2] for line in text.splitlines() if line.startswith("# TYPE")}
    named = {name for expression in expressions() for name in NAME.findall(expression)}
    assert len(named) > 15
    assert named <= known
    for expression in expressions():
        assert NAME.search(expression) or OF_PROMETHEUS & set(re.findall(r"\w+", expression)), expression


def test_every_label_of_the_dashboard_and_the_rules_is_one_of_a_server(text):
    known = {*re.findall(r'([a-z]+)="', text), "job", "instance"}
    named = {label for expression in expressions() for label in re.findall(r'([a-z]+)\s*=?[=~!]~?\s*"', expression)}
    named |= {each for e in expressions() for labels in re.findall(r"by \(([^)]*)\)", e) for each in labels.split(", ")}
    assert {"tool", "quantile", "route", "status"} <= named <= known


def test_each_alert_says_how_bad_it_is_and_what_to_do():
    names = [rule["alert"] for rule in rules()]
    assert len(names) == len(set(names)) > 5
    for rule in rules():
        assert rule["labels"]["severity"] in ("warning", "critical")
        assert set(rule["annotations"]) == {"summary", "description"}
        assert re.fullmatch(r"\d+[mh]", rule["for"])
