"""The scripts of `bench/` import each other by their names."""

import sys
from pathlib import Path

sys.path.append(str(Path(__file__).parents[2] / "bench"))
sys.path.append(str(Path(__file__).parents[2] / "scripts"))
