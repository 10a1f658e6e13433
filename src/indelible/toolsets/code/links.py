"""Links from stored texts to the symbols and files that they name.

Linking runs in the background: a server between its calls, or a run of the index at its end, follows the log of changes
for new texts and symbols from the position stored in the store's settings. The position advances in the transaction
that writes the links, so that after a crash another process continues and misses nothing.
"""

import json
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from typing import Any, NamedTuple

from indelible.batching import never, no_pause
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
from indelible.store.views.code_links import (
    CODE,
    KINDS,
    MENTION,
    NAME,
    NOW,
    ORIGIN,
    STALE,
    WAS,
    Changed,
    Code,
    Link,
)
from indelible.toolsets.code import link_states
from indelible.toolsets.code.link_states import Files, Others, State

# Imported late (start): indelible.search.containing

MOST = 20  # links that a text makes, the surest
TOGETHER = 25  # texts that are looked at between two breaths
AT_ONCE = 100  # texts between two notes of how far that is, where all are looked at
WINDOW = 5_000  # entries of the log that are read at a time
MANY = 200  # new symbols, or
MANY_TEXTS = 500  # texts that have their names, beyond which every text is looked at: that can be left and resumed
WORTH_A_WRITE = 1_000  # entries of the log that it moves over
SETTING = "code links"  # where they are: see `_Place`
FORM = 1  # of what a link has in its metadata: links of an earlier form are made again


class Mentioning(NamedTuple):
    """A text, what it names, and when it was written (microseconds)."""

    record: int
    namespace: str
    mentions: Mentions
    written: int


class _Place(NamedTuple):
    """The position in the log of changes, and a counter of the writes of links.

    If `until` is not 0, all texts are being examined, those up to the row id `passed` already; then the log is followed
    from `until`. If `writes` changed since the position was read, another process was faster and the work is repeated.
    `form` is that of the links that were written.
    """

    position: int
    writes: int = 0
    until: int = 0
    passed: int = 0
    form: int = 0


class _Work(NamedTuple):
    """Texts to examine, and the position afterwards."""

    place: _Place
    ids: list[int]
    then: _Place


def catch_up(ctx: Context, stop: Callable[[], bool] = never, pause: Callable[[], None] = no_pause) -> int:
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
        done += len(looked_at)
    return done


def before_index(ctx: Context, pause: Callable[[], None] = no_pause) -> int:
    """Do `catch_up` in a run of the index that has changed nothing yet; return how many texts were examined."""
    return len(_up_to_date(ctx, pause))


def after_index(
    ctx: Context,
    changed: Iterable[int] = (),
    removed: Iterable[int] = (),
    forgotten: Iterable[str] = (),
    pause: Callable[[], None] = no_pause,
) -> int:
    """Link after a run of the index; return how many texts were examined.

    `changed` are the records of symbols and files that came back or were renamed, `removed` those that left the source
    and whose records are kept (the log has all others), `forgotten` the names of deleted symbols and paths of deleted
    files: a name that was ambiguous may now be unique. Safe to repeat and to interrupt.
    """
    done = _up_to_date(ctx, pause)
    with ctx.store.read() as tx:
        ids = set(code_links.explaining(whole(tx), {*changed, *removed}))
        ids.update(code_links.explaining_deleted(whole(tx)))
    ids.update(_naming(ctx, set(forgotten)))
    ids -= set(done)  # just linked to the source as it is now
    while True:
        with ctx.store.read() as tx:
            place = _place(whole(tx)) or _Place(0)
        if _relink(ctx, _Work(place, sorted(ids), place), pause):
            return len(done) + len(ids)


def _is_indexing(ctx: Context, tx: Transaction) -> bool:
    return code_links.is_indexing(whole(tx), ctx.now())


# --- What is to be looked at ---


def _up_to_date(ctx: Context, pause: Callable[[], None]) -> list[int]:
    """Link what the log has; return the texts that were examined."""
    done: list[int] = []
    while (looked_at := _some(ctx, pause)) is not None:
        done += looked_at
    return done


def _some(ctx: Context, pause: Callable[[], None]) -> list[int] | None:
    """Do the next piece of work; return the texts that it had, None if there is no work."""
    work = _next(ctx)
    if work is None:
        return None
    return work.ids if _relink(ctx, work, pause) else []


def _next(ctx: Context) -> _Work | None:
    with ctx.store.read() as limited:
        tx = whole(limited)
        place, now = _place(tx), changes.moment(tx)
        last = now.last
        if place is not None and place.until and place.form == FORM:
            some = code_links.after(tx, _with_code(ctx, tx), place.passed, AT_ONCE)
            then = place._replace(passed=some[-1]) if some else _Place(place.until, place.writes, form=FORM)
            return _Work(place, some, then)
        if place is None or place.form != FORM or not now.reaches_back_to(place.position):
            return _all_texts(place or _Place(0), last)  # or it was cut before we read it
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
    return _Work(place, [], place._replace(until=max(1, last), passed=0, form=FORM))


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


