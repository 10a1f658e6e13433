"""Invisible characters of texts: data for frames and for captured texts, small enough for a hook to load."""

CONTROLS = bytes(i for i in (*range(32), 127) if i not in (9, 10))

# What shows nothing, wherever it stands: controls, soft hyphen, grapheme joiner, Arabic letter mark, Hangul and Khmer
# fillers, Mongolian vowel separator, zero width space, marks, embeddings, overrides, isolates, word joiner, invisible
# operators, byte order mark, interlinear annotation, surrogates, shorthand and musical controls, tags and the
# selectors of plane 14. Regional flags spelled in tags become plain black flags.
UNSEEN = (
    "\x00-\x08\x0e-\x1f\x7f\x80-\x84\x86-\x9f\xad\u034f\u061c\u115f\u1160\u17b4\u17b5\u180e\u200b\u200e\u200f"
    "\u202a-\u202e\u2060-\u206f\u3164\ufeff\uffa0\ufff0-\ufffb\ufffe\uffff\ud800-\udfff"
    "\U0001bca0-\U0001bca3\U0001d173-\U0001d17a\U000e0000-\U000e0fff"
)
BREAKS = "\r\x0b\x0c\x85\u2028\u2029"
JOINERS = "\u200c\u200d"
SELECTORS = "\u180b-\u180d\u180f\ufe00-\ufe0f"

# ECMA-48: CSI with parameters, the strings (OSC, DCS, SOS, PM, APC) up to BEL or ST, other sequences, lone introducers.
# A string without an end loses its introducer only: it must not take what follows along. No part can be matched twice.
SEQUENCE = (
    r"(?:\x1b\[|\x9b)[0-?]*[ -/]*[@-~]?"
    r"|(?:\x1b[\]PX^_]|[\x90\x98\x9d\x9e\x9f])[^\x07\x1b\x80-\x9f]*(?:\x07|\x1b\\|\x9c)"
    r"|\x1b[ -/]*[0-~]?"
    r"|[\x80-\x84\x86-\x9f]"
)
