"""Captured text loses tokens that look random too; what only names a build, a file or a person stays."""

import base64
import json
import subprocess
import sys
import sysconfig
from pathlib import Path
from random import Random

import pytest

import on_postgres
import secret_corpus
import secret_draws
from indelible.sanitize.entropy import redact_captured
from indelible.sanitize.secret_spans import redact_text

R = Random(11)
ALNUM, URLSAFE, BASE64, HEX = secret_draws.ALNUM, secret_draws.URLSAFE, secret_draws.BASE64, secret_draws.HEX
PLACES = (
    "XQ_THING=@",
    'value: "@"',
    "'@',",
    "got @ back",
    'curl -H "X-Thing: @" https://a.io/v1',
    '{"data": "@", "page": 2}',
    "https://a.io/v1/items/@",
    "https://a.io/v1/items?x=@&y=1",
    "run --with @ --dry-run",
    "@",
)
MARK = "[REDACTED:high-entropy]"


@pytest.mark.parametrize(
    ("alphabet", "least", "most", "share"),
    [
        (ALNUM, 20, 23, 0.8),
        (ALNUM, 24, 31, 0.9),
        (ALNUM, 32, 48, 0.96),
        (URLSAFE, 32, 64, 0.96),
        (BASE64, 40, 60, 0.95),
    ],
)
def test_a_random_token_without_name_or_prefix_is_taken_out(alphabet, least, most, share):
    found = 0
    for number in range(500):
        token = secret_draws.drawn(R, alphabet, least, most)
        clean, counts = redact_captured(PLACES[number % len(PLACES)].replace("@", token))
        found += token not in clean
        assert (token in clean) == (not counts)
    assert found / 500 >= share


def test_the_rules_for_every_text_hold_for_captured_text_too():
    for line, secret in secret_corpus.lines()[::7]:
        if secret is not None:
            clean, counts = redact_text(line)
            captured, more = redact_captured(line)
            assert {rule: more.get(rule) for rule in counts} == counts
            assert secret not in captured
            if "high-entropy" not in more:
                assert captured == clean


def test_the_hard_negatives_of_the_corpus_stay_as_they_are():
    taken = [line for line, secret in secret_corpus.lines() if secret is None and redact_captured(line)[1]]
    taken = [line for line in taken if not redact_text(line)[1]]  # what the rules for every text take is another matter
    assert len(taken) <= 5, taken[:10]


def _drawn(alphabet: str, size: int) -> str:
    return secret_draws.drawn(Random(size), alphabet, size)


PICTURE = base64.b64encode(b"\x89PNG\r\n\x1a\n" + Random(1).randbytes(90)).decode()
PLAIN = [
    f"commit {_drawn(HEX, 40)}",
    f"{_drawn(HEX, 64)}  dist/indelible-0.1.0.whl",
    f"trace_id={_drawn(HEX, 32)} span={_drawn(HEX, 16)}",
    f"session {secret_draws.uuid(R)} closed",
    f"session {secret_draws.uuid(R).upper()} closed",
    '"integrity": "sha512-' + base64.b64encode(Random(2).randbytes(64)).decode() + '"',
    "github.com/acme/app v1.2.3 h1:" + base64.b64encode(Random(3).randbytes(32)).decode(),
    "core.py,sha256=" + _drawn(URLSAFE, 43) + ",812",
    f"SHA256:{_drawn(BASE64, 43)} ann@host (ED25519)",
    f'ETag: W/"{_drawn(ALNUM, 27)}"',
    f"<img src='data:image/png;base64,{PICTURE}'>",
    PICTURE,
    f"ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAI{_drawn(BASE64, 43)} ann@host",
    "\n".join(_drawn(BASE64, 64) for _ in range(4)),
    "toolu_01A09q90qw90lq917835lq9 and chatcmpl-9aBcDeFgHiJkLmNoPqRsTuVwXyZ12 and req_7Hq2LmP0sVbN8xYtRzA4kE",
    "/home/ann/.cache/uv/archive-v0/aBcD3fGh1jKlMn0pQ/lib/python3.12/site-packages/numpy/core/_multiarray_umath.py",
    "src/components/InvoiceTotalWithDiscountAndTaxes2024.test.tsx",
    "tests/test_invoice.py::TestTotals::test_total_with_discount_2024_and_tax_19[eur-2]",
    "getUserByIdFromCacheOrDatabase2WithRetries(connectionPool, 3)",
    "AbstractSingletonProxyFactoryBean2 and NSURLSessionConfiguration and XMLHttpRequest2Adapter",
    "https://github.com/acme/app/actions/runs/19283746501/job/55123987401",
    "https://docs.python.org/3/library/decimal.html#rounding-modes-and-signals-2",
    "2026-11-22T10:21:07.123456Z level=info msg=started",
    "registry.acme.io/team/app:2026.11.22-rc1-linux-amd64",
    "numpy-2.1.3-cp311-cp311-manylinux_2_17_x86_64.manylinux2014_x86_64.whl",
    "01HF3Z9K7Q8W2E4R5T6Y7U8I9O",
    "+++ b/src/indelible/capture/clients/claude_code.py",
    "aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa11",
    "========================= 1 failed, 41 passed in 0.83s =========================",
]


@pytest.mark.parametrize("text", PLAIN, ids=range(len(PLAIN)))
def test_what_is_random_only_by_its_looks_stays(text):
    assert redact_captured(text) == (text, {})


def test_the_sources_of_the_standard_library_stay_as_they_are():
    files = sorted(Path(sysconfig.get_path("stdlib")).glob("*.py"))[:40]
    text = "\n".join(path.read_text(encoding="utf-8", errors="replace") for path in files)
    hits = redact_captured(text)[1].get("high-entropy", 0)
    assert hits <= 2, f"{hits} in {len(text) >> 10} KiB"
    assert len(text) > 1 << 19


def test_only_the_token_goes_and_a_second_pass_finds_nothing_more():
    token = "q7Hs9LmP0sVbN8xYtRzA4kEw"
    text = f"before {token} after, x={token}; {json.dumps({'y': token})}\\n{token}."
    clean, counts = redact_captured(text)
    assert clean == f'before {MARK} after, x={MARK}; {{"y": "{MARK}"}}\\n{MARK}.'
    assert counts == {"high-entropy": 4}
    assert redact_captured(clean) == (clean, {})


@pytest.mark.parametrize("scrap", ["a", "aB3", "=", "/", "aB3/", "x=", "aB3dE6gH9jK2mN5pQ8sT1v ", "\\n", "[REDACTED:"])
def test_a_text_made_to_stall_the_rules_is_read_in_linear_time(scrap):
    text = (scrap * (1 + (1 << 18) // len(scrap)))[: 1 << 18]
    redact_captured(text)  # a quadratic rule would need hours here: the suite's timeout fails the test


@pytest.mark.process
def test_the_rules_load_without_what_a_hook_has_no_time_for(monkeypatch):
    monkeypatch.delenv(on_postgres.VARIABLE, raising=False)  # by which the start of Python itself would load more
    program = "import indelible.sanitize.entropy, sys; print(*sys.modules)"
    loaded = set(
        subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True).stdout.split()
    )
    assert loaded.isdisjoint(
        {"typing", "dataclasses", "json", "argparse", "pathlib", "indelible.sanitize.redact", "inspect"}
    )
