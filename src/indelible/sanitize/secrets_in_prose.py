"""Secrets that are told rather than assigned: in a sentence, in the next cell of a table, in a place of their own."""

import binascii
import re
from collections.abc import Iterator

from indelible.sanitize.secret_rules import assigned_rule, compiled, is_harmless, is_stand_in, looks_secret

Span = tuple[int, int, str]

# After a word for a secret: up to eight words more, a verb, the value; or the end of a cell, and the next one.
_OPENING = (
    r"s?\b[\"'`*]{0,3}(?P<more>(?: [a-z0-9(\"'`@][a-z0-9@'\"`()/._-]{0,40}){0,8}?)"
    r"(?: (?:is|was|are|became|equals|reads|to|now)(?: now| still| just)?|:|=| ->| =>| →| –| —)"
    r"(?: set to| called)?:?[ \t]{1,4}[\"'`*“]{0,3}"
)
_CELL = r"s?(?:[ _-][a-z0-9()]{1,20})?[ \t`*]{0,8}\|[ \t`*\"']{0,8}"
_CELL_VALUE = r"[^\s|`*\"']{6,512}(?=[ \t`*\"']{0,8}\|)"
_VALUE = r"[^\s\"'`”<>|]{6,512}"
_AFTER = frozenset(" s\"'`*:=|_-\t")
_PORTS = (":5432:", ":5433:", ":6432:", ":*:")  # of PostgreSQL
_TERRAFORM = (
    r"variable\s{1,4}\\?\"(?P<name>[^\"\n\\]{1,80})\\?\"\s{0,4}\{(?:[^{}]{0,400}?[\s;])??"
    r"default\s{0,8}=\s{0,8}\\?\"(?P<value>[^\"\n\\$]{4,512})\\?\""
)
_DOCKER_AUTH = r"\"auth\\{0,3}\"\s{0,4}:\s{0,4}\\{0,3}\"(?P<value>[A-Za-z0-9+/_-]{8,}+={0,2})"
_HOST = r"(?:^|[\s\"'`]|\\n)(?:[A-Za-z0-9_-][A-Za-z0-9._-]{0,180}|\*)$"
_PGPASS = (
    r":(?:[0-9]{4,5}|\*):(?:[A-Za-z_][A-Za-z0-9_.-]{0,62}|\*):(?:[A-Za-z_][A-Za-z0-9_.@-]{0,62}|\*)"
    r":(?P<value>[^\s:\"'`\\]{3,200})(?=$|[\"'`\s]|\\n)"
)
_NOT_SECRET = (
    r"[a-z]{1,30}[0-9]{0,4}[.,;:!?)]?$|[0-9.,:%-]+[a-z]{0,3}$|v?[0-9]+(?:\.[0-9]+)+|https?:|/|--|\[|\(|\{|\$|@"
)


def spans_in_prose(text: str, lowered: str, keywords: list[re.Match[str]]) -> Iterator[Span]:
    """The secrets that are told; `keywords` are the places of words for a secret."""
    yield from _sentences(text, lowered, keywords)
    if "variable" in text and "default" in text:
        for match in compiled(_TERRAFORM).finditer(text):
            rule = assigned_rule(match["name"].lower(), match["value"], quoted=True)
            if rule:
                yield *match.span("value"), rule
    if '"auth' in text:
        for match in compiled(_DOCKER_AUTH).finditer(text):
            if _is_login(match["value"]):
                yield *match.span("value"), "docker-auth"
    yield from _pgpass(text)


def _pgpass(text: str) -> Iterator[Span]:
    """The last field of lines such as `db:5432:main:app:...`."""
    for port in _PORTS:
        at = text.find(port)
        while at != -1:
            host = compiled(_HOST).search(text, max(0, at - 200), at)
            match = compiled(_PGPASS).match(text, at) if host else None
            if match:
                value = match["value"]
                if not is_stand_in(value) and (port == ":5432:" or _is_password(value)):
                    yield *match.span("value"), "connection-string"
            at = text.find(port, at + 2)


def _sentences(text: str, lowered: str, keywords: list[re.Match[str]]) -> Iterator[Span]:
    """Yield the secrets that a sentence names, or that are in the next cell of a table."""
    done = 0
    for kind in keywords:
        after = kind.end()
        if after < done or lowered[after : after + 1] not in _AFTER:
            continue
        opening = compiled(_OPENING).match(lowered, after)
        value = compiled(_VALUE).match(text, opening.end()) if opening else None
        if value is None and "|" in lowered[after : after + 40]:
            opening = compiled(_CELL).match(lowered, after)
            value = compiled(_CELL_VALUE).match(text, opening.end()) if opening else None
        if value is None or is_harmless(_name(lowered, kind.start(), after)):
            continue
        end = value.end() - (len(value[0]) - len(value[0].rstrip(".,;:!?)*”’")))
        if _is_told(text[value.start() : end], password=kind[0].startswith("p")):
            yield value.start(), end, "told-secret"
            done = end


def _name(lowered: str, start: int, end: int) -> str:
    """The word that ends there, with the one before it."""
    return lowered[max(0, start - 40) : end].replace(" ", "_")


def _is_told(value: str, *, password: bool) -> bool:
    if compiled(_NOT_SECRET).match(value.lower()) or is_stand_in(value):
        return False
    if compiled(r"[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}").fullmatch(value.lower()):
        return True
    return looks_secret(value, quoted=False, password=password) or (
        password and looks_secret(value, quoted=True, password=True) and not compiled(r"[a-z0-9_.-]+").fullmatch(value)
    )


def _is_login(value: str) -> bool:
    plain = value.rstrip("=").translate(str.maketrans("-_", "+/"))
    try:
        login = binascii.a2b_base64(plain + "=" * (-len(plain) % 4), strict_mode=True)
    except ValueError:
        return False
    user, _, password = login.partition(b":")
    return bool(user and password) and login.isascii() and login.decode().isprintable()


def _is_password(value: str) -> bool:
    return any(char.isdigit() for char in value) and not value.isdigit() and "." not in value
