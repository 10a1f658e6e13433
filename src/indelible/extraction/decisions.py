"""Decisions that a message states explicitly; nothing is guessed.

A sentence states one where it says that something was decided ("we decided to", "let's go with", "decision:", "from now
on"), chooses with a contrast or a reason beside it ("we will use X because"), or sets a rule for the project
("never ... in this repo"). Questions, conditions, possibilities, proposals and withdrawn statements do not count; nor
do sentences that are not about the work, or name nothing ("let's go with that").
"""

import re
from collections.abc import Iterator, Sequence

from indelible.dataclass import dataclass
from indelible.extraction import prose, topics
from indelible.extraction.languages import HEADING, LANGUAGES, Language

LONGEST = 600  # characters of a decision
SHORT = 40  # characters of a sentence after "decision:" that the next one belongs to
NEAR = 80  # characters before a statement in which a doubt counts

_CLAUSE = re.compile(
    r"[;:—–]\s|,\s(?:so|therefore|thus|hence|but|also|donc|mais|aber|así que|pero|por eso)\s", re.IGNORECASE
)
_LEANS = re.compile(  # a sentence that cannot stand without the one before it
    r"(?:it(?! (?:was|is|has been) (?:decided|agreed))|this|that|these|those|they|he|she|so|das|dies|diese[rs]?|"
    r"sie|es|cela|ça|ce|ceci|elle|il|esto|eso|ello)\b",
    re.IGNORECASE,
)
_DEMAND = re.compile(
    r"(?:always|never|immer|nie|niemals|toujours|siempre|nunca)\s(?!(?:an?|the|true|false|null|none|been|had|der|"
    r"die|das|le|la|el)\b)"
    r"[a-zäöüéèñ]{2,}",
    re.IGNORECASE,
)
_CUSTOM = re.compile(r"we (?:use|prefer|avoid|do not use|don['’]t use)\Z", re.IGNORECASE)  # a habit, or how code works
_IMPERATIVE = re.compile(r"(?:please )?(?:use|utilisez?|verwende|nutze|benutze|nimm|usa|utiliza)\Z", re.IGNORECASE)
_CAUSE = re.compile(r"(?:because|so that|over)\Z", re.IGNORECASE)
_POSSIBLE = re.compile(
    r"\b(?:can|cannot|possible|able|you|you'll|plan|plans|able|würde|kann|können|möglich|peut|peuvent|possible|"
    r"puede|pueden|posible)\b",
    re.IGNORECASE,
)
_LEADING = (  # words that only lead over
    r"(?:(?:ok(?:ay)?|yes|no|and|so|then|but|also|please|now|here|there|alright|right|fine|good|great|perfect|"
    r"sure|ja|gut|dann|also|und|bitte|oui|donc|alors|et|bien|sí|bueno|entonces|y|vale)[,.!]?\s){0,3}"
)
_SENTENCE_BEFORE = re.compile(rf"{_LEADING}\Z", re.IGNORECASE)  # nothing but those
_CLAUSE_BEFORE = re.compile(rf"(?:.{{0,200}}[,;:—–(]\s{{0,3}})?{_LEADING}\Z", re.IGNORECASE)
_JOINED = re.compile(
    r"(?:\b(?:and|so|but|because|that|since|then|now|today|yesterday|finally|therefore|first|also|however|end|"
    r"meeting|team|dass|weil|und|"
    r"da|heute|gestern|jetzt|daher|deshalb|que|car|donc|et|hier|aujourd['’]hui|porque|hoy|ayer|ya|así)|[^\w\s])\s*\Z",
    re.IGNORECASE,
)
_REASON = re.compile(
    r"(?:because|since|the reason|reason|that way|rationale|why|otherwise|weil|grund|begründung|damit|sonst|parce|car|"
    r"la raison|raison|sinon|porque|la razón|razón|motivo|así)\b",
    re.IGNORECASE,
)
_NOTHING = re.compile(  # a reference to something outside the sentence
    r"\W{0,3}(?:(?:to |not )?(?:use|take|keep|do|try|make|adopt|drop|stick to|stick with|go with|stay with) )?"
    r"(?:(?:that|this|it|them|these|those|both|some|any|a few|an? (?:example|few|simple)|our (?:running )?example|"
    r"option|options|your|you|yours|his|her|their|my|number|plan|variant|approach|what|"
    r"the (?:most|more|smallest|largest|simplest|best|easiest|first|second|third|last|other|latter|former|same|"
    r"one|above|"
    r"following|recommended)|the (?:plan|proposal|suggestion|flow|schedule|approach)(?=\W{0,3}\Z|[,;])|"
    r"[\da-d](?=[.,;!)]|\Z)|[b-d](?=\s)|\d{1,2}(?=\s(?:for|as|and|then|please|instead|now)\b)|"
    r"das|dies|dem|diese[rnms]?|variante|vorschlag|deine[rnms]?|der (?:ersten|zweiten|letzten)|ça|cela|ceci|"
    r"l'option|ton|"
    r"ta|la (?:première|deuxième)|eso|esto|tu|la (?:primera|segunda|opción)|opción)(?:\W|\Z))",
    re.IGNORECASE,
)
_ACTIVITY = re.compile(  # somebody's next step is no decision about the project
    r"\W{0,3}(?:to |on |with |zu )?(?:first |just |simply )?(?:a |an |the )?(?:quick |first |brief |short |temporary )?"
    r"(?:start|begin|look|check|run|try|investigate|explore|read|see|wait|proceed|continue|go(?! with)|stop|ask|"
    r"call|meet|"
    r"visit|review|summary|summari[sz]e|verify|examine|inspect|search|debug|fix|rerun|re-run|commit|push|walk|"
    r"tell|show|"
    r"share|deploy an?|take a|do (?:this|it|that|so)|have a|get started|give it|make (?:an?|this|it|sure)|update|add a)"
    r"(?:ning|ting|ing)?\b",
    re.IGNORECASE,
)
_MINE = re.compile(r"(?:I\b|let(?:'s|’s|s| us)\b|j['’]|ich\b|he\b|voy\b|elegí\b|decidí\b|opté\b|lass)", re.IGNORECASE)
_OF_ANSWERS = re.compile(r"let(?:'s|’s|s| us)\b|lass(?:t)? uns|partons|vamos", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class Decision:
    """A stated decision: its text, which can stand alone, the file names in it and beside it, its topics."""

    text: str
    files: tuple[str, ...]
    topics: tuple[str, ...]
    language: str


def decisions(text: str, *, asked: bool, working: bool = False) -> list[Decision]:
    """Return the decisions in a message, in order; `asked` tells a person's message from an agent's answer.

    An agent's "let's" is a proposal, and its statement about itself counts where it names the alternative, or a reason.
    Unless the session is `working` (runs commands or edits files), only a message with technical terms has any.
    """
    found: list[Decision] = []
    headed = ""
    technical = working or topics.is_technical(text[: prose.LONGEST])
    for sentences in prose.paragraphs(text):
        if len(sentences) == 1 and sentences[0].endswith(":"):
            headed = sentences[0]
            continue
        found += _in_paragraph(sentences, headed, asked, technical)
        headed = ""
    return found


def without_heading(text: str) -> str:
    """Return a text without the "Decision:" that it begins with."""
    heading = HEADING.match(text)
    return text[heading.end() :] if heading else text


def takes_back(text: str) -> bool:
    """Whether a message begins by withdrawing an earlier statement."""
    first = next((sentences[0] for sentences in prose.paragraphs(text[:2_000]) if sentences), "")
    return any(language.withdraws.match(first) for language in LANGUAGES)


def _in_paragraph(sentences: Sequence[str], headed: str, asked: bool, technical: bool) -> Iterator[Decision]:
    taken: set[int] = set()
    for at, sentence in enumerate(sentences):
        language = _stated(sentence, asked)
        if language is None and at == 0 and headed and HEADING.match(f"{headed} x"):
            language = None if sentence.endswith("?") else LANGUAGES[0]
        if language is None or at in taken or not 12 <= len(sentence) <= prose.LONGEST_SENTENCE:
            continue
        if at + 1 < len(sentences) and language.withdraws.match(sentences[at + 1]):
            continue
        parts = list(_together(sentences, at))
        taken.update(range(at, at + len(parts)))
        whole = " ".join(parts)
        if technical or language.scopes.search(sentence) or topics.is_technical(whole):
            yield _decision(whole, sentences, language)


def _together(sentences: Sequence[str], at: int) -> Iterator[str]:
    """Yield the sentence, with the one before where it depends on it, and the next where that gives the reason.

    A question does neither: "Why does the lexer fail?" asks for something else.
    """
    if at and _LEANS.match(sentences[at]) and not sentences[at - 1].endswith("?"):
        yield sentences[at - 1]
    yield sentences[at]
    following = sentences[at + 1] if at + 1 < len(sentences) else "?"
    if following.endswith("?"):
        return
    if _REASON.match(following) or (HEADING.match(sentences[at]) and len(sentences[at]) < SHORT):
        yield following


def _decision(text: str, paragraph: Sequence[str], language: Language) -> Decision:
    plain = without_heading(text)
    plain = plain if len(plain) <= LONGEST else plain[: LONGEST - 1] + "…"
    beside = " ".join(paragraph)[:4_000]
    return Decision(plain, tuple(topics.files(beside)), tuple(topics.topics(plain)), language.name)


def _stated(sentence: str, asked: bool) -> Language | None:
    """The language in which a sentence states a decision; None where it states none."""
    if sentence.rstrip("\"'”’)]*_ ").endswith(("?", "？")) or "¿" in sentence:
        return None
    if HEADING.match(sentence):
        return None if _withdrawn_inside(sentence) else LANGUAGES[0]
    for language in LANGUAGES:
        if any(says(language, sentence, asked) for says in (_states, _begins, _chooses, _rules)):
            return language
    return None


def _withdrawn_inside(sentence: str) -> bool:
    return any(language.doubts.search(sentence) for language in LANGUAGES)


def _states(language: Language, sentence: str, asked: bool) -> bool:
    found = language.states.search(sentence)
    if found is None or _doubted(language, sentence, found):
        return False
    rest = sentence[found.end() :]
    if _NOTHING.match(rest) or _ACTIVITY.match(rest):
        return False
    counted = sentence.split() if language.verb_last else ["", "", "", "", *rest.split()]
    if len(counted) < 6:
        return False
    if not _begins_clause(sentence[: found.start()]) or (not asked and _OF_ANSWERS.match(found[0])):
        return False
    if not _MINE.match(found[0]) or _OF_ANSWERS.match(found[0]) or language.contrasts.search(rest):
        return True
    return asked and topics.is_technical(sentence)


def _begins_clause(before: str) -> bool:
    """Whether a statement is one of its own: not "the plan we agreed on", and not inside quotation marks."""
    quoted = before.count('"') % 2 or before.count("“") > before.count("”")
    return not quoted and (_CLAUSE_BEFORE.match(before) or _JOINED.search(before)) is not None


def _begins(language: Language, sentence: str, asked: bool) -> bool:
    """Whether a rule from now on names who keeps it, or its subject, and is no mere possibility."""
    found = language.since.search(sentence)
    if found is None or _POSSIBLE.search(sentence) or language.doubts.search(sentence):
        return False
    before, after = sentence[: found.start()], sentence[found.end() :]
    if not _CLAUSE_BEFORE.match(before) and len(after.split()) > 1:
        return False
    rest = before + after
    if _NOTHING.match(after) or len(rest.split()) < 4:
        return False
    return language.ruling.search(rest) is not None


def _chooses(language: Language, sentence: str, asked: bool) -> bool:
    """Whether a choice names its alternative, or a reason. Only a person's: an agent says so of each of its steps."""
    found = language.chooses.search(sentence) if asked else None
    if found is None or not _CLAUSE_BEFORE.match(sentence[: found.start()]) or language.doubts.search(sentence):
        return False
    rest = sentence[found.end() :]
    contrast = language.contrasts.search(rest)
    if contrast is None or _NOTHING.match(rest) or _ACTIVITY.match(rest):
        return False
    if _CUSTOM.match(found[0]) and _CAUSE.match(contrast[0]):
        return False
    if _IMPERATIVE.match(found[0]):  # a task, unless it names the project
        return language.scopes.search(sentence) is not None or language.since.search(sentence) is not None
    return True


def _rules(language: Language, sentence: str, asked: bool) -> bool:
    """Whether it is a rule of the project; without naming it only a person's demand: "always use uv, never pip"."""
    rule = language.rules.search(sentence)
    if rule is None or language.doubts.search(sentence) or language.withdraws.match(sentence):
        return False
    if len(sentence.split()) < 5:
        return False
    if language.scopes.search(sentence):
        return True
    if not asked or not _SENTENCE_BEFORE.match(sentence[: rule.start()]):
        return False
    return _DEMAND.match(sentence, rule.start()) is not None and topics.is_technical(sentence)


def _doubted(language: Language, sentence: str, found: re.Match[str]) -> bool:
    before = sentence[max(0, found.start() - NEAR) : found.start()]
    clause = [match.end() for match in _CLAUSE.finditer(before)]
    return language.doubts.search(before[clause[-1] if clause else 0 :] + found[0]) is not None
