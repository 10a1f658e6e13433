"""The description of a model that a user chose: the file `indelible-model.json` beside its weights.

It says all that vectors depend on apart from the files themselves, and pins those by their SHA-256.
"""

import hashlib
import json
import re
from collections.abc import Mapping
from dataclasses import asdict, field
from pathlib import Path, PurePosixPath
from typing import Any, Literal, get_args, get_type_hints

from indelible.dataclass import dataclass
from indelible.embed.base import BUILT_IN
from indelible.errors import InvalidInput, StoreError

FILE = "indelible-model.json"

Kind = Literal["dense", "cross-encoder"]
Pooling = Literal["mean", "cls", "last", "none"]

_CODE = 1  # of the code around the weights; its number changes where the same files give other vectors
_NAME = re.compile(r"[a-z0-9][a-z0-9._-]{0,63}")
_LANGUAGE = re.compile(r"[a-z]{2,3}")
_SHA256 = re.compile(r"[0-9a-f]{64}")
_LARGEST = 1 << 20  # bytes of a description
_FEWEST_TOKENS, _MOST_TOKENS = 16, 8192
_MOST_DIMENSIONS = 8192


@dataclass(frozen=True, slots=True)
class ModelFile:
    """A file of a model: its content's SHA-256, in hexadecimal, and its size in bytes."""

    sha256: str
    size: int


@dataclass(frozen=True, slots=True)
class Description:
    """A model that a user chose, and how it is used.

    `pooling` makes a text's vector of the output: the mean of all tokens, the first one (cls), the last one, or none
    where the output is the text's vector already. `output` is the name of the model's output, '' for its first.
    The prefixes stand before every query and every window of a text, as the model was trained. `dimensions` is the
    length of the model's vectors; with `truncate` only so many are kept, for models that were trained so (Kusupati et
    al., 2022), 0 keeps all. A cross-encoder has no dimensions. `max_tokens` is the length of a window, with prefix and
    markers. `languages` are ISO 639 codes; none says that they are not known. `files` has every file by its path in the
    folder, `model` and `tokenizer` are two of these. `source` says where they came from.
    """

    name: str
    kind: Kind
    model: str
    tokenizer: str
    files: Mapping[str, ModelFile]
    pooling: Pooling = "none"
    output: str = ""
    query_prefix: str = ""
    passage_prefix: str = ""
    dimensions: int = 0
    truncate: int = 0
    max_tokens: int = 512
    licence: str = ""
    languages: tuple[str, ...] = field(default=())
    source: str = ""

    @property
    def width(self) -> int:
        """How many values a vector has."""
        return self.truncate or self.dimensions

    @property
    def identity(self) -> str:
        """The name under which stores keep its vectors: equal wherever the same files are used in the same way."""
        told = asdict(self)
        for aside in ("licence", "languages", "source"):
            del told[aside]
        digest = hashlib.sha256(json.dumps(told, sort_keys=True).encode()).hexdigest()
        return f"{self.name}@{digest[:12]}/{_CODE}"


def check_name(name: str) -> str:
    """Return the name of a model; raises InvalidInput where it can be none."""
    if not _NAME.fullmatch(name) or name == BUILT_IN:
        raise InvalidInput(
            f"{name[:80]!r} cannot be the name of a model: give up to 64 small letters, digits, dots, hyphens and "
            f"underscores, beginning with a letter or digit, other than {BUILT_IN!r}"
        )
    return name


def check_path(path: str) -> str:
    """Return the path of a file in a model's folder; raises InvalidInput where it would lead out of it."""
    parts = PurePosixPath(path).parts
    plain = bool(parts) and "/".join(parts) == path and ".." not in parts and not path.startswith("/")
    if not plain or "\\" in path or ":" in path or not path.isprintable() or path == FILE:
        raise InvalidInput(f"{path[:200]!r} is no path of a file inside a model's folder; write it as onnx/model.onnx")
    return path


def read(folder: Path) -> Description:
    """Read a folder's description.

    Raises StoreError where it cannot be read, InvalidInput where it says something it cannot say.
    """
    path = folder / FILE
    try:
        with path.open("rb") as file:
            content = file.read(_LARGEST + 1)
    except OSError as problem:
        raise StoreError(f"the model's description {path} cannot be read: {problem.strerror}") from problem
    try:
        values = json.loads(content) if len(content) <= _LARGEST else None
    except (ValueError, RecursionError) as problem:
        raise InvalidInput(f"{path} is not valid JSON: {problem}") from problem
    if not isinstance(values, dict):
        raise InvalidInput(f"{path} must hold a JSON object of at most {_LARGEST} bytes that describes a model")
    try:
        return parsed(values)
    except InvalidInput as problem:
        raise InvalidInput(f"{path}: {problem}") from problem


