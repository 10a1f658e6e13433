"""Rules for secrets without a known token shape: key blocks, URLs, headers, and values that look secret."""

import re
from functools import cache
from itertools import pairwise

VERSION = 2  # of all rules: a store that was looked through with these needs no second look until they change


@cache
def compiled(source: str) -> re.Pattern[str]:
    """Compile a pattern once; ASCII classes only, so that no exotic digit widens a rule."""
    return re.compile(source, re.ASCII)


# Blocks, URLs and headers.
PRIVATE_TAG = r"(?:<|\\u003c)(/?)private\s{0,8}(?:>|\\u003e)"
KEY_BEGIN = (
    r"-{2,5} ?BEGIN[ A-Z0-9+%]{0,40}PRIVATE(?: |%20|\+)KEY(?:(?: |%20|\+)BLOCK)? ?-{2,5}|PuTTY-User-Key-File-[0-9]"
)
KEY_END = (
    r"-{2,5} ?END[ A-Z0-9+%]{0,40}PRIVATE(?: |%20|\+)KEY(?:(?: |%20|\+)BLOCK)? ?-{0,5}"
    r"|Private-(?:MAC|Hash): ?[0-9a-fA-F]+"
)
_KEY_GAP = r"(?:\\+[nrt]|[\s\"'`+,>#|*:\\]|[0-9]{1,6}(?:\t|→))"
_KEY_LINE = (
    r"(?:[A-Za-z0-9+/=%]{16,}+|(?:Proc-Type|DEK-Info|Comment|Version|Hash|Subject|Encryption|Public-Lines"
    r"|Private-Lines|Key-Derivation|Argon2-[A-Za-z]{4,12}|ssh-[a-z0-9]{3,7}): ?[^\n\\\"]{0,200})"
)
_KEY_LAST_LINE = r"[A-Za-z0-9+/=%]{1,15}+(?=[\s\"'`\\]{0,8}\Z)"
KEY_BODY = rf"(?:{_KEY_GAP}{{0,40}}+{_KEY_LINE})*+(?:{_KEY_GAP}{{0,40}}+{_KEY_LAST_LINE})?"
ENCODED_BEGIN = "LS0tLS1CRUdJTi"
ENCODED_KEY = ENCODED_BEGIN + r"[A-Za-z0-9+/_-]*+={0,2}"
LINE_END = r"[ \t]{0,8}(?:\\+[nr]|[\r\n]|\Z)"
ESCAPE_BEFORE = r"(?:\\[nrtbf0]|%[0-9A-Fa-f]{2}|\\u[0-9A-Fa-f]{4}|\\x[0-9A-Fa-f]{2}|\x1b\[[0-9;]{0,12}m)$"
AWS_SECRET = r"(?:(?<![A-Za-z0-9/+=])|(?<=\\[nrt]))[A-Za-z0-9/+]{40}(?![A-Za-z0-9/+=])"
JWT = r"[A-Za-z0-9_-]{8,}+={0,2}\.[A-Za-z0-9_-]*+={0,2}(?:\.[A-Za-z0-9_-]*+={0,2}){0,3}"
URL_PASSWORD = (
    r"://(?:[^\s/?#:@\"'`<\[\]\\]{0,200}|<[a-z_-]{1,40}>):((?:[^\s/?#\"'`\\]|\\(?![nrtu\"'])){1,512})@(?!sha256:)"
)
URL_ODD_PASSWORD = r"://[^\s/?#:@\"'`<>\[\]\\]{1,200}:(?![0-9]{1,5}[,/?#])([^\s\"'`\\@]{1,256})@[\w.-]"
WEB_SCHEME = r"https?|ftps?|wss?"
DATABASE_SCHEME = r"postgres(?:ql)?|mysql|mariadb|mongodb|rediss?|amqps?|mssql|srv"
AUTHORIZATION = (
    r"(?:(?<![a-z0-9_])(bearer|basic)|authorization[\"'\\\]]{0,4}[ \t]{0,4}[:=,][ \t]{0,4}[\"'\\]{0,4}"
    r"(token|api-?key|key|genie-?key|splunk|bot|apitoken|pat|sso-key))(?:[ \t]|%20|\+){1,4}[\"']?"
    r"([a-z0-9._~+/=:|%-]{6,}+)"
)
_WORD = r"(?:'([^'\n]{1,200})'|\"([^\"\n]{1,200})\"|([^\s'\"]{3,200}))"
_CURL_USER = r"(?:-[a-zA-Z]{0,6}[uU] ?|--(?:proxy-)?user[ =])[\"']?[^\s:\"']{0,100}:[\"']?"
_AWS_NEAR = r"(?:aws|AWS|Aws).{0,20}?(?i:key|pw|pass|token|secret).{0,20}?[\"'](?![0-9a-f]{40})([A-Za-z0-9/+]{40})[\"']"
ARGUMENTS = (
    ("aws-secret-key", "aws", _AWS_NEAR),
    ("command-password", "curl", r"curl\b[^\n|]{0,300}?\s" + _CURL_USER + r"([^\s\"']{1,200})"),
    ("command-password", "sshpass", r"sshpass\s{1,4}-p ?" + _WORD),
    ("command-password", "mysql", r"mysql(?:dump|admin|import)?\b[^\n|]{0,200}?\s-p" + _WORD),
    ("command-password", "docker login", r"docker login\b[^\n|]{0,200}?\s-p ?" + _WORD),
    ("connection-string", "jdbc:oracle:", r"jdbc:oracle:[a-z]{3,5}:[^\s/@]{1,128}/([^\s@/\"']{1,128})@"),
)

