"""The one place that reads the environment and `indelible.toml`."""

import os
import re
from collections.abc import Mapping
from dataclasses import field, fields, replace
from pathlib import Path
from typing import Any, Literal, cast, get_args

from indelible import hook_settings
from indelible.dataclass import dataclass
from indelible.errors import InvalidInput
from indelible.filesystem import NOT_WRITABLE, data_directory, home_directory, is_read_only
from indelible.hook_settings import check_clear, place_of
from indelible.project import CLAUDE, WORKSPACE, Found, find

# Imported late (start, cli): tomllib

DAY = 86_400_000_000  # microseconds

TOML = "indelible.toml"  # in the data directory

GraphValidation = Literal["auto", "strict", "off"]
Answers = Literal["full", "lean", ""]  # "" leaves it to the profile

# The variables by which other memory servers are told where their file is, in the order in which one is looked for.
EXISTING = ("MEMORY_FILE_PATH", "VECFS_FILE", "MATRIX_DB")


@dataclass(frozen=True, slots=True)
class Settings:
    """The settings of a process. Later sources win: indelible.toml in the data directory, environment, flags.

    `database` is the URL of a PostgreSQL store, '' for the file in the data directory, and `tenant` the number of the
    memory in it. `project` is what `--project` gave; `workspace` and `project_hint` are a client's words for the
    directory that it works in.
    Files of this machine (codebases, what hooks left) are those of the tenant that the process was started for: in the
    settings of another tenant that it serves too `own_machine` is False.
    With `on_read_only_disk` the store is read-only because its directory cannot be written, else because somebody said
    so. Times are in days. `encoder` is `shared` (one process for all servers of a user), `off`, or the base URL of an
    OpenAI-compatible one.
    The index keeps the newest `commits` of a repository, 0 for none, with the names of their authors where
    `commit_authors` allows it.
    With `window` texts that were stored side by side lend each other relevance; with `floor` recall gives no answer
    rather than one that has nothing to do with the question. A cross-encoder, where the store has chosen one, has
    `rerank_seconds` for the best hits of a recall. `graph_validation` is the mode in which `graph/gates.py`
    holds the knowledge graph against the taxonomy. `toolsets`, `tools` and `exclude_tools` are the names that say which
    tools a server offers, as they were given; `registry.offered` reads them. Agents are shown those of `profile`, and
    answered with `answers`, full or lean (see `toolsets/profiles.py`). `existing` are the files of other memory servers
    that a server takes in, each with the variable that named it. Over HTTP a server answers to the names in
    `allowed_hosts` besides its own, and waits `http_patience` seconds for the head of a request. It takes JWTs of
    `jwt_issuer` for `jwt_audience`, its own address, signed by a key of `jwt_jwks` (a URL or a file), where these are
    given; `jwt_tenant_claim` names the claim with the number of the tenant that one is for. `origins` names the flag,
    the variable or the file that each setting comes from, where it is not the default.
    """

    data: Path
    database: str = field(default="", repr=False)  # a password may be in it
    tenant: int = 1
    project: str | None = None
    workspace: str | None = None
    project_hint: str | None = None
    start: Path = Path()
    home: Path = Path()
    read_only: bool = False
    on_read_only_disk: bool = False
    own_machine: bool = True
    toolsets: tuple[str, ...] = ()
    tools: tuple[str, ...] = ()
    exclude_tools: tuple[str, ...] = ()
    profile: str = ""
    answers: Answers = ""
    encoder: str = "off"
    encoder_model: str = ""
    encoder_key: str | None = field(default=None, repr=False)
    commits: int = 50_000
    commit_authors: bool = False
    window: bool = True
    floor: bool = True
    rerank_seconds: float = 0.15
    graph_validation: GraphValidation = "auto"
    existing: tuple[tuple[str, Path], ...] = ()
    allowed_hosts: tuple[str, ...] = ()
    http_patience: float = 10.0
    jwt_issuer: str = ""
    jwt_audience: str = ""
    jwt_jwks: str = ""
    jwt_tenant_claim: str = ""
    trash_days: int = 30
    event_days: int = 90
    change_days: int = 7
    applied_days: int = 7
    backups_kept: int = 7
    origins: Mapping[str, str] = field(default_factory=dict, repr=False, compare=False)

    @classmethod
    def load(
        cls,
        data: str | None = None,
        project: str | None = None,
        read_only: bool = False,
        environ: Mapping[str, str] | None = None,
        *,
        toolsets: str | None = None,
        tools: str | None = None,
        exclude_tools: str | None = None,
        allowed_hosts: str | None = None,
        workspace: str | None = None,
        profile: str | None = None,
        answers: str | None = None,
        database: str | None = None,
        tenant: str | None = None,
    ) -> "Settings":
        """The settings of a process; names of toolsets and tools come separated by commas.

        Where nobody says where the data is, and another memory server's file is named, it is beside that: `<file>.db`.
        Raises InvalidInput where a source says something it cannot say.
        """
        environ = os.environ if environ is None else environ
        existing = tuple((name, _file(name, environ[name])) for name in EXISTING if environ.get(name))
        beside = f"{existing[0][1]}.db" if existing else None
        directory = data_directory(_no_database(data or environ.get("INDELIBLE_DATA")) or beside)
        kept = _from_toml(directory / TOML)
        flags = {"data": data, "project": project, "read_only": read_only or None, "toolsets": toolsets, "tools": tools}
        flags |= {"exclude_tools": exclude_tools, "allowed_hosts": allowed_hosts, "workspace": workspace}
        flags |= {"profile": profile, "answers": answers, "database": database, "tenant": tenant}
        origins = _origins(flags, environ, kept)
        if beside and "data" not in origins:
            origins["data"] = existing[0][0]
        named, number = kept.pop("database", ""), kept.pop("tenant", 1)
        place = database_of(database or environ.get("INDELIBLE_DATABASE") or named)
        return cls(
            data=directory,
            database=place,
            tenant=_tenant(tenant or environ.get("INDELIBLE_TENANT") or number, place),
            project=project or environ.get("INDELIBLE_PROJECT") or None,
            workspace=workspace or environ.get(WORKSPACE) or None,
            project_hint=environ.get(CLAUDE) or None,
            start=_working_directory(),
            home=home_directory(),
            read_only=_switch("INDELIBLE_READ_ONLY", environ) or read_only,
            toolsets=_names(toolsets, environ.get("INDELIBLE_TOOLSETS")),
            tools=_names(tools, environ.get("INDELIBLE_TOOLS")),
            exclude_tools=_names(exclude_tools, environ.get("INDELIBLE_EXCLUDE_TOOLS")),
            profile=profile or environ.get("INDELIBLE_PROFILE") or "",
            answers=_answers(answers or environ.get("INDELIBLE_ANSWERS") or ""),
            encoder=environ.get("INDELIBLE_ENCODER") or "shared",
            encoder_model=environ.get("INDELIBLE_ENCODER_MODEL") or "",
            encoder_key=environ.get("INDELIBLE_ENCODER_KEY") or None,
            commits=_whole("INDELIBLE_COMMITS", environ, 50_000, 1_000_000),
            commit_authors=_switch("INDELIBLE_COMMIT_AUTHORS", environ),
            window=environ.get("INDELIBLE_WINDOW", "") != "off",
            floor=environ.get("INDELIBLE_FLOOR", "") != "off",
            rerank_seconds=_seconds("INDELIBLE_RERANK_SECONDS", environ, 0.15),
            graph_validation=_graph_validation(environ.get("INDELIBLE_GRAPH_VALIDATION") or "auto"),
            existing=existing,
            allowed_hosts=_names(allowed_hosts, environ.get("INDELIBLE_ALLOWED_HOSTS")),
            http_patience=_seconds("INDELIBLE_HTTP_PATIENCE", environ, 10.0),
            origins=origins,
            **_jwt(environ),
            **kept,
        )

    @property
    def project_found(self) -> Found:
        """Return the project of a process with these settings, and the way to it (see `project.find`)."""
        hints = {WORKSPACE: self.workspace or "", CLAUDE: self.project_hint or ""}
        return find(self.project, hints, self.start, self.home)

    @property
    def place(self) -> str:
        """Return where the store is, as it is told to people: a database without user and password."""
        return place_of(self.database, self.tenant) if self.database else str(self.data)

    def for_disk(self) -> "Settings":
        """The same, read-only where nothing can be made in the directory of the store's file."""
        on_one = not self.database and is_read_only(self.data)
        return replace(self, read_only=True, on_read_only_disk=True) if on_one else self

    @property
    def why_read_only(self) -> str:
        """Why nothing is written and what to do, as the rest of a sentence on what writes."""
        if self.on_read_only_disk:
            return f"the store {self.data} {NOT_WRITABLE}"
        return "this server is read-only; start it without --read-only"

    @property
    def inbox(self) -> str:
        """The directory in which hooks left what this store is to take in."""
        return hook_settings.inbox(str(self.data), self.database, self.tenant)


