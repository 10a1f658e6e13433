"""Memory meets code: what is remembered is linked to the symbols and files that its text names.

Nobody waits for it. The log of changes says which texts and which symbols are new; whoever has time (a server between
its calls, a run of the index at its end) follows it from where the last one came to (a setting of the store), links
what it finds, and moves on in the transaction that writes the links: who dies is replaced, and nothing is missed.
"""

import json
from collections.abc import Callable, Iterable, Sequence
from typing import NamedTuple

from indelible.core.context import scoping
from indelible.core.context.context import Context
from indelible.core.context.scoping import aliases
from indelible.core.recall.code_mentions import Lookup, Target, fits
from indelible.search import code_mentions
from indelible.search.code_mentions import Mentions
from indelible.store.database import Transaction
from indelible.store.namespace_filter import whole
from indelible.store.tables import changes, records, repositories, settings
from indelible.store.tables.repositories import Repository
from indelible.store.tables.symbols import tail_of
from indelible.store.views import code_links
from indelible.store.views.code_links import CODE, KINDS, MENTION, NAME, ORIGIN, STALE, Changed, Link

MOST = 20  # links that a text makes, the surest
TOGETHER = 25  # texts that are looked at between two breaths
AT_ONCE = 100  # texts between two notes of how far that is, where all are looked at
WINDOW = 5_000  # entries of the log that are read at a time
MANY = 200  # new symbols, or
MANY_TEXTS = 500  # texts that have their names, beyond which every text is looked at: that can be left and resumed
WORTH_A_WRITE = 1_000  # entries of the log that it moves over
SETTING = "code links"  # where they are: see `_Place`

Said = Sequence[tuple[int, str, Mentions]]  # row id, namespace, what the text names


class _Place(NamedTuple):
    """How far the log was followed, and how often links were written.

    Where `until` is not 0, every text is looked at: those up to the row id `passed` were; then the log goes on from
    `until`. Who finds `writes` changed since it looked has to look again: another was faster.
    """

    position: int
    writes: int = 0
    until: int = 0
    passed: int = 0


class _Work(NamedTuple):
    """Texts to look at, and the place afterwards."""

    place: _Place
    ids: list[int]
    then: _Place


def _never() -> bool:
    return False


def _at_once() -> None:
    """Nobody else wants a turn."""


def catch_up(ctx: Context, stop: Callable[[], bool] = _never, pause: Callable[[], None] = _at_once) -> int:
    """Link what was stored, changed or indexed since the last time; how many texts were looked at.

    `stop` ends it between two batches, `pause` is called there. Nothing is done while a run of the index is under way,
    which does it at its end, nor where no code is indexed. One look where there is nothing to do.
    """
    done = 0
    while not stop():
        with ctx.store.read() as tx:
            if not code_links.any_repository(whole(tx), ctx.tenant) or _is_indexing(ctx, tx):
                return done
        looked_at = _some(ctx, pause)
        if looked_at is None:
            return done
        done += looked_at
    return done


def after_index(
    ctx: Context,
    changed: Iterable[int] = (),
    gone: Iterable[int] = (),
    forgotten: Iterable[str] = (),
    pause: Callable[[], None] = _at_once,
) -> int:
    """Link after a run of the index; how many texts were looked at.

    `changed` are the records of symbols and files that came back or got other names, `gone` those that are kept though
    they left the source (all others the log tells of), `forgotten` the names of symbols and paths of files that were
    deleted: of two that had a name one may be left, which it then names. Safe to repeat, and to be killed.
    """
    done = 0
    while (looked_at := _some(ctx, pause)) is not None:
        done += looked_at
    with ctx.store.read() as tx:
        ids = set(code_links.explaining(whole(tx), ctx.tenant, {*changed, *gone}))
        ids.update(code_links.explaining_gone(whole(tx), ctx.tenant))
    ids.update(_naming(ctx, set(forgotten)))
    while True:
        with ctx.store.read() as tx:
            place = _place(whole(tx), ctx.tenant) or _Place(0)
        if _relink(ctx, _Work(place, sorted(ids), place), pause):
            return done + len(ids)


def _is_indexing(ctx: Context, tx: Transaction) -> bool:
    return code_links.is_indexing(whole(tx), ctx.tenant, ctx.now())


# --- What is to be looked at ---


def _some(ctx: Context, pause: Callable[[], None]) -> int | None:
    """Do the next piece of work; how many texts that were, None where there is none."""
    work = _next(ctx)
    if work is None:
        return None
    return len(work.ids) if _relink(ctx, work, pause) else 0