def written(description: Description) -> str:
    """Return the text of a description's file."""
    return json.dumps(asdict(description), indent=2, ensure_ascii=False) + "\n"


def parsed(values: Mapping[str, Any]) -> Description:
    """Return the description that a JSON object gives. Raises InvalidInput that names the field and what it takes."""
    hints = get_type_hints(Description)
    if unknown := sorted(values.keys() - hints.keys()):
        raise InvalidInput(f"unknown field {unknown[0]!r}; a description has {', '.join(sorted(hints))}")
    given: dict[str, Any] = {
        name: _of_type(name, values[name], hint)
        for name, hint in hints.items()
        if name in values and name not in ("files", "languages")
    }
    if missing := sorted({"name", "kind", "model", "tokenizer"} - given.keys()):
        raise InvalidInput(f"the field {missing[0]!r} is missing")
    described = Description(
        **given, files=parse_files(values.get("files")), languages=_languages(values.get("languages"))
    )
    _check(described)
    return described


def _of_type(name: str, value: Any, hint: Any) -> Any:
    allowed = get_args(hint)
    if allowed and value not in allowed:
        raise InvalidInput(f"{name} must be one of {', '.join(map(repr, allowed))}, got {value!r:.80}")
    kind = str if allowed else hint
    if type(value) is not kind:
        raise InvalidInput(f"{name} must be {'a text' if kind is str else 'a whole number'}, got {value!r:.80}")
    return value


def parse_files(value: Any) -> dict[str, ModelFile]:
    """Return the files that a description's field gives. Raises InvalidInput for what is no such field."""
    if not isinstance(value, dict) or not value:
        raise InvalidInput("files must be an object with every file of the model: its path, then sha256 and size")
    found = {}
    for path, about in value.items():
        right = isinstance(about, dict) and about.keys() == {"sha256", "size"} and type(about["size"]) is int
        if not right or about["size"] < 0 or not _SHA256.fullmatch(str(about["sha256"])):
            raise InvalidInput(f"files: {path[:200]!r} must have a sha256 of 64 hexadecimal digits and a size in bytes")
        found[check_path(path)] = ModelFile(**about)
    return found


# Codes of ISO 639-2 and 639-3, by the two letters of ISO 639-1 by which a question's language is known here.
_SHORT_CODES = {
    long: short
    for short, longs in {
        **{"en": "eng", "de": "deu ger", "fr": "fra fre", "es": "spa", "pt": "por", "it": "ita", "nl": "nld dut"},
        **{"sv": "swe", "da": "dan", "no": "nor nob nno", "fi": "fin", "pl": "pol", "cs": "ces cze", "ro": "ron rum"},
        **{"hu": "hun", "tr": "tur", "id": "ind", "ca": "cat", "sk": "slk slo", "hr": "hrv", "sl": "slv", "lt": "lit"},
        **{"lv": "lav", "et": "est", "eu": "eus baq", "vi": "vie", "ru": "rus", "uk": "ukr", "el": "ell gre"},
        **{"zh": "zho chi cmn", "ja": "jpn", "ko": "kor", "th": "tha", "ar": "ara arb", "he": "heb", "hi": "hin"},
    }.items()
    for long in longs.split()
}


def _languages(value: Any) -> tuple[str, ...]:
    if value is None:
        return ()
    if not isinstance(value, list | tuple) or not all(isinstance(v, str) and _LANGUAGE.fullmatch(v) for v in value):
        raise InvalidInput(f"languages must be a list of ISO 639 codes such as 'de', got {value!r:.80}")
    codes: list[str] = [*value]
    return tuple(dict.fromkeys(_SHORT_CODES.get(code, code) for code in codes))


def _check(described: Description) -> None:
    check_name(described.name)
    for role in ("model", "tokenizer"):
        if getattr(described, role) not in described.files:
            raise InvalidInput(f"{role} must be one of the paths in files, got {getattr(described, role)[:200]!r}")
    if not _FEWEST_TOKENS <= described.max_tokens <= _MOST_TOKENS:
        raise InvalidInput(f"max_tokens must be from {_FEWEST_TOKENS} to {_MOST_TOKENS}, got {described.max_tokens}")
    fewest, most = (1, _MOST_DIMENSIONS) if described.kind == "dense" else (0, 0)
    if not fewest <= described.dimensions <= most:
        raise InvalidInput(
            f"dimensions of a {described.kind} model must be from {fewest} to {most}, got {described.dimensions}"
        )
    if not 0 <= described.truncate <= described.dimensions:
        raise InvalidInput(
            f"truncate must be from 0 to the dimensions, {described.dimensions}; got {described.truncate}"
        )