def _working_directory() -> Path:
    """Return where the process was started; the root, which is no project, where that directory is deleted by now."""
    try:
        return Path.cwd()
    except OSError:
        return Path(os.path.abspath(os.sep))


_SWITCH = {
    **dict.fromkeys(("", "0", "false", "no", "off"), False),
    **dict.fromkeys(("1", "true", "yes", "on"), True),
}


def editor() -> str:
    """Return the command line of the user's text editor: VISUAL, EDITOR, else what the system has."""
    return os.environ.get("VISUAL") or os.environ.get("EDITOR") or ("notepad" if os.name == "nt" else "vi")


def _switch(variable: str, environ: Mapping[str, str]) -> bool:
    given = environ.get(variable, "")
    if given.strip().lower() not in _SWITCH:
        raise InvalidInput(
            f"{variable} is {given!r:.80}; give 1, true, yes or on, or 0, false, no or off, or leave it out"
        )
    return _SWITCH[given.strip().lower()]


def _origins(flags: Mapping[str, object], environ: Mapping[str, str], kept: Mapping[str, object]) -> dict[str, str]:
    """Return what says each setting that is said: the flag, the variable or the file."""
    found = {}
    for name in (each.name for each in fields(Settings)):
        variable = {"workspace": WORKSPACE, "project_hint": CLAUDE}.get(name, f"INDELIBLE_{name.upper()}")
        if flags.get(name) is not None and flags[name] != "":
            found[name] = {"allowed_hosts": "--allowed-host"}.get(name, f"--{name.replace('_', '-')}")
        elif environ.get(variable):
            found[name] = variable
        elif name in kept:
            found[name] = TOML
    return found


