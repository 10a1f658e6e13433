"""More than 400 kinds of credentials are taken out wherever they stand, and 20,000 lines that only look so stay."""

import base64
import binascii
import json
import re
import struct
import zlib
from collections.abc import Callable
from functools import cache
from random import Random

import pytest

import innocent_lines
from indelible.sanitize.secret_spans import redact_text
from named_secrets import BY_NAME
from secret_formats import WITH_A_MARK, drawn

MARK = re.compile(r"\[REDACTED:[a-z0-9-]+\]")
PIECE = 8
DRAWS = 3
HELD_BACK = 4  # every fourth kind was not looked at while the rules were written

Place = Callable[[str, str, str], str]  # name of the credential, what stands before it, the credential


def _identifier(name: str) -> str:
    return name.replace(" ", "_")


def _named(template: str) -> Place:
    return lambda name, before, secret: template.format(
        name=name, id=_identifier(name), ID=_identifier(name).upper(), said=before + secret
    )


def _json(name: str, before: str, secret: str) -> str:
    return json.dumps({"region": "eu", _identifier(name): before + secret, "retries": 3})


def _escaped_json(name: str, before: str, secret: str) -> str:
    return json.dumps({"payload": _json(name, before, secret), "log": f"first\n{_identifier(name)}: ok"})


def _wrapped(name: str, before: str, secret: str) -> str:
    middle = len(secret) // 2
    return f"{_identifier(name)}: {before}{secret[:middle]}\n{secret[middle:]}\nand so on"


PLACES: dict[str, Place] = {
    "prose": _named("We met on Monday. The {name} is {said} and it works, so keep it."),
    "table": _named("| {name} | {said} | 2026-01-12 |"),
    "json": _json,
    "escaped json": _escaped_json,
    "yaml": _named("service:\n  {id}: {said}\n  replicas: 2"),
    "shell": _named('export {ID}="{said}"\n./run.sh --verbose'),
    "wrapped": _wrapped,
}
# Where a token says by itself what it is, nothing else does.
BARE_PLACES: dict[str, Place] = {
    "prose": _named("I pasted {said} into the settings, and it worked."),
    "table": _named("| deploy | {said} | 2026-01-12 |"),
    "json": lambda _, before, secret: json.dumps({"level": "info", "value": before + secret, "retries": 3}),
    "escaped json": lambda _, before, secret: json.dumps({"log": json.dumps({"a": f"x\n{before}{secret}\ny"})}),
    "yaml": _named("service:\n  setting: {said}\n  replicas: 2"),
    "shell": _named("./deploy --with {said} --dry-run"),
    "wrapped": lambda _, before, secret: (
        f"it says {before}{secret[: len(secret) // 2]}\n  {secret[len(secret) // 2 :]}\nand so on"
    ),
}


def survives(text: str, secret: str) -> bool:
    """Whether a piece of a secret is left of a text."""
    rest = MARK.sub("\n", redact_text(text)[0])
    size = min(PIECE, len(secret))
    return any(secret[at : at + size] in rest for at in range(len(secret) - size + 1))


def held_back(kind: str) -> bool:
    return zlib.crc32(kind.encode()) % HELD_BACK == 0


@cache
def texts() -> list[tuple[str, str, str, str]]:
    """Kind, place, text and secret of each."""
    random = Random(20_260_901)
    made = []
    for shapes, places in ((WITH_A_MARK, BARE_PLACES), (BY_NAME, PLACES)):
        for kind, shape in shapes.items():
            for _ in range(DRAWS):
                before, _, secret = drawn(random, shape).rpartition("@@")
                made += [(kind, name, place(kind, before, secret), secret) for name, place in places.items()]
    return made


def missed(*, part: Callable[[str], bool] = lambda _: True) -> dict[str, set[str]]:
    """The kinds that are not always taken out, by place."""
    found: dict[str, set[str]] = {place: set() for place in PLACES}
    for kind, place, text, secret in texts():
        if part(kind) and survives(text, secret):
            found[place].add(kind)
    return found


def test_there_are_more_than_400_kinds_and_each_is_drawn_anew():
    kinds = {**WITH_A_MARK, **BY_NAME}
    assert len(kinds) == len(WITH_A_MARK) + len(BY_NAME) > 400
    assert all(secret in text or place == "wrapped" for _, place, text, secret in texts())


@pytest.mark.slow
@pytest.mark.parametrize("part", ["held back", "known"])
def test_nearly_every_kind_of_credential_is_taken_out_in_each_place(part: str):
    def belongs(kind: str) -> bool:
        return held_back(kind) == (part == "held back")

    kinds = [kind for kind in (*WITH_A_MARK, *BY_NAME) if belongs(kind)]
    lost = missed(part=belongs)
    shares = {place: round(1 - len(kinds_lost) / len(kinds), 3) for place, kinds_lost in lost.items()}
    assert {place: sorted(lost[place])[:40] for place, share in shares.items() if share < 0.97} == {}
    assert sum(map(len, lost.values())) / (len(kinds) * len(PLACES)) <= 0.03


