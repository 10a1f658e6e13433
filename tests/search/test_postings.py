"""The inverted index, held against the same index built at once, and against BM25 written out."""

import math
import random

import numpy as np
import pytest

from indelible.search import tokens
from indelible.search.postings import K1, B, Entry, Postings, merge, pack_block, unpack_terms

WORDS = [f"w{chr(97 + i % 26)}{chr(97 + i // 26)}" for i in range(200)]


def entry(record: int, text: str, namespace: str = "a", kind: str = "memory", type_: str = "context") -> Entry:
    counts = tokens.terms(text)
    terms, numbers = unpack_terms(tokens.pack(counts))
    return Entry(record, namespace, kind, type_, terms, numbers, sum(counts.values()))


def found(postings: Postings, words: list[str]) -> dict[int, float]:
    terms = [tokens.term(word) for word in words]
    scores = postings.bm25(postings.read(terms), postings.mask(None, None, None))
    return {int(postings.records.values[i]): float(scores[i]) for i in np.flatnonzero(scores)}


def written_out(texts: dict[int, str], words: list[str]) -> dict[int, float]:
    counts = {record: list(tokens.words(text)) for record, text in texts.items()}
    average = sum(map(len, counts.values())) / len(counts)
    scores: dict[int, float] = {}
    for word in words:
        having = [record for record, own in counts.items() if word in own]
        idf = math.log(1 + (len(counts) - len(having) + 0.5) / (len(having) + 0.5))
        for record in having:
            count = counts[record].count(word)
            norm = K1 * (1 - B + B * len(counts[record]) / average)
            scores[record] = scores.get(record, 0.0) + idf * (K1 + 1) * count / (count + norm)
    return scores


def test_scores_are_those_of_bm25_written_out() -> None:
    random_ = random.Random(7)
    texts = {i: " ".join(random_.choices(WORDS, k=random_.randint(3, 60))) for i in range(1, 400)}
    postings = Postings()
    postings.put_many([entry(i, text) for i, text in texts.items()])
    for _ in range(20):
        words = random_.sample(WORDS, 4)
        assert found(postings, words) == pytest.approx(written_out(texts, words), rel=1e-4)


@pytest.mark.parametrize("seed", range(4))
def test_an_index_kept_up_in_pieces_finds_what_an_index_built_at_once_finds(seed: int) -> None:
    random_ = random.Random(seed)
    texts: dict[int, str] = {}
    kept_up = Postings()
    for _ in range(120):
        changed = sorted({random_.randrange(1, 2000) for _ in range(random_.choice([1, 3, 70, 200]))})
        texts.update({i: " ".join(random_.choices(WORDS, k=20)) for i in changed})
        kept_up.put_many([entry(i, texts[i]) for i in changed])
        for gone in random_.sample(sorted(texts), min(3, len(texts))):
            del texts[gone]
            kept_up.remove(gone)
        if random_.random() < 0.3:
            while (pair := kept_up.to_merge()) is not None:
                kept_up.merged(pair, merge(*pair))
    at_once = Postings()
    at_once.put_many([entry(i, texts[i]) for i in sorted(texts)])
    assert kept_up.count == at_once.count == len(texts)
    for _ in range(20):
        words = random_.sample(WORDS, 5)
        assert set(found(kept_up, words)) == set(found(at_once, words))


def test_a_sealed_block_gives_the_scores_of_the_records_that_it_was_made_of() -> None:
    random_ = random.Random(1)
    entries = [entry(i, " ".join(random_.choices(WORDS, k=30)), random_.choice("abc")) for i in range(1, 3000)]
    direct, sealed = Postings(), Postings()
    direct.put_many(entries)
    sealed.add_block(pack_block(entries))
    for _ in range(10):
        words = random_.sample(WORDS, 5)
        assert found(sealed, words) == pytest.approx(found(direct, words), rel=1e-6)
    assert sealed.namespaces == {"a", "b", "c"}


def test_what_changed_after_sealing_is_found_in_its_new_form_only() -> None:
    postings = Postings()
    postings.add_block(pack_block([entry(1, "old words"), entry(2, "other words"), entry(3, "gone")]), stale=[1, 3])
    postings.put_many([entry(1, "new words")])
    assert set(found(postings, ["old"])) == set()
    assert set(found(postings, ["new"])) == {1}
    assert set(found(postings, ["gone"])) == set()
    assert set(found(postings, ["word"])) == {1, 2}


def test_filters_are_inside_the_ranking() -> None:
    postings = Postings()
    postings.put_many(
        [entry(i, "needle " * 5, "crowd") for i in range(1, 500)]
        + [
            entry(500, "needle in a haystack", "mine", "memory", "decision"),
            entry(501, "needle", "mine", "solution", ""),
        ]
    )

    def records(*filters: object) -> set[int]:
        mask = postings.mask(*filters)  # type: ignore[arg-type]
        scores = postings.bm25(postings.read([tokens.term("needl")]), mask)
        return {int(postings.records.values[i]) for i in np.flatnonzero(scores)}

    assert records(None, None, {"mine"}) == {500, 501}
    assert records(("memory",), "decision", {"mine"}) == {500}
    assert records(("solution",), None, None) == {501}
    assert records(("memory",), None, set()) == set()


def test_a_common_word_still_ranks_among_what_rarer_words_found() -> None:
    random_ = random.Random(3)
    texts = {i: "common " + " ".join(random_.choices(WORDS, k=8)) for i in range(1, 20_001)}
    texts[777] = "common common common common rareword"
    texts[778] = "rareword " + " ".join(WORDS[:4])
    postings = Postings()
    postings.put_many([entry(i, text) for i, text in texts.items()])
    scores = found(postings, ["rareword", "common"])
    assert set(scores) == {777, 778}
    assert scores[777] > scores[778]


def test_an_empty_index_finds_nothing() -> None:
    postings = Postings()
    assert found(postings, ["anything"]) == {}
    postings.put_many([])
    postings.add_block(pack_block([]))
    assert found(postings, ["anything"]) == {}
    assert postings.count == 0