def _next(ctx: Context) -> _Work | None:
    with ctx.store.read() as limited:
        tx = whole(limited)
        place, last = _place(tx, ctx.tenant), changes.last(tx, ctx.tenant)
        if place is not None and place.until:
            some = code_links.after(tx, ctx.tenant, _with_code(ctx, tx), place.passed, AT_ONCE)
            then = place._replace(passed=some[-1]) if some else _Place(place.until, place.writes)
            return _Work(place, some, then)
        if place is None or changes.oldest(tx, ctx.tenant) > place.position + 1:  # it was cut before we read it
            return _all_texts(place or _Place(0), last)
        upto, changed = _changed(ctx, tx, place.position, last)
        code = [each.record for each in changed if each.kind in CODE]
        if len(code) > MANY:
            return _all_texts(place, last)
        ids = {each.record for each in changed if each.kind in KINDS and each.namespace}
        names = code_links.names_of(tx, ctx.tenant, code) if code else set()
        ids.update(code_links.explaining(tx, ctx.tenant, code) if code else ())
    ids.update(_naming(ctx, names))
    if len(ids) > MANY_TEXTS:
        return _all_texts(place, last)
    if not ids and upto == last and upto - place.position < WORTH_A_WRITE:
        return None
    return _Work(place, sorted(ids), place._replace(position=upto))


def _changed(ctx: Context, tx: Transaction, position: int, last: int) -> tuple[int, list[Changed]]:
    """What was put after a position of the log, up to another: as much as is not too many texts at once."""
    for window in (WINDOW, MANY_TEXTS):
        upto = min(last, position + window)
        changed = code_links.changed(tx, ctx.tenant, position, upto) if upto > position else []
        if sum(each.kind in KINDS for each in changed) <= MANY_TEXTS:
            break
    return upto, changed


def _all_texts(place: _Place, last: int) -> _Work:
    return _Work(place, [], place._replace(until=max(1, last), passed=0))


def _naming(ctx: Context, names: set[str]) -> set[int]:
    """The texts of projects that may have one of the names: that have its words."""
    if not names:
        return set()
    import numpy as np

    from indelible.search import tokens

    found: set[int] = set()
    for name in sorted(names):
        wanted = [tokens.term(word) for word in _rarest_words(name)]
        if not wanted:
            continue
        with ctx.store.read() as limited, ctx.index.current(whole(limited)) as caches:  # others search in between
            words = caches.words
            terms = words.read(wanted)
            slots = min(terms, key=lambda term: term.frequency).slots
            if len(slots):
                has = np.logical_and.reduce([term.at(slots)[0] for term in terms])
                slots = slots[has & words.mask(KINDS, None, None)[slots]]
            found.update(words.records.values[slots].tolist())
    return found


def _rarest_words(name: str) -> list[str]:
    """The words that every text has that names a symbol or the file of a path: whole identifiers, not their parts."""
    from indelible.search import tokens

    last = name.rpartition("/")[2]
    if "/" not in name and not last.replace(".", "").replace("$", "_").isidentifier():
        return []  # the title of a test, an operator: nobody names these
    return [words[-1] for part in last.split(".") if (words := list(tokens.words(part)))]


# --- Looking at texts ---


def _relink(ctx: Context, work: _Work, pause: Callable[[], None]) -> bool:
    """Link some texts as they are now, then go on to the next place; False where another was faster."""
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
    """Link some texts; the place afterwards. None, and nothing written, where links were written since `place`."""
    with ctx.store.read() as limited:
        tx = whole(limited)
        if (_place(tx, ctx.tenant) or _Place(0)) != place:
            return None
        said = _said(ctx, tx, ids) if ids else []
        differences = _differences(ctx, tx, said) if said else []
    after = then._replace(writes=place.writes)
    if not differences and after == place:
        return place
    after = after._replace(writes=place.writes + 1)

    def work(limited: Transaction) -> _Place | None:
        tx = whole(limited)
        if (_place(tx, ctx.tenant) or _Place(0)) != place:
            return None
        _write(ctx, tx, differences)
        settings.put(tx, ctx.tenant, SETTING, json.dumps(after))
        return after

    return ctx.store.write(work)


def _write(ctx: Context, tx: Transaction, differences: Sequence["_Difference"]) -> None:
    ends = {end for each in differences for end in (each.source, each.target)}
    there = records.keys_of(tx, ctx.tenant, ends) if ends else {}
    for each in differences:
        if each.source in there and each.target in there:
            each.write(ctx, tx)


