"""The choice of models for a store, by its owner: a dense model, and a cross-encoder that orders the best hits anew."""

from indelible.core.context.context import Context
from indelible.core.indexes import embedder, model_choice
from indelible.core.indexes.model_choice import DEFAULT, Named
from indelible.core.records import model_change
from indelible.dataclass import dataclass
from indelible.embed import installed_encoder
from indelible.embed.base import model_of
from indelible.embed.models import installed
from indelible.embed.shared import SharedEncoder
from indelible.errors import Conflict, InvalidInput

LOADING = 300.0  # seconds for a large model on a slow disk


@dataclass(frozen=True, slots=True)
class Used:
    """The model of a store after it was chosen: `searched` for now; `left` records are to be embedded by the chosen."""

    searched: str
    left: int


def use(ctx: Context, name: str) -> Used:
    """Choose an installed model, or the built-in ones, for a store: once it has embedded all, recall searches by it.

    Raises NotFound and InvalidInput for what cannot be chosen or does not load, Conflict where the settings of this
    process name another model or none.
    """
    if not ctx.embedder.follows_the_store:
        raise Conflict(
            "INDELIBLE_ENCODER or INDELIBLE_ENCODER_MODEL says which model this process uses, whatever the store has "
            "chosen: unset it to choose one for the store"
        )
    named = DEFAULT
    if name != DEFAULT.name:
        named = Named(name, model_of(installed_encoder.find(ctx.settings.data, name)))
    with ctx.store.read() as tx:
        searched = model_choice.read(tx).searched
    if named != searched:
        trial = embedder.of_model(ctx.settings, named)
        try:
            if not trial.is_loaded(LOADING):
                raise InvalidInput(f"{name} cannot be used: {trial.state}")
        finally:
            trial.close()
    choice = model_change.choose(ctx, named)
    return Used(choice.searched.name, model_change.left_to_embed(ctx))


def is_reranker(ctx: Context, name: str) -> bool:
    """Whether a name is that of an installed cross-encoder."""
    if name == DEFAULT.name:
        return False
    return installed.find(ctx.settings.data, name).description.kind == "cross-encoder"


def use_reranker(ctx: Context, name: str | None) -> None:
    """Choose an installed cross-encoder for a store, None for none: its recalls are ordered by it from now on.

    Raises as `use` does; Conflict where the settings of this process turn models off.
    """
    if name is None:
        model_change.choose_reranker(ctx, None)
        return
    if ctx.settings.encoder == "off":
        raise Conflict("INDELIBLE_ENCODER is off: no model runs; unset it to choose one for the store")
    chosen = installed_encoder.find_reranker(ctx.settings.data, name)
    trial = SharedEncoder(chosen=chosen)
    try:
        if not embedder.Embedder(trial).is_loaded(LOADING):
            raise InvalidInput(f"{name} cannot be used: {trial.state}")
    finally:
        trial.close()
    model_change.choose_reranker(ctx, Named(name, chosen.identity))


def uses(ctx: Context) -> dict[str, str]:
    """Return what the store uses each model for, by its name: to search, to change to, or to order hits."""
    with ctx.store.read() as tx:
        choice = model_choice.read(tx)
    found = ((choice.searched, "searched"), (choice.wanted, "taking over"), (choice.reranker, "reranker"))
    return {named.name: use for named, use in found if named is not None}
