"""A boost for answers linked to the files in use: files that the query names, or that agents work on.

A boost and never a filter: only records with evidence of relevance are raised, and without indexed code nothing is
looked up. A server does not know which agent's session asks: every read and edit in its project counts.
"""

from collections.abc import Sequence
from typing import TYPE_CHECKING

from indelible.core.context import codebases
from indelible.core.context.context import Context
from indelible.store.database import Transaction
from indelible.store.tables import repositories
from indelible.store.views import code_links

if TYPE_CHECKING:
    from indelible.search.code_mentions import Mentions
    from indelible.search.relevance import Relevances

# Imported late (start, cli): indelible.search.relevance, indelible.search.scoring
# Imported late (cli): indelible.core.recall.code_mentions, indelible.search.code_mentions

WINDOW = 20 * 60 * 1_000_000  # microseconds in which a file that was read or edited is in use
MOST = 20  # files in use, the last ones
LONGEST_ASKED = 2_000  # characters of a query in which names are looked for
WORKED_ON = 0.5  # of what something lends that the query names itself


def raised(
    ctx: Context, tx: Transaction, text: str, namespace: str | None, answers: "Relevances"
) -> "tuple[Relevances, dict[int, int]]":
    """Return those of the answers that are linked to files in use, with their raised relevance.

    The second value is the file or symbol that lends most to each, by row ids. The boost is a part of their own
    relevance, as large as a relation of the same weight lends of a hit's.
    """
    from indelible.search.relevance import Relevances

    if not len(answers) or not code_links.any_repository(tx):
        return Relevances.of({}), {}
    from indelible.search import code_mentions  # expressions that most processes do not need

    project = ctx.scope(tx).own if namespace is None else namespace
    asked = code_mentions.mentions(text[:LONGEST_ASKED])
    paths = code_links.subjects(tx, [project], ctx.now() - WINDOW, MOST) if project else []
    hand = _in_hand(ctx, tx, project, asked, paths) if asked or paths else {}
    if not hand:
        return Relevances.of({}), {}
    from indelible.search.scoring import LENT

    shares: dict[int, tuple[float, int]] = {}
    for source, target, file, weight in code_links.about(tx, answers.ids.tolist(), hand, hand):
        by = max(target, file, key=lambda code: hand.get(code, 0.0))
        share = LENT * min(1.0, weight) * hand.get(by, 0.0)
        shares[source] = max((share, by), shares.get(source, (0.0, 0)))
    own = answers.by_id()
    more = {record: own[record].with_more(own[record].part(share)) for record, (share, _) in shares.items()}
    return Relevances.of(more), {record: by for record, (_, by) in shares.items()}


def _in_hand(ctx: Context, tx: Transaction, project: str, asked: "Mentions", paths: Sequence[str]) -> dict[int, float]:
    """Return the files and symbols in use by row id, and the factor that a relation to each counts with."""
    from indelible.core.recall.code_mentions import Lookup
    from indelible.search import code_mentions
    from indelible.search.code_mentions import Mentions

    worked_on = [Mentions((path,), ()) for each in paths if (path := code_mentions.path(each)) is not None]
    indexed = codebases.of_project(ctx, tx, project) if project else repositories.everything(tx)
    lookup = Lookup(tx, indexed, [asked, *worked_on])
    found = {target.record: WORKED_ON for each in worked_on for target in lookup.targets(each)}
    found.update((target.record, 1.0) for target in lookup.targets(asked))
    return found
