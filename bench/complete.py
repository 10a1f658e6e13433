"""Complete made-up memories by the hundred thousand: text, words, sparse terms, vector, namespace, session.

Texts are made as in generate.py, in arrays, with one thing more: each record has two topics, passages of the same text,
and half of its jumps stay within them. What a topic means is what the two local models say of its passage. A record's
vector is a mixture of its topics' vectors with noise of the passages' own covariance; its sparse terms are the heaviest
of those of its topics, weaker or stronger at random, and of its own words with the weight that the model gives them on
average. So words and meaning agree as they do in real stores, the dimensions of the vectors are as uneven as MiniLM's
are, and terms are as common as SPLADE's are. `python bench/complete.py` holds the cosines and the terms against the
real passages.
"""

import functools
import uuid
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import generate
import numpy as np
from numpy.typing import NDArray

Ints = NDArray[np.int64]
Floats = NDArray[np.float32]

TOPICS = 1000
SPREAD = 8  # topics of a session, neighbours in the text: what is said in one go is about one thing
STAYING = (0.35, 0.15)  # chances that a jump goes to the first or to the second topic of the record; else anywhere
SECOND = (0.3, 0.9)  # weight of the second topic, the first having 1
NOISE = 0.6  # of that of the passages
FAITHFUL = 0.5  # chance that the second topic is of the session too, else it is any
SPARSE_TERMS = 64
SWAY = 0.3  # standard deviation of the logarithm of a sparse weight, around what topics and words say
UNSEEN = 1.2  # sparse weight of a word piece that no passage has: rare ones are heavy
FADED = 0.65  # of a weight is left where the text is of several passages; the heaviest of more terms then weigh as much
SESSION = 20  # records, a minute apart
MINUTE = 60_000_000  # microseconds
YEAR = 365 * 24 * 60 * MINUTE
BATCH = 16_000  # records, whole sessions; a batch depends on its number, its size and the seed alone
SMALL_EVERY = 10_000  # of so many records one is in the smallest namespace

HALF, FIFTIETH, SMALLEST = "half", "fiftieth", "smallest"  # namespaces of 50%, 2% and 0.01% of the records
OTHERS = 47  # namespaces that share the rest, the n-th of them 1/n as large as the first
NAMESPACES = (HALF, FIFTIETH, SMALLEST, *(f"other-{number:02d}" for number in range(OTHERS)))


@dataclass(frozen=True, slots=True)
class Topics:
    """What the models say of the passages. Rows are passages, in the order of the text."""

    dense: Floats  # (topics, dimensions), unit rows
    terms: Ints  # (topics, terms), padded with weights of 0
    weights: Floats
    own: Floats  # weight of each piece of the vocabulary in a passage that has it

    def save(self, path: Path) -> None:
        np.savez(path, dense=self.dense, terms=self.terms, weights=self.weights, own=self.own)

    @classmethod
    def load(cls, path: Path) -> "Topics":
        with np.load(path) as stored:
            return cls(*(stored[name] for name in ("dense", "terms", "weights", "own")))


@dataclass(frozen=True, slots=True)
class Batch:
    """Some records; lists of one length. `vectors` are (values, code) as the store keeps them."""

    first: int
    texts: list[str]
    keys: list[str]
    namespaces: list[str]
    sessions: list[str]
    times: list[int]
    words: list[bytes]  # bodies of `terms`
    sizes: list[int]
    sparse: list[bytes]
    vectors: list[tuple[bytes, bytes]]


