"""Does another project in the same store push aside the own one's memories?"""

from dataclasses import dataclass
from operator import attrgetter

from asking import PLAIN, Lab, Stored, say
from report import Figure, table
from sets import Answer, Corpus, mean

COST = 0.01  # recall@10 that a second project may cost where no namespace is named
# Of one kind each, so that the other project has what looks like an answer: conversations, MCP libraries, changes.
PAIRS = (
    (("locomo", "conv-43"), ("locomo", "conv-44")),
    (("commit", "PrefectHQ+fastmcp"), ("commit", "modelcontextprotocol+python-sdk")),
    (("errorfix", "fixes"), ("changelog", "changes")),
)


@dataclass(frozen=True, slots=True)
class Shared:
    """One corpus's answers: alone in a store, and beside another project without a namespace and with its own."""

    corpus: Corpus
    beside: str
    alone: list[Answer]
    without: list[Answer]
    named: list[Answer]


def projects(lab: Lab) -> tuple[str, list[Figure]]:
    """recall@10 of each project's questions alone, and in one store with another project."""
    known = {(corpus.set, corpus.name): corpus for corpus in lab.corpora}
    pairs = [(known[a], known[b]) for a, b in PAIRS if a in known and b in known]
    if not pairs:
        return "", []
    alone = lab.answers(PLAIN, [corpus for pair in pairs for corpus in pair])
    shared = [of for pair in lab.each(lambda pair: _asked(lab, *pair, alone), pairs) for of in pair]
    rows = [
        [of.corpus.name, of.beside, str(len(of.alone)), *(f"{mean(a):.3f}" for a in (of.alone, of.without, of.named))]
        for of in shared
    ]
    heads = ["project", "beside", "questions", "alone", "together, no namespace", "together, its namespace"]
    base, without, named = (
        mean([answer for of in shared for answer in answers(of)])
        for answers in (attrgetter("alone"), attrgetter("without"), attrgetter("named"))
    )
    figures = [_lost("no namespace", base, without, COST), _lost("its namespace named", base, named, 0.0)]
    return f"recall@10 of servers that belong to the project asked about.\n\n{table(heads, rows)}", figures


def _lost(how: str, alone: float, together: float, most: float) -> Figure:
    lost = round(alone - together, 6)
    said = f"{lost:.4f}: {alone:.3f} alone, {together:.3f} together"
    return Figure(f"recall@10 lost to a second project, {how}", None, said, most=most, value=lost)


def _asked(lab: Lab, first: Corpus, second: Corpus, alone: dict[Corpus, list[Answer]]) -> list[Shared]:
    """Store the second corpus beside the first, each through a server of its own project, and ask both."""
    with lab.copy(lab.store(first)) as copied:
        both = lab.told(Stored(copied.data, second.name, copied.items), second)
        shared = []
        for corpus, other in ((first, second), (second, first)):
            with lab.serving(Stored(both.data, corpus.name, both.items)) as server:
                say(f"{corpus.set}/{corpus.name} beside {other.name}: {len(corpus.questions)} questions, twice")
                without = lab.ask(server, both, corpus.questions)
                named = lab.ask(server, both, corpus.questions, namespace=corpus.name)
            shared.append(Shared(corpus, other.name, alone[corpus], without, named))
        return shared
