"""The language of a text by its script, its function words and its letters: some microseconds, no model.

A text is in one language; English is what remains. Identifiers, which are Latin letters in a text of any language,
count for none.
"""

import re
import struct
import unicodedata
from collections.abc import Callable, Collection, Iterable, Iterator, Set
from functools import cache
from itertools import islice
from pathlib import Path

# Imported late (start, cli): Stemmer

ENGLISH = "en"

# Frequent function words by the code of ISO 639-1, mostly without their accents, which tokens have not. A word may be
# of several languages. What English has too (die, in, as, on ...) stands where a language would be missed without it.
_FUNCTION_WORDS = {
    "de": """der die das den dem des ein eine einen einem einer eines und oder aber ist sind war waren wird werden
        wurde nicht kein keine auf fur mit von vom zu zum zur bei nach aus uber unter durch gegen ohne um als
        wie wo wann wer welche welcher welches warum wieso weshalb wenn dass ob ich du er sie es wir ihr mir
        mich uns euch sein seine haben hat habe kann konnen muss mussen soll sollen sollte darf wollen man auch
        noch nur schon sehr mehr immer nie jetzt hier dort dann doch beim ins im am gibt unser unsere mein meine
        dein deine diese dieser dieses welchen""",
    "fr": """le la les un une des du de au aux et ou mais est sont etait etre avoir a ont ete pas ne que qui quoi dont
        quel quelle quels quelles comment pourquoi quand ce cet cette ces mon ma mes ton ta tes son sa ses notre nos
        votre vos leur leurs je tu il elle nous vous ils elles on se sur sous dans par pour avec sans chez vers entre
        si plus moins tres aussi comme donc car faire fait peut doit faut y en l d j qu c n s m""",
    "es": """el la los las un una unos unas de del al y o pero es son era ser estar esta estan fue no que quien cual
        cuales como cuando donde por porque para con sin sobre entre desde hasta se su sus mi mis tu tus nuestro
        nuestra yo ella nosotros ellos ellas lo le les me te nos mas muy tambien si ya hay tiene tienen puede pueden
        debe hacer hace este estos estas ese esa cada todo todos""",
    "pt": """o os as um uma uns umas de do da dos das em no na nos nas ao aos e ou mas sao era ser estar esta estao
        foi nao que quem qual quais como quando onde por porque para com sem sobre entre desde ate se seu sua
        seus suas meu minha nosso nossa eu ele ela eles elas lhe mais muito tambem sim ja ha tem podem pode deve
        fazer faz este esse essa isso cada todo todos pelo pela voce""",
    "it": """il lo la i gli le un uno una di del della dei degli delle da dal dalla in nel nella con su sul sulla per
        tra fra e o ma sono era essere stato non che chi cui quale quali come quando dove perche se si mi ti ci
        vi mio mia suo sua nostro nostra io lui lei noi loro piu molto anche gia c ha hanno puo deve fare fa
        questo questa questi queste ogni tutti ed al alla ai alle""",
    "nl": """de het een en of maar is zijn was waren wordt worden niet geen van voor met op aan bij naar uit over
        onder door tegen zonder om als hoe waar wanneer wie wat welke waarom dat dit deze die ik je jij hij zij
        ze wij we jullie mij ons onze mijn jouw haar hun hebben heeft heb kan kunnen moet moeten mag wil ook nog
        alleen al zeer meer altijd nooit nu hier daar dan er te""",
    "sv": """och eller men ar var vara blir inte ingen en ett den det de som pa av for med till fran vid om hur nar
        vem vad vilken vilka varfor att jag du han hon vi ni mig oss min din sin sitt har hade kan ska skall
        maste bor aven bara mer mycket alltid aldrig nu dar sa vart""",
    "da": """og eller men er var vaere bliver ikke ingen en et den det de som pa af for med til fra ved om hvordan
        hvor hvornar hvem hvad hvilken hvilke hvorfor at jeg du han hun vi mig os min din sin har havde kan skal
        ma bor ogsa kun mere meget altid aldrig nu her der vores""",
    "no": """og eller men er var vaere blir ikke ingen en et ei den det de som pa av for med til fra ved om hvordan
        hvor nar hvem hva hvilken hvilke hvorfor at jeg du han hun vi meg oss min din sin har hadde kan skal ma
        bor ogsa bare mer mye alltid aldri na her der""",
    "fi": """ja tai mutta on ovat oli olla ei en et emme ole mika mita missa milloin kuka miksi miten kuinka etta jos
        kun niin se ne tama nama mina sina han me te he minun sinun meidan voi pitaa taytyy myos vain viela jo
        hyvin enemman aina nyt taalla siella kanssa ilman ennen jalkeen""",
    "pl": """i lub ale jest sa byl byla bylo byc nie to ten ta te tego tej w we z ze na do od po przy przez dla o u
        jak gdzie kiedy kto co czy ktory ktora ktore dlaczego aby sie ja ty on ona my wy oni moj nasz jego jej
        ich ma maja moze musi trzeba tez tylko jeszcze juz bardzo wiecej zawsze nigdy teraz tu tam""",
    "cs": """a nebo ale je jsou byl byla bylo byt neni ne to ten ta te toho v ve z ze na do od po pri pro o u jak kde
        kdy kdo co ktery ktera ktere proc aby se si ja ty on ona my vy oni muj nas jeho jeji jejich ma maji muze
        musi take jen jeste uz velmi vice vzdy nikdy ted tady tam""",
    "ro": """si sau dar este sunt era fi nu un o unei unui al ale din de la in pe cu fara pentru prin despre ca cum
        unde cand cine ce care daca se eu tu el ea noi voi ei lor meu nostru are au poate trebuie mai foarte
        doar deja intotdeauna niciodata acum aici acolo""",
    "hu": """a az egy es vagy de van vannak volt lesz nem ne hogy mi mit hol mikor ki miert hogyan melyik ha mert en
        te o ti ok ez azok ezek nekem is csak meg mar nagyon tobb mindig soha most itt ott kell lehet tud""",
    "tr": """ve veya ama bir bu su o degil mi mu ne nerede zaman kim nasil hangi neden niye icin ile gibi kadar daha
        cok en her hic ben sen biz siz onlar benim senin bizim var yok olan olarak olur olmali da de ki ya""",
    "id": """dan atau tetapi adalah yang di ke dari untuk dengan tanpa pada dalam oleh tidak bukan apa siapa kapan
        dimana mana mengapa bagaimana jika saya kamu dia kami kita mereka ini itu akan sudah belum bisa harus
        juga hanya sangat lebih selalu sekarang""",
    "ru": """и или но не ни в во на с со из от до по при за для о об у к ко под над через без как где когда кто что
        какой какая какие какое почему зачем чтобы если ли же бы я ты он она оно мы вы они меня нам нас мой наш
        его ее их это этот эта эти тот та те есть был была было были быть может можно нужно надо также только
        еще уже очень более всегда сейчас здесь там мне ему ей им который которая которые""",
    "uk": """і й або але не ні в у на з із зі від до по при за для про як де коли хто що який яка які чому щоб якщо
        чи ж би я ти він вона воно ми ви вони мене нам нас мій наш його її їх це цей ця ці той та ті є був була
        було були бути може можна треба також тільки ще вже дуже більше завжди зараз тут там""",
    "el": """και ή αλλα δεν μη το η ο οι τα τον την του της των σε στο στη στην απο για με χωρις πως που ποτε ποιος τι
        ποια γιατι αν να θα ειναι ηταν εχει μου σου μας""",
}
# Of texts in languages without spaces, or with endings instead of words.
_PARTICLES = {"zh": "的了是在不和这", "ja": "のはをにがでと", "ko": "이는을의에다고"}
_ENGLISH_MARKS = tuple("the to is and of you it for this with".split())
_NO_MARKS = frozenset("die in as on no me a do an con per sin pa at so han ma".split())  # of other languages too
MARKS = 16  # words that tell the language of a text in the index
MARKED = 2  # of them that a text in that language has at least
LANGUAGES = tuple(_FUNCTION_WORDS)  # that function words tell, beside English
# The algorithm of Snowball for a language, where there is one.
_STEMMERS = {
    "ar": "arabic",
    "da": "danish",
    "de": "german",
    "el": "greek",
    "es": "spanish",
    "fi": "finnish",
    "fr": "french",
    "hi": "hindi",
    "hu": "hungarian",
    "id": "indonesian",
    "it": "italian",
    "nl": "dutch",
    "no": "norwegian",
    "pt": "portuguese",
    "ro": "romanian",
    "ru": "russian",
    "sv": "swedish",
    "tr": "turkish",
}
_TRIPLES = Path(__file__).with_name("data") / "letter_triples"
_LATIN = re.compile("[A-Za-zÀ-ɏ]")
FOREIGN_SHARE = 0.2  # of the letters, by which a text with words in Latin letters is one of another script
LOOKED_AT = 4_000  # characters of a text: its beginning tells
FEWEST = 2  # letters of a script that tell it
# Languages that letters tell, in the order of the columns of data/letter_triples. scripts/count_letters.py counts them.
BY_LETTERS = tuple("en de fr es pt it nl sv da no fi pl cs ro hu tr id ca sk hr sl lt lv et eu vi".split())
TRIPLES_READ = 200  # of a text, the first
# By which another language is likelier than English before it is believed, as a logarithm: where the text has function
# words of others, and where it has none. Fitted on half of some translated messages, figures of the other half: of
# those of three to six words in 25 languages 95% are told from English, and 0.2% of English ones are taken for others.
FEWEST = 3  # words that tell a language by their letters alone
MARGIN, UNSUPPORTED = 5.0, 10.0
RARER = 2.0  # the same between one whose function words are known and one for which they are not
PER_NAT = 12  # units of the table in a natural logarithm