def passages(topics: int) -> list[str]:
    """The first words of each topic, as many as a record has."""
    known = generate.text()
    return [
        " ".join(known.words[number] for number in known.stream[at : at + generate.WORDS])
        for at in range(0, len(known.stream) - len(known.stream) % topics, len(known.stream) // topics)
    ]


def embedded(texts: Sequence[str]) -> Topics:
    """What the local models say of passages: some 30 a second."""
    from indelible.embed.local import LocalEncoder
    from indelible.embed.wordpiece import WordPiece

    encoder, pieces = LocalEncoder(), WordPiece.load()
    encoder.load()
    made = encoder.texts(texts, 1e6)
    assert made is not None
    terms, weights = np.zeros((len(made), SPARSE_TERMS), np.int64), np.zeros((len(made), SPARSE_TERMS), np.float32)
    sums, counts = np.zeros(1 << 15), np.zeros(1 << 15)
    for row, (text, embedding) in enumerate(zip(texts, made, strict=True)):
        found = len(embedding.sparse.terms)
        terms[row, :found], weights[row, :found] = embedding.sparse.terms, embedding.sparse.weights
        sparse = np.zeros(1 << 15)
        sparse[embedding.sparse.terms] = embedding.sparse.weights
        has = np.unique(np.array(pieces.numbers(text), np.int64))
        sums[has] += sparse[has]
        counts[has] += 1
    own = np.where(counts > 0, sums / np.maximum(counts, 1), UNSEEN).astype(np.float32)
    return Topics(np.stack([each.dense[0] for each in made]), terms, weights, own)


def meaningless(count: int) -> Topics:
    """Return topics that no model was asked about, for where rows only must be of the right form."""
    from indelible.embed.minilm import DIMENSIONS

    draw = np.random.default_rng(1)
    dense = draw.standard_normal((count, DIMENSIONS)).astype(np.float32)
    terms = np.sort(draw.integers(1000, 30_000, (count, SPARSE_TERMS)), axis=1)
    weights = draw.uniform(0.5, 2.5, terms.shape).astype(np.float32)
    own = np.full(1 << 15, UNSEEN, np.float32)
    return Topics(dense / np.linalg.norm(dense, axis=1, keepdims=True), terms, weights, own)


@dataclass(frozen=True, slots=True)
class _Table:
    """Some numbers for each word, one list after the other: those of word i from `offsets[i]` to `offsets[i + 1]`."""

    numbers: Ints
    offsets: Ints

    @classmethod
    def of(cls, lists: Iterable[Sequence[int]]) -> "_Table":
        every = [np.array(each, np.int64) for each in lists]
        offsets = np.cumsum([0, *(len(each) for each in every)])
        return cls(np.concatenate([np.zeros(0, np.int64), *every]), offsets)

    def joined(self, other: "_Table") -> "_Table":
        """The words of this table, then those of another."""
        offsets = np.concatenate([self.offsets, other.offsets[1:] + len(self.numbers)])
        return _Table(np.concatenate([self.numbers, other.numbers]), offsets)

    def expanded(self, words: Ints) -> tuple[Ints, Ints]:
        """Of a flat list of words: all their numbers, and the place in the list that each is of."""
        counts = self.offsets[words + 1] - self.offsets[words]
        places = np.repeat(np.arange(len(words)), counts)
        within = np.arange(len(places)) - np.repeat(np.cumsum(counts) - counts, counts)
        return self.numbers[self.offsets[words][places] + within], places


@dataclass(frozen=True, slots=True)
class _Source:
    """The text in arrays, and what product and models cut its words into."""

    words: list[str]
    stream: Ints
    occurrences: _Table  # where each word stands
    identifiers: list[str]  # what fresh words are made of
    terms: _Table
    pieces: _Table


@functools.cache
def _source() -> _Source:
    known = generate.text()
    first = [names[0] for word in known.words if (names := generate.IDENTIFIER.findall(word))]
    return _Source(
        known.words,
        np.array(known.stream, np.int64),
        _Table.of(known.places),
        [name[:12] for name in first if len(name) > 2],
        _Table.of(map(_index_terms, known.words)),
        _Table.of(map(_pieces(), known.words)),
    )


def _index_terms(word: str) -> list[int]:
    from indelible.search import tokens

    return [tokens.term(part) for part in tokens.words(word)]


@functools.cache
def _pieces() -> Callable[[str], Sequence[int]]:
    from indelible.embed.wordpiece import WordPiece

    return WordPiece.load().numbers


@functools.cache
def _known(path: Path) -> tuple[Topics, Floats]:
    """The topics of a file, and a matrix that gives independent normal numbers their covariance."""
    topics = Topics.load(path)
    values, axes = np.linalg.eigh(np.cov(topics.dense.T))
    return topics, (axes * np.sqrt(np.maximum(values, 0))).T.astype(np.float32)


def noise(draw: np.random.Generator, path: Path, count: int) -> Floats:
    """Random directions, (count, dimensions), that are as uneven as the vectors of the topics in a file."""
    topics, shape = _known(path)
    return draw.standard_normal((count, topics.dense.shape[1]), np.float32) @ shape


def batch(path: Path, first: int, count: int, until: int, seed: int = 1) -> Batch:
    """`count` records from number `first` on, over the topics in a file; they end a year's worth before `until`."""
    draw = np.random.default_rng((seed, first))
    topics, _ = _known(path)
    numbers = np.arange(count) + first
    sessions, own_sessions = numbers // SESSION, np.arange(count) // SESSION
    regions = draw.integers(0, len(topics.dense), own_sessions[-1] + 1)[own_sessions]
    pair = (regions + draw.integers(0, min(SPREAD, len(topics.dense)), (2, count))) % len(topics.dense)
    stray = draw.random(count) >= FAITHFUL
    pair[1, stray] = draw.integers(0, len(topics.dense), np.count_nonzero(stray))
    second = draw.uniform(*SECOND, count).astype(np.float32)
    words, fresh = _texts(draw, pair, len(topics.dense))
    source = _source()
    spelled = np.array([*source.words, *fresh], object)
    bodies, sizes = _bodies(words, source.terms.joined(_Table.of(map(_index_terms, fresh))))
    return Batch(
        first,
        [" ".join(row) for row in spelled[words].tolist()],
        [str(uuid.UUID(bytes=draw.bytes(16), version=4)) for _ in range(count)],
        _namespaces(draw, numbers),
        [f"session_{number:012x}" for number in sessions.tolist()],
        (until - YEAR + sessions * 1009 % 525_600 * MINUTE + numbers % SESSION * MINUTE).tolist(),
        bodies,
        sizes,
        _sparse(draw, topics, pair, second, words, source.pieces.joined(_Table.of(map(_pieces(), fresh)))),
        _packed(vectors(draw, path, pair, second)),
    )


def _namespaces(draw: np.random.Generator, numbers: Ints) -> list[str]:
    """Of each record: one a session, but for those few of the smallest namespace."""
    sessions = numbers // SESSION
    shares = 1 / np.arange(1, OTHERS + 1)
    others = draw.choice(OTHERS, sessions[-1] - sessions[0] + 1, p=shares / shares.sum())
    chosen = len(NAMESPACES) - OTHERS + others[sessions - sessions[0]]
    chosen[sessions % 2 == 0] = NAMESPACES.index(HALF)
    chosen[sessions % 50 == 7] = NAMESPACES.index(FIFTIETH)
    chosen[numbers % SMALL_EVERY == SMALL_EVERY // 30] = NAMESPACES.index(SMALLEST)
    return [NAMESPACES[number] for number in chosen.tolist()]


def _texts(draw: np.random.Generator, pair: Ints, topics: int) -> tuple[Ints, list[str]]:
    """(records, words) by their numbers in the source, fresh words after all others; and the fresh words."""
    source = _source()
    words = _walk(draw, source, pair, len(source.stream) // topics)
    new = draw.random(words.shape) < generate.FRESH
    fresh = _fresh(draw, source.identifiers, int(np.count_nonzero(new)))
    words[new] = len(source.words) + np.arange(len(fresh))
    return words, fresh


def _walk(draw: np.random.Generator, source: _Source, pair: Ints, length: int) -> Ints:
    """The words of each record: a stretch of the text's own word pairs, then a jump, as in generate.py."""
    count = pair.shape[1]
    words = np.empty((count, generate.WORDS), np.int64)
    offsets, places = source.occurrences.offsets, source.occurrences.numbers
    place = pair[0] * length + draw.integers(0, length, count)
    for step in range(generate.WORDS):
        word = words[:, step] = source.stream[place]
        same = places[offsets[word] + (draw.random(count) * (offsets[word + 1] - offsets[word])).astype(np.int64)]
        kind = draw.random(count)
        topic = np.where(kind < STAYING[0], pair[0], pair[1])
        near, far = topic * length + draw.integers(0, length, count), draw.integers(0, len(source.stream), count)
        jump = np.where(kind < sum(STAYING), near, far)
        place = np.where(draw.random(count) < generate.FOLLOWING, (same + 1) % len(source.stream), jump)
    return words


def _fresh(draw: np.random.Generator, identifiers: list[str], count: int) -> list[str]:
    """Identifiers that the text does not have, in the three forms of generate.py."""
    chosen, forms = draw.integers(0, len(identifiers), (count, 2)).tolist(), draw.integers(0, 3, count).tolist()
    made = []
    for (one, other), form in zip(chosen, forms, strict=True):
        first, second = identifiers[one], identifiers[other]
        made.append((f"{first}_{second}", first.capitalize() + second.capitalize(), f"{first}.{second}")[form])
    return made


def _bodies(words: Ints, table: _Table) -> tuple[list[bytes], list[int]]:
    """The terms of each record as `tokens.pack` writes them, and how many it has with repeats."""
    terms, places = table.expanded(words.reshape(-1))
    records = places // words.shape[1]
    keys, counts = np.unique(records << 32 | terms, return_counts=True)
    sizes = np.bincount(records, minlength=len(words)).tolist()
    return _cut(keys >> 32, keys & 0xFFFFFFFF, np.minimum(counts, 255), len(words)), sizes


def _cut(records: Ints, terms: Ints, counts: NDArray[Any], length: int) -> list[bytes]:
    """Bodies of the store: terms of 4 bytes ascending, then counts of one. The rows are sorted by record and term."""
    ends = np.cumsum(np.bincount(records, minlength=length)).tolist()
    numbers, steps = terms.astype("<u4").tobytes(), counts.astype(np.uint8).tobytes()
    return [numbers[4 * a : 4 * b] + steps[a:b] for a, b in zip([0, *ends[:-1]], ends, strict=True)]


def _sparse(
    draw: np.random.Generator, topics: Topics, pair: Ints, second: Floats, words: Ints, pieces: _Table
) -> list[bytes]:
    """The heaviest terms of topics and own words, as `pack_weights` writes them."""
    from indelible.search.index.entries import WEIGHT_STEP

    count = len(words)
    found, places = pieces.expanded(words.reshape(-1))
    share = np.stack([np.ones(count, np.float32), second])[:, :, np.newaxis]
    weights = np.concatenate([topics.own[found], (topics.weights[pair] * share).reshape(-1)])
    weights *= np.exp(draw.standard_normal(len(weights), np.float32) * np.float32(SWAY)) * np.float32(FADED)
    records = np.concatenate([places // words.shape[1], np.tile(np.repeat(np.arange(count), SPARSE_TERMS), 2)])
    terms = np.concatenate([found, topics.terms[pair].reshape(-1)])
    steps = np.minimum(np.rint(weights / WEIGHT_STEP), 255).astype(np.int64)
    steps[terms < 999] = 0  # markers
    # One sort by (record, term), the heaviest first, to keep one of each; one by weight, to keep the heaviest.
    keys = np.sort((records << 40 | terms << 16 | 255 - steps)[steps > 0])
    keys = keys[np.append(True, keys[1:] >> 16 != keys[:-1] >> 16)]
    records, terms, light = keys >> 40, keys >> 16 & 0xFFFF, keys & 0xFF
    keys = np.sort(records << 40 | light << 16 | terms)
    starts = np.searchsorted(keys >> 40, np.arange(count))
    keys = keys[np.arange(len(keys)) - starts[keys >> 40] < SPARSE_TERMS]
    keys = np.sort(keys >> 40 << 40 | (keys & 0xFFFF) << 16 | keys >> 16 & 0xFF)
    return _cut(keys >> 40, keys >> 16 & 0xFFFF, 255 - (keys & 0xFF), count)


def _packed(rows: Floats) -> list[tuple[bytes, bytes]]:
    from indelible.search.index.vectors import pack

    return pack(rows)


def vectors(draw: np.random.Generator, path: Path, pair: Ints, second: Floats) -> Floats:
    """Unit rows: both topics and noise."""
    topics, _ = _known(path)
    mixed = topics.dense[pair[0]] + topics.dense[pair[1]] * second[:, np.newaxis]
    mixed += noise(draw, path, len(mixed)) * np.float32(NOISE)
    unit: Floats = mixed / np.linalg.norm(mixed, axis=1, keepdims=True)
    return unit


def main() -> None:
    """Print the cosines and the terms of made-up records beside those of real passages."""
    with TemporaryDirectory() as folder:
        path = Path(folder) / "topics.npz"
        real = embedded(passages(TOPICS))
        real.save(path)
        made = batch(path, 0, BATCH, 0)
    rows = np.stack([np.frombuffer(vector, "<f2") for vector, _ in made.vectors]).astype(np.float32)
    some = np.random.default_rng(1).permutation(len(rows))[:TOPICS]
    for name, dense in (("passages", real.dense), ("records", rows[some])):
        cosines = dense @ dense.T
        pairs = cosines[np.triu_indices(len(cosines), 1)]
        nearest = -np.median(np.sort(-cosines, axis=1), axis=0)  # the first is the text itself
        print(
            f"{len(dense)} {name}: cosine of a pair {pairs.mean():.2f} (deviation {pairs.std():.2f}), "
            f"of a text and its nearest {nearest[1]:.2f}, its 10th {nearest[10]:.2f}, its 100th {nearest[100]:.2f}"
        )
    terms = [np.frombuffer(body, "<u4", len(body) // 5) for body in made.sparse]
    for name, lists in (("passages", list(real.terms)), ("records", terms)):
        shares = -np.sort(-np.bincount(np.concatenate(lists))) / len(lists)
        print(f"{name}: share that has the commonest sparse term, the 10th, 100th, 1,000th:", shares[[0, 9, 99, 999]])


if __name__ == "__main__":
    main()
