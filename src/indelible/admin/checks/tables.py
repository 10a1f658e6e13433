"""Checks of redundant tables beside the records: each finds and repairs its faults in one transaction."""

from collections.abc import Callable, Iterator, Sequence
from functools import partial
from typing import Any, NamedTuple

from indelible.admin.checks.check import REPAIR, Check, Finding, named
from indelible.core.context.context import Context
from indelible.store.database import Transaction
from indelible.store.tables import changes, pending, records, settings, symbols
from indelible.store.views import documents, soundness
from indelible.toolsets.context.chats import chunk_links


class TableCheck(NamedTuple):
    """A check by one query: `wrong` returns the faults, `mend` repairs them in the transaction that found them again.

    `said` and `done` are sentences with `{count}` in them, and maybe `{names}`.
    """

    name: str
    wrong: Callable[[Transaction], Sequence[Any]]
    said: str
    done: str
    mend: Callable[[Transaction, Sequence[Any]], None]

    def check(self) -> Check:
        """Return the check in the form of `doctor`."""
        return Check(self.name, partial(_find, self), partial(_mend, self))


def _find(check: TableCheck, ctx: Context) -> Iterator[Finding]:
    with ctx.store.read() as tx:
        wrong = check.wrong(tx)
    if wrong:
        yield Finding(_filled(check.said, wrong))


def _mend(check: TableCheck, ctx: Context) -> Iterator[str]:
    with ctx.store.read() as tx:
        if not check.wrong(tx):
            return

    def work(tx: Transaction) -> Sequence[Any]:
        wrong = check.wrong(tx)
        check.mend(tx, wrong)
        return wrong

    yield _filled(check.done, ctx.store.write(work))


def _filled(sentence: str, wrong: Sequence[Any]) -> str:
    return sentence.format(count=f"{len(wrong):,}", names=named(map(str, wrong)), repair=REPAIR)


def _rows(query: str) -> Callable[[Transaction], list[int]]:
    """The rows that a query of the store finds."""
    return lambda tx: soundness.ids(tx, query)


def _drop(query: str, column: str) -> Callable[[Transaction, Sequence[Any]], None]:
    """Remove them."""
    return lambda tx, wrong: soundness.drop(tx, query, column, wrong)


# --- JSON ---


def _json(of: soundness.Json) -> TableCheck:
    remedy = "drops them" if of.mend.startswith(soundness.DROP) else "puts empty ones in their place"
    return TableCheck(
        f"JSON of {of.table}",
        lambda tx: list(soundness.not_json(tx, of)),
        f"{{count}} rows of {of.table} have {' or '.join(of.kinds)} that cannot be read; {{repair}} {remedy}",
        f"mended {{count}} rows of {of.table} that could not be read",
        lambda tx, wrong: soundness.mend_json(tx, of, wrong),
    )


READABLE = [
    *map(_json, soundness.JSON),
    TableCheck(
        "answers kept for retried calls",
        soundness.unreadable_answers,
        "{count} answers that are kept for retried calls cannot be read; {repair} forgets them",
        "forgot {count} kept answers that could not be read",
        soundness.drop_answers,
    ),
]


# --- Relations ---


def _wrong_canonical(tx: Transaction) -> list[tuple[str, str]]:
    return [(name, canonical) for name, canonical in soundness.relations(tx) if canonical != name.upper()]


def _mend_canonical(tx: Transaction, wrong: Sequence[tuple[str, str]]) -> None:
    for relation, canonical in wrong:
        soundness.set_canonical(tx, relation, canonical, relation.upper())


def _mark_replaced(tx: Transaction, wrong: Sequence[int]) -> None:
    for record in wrong:
        records.set_replaced(tx, record, True)


UIDS = TableCheck(
    "names of records for other stores",
    soundness.shared_uids,
    "{count} records have the uid of another one, which `indelible sync` would take for the same; {repair} gives them "
    "one of their own",
    "gave {count} records a uid of their own",
    soundness.give_uids,
)


RELATIONS = [
    TableCheck(
        "canonical forms of relations",
        _wrong_canonical,
        "{count} names of relations have another canonical form than theirs{names}; {repair} derives it again",
        "derived the canonical form of {count} names of relations again",
        _mend_canonical,
    ),
    TableCheck(
        "what relations replace",
        _rows("still_current"),
        "{count} records count as current that a relation replaces; {repair} marks them",
        "marked {count} records that a relation replaces",
        _mark_replaced,
    ),
    UIDS,
]


# --- Numbers ---


def _low_sequence(tx: Transaction) -> list[int]:
    highest = soundness.highest_number(tx)
    return [highest] if highest > documents.last_number(tx) else []


def _low_ids(tx: Transaction) -> list[int]:
    highest, last = soundness.ids_given(tx)
    return [highest] if highest > last else []


