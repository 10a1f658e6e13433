"""Measures of a sentence of a user's prompt, from which `statements` tells whether it is worth keeping.

Most say whether a sentence has a phrase: of a want, a rule, a correction, a fact, and of what is only a task, a status
or a question. The others are its length and its place in the prompt. The phrases are English. `words_of` has what
the phrases leave out.
"""

import math
import re
from itertools import pairwise

from indelible.dataclass import dataclass

PHRASES: dict[str, re.Pattern[str]] = {
    # wants, needs, rules
    "wants": re.compile(
        r"\b(?:we|i)(?:['’]d| would)? (?:\w{1,12} )?(?:want|wanna|like to|prefer|rather)\b|\b(?:we|i)['’]d like\b",
        re.IGNORECASE,
    ),
    "needs": re.compile(r"\bneeds? to\b|\bwe need\b|\bha(?:s|ve) to\b|\bmust\b", re.IGNORECASE),
    "should": re.compile(r"\bshould(?:n['’]?t)?\b|\bought to\b|\bsupposed to\b", re.IGNORECASE),
    "should be": re.compile(
        r"\b(?:should|must|needs? to) (?:not )?"
        r"(?:be|have|go|live|move|use|only|always|never|look|work|show|say|just|follow|stay|come|match)\b",
        re.IGNORECASE,
    ),
    "let us": re.compile(r"\blet['’]?s\b", re.IGNORECASE),
    "let us not": re.compile(r"\blet['’]?s (?:not|never|stop|avoid)\b", re.IGNORECASE),
    "always": re.compile(
        r"\b(?:never|always|every ?time|only ever|from now on|going forward|in (?:the )?future|in general|by default|"
        r"whenever|everywhere|as a rule|any other|all of (?:the|our))\b",
        re.IGNORECASE,
    ),
    "only": re.compile(r"\b(?:only|just)\b", re.IGNORECASE),
    "do not": re.compile(r"\b(?:do not|don['’]?t)\b", re.IGNORECASE),
    "begins with a prohibition": re.compile(
        r"\A\W*(?:(?:and|but|so|also|please|ok|no)[ ,]{1,2}){0,2}(?:never|do not|don['’]?t|no more|avoid)\b",
        re.IGNORECASE,
    ),
    "does not want": re.compile(
        r"\b(?:don['’]?t|do not|didn['’]?t|doesn['’]?t|no longer|not) (?:\w{1,12} )?"
        r"(?:want|need|care|think|use|like)\b",
        re.IGNORECASE,
    ),
    "need not": re.compile(r"\b(?:don['’]?t|do not) (?:need|have) to\b|\bno need\b", re.IGNORECASE),
    "instead": re.compile(
        r"\b(?:instead of|rather than|not just|as opposed to|in favou?r of|replace\b.{1,60}\bwith)\b|"
        r", (?:and |but )?not ",
        re.IGNORECASE,
    ),
    "reason": re.compile(
        r"\b(?:because|cause|cuz|since|so that|so (?:it|we|they|you|there)|the reason|that['’]?s why|that way|"
        r"otherwise|due to)\b",
        re.IGNORECASE,
    ),
    "purpose": re.compile(
        r"\b(?:the (?:point|goal|key|idea|intent|purpose|main use case)|important|in order to|use case|"
        r"what .{1,40} (?:is|are) for|used for|meant to)\b",
        re.IGNORECASE,
    ),
    # corrections, emphasis, assent
    "begins with no": re.compile(
        r"\A\W*(?:no|nope|nah|wrong|actually|look|hmm+|wait|stop|dude|that['’]s not|this is not|not what)\b",
        re.IGNORECASE,
    ),
    "begins with yes": re.compile(
        r"\A\W*(?:yes|yeah|yep|ok|okay|k|mmk|sure|agreed|correct|right|good|great|perfect|alright|sounds good)\b",
        re.IGNORECASE,
    ),
    "capitals": re.compile(r"\b(?:NOT|NEVER|ALWAYS|ONLY|ALL|ANY|EVERY|MUST|DON['’]?T|DO|CARE|ASK|EXACTLY|NO)\b"),
    "exclaims": re.compile(r"!"),
    "is fine": re.compile(
        r"\b(?:is|are|it['’]s|that['’]s|will be) (?:fine|ok|okay|good|acceptable|enough|sufficient|all right)\b",
        re.IGNORECASE,
    ),
    # facts
    "is used": re.compile(
        r"\b(?:is|are|gets?|was|were) (?:\w{1,12} )?(?:used|exposed|consumed|called|stored|located|defined|named|"
        r"designed|based|part|sent|written|kept|handled|generated|for|important|append)\b",
        re.IGNORECASE,
    ),
    "belongs": re.compile(
        r"\b(?:lives?|belongs?|goes|comes?|moves?|stays?|put) .{0,40}?\b(?:in|to|at|under|into|from|out)\b",
        re.IGNORECASE,
    ),
    "we have": re.compile(
        r"\bwe (?:already |now |only )?(?:have|had|use|do|are|call|support|ship|keep|store|don['’]t)\b|"
        r"\bwe['’](?:re|ve)\b",
        re.IGNORECASE,
    ),
    "is or does": re.compile(
        r"\A\W*(?:the|an?|this|these|that|it|they|all|each|every|any|both|[A-Za-z]\w{0,30})\b.{0,80}?\b"
        r"(?:is|are|should|must|needs?|has|have|can|will|does|do|don['’]t|doesn['’]t|shouldn['’]t)\b",
        re.IGNORECASE,
    ),
    "convention": re.compile(
        r"\b(?:pattern|convention|approach|style|idiomatic|standard|format|consisten(?:t|tly|cy)|practice|"
        r"architecture|principle|philosophy|guidelines?)\b",
        re.IGNORECASE,
    ),
    "option": re.compile(r"\b(?:default|option|flag|config\w{0,12}|settings?)\b", re.IGNORECASE),
    "users": re.compile(r"\b(?:users?|customers?|people|clients?)\b", re.IGNORECASE),
    "we": re.compile(r"\b(?:we|our|us)\b", re.IGNORECASE),
    "you": re.compile(r"\byou(?:r|['’]re|['’]ve)?\b", re.IGNORECASE),
    "I": re.compile(r"\bi(?:['’](?:m|ve|d|ll))?\b", re.IGNORECASE),
    "will": re.compile(r"\bwill\b|['’]ll\b|\bgoing to\b|\bgonna\b", re.IGNORECASE),
    "demonstrative": re.compile(r"\A\W*(?:that|this|it|these|those|same|here|they)\b", re.IGNORECASE),
    # tasks, questions, status, doubt
    "task": re.compile(
        r"\A\W*(?:(?:ok|okay|k|and|also|now|then|so|but|please|first|next|finally|alright|great|yes|yep|good|nice|cool|"
        r"perfect|thanks)\W{1,3}){0,3}(?:fix|add|update|run|re-?run|check|look|show|give|write|create|make|implement|"
        r"address|review|read|test|try|find|search|investigate|explain|tell|go|do|continue|proceed|commit|push|pull|"
        r"merge|rebase|rename|move|remove|delete|drop|change|replace|revert|undo|refactor|clean|build|compile|verify|"
        r"confirm|see|help|start|put|set|open|list|compare|analy[sz]e|consider|think|plan|draft|take|get|leave|ask|"
        r"follow|document|bump|clone|install|consolidate|populate|extract|convert|generate|propose|suggest|research|"
        r"figure|walk|have)\b",
        re.IGNORECASE,
    ),
    "instruction to keep": re.compile(
        r"\A\W*(?:(?:ok|okay|and|also|now|then|so|but|please)\W{1,3}){0,2}"
        r"(?:use|keep|avoid|prefer|make sure|ensure|treat|stick|ignore)\b",
        re.IGNORECASE,
    ),
    "asks": re.compile(r"\?[\"')\s]*\Z"),
    "asks for assent": re.compile(r",? (?:no|yeah|yes|right|correct|ok|eh|huh)\?\s*\Z", re.IGNORECASE),
    "begins as a question": re.compile(
        r"\A\W*(?:(?:ok|so|and|but|hmm|also)\W{1,3}){0,2}(?:what|why|how|where|when|who|which|is|are|does|do|did|can|"
        r"could|would|will|should|have|has|isn['’]t|aren['’]t|doesn['’]t)\b",
        re.IGNORECASE,
    ),
    "can you": re.compile(r"\b(?:can|could|would|will) (?:you|we)\b|\bplease\b|\bpls\b", re.IGNORECASE),
    "status": re.compile(
        r"\bi(?:['’]ve)? (?:just |already |also |have ){0,2}(?:added|tested|ran|run|tried|see|saw|got|get|did|done|"
        r"checked|fixed|pushed|merged|noticed|found|made|updated|searched|press\w{0,3}|click\w{0,3})\b|\bwhen i\b",
        re.IGNORECASE,
    ),
    "trouble": re.compile(
        r"\b(?:errors?|fail(?:s|ed|ing)?|bug|broken|not working|crash\w{0,3}|wrong|issue|problem|nothing|still|stuck|"
        r"isn['’]t|(?:doesn|don)['’]?t work)\b",
        re.IGNORECASE,
    ),
    "hedges": re.compile(
        r"\b(?:maybe|perhaps|might|not sure|wonder\w{0,3}|possibl[ey]|if (?:you|needed|necessary|helpful)|"
        r"at some point|later|first)\b",
        re.IGNORECASE,
    ),
    "supposes": re.compile(
        r"\b(?:think|presumably|probably|seems?|guess|sort of|kind of|i believe|i assume)\b", re.IGNORECASE
    ),
    "for now": re.compile(
        r"\b(?:for now|for the (?:time being|moment)|as of now|temporar\w{0,4}|let['’]?s (?:try|see|start)|try)\b",
        re.IGNORECASE,
    ),
    "now": re.compile(
        r"\b(?:now|next|right now|at the moment|currently|yet|today|tomorrow|again|so far|"
        r"this (?:time|branch|pr|commit))\b",
        re.IGNORECASE,
    ),
    "numbers an item": re.compile(
        r"\b(?:for|address|do|fix|options?|items?|issues?|points?|number|phase|step|part) \(?#?\d{1,3}\b|\(\d{1,3}\)|"
        r"\A\W*\d{1,3}[.):]",
        re.IGNORECASE,
    ),
    "link": re.compile(r"https?://", re.IGNORECASE),
    "announces": re.compile(r":\s*\Z"),
}
_NAME_OF_CODE = re.compile(
    r"`[^`\n]{1,80}`|(?<![\w-])--[a-z][\w-]{1,40}|(?<!\w)[a-z]{1,40}[A-Z]\w{1,40}|(?<!\w)[A-Z][a-z]{1,40}[A-Z]\w{0,40}|"
    r"(?<!\w)[A-Za-z]{1,40}_\w{1,40}|(?<![\w/.])[\w.-]{0,40}/[\w.-]{1,60}|(?<![\w.])[\w-]{1,60}\.[a-z]{1,4}(?!\w)"
)
_WORD = re.compile(r"[a-z']+|[0-9]+|[?!:]")
LONG_PROMPT = 1_200  # characters