def _answers(given: str) -> Answers:
    if given not in get_args(Answers):
        raise InvalidInput(f"--answers or INDELIBLE_ANSWERS is {given!r:.80}; give full or lean, or leave it out")
    return cast(Answers, given)


def _jwt(environ: Mapping[str, str]) -> dict[str, Any]:
    """The settings of JWTs: all of them or none, so that nothing is taken unchecked by mistake."""
    names = {name: f"INDELIBLE_{name.upper()}" for name in ("jwt_issuer", "jwt_audience", "jwt_jwks")}
    given = {name: environ.get(variable, "").strip() for name, variable in names.items()}
    missing = [variable for name, variable in names.items() if not given[name]]
    if missing and len(missing) < len(names):
        raise InvalidInput(f"{' and '.join(missing)} must be set too: a JWT is checked by its issuer, audience and key")
    claim = environ.get("INDELIBLE_JWT_TENANT_CLAIM", "").strip()
    if claim and missing:
        raise InvalidInput("INDELIBLE_JWT_TENANT_CLAIM names a claim of JWTs; set INDELIBLE_JWT_ISSUER too, or neither")
    return {**given, "jwt_tenant_claim": claim}


def _seconds(variable: str, environ: Mapping[str, str], default: float) -> float:
    given = environ.get(variable, "").strip()
    try:
        seconds = float(given) if given else default
    except ValueError:
        seconds = 0.0
    if not 0 < seconds <= 3_600:
        raise InvalidInput(f"{variable} must be a number of seconds above 0 and up to 3600, got {given!r:.80}")
    return seconds


