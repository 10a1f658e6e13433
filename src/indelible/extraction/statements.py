"""The sentences of a user's prompt that are worth keeping: decisions, rules, preferences, facts.

What the rules of `decisions` find is kept. Of the other sentences a logistic head over their measures and words
(`measures`) chooses; it knows English only. Its weights are in data/statements.json, which `bench/fit_statements.py`
makes and docs/design/extraction.md tells the sources of.
"""

import json
import math
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import field, replace
from functools import cache
from importlib.resources import files
from typing import Any, Literal

from indelible.dataclass import dataclass
from indelible.extraction import decisions, prose, topics
from indelible.extraction.calls import ASKS, object_of
from indelible.extraction.decisions import Decision
from indelible.extraction.measures import PHRASES, Place, measures, words_of
from indelible.extraction.own_words import are_typed, is_cited, without_greeting
from indelible.search.languages import ENGLISH, language_of_script, language_of_words, unaccented

Kind = Literal["decision", "rule", "preference", "fact"]

LONGEST = 600  # characters of a statement with the sentences that it needs
SHORT, FEW = 240, 3  # characters and sentences of a prompt that is kept whole, since its sentences explain each other
FEWEST_WORDS = 4
SURE = 4.0  # log odds of what says that it was decided
SURE_ENOUGH = (
    -0.4
)  # log odds from which a statement needs no review; docs/design/extraction.md has how often it is right
LOOKED_AT = 200  # characters at the end of an agent's message in which a question counts
LEAST_LETTERS = 0.72  # a smaller share of letters is that of a log, a table, or data
_ANSWER = re.compile(r'"="(?P<quoted>[^"]{1,4000})"|^\*\*Answer:\*\* (?P<marked>.{1,4000})$', re.MULTILINE)
# Texts that somebody else wrote: of a command of the client, and the plan of an agent as the client hands it on.
_COMMAND = re.compile(r"\s*(?:/[\w:.-]+(?:\s|\Z)|Implement the following plan:)")
_WORD = re.compile(r"[^\W\d_]+")
_ITEM = re.compile(
    r"\A\W*(?:(?:no|ok|and|man),? ){0,2}for #?\d{1,3}\b|\b(?:issues?|items?|options?|points?|comments?) #?\d{1,3}\b",
    re.IGNORECASE,
)
_NOT_SETTLED = re.compile(
    r"\b(?:someone|somebody|they|he|she|reddit|stack ?overflow|hacker news|the (?:article|blog|post|other team))"
    r" (?:say|said|decided?|went|go|uses?|used|claims?|recommends?|suggests?|thinks?|wants?|always|never)\w{0,2}\b|"
    r"\A\W*never mind\b|\A\W*(?:if|once|unless|until) (?:we|i)\b|\b(?:was thinking|what if|how about|(?:we|i) could)\b",
    re.IGNORECASE,
)
# Short rules and choices that say what they are: the head, which was fitted on long prompts, trusts no short sentence.
_RULES: tuple[tuple[Kind, re.Pattern[str]], ...] = (
    (
        "rule",
        re.compile(
            r"\A\W*(?:(?:and|but|so|also|please|ok|okay|btw|remember|note)[ ,:]{1,2}){0,2}"
            r"(?:we |you |you must |we must )?(?:always|never) (?:log|commit|push|deploy|tests?|mock|run|install|use|"
            r"import|merge|rebase|squash|format|"
            r"lint|delete|edit|touch|write|add|ask|build|ship|release|store|return|throw|raise|catch|hard-?code|print|"
            r"skip|expose|call|name|document|update|bump|change|create|generate|check|review|round|cache|put|keep|"
            r"modify|rename|remove|expect|assume|read|send|block|disable|ignore|include|prefer|pin|sign|validate|escape)\b",
            re.IGNORECASE,
        ),
    ),
    (
        "rule",  # what is asked to be remembered, though not "remember to commit", a task
        re.compile(
            r"\A\W*(?:(?:and|but|so|also|please|ok|okay|btw)[ ,:]{1,2}){0,2}"
            r"(?:(?:(?:always )?remember|keep in mind|(?:do not|don['’]t|never) forget)"
            r"(?:[:,]| that (?!(?:bug|issue|one|thing|time|was|is|day|problem|error)\b))|"
            r"for (?:the future|future (?:reference|sessions?)|next time)[:,])",
            re.IGNORECASE,
        ),
    ),
    ("rule", re.compile(r"\bask (?:me |us |the user )?(?:first\b|before\b)|\byou are to ask\b", re.IGNORECASE)),
    (
        "decision",
        re.compile(
            r"\b(?:use|uses|using|deploy|build|store|stores|return|returns|run|runs|write|ship|host|target|log|name|keep|"
            r"is|are|goes|go with)\b.{1,60}, (?:and )?(?:never|not) "
            r"(?!sure|yet|really|even|just|only|to\b|that\b|because|necessarily|me\b|so\b|too\b|all\b|like\b)\w",
            re.IGNORECASE,
        ),
    ),
    (
        "decision",
        re.compile(
            r"\A\W*(?:(?:no|please|and|but|so|ok|we want|i want|use),? ){0,2}(?:[\w./@-]{1,40} ){1,3}"
            r"(?:instead of|rather than) (?:[\w./@-]{1,40} ?){1,3}(?:please|here)?\W*\Z",
            re.IGNORECASE,
        ),
    ),
)
# The opening of a reply, which says nothing to who has not read what was replied to.
_REPLY = re.compile(
    r"\A(?:(?:yes|yeah|yep|yup|no|nope|nah|ok|okay|k|right|sure|well|hmm+|cool|great|thanks)(?: (?:man|dude|so))?"
    r"(?:,|\.{2,}|…|!|\.) {0,2})+",
    re.IGNORECASE,
)
# The phrases by which a statement is of a kind, the first that fits; of no other kind, it is a fact.
_KINDS: tuple[tuple[Kind, tuple[str, ...]], ...] = (
    ("rule", ("always", "begins with a prohibition", "let us not", "capitals")),
    ("decision", ("let us", "wants", "instead", "needs", "will", "does not want")),
    ("rule", ("should", "do not")),
    ("preference", ("is fine",)),
)


