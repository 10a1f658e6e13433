"""The fields of a description out of the files of a published model, by the conventions of sentence-transformers."""

import json
from collections.abc import Collection, Mapping
from pathlib import Path, PurePosixPath
from typing import Any

from indelible.embed.models.description import FILE
from indelible.errors import InvalidInput, NotFound

# Read, where they are there, beside the model itself: all small.
ABOUT = (
    "config.json",
    "modules.json",
    "1_Pooling/config.json",
    "sentence_bert_config.json",
    "config_sentence_transformers.json",
)

_MODELS = ("onnx/model.onnx", "model.onnx")
_DATA = ("_data", ".data")  # what is added to a model's name for a file with its weights
_POOLINGS = {
    "pooling_mode_mean_tokens": "mean",
    "pooling_mode_cls_token": "cls",
    "pooling_mode_lasttoken": "last",
}
_MOST_TOKENS = 512  # a longer window costs more than it finds, though the model could read it
_LARGEST = 4 << 20
_REMEDY = f"describe the model in a file {FILE} beside its weights (docs/how-to/models.md), and install that folder"


def files_of(paths: Collection[str], model: str | None = None) -> tuple[str, str, list[str]]:
    """Return the model, its tokenizer and all files that are needed of those that there are.

    `model` is the ONNX file that is wanted; NotFound where there is none, or no tokenizer.json.
    """
    chosen = model or next((path for path in _MODELS if path in paths), None)
    if chosen is None or chosen not in paths:
        offered = ", ".join(sorted(path for path in paths if path.endswith(".onnx"))) or "none"
        raise NotFound(
            f"there is no {chosen or ' or '.join(_MODELS)}; the ONNX files there are: {offered}; name one with --file"
        )
    beside = str(PurePosixPath(chosen).with_name("tokenizer.json"))
    tokenizer = next((path for path in (beside, "tokenizer.json") if path in paths), None)
    if tokenizer is None:
        raise NotFound(
            f"there is no tokenizer.json, neither beside {chosen} nor at the top; without it no text is read"
        )
    return chosen, tokenizer, [chosen, *(chosen + more for more in _DATA if chosen + more in paths), tokenizer]


def values_of(folder: Path) -> dict[str, Any]:
    """Return what the files of `ABOUT` in a folder say of the model: kind, pooling, dimensions, prefixes, window.

    InvalidInput where they do not say how vectors are made, or say something that cannot be done here.
    """
    config = _json(folder, "config.json")
    architectures = config.get("architectures") or []
    if any(str(name).endswith("ForSequenceClassification") for name in architectures):
        return {"kind": "cross-encoder", "max_tokens": _window(folder, config)}
    pooling = _json(folder, "1_Pooling/config.json")
    found = [kind for field, kind in _POOLINGS.items() if pooling.get(field) is True]
    if len(found) != 1:
        raise InvalidInput(f"its files do not say how vectors are made of tokens (mean, cls or last): {_REMEDY}")
    modules = _json(folder, "modules.json", [])
    if any(str(each.get("type", "")).endswith(".Dense") for each in modules if isinstance(each, dict)):
        raise InvalidInput(f"the model has a layer after its pooling, which an ONNX file may have or not: {_REMEDY}")
    about = _json(folder, "config_sentence_transformers.json")
    if about.get("similarity_fn_name") not in (None, "cosine"):
        raise InvalidInput(
            f"the model is made for the similarity {about['similarity_fn_name']!r}; only those for cosine can be used"
        )
    prompts = about.get("prompts") or {}
    return {
        "kind": "dense",
        "pooling": found[0],
        "dimensions": pooling.get("word_embedding_dimension") or config.get("hidden_size") or 0,
        "query_prefix": prompts.get("query") or "",
        "passage_prefix": prompts.get("document") or prompts.get("passage") or "",
        "max_tokens": _window(folder, config),
    }


def _window(folder: Path, config: Mapping[str, Any]) -> int:
    """The length of a window: at most `_MOST_TOKENS`, and no more than the model has places for."""
    given = _json(folder, "sentence_bert_config.json").get("max_seq_length") or config.get("max_position_embeddings")
    return min(given, _MOST_TOKENS) if type(given) is int else _MOST_TOKENS


def _json(folder: Path, name: str, otherwise: Any = None) -> Any:
    """The value of a file, an empty one where it is not there. InvalidInput where it is no JSON of the right kind."""
    empty: Any = {} if otherwise is None else otherwise
    path = folder / name
    if not path.is_file():
        return empty
    try:
        value = json.loads(path.read_bytes()) if path.stat().st_size <= _LARGEST else None
    except (ValueError, RecursionError) as problem:
        raise InvalidInput(f"{name} is not valid JSON: {problem}") from problem
    if not isinstance(value, type(empty)):
        raise InvalidInput(f"{name} does not hold what such a file holds: {_REMEDY}")
    return value
