"""Find the secrets of a text, and replace them.

Every scanner below yields spans of one text; overlapping spans become one, so that no part of a secret stays. Scanners
start from literal anchors found by substring search and match with bounded or possessive quantifiers, so that the cost
grows with the length of the text alone. A hook loads this for each call of an agent: what only few texts need is
imported where it is needed.
"""

import re
from collections.abc import Iterator

from indelible.sanitize import secret_rules as rules
from indelible.sanitize.secret_rules import assigned_rule, compiled, is_stand_in
from indelible.sanitize.secret_shapes import ALNUM
from indelible.sanitize.secret_tokens import SHORTEST, decoded_base64, jwts, tokens

# Imported late (hooks, redact): hashlib, indelible.project, indelible.sanitize.private_tags
# Imported late (hooks, redact): indelible.sanitize.secrets_in_prose
# Imported late (redact): indelible.sanitize.secrets_in_pieces

_Match = re.Match[str]
Span = tuple[int, int, str]  # start, end, rule

# A replacement can complete the right boundary of what stands before it; each pass redacts at least one secret.
_PASSES = 8
_LONGEST_BLOCK = 65_536
LONGEST_NAME = 60
_JUDGED = 512
_TRIES = 16
_RANDOM = 20  # characters of a secret of which 16 bits say nothing
_WHOLE = frozenset(("private-span", "private-key"))  # they have an end of their own
_NAME_CHARACTERS = "abcdefghijklmnopqrstuvwxyz0123456789_.-"


def redact_text(text: str) -> tuple[str, dict[str, int]]:
    """Replace each secret by `[REDACTED:<rule>]`, and count them by rule, rules sorted; clean text comes back as is."""
    counts: dict[str, int] = {}
    for _ in range(_PASSES):
        spans = _spans(text)
        if not spans:
            break
        text = replaced(text, spans, counts)
    return text, dict(sorted(counts.items()))


def redact_path(path: str) -> str | None:
    """Return an absolute path with a mark for each secret, and as much of its digest as tells two apart; else None.

    A path may be the name of a project: two that differ in their secrets alone stay two. 16 bits give no random token
    away; a password could be guessed with them, so what may be one has a mark alone.
    """
    import hashlib

    from indelible.project import is_path

    if not is_path(path) or any(letter.isspace() for letter in path):
        return None
    pieces, done = list[str](), 0
    for start, end, rule in spans_of(path):
        pieces += (path[done:start], mark_of(rule))
        if end - start >= _RANDOM and rule != "assigned-secret":
            pieces += ("~", hashlib.sha256(path[start:end].encode()).hexdigest()[:4])
        done = end
    return "".join([*pieces, path[done:]])


def spans_of(text: str) -> list[Span]:
    """Return the spans of the secrets that `redact_text` replaces, in order and disjoint."""
    known: list[Span] = []
    for _ in range(_PASSES):
        found = _spans(replaced(text, known, {}))
        if not found:
            break
        known = _merged([*known, *_in_text(found, known)])
    return known


def _in_text(found: list[Span], known: list[Span]) -> Iterator[Span]:
    """Spans of a text in which the known ones are replaced, as they stand in the text itself."""
    for start, end, rule in found:
        yield _origin(start, known)[0], _origin(end - 1, known)[1], rule


def _origin(place: int, known: list[Span]) -> tuple[int, int]:
    """The bounds of the character of a text, or of its span, that stands at a place where spans are replaced."""
    for start, end, rule in known:
        if place < start:
            break
        mark = len(mark_of(rule))
        if place < start + mark:
            return start, end
        place += end - start - mark
    return place, place + 1


def mark_of(rule: str) -> str:
    """Return the mark that replaces a secret."""
    return f"[REDACTED:{rule}]"


