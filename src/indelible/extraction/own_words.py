"""Whether a user typed a statement of a prompt, or may have pasted it: only typed words are trusted without a review.

Nothing in a prompt marks what was pasted. So only short prompts count, and the first and last paragraph of longer ones;
nothing that is announced ("the README says:"), quoted, or looks like an instruction that an attacker would hide in a
text. Nor is a statement trusted that is cited: told of others, given as a text to work on, asked about. All those wait
for a review.
"""

import re

SHORT = 600  # characters of a prompt that somebody typed as a whole
MOST_LINES = 12  # of it
LONGEST_REQUEST = 160  # characters
_SENTENCE_END = re.compile(r"[.!?](?=\s|\Z)")
_GREETING = re.compile(
    r"\s*(?:hi|hey|hello|hallo|moin|good (?:morning|afternoon|evening|day)|guten (?:morgen|tag|abend)|thanks|thank you)"
    r"(?: (?:again|all|there|team|claude|codex|cursor|gemini))?\s*(?:[.!,]+\s*|\n\s*|\Z)",
    re.IGNORECASE,
)
_PARAGRAPHS = re.compile(r"\n[ \t]*\n")
_ANNOUNCED = re.compile(
    r":\s*\Z|\b(?:says?|said|wrote|quote[sd]?|pasted?|summari[sz]e|translate|below|following|attached|forwarded|e-?mail|"
    r"message from|comment (?:from|by)|according to)\b",
    re.IGNORECASE,
)
_QUOTED = re.compile(r"[\"“”«»„]|(?<!\w)'[^'\n]{20,}'(?!\w)")
_PLAIN = re.compile(r"[\x20-\x7e\u00a0-\u024f\u2018\u2019\u2013\u2014\u2026]*")
_MARKUP = re.compile(r"[<>|{}\\]|\]\(|`{3}|~{3}")
_HIDDEN = re.compile(  # what texts that are to be pasted ask an agent for
    r"\b(?:ignore|disregard|forget|override|bypass)\b.{0,60}\b"
    r"(?:instructions?|rules?|prompts?|above|previous|prior|earlier|guard)"
    r"|https?://|\bmemory://|@[\w-]{1,40}\.[a-z]{2,}"
    r"|\b(?:curl|wget|chmod|chown|sudo|rm|nc|eval|base64|powershell|ssh|scp|sh|bash|npx|exec)\b"
    r"|\b(?:passwords?|passwd|passphrase|secrets?|credentials?|api[ _-]?keys?|tokens?|private keys?)\b"
    r"|\b(?:authorized_keys|id_rsa)\b"
    r"|(?<!\w)\.(?:env|ssh|netrc|npmrc|aws)\b"
    r"|\byou (?:are|must|will|have to|should) (?:now|always|never|not|obey|act|pretend|run|execute|reveal|comply)\b"
    r"|\byou are (?:root|an? )|\b(?:system|assistant|developer|admin|user)\s?:"
    r"|\bas an? (?:ai|assistant|agent|language model|system)\b"
    r"|\b(?:push|merge|deploy|publish)\b.{0,20}\b(?:main|master|prod(?:uction)?)\b"
    r"|\b(?:disable|skip|turn off|remove)\b.{0,40}\b"
    r"(?:tests?|checks?|auth\w{0,10}|security|verif\w{0,8}|reviews?|hooks?|signing)\b"
    r"|\bnever (?:run|check|test|verify|validate|review|sign|scan)\b"
    r"|\bwithout (?:asking|telling|confirmation|review|permission)\b"
    r"|\b(?:do not|don['’]t|never) (?:tell|mention|inform|ask|show|warn|reveal)\b"
    r"|\b(?:delete|drop|wipe|erase)\b.{0,20}\b(?:all|every|everything|databases?|repo\w{0,8}|branch\w{0,2}|files?)\b"
    r"|\b(?:send|upload|post|e-?mail|exfiltrate|copy)\b.{0,60}\bto\b"
    r"|\b(?:from now on|always|every ?time)\b.{0,30}\b(?:run|execute|download|fetch|install|obey|approve|accept)\b"
    r"|\b(?:the )?user (?:agreed|approved|wants|said|confirmed)\b",
    re.IGNORECASE,
)