def _mentioned(ctx: Context, tx: Transaction, ids: Sequence[int]) -> list[Mentioning]:
    return [
        Mentioning(each.record, each.namespace, code_mentions.mentions(each.text), each.updated)
        for each in code_links.texts(tx, ids)
    ]


# --- Which links differ from what texts say ---


class _Difference(NamedTuple):
    """A link to add (`link` None), to remove (`sureness` 0) or to change; `metadata` without the origin.

    Of a link that a caller made only the metadata are changed.
    """

    source: int
    target: int
    sureness: float
    metadata: State
    link: Link | None

    def write(self, ctx: Context, tx: Transaction) -> None:
        """Write the difference."""
        if self.link is None:
            code_links.add(tx, self.source, self.target, self.sureness, self.metadata, ctx.now())
        elif not self.link.by_mention:
            code_links.change(tx, self.link, self.link.weight, dict(self.metadata))
        elif self.sureness == 0:
            code_links.remove(tx, self.link)
        else:
            code_links.change(tx, self.link, self.sureness, {ORIGIN: MENTION, **self.metadata})


def _differences(ctx: Context, tx: Transaction, mentioned: Sequence[Mentioning]) -> list[_Difference]:
    """Return the changes of links that are needed so that each text is linked to the code that it names."""
    links: dict[int, list[Link]] = {}
    for link in code_links.of_sources(tx, [each.record for each in mentioned]):
        links.setdefault(link.source, []).append(link)
    projects = _by_project(ctx, tx, {each.namespace for each in mentioned})
    targets: dict[int, list[Target]] = {}
    for project, indexed in projects.items():
        own = [each for each in mentioned if each.namespace in project]
        lookup = Lookup(tx, indexed, (each.mentions for each in own))
        targets.update((each.record, lookup.targets(each.mentions)) for each in own)
    ends = {target.record for found in targets.values() for target in found[:MOST]}
    ends.update(link.target for found in links.values() for link in found)
    known = code_links.targets(tx, ends) if ends else {}
    files = Files()
    others = Others(tx, [each.id for indexed in projects.values() for each in indexed])
    return [
        difference
        for each in mentioned
        if each.record in targets
        for difference in _OfText(each, links.get(each.record, []), known, files, others).differences(
            targets[each.record]
        )
    ]


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


