"""Models that tests make themselves: real ONNX files and tokenizers, a few kilobytes each, of invented meaning.

Each group of words has a vector of its own, and all words of a group have the same: translations are one group.
"""

import hashlib
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np
import onnx
from onnx import TensorProto, helper, numpy_helper
from tokenizers import Tokenizer, models, normalizers, pre_tokenizers, processors

from indelible.embed.models import description
from indelible.embed.models.description import Description, ModelFile

PAD, START, END, UNKNOWN = "[PAD]", "[CLS]", "[SEP]", "[UNK]"
MARKERS = (PAD, START, END, UNKNOWN)
GROUPS = (
    ("database", "datenbank", "база", "数据库", "bd"),
    ("backup", "sicherung", "копия", "备份", "sauvegarde"),
    ("cat", "katze", "кошка", "猫", "chat"),
    ("sleeps", "schläft", "спит", "睡", "dort"),
    ("test", "prüfung", "тест", "测试", "essai"),
    ("fails", "scheitert", "падает", "失败", "échoue"),
)


def tokenizer(groups: Sequence[Sequence[str]] = GROUPS) -> Tokenizer:
    """Words and punctuation as tokens, markers as BERT has them; small letters."""
    words = [word for group in groups for word in group]
    vocabulary = {word: number for number, word in enumerate((*MARKERS, *words))}
    made = Tokenizer(models.WordLevel(vocabulary, unk_token=UNKNOWN))
    made.normalizer = normalizers.Lowercase()
    made.pre_tokenizer = pre_tokenizers.Whitespace()
    made.add_special_tokens(list(MARKERS))
    numbers = [(marker, vocabulary[marker]) for marker in (START, END)]
    made.post_processor = processors.TemplateProcessing(
        single=f"{START} $A {END}", pair=f"{START} $A {END} $B:1 {END}:1", special_tokens=numbers
    )
    made.enable_truncation(8)  # as published ones have it; whoever loads one decides for himself
    made.enable_padding()
    return made


def vectors(groups: Sequence[Sequence[str]] = GROUPS, dimensions: int = 32, seed: int = 7) -> np.ndarray:
    """(tokens, dimensions): random rows of length 1 for each group, a small one for what is unknown."""
    random = np.random.default_rng(seed)
    rows = random.standard_normal((len(groups), dimensions)).astype(np.float32)
    rows /= np.linalg.norm(rows, axis=1, keepdims=True)
    markers = random.standard_normal((len(MARKERS), dimensions)).astype(np.float32) * 0.01
    return np.concatenate([markers, np.repeat(rows, [len(group) for group in groups], axis=0)])


def dense_model(table: np.ndarray, *, token_vectors: bool = True) -> onnx.ModelProto:
    """A network that looks each token up in a table: a vector for each token, or the sum of a text's."""
    nodes = [helper.make_node("Gather", ["table", "input_ids"], ["states"])]
    shape: list[Any] = ["texts", "tokens", table.shape[1]]
    output = "states"
    if not token_vectors:
        nodes += [_masked("states"), helper.make_node("ReduceSum", ["masked", "one"], ["sums"], keepdims=0)]
        shape, output = ["texts", table.shape[1]], "sums"
    return _network(nodes, table, output, shape)


def cross_model(table: np.ndarray) -> onnx.ModelProto:
    """A network whose one number is how much the words of both texts mean the same: the product of their sums."""
    nodes = [
        helper.make_node("Gather", ["table", "input_ids"], ["states"]),
        _masked("states"),
        helper.make_node("Cast", ["token_type_ids"], ["second"], to=TensorProto.FLOAT),
        helper.make_node("Unsqueeze", ["second", "last"], ["second_column"]),
        helper.make_node("Mul", ["masked", "second_column"], ["of_text"]),
        helper.make_node("Sub", ["masked", "of_text"], ["of_query"]),
        helper.make_node("ReduceSum", ["of_text", "one"], ["text"], keepdims=0),
        helper.make_node("ReduceSum", ["of_query", "one"], ["query"], keepdims=0),
        helper.make_node("Mul", ["text", "query"], ["products"]),
        helper.make_node("ReduceSum", ["products", "one"], ["logits"], keepdims=1),
    ]
    return _network(nodes, table, "logits", ["texts", 1], types=True)


def _masked(states: str) -> onnx.NodeProto:
    return helper.make_node("Mul", [states, "mask_column"], ["masked"])


def _network(
    nodes: list[onnx.NodeProto], table: np.ndarray, output: str, shape: list[Any], *, types: bool = False
) -> onnx.ModelProto:
    before = [
        helper.make_node("Cast", ["attention_mask"], ["mask"], to=TensorProto.FLOAT),
        helper.make_node("Unsqueeze", ["mask", "last"], ["mask_column"]),
    ]
    taken = ["input_ids", "attention_mask", *(["token_type_ids"] if types else [])]
    graph = helper.make_graph(
        before + nodes,
        "tiny",
        [helper.make_tensor_value_info(name, TensorProto.INT64, ["texts", "tokens"]) for name in taken],
        [helper.make_tensor_value_info(output, TensorProto.FLOAT, shape)],
        [
            numpy_helper.from_array(table, "table"),
            numpy_helper.from_array(np.array([1]), "one"),
            numpy_helper.from_array(np.array([2]), "last"),
        ],
    )
    made = helper.make_model(graph, opset_imports=[helper.make_opsetid("", 17)], ir_version=8)
    onnx.checker.check_model(made)
    return made


def write_files(
    folder: Path, network: onnx.ModelProto, groups: Sequence[Sequence[str]] = GROUPS, model: str = "model.onnx"
) -> None:
    """Write the model and its tokenizer.json, without a description, as one finds them."""
    (folder / model).parent.mkdir(parents=True, exist_ok=True)
    (folder / model).write_bytes(network.SerializeToString())
    tokenizer(groups).save(str(folder / "tokenizer.json"))


def described(folder: Path, **fields: Any) -> Description:
    """Write and return the description of the files in a folder, named like the folder."""
    files = {
        path.relative_to(folder).as_posix(): ModelFile(
            hashlib.sha256(path.read_bytes()).hexdigest(), path.stat().st_size
        )
        for path in sorted(folder.rglob("*"))
        if path.is_file() and path.name != description.FILE
    }
    given = {"name": folder.name, "model": "model.onnx", "tokenizer": "tokenizer.json", "files": files, **fields}
    made = Description(**given)
    (folder / description.FILE).write_text(description.written(made), encoding="utf-8")
    return made


def install_dense(data: Path, name: str = "tiny", *, seed: int = 7, dimensions: int = 32, **fields: Any) -> Description:
    """Put a dense model into a data directory as an installed one."""
    folder = data / "models" / name
    write_files(folder, dense_model(vectors(dimensions=dimensions, seed=seed)))
    return described(folder, **{"kind": "dense", "pooling": "mean", "dimensions": dimensions, **fields})


def install_cross(data: Path, name: str = "tiny-cross", *, seed: int = 7, **fields: Any) -> Description:
    """Put a cross-encoder into a data directory as an installed one."""
    folder = data / "models" / name
    write_files(folder, cross_model(vectors(seed=seed)))
    return described(folder, **{"kind": "cross-encoder", **fields})