def replaced(text: str, spans: list[Span], counts: dict[str, int]) -> str:
    """The text with a mark for each span, which are disjoint and in order; they are added to `counts` by rule."""
    pieces: list[str] = []
    done = 0
    for start, end, rule in spans:
        pieces += (text[done:start], mark_of(rule))
        counts[rule] = counts.get(rule, 0) + 1
        done = end
    pieces.append(text[done:])
    return "".join(pieces)


def _spans(text: str) -> list[Span]:
    """All secrets of a text, in order and disjoint; of overlapping ones the rule of the scanner named first counts."""
    spans = _of_one_piece(text)
    if len(text) < SHORTEST or ("\n" not in text and "\\n" not in text):
        return spans
    from indelible.sanitize.secrets_in_pieces import broken

    # What begins in a known one goes on after it, or does not: that is looked at by itself.
    more = [span for span in broken(text, _of_one_piece) if not _overlaps((span[0], span[0] + 1, ""), spans)]
    return _continued(text, _merged([*spans, *more]) if more else spans)


def _of_one_piece(text: str) -> list[Span]:
    lowered = text.replace("\u0130", "i").lower()  # U+0130 alone grows when lowered: offsets must stay those of `text`
    found = [*_hidden(lowered), *_private_keys(text), *tokens(text), *jwts(text)]
    found += [*_url_passwords(text), *_authorizations(text, lowered), *_argument_passwords(text, lowered)]
    merged = _merged(found)
    guesses = [span for span in _guesses(text, lowered) if not _overlaps(span, merged)]
    return _merged([*merged, *guesses]) if guesses else merged


def _guesses(text: str, lowered: str) -> Iterator[Span]:
    """Yield the spans that are secrets because of the text before them."""
    keywords = list(_keywords(lowered))
    yield from _assignments(text, lowered, keywords)
    if keywords or ":" in lowered:
        from indelible.sanitize.secrets_in_prose import spans_in_prose

        yield from spans_in_prose(text, lowered, keywords)


def _keywords(lowered: str) -> Iterator[_Match]:
    """Yield what `finditer` would for `KEYWORD`, whose matches begin with one of `KEYWORDS`: these are found sooner."""
    places = set[int]()
    for word in rules.KEYWORDS:
        at = lowered.find(word)
        while at != -1:
            places.add(at)
            at = lowered.find(word, at + len(word))
    done = 0
    for at in sorted(places):
        if at >= done and (match := compiled(rules.KEYWORD).match(lowered, at)):
            yield match
            done = match.end()


def _continued(text: str, spans: list[Span]) -> list[Span]:
    """The same, with what stands of a secret on the next lines."""
    longer = []
    for start, end, rule in spans:
        if rule not in _WHOLE and text[end : end + 2].strip(" \t\"'")[:1] in ("", "\n", "\r", "\\") and end < len(text):
            from indelible.sanitize.secrets_in_pieces import continued

            longer.append((start, continued(text, end, text[start:end]), rule))
        else:
            longer.append((start, end, rule))
    return _merged(longer) if longer != spans else spans


def _hidden(lowered: str) -> Iterator[Span]:
    if "private" in lowered:
        from indelible.sanitize.private_tags import private_ranges

        for start, end in private_ranges(lowered):
            yield start, end, "private-span"


def _merged(spans: list[Span]) -> list[Span]:
    ranked = sorted((start, rank, end, rule) for rank, (start, end, rule) in enumerate(spans))
    merged: list[tuple[int, Span]] = []
    for start, rank, end, rule in ranked:
        if merged and start < merged[-1][1][1]:
            best, (first, last, known) = merged[-1]
            merged[-1] = (min(best, rank), (first, max(last, end), known if best < rank else rule))
        else:
            merged.append((rank, (start, end, rule)))
    return [span for _, span in merged]


def _overlaps(span: Span, disjoint: list[Span]) -> bool:
    """Return whether a span overlaps one of those that are in order."""
    low, high = 0, len(disjoint)
    while low < high:
        middle = (low + high) // 2
        low, high = (middle + 1, high) if disjoint[middle][1] <= span[0] else (low, middle)
    return low < len(disjoint) and disjoint[low][0] < span[1]


