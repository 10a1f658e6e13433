"""A corpus of 10,000 lines with and without secrets, generated anew in every run from one seed.

Half of the lines hold one secret each: half of those after the token shapes that detect-secrets 1.5.0 publishes, half
after the other formats Indelible knows. The rest are hard negatives. Every secret is put together from parts at run
time, so that nothing in the repository looks like one.
"""

import base64
from collections.abc import Callable
from functools import cache
from random import Random

from secret_draws import (
    ALNUM,
    BASE32,
    BASE64,
    DIGITS,
    HEX,
    LOWER,
    UPPER,
    URLSAFE,
    Draw,
    drawn,
    either,
    encoded_private_key,
    jwt,
    password,
    private_key,
    token,
    uuid,
)
from secret_negatives import NEGATIVES

LINES = 10_000
SEED = 20_260_301

Positive = tuple[str, str]


@cache
def lines() -> list[tuple[str, str | None]]:
    """The lines in a fixed order, each with the secret that stands in it, or None."""
    random = Random(SEED)
    quarter = LINES // 4
    corpus: list[tuple[str, str | None]] = []
    for tokens, shaped in ((PUBLISHED_TOKENS, PUBLISHED_LINES), (OWN_TOKENS, OWN_LINES)):
        makers = [_embedded(draw) for draw in tokens.values()] + shaped
        corpus += [makers[number % len(makers)](random) for number in range(quarter)]
    corpus += [(NEGATIVES[number % len(NEGATIVES)](random), None) for number in range(LINES - 2 * quarter)]
    random.shuffle(corpus)
    return corpus


def _api_key(random: Random) -> str:
    return drawn(random, ALNUM, 20, 40) + random.choice(DIGITS)


# Tokens that are known by themselves, wherever they stand: rule of detect-secrets -> a token of its shape.
PUBLISHED_TOKENS: dict[str, Draw] = {
    "aws": either(*(token(prefix, BASE32, 16) for prefix in ("AKIA", "ASIA", "ABIA", "ACCA", "A3TX"))),
    "github": either(*(token(f"gh{kind}_", ALNUM, 36) for kind in "pousr")),
    "gitlab": either(*(token(f"gl{kind}-", URLSAFE, 20, 50) for kind in ("pat", "dt", "ft", "soat", "rt"))),
    "gitlab-runner": token("GR1348941", URLSAFE, 20, 50),
    "gitlab-job": token("glcbt-", URLSAFE, 20, 50, suffix="a"),
    "gitlab-mail": token("glimt-", URLSAFE, 25),
    "gitlab-trigger": token("glptt-", URLSAFE, 40),
    "gitlab-agent": token("glagent-", URLSAFE, 50, 90),
    "gitlab-oauth": token("gloas-", URLSAFE, 64),
    "slack": lambda r: f"xox{r.choice('abopsr')}-{drawn(r, DIGITS, 11)}-{drawn(r, DIGITS, 13)}-{drawn(r, ALNUM, 24)}",
    "stripe": either(token("sk_live_", ALNUM, 24), token("rk_live_", ALNUM, 24)),
    "twilio": either(token("AC", HEX, 32), token("SK", HEX, 32)),
    "mailchimp": lambda r: f"{drawn(r, LOWER + DIGITS, 32)}-us{r.randint(1, 30)}",
    "sendgrid": lambda r: f"SG.{drawn(r, URLSAFE, 22)}.{drawn(r, URLSAFE, 43)}",
    "openai": lambda r: f"sk-{drawn(r, ALNUM, 20)}T3BlbkFJ{drawn(r, ALNUM, 20)}",
    "openai-project": lambda r: f"sk-proj-{drawn(r, URLSAFE, 54)}{drawn(r, ALNUM, 20)}T3BlbkFJ{drawn(r, ALNUM, 20)}",
    "pypi": token("pypi-AgEIcHlwaS5vcmc", URLSAFE, 70, 120),
    "test-pypi": token("pypi-AgENdGVzdC5weXBpLm9yZw", URLSAFE, 70, 120),
    "jwt": jwt,
    "telegram": lambda r: f"{r.randint(1, 9)}{drawn(r, DIGITS, 7, 9)}:{drawn(r, URLSAFE, 35)}",
    "discord": lambda r: f"{r.choice('MNO')}{drawn(r, ALNUM, 23, 25)}.{drawn(r, URLSAFE, 6)}.{drawn(r, URLSAFE, 27)}",
    "artifactory": either(token("AKC", ALNUM, 20, 70, suffix="p5"), token("AP5", ALNUM, 8, 40)),
    "artifactory-encrypted": token("APB", ALNUM, 24, 40, suffix="q7"),
    "square": token("sq0csp-", URLSAFE, 43),
    "private-key": private_key,
}