ENGLISH_WORDS = frozenset(
    """a an the and or but is are was were be been not no of for with on at by from to in into as how where when
    who what which why that this these those i you he she it we they me us our your my his her their its have
    has had can could must should will would do does did if then there here also only so very more always
    never now use used""".split()
)


def unaccented(text: str) -> str:
    """Return a text without its accents; case is kept (identifiers are split at it), Hangul and kana are composed."""
    if text.isascii():
        return text
    decomposed = unicodedata.normalize("NFKD", text)
    kept = "".join(c for c in decomposed if unicodedata.combining(c) == 0 or c in "゙゚")
    return unicodedata.normalize("NFC", kept)


@cache
def _only_english_and_foreign() -> tuple[frozenset[str], frozenset[str]]:
    """Return the function words that only English has, and those of all others that English has not.

    A word of one letter tells nothing: it may as well be a name or an option.
    """
    foreign = {word for language in _FUNCTION_WORDS for word in function_words(language)}
    return ENGLISH_WORDS - foreign, frozenset(word for word in foreign - ENGLISH_WORDS if len(word) > 1)


class _LetterTriples(dict[str, int]):
    """How unlikely each triple of letters is in each language: a sum of such numbers sums every column.

    The file has the triples, three characters each, on its first line, then a row of a byte a column for each. They
    are read as they are met: a question has some forty of the thousands.
    """

    def __init__(self) -> None:
        keys, _, self._rows = _TRIPLES.read_bytes().partition(b"\n")
        triples = keys.decode()
        self._places = {triples[at : at + 3]: at // 3 for at in range(0, len(triples), 3)}

    def __missing__(self, triple: str) -> int:
        place = self._places.get(triple)
        if place is None:
            return 0
        row = self._rows[len(BY_LETTERS) * place : len(BY_LETTERS) * (place + 1)]
        self[triple] = int.from_bytes(b"\0\0\0".join((b"", *(bytes((cost,)) for cost in row))))
        return self[triple]


@cache
def _letter_triples() -> _LetterTriples:
    return _LetterTriples()


@cache
def _letters_of_scripts() -> dict[str, re.Pattern[str]]:
    """Return the letters of one script, by the language that they stand for; kana before Han, which Japanese has too.

    Made for the first text that is not ASCII: a short recall (cli) has none.
    """
    return {
        "ja": re.compile("[぀-ヿㇰ-ㇿｦ-ﾟ]"),
        "ko": re.compile("[가-힯ᄀ-ᇿ]"),
        "zh": re.compile("[㐀-䶿一-鿿豈-﫿]"),
        "th": re.compile("[฀-๿]"),
        "ru": re.compile("[Ѐ-ӿ]"),
        "el": re.compile("[Ͱ-Ͽἀ-῿]"),
        "ar": re.compile("[؀-ۿ]"),
        "he": re.compile("[֐-׿]"),
        "hi": re.compile("[ऀ-ॿ]"),
    }


def language_of_script(text: str) -> str:
    """Return the language that a script other than Latin stands for, "" for Latin letters or too few others."""
    text = text[:LOOKED_AT]
    counts = {language: len(letters.findall(text)) for language, letters in _letters_of_scripts().items()}
    if counts["ja"]:
        counts["ja"] += counts.pop("zh")
    language, count = max(counts.items(), key=lambda each: each[1])
    if count < FEWEST or count < FOREIGN_SHARE * (sum(counts.values()) + len(_LATIN.findall(text))):
        return ""
    if language == "ru":
        return "uk" if re.search("[іїєґІЇЄҐ]", text) else "ru"
    return language


def is_clearly_english(words: Set[str]) -> bool:
    """Whether words, small and without accents, have more function words of English alone than of all others."""
    english, foreign = _only_english_and_foreign()
    return len(words & english) > len(words & foreign)


def language_of_words(words: Collection[str]) -> str:
    """Return the language of distinct words, small and without accents: English where nothing else is clear.

    A code of ISO 639-1, by naive Bayes over triples of letters (after Cavnar and Trenkle, 1994), each language as
    likely before. Function words only say how much likelier another must be than English.
    """
    _, foreign = _only_english_and_foreign()
    if len(words) < FEWEST and foreign.isdisjoint(words):  # a name, such as Kubernetes
        return ENGLISH
    known, total = _letter_triples(), 0
    for triple in islice(triples_of(words), TRIPLES_READ):
        total += known[triple]
    sums = struct.unpack(f">{len(BY_LETTERS)}I", total.to_bytes(4 * len(BY_LETTERS)))
    costs = {
        language: cost / PER_NAT + (0 if language in _FUNCTION_WORDS or language == ENGLISH else RARER)
        for language, cost in zip(BY_LETTERS, sums, strict=True)
    }
    best = min(costs, key=costs.__getitem__)
    if best == ENGLISH:
        return ENGLISH
    margin = UNSUPPORTED if foreign.isdisjoint(words) else MARGIN
    return best if costs[ENGLISH] - costs[best] > margin else ENGLISH


def triples_of(words: Iterable[str]) -> Iterator[str]:
    """Yield the triples of letters of words of letters only, with their beginnings and ends."""
    for word in words:
        if word.isalpha():
            closed = f" {word} "
            for at in range(len(word)):
                yield closed[at : at + 3]


@cache
def function_words(language: str) -> frozenset[str]:
    """Return the function words of a language, without accents; none of one that is not known."""
    return frozenset(unaccented(_FUNCTION_WORDS.get(language, "")).split())


@cache
def marks(language: str) -> tuple[str, ...]:
    """Return the words by which an index tells texts in a language: at most MARKS function words, or particles.

    Of none where the language is not known.
    """
    if language == ENGLISH:
        return _ENGLISH_MARKS
    if language in _PARTICLES:
        return tuple(_PARTICLES[language])
    listed = (word for word in unaccented(_FUNCTION_WORDS.get(language, "")).split() if word not in _NO_MARKS)
    return tuple(word for word in listed if len(word) > 1 or not word.isascii())[:MARKS]


@cache
def stemmer(language: str) -> Callable[[str], str] | None:
    """Return the stemmer of a language other than English; None where there is none."""
    algorithm = _STEMMERS.get(language)
    if algorithm is None:
        return None
    import Stemmer

    stem: Callable[[str], str] = Stemmer.Stemmer(algorithm).stemWord
    return stem
