"""The inverted index, held against the same index built at once, and against BM25 written out."""

import math
import random

import numpy as np
import pytest

from indelible.search import tokens
from indelible.search.index.entries import WEIGHT_STEP, Entry, pack_weights, unpack_terms
from indelible.search.index.postings import BLOCK, K1, B, Bm25, Postings, merge, pack_block
from indelible.search.index.slots import best_of

WORDS = [f"w{chr(97 + i % 26)}{chr(97 + i // 26)}" for i in range(200)]


def entry(record: int, text: str, namespace: str = "a", kind: str = "memory", type_: str = "context") -> Entry:
    counts = tokens.terms(text)
    return Entry(record, namespace, kind, type_, sum(counts.values()), tokens.pack(counts))


def found(postings: Postings, words: list[str]) -> dict[int, float]:
    terms = [tokens.term(word) for word in words]
    scores = Bm25(postings, postings.read(terms), postings.mask(None, None, None)).of_best(0)
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


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(4))
@pytest.mark.sweep(1)
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
        scores = Bm25(postings, postings.read([tokens.term("needl")]), mask).of_best(0)
        return {int(postings.records.values[i]) for i in np.flatnonzero(scores)}

    assert records(None, None, {"mine"}) == {500, 501}
    assert records(("memory",), "decision", {"mine"}) == {500}
    assert records(("solution",), None, None) == {501}
    assert records(("memory",), None, set()) == set()


@pytest.mark.slow
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


@pytest.mark.parametrize("count", [0, 1, 7, 500, 40_000])
def test_the_best_slots_are_those_of_the_highest_positive_scores(count: int) -> None:
    pick = np.random.default_rng(1)
    scores = np.round(pick.standard_normal(50_000) * 20).astype(np.float32)  # rounded: many ties
    order = np.lexsort((np.arange(len(scores)), -scores))
    expected = np.sort(order[scores[order] > 0][:count])
    assert best_of(scores, count).tolist() == expected.tolist()
    assert best_of(np.zeros(9, np.float32), count).tolist() == []


# --- The space of the sparse model: weights instead of counts ---