@dataclass(frozen=True, slots=True)
class Place:
    """The place of a sentence: the `index` among the `count` sentences of a prompt of `length` characters.

    `first`: the prompt is the first of its session. `interrupted`: the agent was stopped in its turn before. `answers`:
    the agent's message before asks something.
    """

    index: int
    count: int
    length: int
    first: bool = False
    interrupted: bool = False
    answers: bool = False


def words_of(sentence: str) -> frozenset[str]:
    """Return the words of a sentence in lower case and the pairs of neighbours; its ends count as words."""
    found = ["<", *_WORD.findall(sentence.lower().replace("’", "'")), ">"]
    return frozenset([*found, *map(" ".join, pairwise(found))])


def measures(sentence: str, place: Place) -> dict[str, float]:
    """Return the measures of a sentence by their names, most of them 0 or 1, none above about 2."""
    words = len(sentence.split())
    return {
        **{name: float(phrase.search(sentence) is not None) for name, phrase in PHRASES.items()},
        "words": min(words, 40) / 20,
        "logarithm of the words": math.log1p(words) / 3,
        "over thirty words": float(words > 30),
        "clauses": min(sentence.count(","), 4) / 2,
        "names of code": min(len(_NAME_OF_CODE.findall(sentence)), 4) / 2,
        "begins with a capital": float(sentence[:1].isupper()),
        "first of its prompt": float(place.index == 0),
        "last of its prompt": float(place.index == place.count - 1),
        "alone in its prompt": float(place.count == 1),
        "place in its prompt": min(place.index, 20) / 10,
        "length of its prompt": math.log1p(place.length) / 6,
        "in a long prompt": float(place.length > LONG_PROMPT),
        "in the first prompt": float(place.first),
        "after an interruption": float(place.interrupted),
        "after a question": float(place.answers),
    }
