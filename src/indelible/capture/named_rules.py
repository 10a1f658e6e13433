"""The user's own rules about what a prompt names, for a prompt that no serving process answers.

Without the models a text is compared by words only, and words that a rule shares with a prompt by chance are the most
of them. So it counts only what stands for one thing: a file, a path, a name of the code. Loaded by the hook of such a
prompt only; it reads the store once, in one transaction, and makes nothing.
"""

from typing import Any

from indelible import hook_settings
from indelible.capture import brief as briefs
from indelible.capture import hook_brief
from indelible.capture.hook_brief import Place
from indelible.core.context.scoping import Scope, without_secrets
from indelible.extraction.texts import names_in
from indelible.project import Location
from indelible.sanitize.prompt_frame import escaped, one_line, reminder_frame
from indelible.search.model_tokens.token_bound import at_most
from indelible.store.views import brief as rows
from indelible.store.views.brief import Remembered

LOOKED_AT, READ = 2_000, 600  # newest captured memories among which the user's are, characters of one
KEPT = 50  # kept rules of a type
MOST = 3  # rules that a prompt brings
LONGEST = 300  # characters of one


def about(place: Place, location: Location | None, prompt: str, shown: list[str], room: int) -> dict[str, Any]:
    """Return the user's rules that name what a prompt names, as the serving process answers; empty for none.

    The most important first, then the newest, but those `shown` already. Raises as `hook_brief.brief`.
    """
    named = names_in(prompt)
    if not named or not hook_brief.is_there(place):
        return {}
    with hook_brief.looked(place) as tx:
        scope = Scope(tx, location and without_secrets(location))
        namespaces = scope.own_among(set(rows.namespaces(tx)))
        person = hook_settings.person(place.database)
        found = rows.own_words(tx, namespaces, person, LOOKED_AT, READ, LOOKED_AT)
        for name in sorted(namespaces):
            for type_ in briefs.RULES:
                found += [each for each in rows.foremost(tx, name, type_, KEPT, READ) if each.kept]
        rules = [each for each in found if each.type in briefs.RULES and each.key not in shown]
        chosen = sorted((each for each in rules if named & names_in(each.text)), key=_first)[:MOST]
        lines = [_line(each, briefs.shown_id(tx, each.key)) for each in chosen]
    before, behind = reminder_frame("user")
    for count in range(len(chosen), 0, -1):
        text = f"{before}{''.join(lines[:count])}{behind}".rstrip("\n")
        if at_most(text) <= room:
            return {"text": text, "names": [each.key for each in chosen[:count]], "tokens": at_most(text)}
    return {}


def _first(each: Remembered) -> tuple[float, int, str]:
    return -each.importance, -each.created, each.key


def _line(each: Remembered, name: str) -> str:
    about = ", ".join(part for part in (briefs.age(each.created, briefs.now()), name) if part)
    return f"- {escaped(briefs.shortened(one_line(each.text), LONGEST))} [{about}]\n"