@dataclass(frozen=True, slots=True)
class Prompt:
    """A text that a user typed. `first`: in the session; `interrupted`: the agent was stopped in its turn before.

    `answers`: the agent's message before asks something. Of an answer that may be one of the agent's own options it is
    not `typed`.
    """

    text: str
    first: bool = False
    interrupted: bool = False
    answers: bool = False
    typed: bool = True


@dataclass(frozen=True, slots=True)
class Statement:
    """A part of a prompt that is worth keeping; `score` are the log odds that it is, by the head.

    `own`: the user certainly typed it, and it is surely worth keeping: it needs no review.
    """

    text: str
    kind: Kind
    score: float
    files: tuple[str, ...]
    topics: tuple[str, ...]
    language: str = "en"
    own: bool = False


@dataclass(frozen=True, slots=True)
class Head:
    """Weights of the measures by their names, a constant, and the log odds from which a sentence is kept.

    `words` are weights of words and pairs of words; others count nothing.
    """

    weights: dict[str, float]
    constant: float
    threshold: float
    words: dict[str, float] = field(default_factory=dict)

    def score(self, sentence: str, place: Place) -> float:
        """Return the log odds that a sentence is worth keeping."""
        measured = sum(self.weights[name] * value for name, value in measures(sentence, place).items())
        # in one order, as the last digit of a sum hangs on it
        said = sum(self.words[each] for each in sorted(words_of(sentence) & self.words.keys()))
        return self.constant + measured + said


@cache
def trained() -> Head:
    """Return the head of this version."""
    made = json.loads((files("indelible.extraction") / "data" / "statements.json").read_text(encoding="utf-8"))
    return Head(made["weights"], made["constant"], made["threshold"], made["words"])


def statements(prompt: Prompt, *, working: bool, head: Head | None = None) -> list[Statement]:
    """Return what is worth keeping of a prompt, decisions first, then the rest in its order.

    `working` is as `decisions.decisions` takes it: other sessions have statements only in a technical prompt.
    """
    stated = [each for each in decisions.decisions(prompt.text, asked=True, working=working) if not _is_item(each.text)]
    if not (working or topics.is_technical(prompt.text[: prose.LONGEST])) or not _is_english(prompt.text):
        return [_with_owner(of_decision(each), prompt) for each in stated]
    listed = sentences(prompt.text)
    chosen = head or trained()
    scores = {
        index: score
        for index, (_, text) in enumerate(listed)
        if is_candidate(text)
        and not is_of_the_moment(text)
        and (score := score_of(text, place(prompt, index, len(listed)), chosen)) >= chosen.threshold
        and not any(decisions.without_heading(text) in each.text for each in stated)
    }
    if scores and not stated and len(listed) <= FEW and len(prompt.text) <= SHORT:
        passing = (_is_only_asked, is_of_the_moment)
        whole = [text for at, (_, text) in enumerate(listed) if at in scores or not any(is_(text) for is_ in passing)]
        found = [_statement(whole, max(scores.values()))]
    else:
        found = [*map(of_decision, stated), *(_statement(*part) for part in _parts(listed, scores))]
    return [_with_owner(each, prompt) for each in found]


