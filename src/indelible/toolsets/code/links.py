"""Links from stored texts to the symbols and files that they name.

Linking runs in the background: a server between its calls, or a run of the index at its end, follows the log of changes
for new texts and symbols from the position stored in the store's settings. The position advances in the transaction
that writes the links, so that after a crash another process continues and misses nothing.
"""

import json
from collections.abc import Callable, Iterable, Sequence
from typing import NamedTuple

from indelible.core.context import codebases
from indelible.core.context.context import Context
from indelible.core.recall.code_mentions import Lookup, Target, fits
from indelible.search import code_mentions, tokens
from indelible.search.code_mentions import Mentions
from indelible.store.database import Transaction
from indelible.store.namespace_filter import whole
from indelible.store.tables import changes, records, repositories, settings
from indelible.store.tables.repositories import Repository
from indelible.store.tables.symbols import tail_of
from indelible.store.views import code_links
from indelible.store.views.code_links import CODE, KINDS, MENTION, NAME, ORIGIN, STALE, Changed, Link

# Imported late (start): indelible.search.containing

MOST = 20  # links that a text makes, the surest
TOGETHER = 25  # texts that are looked at between two breaths
AT_ONCE = 100  # texts between two notes of how far that is, where all are looked at
WINDOW = 5_000  # entries of the log that are read at a time
MANY = 200  # new symbols, or
MANY_TEXTS = 500  # texts that have their names, beyond which every text is looked at: that can be left and resumed
WORTH_A_WRITE = 1_000  # entries of the log that it moves over
SETTING = "code links"  # where they are: see `_Place`

Mentioned = Sequence[tuple[int, str, Mentions]]  # row id, namespace, what the text names


class _Place(NamedTuple):
    """The position in the log of changes, and a counter of the writes of links.

    If `until` is not 0, all texts are being examined, those up to the row id `passed` already; then the log is followed
    from `until`. If `writes` changed since the position was read, another process was faster and the work is repeated.
    """

    position: int
    writes: int = 0
    until: int = 0
    passed: int = 0


class _Work(NamedTuple):
    """Texts to examine, and the position afterwards."""

    place: _Place
    ids: list[int]
    then: _Place


def _never() -> bool:
    return False


def _at_once() -> None:
    """Do nothing between batches: no other caller waits."""


def catch_up(ctx: Context, stop: Callable[[], bool] = _never, pause: Callable[[], None] = _at_once) -> int:
    """Link the texts and symbols stored or changed since the last time; return how many texts were examined.

    `stop` is asked and `pause` called between two batches. Does nothing if no code is indexed, or while a run of the
    index is under way, which links at its end.
    """
    done = 0
    while not stop():
        with ctx.store.read() as tx:
            if not code_links.any_repository(whole(tx)) or _is_indexing(ctx, tx):
                return done
        looked_at = _some(ctx, pause)
        if looked_at is None:
            return done
        done += looked_at
    return done


def after_index(
    ctx: Context,
    changed: Iterable[int] = (),
    removed: Iterable[int] = (),
    forgotten: Iterable[str] = (),
    pause: Callable[[], None] = _at_once,
) -> int:
    """Link after a run of the index; return how many texts were examined.

    `changed` are the records of symbols and files that came back or were renamed, `removed` those that left the source
    and whose records are kept (the log has all others), `forgotten` the names of deleted symbols and paths of deleted
    files: a name that was ambiguous may now be unique. Safe to repeat and to interrupt.
    """
    done = 0
    while (looked_at := _some(ctx, pause)) is not None:
        done += looked_at
    with ctx.store.read() as tx:
        ids = set(code_links.explaining(whole(tx), {*changed, *removed}))
        ids.update(code_links.explaining_deleted(whole(tx)))
    ids.update(_naming(ctx, set(forgotten)))
    while True:
        with ctx.store.read() as tx:
            place = _place(whole(tx)) or _Place(0)
        if _relink(ctx, _Work(place, sorted(ids), place), pause):
            return done + len(ids)


def _is_indexing(ctx: Context, tx: Transaction) -> bool:
    return code_links.is_indexing(whole(tx), ctx.now())


# --- What is to be looked at ---


def _some(ctx: Context, pause: Callable[[], None]) -> int | None:
    """Do the next piece of work; return how many texts it had, None if there is no work."""
    work = _next(ctx)
    if work is None:
        return None
    return len(work.ids) if _relink(ctx, work, pause) else 0