def _whole(variable: str, environ: Mapping[str, str], default: int, most: int) -> int:
    given = environ.get(variable, "").strip()
    if not given:
        return default
    is_number = given.isascii() and given.isdecimal() and len(given) < 10
    if not is_number or int(given) > most:
        raise InvalidInput(f"{variable} must be a whole number from 0 to {most:,}, got {given!r:.80}")
    return int(given)


def _file(variable: str, given: str) -> Path:
    if not given.strip():
        raise InvalidInput(f"{variable} is {given!r}, which names no file; give a path or leave it out")
    try:
        return Path(given).expanduser().absolute()
    except RuntimeError as error:
        raise InvalidInput(f"{variable} is {given!r}: {error}; give an absolute path") from error
    except OSError as error:  # a relative path has nothing to be relative to
        raise InvalidInput(
            f"{variable} is {given!r}, and the working directory no longer exists; give an absolute path"
        ) from error


def _graph_validation(given: str) -> GraphValidation:
    for mode in get_args(GraphValidation):
        if given == mode:
            allowed: GraphValidation = mode
            return allowed
    allowed_modes = ", ".join(get_args(GraphValidation))
    raise InvalidInput(f"INDELIBLE_GRAPH_VALIDATION must be one of {allowed_modes}, got {given!r:.80}")


def _names(flag: str | None, variable: str | None) -> tuple[str, ...]:
    """The names that a flag lists, else those of the variable; a flag that lists none overrides the variable too."""
    listed = flag if flag is not None else variable or ""
    return tuple(name.strip() for name in listed.split(",") if name.strip())


DATABASE = ("postgresql://", "postgres://")
MOST_TENANT = 2**53 - 1  # what JSON carries as a whole number


def _no_database(given: str | None) -> str | None:
    if given and given.startswith(DATABASE):
        raise InvalidInput(
            "--data or INDELIBLE_DATA is the URL of a database; give that as --database or INDELIBLE_DATABASE. "
            "The data directory keeps what hooks and clients leave on this machine"
        )
    return given


def database_of(given: str) -> str:
    """The URL as it is. Raises InvalidInput, which does not repeat it: a password may be in it."""
    url = given.strip()
    if url and not url.startswith(DATABASE):
        raise InvalidInput(
            "--database or INDELIBLE_DATABASE is not a PostgreSQL URL; write it as "
            "postgresql://USER@HOST:PORT/DATABASE, with the password in PGPASSFILE, or leave it out"
        )
    check_clear(url)
    return url


def _tenant(given: str | int, database: str) -> int:
    text = str(given).strip()
    number = int(text) if text.isascii() and text.isdecimal() and len(text) <= 16 else 0
    if not 1 <= number <= MOST_TENANT:
        raise InvalidInput(
            f"--tenant or INDELIBLE_TENANT must be a whole number from 1 to {MOST_TENANT}, got {given!r:.80}"
        )
    if number > 1 and not database:
        raise InvalidInput(
            f"--tenant or INDELIBLE_TENANT is {number}, and a SQLite file has only tenant 1; leave it out, or give a "
            "--database"
        )
    return number


_TOML = {f.name for f in fields(Settings) if f.name.endswith(("_days", "_kept"))}
_PLACED = ("database", "tenant")  # the environment and flags may say something else


def _from_toml(path: Path) -> dict[str, Any]:
    if not path.is_file():
        return {}
    import tomllib

    try:
        values = tomllib.loads(path.read_text(encoding="utf-8"))
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        raise InvalidInput(f"{path} is not valid TOML: {error}") from error
    for name, value in values.items():
        if name not in _TOML and name not in _PLACED:
            raise InvalidInput(f"{path}: unknown setting {name!r}; allowed are {', '.join(sorted({*_TOML, *_PLACED}))}")
        if name == "database":
            if type(value) is not str:
                raise InvalidInput(f"{path}: database must be a URL in quotation marks")
        elif type(value) is not int or value < 1:
            raise InvalidInput(f"{path}: {name} must be a whole number of at least 1, got {value!r}")
    return values