def prompts(events: Iterable[Mapping[str, Any]]) -> Iterator[list[Prompt]]:
    """Yield what the user said in each of a session's events, given in their order: a prompt, or answers to a tool.

    A command of the client ("/review ...") says nothing, nor does a plan that it hands on: somebody else wrote that.
    """
    first, interrupted, answers = True, False, False
    for event in events:
        what, text = event.get("what"), str(event.get("text") or "")
        said: list[Prompt] = []
        if what == "prompt" and text.strip() and not _COMMAND.match(text):
            said = [Prompt(text, first, interrupted, answers)]
            first = interrupted = False
        elif what == "tool" and event.get("tool") in ASKS:
            given = answered(str(event.get("output") or ""))
            said = [Prompt(answer, answers=True, typed=False) for answer in given]
        elif what == "tool":
            interrupted = True  # unless the turn comes to its end
        elif what == "turn_ended":
            interrupted, answers = False, "?" in text.rstrip()[-LOOKED_AT:]
        yield said


def answered(output: str) -> list[str]:
    """Return what a user answered to the questions of a tool: its JSON, or its text in one of two forms."""
    given = object_of(output).get("answers")
    if isinstance(given, dict):
        return [answer for answer in given.values() if isinstance(answer, str)]
    return [found["quoted"] or found["marked"] for found in _ANSWER.finditer(output)]


def sentences(text: str) -> list[tuple[int, str]]:
    """Return the sentences of a prompt, each with the index of its paragraph."""
    return [(index, sentence) for index, paragraph in enumerate(prose.paragraphs(text)) for sentence in paragraph]


def _is_english(text: str) -> bool:
    plain = unaccented(text[: prose.LONGEST].lower())
    return not language_of_script(text) and language_of_words(frozenset(_WORD.findall(plain))) == ENGLISH


def is_candidate(sentence: str) -> bool:
    """Whether a sentence can be kept: technical or a rule, no question but for assent, no wish for the moment, no data.

    What is neither technical nor a rule is of people, or names nothing.
    """
    if PHRASES["asks"].search(sentence) and not PHRASES["asks for assent"].search(sentence):
        return False
    if len(sentence.split()) < FEWEST_WORDS or len(sentence) > prose.LONGEST_SENTENCE:
        return False
    if not topics.is_technical(sentence) and _ruled(sentence) is None:
        return False
    letters = sum(map(str.isalpha, sentence)) / max(1, len(sentence) - sentence.count(" "))
    return letters >= LEAST_LETTERS and not PHRASES["for now"].search(sentence) and not _NOT_SETTLED.search(sentence)


def place(prompt: Prompt, index: int, count: int) -> Place:
    """Return the place of one of `count` sentences of a prompt."""
    return Place(index, count, len(prompt.text), prompt.first, prompt.interrupted, prompt.answers)


def score_of(text: str, at: Place, head: Head) -> float:
    """Return the log odds of a sentence; those of one that a rule knows are at least the threshold."""
    score = head.score(text, at)
    return max(score, head.threshold) if _ruled(text) and not _is_item(text) else score


def _ruled(text: str) -> Kind | None:
    """Return the kind of a technical sentence that is a short rule or choice; None for others."""
    said = _REPLY.sub("", text)
    kind = next((kind for kind, rule in _RULES if rule.search(said)), None)
    return kind if kind is not None and (kind == "rule" or topics.is_technical(text)) else None


def _parts(listed: Sequence[tuple[int, str]], scores: dict[int, float]) -> Iterator[tuple[list[str], float]]:
    """Yield neighbours in a paragraph together, with the sentence that the first of them refers to."""
    used: set[int] = set()
    for index in scores:
        if index in used:
            continue
        group = [index]
        while group[-1] + 1 < len(listed) and listed[group[-1] + 1][0] == listed[index][0]:
            if group[-1] + 1 not in scores and not _is_fragment(listed[group[-1] + 1][1]):
                break
            group.append(group[-1] + 1)
        used.update(group)
        best = max(scores.get(each, -math.inf) for each in group)
        refers = PHRASES["demonstrative"].search(listed[index][1])
        if refers and index and index - 1 not in used and listed[index - 1][0] == listed[index][0]:
            group.insert(0, index - 1)
        yield [listed[each][1] for each in group], best


def _is_only_asked(sentence: str) -> bool:
    """Whether a sentence beside a statement is the task of the moment: it explains nothing."""
    return any(PHRASES[name].search(sentence) for name in ("task", "asks", "can you"))


