"""Lines that look as if there were a secret in them, and there is none: 20,000 of them, drawn from a seed."""

import base64
from collections.abc import Iterator
from random import Random

import secret_negatives
from secret_draws import ALNUM, BASE64, DIGITS, HEX, LOWER, UPPER, URLSAFE, Draw, drawn, uuid

_WORDS = (
    "parse render merge fetch index cache token session user access refresh secret key password field value buffer "
    "handler request response stream worker queue socket config option schema record column cursor vector window"
).split()
_PROSE = (
    "The password for production is rotated every ninety days by the platform team.",
    "The password for the staging database is in the vault, ask Ann for access.",
    "The token is refreshed before it expires, so the secret never leaves the server.",
    "A secret to good tests is that they fail when the code is wrong.",
    "The API key is read from the environment and is never logged.",
    "Our deploy key is read-only and limited to one repository.",
    "The key for this cache entry is user:1234:profile and it lives for an hour.",
    "The primary key is (tenant_id, created_at) and the token column is nullable.",
    "Password policy: at least 12 characters, one digit; token: opaque, 32 bytes.",
    "The token budget is 4096; the key size is 2048; the password length is 16.",
    "Set the api key to the value that the console shows, then restart.",
    "Das Passwort für die Datenbank ist in der Datei secrets.enc gespeichert.",
    "Le mot de passe est demandé une seule fois ; le token expire après 3600 secondes.",
    "La contraseña se guarda con bcrypt y el token caduca a los 15 minutos.",
    "パスワードは12文字以上で、トークンは1時間で失効します。",
    "密码必须至少包含八个字符,令牌在一小时后过期。",
    "Пароль хранится в виде хеша, токен действует один час.",
    "De sleutel voor de cache is project:42:graph en het token verloopt na 1h30m.",
    "The encryption key is derived with HKDF-SHA256 from the master secret.",
    "The session token is a JWT signed with RS256; its header is base64url.",
    "Key is missing in en-US, token is v2.1.0-beta.3, secret is base64-encoded.",
    "He said that the password was changed on 2026-03-14T09:26:53Z by admin@example.com.",
    "The passphrase is asked for at start; see docs/security/passphrase-handling.md#rotation.",
    "credentials: see the runbook, section 4.2 (https://wiki.example.com/runbooks/credentials?page=2).",
    "The token limit is now 200,000 and the secret store is HashiCorp Vault 1.15.2.",
)
_PLACEHOLDERS = (
    "password=${DB_PASSWORD}",
    "API_KEY=<your token>",
    "export GITHUB_TOKEN=ghp_xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx",
    "STRIPE_KEY=sk_live_xxxxxxxxxxxxxxxxxxxxxxxx",
    "OPENAI_API_KEY=sk-...",
    "openai_api_key: sk-your-key-here",
    'token = "<REPLACE_WITH_TOKEN>"',
    "secret: {{ .Values.auth.secret }}",
    "password: !vault |",
    "password: {{ lookup('env', 'DB_PASSWORD') }}",
    "aws_secret_access_key = YOUR_SECRET_ACCESS_KEY",
    'default = "var.db_password"',
    'variable "db_password" { type = string }',
    'variable "api_key" { default = "" }',
    "the token looks like xoxb-<team>-<bot>-<random>",
    "glpat-, ghp_, npm_, pypi-AgE, hvs. and dop_v1_ are prefixes of tokens",
    "DATABASE_URL=postgres://user:password@localhost:5432/app",
    "| db_password | string | the password of the database |",
    "| API key | required | sent as `X-Api-Key` |",
    "| token | `string` | yes | read_only |",
    "| access_token_ttl | 3600 | seconds |",
    "| secret_key_base | `SECRET_KEY_BASE` | see config/secrets.yml |",
    '{"auths": {"registry.example.com": {"auth": ""}}}',
    '{"auth": "oauth2", "token": null, "password": true}',
    "localhost:5432:main:app:$PGPASSWORD",
    "hostname:port:database:username:password",
    "sig=${SAS_SIGNATURE}&se=2026-01-01",
    "token: [required, string, min:32]",
    "TOKEN_EXPIRY=3600s SECRET_NAME=prod/db/main KEY_PREFIX=user_",
    "const tokenPattern = /^[A-Za-z0-9_-]{43}$/;",
    'if key.startswith("sk-ant-") or key.startswith("AKIA"):',
    "re.compile(r'gh[pousr]_[A-Za-z0-9]{36}')",
    "password = secrets.token_urlsafe(32)",
    "token = jwt.encode({'sub': user.id}, settings.SECRET_KEY, algorithm='HS256')",
    'api_key = config["services"]["maps"]["api_key"]',
    "x-api-key: ${{ secrets.API_KEY }}",
    "The key is `user_id`, the token is `access_token`, the secret is `client_secret`.",
    "AccountKey=...;EndpointSuffix=core.windows.net",
)


