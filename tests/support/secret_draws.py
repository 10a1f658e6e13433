"""What the lines with and without secrets are put together from: alphabets, and draws of a random source."""

import base64
import json
import string
from collections.abc import Callable
from random import Random

LOWER, UPPER, DIGITS = string.ascii_lowercase, string.ascii_uppercase, string.digits
ALNUM = string.ascii_letters + DIGITS
HEX = DIGITS + "abcdef"
BASE64 = ALNUM + "+/"
URLSAFE = ALNUM + "-_"
BASE32 = UPPER + "234567"

Draw = Callable[[Random], str]


def drawn(random: Random, alphabet: str, least: int, most: int = 0) -> str:
    return "".join(random.choices(alphabet, k=random.randint(least, most or least)))


def token(prefix: str, alphabet: str, least: int, most: int = 0, suffix: str = "") -> Draw:
    return lambda random: prefix + drawn(random, alphabet, least, most) + suffix


def either(*draws: Draw) -> Draw:
    return lambda random: random.choice(draws)(random)


def encoded_json(value: dict[str, object]) -> str:
    return base64.urlsafe_b64encode(json.dumps(value, separators=(",", ":")).encode()).rstrip(b"=").decode()


def jwt(random: Random) -> str:
    header = encoded_json({"alg": random.choice(["HS256", "RS256", "ES384", "EdDSA"]), "typ": "JWT"})
    claims = {"sub": drawn(random, DIGITS, 6, 12), "iat": random.randint(1_600_000_000, 1_800_000_000)}
    return f"{header}.{encoded_json(claims)}.{drawn(random, URLSAFE, 43)}"


def private_key(random: Random) -> str:
    kind = random.choice(["RSA ", "EC ", "DSA ", "OPENSSH ", ""])
    body = "\\n".join(drawn(random, BASE64, 64) for _ in range(random.randint(3, 8)))
    dashes = "-" * 5
    return f"{dashes}BEGIN {kind}PRIVATE KEY{dashes}\\n{body}\\n{dashes}END {kind}PRIVATE KEY{dashes}"


def encoded_private_key(random: Random) -> str:
    return base64.b64encode(private_key(random).replace("\\n", "\n").encode()).decode()


def uuid(random: Random) -> str:
    return "-".join(drawn(random, HEX, size) for size in (8, 4, 4, 4, 12))


def password(random: Random) -> str:
    """Twelve to twenty characters, a letter of either case and a digit among them."""
    characters = drawn(random, ALNUM + "!$^*~.", 9, 17) + "".join(map(random.choice, (LOWER, UPPER, DIGITS)))
    return "".join(random.sample(characters, len(characters)))