# The rest of our own rules: our rule -> a token of its shape.
OWN_TOKENS: dict[str, Draw] = {
    "github-token": token("github_pat_", ALNUM, 22, suffix="_" + "Kq7" * 19),
    "slack-token": lambda r: f"xapp-1-A{drawn(r, UPPER + DIGITS, 10)}-{drawn(r, DIGITS, 13)}-{drawn(r, HEX, 64)}",
    "stripe-key": token("sk_test_", ALNUM, 24, 99),
    "stripe-webhook-secret": token("whsec_", ALNUM, 32),
    "google-api-key": token("AIza", URLSAFE, 35),
    "google-oauth-secret": token("GOCSPX-", URLSAFE, 28),
    "google-oauth-token": token("ya29.", URLSAFE, 60, 140),
    "google-refresh-token": token("1//0", URLSAFE, 64, 90),
    "anthropic-key": token("sk-ant-api03-", URLSAFE, 93, suffix="AA"),
    "openai-key": either(token("sk-proj-", URLSAFE, 74, suffix="A4"), token("sk-", HEX, 32)),
    "openrouter-key": token("sk-or-v1-", HEX, 64),
    "huggingface-token": token("hf_", ALNUM, 34),
    "npm-token": token("npm_", ALNUM, 36),
    "digitalocean-token": either(token("dop_v1_", HEX, 64), token("dor_v1_", HEX, 64)),
    "heroku-key": token("HRKU-", URLSAFE, 36),
    "square-token": either(token("sq0atp-", URLSAFE, 22), token("EAAA", URLSAFE, 60)),
    "shopify-token": either(*(token(f"shp{kind}_", HEX, 32) for kind in ("at", "ca", "pa", "ss"))),
    "databricks-token": token("dapi", HEX, 32),
    "cloudflare-token": either(*(token(f"cf{kind}_", ALNUM, 48) for kind in ("k", "ut", "at"))),
    "vault-token": token("hvs.", ALNUM, 24, 90),
    "linear-key": token("lin_api_", ALNUM, 40),
    "notion-token": token("ntn_", ALNUM, 46),
    "airtable-token": lambda r: f"pat{drawn(r, ALNUM, 14)}.{drawn(r, HEX, 64)}",
    "figma-token": token("figd_", URLSAFE, 40),
    "doppler-token": token("dp.pt.", ALNUM, 43),
    "pulumi-token": token("pul-", HEX, 40),
    "grafana-token": lambda r: f"glsa_{drawn(r, ALNUM, 32)}_{drawn(r, HEX, 8)}",
    "newrelic-key": token("NRAK-", UPPER + DIGITS, 27),
    "sentry-token": token("sntryu_", HEX, 64),
    "postman-key": lambda r: f"PMAK-{drawn(r, HEX, 24)}-{drawn(r, HEX, 34)}",
    "rubygems-key": token("rubygems_", HEX, 48),
    "crates-token": token("cio", ALNUM, 31, suffix="4"),
    "docker-token": token("dckr_pat_", URLSAFE, 27),
    "groq-key": token("gsk_", ALNUM, 52),
    "xai-key": token("xai-", ALNUM, 80),
    "perplexity-key": token("pplx-", ALNUM, 48),
    "replicate-token": token("r8_", ALNUM, 37),
    "supabase-key": token("sbp_", HEX, 40),
    "indelible-token": token("ind_", URLSAFE, 43),
    "planetscale-token": token("pscale_tkn_", URLSAFE, 43),
    "age-key": token("AGE-SECRET-KEY-1", UPPER + DIGITS, 58),
    "atlassian-token": token("ATATT3", URLSAFE, 180, suffix="=1A2B3C4D"),
    "tailscale-key": lambda r: f"tskey-auth-k{drawn(r, ALNUM, 10)}7CNTRL-{drawn(r, ALNUM, 32)}",
    "brevo-key": lambda r: f"xkeysib-{drawn(r, HEX, 64)}-{drawn(r, ALNUM, 16)}",
    "dynatrace-token": lambda r: f"dt0c01.{drawn(r, BASE32, 24)}.{drawn(r, BASE32, 64)}",
    "langsmith-key": lambda r: f"lsv2_pt_{drawn(r, HEX, 32)}_{drawn(r, HEX, 10)}",
    "netlify-token": token("nfp_", ALNUM, 36),
    "resend-key": lambda r: f"re_{drawn(r, ALNUM, 8)}_{drawn(r, ALNUM, 24)}",
    "terraform-token": lambda r: f"{drawn(r, ALNUM, 14)}.atlasv1.{drawn(r, URLSAFE, 67)}",
    "azure-client-secret": lambda r: f"{drawn(r, ALNUM, 3)}8Q{'~'}{drawn(r, ALNUM + '_~-', 33)}a",
    "mailgun-key": token("key-", HEX, 32),
    "private-key": encoded_private_key,
}