def _place(tx: Transaction, tenant: int) -> _Place | None:
    """How far the log was followed; None in a store that never had links."""
    found = settings.find(tx, tenant, SETTING)
    return None if found is None else _Place(*json.loads(found))


def _said(ctx: Context, tx: Transaction, ids: Sequence[int]) -> Said:
    texts = code_links.texts(tx, ctx.tenant, ids)
    return [(record, namespace, code_mentions.mentions(text)) for record, namespace, text in texts]


# --- Which links differ from what texts say ---


class _Difference(NamedTuple):
    """A link to make (`link` None), to take away (`sureness` 0) or to change."""

    source: int
    target: int
    sureness: float
    said: str
    stale: bool
    link: Link | None

    def write(self, ctx: Context, tx: Transaction) -> None:
        """Do it."""
        if self.link is None:
            code_links.add(tx, ctx.tenant, self.source, self.target, self.sureness, self.said, ctx.now())
        elif self.sureness == 0:
            code_links.remove(tx, ctx.tenant, self.link)
        else:
            metadata = {ORIGIN: MENTION, NAME: self.said, **({STALE: True} if self.stale else {})}
            code_links.change(tx, ctx.tenant, self.link, self.sureness, metadata)


def _differences(ctx: Context, tx: Transaction, said: Said) -> list[_Difference]:
    """What has to be written, so that each text is linked to what it names."""
    links: dict[int, list[Link]] = {}
    for link in code_links.of_sources(tx, ctx.tenant, [record for record, _, _ in said]):
        links.setdefault(link.source, []).append(link)
    projects = _by_project(ctx, tx, {namespace for _, namespace, _ in said})
    found: list[_Difference] = []
    for project, indexed in projects.items():
        own = [(record, mentions) for record, namespace, mentions in said if namespace in project]
        lookup = Lookup(tx, ctx.tenant, indexed, (mentions for _, mentions in own))
        for record, mentions in own:
            found += _of_text(record, mentions, lookup.targets(mentions), links.get(record, []))
    return found


def _with_code(ctx: Context, tx: Transaction) -> set[str]:
    """The namespaces of the projects whose code is indexed."""
    known = aliases(ctx, tx)
    indexed = {known.canonical(each.namespace) for each in repositories.everything(tx, ctx.tenant)}
    return {name for name in records.namespaces(tx, ctx.tenant) if name and known.canonical(name) in indexed}


def _by_project(ctx: Context, tx: Transaction, namespaces: set[str]) -> dict[frozenset[str], list[Repository]]:
    """The codebases of each project, by those of the namespaces that are that project."""
    known = aliases(ctx, tx)
    projects: dict[str, set[str]] = {}
    for namespace in namespaces:
        projects.setdefault(known.canonical(namespace), set()).add(namespace)
    return {frozenset(names): scoping.of_project(ctx, tx, project) for project, names in sorted(projects.items())}


def _of_text(source: int, mentions: Mentions, targets: Sequence[Target], links: Sequence[Link]) -> list[_Difference]:
    """The differences of one text. What somebody linked by hand is left as it is."""
    by_hand = {link.target for link in links if not link.by_mention}
    wanted = {each.record: each for each in targets[:MOST] if each.record not in by_hand}
    named = {each.text for each in targets}
    paths, every_name = {path.text for path in mentions.paths}, _every_name(mentions)
    found = []
    for link in (link for link in links if link.by_mention):
        target = wanted.pop(link.target, None)
        said = link.metadata.get(NAME)
        if target is not None:
            after = target.sureness, target.text, False
        elif said in every_name and _is_kept(link, str(said), said in named, said in paths):
            after = link.weight, str(said), link.gone
        else:
            after = 0.0, "", False
        if after != (link.weight, said, STALE in link.metadata):
            found.append(_Difference(source, link.target, *after, link))
    found += [_Difference(source, each.record, each.sureness, each.text, False, None) for each in wanted.values()]
    return found


def _is_kept(link: Link, said: str, is_something: bool, is_path: bool) -> bool:
    """Whether a link stays whose name does not lead to its target, though the text still says it.

    It does where the target is gone and nothing else is called so, and where the target was moved or renamed.
    """
    if link.gone:
        return not is_something
    if link.path:  # what only some symbols of the file are called is not its name
        return is_path and not fits(said.split("/"), link.path)
    return bool(link.tail) and not link.tail.startswith(tail_of(said))


def _every_name(mentions: Mentions) -> set[str]:
    names = {name.text for name in mentions.names}
    names.update(part for name in mentions.names for part in code_mentions.parts_of_type(name.segments))
    return names | {path.text for path in mentions.paths}