def _next(ctx: Context) -> _Work | None:
    with ctx.store.read() as limited:
        tx = whole(limited)
        place, now = _place(tx), changes.moment(tx)
        last = now.last
        if place is not None and place.until:
            some = code_links.after(tx, _with_code(ctx, tx), place.passed, AT_ONCE)
            then = place._replace(passed=some[-1]) if some else _Place(place.until, place.writes)
            return _Work(place, some, then)
        if place is None or not now.reaches_back_to(place.position):  # it was cut before we read it
            return _all_texts(place or _Place(0), last)
        upto, changed = _changed(ctx, tx, place.position, last)
        code = [each.record for each in changed if each.kind in CODE]
        if len(code) > MANY:
            return _all_texts(place, last)
        ids = {each.record for each in changed if each.kind in KINDS and each.namespace}
        names = code_links.names_of(tx, code) if code else set()
        ids.update(code_links.explaining(tx, code) if code else ())
    ids.update(_naming(ctx, names))
    if len(ids) > MANY_TEXTS:
        return _all_texts(place, last)
    if not ids and upto == last and upto - place.position < WORTH_A_WRITE:
        return None
    return _Work(place, sorted(ids), place._replace(position=upto))


def _changed(ctx: Context, tx: Transaction, position: int, last: int) -> tuple[int, list[Changed]]:
    """Return the changes after a position of the log, and the position up to which they go, limited in number."""
    for window in (WINDOW, MANY_TEXTS):
        upto = min(last, position + window)
        changed = code_links.changed(tx, position, upto) if upto > position else []
        if sum(each.kind in KINDS for each in changed) <= MANY_TEXTS:
            break
    return upto, changed


def _all_texts(place: _Place, last: int) -> _Work:
    return _Work(place, [], place._replace(until=max(1, last), passed=0))


def _naming(ctx: Context, names: set[str]) -> set[int]:
    """Return the texts that may contain one of the names, since they have its words."""
    if not names:
        return set()
    from indelible.search import containing

    found: set[int] = set()
    for words in filter(None, map(_rarest_words, sorted(names))):
        with (
            ctx.store.read() as limited,
            ctx.indexes.records.current(whole(limited)) as caches,
        ):  # others search in between
            found.update(containing.of_kinds(caches.words, KINDS, words))
    return found


def _rarest_words(name: str) -> list[str]:
    """Return the words that a text naming a symbol or file must have: whole identifiers, not their parts."""
    last = name.rpartition("/")[2]
    if "/" not in name and not last.replace(".", "").replace("$", "_").isidentifier():
        return []  # the title of a test, an operator: nobody names these
    return [words[-1] for part in last.split(".") if (words := list(tokens.words(part)))]


# --- Looking at texts ---


def _relink(ctx: Context, work: _Work, pause: Callable[[], None]) -> bool:
    """Link some texts and advance the position; return False if another process was faster."""
    place = work.place
    for at in range(0, max(1, len(work.ids)), TOGETHER):
        is_last = at + TOGETHER >= len(work.ids)
        after = _linked(ctx, work.ids[at : at + TOGETHER], place, work.then if is_last else place)
        if after is None:
            return False
        place = after
        pause()
    return True


def _linked(ctx: Context, ids: Sequence[int], place: _Place, then: _Place) -> _Place | None:
    """Link some texts and return the new position; None, and nothing written, if links were written since `place`."""
    with ctx.store.read() as limited:
        tx = whole(limited)
        if (_place(tx) or _Place(0)) != place:
            return None
        mentioned = _mentioned(ctx, tx, ids) if ids else []
        differences = _differences(ctx, tx, mentioned) if mentioned else []
    after = then._replace(writes=place.writes)
    if not differences and after == place:
        return place
    after = after._replace(writes=place.writes + 1)

    def work(limited: Transaction) -> _Place | None:
        tx = whole(limited)
        if (_place(tx) or _Place(0)) != place:
            return None
        _write(ctx, tx, differences)
        settings.put(tx, SETTING, json.dumps(after))
        return after

    return ctx.store.write(work)


def _write(ctx: Context, tx: Transaction, differences: Sequence["_Difference"]) -> None:
    ends = {end for each in differences for end in (each.source, each.target)}
    there = records.keys_of(tx, ends) if ends else {}
    for each in differences:
        if each.source in there and each.target in there:
            each.write(ctx, tx)


def _place(tx: Transaction) -> _Place | None:
    """Return the position in the log; None in a store that never had links."""
    found = settings.find(tx, SETTING)
    return None if found is None else _Place(*json.loads(found))


