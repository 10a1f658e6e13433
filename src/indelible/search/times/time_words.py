"""The words by which nine languages other than English name times: tables only, as questions have them."""

from collections.abc import Mapping
from dataclasses import field

from indelible.dataclass import dataclass

UNITS = ("d", "w", "mo", "q", "y", "h")
_CJK_NUMBERS = "一 两|二 三 四 五 六 七 八 九 十"


@dataclass(frozen=True, slots=True)
class Words:
    """The words of a language: forms stand apart by spaces, `_` stands for a space inside one, `|` is between numbers.

    `units` are days, weeks, months, quarters, years and hours; `days` those of today, yesterday and the day before.
    `ago` and `past` have `#` where number and unit stand. Where `after`, "last" stands behind its unit. A month counts
    behind one of `in_month` only, a weekday behind one of `on_day` or beside "last".
    """

    units: tuple[str, ...]
    days: tuple[str, ...]
    last: str
    this: str
    ago: str
    past: str
    numbers: str
    months: tuple[str, ...]
    weekdays: tuple[str, ...]
    in_month: str
    on_day: str
    since: str
    before: str
    until: str
    after: bool = False
    calendar: Mapping[str, tuple[str, int]] = field(default_factory=dict)  # whole phrases, of a unit so many back
    spaced: bool = True  # words have spaces between them