def _blocks_ahead(tx: Transaction) -> range:
    return range(soundness.blocks_ahead(tx, changes.last(tx)))


def _drop_blocks(tx: Transaction, _: Sequence[Any]) -> None:
    soundness.drop_blocks_ahead(tx, changes.last(tx))


NUMBERS = [
    TableCheck(
        "the counter of documents, chunks, todos and attempts",
        _low_sequence,
        "the counter of documents and todos is behind number{names}, which it would give again; {repair} sets it",
        "set the counter of documents and todos to{names}",
        lambda tx, wrong: documents.raise_numbers(tx, wrong[0]),
    ),
    TableCheck(
        "the counter of records",
        _low_ids,
        "the counter of records is behind row{names}, which logs or the trash name; {repair} sets it",
        "set the counter of records to{names}",
        lambda tx, wrong: soundness.raise_ids(tx, wrong[0]),
    ),
    TableCheck(
        "positions of the change log",
        _blocks_ahead,
        "{count} blocks of the index were sealed at a change that is not in the log yet; {repair} drops them",
        "dropped {count} blocks of the index of changes to come",
        _drop_blocks,
    ),
    TableCheck(
        "access counts",
        _rows("uncounted"),
        "{count} access counts are below 1; {repair} drops them",
        "dropped {count} access counts below 1",
        _drop("drop_access", "record"),
    ),
]


# --- The list of what waits ---


def _mend_waiting(tx: Transaction, wrong: Sequence[int]) -> None:
    soundness.drop(tx, "drop_pending", "record", wrong)
    pending.add_forgotten(tx)


def _never_linked(tx: Transaction) -> Sequence[int]:
    """Return the messages that are to be linked again and on no list, once what earlier versions marked is on it."""
    return pending.unlinked(tx) if settings.find(tx, chunk_links.QUEUED) is not None else []


def _link_later(tx: Transaction, wrong: Sequence[int]) -> None:
    for message in wrong:
        pending.add_link(tx, message)


WAITING = [
    TableCheck(
        "the list of what waits to be embedded",
        _rows("wrong_pending"),
        "{count} records wait for an embedding that they are not to have, or in the wrong place; {repair} mends that",
        "set {count} places on the list of what waits right",
        _mend_waiting,
    ),
    TableCheck(
        "what is on no list",
        lambda tx: range(pending.forgotten(tx)),
        "{count} records are never embedded; {repair} puts them on the list",
        "put {count} records on the list of what waits",
        lambda tx, _: pending.add_forgotten(tx),
    ),
    TableCheck(
        "messages to be linked",
        _never_linked,
        "{count} messages that were linked by their words are never linked by meaning; {repair} puts them on the list",
        "put {count} messages on the list of what waits, to be linked by meaning",
        _link_later,
    ),
]


# --- Source code ---


def _wrong_tails(tx: Transaction) -> list[soundness.SymbolRow]:
    return [each for each in soundness.symbols_in_order(tx) if each.tail != symbols.tail_of(each.qualified_name)]


def _mend_tails(tx: Transaction, wrong: Sequence[soundness.SymbolRow]) -> None:
    for symbol in wrong:
        soundness.set_tail(tx, symbol)


def _no_symbols(tx: Transaction) -> list[int]:
    return [each.record for each in soundness.symbols_in_order(tx) if each.kind != "symbol"]


def _forget_code(query: str) -> Callable[[Transaction, Sequence[Any]], None]:
    def mend(tx: Transaction, wrong: Sequence[Any]) -> None:
        soundness.drop(tx, query, "record", wrong)
        soundness.read_code_again(tx)

    return mend


CODE = [
    TableCheck(
        "names of symbols from their ends",
        _wrong_tails,
        "{count} symbols are not found by the end of their names; {repair} derives it again",
        "derived the ends of the names of {count} symbols again",
        _mend_tails,
    ),
    TableCheck(
        "symbols and their records",
        _no_symbols,
        "{count} rows of symbols belong to records of another kind{names}; {repair} drops them, and the next run of "
        "the index reads all files",
        "dropped {count} rows of symbols that belonged to other records",
        _forget_code("drop_symbol"),
    ),
    TableCheck(
        "files and their records",
        _rows("files_of_other_kinds"),
        "{count} rows of files belong to records of another kind{names}; {repair} drops them, and the next run of the "
        "index reads all files",
        "dropped {count} rows of files that belonged to other records",
        _forget_code("drop_file"),
    ),
    TableCheck(
        "names of symbols",
        _rows("orphan_names"),
        "{count} names belong to no symbol; {repair} drops them",
        "dropped {count} names of no symbol",
        _drop("drop_name", "id"),
    ),
]
