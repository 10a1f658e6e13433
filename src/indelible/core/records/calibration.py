"""How a chosen model's cosines are read: by those of random pairs of the store's own texts, see `null_cosines`.

Measured in the background, and again when the store has doubled. Kept in the setting of the chosen models, which each
recall reads, so that all processes rank alike.
"""

from dataclasses import replace

from indelible.core.context.context import Context
from indelible.core.indexes import model_choice
from indelible.core.indexes.model_choice import Null
from indelible.embed.base import MODEL
from indelible.store.database import Transaction
from indelible.store.tables import embeddings, records

# Imported late (start, cli): indelible.search.index.null_cosines


def measured(tx: Transaction, name: str) -> Null | None:
    """Return the null pairs of a model's vectors, by its name in the store; None where too few are there to tell."""
    from indelible.search.index import null_cosines

    model, size = embeddings.model(tx, name), records.last_id(tx)
    if model is None or size < null_cosines.FEWEST:
        return None
    found = null_cosines.measured(embeddings.vectors(tx, model.number, null_cosines.drawn(size)))
    return None if found is None else Null(size, found.mean, found.deviation)


class Calibration:
    """Keeps the null pairs of the model that a process searches by up to date; used by one thread."""

    def __init__(self) -> None:
        self._looked_at: tuple[str, int] | None = None

    def renew(self, ctx: Context) -> bool:
        """Measure the model of this process where the store has doubled since; return whether that was done.

        The built-in model needs none. Does nothing where nothing was stored since it last looked.
        """
        name = ctx.embedder.model
        if name is None or name == MODEL:
            return False
        with ctx.store.read() as tx:
            known, size = model_choice.read(tx).nulls.get(name), records.last_id(tx)
            if self._looked_at == (name, size) or (known is not None and size < 2 * known.size):
                return False
            self._looked_at = name, size
            found = measured(tx, name)
        if found is None:
            return False

        def work(tx: Transaction) -> None:
            choice = model_choice.read(tx)
            model_choice.put(tx, replace(choice, nulls={**choice.nulls, name: found}))

        ctx.store.write(work)
        return True