def _mentioned(ctx: Context, tx: Transaction, ids: Sequence[int]) -> Mentioned:
    texts = code_links.texts(tx, ids)
    return [(record, namespace, code_mentions.mentions(text)) for record, namespace, text in texts]


# --- Which links differ from what texts say ---


class _Difference(NamedTuple):
    """A link to add (`link` None), to remove (`sureness` 0) or to change."""

    source: int
    target: int
    sureness: float
    mention: str
    stale: bool
    link: Link | None

    def write(self, ctx: Context, tx: Transaction) -> None:
        """Write the difference."""
        if self.link is None:
            code_links.add(tx, self.source, self.target, self.sureness, self.mention, ctx.now())
        elif self.sureness == 0:
            code_links.remove(tx, self.link)
        else:
            metadata = {ORIGIN: MENTION, NAME: self.mention, **({STALE: True} if self.stale else {})}
            code_links.change(tx, self.link, self.sureness, metadata)


def _differences(ctx: Context, tx: Transaction, mentioned: Mentioned) -> list[_Difference]:
    """Return the changes of links that are needed so that each text is linked to the code that it names."""
    links: dict[int, list[Link]] = {}
    for link in code_links.of_sources(tx, [record for record, _, _ in mentioned]):
        links.setdefault(link.source, []).append(link)
    projects = _by_project(ctx, tx, {namespace for _, namespace, _ in mentioned})
    found: list[_Difference] = []
    for project, indexed in projects.items():
        own = [(record, mentions) for record, namespace, mentions in mentioned if namespace in project]
        lookup = Lookup(tx, indexed, (mentions for _, mentions in own))
        for record, mentions in own:
            found += _of_text(record, mentions, lookup.targets(mentions), links.get(record, []))
    return found


def _with_code(ctx: Context, tx: Transaction) -> set[str]:
    """The namespaces of the projects whose code is indexed."""
    known = ctx.scope(tx).aliases
    indexed = {known.canonical(each.namespace) for each in repositories.everything(tx)}
    return {name for name in records.namespaces(tx) if name and known.canonical(name) in indexed}


def _by_project(ctx: Context, tx: Transaction, namespaces: set[str]) -> dict[frozenset[str], list[Repository]]:
    """Return the codebases of each project, by those of the namespaces that belong to it."""
    known = ctx.scope(tx).aliases
    projects: dict[str, set[str]] = {}
    for namespace in namespaces:
        projects.setdefault(known.canonical(namespace), set()).add(namespace)
    return {frozenset(names): codebases.of_project(ctx, tx, project) for project, names in sorted(projects.items())}


def _of_text(source: int, mentions: Mentions, targets: Sequence[Target], links: Sequence[Link]) -> list[_Difference]:
    """Return the differences of one text; links made by callers are left as they are."""
    by_hand = {link.target for link in links if not link.by_mention}
    wanted = {each.record: each for each in targets[:MOST] if each.record not in by_hand}
    named = {each.text for each in targets}
    paths, every_name = {path.text for path in mentions.paths}, _every_name(mentions)
    found = []
    for link in (link for link in links if link.by_mention):
        target = wanted.pop(link.target, None)
        mention = link.metadata.get(NAME)
        if target is not None:
            after = target.sureness, target.text, False
        elif mention in every_name and _is_kept(link, str(mention), mention in named, mention in paths):
            after = link.weight, str(mention), link.gone
        else:
            after = 0.0, "", False
        if after != (link.weight, mention, STALE in link.metadata):
            found.append(_Difference(source, link.target, *after, link))
    found += [_Difference(source, each.record, each.sureness, each.text, False, None) for each in wanted.values()]
    return found


def _is_kept(link: Link, mention: str, is_something: bool, is_path: bool) -> bool:
    """Return whether a link is kept whose name no longer resolves to its target, though the text still has the name.

    It is kept if the target was removed and nothing else has the name, and if the target was moved or renamed.
    """
    if link.gone:
        return not is_something
    if link.path:  # what only some symbols of the file are called is not its name
        return is_path and not fits(mention.split("/"), link.path)
    return bool(link.tail) and not link.tail.startswith(tail_of(mention))


def _every_name(mentions: Mentions) -> set[str]:
    names = {name.text for name in mentions.names}
    names.update(part for name in mentions.names for part in code_mentions.parts_of_type(name.segments))
    return names | {path.text for path in mentions.paths}
