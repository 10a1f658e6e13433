"""`indelible recall` says of which hits it is less sure, and which are rules that may apply."""

import json

import pytest

import encoders
from command_line import done

pytestmark = pytest.mark.process


@pytest.mark.full
def test_a_recall_marks_what_only_its_meaning_brings_far_below_the_best(data):
    with encoders.runtime():
        encoders.woken().close()
        texts = ("The database password is rotated by hand", "We use Redis, because Postgres was too slow for sessions")
        done("import", data=data, stdin="\n".join(json.dumps({"content": text}) for text in texts).encode())
        done("reembed", data=data, env=encoders.SHARED)
        best, far = done("recall", "database", data=data, env=encoders.SHARED).splitlines()[1:]
        assert best.endswith(f"  {texts[0]}")
        assert far.endswith(f"  (less sure) {texts[1]}")
        (alone,) = done("recall", "storage engine", data=data, env=encoders.SHARED).splitlines()[1:]
        assert alone.endswith(f"  {texts[1]}")


@pytest.mark.full
def test_a_recall_marks_a_rule_that_stands_beside_the_answers(data):
    with encoders.runtime():
        encoders.woken().close()
        answer = "Emoji that override the direction of a text are shown as they are"
        rule = {"content": "Use serde_json::Value for dynamic JSON", "memory_type": "pattern"}
        done("import", data=data, stdin="\n".join(map(json.dumps, ({"content": answer}, rule))).encode())
        done("reembed", data=data, env=encoders.SHARED)
        best, beside = done("recall", "emoji direction", data=data, env=encoders.SHARED).splitlines()[1:]
        assert best.endswith(f"  {answer}")
        assert beside.endswith(f"  (standing rule) {rule['content']}")