LANGUAGES: Mapping[str, Words] = {
    "de": Words(
        units=(
            *("tag tage tagen", "woche wochen", "monat monats monate monaten", "quartal quartals quartale quartalen"),
            *("jahr jahres jahre jahren", "stunde stunden"),
        ),
        days=("heute", "gestern", "vorgestern"),
        last="letzte letzten letzter letztes letztem vorige vorigen voriger voriges vergangene vergangenen vergangener "
        "vergangenes",
        this="diese diesen dieser dieses diesem",
        ago="vor #",
        past="letzten # | vergangenen #",
        numbers="ein|eine|einem|einer|einen zwei drei|paar|einigen vier fünf sechs sieben acht neun zehn",
        months=tuple("januar februar märz april mai juni juli august september oktober november dezember".split()),
        weekdays=("montag", "dienstag", "mittwoch", "donnerstag", "freitag", "samstag sonnabend", "sonntag"),
        in_month="im in seit ab vor nach bis anfang mitte ende",
        on_day="am seit ab vom bis",
        since="seit ab",
        before="vor",
        until="bis",
    ),
    "fr": Words(
        units=(
            *("jour jours", "semaine semaines", "mois", "trimestre trimestres", "an ans année années"),
            "heure heures",
        ),
        days=("aujourd'hui aujourd’hui", "hier", "avant-hier"),
        last="dernier dernière derniers dernières passé passée passés passées précédent précédente",
        this="ce cette cet",
        ago="il_y_a #",
        past="",
        numbers="un|une deux trois|quelques quatre cinq six sept huit neuf dix",
        months=(
            *("janvier", "février", "mars", "avril", "mai", "juin", "juillet", "août", "septembre", "octobre"),
            *("novembre", "décembre"),
        ),
        weekdays=tuple("lundi mardi mercredi jeudi vendredi samedi dimanche".split()),
        in_month="en depuis avant après jusqu'en mois_de début fin",
        on_day="le depuis ce jusqu'à",
        since="depuis",
        before="avant",
        until="jusqu'en jusqu'à",
        after=True,
    ),
    "es": Words(
        units=("día días", "semana semanas", "mes meses", "trimestre trimestres", "año años", "hora horas"),
        days=("hoy", "ayer anoche", "anteayer antier"),
        last="pasado pasada pasados pasadas último última últimos últimas anterior",
        this="este esta",
        ago="hace #",
        past="últimos # | últimas #",
        numbers="un|una dos tres|unos|unas cuatro cinco seis siete ocho nueve diez",
        months=(
            *("enero", "febrero", "marzo", "abril", "mayo", "junio", "julio", "agosto", "septiembre setiembre"),
            *("octubre", "noviembre", "diciembre"),
        ),
        weekdays=tuple("lunes martes miércoles jueves viernes sábado domingo".split()),
        in_month="en desde hasta mes_de antes_de después_de principios_de finales_de",
        on_day="el este desde_el hasta_el",
        since="desde desde_el",
        before="antes_de",
        until="hasta hasta_el",
        after=True,
    ),
    "pt": Words(
        units=("dia dias", "semana semanas", "mês meses", "trimestre trimestres", "ano anos", "hora horas"),
        days=("hoje", "ontem", "anteontem"),
        last="passado passada passados passadas último última últimos últimas anterior",
        this="este esta neste nesta esse essa",
        ago="há # | # atrás",
        past="últimos # | últimas #",
        numbers="um|uma dois|duas três|alguns|algumas quatro cinco seis sete oito nove dez",
        months=(
            *("janeiro", "fevereiro", "março", "abril", "maio", "junho", "julho", "agosto", "setembro", "outubro"),
            *("novembro", "dezembro"),
        ),
        weekdays=(
            *("segunda segunda-feira", "terça terça-feira", "quarta quarta-feira", "quinta quinta-feira"),
            *("sexta sexta-feira", "sábado", "domingo"),
        ),
        in_month="em desde até mês_de antes_de depois_de",
        on_day="na no desde até",
        since="desde",
        before="antes_de",
        until="até",
        after=True,
    ),
    "it": Words(
        units=("giorno giorni", "settimana settimane", "mese mesi", "trimestre trimestri", "anno anni", "ora ore"),
        days=("oggi", "ieri", "l'altro_ieri altroieri avantieri"),
        last="scorso scorsa scorsi scorse passato passata passati passate ultimo ultima ultimi ultime",
        this="questo questa quest'",
        ago="# fa",
        past="ultimi # | ultime #",
        numbers="un|una due tre|qualche quattro cinque sei sette otto nove dieci",
        months=(
            *("gennaio", "febbraio", "marzo", "aprile", "maggio", "giugno", "luglio", "agosto", "settembre"),
            *("ottobre", "novembre", "dicembre"),
        ),
        weekdays=("lunedì", "martedì", "mercoledì", "giovedì", "venerdì", "sabato", "domenica"),
        in_month="a in nel da dal fino_a mese_di prima_di dopo",
        on_day="di da dal fino_a",
        since="da dal",
        before="prima_di",
        until="fino_a",
        after=True,
    ),
    "ru": Words(
        units=(
            *("день дня дней дню", "неделя недели неделю неделе недель", "месяц месяца месяце месяцев"),
            *("квартал квартала квартале кварталов", "год года году лет", "час часа часов"),
        ),
        days=("сегодня", "вчера", "позавчера"),
        last="прошлый прошлая прошлое прошлой прошлом прошлого прошлую предыдущий предыдущая предыдущей предыдущем",
        this="этот эта это этой этом этого эту",
        ago="# назад",
        past="последние # | последних # | последний # | последнюю #",
        numbers="один|одну|одна два|две|пару три|несколько четыре пять шесть семь восемь девять десять",
        months=(
            *("январе января январь", "феврале февраля февраль", "марте марта март", "апреле апреля апрель"),
            *("мае мая май", "июне июня июнь", "июле июля июль", "августе августа август"),
            *("сентябре сентября сентябрь", "октябре октября октябрь", "ноябре ноября ноябрь"),
            "декабре декабря декабрь",
        ),
        weekdays=(
            *("понедельник понедельника", "вторник вторника", "среду среды", "четверг четверга", "пятницу пятницы"),
            *("субботу субботы", "воскресенье воскресенья"),
        ),
        in_month="в с до после за начале конце",
        on_day="в во с до",
        since="с",
        before="до",
        until="по",
    ),
    "zh": Words(
        units=("天 日", "周 週 个星期 星期 礼拜", "个月 個月", "个季度 季度", "年", "个小时 小时"),
        days=("今天 今日", "昨天 昨日 昨晚", "前天"),
        last="上个 上個 上 上一个 上一",
        this="这个 這個 这 本",
        ago="#前 | #以前 | #之前",
        past="过去# | 过去的# | 最近# | 最近的# | 近#",
        numbers=_CJK_NUMBERS,
        months=(),
        weekdays=(
            "周一 星期一",
            "周二 星期二",
            "周三 星期三",
            "周四 星期四",
            "周五 星期五",
            "周六 星期六",
            "周日 星期天 星期日",
        ),
        in_month="",
        on_day="",
        since="从 自",
        before="",
        until="到",
        calendar={"去年": ("y", 1), "今年": ("y", 0), "前年": ("y", 2), "上月": ("mo", 1), "本月": ("mo", 0)},
        spaced=False,
    ),
    "ja": Words(
        units=("日", "週間 週", "か月 ヶ月 カ月 ヵ月 個月", "四半期", "年", "時間"),
        days=("今日 きょう", "昨日 きのう 昨夜", "一昨日 おととい"),
        last="前の 前",
        this="この 今",
        ago="#前",
        past="過去# | ここ# | この#",
        numbers=_CJK_NUMBERS,
        months=(),
        weekdays=tuple(f"{day}曜日 {day}曜" for day in "月火水木金土日"),
        in_month="",
        on_day="",
        since="",
        before="",
        until="",
        calendar={
            **{"先週": ("w", 1), "先々週": ("w", 2), "今週": ("w", 0), "先月": ("mo", 1), "今月": ("mo", 0)},
            **{"去年": ("y", 1), "昨年": ("y", 1), "今年": ("y", 0), "一昨年": ("y", 2)},
        },
        spaced=False,
    ),
    "ko": Words(
        units=("일", "주", "개월 달", "분기", "년", "시간"),
        days=("오늘", "어제", "그저께 그제"),
        last="지난",
        this="이번",
        ago="# 전 | #전",
        past="지난 # | 최근 #",
        numbers="한 두 세|몇 네 다섯 여섯 일곱 여덟 아홉 열",
        months=(),
        weekdays=tuple(f"{day}요일" for day in "월화수목금토일"),
        in_month="",
        on_day="",
        since="",
        before="",
        until="",
        calendar={"작년": ("y", 1), "올해": ("y", 0), "지난해": ("y", 1), "지지난주": ("w", 2)},
        spaced=False,
    ),
}
OF_LATIN = tuple(language for language in LANGUAGES if language not in ("ru", "zh", "ja", "ko"))