# Assignments: a keyword that ends a name, an operator, a value. Matched against lower-case text.
KEYWORDS = ("pass", "pw", "secret", "token", "key", "credential", "authorization")
KEYWORD = r"passphrase|passw(?:or)?d|passwort|pass|pwd|pw|secret|token|key|credentials?|authorization"
_SUFFIX = r"_?(?:base|prod(?:uction)?|dev|test|staging|live|value|[0-9]{1,2})"
_QUOTE = r"\\{0,3}[\"'`]"
_TYPE = (
    r"(?:optional\[|final\[)?&?(?:'static )?(?:secret)?(?:str|string|bytes|text|any)\]?"
    r"(?: ?\| ?(?:none|null|undefined))?"
)
OPERATOR = (
    rf"(?P<suffix>{_SUFFIX})?(?:{_QUOTE})?\]?[ \t]{{0,8}}(?P<sign>::|:?={{1,3}}>?|:[ \t]{{0,4}}{_TYPE}[ \t]{{0,4}}=|:|>"
    rf"|(?<=[\"'`]),(?=[ \t]{{0,4}}{_QUOTE})|\((?={_QUOTE})"
    rf"|,?[ \t]{{0,4}}\n?[ \t]{{0,40}}(?:{_QUOTE})?value(?:{_QUOTE})?[ \t]{{0,4}}[:=]|(?<=[ \t]))[ \t]{{0,8}}"
)
OPENING = r"[rbfu@$]{0,2}(\\{0,3})([\"'`])"
BARE = r"[^\s\"'`]++"
BARE_END = r"\\\\*[nrt]|;(?=$|[ \w-]{1,40}=)|</|&(?=[\w.-]{1,40}=)|,(?=$|[\w-]{1,40}[=:])|\x1b"
DSN_FIELD = (
    r"(?:server|host|hostaddr|data source|user id|uid|user|username|dbname|database|endpoint)[ \t]{0,4}="
    r"(?:[^\n\"',]|,[0-9]){1,160}[; ][ \t]{0,4}$"
)

