"""Standing rules: which texts state one, and what kinds of work, languages and tools a text is about.

A rule ("Always use snake_case for columns") applies by situation ("write a migration that adds the order table"): the
two need not share a word. So a rule is marked in the index of words when it is stored, by terms that no word can have:
one for being a rule, one for each of its topics. A recall finds the marks of rules without reading any text.
"""

import re
from collections.abc import Collection, Iterable, Iterator, Mapping
from functools import cache
from zlib import crc32

from indelible.search import tokens
from indelible.search.languages import unaccented

VERSION = 1  # of what is marked, and how; a change marks what is stored again, in the background

TYPES = frozenset({"preference", "pattern", "style", "habit"})  # of memories that are rules whatever they say
TAGS = frozenset(
    """rule rules convention conventions preference preferences guideline guidelines policy policies instruction
    instructions standard standards style""".split()
)
KINDS = frozenset({"memory", "message", "entity"})  # of records that can state a rule; documents are found as they are

READ = 2_000  # characters of a text that are read
SHARE = 0.4  # of a text that its rules take up at least: one sentence of many is part of an explanation

MARK = crc32(b"\0rule")  # no word has a NUL in it


def marks(kind: str, type_: str, tags: Collection[str], text: str) -> dict[int, int]:
    """Return the index terms that mark a record as a rule about its topics, each with a count of 0; else none.

    A count of 0 weighs nothing: to a search for words the marks are not there.
    """
    if kind not in KINDS or not is_rule(type_ if kind == "memory" else "", tags, text):
        return {}
    return dict.fromkeys([MARK, *map(mark_of, topics(tokens.words(" ".join([text[:READ], *tags]))))], 0)


def mark_of(topic: str) -> int:
    """Return the index term of rules about a topic."""
    return crc32(f"\0rule:{topic}".encode())


def is_rule(type_: str, tags: Collection[str], text: str) -> bool:
    """Whether a text states a rule: by the type and tags that it was given, or by its sentences.

    Sentences in English, German, Spanish and French are understood. It is one if rules take up a good part of it,
    or if a sentence says that it holds from now on.
    """
    if type_ in TYPES or any(part.lower() in TAGS for tag in tags for part in tag.split(":")):
        return True
    beginning = text[:READ]
    normative = 0
    for sentence in _sentences(beginning):
        if _lasting().search(sentence):
            return True
        if _is_normative(sentence):
            normative += len(sentence)
    return normative > 0 and normative >= SHARE * len(beginning)


def _sentences(text: str) -> Iterator[str]:
    """Yield the sentences but questions in small letters, without bullets and quotation marks before them."""
    for sentence in _end().split(text):
        bare = sentence.strip(" \t-*•>\"'“”«»‘’`_()[]#").lower().replace("’", "'")
        if bare and not bare.endswith(("?", "？")):
            yield bare


def _is_normative(sentence: str) -> bool:
    for _ in range(3):  # "Noah, please, ..."
        opening = _opening().match(sentence)
        if opening is None:
            break
        sentence = sentence[opening.end() :]
    condition = _condition().match(sentence)
    if condition is not None:
        rest = sentence[condition.end() :]
        if _imperative().match(rest) or _is_normative_clause(rest):
            return True
    return _is_normative_clause(sentence)


def _is_normative_clause(clause: str) -> bool:
    if _harmless().match(clause):
        return False
    return bool(_ruling().search(clause)) or bool(_imperative().match(clause) and _general().search(clause))


_ASKING = frozenset("what which who whom whose when where why how is are was were do does did has have had".split())


def is_question(text: str) -> bool:
    """Whether a text asks for what is known, instead of naming work to be done."""
    first = next(iter(text.lower().split()), "")
    return text.rstrip().endswith(("?", "？")) or first.rstrip("'s’") in _ASKING or first in _ASKING


# Made where a text is first read: a process that stores and finds nothing does without.


@cache
def _end() -> re.Pattern[str]:
    return re.compile(r"(?<=[.!?;:])\s|\n|(?<=[。！？])")


@cache
def _opening() -> re.Pattern[str]:
    """Return the words before the first that count: of politeness, a name, an order of points."""
    return re.compile(
        r"(?:please|also|and|but|so|ok|okay|now|then|note that|remember that|in general|generally|just|finally|bitte"
        r"|por favor|s'il (?:te|vous) plaît|außerdem|[a-zà-ÿ]{2,20},)[ ,]+"
    )


@cache
def _condition() -> re.Pattern[str]:
    return re.compile(
        r"(?:when(?:ever)?|if|every time|each time|any time|before|after|wenn|immer wenn|sobald|falls|cuando"
        r"|siempre que"
        r"|si|quand|lorsque|chaque fois que|for|in|with)\b[^,]{2,120}, "
    )


