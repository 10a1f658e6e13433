"""The runtime of the models, as it is used here."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

LOADING = """
from indelible.embed.minilm import WEIGHTS
from indelible.embed.session import open_session
open_session(WEIGHTS)
"""


@pytest.mark.process
def test_the_runtime_notes_nothing_of_the_user_and_has_nothing_to_send(tmp_path: Path):
    """onnxruntime draws an id of the machine at its import, and sends events with it, unless it is told not to."""
    home = {name: str(tmp_path) for name in ("HOME", "USERPROFILE", "LOCALAPPDATA")}
    kept = {
        name: value for name, value in os.environ.items() if name not in ("XDG_CACHE_HOME", "ORT_DISABLE_TELEMETRY")
    }
    done = subprocess.run([sys.executable, "-c", LOADING], env={**kept, **home}, capture_output=True, check=False)
    assert done.returncode == 0, done.stderr
    assert [str(path.relative_to(tmp_path)) for path in tmp_path.rglob("*")] == []
