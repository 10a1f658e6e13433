"""The server in the places that the unit of systemd gives it, as systemd prepares them before each start."""

import re
import socket
from collections import defaultdict
from contextlib import closing
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest

from http_server import HttpServer

UNIT = Path(__file__).parents[2] / "packaging" / "systemd" / "indelible.service"
SETTING = re.compile(r"^(\w+)=(.*)$", re.MULTILINE)


@pytest.fixture
def unit() -> dict[str, list[str]]:
    """The settings of the unit, each with its values."""
    found = defaultdict(list)
    for name, value in SETTING.findall(UNIT.read_text(encoding="utf-8")):
        found[name].append(value)
    return found


def prepared(unit: dict[str, list[str]], place: Path) -> dict[str, str]:
    """Make the directories of the unit, or set their mode again; return the variables that it sets."""
    for kind, letter in (("State", "S"), ("Runtime", "t"), ("Logs", "L")):
        (name,), (mode,) = unit[f"{kind}Directory"], unit.get(f"{kind}DirectoryMode", ["0755"])
        directory = place / letter / name
        directory.mkdir(parents=True, exist_ok=True)
        directory.chmod(int(mode, 8))
    given = " ".join(unit["Environment"]).replace("%S", str(place / "S")).replace("%t", str(place / "t"))
    return dict(each.split("=", 1) for each in given.split())


@pytest.mark.process
def test_it_starts_in_directories_that_an_earlier_start_has_left(unit: dict[str, list[str]], tmp_path: Path) -> None:
    (tmp_path / "S" / "indelible" / "databases").mkdir(parents=True)  # which a server over PostgreSQL has made
    variables = prepared(unit, tmp_path)
    assert variables["HOME"] == variables["INDELIBLE_DATA"]  # the user has no home directory
    with HttpServer(Path(variables["INDELIBLE_DATA"]), env=variables) as server:
        assert server.get("/health").status == 200


@pytest.mark.process
@pytest.mark.skipif(not hasattr(socket, "AF_UNIX"), reason="systemd is of Linux")
def test_it_has_started_for_systemd_when_it_answers(unit: dict[str, list[str]]) -> None:
    assert unit["Type"] == ["notify"]
    with (
        TemporaryDirectory() as place,  # whose name is short enough for a socket
        closing(socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM)) as systemd,
    ):
        systemd.bind(f"{place}/notify")
        with HttpServer(Path(place) / "data", env={"NOTIFY_SOCKET": f"{place}/notify"}) as server:
            assert systemd.recv(100) == b"READY=1"
            assert server.get("/health").status == 200


def test_the_calls_that_the_models_need_are_allowed_and_others_do_not_end_the_server(
    unit: dict[str, list[str]],
) -> None:
    allowed, denied = unit["SystemCallFilter"]
    assert (allowed, denied) == ("@system-service", "~@privileged")  # which has @resources: mbind, setpriority
    assert unit["SystemCallErrorNumber"] == ["EPERM"]


def test_it_does_not_start_without_its_settings_and_is_tried_again_without_end(unit: dict[str, list[str]]) -> None:
    assert unit["EnvironmentFile"] == ["/etc/indelible/environment"]  # with a hyphen before it systemd goes on without
    assert (unit["Restart"], unit["StartLimitIntervalSec"]) == (["on-failure"], ["0"])