@cache
def _lasting() -> re.Pattern[str]:
    """Return what says that it holds from now on, that it is a rule, or when it applies."""
    return re.compile(
        r"\b(?:from now on|(?<!keep )(?<!keeps )(?<!keeping )going forward|from here on|henceforth"
        r"|from this point on|as a (?:general )?rule|by convention|house style"
        r"|(?:our|team|naming|coding) (?:convention|rule|policy|guideline)s?"
        r"|i(?:'d| would)? (?:want|need|expect|like) you to"
        r"|when(?:ever)? (?:i|we) (?:ask|mention|discuss|bring up|talk about|request|inquire)"
        r"|when(?:ever)? you (?:answer|describe|discuss|explain|give|list|mention|provide|recommend|reply|respond"
        r"|suggest"
        r"|talk|tell|write)|(?:each|every) time (?:i|we|you) [a-z]+"
        r"|ab jetzt|von nun an|ab sofort|ich möchte, dass du|immer wenn ich|wenn ich (?:dich )?(?:nach|um|frage)"
        r"|a partir de ahora|de ahora en adelante|quiero que (?:siempre|nunca|uses|me)|cuando te pregunte"
        r"|désormais|à partir de maintenant|dorénavant|je (?:veux|voudrais) que tu|quand je (?:te )?demande)\b"
        r"|^(?:please )?(?:always|never) [^,]{2,80} (?:when(?:ever)?|if) (?:i|we|you)\b"
    )


@cache
def _harmless() -> re.Pattern[str]:
    """Return the beginnings of what people say to each other that is no rule."""
    return re.compile(
        r"(?:do not|don't|never) (?:worry|forget|mind|give up|be|know|think|hesitate|get me wrong|feel|stop|lose"
        r"|let)\b"
        r"|never ?mind|no (?:problem|worr|one|idea|way|doubt|matter|need|thanks|wonder|longer|more|issues?\b)"
        r"|always (?:been|a|the|so|here|great|happy|nice|glad|good|welcome|[a-z]+ing)\b"
        r"|never (?:been|heard|had|seen|tried|done|knew|known|gone|thought|was|were|did|got|felt)\b"
        r"|(?:i|he|she|it|they|that|this|there|you|we) (?:must|should) (?:be|have been|feel)\b"
    )


_VERBS = """add answer ask avoid begin call capitalise capitalize catch check cite close commit convert create
    declare define delete deploy document be do end ensure escape explain export follow format give handle highlight
    implement import include indent keep limit list log make mention merge mock name open order pass pin place
    prefer prefix provide push put quote raise rebase remind remove reply respond return review run seed set show
    sort speak split squash start stick store suffix suggest summarise summarize tag talk tell test translate treat
    update use validate wrap write antworte benutze füge gib lass nenne nimm nutze schreib schreibe setze verwende
    vermeide zeig zeige añade da escribe evita incluye muestra pon prefiere responde usa utiliza ajoute affiche
    donne écris évite inclus mets montre préfère réponds utilise utilisez""".split()


@cache
def _imperative() -> re.Pattern[str]:
    return re.compile(rf"(?:{'|'.join(_VERBS)})\b")


@cache
def _general() -> re.Pattern[str]:
    """Return what makes a request one for every time: a condition, an alternative, a bound."""
    return re.compile(
        r"\b(?:(?:before|after|with|in|for|on|at|of|per) (?:every|each|any|all|anything|everything)|whenever"
        r"|(?:each|every) time|always|never"
        r"|only (?:after|if|when|from|through|in|for|on|with|to)|when(?:ever)? (?:i|you|we)|if i|instead of"
        r"|rather than|over inheritance"
        r"|by default|at all times|first|(?:short|brief|concise|simple|below|under|within)|immer|nie|niemals"
        r"|stets|keine?n?|statt|jedes mal"
        r"|siempre|nunca|en lugar de|en vez de|cada vez|toujours|jamais|au lieu de|plutôt que|chaque fois)\b|, not\b"
    )


_NOT_A_PERSON = r"(?<!\bi )(?<!\bhe )(?<!\bshe )(?<!\bit )(?<!\bthey )(?<!\bthat )(?<!\bthis )(?<!\byou )(?<!\bwe )"
_THINGS = (
    r"(?:names?|identifiers?|variables?|columns?|tables?|functions?|methods?|classes|branch(?:es)?|booleans?"
    r"|constants?|interfaces?|messages?|modules?|arguments?|attributes?|tests?)"
)