def _private_keys(text: str) -> Iterator[Span]:
    if "PRIVATE" in text or "PuTTY-User-Key" in text:
        begins = list(compiled(rules.KEY_BEGIN).finditer(text))
        limits = [*(begin.start() for begin in begins), len(text)][1:]
        for begin, limit in zip(begins, limits, strict=False):
            if end := _key_end(text, begin.end(), limit):
                yield begin.start(), end, "private-key"
    yield from _encoded_keys(text)


def _key_end(text: str, start: int, limit: int) -> int:
    """Return where the key block ends whose header ends at `start`; 0 if the header is only spoken of."""
    closing = compiled(rules.KEY_END).search(text, start, min(limit, start + _LONGEST_BLOCK))
    material = compiled(r"[A-Za-z0-9+/]{16}")
    if closing and (text[start : start + 1] not in set("\"'`),;. ") or material.search(text, start, closing.start())):
        return closing.end()
    body = compiled(rules.KEY_BODY).match(text, start, limit)
    if body and body[0]:
        return body.end()
    return start if compiled(rules.LINE_END).match(text, start) else 0


def _encoded_keys(text: str) -> Iterator[Span]:
    """PEM blocks that are themselves in base64, as in Kubernetes secrets; certificates stay."""
    for run in compiled(rules.ENCODED_KEY).finditer(text) if rules.ENCODED_BEGIN in text else ():
        if b"PRIVATE KEY" in decoded_base64(run[0][:88]):
            yield run.start(), run.end(), "private-key"


def _url_passwords(text: str) -> Iterator[Span]:
    if "://" in text:
        for match in compiled(rules.URL_PASSWORD).finditer(text):
            rule = "basic-auth" if _has_scheme(text, match.start(), rules.WEB_SCHEME) else "connection-string"
            yield from _password(match, 1, rule)
        for match in compiled(rules.URL_ODD_PASSWORD).finditer(text):
            if _has_scheme(text, match.start(), rules.DATABASE_SCHEME):
                yield from _password(match, 1, "connection-string")


def _password(match: _Match, group: int, rule: str) -> Iterator[Span]:
    if not is_stand_in(match[group]):
        yield *match.span(group), rule


def _has_scheme(text: str, colon: int, source: str) -> bool:
    head = text[max(0, colon - 16) : colon]
    return compiled(source).fullmatch(head[len(head.rstrip(ALNUM)) :].lower()) is not None


def _authorizations(text: str, lowered: str) -> Iterator[Span]:
    for match in _headers(lowered):
        start, end = match.span(3)
        value = text[start:end].rstrip(".:")
        declared = match[2] is not None or "authorization" in lowered[max(0, match.start() - 24) : match.start()]
        if match[1] == "basic":
            decoded = decoded_base64(value)
            rule = "basic-auth" if b":" in decoded[1:] and (declared or decoded.isascii()) else ""
        else:
            rule = "authorization" if rules.is_credential(value, declared=declared) else ""
        if rule:
            yield start, start + len(value), rule


def _headers(lowered: str) -> Iterator[_Match]:
    for word in ("bearer", "basic", "authorization"):
        at = lowered.find(word)
        while at != -1:
            if match := compiled(rules.AUTHORIZATION).match(lowered, at):
                yield match
            at = lowered.find(word, at + len(word))


def _argument_passwords(text: str, lowered: str) -> Iterator[Span]:
    for rule, anchor, source in rules.ARGUMENTS:
        for match in compiled(source).finditer(text) if anchor in lowered else ():
            if not match[match.lastindex or 0].isdigit():
                yield from _password(match, match.lastindex or 0, rule)