# Assigned values whose name and shape together are certain: (rule, name ends so, whole value).
_CREDENTIAL = r"[_-]?(?:api)?[_-]?(?:key|pwd|pw|password|pass|token)$"
_ASSIGNED = (
    ("aws-secret-key", r"(?:aws|amazon).*(?:key|pw|pass|token|secret)|secret_?access_?key", r"[A-Za-z0-9/+]{40}"),
    ("cloudant-key", r"(?:^|[^a-z])(?:cloudant|clou|cl)" + _CREDENTIAL, r"[0-9a-fA-F]{64}|[a-zA-Z]{24}"),
    ("ibm-cos-key", r"cos[_-]?(?:hmac)?[_-]?secret[_-]?(?:access)?[_-]?key$", r"[0-9a-fA-F]{48}"),
    ("ibm-cloud-key", r"(?:^|(?:ibm|iam|cloud)(?:[_-]?(?:cloud|iam))?)" + _CREDENTIAL, r"[A-Za-z0-9_-]{44}"),
    ("softlayer-key", r"(?:^|[^a-z])(?:softlayer|sl)" + _CREDENTIAL, r"[a-zA-Z0-9]{64}"),
    ("heroku-key", r"heroku", r"[0-9a-fA-F]{8}(?:-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}"),
    ("cloudflare-token", r"cloudflare|(?:^|[^a-z])cf_", r"[A-Za-z0-9_-]{37,45}"),
    ("twilio-key", r"twilio", r"[0-9a-f]{32}"),
    ("datadog-key", r"datadog|(?:^|[^a-z])dd_", r"[0-9a-f]{32}(?:[0-9a-f]{8})?"),
)  # fmt: skip

_SECRET_NAME = (
    r"(?:(?:api|app|access|secret|private|auth|encryption|encrypt|signing|master|account|storage|consumer|jwt|hmac"
    r"|webhook|shared|admin|subscription|client|license|crypto|write|ingestion|integration|project|service|server|deploy"
    r"|auth0|function|live|user|bot|subscriber)[_.-]?key|secret|token|passphrase|passw(?:or)?d|passwort"
    r"|pwd|(?:^|[_.-]|db|user|smtp|ftp|mail|admin|root|my)(?:pass|pw)|credentials?|authorization)"
    rf"(?:{_SUFFIX})?$"
)
_HARMLESS_NAME = (
    r"(?:public(?:[_-]?key)?|page|next|prev(?:ious)?|sync|continu[a-z]*|cursor|csrf|xsrf|cancel[a-z]*|pad|eos|bos|unk|cls|sep|mask"
    r"|start|end|stop|special|max|min|num|cache|primary|foreign|sort|partition|hash|idempotency|dedup[a-z]*|object|row|group"
    r"|map|lookup|rout(?:e|ing)|index|item|record|event|translation|message|registry|query|range|unique|shard|host|s3)"
    r"[_. -]?(?:token|key)$"
)
_PASSWORD_NAME = r"pass|pwd|pw(?:_?[0-9]{1,2})?$"
_COMPOUND_NAME = (
    r"[a-z0-9]{2}[_-]token|key|secret|pass|pwd|pw|(?:api|auth|access|refresh|bearer|bot|session|service)[_.-]?token"
)

# Patterns that begin with a literal are searched, those that describe a whole value are matched: both stay cheap.
_TEMPLATE = (
    r"\$\{|\$\(|\{\{|%\(|%s|\{[a-z_$][a-z0-9_.$\[\]'\"() ]{0,60}\}|\[\^?[a-z0-9]-[a-z0-9]|\\[swd.]|example|placeholder"
    r"|change[_-]?(?:me|it|this)|dummy|sample|redact|xxxx|\*\*\*|\.\.\.|fixme|insert|replace|_here|-here|<"
    r"|your(?<![a-z0-9]your)|fake(?<![a-z0-9]fake)|todo(?<![a-z0-9]todo)|my[_-](?<![a-z0-9]my.)|not[_-]?a?[_-]?(?:real|secret)"
)
_REFERENCE = (
    r"%[a-z0-9_]+%$|[a-z]+://|process\.env|import\.meta|os\.|op://|ref\+|vault:|arn:|file:|data:"
    r"|[a-z_][a-z0-9_.:]*[(\[]|&[#a-z]|\[|(?:none|null|nil|undefined|true|false)\b"
)
_DOTTED = r"[a-z_$][a-z0-9_$]*(?:\??\.[a-z_$][a-z_$]*)+$"
_PATH = r"(?:[~.]{0,2}/|[a-z]:[\\/])[^/\\]{0,60}[/\\]"
_PUBLIC_SHAPE = (
    r"[~^<>=v!]{0,3}[0-9]+(?:\.[0-9]+){1,3}(?:(?:[-+.]|(?:a|b|rc|dev|post)[0-9])[0-9a-z.+-]*)?$|[0-9]{4}-[0-9]{2}-[0-9]{2}|[a-z0-9_.+-]+@[a-z0-9-]+(?:\.[a-z0-9-]+)+$"
    r"|sha[0-9]+[-:]|(?:npm|workspace|git\+|github|gitlab|http|https|ssh|link|patch):"
)
_PLAIN_WORD = r"pass|password|passwd|secret|token"
_STAND_IN = r"[x*.•…_-]+|your[_-]?[a-z0-9_-]*|%\w+%|(?:[A-Z]+_)*(?:PASS|PASSWORD|PWD|SECRET|TOKEN|KEY)"
_UUID = r"[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}"