@cache
def _ruling() -> re.Pattern[str]:
    """Return the forms of a sentence that say how things are to be done, whoever does them."""
    return re.compile(
        r"^(?:always|never) (?!\w+[^s]s\b|\w+ed\b)\w|^(?:do not|don't) \w|^(?:avoid|prefer|stick to)\b"
        r"|^no [a-z.()-]+(?: [a-z-]+)? (?:in|on|without|for|after|before|outside|at|to|unless|except)\b"
        r"|\b(?:must|should|shall|may|can) (?:not|never|always|only)\b (?!be (?:so|too|very))|\bmay not\b"
        r"|\bcannot be used\b"
        rf"|{_NOT_A_PERSON}\bmust\b (?!have|be (?!\w+ed\b|\w+en\b|set|made|kept|run|sent|done|in|at|of|under|no"
        rf"|unique|short|a\b))"
        r"|\b(?:is|are) (?:not |never |strictly )?(?:allowed|forbidden|mandatory|required|prohibited|banned)\b"
        r"|\b(?:is|are) (?:not )?to be [a-z]+"
        r"|\bi (?:always |strongly |usually |generally )?prefer\b|\bi(?:'d| would) (?:prefer|rather you)\b"
        r"|^i (?:only|don't) want\b"
        r"|^we (?:don't|do not|never|always|only|squash|require|avoid|prefer) |\bwe (?:never|always) [a-z]+e?\b(?<!ed)"
        rf"|^(?:[a-z]+ ){{0,2}}{_THINGS} (?:are|is|follow|use)\b|^(?:[a-z]+ ){{0,2}}[a-z]+s (?:start|end|begin) with\b"
        rf"|^(?:{'|'.join(_VERBS)}) (?:[a-z]+ )?[a-z]+s (?:in|as|with|by|under|into|from)\b"
        rf"|\b{_THINGS}\b.{{0,60}}\b(?:start|end|begin|prefix(?:ed)?|suffix(?:ed)?|are named|is named|follow"
        rf"|belong|need|go through)s?\b"
        r"|^(?:every|each|all)\b.{2,60}\b(?:needs?|gets?|has|have|carr(?:y|ies)|go(?:es)? through|starts?|ends?"
        r"|follows?|comes? with"
        r"|contains?|uses?|includes?)\b"
        r"|\bbelongs? (?:in|into|under)\b|\b(?:wants|likes|prefers) (?:small|short|imperative|no|only|every|all)\b"
        r"|^(?:immer|nie|niemals|keine?n?|stets)\b .|\b(?:dürfen|darf|sollen|soll) (?:nur|nie|nicht|niemals|immer"
        r"|keine?n?)\b|\b(?:müssen|muss)\b"
        r"|\b(?:immer|nie|niemals|stets) (?:auf|mit|in|nur|ohne)\b|^verwende|^vermeide|\bich (?:bevorzuge"
        r"|hätte gerne?|will keine)\b"
        r"|^(?:siempre|nunca|evita|prefiero|no quiero|no uses)\b|^(?:usa|utiliza|escribe) siempre\b|\b(?:debe"
        r"|deben|hay que)\b"
        r"|^(?:toujours|jamais|évite|préfère|ne .{2,30} jamais|n'utilise)\b|^(?:utilise|utilisez|écris"
        r"|mets) toujours\b"
        r"|\b(?:doit|doivent|il faut|est interdit)\b|\b(?:sont|est) toujours\b"
        r"|必须|不要|始终|总是|必ず|しないで|常に"
    )


# --- Topics ---