def _assignments(text: str, lowered: str, keywords: list[_Match]) -> Iterator[Span]:
    """Values assigned to names such as `password` or `api_key`, in code, configuration, command lines and DSNs."""
    done = run_end = last = tries = 0
    for keyword in keywords:
        operator = compiled(rules.OPERATOR).match(lowered, keyword.end())
        if keyword.start() < done or not operator:
            continue
        start, end, run_end = _value(text, lowered, operator.end(), run_end)
        last, tries = end, (tries + 1 if end == last else 0)  # `a=b=c=...` names one value many times
        if start < end and tries < _TRIES and (rule := _judged(text, lowered, keyword, operator, (start, end))):
            yield start, end, rule
            done = end


def _value(text: str, lowered: str, at: int, run_end: int) -> tuple[int, int, int]:
    """Bounds of the value at `at`, and where the run of bare characters there ends (`run_end`: the run before)."""
    opening = compiled(rules.OPENING).match(lowered, at)
    if opening:
        at = opening.end()
        end = _closing(text, at, opening[2], len(opening[1]))
        if end >= 0:
            return at, end, run_end
    if at >= run_end:
        run = compiled(rules.BARE).match(text, at)
        run_end = run.end() if run else at
    cut = compiled(rules.BARE_END).search(text, at, min(run_end, at + _JUDGED))
    end = cut.start() if cut else run_end
    if end - at <= _JUDGED:
        end = at + len(text[at:end].rstrip(",;)}]>."))
    return at, end, run_end


def _closing(text: str, start: int, quote: str, escapes: int) -> int:
    """Return the end of the quoted value from `start`: a quote with no more backslashes; -1 if the line ends first."""
    at = text.find(quote, start)
    while at != -1:
        before = text[max(start, at - 4) : at]
        slashes = len(before) - len(before.rstrip("\\"))
        if slashes <= escapes:
            return at - slashes if text.find("\n", start, at) == -1 else -1
        at = text.find(quote, at + 1)
    return -1


def _judged(text: str, lowered: str, keyword: _Match, operator: _Match, bounds: tuple[int, int]) -> str | None:
    (start, end), sign = bounds, operator["sign"]
    before = lowered[max(0, keyword.start() - LONGEST_NAME) : keyword.start()]
    stem = before.rstrip(_NAME_CHARACTERS)
    if stem.endswith("[redacted:") or (stem.endswith(":") and "=" not in sign and not operator[0][-1:].isspace()):
        return None  # what a former pass wrote, or the last part of an ARN
    name = before[len(stem) :] + keyword[0] + (operator["suffix"] or "")
    name_start = keyword.start() - len(before) + len(stem)
    value, quoted = text[start : min(end, start + _JUDGED)], start > operator.end()
    if not quoted and sign == "=" and _is_in_dsn(lowered, name_start, name):
        return None if len(value) < 3 or is_stand_in(value) else "connection-string"
    flag = name.startswith("--") or compiled(r"login\s{1,4}\S{1,64}\s{1,4}$").search(stem) is not None
    after, line = text[end : end + 1], stem.rstrip(" \t-")
    called = after in {",", ")"} or line.rstrip().endswith(("(", ","))
    shell = operator[0] == (operator["suffix"] or "") + "=" and (not called or text[name_start:start].isupper())
    yaml = sign == ":" and after in {"", "\r", "\n"} and (not line or line.endswith("\n")) and "pass" not in value
    adjacent = not (sign or flag or (quoted and text[start - 1] != "`"))
    return assigned_rule(name.lstrip("-."), value, quoted=quoted or flag or shell or yaml, adjacent=adjacent)


def _is_in_dsn(lowered: str, start: int, name: str) -> bool:
    """Say whether the name at `start` is a field of a key-value connection string or of a URL's query."""
    if not name.endswith(("password", "passwd", "pwd")):
        return False
    head = lowered[max(0, start - 200) : start]
    if head.endswith(("?", "&")):
        return "://" in head
    return compiled(rules.DSN_FIELD).search(head) is not None
