"""Does recall find what answers a question: every set as it is, with the window off, stored out of order."""

from asking import NO_WINDOW, PLAIN, SHUFFLED, Lab
from report import Figure, percentile, table
from sets import SETS, Answer, changed, half, mean, together, words_baseline

FLOORS = {"locomo": 0.71, "commit": 0.73, "errorfix": 0.86, "changelog": 0.83, "docstring": 0.75}  # recall@10
SESSIONS = 0.87  # LoCoMo's session recall@5
ORDER_COSTS = 0.005  # recall@10 that a random order may lie below the window switched off
SWITCHED = 0.2  # share of the rankings that must change with the window, else it was not switched off

HEADS = "set,questions,by,recall@10,half A,half B,MRR,hit@10,session recall@5,recall p50,recall p95".split(",")


def sets(lab: Lab) -> tuple[str, list[Figure]]:
    """Every set against its floor, SQLite's FTS5 beside it."""
    ours = lab.answers(PLAIN)
    rows, figures = [], []
    for name in _sets(lab):
        plain = [answer for corpus in lab.of(name) for answer in words_baseline(corpus)]
        found = together(ours, lab.of(name))
        rows += [_row(name, "SQLite FTS5", plain), _row(name, "Indelible", found)]
        figures += _judged(name, plain, found)
    said = (
        "Half A is what tuning looks at, half B what it does not: by the CRC-32 of the question's id, LoCoMo by "
        "conversation. Times are of two servers at once."
    )
    return f"{said}\n\n{table(HEADS, rows)}", figures


def _sets(lab: Lab) -> list[str]:
    return [name for name in SETS if lab.of(name)]


def _row(name: str, by: str, answers: list[Answer]) -> list[str]:
    times = [answer.seconds * 1e3 for answer in answers]
    return [
        name,
        str(len(answers)),
        by,
        f"{mean(answers):.3f}",
        *(f"{mean(half(answers, part)):.3f}" for part in "AB"),
        *(f"{mean(answers, metric):.3f}" for metric in ("mrr", "hit@10")),
        f"{_sessions(answers):.3f}" if name == "locomo" else "",
        *(f"{percentile(times, percent):.1f} ms" for percent in (50, 95)),
    ]


def _sessions(answers: list[Answer]) -> float:
    return sum(answer.session_recall for answer in answers) / len(answers)


def _judged(name: str, plain: list[Answer], found: list[Answer]) -> list[Figure]:
    value, base = mean(found), mean(plain)
    beside = f"{value:.3f}; FTS5 {base:.3f}, difference {value - base:+.3f}"
    figures = [
        Figure(f"{name}, recall@10 / that of FTS5", value / base if base else None, beside, value=value),
        Figure(f"{name}, recall@10", None, f"{value:.3f}", least=FLOORS[name], value=value),
    ]
    if name == "locomo":
        value, base = _sessions(found), _sessions(plain)
        said = f"{value:.3f}; FTS5 {base:.3f}"
        figures.append(Figure("locomo, session recall@5", None, said, least=SESSIONS, value=value))
    return figures


def order(lab: Lab) -> tuple[str, list[Figure]]:
    """What the neighbour window gains where the order means something, and costs where it means nothing."""
    answered = {variant: lab.answers(variant) for variant in (PLAIN, NO_WINDOW, SHUFFLED)}
    rows, figures = [], []
    for name in _sets(lab):
        of = {variant: together(found, lab.of(name)) for variant, found in answered.items()}
        found = {variant: mean(answers) for variant, answers in of.items()}
        halves = [f"{mean(half(of[variant], part)):.3f}" for part in "AB" for variant in (PLAIN, NO_WINDOW)]
        values = [f"{found[variant]:.3f}" for variant in (PLAIN, NO_WINDOW, SHUFFLED)]
        rows.append([name, str(len(of[PLAIN])), *values, *halves])
        fall = found[NO_WINDOW] - found[SHUFFLED]
        figures.append(
            Figure(
                f"{name}, recall@10 lost by the window over items in random order",
                None,
                f"{found[NO_WINDOW]:.3f} without the window, {found[SHUFFLED]:.3f} with it; one question of "
                f"{len(of[PLAIN])} is {1 / len(of[PLAIN]):.4f}",
                most=ORDER_COSTS,
                value=fall,
            )
        )
    figures.append(_switched(*(together(answered[variant], lab.corpora) for variant in (PLAIN, NO_WINDOW))))
    heads = ["set", "questions", "window on", "window off", "random order, window on"]
    heads += [f"half {part}, window {state}" for part in "AB" for state in ("on", "off")]
    said = "recall@10. The random order is of storing, by a seed; the window then sees neighbours that mean nothing."
    return f"{said}\n\n{table(heads, rows)}", figures


def _switched(on: list[Answer], off: list[Answer]) -> Figure:
    """Whether the window was switched off at all: a server that knows no such switch would pass every target."""
    share = changed(on, off)
    said = f"{share:.3f} of {len(on)}"
    return Figure("rankings that switching the window off changes", None, said, least=SWITCHED, value=share)