def _identifier(random: Random) -> str:
    words = random.choices(_WORDS, k=random.randint(2, 6))
    style = random.randint(0, 3)
    if style == 0:
        return "_".join(words)
    if style == 1:
        return words[0] + "".join(word.title() for word in words[1:])
    return "-".join(words) if style == 2 else "".join(word.title() for word in words) + str(random.randint(1, 99))


def _code(random: Random) -> str:
    one, two, three = _identifier(random), _identifier(random), _identifier(random)
    return random.choice(
        (
            f"def {one.replace('-', '_')}(self, {two.replace('-', '_')}: str) -> {three.title().replace('-', '')}:",
            f"const {two.replace('-', '_')} = await {one.replace('-', '_')}(options, {{ retries: 3 }});",
            f"import {{ {one.replace('-', '_')} }} from './{two}/{three}.js';",
            f"self.{one.replace('-', '_')}_token = {two.replace('-', '_')}.{three.replace('-', '_')}_key",
            f"  {one}_key: {two.replace('-', '_')}",
            f"tests/{one}/test_{two.replace('-', '_')}.py::Test{three.title()}::test_{one.replace('-', '_')}",
            f".{one}-{two} {{ --{three}-token: var(--{one}-key-{random.randint(1, 900)}); }}",
            f'<input type="password" name="{one}" id="{two}" data-key="{three}">',
            f"assert {one.replace('-', '_')}['{two}_token'] == {three.replace('-', '_')}.token",
            f"{one}={two} {three}={random.randint(0, 99999)}",
        )
    )


def _log(random: Random) -> str:
    time = f"2026-0{random.randint(1, 9)}-1{random.randint(0, 9)}T10:21:07.{drawn(random, DIGITS, 3)}Z"
    pod = drawn(random, "bcdfghjklmnpqrstvwxz2456789", 9)
    user = random.randint(1, 9999)
    return random.choice(
        (
            f"{time} INFO request_id={uuid(random)} path=/v1/tokens status=200 duration=12ms",
            f"{time} WARN token of user {user} expired, trace_id={drawn(random, HEX, 32)}",
            f"{time} DEBUG cache key=user:{user}:session hit=true etag={drawn(random, HEX, 40)}",
            f"{time} ERROR pod api-{pod}-{pod[:5]} restarted",
            f'10.0.0.{random.randint(1, 254)} - - "GET /static/app.{drawn(random, HEX, 8)}.js HTTP/1.1" 200 {user}',
            f"{time} job {drawn(random, HEX, 24)} done, key is job:{random.randint(1, 99999)}:result",
            f"Successfully built {drawn(random, HEX, 12)}; digest: sha256:{drawn(random, HEX, 64)}",
            f"message id <{drawn(random, DIGITS, 14)}.{drawn(random, UPPER + DIGITS, 8)}@mail.example.com>",
        )
    )


