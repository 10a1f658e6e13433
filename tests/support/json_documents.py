"""Any JSON with comments, for Hypothesis: every blank, comment and comma at random."""

import json
import re

from hypothesis import strategies as st

GAPS = st.sampled_from(
    [
        "",
        "",
        "",
        " ",
        "\n  ",
        "\r\n\t",
        "/**/",
        ' /* a, b } ] " */',
        ' // c: { [ " \\\n',
        "\n/*\n * two\n */\n",
        "// d\r\n",
    ]
)
KEYS = st.sampled_from(["a", "b", "é", "日本", 'q"uote', "with\\slash", "url", ""])
SCALARS = st.sampled_from(
    [
        "null",
        "true",
        "0",
        "-1.5e+3",
        "12345678901234567890.10",
        '""',
        '"a, } // b"',
        '"/* \\" */"',
        '"\\u00e9\\ud83d\\ude00"',
        '"é日"',
    ]
)


@st.composite
def arrays(draw):
    return written_out(draw, "[", ["" for _ in range(draw(st.integers(0, 2)))], SCALARS, "]")


@st.composite
def objects(draw, keys=(), inner=SCALARS):
    """An object with other members besides those named; each value, blank and comma at random."""
    others = draw(st.lists(KEYS, max_size=3 if not keys else 2, unique=True))
    return written_out(draw, "{", [*keys, *others], inner, "}")


def written_out(draw, opening, keys, inner, closing):
    text = opening
    for place, key in enumerate(keys):
        comma = "," if place < len(keys) - 1 or draw(st.booleans()) else ""
        name = f"{json.dumps(key)}{draw(GAPS)}:{draw(GAPS)}" if opening == "{" else ""
        text += draw(GAPS) + name + draw(inner) + draw(GAPS) + comma
    return text + draw(GAPS) + closing


def comments(text):
    tokens = re.findall(r'"(?:[^"\\]|\\.)*"|//[^\r\n]*|/\*.*?\*/', text, re.DOTALL)
    return [token for token in tokens if token.startswith("/")]