_NAMES = ("service", "billing", "deploy", "notify", "upstream", "mirror", "worker", "search")
_HOSTS = ("db.internal", "api.acme.io", "10.2.0.14", "cache-3.eu.acme.net", "localhost")


def _embedded(draw: Draw) -> Callable[[Random], Positive]:
    def line(random: Random) -> Positive:
        secret, name, template = draw(random), random.choice(_NAMES), random.choice(_EMBEDDINGS)
        if "?" in template and not set("+/").isdisjoint(secret):
            template = _EMBEDDINGS[0]  # such a token would stand percent-encoded in a URL
        return template.replace("NAME", name.upper()).replace("name", name).replace("@", secret), secret

    return line


# "@" is where the token stands; NAME and name become an identifier.
_EMBEDDINGS = (
    'export NAME_CREDENTIAL="@"',
    "NAME_TOKEN=@",
    "export NAME_KEY='@'; ./run.sh name",
    "  name_token: @",
    '  - name: "@"  # rotate in May',
    'client = name.Client("@", timeout=30)',
    "const name = new Client({ token: `@` });",
    '{"level": "info", "name": {"credential": "@", "retries": 3}}',
    'payload = "{\\"name\\": \\"@\\"}"',
    "2026-03-01T10:22:31Z ERROR name[3121]: request with @ was refused (403)",
    "curl -sS -H 'X-Name-Key: @' https://api.name.io/v2/items",
    "GET https://api.name.io/v1/items?page=2&credential=@&sort=asc HTTP/1.1",
    "I pasted @ into the name settings and it worked.",
    "name: first line\\n@\\nlast line",
    "| name | @ | 2026-01-12 |",
    "name(@)",
)


def _assigned(names: tuple[str, ...], draw: Draw) -> Callable[[Random], Positive]:
    def line(random: Random) -> Positive:
        secret = draw(random)
        template = random.choice(_ASSIGNMENTS)
        name = random.choice(names)
        shown = name.upper() if template.startswith(("export", "ENV", "NAME")) else name
        return template.replace("NAME", shown).replace("@", secret), secret

    return line


_ASSIGNMENTS = (
    'export NAME="@"',
    "ENV NAME='@'",
    "NAME=@",
    "  NAME: @",
    "deploy --NAME @ --dry-run",
    'settings["NAME"] = "@"',
    '  NAME: "@"',
    "NAME = '@'",
    '{"NAME": "@", "region": "eu-west-1"}',
    "  'NAME' => '@',",
    'const config = { NAME: "@", debug: false };',
    'let NAME := "@"',
)


def _url_login(random: Random) -> Positive:
    secret = drawn(random, ALNUM + "-_.~%@", 10, 20) + random.choice(ALNUM)
    scheme = random.choice(["https", "http", "postgres", "postgresql+psycopg", "mysql", "mongodb+srv", "redis", "amqp"])
    user = random.choice(["app", "svc_reader", "deploy", "admin"])
    url = f"{scheme}://{user}:{secret}@{random.choice(_HOSTS)}/{random.choice(_NAMES)}"
    return random.choice(
        ['DATABASE_URL="%s"', "  url: %s", "git clone %s", "connecting to %s failed", '{"dsn": "%s"}']
    ) % url, secret


def _npm_line(random: Random) -> Positive:
    secret = random.choice([token("npm_", ALNUM, 36), uuid])(random)
    return f"//registry.npmjs.org/:_authToken={secret}", secret


def _slack_webhook(random: Random) -> Positive:
    secret = f"T{drawn(random, UPPER + DIGITS, 9)}/B{drawn(random, UPPER + DIGITS, 9)}/{drawn(random, ALNUM, 24)}"
    return f'"webhook": "https://hooks.slack.com/services/{secret}"', secret


