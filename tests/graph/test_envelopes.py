"""Reading observations: envelopes in both shapes, and everything that is none."""

import json

import pytest

from indelible.errors import InvalidInput
from indelible.graph.envelopes import cut_heads, observation_text, parse_observation

RUN = {"type": "command.exec", "cmd": "npm test", "exitCode": 1}


def test_fields_beside_the_type_are_read():
    read = parse_observation(json.dumps({**RUN, "ts": "2025-08-08T10:30:00Z", "branch": "main"}))
    assert read.envelope == "command.exec"
    assert (read.fields["cmd"], read.fields["exitCode"], read.fields["branch"]) == ("npm test", 1, "main")


def test_fields_under_data_are_read():
    read = parse_observation('{"type": "run.summary", "mode": "code", "data": {"summary": "готово"}}')
    assert read.envelope == "run.summary"
    assert read.fields["summary"] == "готово"


def test_data_goes_before_what_stands_beside():
    read = parse_observation('{"type": "fix.apply", "result": "free", "strategy": "s", "data": {"result": "applied"}}')
    assert (read.fields["result"], read.fields["strategy"]) == ("applied", "s")


def test_data_that_is_no_object_is_a_key_of_the_caller():
    read = parse_observation('{"type": "run.summary", "summary": "x", "data": [1]}')
    assert (read.envelope, read.fields["summary"]) == ("run.summary", "x")


PLAIN = [
    "",
    "prefers tabs",
    "{placeholder} is not filled",
    "[1, 2]",
    '"command.exec"',
    "{}",
    '{"type": null}',
    '{"type": 7}',
    '{"type": ["run.summary"]}',
    '{"type": "Command.Exec", "cmd": "x"}',
    '{"kind": "command.exec"}',
    '{"data": {"type": "run.summary", "summary": "x"}}',
    '{"a":' * 50_000,
    '{"type": "note", "size": 1e999}',
    '{"n": ' + "9" * 5_000 + "}",
]


@pytest.mark.parametrize("text", PLAIN, ids=lambda text: text[:40])
def test_what_has_no_type_of_the_seven_is_no_envelope_and_not_broken(text):
    read = parse_observation(text)
    assert (read.envelope, read.broken, read.text) == (None, False, text)
    assert cut_heads(read) == text


BROKEN = [
    '{"type": "command.exec", "cmd": "x"',
    ' \n{"type": "run.summary", summary: "x"}',
    '{"type": "command.exec", "cmd": "x", "exitCode": NaN}',
    '{"type": "command.exec", "cmd": "x", "exitCode": -Infinity}',
    '{"type": "command.exec", "cmd": "x", "exitCode": 0, "durationMs": 1e999}',
    '{"type": "command.exec", "cmd": "x", "exitCode": ' + "9" * 5_000 + "}",
    '{"type": "command.exec", "a":' + "[" * 50_000,
    '{"type": "run.summary", "summary": "x"} and more',
]


@pytest.mark.parametrize("text", BROKEN, ids=lambda text: text[:60])
def test_what_begins_like_an_envelope_and_is_no_json_is_broken(text):
    read = parse_observation(text)
    assert (read.envelope, read.broken, read.text) == (None, True, text)


def test_an_envelope_may_stand_in_white_space():
    assert parse_observation(f"\n\t {json.dumps(RUN)} \r\n").envelope == "command.exec"


# --- As text ---

TEXTS = [
    ("plain  text ", "plain  text "),
    ({"type": "run.summary", "summary": "完了"}, '{"type":"run.summary","summary":"完了"}'),
    ({"b": [1, 2.5, None, True], "a": {}}, '{"b":[1,2.5,null,true],"a":{}}'),
    ({"half": "\ud800 日"}, '{"half":"\\ud800 \\u65e5"}'),
    ({}, "{}"),
]


@pytest.mark.parametrize(("given", "text"), TEXTS)
def test_an_observation_becomes_the_text_that_is_stored(given, text):
    assert observation_text(given) == text


@pytest.mark.parametrize("value", [float("nan"), float("inf"), b"x", {1}])
def test_an_object_that_is_no_json_is_refused(value):
    with pytest.raises(InvalidInput, match="observations: an object must be JSON"):
        observation_text({"x": value})


def test_an_object_without_an_end_is_refused():
    endless: dict[str, object] = {}
    endless["self"] = endless
    with pytest.raises(InvalidInput, match="observations: an object must be JSON"):
        observation_text(endless)


# --- Heads ---

LIMIT = 8192


def cut(envelope):
    return cut_heads(parse_observation(json.dumps(envelope, ensure_ascii=False)))


@pytest.mark.parametrize("head", ["stdoutHead", "stderrHead"])
@pytest.mark.parametrize("letter", ["a", "é", "語", "🙂"])
@pytest.mark.parametrize("before", ["", "a", "aa", "aaa"])
def test_a_head_over_8_kib_is_cut_between_characters_with_a_mark(head, letter, before):
    long = before + letter * 9000
    size = len(long.encode())
    made = json.loads(cut({**RUN, head: long}))
    kept, mark = made[head].split("…")
    assert mark == f" [cut: {size:,} bytes in all]"
    assert long.startswith(kept)
    assert LIMIT - 4 < len(made.pop(head).encode()) <= LIMIT
    assert made == RUN


def test_a_head_of_8_kib_stays_and_so_does_the_text_around_it():
    text = json.dumps({**RUN, "stdoutHead": "語" * 2730 + "aa", "n": 1.50}, indent=3)
    assert cut_heads(parse_observation(text)) == text
    longer = json.dumps({**RUN, "stdoutHead": "語" * 2730 + "aaa"})
    assert cut_heads(parse_observation(longer)) != longer


def test_cutting_again_changes_nothing():
    once = cut({**RUN, "stdoutHead": "x" * 20_000, "stderrHead": "y" * 20_000})
    assert cut_heads(parse_observation(once)) == once


PLACES = [
    lambda head: {**RUN, "stderrHead": head},
    lambda head: {**RUN, "context": {"stderrHead": head, "b": 1}},
    lambda head: {"type": "command.exec", "data": {"cmd": "x", "exitCode": 0, "stderrHead": head}},
    lambda head: {"type": "error.capture", "data": {"context": {"stderrHead": head}}},
]


@pytest.mark.parametrize("place", PLACES)
def test_a_head_is_cut_wherever_an_envelope_may_carry_it(place):
    mark = "… [cut: 30,000 bytes in all]"
    kept = "z" * (LIMIT - len(mark.encode()))
    assert json.loads(cut(place("z" * 30_000))) == place(kept + mark)


def test_order_numbers_and_other_languages_outlive_a_cut():
    text = '{"z":"ü","type":"command.exec","stdoutHead":"%s","cmd":"日本","exitCode":-9}' % ("x" * 9000)
    made = cut_heads(parse_observation(text))
    assert list(json.loads(made)) == ["z", "type", "stdoutHead", "cmd", "exitCode"]
    assert made.startswith('{"z":"ü","type":')
    assert made.endswith('"cmd":"日本","exitCode":-9}')


def test_half_a_surrogate_pair_in_a_long_head_does_no_harm():
    text = '{"type":"command.exec","cmd":"x","exitCode":0,"stdoutHead":"%s"}' % ("\\ud83d" * 5000)
    made = cut_heads(parse_observation(text))
    assert made.isascii()
    assert json.loads(made)["stdoutHead"].startswith("\ud83d" * 2700)


def test_what_is_no_envelope_is_not_cut():
    text = json.dumps({"type": "note", "stdoutHead": "x" * 20_000})
    assert cut_heads(parse_observation(text)) == text
