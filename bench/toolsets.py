"""What entities and solutions cost as there are more of them: stored one by one, searched beside recall_memory.

The searches are measured twice: by words only, and by meaning in a store where every record has the made-up vectors of
its text. A question is asked once before, so that its embedding is remembered: what is measured has no model in it.
"""

import statistics
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import TypeVar

import complete
import filling
import generate
import material
from client import Server, serve
from complete import SESSION, TOPICS, Batch
from encoding import encoder_place, serve_with, wait_for_embeddings
from prepared import question_about
from report import Figure, ms, percentile
from stores import Bench, settle
from storing import WARM_UP, WINDOW, grown

SIZE = 10_000
QUERIES = 100  # of each kind; fewer than the embeddings that a server remembers
WARMING = 10  # of them that no figure contains
MOST = 3.0  # times the p50 of recall_memory
FAILURES = 10  # so many solutions, one failure
RELEASES = 100  # so many solutions, and the project has another dependency
DEPENDENCIES = 20
ELSEWHERE = 3  # other repositories
THERE = 200  # solutions of each
SEED, MORE, OTHER = 17, 18, 19
FLAT = 1.2  # times as long as in an empty store

Made = TypeVar("Made")


def graph(bench: Bench) -> list[Figure]:
    """create_entities from an empty graph to 10,000, each related to one before; then search_nodes."""
    batch, n = _batch(bench, SEED)
    made = material.entities(batch.texts)
    data = bench.fresh("graph")
    created, related = [], []
    with serve(data, data.parent) as server:
        server.initialize()
        for entity in made:
            _create(server, entity)
            created.append(server.seconds)
            if entity.related:
                server.call("create_relations", relations=entity.related)
                related.append(server.seconds)
    window = min(WINDOW, n // 4)
    figures = grown("create_entities", created[WARM_UP:], window)
    figures += grown("create_relations", related[WARM_UP:], window, most=None)
    chosen = [(number * len(made) // QUERIES + number % 10) % len(made) for number in range(QUERIES)]  # of all types
    kinds = {
        "a word": material.a_word,
        "two words of a text": material.a_phrase,
        "a name or key": material.a_name,
        "a key of another version": material.another_version,
    }
    asked = {
        what: [ask(made[at], batch.texts[at], number) for number, at in enumerate(chosen)]
        for what, ask in kinds.items()
    }
    asked["a question of 4 to 8 words"] = _questions(batch, chosen)
    figures += _searched(data, "search_nodes", asked, f"{len(made):,} entities")
    filling.embed(data, batch)
    figures += _searched(data, "search_nodes", asked, f"{len(made):,} entities", meaning=True)
    others = material.entities(list(generate.records(WARM_UP + window, OTHER)))
    return [*figures, _in_turn("create_entities", data, bench.fresh("empty-graph"), _create, others, f"{n:,}")]


def solutions(bench: Bench) -> list[Figure]:
    """matrix_store from none to 10,000, a failure with each tenth; then matrix_recall."""
    (batch, n), (more, _) = _batch(bench, SEED), _batch(bench, MORE)
    made = list(material.solutions(batch.texts, more.texts))
    data = bench.fresh("solutions")
    stored, failed = [], []
    with serve(data, data.parent) as server:
        server.initialize()
        for number, solution in enumerate(made):
            if number % RELEASES == 0:
                _release(data.parent, number // RELEASES)
            _store(server, solution)
            stored.append(server.seconds)
            if number % FAILURES == 0:
                _fail(server, batch.texts[number])
                failed.append(server.seconds)
    for number in range(ELSEWHERE):
        _elsewhere(data, number, bench.size(THERE, 10))
    window = min(WINDOW, n // 4)
    figures = grown("matrix_store", stored[WARM_UP:], window)
    figures += grown("matrix_failure", failed[WARM_UP // FAILURES :], max(1, window // FAILURES), most=None)
    asked = {"": _questions(batch, [number * len(made) // QUERIES for number in range(QUERIES)])}
    figures += _searched(data, "matrix_recall", asked, f"{len(made):,} solutions")
    filling.embed(data, batch)
    figures += _searched(data, "matrix_recall", asked, f"{len(made):,} solutions", meaning=True)
    others = list(material.solutions(*([*generate.records(WARM_UP + window, seed)] for seed in (OTHER, OTHER + 1))))
    empty = bench.fresh("empty-solutions")
    _release(empty.parent, 0)
    return [*figures, _in_turn("matrix_store", data, empty, _store, others, f"{n:,}")]


def _batch(bench: Bench, seed: int) -> tuple[Batch, int]:
    """Texts with their vectors, some more than are to be stored, and how many these are."""
    topics = filling.topics(bench.folder, bench.size(TOPICS, 50))
    n = bench.size(SIZE, 200) // SESSION * SESSION
    return complete.batch(topics, 0, n + WARM_UP, time.time_ns() // 1000, seed), n


def _questions(batch: Batch, chosen: Sequence[int]) -> list[str]:
    return [question_about(batch.texts[at], number) for number, at in enumerate(chosen)]


# --- Storing ---


def _in_turn(
    tool: str, full: Path, empty: Path, store: Callable[[Server, Made], None], made: Sequence[Made], size: str
) -> Figure:
    """The same calls in turn to the full store and to an empty one: what disturbs one disturbs the other.

    The first calls and the last ones of a store that grows are minutes apart, and on a busy machine that is what they
    differ by.
    """
    times: tuple[list[float], list[float]] = ([], [])
    for data in (full, empty):
        settle(data)
    with serve(full, full.parent) as one, serve(empty, empty.parent) as other:
        servers = (one, other)
        for server in servers:
            server.initialize()
        for number, each in enumerate(made):
            for which in (number % 2, 1 - number % 2):
                store(servers[which], each)
                times[which].append(servers[which].seconds)
    there, none = (statistics.median(each[WARM_UP:]) for each in times)
    return Figure(
        f"{tool}, {size} there / an empty store, in turn, median of {len(made) - WARM_UP}",
        there / none,
        f"{ms(there)} / {ms(none)}",
        most=FLAT,
    )


def _create(server: Server, made: material.Entity) -> None:
    server.call("create_entities", entities=[made.given])


def _store(server: Server, made: material.Solution) -> None:
    server.call(
        "matrix_store",
        problem=made.problem,
        solution=made.solution,
        scope=made.scope,
        tags=list(made.tags),
        filesAffected=list(made.files),
    )


def _fail(server: Server, text: str) -> None:
    words = text.split()
    message, cause, fix = (" ".join(words[at : at + 12]) for at in (0, 12, 24))
    server.call("matrix_failure", errorType="runtime", errorMessage=message, rootCause=cause, fixApplied=fix)


def _release(project: Path, number: int) -> None:
    """The project's manifest, as long as before, with another dependency."""
    names = ["fastapi", "pydantic", *(f"library-{each}" for each in range(number, number + DEPENDENCIES))]
    listed = ", ".join(f'"{name}"' for name in names)
    (project / "pyproject.toml").write_text(f'[project]\nname = "mine"\ndependencies = [{listed}]\n')


def _elsewhere(data: Path, number: int, count: int) -> None:
    """Solutions of another repository."""
    project = data.parent / f"project-{number}"
    (project / ".git").mkdir(parents=True)
    _release(project, 2 * number)
    with serve(data, project) as server:
        server.initialize()
        for made in material.solutions(*([*generate.records(count, seed)] for seed in (100 + number, 200 + number))):
            _store(server, made)


# --- Searches ---


def _searched(
    data: Path, tool: str, asked: Mapping[str, Sequence[str]], where: str, *, meaning: bool = False
) -> list[Figure]:
    """The p50 of each kind of query against that of recall_memory, which is asked the last kind, all in turn."""
    questions = list(asked.values())[-1]
    times: dict[str, list[float]] = {what: [] for what in asked}
    recalls: list[float] = []
    found: dict[str, list[int]] = {what: [] for what in asked}
    by_meaning = 0
    with _server(data, meaning) as server:
        for number, question in enumerate(questions):
            server.call("recall_memory", query=question, k=10)
            for queries in asked.values():
                server.call(tool, query=queries[number])
        for number, question in enumerate(questions):
            hits = server.call("recall_memory", query=question, k=10)["result"]
            recalls.append(server.seconds)
            by_meaning += any(hit["score_breakdown"]["vector_similarity"] > 0 for hit in hits)
            for what, queries in asked.items():
                answer = server.call(tool, query=queries[number])
                times[what].append(server.seconds)
                found[what].append(len(answer["entities"] if "entities" in answer else answer["solutions"]))
    if bool(by_meaning) != meaning:
        raise SystemExit(f"recalls {'by words only' if meaning else 'by meaning'}, which is not what is measured")
    middle = statistics.median(recalls[WARMING:])
    by = "by meaning too" if meaning else "by words"
    return [
        Figure(
            f"{tool}{f', {what},' if what else ''} {by} / recall_memory, p50, {where}",
            statistics.median(each) / middle,
            f"{ms(statistics.median(each))} (p95 {ms(percentile(each, 95))}; {_hits(found[what])}) / {ms(middle)}",
            most=MOST,
        )
        for what, each in ((what, each[WARMING:]) for what, each in times.items())
    ]


@contextmanager
def _server(data: Path, meaning: bool) -> Iterator[Server]:
    """A server that has nothing to do but answer."""
    settle(data)
    if not meaning:
        with serve(data, data.parent) as server:
            server.initialize()
            yield server
        return
    with encoder_place() as place, serve_with(data, place) as server:
        server.initialize()
        server.call("recall_memory", query="wake up", k=1)
        wait_for_embeddings(server)
        yield server


def _hits(found: Sequence[int]) -> str:
    return f"{statistics.fmean(found):.1f} hits"
