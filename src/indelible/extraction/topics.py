"""The subjects of a text as its words show them: files, names of code, technical terms."""

import re
from collections.abc import Iterator

MOST_FILES = 5
MOST_TOPICS = 4

_FILE = re.compile(
    r"(?<![\w/@:.-])(?:[\w@.-]{1,80}/){0,12}[\w@-][\w@.-]{0,80}\.(?:py|pyi|rs|go|ts|tsx|js|jsx|mjs|cjs|java|kt|kts|rb|php|c|h|cc|cpp|"
    r"hpp|cs|swift|scala|ex|exs|erl|hs|ml|lua|r|jl|dart|vue|svelte|astro|sql|prisma|proto|graphql|css|scss|html|md|mdx|"
    r"toml|yaml|yml|json|jsonc|lock|ini|cfg|env|sh|bash|ps1|tf|gradle|xml|cmake|mk|ipynb|tex|csv)(?![\w/-])"
    r"|(?<![\w/.-])(?:Makefile|Dockerfile|Justfile|Rakefile|Gemfile|Procfile|CLAUDE\.md|AGENTS\.md)(?!\w)"
    r"|(?<![\w/:.-])(?![bw]/[\s])(?:[\w@.-]{1,60}/){1,12}(?=[\s`'\",;)]|\.(?:\s|\Z)|\Z)"
)
_CODE = re.compile(
    r"`[^`\n]{1,120}`"
    r"|(?<!\w)[a-z]+(?:_[a-z0-9]+)+(?!\w)|(?<!\w)[a-z][a-z0-9]*+[A-Z]\w+|(?<!\w)[A-Z][a-z0-9]+(?:[A-Z][a-z0-9]+)+(?!\w)"
    r"|(?<!\w)\w{1,60}\(\)|(?<![\w-])--[a-z][\w-]{1,40}|(?<!\w)[A-Za-z]{2,}[.\-]?v?\d+(?:\.\d+)+(?!\w)"
)
_TERMS = frozenset(
    """hosting headless algorithm algorithms gpu cpu dto dtos ddd c# c++ latex software selenium opengl cuda kernel
    linker quellcode quellcodes programmieren programmier api apis rest graphql grpc rpc http https http2 websocket
    websockets sse webhook webhooks endpoint endpoints route routes router routing middleware database databases db
    sql nosql orm schema schemas migration migrations index indexes indices query queries transaction transactions
    table tables column columns postgres postgresql mysql mariadb sqlite redis mongodb mongo dynamodb cassandra
    elasticsearch opensearch clickhouse duckdb kafka rabbitmq nats sqs celery sidekiq queue queues worker workers
    cron cache caching cached ttl server servers client clients backend frontend fullstack microservice
    microservices monolith monorepo docker dockerfile container containers kubernetes k8s helm terraform ansible aws
    s3 lambda gcp azure cloudflare vercel netlify heroku nginx caddy traefik ci cd pipeline pipelines deploy
    deployment deployments deploys staging rollback release releases git github gitlab branch branches commit
    commits merge rebase squash pr prs changelog semver version versions versioning test tests testing unittest
    pytest jest vitest playwright cypress mocha junit fixture fixtures mock mocks coverage lint linter linting
    eslint prettier ruff black mypy pyright biome typecheck typescript javascript python rust golang java kotlin
    swift ruby php elixir haskell scala node nodejs deno bun npm pnpm yarn pip uv poetry cargo gradle maven webpack
    vite esbuild rollup turbo react vue svelte angular next nextjs nuxt remix astro tailwind css html jsx tsx dom
    component components hook hooks redux zustand django flask fastapi rails laravel spring express nestjs axum
    actix tokio asyncio async await threads thread threading mutex lock locks locking concurrency parser parsers
    parsing tokenizer lexer ast compiler regex json yaml toml xml csv protobuf parquet avro utf8 unicode encoding
    timestamp timestamps timezone timezones utc uuid uuids ulid hash hashes hashing sha256 bcrypt argon2 encryption
    tls ssl oauth oauth2 oidc jwt jwts token tokens auth authentication authorization login session sessions cookie
    cookies csrf cors secret secrets env config configs configuration setting settings flag flags logging logger
    logs metrics tracing opentelemetry prometheus grafana sentry monitoring module modules package packages library
    libraries framework dependency dependencies sdk cli crate crates interface interfaces enum enums struct structs
    function functions method methods class classes constructor exception exceptions retry retries backoff timeout
    timeouts pagination cursor payload payloads request requests response responses serializer serialization
    deserialization validator validation pydantic zod refactor refactoring codebase repository repo repos code bug
    bugs backfill shard sharding replica replicas architecture stripe supabase firebase prisma drizzle sqlalchemy
    alembic typeorm sequelize htmx tauri electron flutter wasm webassembly llm llms embedding embeddings vector
    vectors tokenization stdout stderr stdin daemon socket sockets unix linux windows macos posix filesystem
    directory directories folder folders file files path paths script scripts milliseconds microseconds cents
    decimal decimals float floats integer integers int64 bigint boolean nullable null tabs spaces indentation
    docstring docstrings comment comments type types typed typing strict parameter parameters argument arguments
    datenbank schnittstelle schnittstellen abfrage abfragen bibliothek modul module paket pakete abhängigkeit
    abhängigkeiten zeitstempel datei dateien verzeichnis klasse klassen funktion funktionen fehler tabelle tabellen
    spalte spalten zweig server requête requêtes bibliothèque dépôt fichier fichiers dossier dépendance dépendances
    fonction fonctions classe horodatage serveur schéma migration branche essais tests jeton jetons montants
    centimes base biblioteca consulta consultas archivo archivos carpeta dependencia dependencias función funciones
    clase clases tabla tablas columna servidor esquema migración migraciones rama ramas pruebas prueba marca paquete
    paquetes repositorio""".split()
)
_WEAK = frozenset(  # everyday words too: two of them are needed
    """next spring black express swift flask rust python java ruby node client clients release releases session
    sessions test tests testing index table tables column columns cookie cookies branch branches class classes
    component components path paths flag flags lock locks metrics module modules package packages library libraries
    file files folder folders script scripts tokens token secret secrets comments comment type types version
    versions model requests request response responses threads thread bug bugs hook hooks prompt arguments argument
    route routes pipeline index server servers spaces tabs parameter types settings setting monitoring logs await
    lambda remix mock int base prueba pruebas marca clase clases classe klasse klassen tabla tablas paquete paquetes
    paket pakete fehler fichier fichiers dossier archivo archivos carpeta rama ramas función fonction fonctions
    biblioteca bibliothèque bibliothek verzeichnis datei dateien code mongo bun cargo deploy interface express
    architecture strict float floats method methods decimals function functions worker workers cursor exceptions
    exception pr cd merge commit cypress celery helm validation query parsing spalte spalten zweig tabelle tabellen
    consulta consultas abfrage abfragen queue queues""".split()
)
_WORD = re.compile(r"[^\W_][\w+#]{0,40}")
_STRONG = _TERMS - _WEAK


def is_technical(text: str) -> bool:
    """Whether a text is about software: it names a file, code, a technical term, or two weak terms."""
    if _CODE.search(text) or _FILE.search(text):
        return True
    spelled = set(_WORD.findall(text))
    words = {word.lower() for word in spelled}
    if not words.isdisjoint(_STRONG):
        return True
    return len(words & _WEAK) + sum(map(_is_acronym, spelled)) >= 2


def _is_acronym(word: str) -> bool:
    return 2 < len(word) < 6 and word.isalpha() and word.isupper()


def files(text: str) -> Iterator[str]:
    """The names of files and directories in a text, in its order, at most five."""
    found = dict.fromkeys(match[0].rstrip(".") for match in _FILE.finditer(text))
    yield from list(found)[:MOST_FILES]


def topics(text: str) -> list[str]:
    """The terms and names of code in a text in its order, small letters, at most four."""
    names = [
        match[0].strip("`()").lower()
        for match in re.finditer(rf"{_CODE.pattern}|{_WORD.pattern}", text)
        if match[0].lower() in _STRONG or (_CODE.fullmatch(match[0]) and len(match[0]) <= 32)
    ]
    return [name for name in dict.fromkeys(names) if name and " " not in name][:MOST_TOPICS]