# The commonest English letter pairs: words and identifiers are made of them, random strings are not.
_PAIRS = (
    "thheineranrendonenatouedhatooritishiesngtestarselealasvellmetiridecoroeaneraomlichioicelmadilaurhocetasiusec"
    "trutacotntsseeetadnopelosoapkeolulgeemoorsidncctprpofoamunainawashnsmoilsuspowcabelyvievayboghtsldrtirewplig"
    "wiieeyagckabexxtuequuityrycyfiifivimumupopblclcrbrgrfrdrubobebovucscsk"
)
_COMMON_PAIRS = frozenset(_PAIRS[index : index + 2] for index in range(0, len(_PAIRS), 2))
_JUDGED = 128
_SHORTEST_KEY = 24


def wordiness(value: str) -> float:
    """Share of a value's adjacent letter pairs that are common in English, 0 to 1 (0 without a pair).

    English and identifiers lie near 0.7, random letters near 0.2.
    """
    pairs = [a + b for a, b in pairwise(value) if a.isalpha() and b.isalpha()]
    return sum(pair in _COMMON_PAIRS for pair in pairs) / len(pairs) if pairs else 0.0


def is_stand_in(value: str) -> bool:
    """Say whether a password in a URL or DSN is a template, an environment reference or a mask, not a password."""
    low = value.lower()
    if "[redacted:" in low or _is_variable(value) or compiled(_STAND_IN).fullmatch(value) is not None:
        return True
    if compiled(_PLAIN_WORD).fullmatch(low) is not None:
        return True
    return compiled(r"\$\{|\$\(|\{\{|%\(|^%s$|^\{[^}]*\}$|^<[^>]*>$|^\[.*\]$").search(low) is not None


def assigned_rule(name: str, value: str, *, quoted: bool, adjacent: bool = False) -> str | None:
    """Name the rule by which `name = value` is a secret, or None.

    `name` is lower case and at most some 60 characters. `adjacent` means that only blanks stand between the two, where
    nothing but a certain shape counts. Values are judged by their first 128 characters.
    """
    for rule, name_pattern, value_pattern in _ASSIGNED if len(value) >= _SHORTEST_KEY else ():
        shaped = compiled(value_pattern).fullmatch(value) and compiled(name_pattern).search(name)
        if shaped and _is_mixed(rule, name, value):
            return rule
    if adjacent or not compiled(_SECRET_NAME).search(name) or is_harmless(name):
        return None
    password = compiled(_PASSWORD_NAME).search(name) is not None
    if compiled(_UUID).fullmatch(value.lower()):
        return "assigned-secret" if compiled(_COMPOUND_NAME).search(name) else None
    return "assigned-secret" if looks_secret(value, quoted=quoted, password=password) else None


def is_harmless(name: str) -> bool:
    """Say whether what a name ends in sounds like a secret and is none: `next_page_token`."""
    return compiled(_HARMLESS_NAME).search(name) is not None


