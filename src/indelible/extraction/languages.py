"""The phrases of each language that state a decision: data for `decisions`.

A language is lists of expressions, matched without case inside one sentence. `states` are whole statements ("we decided
to"), `since` is the beginning of a rule ("from now on") that something `ruling` belongs to ("we", "never"), `chooses`
need a contrast or a reason beside them (`contrasts`: "instead of", "because"), `rules` need the project named as their
scope (`scopes`). `doubts` before or inside a statement cancel it: questions, conditions, possibilities, others' acts,
past decisions. A message that begins with a phrase of `withdraws` withdraws the decision before it; in English the
phrase must not go on with something else that is meant ("ignore that warning").
"""

import re

from indelible.dataclass import dataclass


@dataclass(frozen=True, slots=True)
class Language:
    """The expressions of a language, each a compiled alternative."""

    name: str
    states: re.Pattern[str]
    since: re.Pattern[str]
    ruling: re.Pattern[str]
    chooses: re.Pattern[str]
    contrasts: re.Pattern[str]
    rules: re.Pattern[str]
    scopes: re.Pattern[str]
    doubts: re.Pattern[str]
    withdraws: re.Pattern[str]
    verb_last: bool = False  # the decision may stand before "decided"


def _any(*expressions: str) -> re.Pattern[str]:
    return re.compile(rf"(?<!\w)(?:{'|'.join(expressions)})(?!\w)", re.IGNORECASE)


ENGLISH = Language(
    name="en",
    states=_any(
        r"(?:we|i|the team|our team)(?:'ve|’ve| have)?(?: now| finally| already| both| all| therefore|"
        r" deliberately| jointly)?"
        r" (?:decided|agreed|settled|opted|resolved)(?: today| yesterday| internally| as a team|"
        r" with (?:\w+ ){0,4}?\w+)?"
        r" (?:to|on|that|against|for|in favou?r of|not to)",
        r"(?:it (?:was|is|has been) (?:decided|agreed)|(?:the|my|our) (?:final )?decision (?:is|was)) (?:to|that|"
        r"against|not to)",
        r"(?:we|i)(?:'ve|’ve| have)? (?:chose|chosen|picked|selected)",
        r"(?:we|i)(?:'ve| have)? (?:went|gone) with",
        r"let(?:'s|’s|s| us) (?:go|stick|stay) with",
        r"let(?:'s|’s|s| us) (?:standardi[sz]e|settle) on",
        r"(?:we|i)(?:'re|’re| are|'m|’m| am) (?:going|sticking|staying) with",
        r"(?:we|i)(?:'ll|’ll| will) (?:go|stick|stay) with",
        r"(?:we|i)(?:'re| are|'m| am) (?:standardi[sz]ing|settling) on",
    ),
    since=_any(r"from now on|from here on|from today on|going forward|henceforth"),
    ruling=_any(
        r"we|i'll|i will|let's|please|always|never|do not|don't|don’t|use|must|all|every|each|no|only|should|run|write|"
        r"add|put|keep|name|commit|prefer|avoid|store|log|test|format|return|treat|document|include|if|when|whenever"
    ),
    chooses=_any(
        r"let(?:'s|’s|s| us) (?:not )?(?:use|keep|switch to|move to|drop|avoid|adopt|store|prefer)",
        r"(?:we|i)(?:'ll|’ll| will)(?: always| never| only| just)?(?: not)? (?:use|keep|store|adopt|switch to|"
        r"move to|support|drop)",
        r"we(?:'re|’re| are) (?:using|keeping|switching to|moving to|dropping|adopting|going to use)",
        r"we (?:use|prefer|avoid|do not use|don't use|don’t use)",
        r"(?:please )?use",
    ),
    contrasts=_any(
        r"instead of",
        r"rather than",
        r"in favou?r of",
        r"because",
        r"so that",
        r"even though",
        r"everywhere",
        r"for all",
        r"not \w+ here",
        r"over",
        r"from now on",
        r"no longer",
        r"as (?:the|our) (?:only|default|standard|single)",
    ),
    rules=_any(r"always", r"never(?! ?mind)", r"must(?: not)?", r"do not|don't|don’t"),
    scopes=_any(
        r"(?:in|across|throughout|for|within) (?:this|our|the (?:whole|entire)) "
        r"(?:repo|repository|project|codebase|code base|monorepo|team)",
        r"project[- ]wide|repo[- ]wide",
    ),
    doubts=_any(
        r"could|might|may|maybe|perhaps|possibly|would|wouldn't|should we|should i|shall we|can we|what if|how about",
        r"whether|unless|suppose|supposing|assuming|hypothetically|imagine|in case",
        r"if (?:we|i|you|they|it|the team) (?:\w+ )?(?:decide|decided|agree|agreed|choose|chose|go|went|pick|"
        r"picked|settle|settled|use|switch)",
        r"(?:when|once|until|before|after|unless) (?:we|i|you|they)(?:'ve| have)? ?(?:decide|decided|agree|agreed|"
        r"choose|chosen|pick|picked|settle|settled)",
        r"not (?:yet )?(?:decided|agreed|settled|sure|certain)|n't (?:yet )?(?:decided?|agreed?|settled?|chosen)|"
        r"undecided|to be decided|tbd",
        r"i (?:think|guess|believe) we|(?:long|years|months) ago|has been (?:adjusted|changed)|glad",
        r"considering|thinking (?:about|of)|wondering|tempted|proposal|propose|suggest(?:ed|ing|ion)?|"
        r"recommend(?:ed|ing|ation)?",
        r"did (?:we|you|i)|do (?:we|you|i) (?:want|need|prefer)|have we|had we|why|remind me|do you remember|"
        r"recall that",
        r"originally|initially|at first|back then|used to|in the past|previously|reverted|changed (?:my|our) mind|"
        r"no longer true",
        r"example|e\.g\.|for instance|pretend|as if|like when",
        r"wish|hope|hoping|wanted to|want to|asked (?:me|us|you)|wrote|writes|says|said|claims?|according to",
    ),
    withdraws=_any(
        # only before the end of a clause, or before what takes the decision's place
        r"(?:(?:scratch|ignore|cancel|strike) that|never ?mind|forget (?:that|it|what i said))"
        r"(?=\s*(?:[.,;:!)–—-]|\Z)|\s+(?:and|but|please|then|for now|instead|let(?:'|’)?s|we|i|use|keep)(?!\w))",
        r"on second thoughts?",
        r"actually,? no",
        r"no wait",
        r"wait,? no",
        r"i take (?:that|it) back",
        r"just kidding",
    ),
)