class _OfText:
    """The links of one text. Those made by callers keep ends and weight, and are told what has become of their ends."""

    def __init__(
        self,
        text: Mentioning,
        links: Sequence[Link],
        known: Mapping[int, Code],
        files: Files,
        others: Others,
    ) -> None:
        self._text, self._known, self._files, self._others = text, {**known}, files, others
        self._stated = [link for link in links if not link.by_mention]
        self._by_hand = {link.target for link in self._stated}
        self._links = [link for link in links if link.by_mention]
        self._paths = {path.text for path in text.mentions.paths}
        self._names = _every_name(text.mentions)

    def differences(self, targets: Sequence[Target]) -> list[_Difference]:
        """Return the differences from what the text names now."""
        wanted = {each.record: each for each in targets[:MOST] if each.record not in self._by_hand}
        named = {each.text: each for each in targets}
        with_symbols = {self._known[each].file for each in wanted if each in self._known and self._known[each].name}
        found = [*self._of_callers()]
        handed: dict[int, Link] = {}  # to new targets: the link to what had the name before
        for link in self._links:
            target = wanted.get(link.target)
            mention = str(link.metadata.get(NAME))
            other = named.get(mention)
            if target is None and other is not None and mention in self._names and self._stays(link, other):
                wanted.pop(other.record, None)
                target = Target(link.target, link.weight, mention)
            elif target is None and mention in self._names:
                if _is_kept(link, mention, other is not None, mention in self._paths):
                    target = Target(link.target, link.weight, mention)
                elif other is not None and link.gone:
                    handed[other.record] = link
            wanted.pop(link.target, None)
            if target is not None and (renamed := self._renamed(link)) is not None:
                handed[renamed] = link
                wanted[renamed] = Target(renamed, link.weight, mention)
                target = None
            found += self._changed(link, target, with_symbols)
        for each in wanted.values():
            before = handed[each.record].metadata if each.record in handed else {}
            metadata = self._metadata(each, before, with_symbols)
            found.append(_Difference(self._text.record, each.record, each.sureness, metadata, None))
        return found

    def _of_callers(self) -> Iterator[_Difference]:
        """Yield what has become of the targets of links that callers made, where that is not known yet.

        Such a link is of the time when it was made or the text was written, whichever is later. It stays at a symbol
        that is deleted, and names the one that this is now.
        """
        for link in self._stated:
            code = self._known.get(link.target)
            if code is None:
                continue
            name = str(link.metadata.get(NAME) or code.name or code.path)
            mention = link_states.Mentioned(name, max(link.created, self._text.written), True)
            was, now = link_states.judged(link.metadata.get(WAS), link.metadata.get(NOW), code, mention, self._files)
            if code.name and was is not link.metadata.get(WAS) and "only" not in was:
                was = {**was, "only": self._others.is_only(code)}
            if code.gone and code.name and (new := self._successor(was, code, link.created)) is not None:
                now = link_states.moved_to(was, link.metadata.get(NOW), new, mention, self._files)
            others = {each: value for each, value in link.metadata.items() if each != NOW}
            metadata = {**others, NAME: name, WAS: was, **({} if now is None else {NOW: now})}
            if metadata != link.metadata:
                yield _Difference(link.source, link.target, link.weight, metadata, link)

    def _changed(self, link: Link, target: Target | None, with_symbols: Collection[int]) -> Iterator[_Difference]:
        """Yield how a link differs from what it should be, if it does."""
        if target is None or self._is_spoken_of_as_gone(link):
            yield _Difference(link.source, link.target, 0.0, {}, link)
            return
        metadata = self._metadata(target, link.metadata, with_symbols)
        if (target.sureness, {ORIGIN: MENTION, **metadata}) != (link.weight, link.metadata):
            yield _Difference(link.source, link.target, target.sureness, metadata, link)

    def _renamed(self, link: Link) -> int | None:
        """Return the symbol that a deleted target is now, by its lines or its name."""
        was, code = link.metadata.get(WAS), self._known.get(link.target)
        if was is None or code is None or not code.gone or not code.name:
            return None
        found = self._successor(was, code, link.created)
        if found is None:
            return None
        self._known[found.record] = found
        return found.record

    def _successor(self, was: State, code: Code, linked: int) -> Code | None:
        """Return the symbol that a deleted one is now, none that the text is linked to already."""
        known = {each.target for each in self._links} | self._by_hand
        others = [each for each in self._others.of(code) if not each.gone and each.record not in known]
        return link_states.successor(was, code, others, linked, self._files)

    def _is_spoken_of_as_gone(self, link: Link) -> bool:
        was, code = link.metadata.get(WAS), self._known.get(link.target)
        return code is not None and link_states.is_spoken_of_as_gone(was, code, self._text.written, self._files)

    def _stays(self, link: Link, other: Target) -> bool:
        """Return whether a text, which is the same as before, still speaks of a target though another has its name.

        A new symbol may be named so; if what was there before is deleted, a new one of its name takes its place.
        """
        was, code = link.metadata.get(WAS), self._known.get(other.record)
        if was is None or code is None or was["at"] < self._text.written:
            return False
        if link.gone:
            return code.created < link.created and code.path != was["path"]
        return bool(link.tail) and link.tail.startswith(tail_of(str(link.metadata.get(NAME))))

    def _metadata(self, target: Target, before: State, with_symbols: Collection[int]) -> dict[str, Any]:
        code = self._known.get(target.record)
        if code is None:
            return {NAME: target.text}
        is_whole = target.text in self._paths and code.file not in with_symbols
        mention = link_states.Mentioned(target.text, self._text.written, is_whole)
        was, now = link_states.judged(before.get(WAS), before.get(NOW), code, mention, self._files)
        if code.name and was is not before.get(WAS) and "only" not in was:
            was = {**was, "only": self._others.is_only(code)}
        states = {WAS: was, **({} if now is None else {NOW: now})}
        return {NAME: target.text, **({STALE: True} if code.gone else {}), **states}


def _is_kept(link: Link, mention: str, is_something: bool, is_path: bool) -> bool:
    """Return whether a link is kept whose name no longer resolves to its target, though the text still has the name.

    It is kept if nothing else has the name alone, and if the target was moved or renamed.
    """
    if link.gone:
        return not is_something
    if link.path:  # what only some symbols of the file are called is not its name
        return is_path and not fits(mention.split("/"), link.path)
    return bool(link.tail) and (not is_something or not link.tail.startswith(tail_of(mention)))


def _every_name(mentions: Mentions) -> set[str]:
    names = {name.text for name in mentions.names}
    names.update(part for name in mentions.names for part in code_mentions.parts_of_type(name.segments))
    return names | {path.text for path in mentions.paths}
