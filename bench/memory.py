"""What a few servers and their shared encoder take after use, and how soon a write is acknowledged beside a model."""

import shutil
import statistics
from collections.abc import Sequence
from contextlib import ExitStack

import filling
import generate
import prepared
from client import pss_mb
from complete import TOPICS
from encoding import encoder_place, encoders, serve_with, wait_for_embeddings
from report import Figure, ms, percentile
from stores import Bench
from storing import stored

SEED = 9  # of what is stored by calls
SERVERS = 5
EACH = 200  # memories that each of them stores, and recalls
MOST_TOGETHER = 900.0  # MB
LARGE = 100_000
MOST_ALONE = 300.0  # MB

COLD_ROUNDS = 12
MEANWHILE = 20  # further stores while the models load
WARM = 300
LONG = 1 << 20  # bytes
LONG_ROUNDS = 12
MOST_MORE = 50.0  # ms beyond a plain commit


def memory(bench: Bench) -> list[Figure]:
    """Five servers with one encoder, each of which stores and recalls; one server with many memories."""
    return [*_together(bench), *_large(bench)]


def _together(bench: Bench) -> list[Figure]:
    each = bench.size(EACH, 10)
    texts = list(generate.records(SERVERS * each, SEED))
    questions = list(generate.questions(SERVERS * each, SEED, among=len(texts)))
    with encoder_place() as place, ExitStack() as stack:
        data = bench.fresh("servers")
        servers = [stack.enter_context(serve_with(data, place)) for _ in range(SERVERS)]
        for server in servers:
            server.initialize()
        servers[0].call("recall_memory", query="wake up", k=1)
        wait_for_embeddings(servers[0])
        by_meaning = 0
        for number, text in enumerate(texts):
            server = servers[number % SERVERS]
            server.call("store_memory", content=text)
            hits = server.call("recall_memory", query=questions[number], k=10)["result"]
            by_meaning += any(hit["score_breakdown"]["vector_similarity"] > 0 for hit in hits)
        wait_for_embeddings(servers[0])
        of_servers = [pss_mb(server.pid) for server in servers]
        of_encoder = sum(pss_mb(pid) for pid in encoders(place))
    total = sum(of_servers) + of_encoder
    return [
        Figure(
            f"{SERVERS} servers and their encoder after {each} store_memory and recall_memory each / the encoder (PSS)",
            total / of_encoder,
            f"{total:.0f} MB: encoder {of_encoder:.0f}, servers {', '.join(f'{one:.0f}' for one in of_servers)}; "
            f"{by_meaning} of {len(texts)} recalls by meaning too",
            most=MOST_TOGETHER,
            value=total,
            unit=" MB",
        )
    ]


def _large(bench: Bench) -> list[Figure]:
    records = bench.size(LARGE, 1000)
    data = bench.fresh("large")
    filling.fill(data, records, filling.topics(bench.folder, bench.size(TOPICS, 50)))
    with encoder_place() as place, serve_with(data, place) as server:
        server.initialize()
        idle = pss_mb(server.pid)
        server.call("recall_memory", query="wake up", k=1)
        wait_for_embeddings(server)
        by_meaning = 0
        questions = prepared.texts(data, bench.size(EACH, 10))
        for question in questions:
            hits = server.call("recall_memory", query=question, k=10)["result"]
            by_meaning += any(hit["score_breakdown"]["vector_similarity"] > 0 for hit in hits)
        used, of_encoder = pss_mb(server.pid), sum(pss_mb(pid) for pid in encoders(place))
    shutil.rmtree(data.parent)
    return [
        Figure(
            f"a server with {records:,} complete records after {len(questions)} recalls / before the first (PSS)",
            used / idle,
            f"{used:.0f} / {idle:.0f} MB; the encoder beside it {of_encoder:.0f} MB; "
            f"{by_meaning} recalls by meaning too",
            most=MOST_ALONE,
            value=used,
            unit=" MB",
        )
    ]


