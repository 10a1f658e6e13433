"""Long texts in windows of tokens, and windows in batches: what is the same for every model."""

from array import array
from collections.abc import Iterator, Sequence


def windows(tokens: "array[int]", content: int, overlap: int) -> "list[array[int]]":
    """Parts of at most `content` tokens that share `overlap` with the next: as few as cover all, and equally long.

    Equally long, since a short rest would stand for little of the text and weigh as much as the others.
    """
    if len(tokens) <= content:
        return [tokens]
    count = -(-(len(tokens) - overlap) // (content - overlap))
    length = -(-(len(tokens) + (count - 1) * overlap) // count)
    return [tokens[start : start + length] for start in range(0, len(tokens) - overlap, length - overlap)]


def batches(lengths: Sequence[int], limit: int) -> Iterator[list[int]]:
    """Yield the places of all lengths in batches of like length: at most `limit` with what pads the shorter.

    The shorter come first, of equals the first; a length above the limit is a batch of its own.
    """
    batch: list[int] = []
    for place in sorted(range(len(lengths)), key=lengths.__getitem__):
        if batch and (len(batch) + 1) * lengths[place] > limit:
            yield batch
            batch = []
        batch.append(place)
    if batch:
        yield batch