def spare_threads() -> None:
    """Let numpy, before it is imported, start no threads for linear algebra unless the user says how many.

    The models have a process of their own, and nothing else multiplies matrices: a thread for each core that waits for
    ever would cost a short command a tenth of its time.
    """
    os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")


def send_nothing() -> None:
    """Let onnxruntime, before it is imported, note no id of this machine and send no events: nothing leaves it."""
    os.environ["ORT_DISABLE_TELEMETRY"] = "1"


def child_environment(**values: str) -> dict[str, str]:
    """The environment of this process with some values set, for a process that it starts."""
    return {**os.environ, **values}


def notify_socket() -> str:
    """Return where systemd waits to be told that a service of the type `notify` has started, "" for nowhere."""
    return os.environ.get("NOTIFY_SOCKET", "")


def trace_exporters(environ: Mapping[str, str] | None = None) -> tuple[list[str], str]:
    """Return the exporters of traces that the standard variables of OpenTelemetry ask for, and the one that asks.

    As its entry points name them. OTEL_TRACES_EXPORTER asks, or the endpoint of OTLP; mostly none does.
    """
    environ = os.environ if environ is None else environ
    chosen, *endpoints = "OTEL_TRACES_EXPORTER", "OTEL_EXPORTER_OTLP_TRACES_ENDPOINT", "OTEL_EXPORTER_OTLP_ENDPOINT"
    asking = next((name for name in (chosen, *endpoints) if environ.get(name, "").strip()), "")
    if not asking or environ.get("OTEL_SDK_DISABLED", "").strip().lower() == "true":
        return [], ""
    protocols = "OTEL_EXPORTER_OTLP_TRACES_PROTOCOL", "OTEL_EXPORTER_OTLP_PROTOCOL"
    protocol = next((environ[name] for name in protocols if environ.get(name)), "http/protobuf")
    otlp = {"http/protobuf": "otlp_proto_http", "grpc": "otlp_proto_grpc"}.get(protocol, f"otlp over {protocol}")
    names = [name.strip() for name in (environ[chosen] if asking == chosen else "otlp").split(",")]
    return [otlp if name == "otlp" else name for name in names if name not in ("", "none")], asking


def hub_access(environ: Mapping[str, str] | None = None) -> tuple[str, str | None]:
    """The address of the hub of models and the token for it. Raises InvalidInput for what is no such address."""
    environ = os.environ if environ is None else environ
    endpoint = (environ.get("HF_ENDPOINT") or "https://huggingface.co").rstrip("/")
    token = environ.get("HF_TOKEN") or None
    if not re.fullmatch(r"https?://[^\s/@]+(/[^\s@?#]*)?", endpoint):
        raise InvalidInput("HF_ENDPOINT must be an http(s) URL without a user, such as https://huggingface.co")
    if token and not (endpoint.startswith("https:") or re.match(r"http://(localhost|127\.0\.0\.1)(:|$)", endpoint)):
        raise InvalidInput(
            "HF_TOKEN would go over the network unencrypted; give HF_ENDPOINT with https, or leave it out"
        )
    return endpoint, token


def git_environment() -> dict[str, str]:
    """The environment of a git that only reads: no variable of git's own, no prompt, no transport, no lazy fetch."""
    kept = {name: value for name, value in os.environ.items() if not name.startswith(("GIT_", "SSH_ASKPASS"))}
    return {
        **kept,
        "GIT_ALLOW_PROTOCOL": "none",
        "GIT_NO_LAZY_FETCH": "1",
        "GIT_OPTIONAL_LOCKS": "0",
        "GIT_PAGER": "cat",
        "GIT_TERMINAL_PROMPT": "0",
        "LC_ALL": "C",
    }