def acknowledge(bench: Bench) -> list[Figure]:
    """store_memory with models that are cold, loading, warm or busy with a long text, against no models at all."""
    texts = generate.records(10_000, SEED)
    rounds = bench.size(COLD_ROUNDS, 3)
    firsts: dict[str, list[float]] = {"off": [], "shared": []}
    meanwhile: dict[str, list[float]] = {"off": [], "shared": []}
    for _ in range(rounds):
        for encoder in ("off", "shared"):
            first, *others = _cold(bench, encoder, [next(texts) for _ in range(1 + MEANWHILE)])
            firsts[encoder].append(first)
            meanwhile[encoder] += others
    warm = _warm(bench, [next(texts) for _ in range(2 * bench.size(WARM, 20))])
    long = _long(bench, bench.size(LONG_ROUNDS, 3))
    return [
        _beyond("the first store_memory of a server, no encoder running", firsts),
        _beyond(f"the next {MEANWHILE}, while the models load", meanwhile),
        _beyond("store_memory with warm models", warm),
        _beyond("store_memory of 1 MiB", long),
    ]


def _beyond(what: str, times: dict[str, list[float]]) -> Figure:
    """How much later a write is acknowledged than one without an encoder."""
    plain, own = (statistics.median(times[encoder]) for encoder in ("off", "shared"))
    spread = {encoder: percentile(each, 99) for encoder, each in times.items()}
    more = (own - plain) * 1e3
    return Figure(
        f"{what} / without an encoder, p50",
        own / plain,
        f"{ms(own)} / {ms(plain)}, {more:+.1f} ms; p99 {ms(spread['shared'])} / {ms(spread['off'])}, "
        f"{(spread['shared'] - spread['off']) * 1e3:+.1f} ms ({len(times['shared'])} each)",
        most=MOST_MORE,
        value=more,
        unit=" ms more",
    )


def _cold(bench: Bench, encoder: str, texts: Sequence[str]) -> list[float]:
    """A new server on a new store; the encoder's place is new, so that nobody has started one."""
    with encoder_place() as place, serve_with(bench.fresh("cold"), place, encoder) as server:
        server.initialize()
        return stored(server, texts)


def _warm(bench: Bench, texts: Sequence[str]) -> dict[str, list[float]]:
    """One with and one without, in turn."""
    times: dict[str, list[float]] = {"off": [], "shared": []}
    with encoder_place() as place, ExitStack() as stack:
        servers = {each: stack.enter_context(serve_with(bench.fresh(f"warm-{each}"), place, each)) for each in times}
        for server in servers.values():
            server.initialize()
            stored(server, ["the first store makes what later ones need"])
        wait_for_embeddings(servers["shared"])
        for number, text in enumerate(texts):
            encoder = ("off", "shared")[number % 2]
            times[encoder] += stored(servers[encoder], [text])
    return times


def _long(bench: Bench, rounds: int) -> dict[str, list[float]]:
    """Long texts, in turn; with the encoder all but the first come while it embeds one."""
    times: dict[str, list[float]] = {"off": [], "shared": []}
    with encoder_place() as place, ExitStack() as stack:
        servers = {each: stack.enter_context(serve_with(bench.fresh(f"long-{each}"), place, each)) for each in times}
        for server in servers.values():
            server.initialize()
            stored(server, ["the first store makes what later ones need"])
        wait_for_embeddings(servers["shared"])
        for number in range(rounds):
            for encoder, server in servers.items():
                times[encoder] += stored(server, [_text(f"{number} {encoder}")])
    return times


def _text(name: str) -> str:
    """A text of 1 MiB, another for each name."""
    parts, size = [name], len(name)
    for record in generate.records(10_000, SEED):
        parts.append(record)
        size += len(record.encode()) + 1
        if size > LONG:
            break
    return "\n".join(parts).encode()[:LONG].decode(errors="ignore")