GERMAN = Language(
    name="de",
    states=_any(
        r"(?:wir haben|ich habe|haben wir|habe ich)(?: \w+){0,12}? (?:entschieden|beschlossen|festgelegt|"
        r"vereinbart|geeinigt)",
        r"(?:wir|ich) (?:entscheiden?|entschieden) (?:uns|mich) (?:für|gegen|dafür|dagegen)",
        r"(?:es (?:wurde|ist) (?:\w+ ){0,8}?(?:entschieden|beschlossen)|die entscheidung (?:ist|war|lautet))",
        r"wir bleiben bei",
        r"wir steigen auf",
        r"wir setzen auf",
    ),
    since=_any(r"ab jetzt|ab sofort|von nun an|künftig"),
    ruling=_any(
        r"wir|ich|bitte|immer|nie|niemals|nicht|nur|alle|jede[rsnm]?|kein(?:e|en)?|soll(?:en)?|muss|müssen|"
        r"verwende|nutze"
    ),
    chooses=_any(
        r"(?:wir|ich) (?:nehmen?|verwenden?|nutzen?|benutzen?|behalten?|speichern?)",
        r"lass(?:t)? uns",
        r"(?:nehmen|verwenden|nutzen|benutzen) wir",
        r"verwende|nutze|benutze|nimm",
    ),
    contrasts=_any(
        r"statt", r"anstatt", r"anstelle", r"weil", r"da", r"damit", r"nicht mehr", r"überall", r"denn", r"und nicht"
    ),
    rules=_any(
        r"immer", r"nie|niemals", r"nicht", r"nur", r"kein(?:e|en|er|em|es)?", r"stets", r"muss|müssen", r"darf|dürfen"
    ),
    scopes=_any(
        r"(?:in|für|innerhalb) (?:diese[mnrs]?|unsere[mnrs]?|(?:dem|der|das) (?:ganzen?|gesamten?)) (?:ganzen |"
        r"gesamten )?"
        r"(?:repo|repository|projekt|projekts|codebasis)",
        r"projektweit",
    ),
    doubts=_any(
        r"könnten?|würden?|vielleicht|eventuell|möglicherweise|sollten? (?:wir|ich|man)|sollen wir|falls|ob|"
        r"wenn wir uns",
        r"noch nicht|nicht sicher|unklar|unentschieden|angenommen|überlegen?|überlegt|vorschlag|schlage vor|"
        r"vorgeschlagen",
        r"warum|wieso|haben wir (?:uns )?(?:jemals|eigentlich)|ursprünglich|früher|damals|zunächst|verworfen|"
        r"rückgängig",
        r"zum beispiel|z\. ?b\.|beispielsweise|hätten?|möchten?|wollten?|sobald|laut|sagte",
    ),
    withdraws=_any(r"vergiss (?:das|es)", r"doch nicht", r"nein,? doch", r"ach nein", r"streich das", r"quatsch"),
    verb_last=True,
)