# The kinds of work, languages and tools that rules are for, with the words by which a rule or a request is about one,
# some of them in German, Spanish and French. A word may stand in several.
_TOPICS: Mapping[str, str] = {
    "coding": """write implement create build introduce define refactor code coding function functions method class
        classes variable variables module script component endpoint route helper handler constant parameter argument
        field loop interface parser snippet docstring indent snake camel typing hints import imports schreibe
        implementiere funktion klasse escribe función clase crea añade écris fonction classe boucle ajoute""",
    "names": """name names named naming rename identifier identifiers variable variables column columns prefix suffix
        snake camel pascal kebab introduce define called flag boolean interface abstraction branch nombre nombres nom
        noms variablen namen""",
    "database": """database db table tables column columns row rows schema migration sql query queries postgres
        postgresql sqlite mysql orm record records join foreign transaction customers orders fetch select datenbank
        tabelle spalte tabla columna colonne""",
    "testing": """test tests testing unittest pytest jest mock mocks fixture coverage regression failing spec flaky
        verify bug bugs wrong fix prüfung prueba pruebas""",
    "committing": """git commit commits push rebase squash stash version changelog changes change save ticket
        speichern sichere änderungen guardar cambios enregistre""",
    "merging": """pull request pr merge approve approval approved reviewer review integrate finished publish diff
        branch open main""",
    "releasing": """release deploy deployment deployments rollout roll ship production prod live staging cluster
        friday weekend outage down incident rollback server veröffentlichen despliegue""",
    "data": """production live delete remove drop duplicate backup data truncate purge wipe customers accounts""",
    "documenting": """documentation document docs docstring readme manual comment comments guide tutorial changelog
        kommentar kommentare comentario comentarios commentaire""",
    "errors": """error errors exception exceptions catch raise throw panic unwrap crash fail fails failure failing
        handle incomplete invalid declined rejected retry fallback wrap fehler fehlermeldung fehlermeldungen abgelehnt
        erreur""",
    "debugging": """debug debugging error broken wrong stuck problem issue failing traceback slow crash investigate
        cause""",
    "logging": """log logs logging logger print trace structlog monitor watch see runs running worker output verbose""",
    "web": """api endpoint endpoints route http rest request response url graphql status controller backend parameter
        parameters deprecation deprecated v1 v2 versioned breaking""",
    "interface": """ui button form component components page css style screen layout react frontend dialog navigation
        bar menu design theme dark redesign redesigned screenshot screenshots settings avatar label show display
        visible strings translation formulario bouton""",
    "security": """password passwords secret secrets token tokens credential credentials login auth authentication
        sign signup vault key keys access encrypt permission hash security connect user""",
    "packages": """dependency dependencies package packages library libraries install pin pinned pip npm cargo
        framework tool tools client upgrade parse somehow bibliothek librería""",
    "choosing": """suggest recommend choose pick option options alternative alternatives service services open source
        proprietary licence free paid vendor""",
    "comparing": """compare comparison versus vs pros cons difference differences better tradeoffs advantages table
        vergleich comparar""",
    "explaining": """explain explanation explanations understand works describe detail details example
        examples sample hint hints exercise course learn teach tutorial solution erklär erkläre explica explique""",
    "summing": """summary summaries summarise summarize recap overview week progress report bullet points
        paragraphs zusammenfassung resumen""",
    "writing": """reply letter mail email message draft answer complaint customer customers client tone speak language
        german english deutsch englisch text antworte antwort""",
    "dates": """date dates schedule deadline due milestone timestamp timestamps utc time calendar day paid
        created datum fecha""",
    "money": """money price prices cost costs amount amounts euro euros dollar invoice invoices budget revenue vat
        billing pay paid hosting bill total betrag rechnung facture montants factura""",
    "measuring": """performance slow fast latency speed measured measure benchmark numbers profile dashboard optimise
        optimize memory cache""",
    "units": """units metric distance distances weight weights far kilometres miles long heavy""",
    "structure": """refactor function functions handler giant lines short split composition inheritance shares
        exporter behaviour class dataclass dataclasses dictionary dictionaries structured values helper""",
    "files": """file files path paths folder directory pathlib csv json yaml read list header""",
    "numbers": """random seed seeded shuffle sample simulation simulations train training float flottants integer
        rounding centimes""",
    "generated": "generated generate generiert générés client codegen openapi",
    "starting": "start begin work feature branch branches task",
    "closing": "close closed ticket issue solved done confirmed customer resolve",
    "asking": "ask asking touches deploy delete install package confirm permission",
    "python": "python py pip pytest ruff mypy django flask fastapi pandas pathlib dataclass dataclasses",
    "javascript": "javascript js node npm react vue jest",
    "typescript": "typescript ts tsx react",
    "rust": "rust rs cargo clippy unwrap",
    "golang": "golang",
    "java": "java kotlin maven gradle spring",
    "sql": "sql select query revenue join",
    "shell": "bash shell sh zsh script",
    "css": "css scss tailwind bem style",
    "containers": "docker container image kubernetes helm compose cluster",
}
LANGUAGES = frozenset({"python", "javascript", "typescript", "rust", "golang", "java", "shell", "css"})


@cache
def _topics_of_words() -> dict[str, tuple[str, ...]]:
    found: dict[str, list[str]] = {}
    for topic, listed in _TOPICS.items():
        for word in set(tokens.stems(unaccented(listed).split())):
            found.setdefault(word, []).append(topic)
    return {word: tuple(each) for word, each in found.items()}


def topics(words: Iterable[str]) -> frozenset[str]:
    """Return the kinds of work, languages and tools that some words name, which are those of `tokens.words`."""
    known = _topics_of_words()
    return frozenset(topic for word in words for topic in known.get(word, ()))