def _is_mixed(rule: str, name: str, value: str) -> bool:
    if rule == "aws-secret-key":
        return "secret" in name or compiled(r"[0-9a-f]{40}").fullmatch(value) is None  # else a commit id
    return compiled(r"[0-9]").search(value) is not None or wordiness(value.lower()) < 0.6


def looks_secret(value: str, *, quoted: bool, password: bool = False) -> bool:
    """Say whether a value in a secret's place is a secret rather than a word, a reference or a placeholder.

    Long values count when they are not wordy; short ones (from 8 characters, quoted passwords from 6) when they mix
    character classes. Bare values, which may be code, need more than quoted ones.
    """
    head = value[:_JUDGED]
    if len(head) < (6 if quoted and password else 8) or _is_public(head, quoted):
        return False
    low, digit = head.lower(), compiled(r"[0-9]").search(head) is not None
    if len(head) >= 16 and _is_random(head, low, digit, quoted):
        return True
    return _is_strong(head, low, digit, quoted, password)


def _is_variable(value: str) -> bool:
    return compiled(r"\$[A-Za-z_]\w*").fullmatch(value) is not None and unrest(value) < 0.4


def _is_public(head: str, quoted: bool) -> bool:
    low = head.lower()
    if not head.isascii() or not compiled(r"[^\s]*[a-z][^\s]*").fullmatch(low) or _is_variable(head):
        return True
    if compiled(_REFERENCE).match(low) or compiled(_PUBLIC_SHAPE).match(low) or compiled(_TEMPLATE).search(low):
        return True
    named = compiled(_PATH).match(low) or (not quoted and compiled(_DOTTED).match(low))
    return bool(named) and wordiness(low) >= 0.3 and unrest(head) < 0.5


def _is_random(head: str, low: str, digit: bool, quoted: bool) -> bool:
    if digit and compiled(r"[0-9a-f]+").fullmatch(low):
        return True
    mixed = unrest(head) >= (0.45 if quoted else 0.55)
    if digit:
        return mixed or wordiness(low) < (0.55 if quoted else 0.5)
    return head not in (low, head.upper()) and (mixed or wordiness(low) < 0.33)


def unrest(value: str) -> float:
    """Share of neighbours among letters and digits that differ in class: random tokens near 0.6, camelCase to 0.4."""
    classes = ["d" if c.isdigit() else "u" if c.isupper() else "l" for c in value if c.isalnum()]
    return sum(a != b for a, b in pairwise(classes)) / max(1, len(classes) - 1)


def _is_strong(head: str, low: str, digit: bool, quoted: bool, password: bool) -> bool:
    symbol = compiled(r"[!@#$^&*+?~|]").search(head) is not None
    classes = digit + symbol + (head != low) + (head != head.upper())
    if symbol and digit and classes >= 3:
        return quoted or password
    plain = compiled(r"[A-Za-z0-9]+").fullmatch(head) is not None
    if quoted and password:
        return digit and (plain or classes >= 3)
    if quoted:
        return digit and plain and classes >= 3 and wordiness(low) < 0.5
    leet = compiled(r"[a-zA-Z][0-9]+[a-z]").search(head) is not None
    return password and classes >= 3 and (unrest(head) >= 0.45 or (plain and (leet or wordiness(low) < 0.5)))


def is_infix_token(rule: str, token: str) -> bool:
    """Tell tokens from dotted names and labels of the same shape."""
    if rule == "discord-token":
        return token[0] in "MNO" and (any(c.isdigit() for c in token) or unrest(token) >= 0.4)
    if rule == "telegram-token":
        return token != token.lower() and token != token.upper()
    return True


def is_credential(value: str, *, declared: bool) -> bool:
    """Say whether what follows `Bearer` is a credential; `declared` means that `Authorization` stands before it."""
    if looks_secret(value, quoted=True):
        return True
    low = value[:_JUDGED].lower()
    if not declared or len(value) < 8 or is_stand_in(value) or "your" in low or "xxxx" in low:
        return False
    return any(c.isdigit() for c in low) or (len(low) >= 12 and wordiness(low) < 0.4)
