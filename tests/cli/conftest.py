"""A data directory that is not there yet, and a hook that runs in this process."""

import json
import os
import subprocess
import sys
from pathlib import Path
from types import SimpleNamespace

import pytest

from indelible.cli import main


@pytest.fixture
def data(tmp_path: Path) -> Path:
    return tmp_path / "data"


@pytest.fixture
def drains(monkeypatch) -> list[list[str]]:
    """The commands of the processes that a hook in this process starts; none is."""
    commands: list[list[str]] = []
    monkeypatch.setattr(subprocess, "Popen", lambda command, **_: commands.append(command) or SimpleNamespace())
    return commands


@pytest.fixture
def told(monkeypatch, capfd, drains, tmp_path):
    """A hook in this process: its payload in, its two streams out."""
    monkeypatch.setattr(sys, "excepthook", sys.excepthook)
    outer = os.dup(0)

    def run(data: Path, payload: object, *arguments: str) -> tuple[str, str]:
        given = tmp_path / "payload"
        given.write_bytes(payload if isinstance(payload, bytes) else json.dumps(payload).encode())
        opened = os.open(given, os.O_RDONLY)
        os.dup2(opened, 0)
        os.close(opened)
        assert main.main(["hook", *arguments, "--data", str(data)]) == 0
        said = capfd.readouterr()
        return said.out, said.err

    yield run
    os.dup2(outer, 0)
    os.close(outer)