@pytest.mark.slow
def test_at_most_one_of_a_hundred_texts_that_are_changed_had_no_secret():
    wrong = [line for line in innocent_lines.lines(20_000, seed=7) if redact_text(line)[1]]
    right = sum(1 for *_, text, _ in texts() if redact_text(text)[1])
    assert right / (right + len(wrong)) >= 0.99, (len(wrong), right, wrong[:40])
    assert len(wrong) <= 40, wrong


@pytest.mark.parametrize("encode", ["base64", "base64url", "hex", "HEX", "base64 of a line"])
def test_a_known_token_in_base64_or_hexadecimal_is_taken_out(encode: str):
    random = Random(5)
    kinds = [kind for kind, shape in WITH_A_MARK.items() if "@@" not in shape]
    lost = []
    for kind in kinds:
        secret = drawn(random, WITH_A_MARK[kind])
        plain = f"user: deploy\nvalue: {secret}\n" if encode == "base64 of a line" else secret
        raw = {
            "base64": base64.b64encode,
            "base64url": base64.urlsafe_b64encode,
            "hex": binascii.hexlify,
            "HEX": lambda data: binascii.hexlify(data).upper(),
            "base64 of a line": base64.b64encode,
        }[encode](plain.encode())
        if survives(f"the log says {raw.decode()} and then stops", raw.decode()):
            lost.append(kind)
    assert len(lost) / len(kinds) <= 0.03, lost


@pytest.mark.slow
@pytest.mark.parametrize(
    "data",
    [struct.pack("<200000I", *range(200_000)), struct.pack("<50000d", *(n / 7 for n in range(50_000)))],
    ids=["whole numbers", "numbers"],
)
def test_a_vector_in_base64_stays_though_it_has_every_short_anchor_somewhere(data: bytes):
    text = base64.b64encode(data).decode()
    assert redact_text(text) == (text, {})


def test_what_is_encoded_and_no_token_stays():
    plain = "a sentence of some length, which says nothing secret at all"
    for text in (base64.b64encode(plain.encode()).decode(), plain.encode().hex()):
        assert redact_text(text) == (text, {})


SECRET = drawn(Random(9), "{b 38}q7")
ACCESS = drawn(Random(9), "AKIA{3 16}")
TOKEN = drawn(Random(9), "ghp_{a 36}")
LOGIN = base64.b64encode(b"deploy:" + drawn(Random(9), "{a 16}").encode()).decode()
SIGNATURE = drawn(Random(9), "{a 20}-{a 10}_{a 11}")
PASSWORD = "Tr0ub4dor" + "&3x"


@pytest.mark.parametrize(
    ("text", "secret"),
    [
        (json.dumps({"log": f"{ACCESS}\n{SECRET}\n"}), SECRET),
        (json.dumps({"auths": {"registry.example.com": {"auth": LOGIN}}}), LOGIN),
        (json.dumps({"config": json.dumps({"auths": {"r.io": {"auth": LOGIN}}})}), LOGIN),
        (f"db.example.com:5432:main:app:{PASSWORD}", PASSWORD),
        (f"*:*:*:app:{PASSWORD}\n", PASSWORD),
        (f'variable "db_password" {{\n  type    = string\n  default = "{PASSWORD}"\n}}', PASSWORD),
        (f"The password for production is {PASSWORD}, as agreed.", PASSWORD),
        (f"the API key of the mail service is now {SECRET[:32]}.", SECRET[:32]),
        (f"https://a.blob.core.windows.net/c?sv=2024-11-04&sig={SIGNATURE}", SIGNATURE),
        (f"/srv/app:/etc/app:password: {PASSWORD}", PASSWORD),
        (f"prod:eu-west-1:db:password: {PASSWORD}", PASSWORD),
        (f'key = "{TOKEN[:20]}" +\n    "{TOKEN[20:]}"', TOKEN),
        (f"curl -H {TOKEN[:22]}\\\n{TOKEN[22:]} https://a.io", TOKEN),
        (json.dumps({"log": f"> {TOKEN[:17]}\n> {TOKEN[17:]}"}), TOKEN),
    ],
)
def test_a_secret_is_taken_out_of_the_places_that_issue_21_names(text: str, secret: str):
    assert not survives(text, secret)


def test_what_stands_on_the_line_after_a_whole_token_stays():
    for after in ("Next.js 14.2", "a note on it", "8f3a9c2 Fix the tests", "README.md", "## 2026-03-01"):
        clean, counts = redact_text(f"{TOKEN}\n{after}")
        assert clean == f"[REDACTED:github-token]\n{after}"
        assert counts == {"github-token": 1}