def _cloudant_url(random: Random) -> Positive:
    secret = random.choice([token("", HEX, 64), token("", LOWER, 24)])(random)
    account = random.choice(_NAMES)
    return f"COUCH=https://{account}:{secret}@{account}.cloudant.com", secret


def _softlayer_url(random: Random) -> Positive:
    secret = drawn(random, LOWER + DIGITS, 64)
    return f"endpoint: https://api.softlayer.com/soap/v3/{secret}", secret


def _storage_account(random: Random) -> Positive:
    secret = drawn(random, BASE64, 86) + "=="
    account = f"DefaultEndpointsProtocol=https;AccountName={random.choice(_NAMES)}"
    return f"{account};AccountKey={secret};EndpointSuffix=core.windows.net", secret


def _bearer(random: Random) -> Positive:
    secret = drawn(random, URLSAFE + ".", 24, 60) + random.choice(DIGITS) + "a"
    shapes = [
        "Authorization: Bearer %s",
        "curl -H 'Authorization: Bearer %s' https://api.acme.io",
        '{"Authorization": "Bearer %s"}',
    ]
    return random.choice(shapes) % secret, secret


def _basic(random: Random) -> Positive:
    secret = base64.b64encode(f"{random.choice(_NAMES)}:{password(random)}".encode()).decode()
    return random.choice(
        ["Authorization: Basic %s", "headers['Authorization'] = 'Basic %s'", "> authorization: basic %s"]
    ) % secret, secret


def _dsn(random: Random) -> Positive:
    secret = drawn(random, ALNUM, 10, 18)
    shapes = [
        "Server=tcp:%s,1433;User ID=app;Password=%s;Encrypt=true",
        "host=%s user=app password=%s dbname=main",
        "jdbc:mysql://%s/main?user=app&password=%s&ssl=1",
    ]
    return random.choice(shapes) % (random.choice(_HOSTS), secret), secret


def _command(random: Random) -> Positive:
    secret = drawn(random, ALNUM, 9, 16) + random.choice(LOWER)
    shapes = [
        "curl -u admin:%s https://api.acme.io/v1",
        "mysql -h db -u root -p%s main",
        "sshpass -p '%s' ssh ops@10.2.0.14",
        "docker login -u ci -p %s registry.acme.io",
    ]
    return random.choice(shapes) % secret, secret


def _private_span(random: Random) -> Positive:
    secret = f"{random.choice(_NAMES)} meets in room {drawn(random, DIGITS, 3)}, tell {drawn(random, LOWER, 6)}"
    shapes = ["Notes. <private>%s</private> Done.", "<PRIVATE>%s</Private>", "and so <private>%s"]
    return random.choice(shapes) % secret, secret


def _aws_pair(random: Random) -> Positive:
    secret = drawn(random, BASE64, 38) + "a7"
    return f"deploy,AKIA{drawn(random, BASE32, 16)},{secret}", secret


PUBLISHED_LINES: list[Callable[[Random], Positive]] = [
    _assigned(("aws_secret_access_key", "aws_secret_key", "awsSecretKey", "aws.session.token"), token("g", BASE64, 39)),
    _assigned(("cloudant_password", "cloudant_api_key", "cl_key"), either(token("", HEX, 64), token("", LOWER, 24))),
    _assigned(("ibm_cloud_iam_api_key", "ibm-cloud-key", "iam_api_key", "cloud_iam_password"), token("", URLSAFE, 44)),
    _assigned(("cos_hmac_secret_access_key", "ibm_cos_secret_key", "secret_key"), token("", HEX, 48)),
    _assigned(("softlayer_api_key", "sl_key", "softlayer_password"), token("", LOWER + DIGITS, 64)),
    _url_login,
    _npm_line,
    _slack_webhook,
    _cloudant_url,
    _softlayer_url,
    _storage_account,
]
OWN_LINES: list[Callable[[Random], Positive]] = [
    _assigned(("password", "db_password", "smtp_pass", "admin_pwd", "passphrase"), password),
    _assigned(("api_key", "client_secret", "access_token", "secret_key", "signing_key", "x-api-key"), _api_key),
    _assigned(("api_key", "auth_token", "webhook_secret"), either(token("7", HEX, 31), token("4", HEX, 63))),
    _assigned(("heroku_api_key", "api_key", "client_secret"), uuid),
    _url_login,
    _bearer,
    _basic,
    _dsn,
    _command,
    _private_span,
    _aws_pair,
]