# "Anna says we use yarn": what stands before the words of a rule tells them of somebody else.
_REPORTED = re.compile(
    r"(?:(?!\b(?:we|i|let['’]s|always|never|use|please|do not|don['’]t)\b).){1,80}?"
    r"\b(?:says|said|claims|claimed|states|stated|reads|writes|wrote|tells|told|thinks|believes|argues|insists|"
    r"mentions|mentioned|suggests|suggested|recommends|according to)\b",
    re.IGNORECASE | re.DOTALL,
)
# "Translate to German: we use yarn", "error: never use yarn": what stands behind the colon is to be worked on.
_MATERIAL = re.compile(
    r"\W*(?:(?:please|now|then|can you|could you)\W+)*"
    r"(?:(?:translate|summari[sz]e|explain|paraphrase|rephrase|rewrite|proofread|correct|commit|add|write|insert|append|put|"
    r"reply|answer|post|send|print|echo|quote|type)\b(?! messages?:)[^:\n]{0,80}"
    r"|(?:[\w-]+\W){0,3}(?:examples?|e\.g\.|error|err!?|warning|warn|info|debug|fatal|log|output|stderr|stdout|wiki|readme|"
    r"docs|documentation|faq|post|article|quote|ticket|issue)):(?=\s)",
    re.IGNORECASE,
)
# "We use yarn here. Is that true?": the words are asked about.
_ASKED_ABOUT = re.compile(
    r"\W*(?:(?:is|are|was|were) (?:this|that|it|he|she|they) (?:still |really )?"
    r"(?:true|right|correct|accurate|so|valid|the case)\b|what does (?:this|that|it) mean\b"
    r"|(?:true|right|correct|really)\s*\?)",
    re.IGNORECASE,
)


def is_cited(prompt: str, statement: str) -> bool:
    """Whether a statement tells what others say, is given as a text to work on, or is asked about right behind it.

    English only. A request may be all of that ("fix the error: ..."), and its words are the user's own.
    """
    if _REPORTED.match(statement) or _MATERIAL.match(statement):
        return True
    _, _, after = _one_line(prompt).partition(_one_line(statement))
    return _ASKED_ABOUT.match(after) is not None


def are_typed(prompt: str, statement: str) -> bool:
    """Whether the words of a statement in a prompt are certainly the user's own."""
    if not statement or not _PLAIN.fullmatch(statement) or _QUOTED.search(statement) or _MARKUP.search(statement):
        return False
    if _HIDDEN.search(statement):
        return False
    whole, sought = _one_line(prompt), _one_line(statement)
    at = whole.find(sought)
    if at < 0 or whole.find(sought, at + 1) >= 0:  # two sentences from two places, or twice
        return False
    if len(prompt) <= SHORT:
        return len(prompt.splitlines()) <= MOST_LINES and not _is_announced(prompt, sought)
    blocks = [block for block in _PARAGRAPHS.split(prompt) if block.strip()]
    first, last = _one_line(blocks[0]), _one_line(blocks[-1])
    if sought in first:
        return len(first) <= SHORT and not _is_announced(blocks[0], sought)
    return sought in last and len(last) <= SHORT and not any(map(_ANNOUNCED.search, blocks[:-1]))


def request(prompt: str) -> str:
    """Return the first sentence of a prompt, as far as it is short, if it is certainly the user's own; else "".

    A greeting is only where there is nothing else.
    """
    line = _one_line(_PARAGRAPHS.split(without_greeting(prompt), maxsplit=1)[0])
    end = _SENTENCE_END.search(line)
    sentence = line[: end.end()] if end is not None else line
    return sentence if len(sentence) <= LONGEST_REQUEST and are_typed(prompt, sentence) else ""


def without_greeting(prompt: str) -> str:
    """Return a prompt without the greeting that it begins with as a sentence of its own, or whole where it is one."""
    greeting = _GREETING.match(prompt)
    return (prompt[greeting.end() :].strip() if greeting is not None else "") or prompt.strip()


def is_greeting(prompt: str) -> bool:
    """Return whether a prompt is a greeting and nothing else."""
    return _GREETING.fullmatch(prompt) is not None


def _is_announced(prompt: str, sought: str) -> bool:
    """Whether what stands before a statement may announce it as somebody else's."""
    before = _one_line(prompt).partition(sought)[0]
    return _ANNOUNCED.search(before.rstrip()) is not None or _MARKUP.search(before) is not None


def _one_line(text: str) -> str:
    return " ".join(text.split())
