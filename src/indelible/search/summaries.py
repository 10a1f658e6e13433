"""Extracts: summaries of several texts, and the passage of one that is most about a query, without a language model.

The words that stand in several texts are what a summary must have; each counts once, by the number of its texts
(Gillick and Favre, A scalable global model for summarization, 2009). Sentences are taken greedily.
"""

from collections.abc import Collection, Sequence
from dataclasses import replace
from itertools import islice, pairwise

from indelible.dataclass import dataclass
from indelible.search import chunking, tokens
from indelible.search.chunking import Chunk, ends_in

MOST = 5  # sentences
LONGEST = 1_200  # characters of all of them
SEARCHED = 20_000  # characters of a text in which the passage about a query is looked for
LONGEST_SENTENCE = 400  # of one: a longer one is cut
READ = 4_000  # characters of one text


@dataclass(frozen=True, slots=True)
class _Sentence:
    """A sentence, the texts that contain it, and its telling words, each once."""

    text: str
    of: frozenset[int]
    words: frozenset[str]


def summary(texts: Sequence[str]) -> list[str]:
    """Return at most five sentences of the texts, in the order of the texts.

    First those that bring the most of the shared words, for their length; then for each text that has none yet its
    best, if that has a word in common with another. Ties go to the first. Where the texts have no word in common, the
    first sentences of the first texts. Empty where no text says anything.
    """
    sentences = _sentences(texts)
    weights = _weights(sentences)
    taken: list[int] = []
    length = 0
    covered: set[str] = set()
    while len(taken) < MOST:
        left = [at for at, sentence in enumerate(sentences) if at not in taken and _fits(sentence, length)]
        at = _next(sentences, left, weights, covered, _quoted(sentences, taken))
        if at is None:
            break
        taken.append(at)
        length += len(sentences[at].text)
        covered |= sentences[at].words
    return [sentences[at].text for at in sorted(taken)]


def _fits(sentence: _Sentence, length: int) -> bool:
    return length + len(sentence.text) <= LONGEST


def _next(
    sentences: Sequence[_Sentence], left: Sequence[int], weights: dict[str, int], covered: set[str], quoted: set[int]
) -> int | None:
    """Return the sentence to take next, None where no other is worth it."""

    def share(at: int, words: frozenset[str]) -> tuple[float, int]:
        return sum(weights.get(word, 0) for word in words) / len(sentences[at].words), -at

    unquoted = [at for at in left if not sentences[at].of & quoted]
    new = [share(at, sentences[at].words - covered) for at in left]
    old = [share(at, sentences[at].words) for at in unquoted]
    for ranked in (new, old):
        best = max(ranked, default=(0.0, 0))
        if best[0] > 0:
            return -best[1]
    return unquoted[0] if unquoted and not weights else None


def _quoted(sentences: Sequence[_Sentence], taken: Sequence[int]) -> set[int]:
    """Return the texts of which a sentence is taken."""
    return {of for at in taken for of in sentences[at].of}


def _weights(sentences: Sequence[_Sentence]) -> dict[str, int]:
    """Return the words that stand in several texts, with the number of texts."""
    of: dict[str, set[int]] = {}
    for sentence in sentences:
        for word in sentence.words:
            of.setdefault(word, set()).update(sentence.of)
    return {word: len(texts) for word, texts in of.items() if len(texts) > 1}


def _sentences(texts: Sequence[str]) -> list[_Sentence]:
    """Return the sentences with telling words, in order; of those with the same words the first."""
    found: dict[frozenset[str], _Sentence] = {}
    for of, text in enumerate(texts):
        read = text[:READ]
        ends = [0, *next(ends_in(read)), len(read)] if read else []
        for start, end in pairwise(ends):
            sentence = " ".join(read[start:end].split())
            words = frozenset(word for word in tokens.words(sentence) if tokens.is_telling(word))
            if words:
                first = found.get(words) or _Sentence(_cut(sentence), frozenset(), words)
                found[words] = replace(first, of=first.of | {of})
    return list(found.values())


def _cut(sentence: str) -> str:
    if len(sentence) <= LONGEST_SENTENCE:
        return sentence
    return f"{sentence[: LONGEST_SENTENCE - 1].rstrip()}…"


# --- The passage about a query ---


def best_chunk(text: str, wanted: Collection[str]) -> Chunk:
    """Return the chunk with most of some words (as `tokens.words` gives them), the first of several."""
    words = frozenset(wanted)
    return max(chunking.chunks(text), key=lambda chunk: len(words & frozenset(tokens.words(chunk.text))))


def matching(text: str, query: str) -> tuple[int, int] | None:
    """Return the start and end of the sentence or line with most of the telling words of a query, the first of several.

    None where the text has none of them: then it was found by something else.
    """
    language = tokens.language_of(query)
    wanted = frozenset(word for word in tokens.words(query) if tokens.is_telling(word, language))
    text = text[:SEARCHED]
    if not wanted or not text.strip():
        return None
    chunk = best_chunk(text, wanted)
    inner = next((ends for ends in islice(ends_in(chunk.text), 2) if ends), [])  # clauses and words are no passage
    counts = {
        (low, high): len(wanted & frozenset(tokens.words(chunk.text[low:high])))
        for low, high in pairwise([0, *inner, len(chunk.text)])
    }
    (low, high), count = max(counts.items(), key=lambda each: (each[1], -each[0][0]))
    if not count:
        return None
    part = chunk.text[low:high]
    start = chunk.start + low + len(part) - len(part.lstrip())
    return start, chunk.start + low + len(part.rstrip())