def _is_fragment(sentence: str) -> bool:
    """Whether a sentence is the rest of the one before it: "Not make decisions."."""
    return len(sentence.split()) < FEWEST_WORDS and not PHRASES["asks"].search(sentence)


def _statement(parts: Sequence[str], score: float) -> Statement:
    text = " ".join(parts)
    text = text if len(text) <= LONGEST else text[: LONGEST - 1] + "…"
    return Statement(text, _kind(text), score, tuple(topics.files(text)), tuple(topics.topics(text)))


# The task, plan or state of the moment in a person's words, which the head takes for a wish that lasts: "I'd like to
# test it myself", "let's create a new git branch". Chosen on four projects (bench/statements.jsonl); docs/benchmarks.md
# has what it does on others.
_TASKS = (
    "look see test figure commit focus provide work start understand know verify check discuss learn try get go "
    "proceed continue finish wrap run review plan do create"
).replace(" ", "|")
_OF_THE_MOMENT = re.compile(
    rf"""
      \bi(?:['’]d|\swould)?\s(?:like|want|need|have)\sto\s(?:be\sable\sto\s)?(?:{_TASKS})\b
    | \bi(?:['’]d|\swould)?\s(?:like|want|need)\s(?:your\shelp|(?:some|your)\sadvice|you\sto\shelp)
    | \blet['’]?s\s(?:resume|pick\s?up|install|commit|discuss|continue|focus|start|go\sahead|get\sstarted|move\son
        |keep\s(?:working|going)|create\sa\snew\s(?:git\s)?branch|work\son)\b
    | \bi['’]?\s?a?m\s(?:just\s|still\s|almost\s|not\s)*+
        (?:curious|seeing|ready|getting|wondering|confused|done|trying)\b
    | \bi\s(?:just\s|have\sjust\s)?(?:ran|tried|updated|reverted|added|did|clicked|noticed|got)\b
    | \b(?:new|git)\sbranch\b | \bhave\sa\s(?:question|look)\b | \bno\sneed\sto\swrite\b
    | \b(?:right\snow|this\stime|not\syet|before\sgoing\sfurther|the\snext\sstep|wrap\sup)\b
    | \bnext(?:\sup|,?\s(?:i|we|let))\b
    | \b(?:any\saction|(?:any\s)?code(?:\schanges)?)\syet\b | \bthis\sis\swhat\b | \blooks?\slike\snow\b
    """,
    re.IGNORECASE | re.VERBOSE,
)


def is_of_the_moment(sentence: str) -> bool:
    """Whether a sentence is about what is to be done or seen right now only, whatever else it says."""
    return _OF_THE_MOMENT.search(sentence) is not None


# What points at this turn, as "the two issues you found", means nothing to the next session: it waits for a review.
_OF_THE_TURN = re.compile(
    r"\b(?:you|we|i)(?:['’]ve| have)? just\b|\byou (?:were|are) \w+ing\b"
    r"|\byou(?:['’]ve| have)? (?:found|said|did|made|wrote|listed|suggested|asked)\b",
    re.IGNORECASE,
)


# What asks for something, what is supposed, and what points at the lines behind it is no rule yet.
_OPEN = re.compile(
    r"\b(?:can|could|would|will) you\b|\A\W*(?:(?:so|hmm|well|and|but)\W{1,4})?seems?\b|\b(?:this|these)\W*\Z",
    re.IGNORECASE,
)


def _with_owner(stated: Statement, prompt: Prompt) -> Statement:
    sure = stated.score >= SURE_ENOUGH or _ruled(stated.text) is not None
    sure = sure and not _OF_THE_TURN.search(stated.text) and not _OPEN.search(stated.text)
    own = sure and prompt.typed and are_typed(prompt.text, stated.text) and not is_cited(prompt.text, stated.text)
    said = _REPLY.sub("", without_greeting(stated.text))
    return replace(stated, own=own, text=said if len(said.split()) >= FEWEST_WORDS else stated.text)


def of_decision(stated: Decision) -> Statement:
    """Return a decision that the rules found as a statement, which is surer than any by the head."""
    return Statement(stated.text, "decision", SURE, stated.files, stated.topics, stated.language)


def _is_item(text: str) -> bool:
    """Whether a decision is about an item of a list that the memory will not have: "for 3 drop it"."""
    return _ITEM.search(text) is not None and len(text.split()) <= 12


def _kind(text: str) -> Kind:
    """Return the kind of a statement by its words; the first that fits."""
    if ruled := _ruled(text):
        return ruled
    for kind, names in _KINDS:
        if any(PHRASES[name].search(text) for name in names):
            return kind
    return "fact"
