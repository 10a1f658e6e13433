"""The names of symbols, each once, and the search for those that contain a part, closest first, reading little.

A name belongs to no project: the symbols with that name do (`symbols.search_names`).
"""

import itertools
import re
from collections.abc import Iterator
from typing import NamedTuple

from indelible.store.database import Transaction
from indelible.store.tables import records

EVERYTHING = 1 << 31  # more than there is of anything
_GRAM = 3  # characters of a term in the index of parts
_GRAMS = 2  # of a part that are looked up; each costs, and few names have the two rarest in common and not the rest
_LETTERS = "ets_rainolcdpmugfhybvkwxqzj"  # the most frequent first, in 100,000 names of symbols of eight languages
_SHORT = 5  # characters of a part whose spellings, in capitals and small letters, are looked up one by one
_SPELLINGS = 16  # at most
_FEW = 256  # names that are asked for at first
_PAGES = 256  # of the index of parts that are written in one go
_MORE = 16  # times as many are asked for where these did not do

Closeness = tuple[bool, bool, int]


class _Way(NamedTuple):
    """A statement that finds names: its parameters, and the limits that it is run with, one after the other.

    Where there are more names it gives the closest, or, if it is not `sorted`, any. `beginnings`: only names that begin
    with the part.
    """

    query: str
    given: dict[str, str]
    most: tuple[int, ...]
    sorted: bool = True
    beginnings: bool = False


def closeness(name: str, part: str) -> Closeness:
    """Return how close a name is to a part, smaller is closer: the very name, one that begins so, a shorter one.

    The part is given as `str.casefold` has it.
    """
    folded = name.casefold()
    return folded != part, not folded.startswith(part), len(name)


def closest(tx: Transaction, part: str, wanted: int) -> Iterator[list[tuple[int, int]]]:
    """Yield (id, rank) of all names that contain a part, the closest first, in batches, towards `wanted` symbols.

    Equally close names have the same rank and are in the same batch. The cost of a batch does not depend on the names
    after it, as far as an index can tell which those are.
    """
    folded = part.casefold()
    given: set[int] = set()
    for way in _ways(part, max(_FEW, 4 * wanted)):
        cut = True
        for most in way.most:
            rows = tx.rows(way.query, limit=most, **way.given)
            names = sorted((closeness(str(n), folded), int(id_)) for id_, n in rows if folded in str(n).casefold())
            cut = len(rows) == most
            if cut:  # more may be as close as the last of these
                names = [each for each in names if way.sorted and each[0] < names[-1][0]]
            yield from _batches([each for each in names if each[1] not in given], max(1, wanted))
            given.update(id_ for _, id_ in names)
            if not cut:
                break
        if not (cut or way.beginnings):
            return


def _ways(part: str, few: int) -> Iterator[_Way]:
    """Yield statements that find names with a part; each finds what those before do not, and costs more.

    The statements fold the case of ASCII only: for other letters all names are read that may match.
    """
    if part.isascii() and len(part) <= _SHORT:
        spellings = ["".join(each) for each in itertools.product(*(sorted({c.lower(), c.upper()}) for c in part))]
        if len(spellings) <= _SPELLINGS:
            yield _Way(
                "symbols.names_beginning", {"starts": records.dump(spellings)}, (few, _MORE * few), beginnings=True
            )
    run = max(re.split(r"[^\x20-\x7e]+", part), key=len)
    if len(run) >= _GRAM:
        given = {"grams": _grams(run), "part": run.lower()}
        yield _Way("symbols.names_like", given, (few,) if run == part else (EVERYTHING,), sorted=False)
        yield _Way("symbols.closest_like", given, (_MORE * few, EVERYTHING))
    elif part.isascii():
        yield _Way("symbols.closest_with", {"part": part.lower()}, (_MORE * few, EVERYTHING))
    else:
        yield _Way("symbols.names", {}, (EVERYTHING,))


def _grams(run: str) -> str:
    """Return the trigrams of a text that are likely in the fewest names, not overlapping, as an FTS5 query for all.

    A look-up costs the number of names with a trigram: rare letters take half the time.
    """

    def rarity(at: int) -> int:
        places = (_LETTERS.find(letter) for letter in run[at : at + _GRAM].lower())
        return sum(place if place >= 0 else len(_LETTERS) for place in places)

    chosen: list[int] = []
    for at in sorted(range(len(run) - _GRAM + 1), key=rarity, reverse=True):
        if all(abs(at - other) >= _GRAM for other in chosen):
            chosen.append(at)
        if len(chosen) == _GRAMS:
            break
    quoted = (run[at : at + _GRAM].replace('"', '""') for at in chosen)
    return " AND ".join(f'"{each}"' for each in quoted)


def _batches(names: list[tuple[Closeness, int]], size: int) -> Iterator[list[tuple[int, int]]]:
    """The ids with their ranks, each batch twice as large as the one before."""
    batch: list[tuple[int, int]] = []
    rank = 0
    for place, (close, id_) in enumerate(names):
        if place and close != names[place - 1][0]:
            rank += 1
            if len(batch) >= size:
                yield batch
                batch, size = [], 2 * size
        batch.append((id_, rank))
    if batch:
        yield batch


def pieces(tx: Transaction) -> int:
    """Return the number of segments of the index of name parts; every look-up reads each of them."""
    return int(tx.rows("symbols.gram_pieces")[0][0])


def merge(tx: Transaction) -> None:
    """Merge segments for some 20 ms. `pieces` tells whether more remain."""
    tx.run("symbols.merge_grams", pages=_PAGES)