FRENCH = Language(
    name="fr",
    states=_any(
        r"(?:nous avons|on a|j'ai|j’ai)(?: (?:enfin|finalement|donc|déjà|tous))? (?:décidé|convenu|choisi|opté|"
        r"tranché)",
        r"(?:il a été|la décision (?:est|était)) (?:décidé |prise )?(?:de|que)",
        r"(?:on part|nous partons|partons|on reste|restons|nous restons) (?:sur|avec)",
    ),
    since=_any(r"désormais|dorénavant|à partir de maintenant|à partir d['’]aujourd['’]hui"),
    ruling=_any(r"on|nous|toujours|jamais|tous|toutes|chaque|doit|doivent|il faut|plus|pas|utilise[zr]?|utilisons"),
    chooses=_any(
        r"(?:on|nous) (?:utilise|utilisons|utilisera|utiliserons|garde|gardons|gardera|garderons|va utiliser|"
        r"allons utiliser)",
        r"utilisons|gardons|utilise(?:z)?",
    ),
    contrasts=_any(
        r"au lieu de|au lieu d['’]\w+",
        r"plutôt que|plutôt qu['’]\w+",
        r"car",
        r"parce que|parce qu['’]\w+",
        r"partout",
        r"et non",
        r"afin (?:de|que)",
    ),
    rules=_any(r"toujours", r"jamais", r"uniquement", r"ne \w+ (?:pas|plus)", r"doit|doivent", r"il faut"),
    scopes=_any(r"dans (?:ce|notre|tout le) (?:dépôt|projet|repo)"),
    doubts=_any(
        r"pourrait|pourrions|peut-être|devrait-on|devrions|faut-il|si (?:on|nous|l'on|jamais)|est-ce que|et si|serait",
        r"pas encore|pas sûrs?|hésit\w*|réfléchi\w*|propose[rsz]?|proposition|supposons|imaginons|pourquoi",
        r"à l'origine|initialement|avant,|autrefois|annulé|par exemple|aurait|voulait|selon|dit que",
    ),
    withdraws=_any(
        r"oublie(?:z)? (?:ça|cela)", r"laisse tomber", r"finalement non", r"annule (?:ça|cela)", r"en fait non"
    ),
)

SPANISH = Language(
    name="es",
    states=_any(
        r"(?:hemos|he|ya hemos|se ha) (?:finalmente )?(?:decidido|acordado|elegido|optado)",
        r"(?:decidimos|acordamos|decidí|elegí|optamos|opté|elegimos)",
        r"la decisión (?:es|fue)",
        r"(?:vamos|nos quedamos|me quedo|seguimos) con",
    ),
    since=_any(r"a partir de ahora|de ahora en adelante|desde ahora|de hoy en adelante"),
    ruling=_any(
        r"siempre|nunca|todos|todas|cada|debe|deben|hay que|no|usa|usamos|usaremos|vamos|solo|sólo|escribimos|guardamos"
    ),
    chooses=_any(
        r"(?:vamos a|voy a) (?:usar|utilizar|mantener|guardar)",
        r"(?:usaremos|utilizaremos|usamos|utilizamos|mantendremos)",
        r"usemos|utilicemos|usa|utiliza",
    ),
    contrasts=_any(
        r"en lugar de", r"en vez de", r"porque", r"ya que", r"para que", r"y no", r"en todas partes", r"dado que"
    ),
    rules=_any(r"siempre", r"nunca", r"no", r"solo|sólo|solamente", r"debe|deben", r"hay que"),
    scopes=_any(r"en (?:este|nuestro|todo el) (?:repo|repositorio|proyecto)"),
    doubts=_any(
        r"podríamos|podría|quizás?|tal vez|deberíamos|debería|acaso|y si|si (?:decidimos|elegimos|usamos)|sería",
        r"todavía no|aún no|no (?:estoy|estamos) seguros?|dudamos|pensando en|propongo|propuesta|supongamos|por qué",
        r"originalmente|al principio|antes|revertimos|por ejemplo|habría|quería|según|dijo",
    ),
    withdraws=_any(r"olvida(?:lo)?(?: eso)?", r"mejor no", r"en realidad no", r"cancela eso", r"déjalo"),
)

LANGUAGES = (ENGLISH, GERMAN, FRENCH, SPANISH)

# "Decision: ...", as a line or a heading of its own begins.
HEADING = re.compile(
    r"(?:decision|decided|agreed|entscheidung|beschluss|beschlossen|décision|decisión|acordado)(?: made|"
    r" taken)?\s?[:：]\s{0,3}(?=\S)",
    re.IGNORECASE,
)