def weighted(record: int, weights: dict[int, float], namespace: str = "a") -> Entry:
    terms = np.array(list(weights), np.uint32)
    packed = pack_weights(terms, np.array(list(weights.values()), np.float32))
    return Entry(record, namespace, "memory", "context", len(packed) // 5, packed)


def rounded(weight: float) -> float:
    return min(255, max(1, round(weight / WEIGHT_STEP))) * WEIGHT_STEP


@pytest.mark.parametrize("seed", range(3))
def test_dot_products_are_those_written_out_through_blocks_changes_and_merges(seed: int) -> None:
    random_ = random.Random(seed)
    known: dict[int, tuple[str, dict[int, float]]] = {}

    def change(size: int) -> list[Entry]:
        changed = sorted({random_.randrange(1, 1500) for _ in range(size)})
        for i in changed:
            own = {random_.randrange(40) ** 2: random_.uniform(0.001, 3.5) for _ in range(random_.randint(0, 12))}
            known[i] = (random_.choice("ab"), own)
        return [weighted(i, known[i][1], known[i][0]) for i in changed]

    postings = Postings()
    sealed = change(600)
    news = change(50)
    postings.add_block(pack_block(sealed), stale=[e.record for e in news])
    postings.put_many(news)
    for _ in range(60):
        postings.put_many(change(random_.choice([1, 5, 70, 150])))
        gone = random_.choice(sorted(known))
        del known[gone]
        postings.remove(gone)
        if random_.random() < 0.2 and (pair := postings.to_merge()) is not None:
            postings.merged(pair, merge(*pair))
        if random_.random() < 0.3:
            postings.flush_tail(random_.choice([0, 4]))
    for namespaces in (None, {"a"}, {"nobody's"}):
        query = {random_.randrange(40) ** 2: random_.uniform(0.1, 2.5) for _ in range(8)}
        terms, mask = postings.read(query), postings.mask(None, None, namespaces)
        scores = postings.dot(terms, list(query.values()), mask)
        expected = {
            record: value
            for record, (namespace, own) in known.items()
            if (namespaces is None or namespace in namespaces)
            and (value := sum(weight * rounded(own[t]) for t, weight in query.items() if t in own))
        }
        assert {int(postings.records.values[i]): float(scores[i]) for i in np.flatnonzero(scores)} == pytest.approx(
            expected, rel=1e-5
        )


def test_weights_are_kept_to_half_a_step_and_none_is_lost() -> None:
    terms = np.array([900, 5, 70, 8, 3], np.uint32)
    weights = np.array([1.0, 0.0001, 99.0, 0.0, -2.0], np.float32)
    body = pack_weights(terms, weights)
    numbers, steps = unpack_terms(body)
    assert numbers.tolist() == [5, 70, 900]
    assert steps.tolist() == [1, 255, 64]
    assert len(body) == 15
    assert pack_weights(terms[:0], weights[:0]) == b""


@pytest.mark.parametrize("weights", [[1.0, np.nan], [np.inf, 1.0], [1.0, -np.inf]])
def test_a_weight_that_is_no_number_is_refused(weights: list[float]) -> None:
    with pytest.raises(ValueError, match="NaN"):
        pack_weights(np.array([1, 2], np.uint32), np.array(weights, np.float32))


def test_a_term_that_stands_twice_is_refused() -> None:
    with pytest.raises(ValueError, match="twice"):
        pack_weights(np.array([2, 1, 2], np.uint32), np.ones(3, np.float32))


def test_an_empty_query_and_an_empty_index_have_no_dot_product() -> None:
    postings = Postings()
    mask = postings.mask(None, None, None)
    assert postings.dot([], [], mask).tolist() == []
    postings.put_many([weighted(1, {4: 1.0}), weighted(2, {})])
    mask = postings.mask(None, None, None)
    assert postings.dot([], [], mask).tolist() == [0, 0]
    assert postings.dot(postings.read([9, 4]), [1.0, 2.0], mask).tolist() == [2, 0]


# --- What was read of a term ---


@pytest.mark.parametrize("seed", range(3))
def test_a_term_is_looked_up_at_any_slots_in_any_order(seed: int) -> None:
    random_ = random.Random(seed)
    postings = Postings()
    texts = {i: " ".join(random_.choices(WORDS[:30], k=random_.randint(1, 12))) for i in range(1, 900)}
    entries = [entry(i, text) for i, text in texts.items()]
    postings.add_block(pack_block(entries[:300]))
    postings.put_many(entries[300:600])
    for one in entries[600:]:
        postings.put_many([one])
    slots = random_.sample(range(len(entries)), 200)
    words = {i: list(tokens.words(texts[i + 1])) for i in slots}
    for word in [*WORDS[:30], "nowhere"]:
        stem = next(tokens.words(word))
        (term,) = postings.read([tokens.term(stem)])
        found, counts = term.at(np.array(slots))
        assert found.tolist() == [stem in words[i] for i in slots]
        assert counts.tolist() == [words[i].count(stem) for i in slots if stem in words[i]]
        assert term.slots.tolist() == [i for i in range(len(entries)) if stem in tokens.words(texts[i + 1])]
        assert term.frequency == len(term.slots)


@pytest.mark.slow
def test_a_term_is_not_found_in_slots_far_behind_its_last_one() -> None:
    postings = Postings()
    for first in (1, BLOCK + 1, 2 * BLOCK + 1):
        word = "rare" if first == 1 else "filler"
        postings.add_block(pack_block([entry(first + i, word) for i in range(BLOCK - 1)]))
    (term,) = postings.read([tokens.term("rare")])
    found, _ = term.at(np.array([5, BLOCK - 2, BLOCK - 1, BLOCK + 5, 2 * BLOCK + 5]))
    assert found.tolist() == [True, True, False, False, False]


@pytest.mark.slow
def test_the_words_of_many_segments_keep_their_scores_of_bm25() -> None:
    random_ = random.Random(4)
    texts = {i: " ".join(random_.choices(WORDS, k=random_.randint(3, 30))) for i in range(1, 1200)}
    entries = [entry(i, text) for i, text in texts.items()]
    postings = Postings()
    postings.add_block(pack_block(entries[:400]))
    for at in range(400, 1100, 100):
        postings.put_many(entries[at : at + 100])
    for one in entries[1100:]:
        postings.put_many([one])
    assert postings.count == len(entries)
    for _ in range(10):
        words = random_.sample(WORDS, 4)
        assert found(postings, words) == pytest.approx(written_out(texts, words), rel=1e-4)


def test_a_tail_becomes_a_segment_where_it_is_as_long_as_is_asked() -> None:
    postings = Postings()
    postings.put_many([entry(1, "red green"), entry(2, "green")])
    before = found(postings, ["green"])
    postings.flush_tail(3)
    postings.put_many([entry(3, "blue")])
    assert postings.to_merge() is None
    postings.flush_tail(3)
    postings.put_many([entry(4, "blue green")])
    postings.flush_tail()
    assert postings.to_merge() is not None
    postings.remove(3)
    postings.remove(4)
    assert found(postings, ["green"]).keys() == before.keys() == {1, 2}


def test_removed_records_no_longer_count_for_the_average_length() -> None:
    kept = [entry(i, "needle " + "hay " * i) for i in range(1, 90)]
    long_ones = [entry(i, "straw " * 500) for i in range(90, 180)]
    without, removed = Postings(), Postings()
    without.put_many(kept)
    removed.add_block(pack_block([*kept, *long_ones]), stale=[e.record for e in long_ones[:45]])
    for one in long_ones[45:]:
        removed.remove(one.record)
        removed.remove(one.record)
    assert found(removed, ["needl", "hay"]) == found(without, ["needl", "hay"])