def _reference(random: Random) -> str:
    return random.choice(
        (
            f"https://example.com/{_identifier(random)}/{uuid(random)}?page={random.randint(1, 99)}&sort=asc",
            f"https://cdn.example.com/assets/{_identifier(random)}-{drawn(random, ALNUM, 8)}.js",
            f"https://github.com/acme/app/commit/{drawn(random, HEX, 40)}#diff-{drawn(random, HEX, 64)}",
            f"https://www.youtube.com/watch?v={drawn(random, URLSAFE, 11)}",
            f"https://docs.google.com/document/d/1{drawn(random, URLSAFE, 43)}/edit",
            f"s3://acme-data/dt=2026-03-01/part-00017-{uuid(random)}.parquet",
            f"/home/ann/src/{_identifier(random)}/{_identifier(random)}.py:{random.randint(1, 900)}",
            f"/nix/store/{drawn(random, '0123456789abcdfghijklmnpqrsvwxyz', 32)}-{_identifier(random)}-1.2",
            f"~/.cache/pip/wheels/{drawn(random, HEX, 2)}/{drawn(random, HEX, 2)}/{drawn(random, HEX, 60)}",
            f"urn:uuid:{uuid(random)}",
            f"arn:aws:iam::{drawn(random, DIGITS, 12)}:role/{_identifier(random)}",
            f"ipfs://bafybei{drawn(random, 'abcdefghijklmnopqrstuvwxyz234567', 52)}",
            f"projects/acme/secrets/{_identifier(random)}/versions/{random.randint(1, 40)}",
            f"{drawn(random, HEX, 7)} HEAD@{{{random.randint(0, 40)}}}: commit: rotate the {_identifier(random)}",
        )
    )


def _data(random: Random) -> str:
    blob = base64.b64encode(random.randbytes(random.randint(30, 200))).decode()
    words = " ".join(random.choices(_WORDS, k=12)).encode()
    return random.choice(
        (
            f'<img src="data:image/png;base64,iVBORw0KGgo{blob}">',
            f'"integrity": "sha512-{base64.b64encode(random.randbytes(64)).decode()}"',
            f'integrity="sha384-{base64.b64encode(random.randbytes(48)).decode()}" crossorigin="anonymous"',
            f"github.com/acme/app v1.2.3/go.mod h1:{base64.b64encode(random.randbytes(32)).decode()}",
            f'hash = "sha256:{drawn(random, HEX, 64)}"',
            f"md5: {drawn(random, HEX, 32)}",
            f"{drawn(random, HEX, 32)}  archive-{random.randint(1, 99)}.tar.gz",
            f"fingerprint SHA256:{drawn(random, BASE64, 43)}",
            f"0x{drawn(random, HEX, 64)}",
            f'{{"id": "{uuid(random)}", "rev": "7-{drawn(random, HEX, 32)}"}}',
            f"objectId: ObjectId('{drawn(random, HEX, 24)}')",
            f"sprite: M1.{drawn(random, DIGITS, 3)},7c{drawn(random, DIGITS, 2)}.5-{random.randint(0, 99)}z",
            base64.b64encode(words).decode(),
            words.hex(),
            f"mapping: {drawn(random, 'ACEGIKMOQSUWYaegkmoqsuw', 30)};AACA,{drawn(random, UPPER, 4)}",
            f"!function(e,t){{var n={drawn(random, LOWER, 2)}(e.key),r=t.token||[7];return n?r:0}}();",
            f"ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAI{drawn(random, BASE64, 43)} ann@example.com",
            f"A{drawn(random, UPPER + DIGITS, 9)} order {drawn(random, UPPER, 2)}-{drawn(random, DIGITS, 8)}-EUR",
            f'nonce={drawn(random, HEX, 16)} etag=W/"{drawn(random, HEX, 27)}"',
        )
    )


def _prose(random: Random) -> str:
    first, second = random.choice(_PROSE), random.choice(_PROSE)
    return random.choice((first, f"{first} {second}", f"{first}\n{second}", f"> {first}", f"- {first}"))


def _placeholder(random: Random) -> str:
    return random.choice(_PLACEHOLDERS)


_KINDS: tuple[Draw, ...] = (_prose, _placeholder, _code, _code, _log, _reference, _data, _data)


def lines(count: int, seed: int) -> Iterator[str]:
    """So many lines, the same for a seed; every fourth is one of those of `secret_corpus`."""
    random = Random(seed)
    for number in range(count):
        kinds = secret_negatives.NEGATIVES if number % 4 == 0 else _KINDS
        yield kinds[number // 4 % len(kinds)](random)
