"""What is embedded behind the answer to a write: what that costs writes, when it is done, who finds it before that."""

import statistics
import time
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack
from pathlib import Path

import generate
from client import Server
from encoding import encoder_place, serve_with, wait_for_embeddings
from report import Figure, ms, percentile
from stores import Bench
from storing import stored

SEED = 11
ENCODERS = ("off", "shared")
BLOCK = 50  # stores of one client, one right after another, before it is the other's turn
BLOCKS = 8
CLIENTS = 4
RUNS = 7
BURST = 1_000
ASKED = 200
UNEMBEDDED = "indelible/unembedded"
# A statement and a question that means it and has none of its words.
MEANT = (
    ("The cat sleeps on the warm radiator", "where do felines nap?"),
    ("Our physician prescribed antibiotics", "which medicine did a doctor give us?"),
    ("Salaries are transferred every Friday", "when do employees get paid?"),
    ("The automobile broke down near Lyon", "what happened to my car?"),
    ("Passwords are hashed with argon2id", "how do we protect user credentials?"),
    ("We picked PostgreSQL to hold customer records", "which database do clients live in?"),
    ("Grandma bakes bread each Sunday morning", "who makes a loaf at weekends?"),
    ("The nightly backup job fails at two", "why is copying data broken?"),
    ("Children play football in the garden", "where are kids kicking a ball?"),
    ("The aircraft was delayed by fog", "why did my plane leave late?"),
    ("Rent is due at the start of a month", "when must tenants pay their landlord?"),
    ("She repairs broken bicycles", "who mends damaged bikes?"),
    ("He was fired for stealing money", "why did his employer dismiss him?"),
    ("The lawyer won her case in court", "how did an attorney fare before judges?"),
    ("Wolves hunt deer in winter", "what do predators eat when it snows?"),
    ("The film was boring and too long", "did you enjoy watching that movie?"),
    ("A thief broke into the jewellery shop", "which store was burgled?"),
    ("My laptop's battery lasts three hours", "how much time does a computer run unplugged?"),
    ("Vaccines prevent measles", "how can one avoid catching an infectious disease?"),
    ("The pupils visited a museum", "what did students see on their school trip?"),
)


def behind(bench: Bench) -> list[Figure]:
    """Writes with a warm encoder and without one, a burst, and records asked for as soon as they are stored."""
    return [*_one_client(bench), *_four_clients(bench), *_burst(bench), *_asked_at_once(bench)]


def _warm(server: Server) -> None:
    server.initialize()
    server.call("store_memory", content="the first store makes what later ones need")
    server.call("recall_memory", query="wake up")
    wait_for_embeddings(server)


def _one_client(bench: Bench) -> list[Figure]:
    block, blocks = bench.size(BLOCK, 10), bench.size(BLOCKS, 3)
    texts = generate.records(10_000, SEED)
    times: dict[str, list[float]] = {each: [] for each in ENCODERS}
    with encoder_place() as place, ExitStack() as stack:
        servers = {each: stack.enter_context(serve_with(bench.fresh(f"one-{each}"), place, each)) for each in ENCODERS}
        for encoder, server in servers.items():
            _warm(server) if encoder == "shared" else server.initialize()
        for _ in range(blocks):
            for encoder, server in servers.items():
                times[encoder] += stored(server, [next(texts) for _ in range(block)])
            wait_for_embeddings(servers["shared"])  # or it would embed while the other is measured
    plain, warm = (statistics.median(times[each]) for each in ENCODERS)
    return [
        Figure(
            "store_memory one right after another, warm encoder / encoder off, p50",
            warm / plain,
            f"{ms(warm)} / {ms(plain)}; p99 {ms(percentile(times['shared'], 99))} / "
            f"{ms(percentile(times['off'], 99))} ({len(times['off'])} each, in turns of {block})",
            most=1.3,
        )
    ]


def _four_clients(bench: Bench) -> list[Figure]:
    each, runs = bench.size(100, 5), bench.size(RUNS, 1)
    texts = generate.records(100_000, SEED + 1)
    rates: dict[str, list[float]] = {encoder: [] for encoder in ENCODERS}
    for run in range(runs):
        for encoder in ENCODERS:
            some = [[next(texts) for _ in range(each)] for _ in range(CLIENTS)]
            rates[encoder].append(CLIENTS * each / _together(bench.fresh(f"four-{encoder}-{run}"), encoder, some))
    plain, warm = (statistics.median(rates[encoder]) for encoder in ENCODERS)
    spread = ", ".join(f"{rate:,.0f}" for rate in sorted(rates["shared"]))
    return [
        Figure(
            f"store_memory, {CLIENTS} clients with a server each, warm encoder / encoder off",
            warm / plain,
            f"{warm:,.0f} / {plain:,.0f} a second, medians of {runs} alternating runs; warm: {spread}",
        )
    ]


def _together(data: Path, encoder: str, texts: Sequence[Sequence[str]]) -> float:
    """Seconds until every client has stored its texts."""
    with encoder_place() as place, ExitStack() as stack, ThreadPoolExecutor(CLIENTS) as pool:
        servers = [stack.enter_context(serve_with(data, place, encoder)) for _ in texts]
        for server in servers:
            _warm(server) if encoder == "shared" else server.initialize()
        began = time.perf_counter()
        list(pool.map(stored, servers, texts))
        return time.perf_counter() - began


def _burst(bench: Bench) -> list[Figure]:
    count = bench.size(BURST, 40)
    texts = list(generate.records(count, SEED + 2))
    with encoder_place() as place, serve_with(bench.fresh("burst"), place) as server:
        _warm(server)
        began = time.perf_counter()
        stored(server, texts)
        acknowledged = time.perf_counter() - began
        wait_for_embeddings(server)
        took = time.perf_counter() - began
    return [
        Figure(
            f"a burst of {count:,} store_memory, until all are embedded / until all are acknowledged",
            took / acknowledged,
            f"{took:.1f} / {acknowledged:.1f} s from the first",
            most=60.0,
            value=took,
            unit=" s",
        )
    ]


def _asked_at_once(bench: Bench) -> list[Figure]:
    count = bench.size(ASKED, 20)
    with encoder_place() as place, ExitStack() as stack:
        data = bench.fresh("asked")
        servers = [stack.enter_context(serve_with(data, place)) for _ in range(2)]
        for server in servers:
            _warm(server)
        figures = []
        for name, asking in (("same process", servers[0]), ("another process", servers[1])):
            found = said = 0
            for number in range(count):
                text, question = MEANT[number % len(MEANT)]
                space = f"/case/{name}/{number}"
                stored = servers[0].call("store_memory", content=text, namespace=space)["id"]
                answer = asking.request(
                    "tools/call",
                    {"name": "recall_memory", "arguments": {"query": question, "namespace": space, "k": 3}},
                )
                is_found = any(hit["id"] == stored for hit in answer["structuredContent"]["result"])
                found += is_found
                said += not is_found and UNEMBEDDED in answer.get("_meta", {})
            missed = count - found
            figures.append(
                Figure(
                    f"stored, then asked at once by a question without any of its words, {name}: found / asked",
                    found / count,
                    f"{found} / {count}; of the {missed} others _meta says of {said} that they are not embedded yet",
                )
            )
    return figures
