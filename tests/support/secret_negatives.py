"""Hard negatives: lines of lock files, logs and sources that look like secrets and hold none."""

import base64
import string
from random import Random

from secret_draws import ALNUM, BASE64, DIGITS, HEX, LOWER, URLSAFE, Draw, drawn, uuid


def _hash64(random: Random) -> str:
    return drawn(random, HEX, 64)


def _integrity(random: Random) -> str:
    return "sha512-" + base64.b64encode(random.randbytes(64)).decode()


def _package(random: Random) -> str:
    return random.choice(
        [
            "js-tokens",
            "jsonwebtoken",
            "secure-json",
            "@acme/auth",
            "passport",
            "token-types",
            "keyv",
            "csrf",
            "left-pad",
        ]
    )


def _version(random: Random) -> str:
    return ".".join(str(random.randint(0, 30)) for _ in range(3))


def _ulid(random: Random) -> str:
    return "01" + drawn(random, "0123456789ABCDEFGHJKMNPQRSTVWXYZ", 24)


def _minified(random: Random) -> str:
    names = [drawn(random, string.ascii_letters, 1, 3) for _ in range(12)]
    return (
        "!function("
        + ",".join(names[:4])
        + "){var "
        + ",".join(f"{n}={names[0]}.{m}" for n, m in zip(names[4:8], names[8:], strict=True))
        + "}();"
    )


def _hex_dump(random: Random) -> str:
    pairs = [drawn(random, HEX, 2) for _ in range(16)]
    shown = drawn(random, LOWER + DIGITS + ".", 16)
    return f"{random.randint(0, 1 << 20):08x}  {' '.join(pairs[:8])}  {' '.join(pairs[8:])}  |{shown}|"


def _integrity_lines(random: Random) -> str:
    name, version = _package(random), _version(random)
    file = name.rpartition("/")[2]
    return random.choice(
        [
            f'      "integrity": "{_integrity(random)}",',
            f"  integrity {_integrity(random)}",
            f'      "resolved": "https://registry.npmjs.org/{name}/-/{file}-{version}.tgz",',
            f'    "node_modules/{name}": {{ "version": "{version}", "integrity": "{_integrity(random)}" }},',
            f'"{name}@^{version}":',
            f'    {name} "^{version}"',
            f'    "{name}": "^{version}",',
            f"    resolution: {{integrity: {_integrity(random)}}}",
        ]
    )


def _checksum_lines(random: Random) -> str:
    name, version = _package(random).lstrip("@").replace("/", "-"), _version(random)
    return random.choice(
        [
            f'checksum = "{_hash64(random)}"',
            f'    {{file = "{name}-{version}.tar.gz", hash = "sha256:{_hash64(random)}"}},',
            f"github.com/acme/{name} v{version} h1:{base64.b64encode(random.randbytes(32)).decode()}",
            f"{name}=={version} --hash=sha256:{_hash64(random)}",
            f"{name}/core.py,sha256={drawn(random, URLSAFE, 43)},{random.randint(100, 9999)}",
            f"FROM python:3.12-slim@sha256:{_hash64(random)}",
            f"docker://registry.acme.io/app:{version}@sha256:{_hash64(random)}",
            f"{_hash64(random)}  {name}-{version}.whl",
        ]
    )


def _identifier_lines(random: Random) -> str:
    sha = drawn(random, HEX, 40)
    return random.choice(
        [
            f"commit {sha}",
            f"{sha[:8]} Fix the token refresh in the login flow (#{random.randint(1, 999)})",
            f"index {sha[:7]}..{sha[7:14]} 100644",
            f"uses: actions/checkout@{sha}",
            f'{{"id": "{uuid(random)}", "kind": "memory"}}',
            f"session {uuid(random)} closed after {random.randint(1, 900)} s",
            f"event={_ulid(random)} trace={drawn(random, HEX, 32)} span={drawn(random, HEX, 16)}",
            f"2026-03-1{random.randint(0, 9)}T10:21:07.{drawn(random, DIGITS, 6)}Z key {sha[:12]} evicted",
            f"https://github.com/acme/app/blob/{sha}/src/token.py#L{random.randint(1, 400)}",
            f"arn:aws:secretsmanager:eu-west-1:{drawn(random, DIGITS, 12)}:secret:prod/db-{drawn(random, ALNUM, 6)}",
            f'ETag: "{drawn(random, HEX, 32)}"',
            f"cache-key-{drawn(random, HEX, 32)}",
        ]
    )


