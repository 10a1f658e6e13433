"""A machine with nothing on it but a home and a project."""

import pytest

from user_machine import Machine


@pytest.fixture
def machine(tmp_path):
    made = Machine(tmp_path)
    for directory in (made.home, made.work / ".git", made.bin):
        directory.mkdir(parents=True)
    (made.work / ".git" / "HEAD").write_text("ref: refs/heads/main\n", encoding="utf-8")
    return made