def _binary_lines(random: Random) -> str:
    blob = base64.b64encode(random.randbytes(random.randint(60, 150))).decode()
    dashes, body = "-" * 5, drawn(random, BASE64, 64)
    return random.choice(
        [
            f"background: url(data:image/png;base64,iVBORw0KGgo{blob});",
            f"//# sourceMappingURL=data:application/json;base64,eyJ2ZXJzaW9uIjozLC{drawn(random, ALNUM, 40)}",
            f"ssh-rsa AAAAB3NzaC1yc2EAAAADAQABAAABgQ{drawn(random, BASE64, 200)} dev@host",
            f"ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAI{drawn(random, BASE64, 43)}",
            f"{dashes}BEGIN PUBLIC KEY{dashes}\\nMIIBIjANBgkq{body}\\n{dashes}END PUBLIC KEY{dashes}",
            f"{dashes}BEGIN CERTIFICATE{dashes}\\nMIID{body}\\n{dashes}END CERTIFICATE{dashes}",
            "tls.crt: " + base64.b64encode(f"{dashes}BEGIN CERTIFICATE{dashes}\n{blob}".encode()).decode(),
            drawn(random, BASE64, 64),
            _hex_dump(random),
            _minified(random),
            f"color: #{drawn(random, HEX, 6)}; border: 1px solid #{drawn(random, HEX, 3)};",
            f"0x{drawn(random, HEX, 40)} sent {random.randint(1, 9)} wei",
        ]
    )


_INNOCENT = (
    "password = os.environ['DB_PASSWORD']",
    'api_key = os.getenv("SERVICE_API_KEY", "")',
    "DB_PASSWORD=${DB_PASSWORD}",
    "API_KEY=<your-api-key>",
    "SECRET_KEY=changeme",
    "TOKEN=xxxxxxxxxxxxxxxxxxxx",
    "password: ********",
    "password: str",
    "def login(user: str, password: str | None = None) -> Token:",
    "token = await refresh_access_token(session, retries=3)",
    "const token = localStorage.getItem('access_token_v2');",
    "secret_key: process.env.SESSION_SECRET_2",
    "  password: ${{ secrets.NPM_TOKEN_2024 }}",
    'password = "{{ vault_db_password }}"',
    "AWS_SECRET_ACCESS_KEY=$(aws configure get aws_secret_access_key)",
    "postgres://app:${PGPASSWORD}@db.internal:5432/main",
    "https://${USER}:${TOKEN}@github.com/acme/app.git",
    "mysql://root:<password>@localhost/db",
    "amqp://user:****@broker:5672",
    "http://localhost:8080/api?email=dev@acme.io",
    "git@github.com:acme/app.git",
    "ssh://git@github.com:22/acme/app.git",
    "Authorization: Bearer <token>",
    "Authorization: Bearer $ACCESS_TOKEN",
    'headers = {"Authorization": f"Bearer {token}"}',
    "Bearer authentication is checked before the scope.",
    "Basic authentication is off by default.",
    'forgot_password: "Forgot your password?"',
    '"password": "Passwort",',
    "The token bucket refills 10 tokens a second; next_page_token: CAUQAAIiEAoDZm9vEgNiYXI1",
    "max_tokens: 4096, pad_token: '<pad>', eos_token_id: 50256",
    "primary_key = 'customer_id_2024_archive'",
    "public_key: MCowBQYDK2VwAyEAGb9ECWmEzf6FQbrBZ9w7lshQhqowtrbLDFw4rXAxZuE=",
    'curl -u "$USER:$PASS" https://api.acme.io',
    "mysql -u root -p main",
    "if text.startswith('-----BEGIN PRIVATE KEY-----'):",
    "keyword arguments: compass=True, bypass='always', turnkey=2",
    "secretName: database-credentials-v2",
    "passwordField.text = user.password2",
    "token: z.string().min(32)",
    "password_hash VARCHAR(255) NOT NULL",
    "--token-file /run/secrets/github_token_2",
    "sk-learn-style api; task-runner-configuration-for-the-frontend-build-2024",
    "xoxb-your-token-here",
    "the AKIA prefix marks long-lived keys, ghp_ marks classic tokens",
    "CREATE USER app WITH PASSWORD :'pw';",
    "The private members of a class are not <protected>.",
)


def _innocent(random: Random) -> str:
    return random.choice(_INNOCENT)


NEGATIVES: list[Draw] = [_integrity_lines, _checksum_lines, _identifier_lines, _binary_lines, _innocent]
