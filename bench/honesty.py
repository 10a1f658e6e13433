"""Does recall return nothing where nothing is known, and what does that cost where something is?"""

from collections import defaultdict
from collections.abc import Sequence
from random import Random
from typing import Any

from asking import NO_FLOOR, PLAIN, SEED, Lab, Stored, say
from client import Server
from report import Figure, table
from sets import SETS, Answer, Corpus, Question, changed, mean, silent, together

FOREIGN = 0.90  # share of another set's questions that must bring nothing
OTHERS = 0.60  # share of another LoCoMo conversation's
COST = 0.015  # recall@10 that the floor may cost
SWITCHED = 0.02  # share of the rankings that must change with the floor, else it was not switched off
ASKED = 150  # questions of each set asked of each other set
REMOVED = 100  # questions whose evidence is taken away
ALL = 1_000_000  # records of an export


def honesty(lab: Lab) -> tuple[str, list[Figure]]:
    """Questions of other fields, of other conversations, with the evidence taken away; the floor's cost."""
    parts, figures = [], []
    for part in (_other_sets, _other_conversations, _evidence_removed, _cost):
        said, judged = part(lab)
        parts += [said] if said else []
        figures += judged
    return "\n\n".join(parts), figures


# --- Questions asked elsewhere ---


def _other_sets(lab: Lab) -> tuple[str, list[Figure]]:
    """Questions of each set asked of every other; a set of several stores is asked in one of them, by its size."""
    names = [name for name in SETS if lab.of(name)]
    if len(names) < 2:
        return "", []
    asked: dict[Corpus, list[tuple[str, Question]]] = defaultdict(list)
    for source in names:
        questions = [question for corpus in lab.of(source) for question in corpus.questions]
        for target in names:
            if target == source:
                continue
            draw = Random(f"{SEED}/{source}/{target}")
            stores = lab.of(target)
            for question in draw.sample(questions, min(ASKED, len(questions))):
                (corpus,) = draw.choices(stores, [len(corpus.items) for corpus in stores])
                asked[corpus].append((source, question))
    answered = _elsewhere(lab, asked)
    cells: dict[tuple[str, str], list[Answer]] = defaultdict(list)
    strange: list[Answer] = []
    for corpus, of in answered.items():
        for source, answer in of:
            cells[source, corpus.set].append(answer)
            if not corpus.is_about(answer.question.source):
                strange.append(answer)
    own = lab.answers(PLAIN)
    for name in names:
        cells[name, name] = together(own, lab.of(name))
    said = (
        f"Share of questions that bring nothing, where a set's questions are asked of its own stores (with the answer "
        f"in them, all questions) and of each other set's (up to {ASKED}, by a seed):"
    )
    foreign = [answer for (source, target), of in cells.items() if source != target for answer in of]
    figure = Figure(
        "another set's questions that bring nothing",
        None,
        f"{silent(foreign):.3f} of {len(foreign)}",
        least=FOREIGN,
        value=silent(foreign),
    )
    # The sets about repositories share them: asked about a bug of a repository, a store of its changes has answers.
    unknown = Figure(
        "those of them whose repository has no record in the store that bring nothing",
        None,
        f"{silent(strange):.3f} of {len(strange)}",
    )
    return f"{said}\n\n{_matrix(names, cells)}", [figure, unknown]


def _other_conversations(lab: Lab) -> tuple[str, list[Figure]]:
    """Every question of each LoCoMo conversation asked of each other conversation."""
    conversations = lab.of("locomo")
    if len(conversations) < 2:
        return "", []
    asked = {
        target: [(source.name, q) for source in conversations if source != target for q in source.questions]
        for target in conversations
    }
    cells: dict[tuple[str, str], list[Answer]] = defaultdict(list)
    for corpus, of in _elsewhere(lab, asked).items():
        for source, answer in of:
            cells[source, corpus.name].append(answer)
    foreign = [answer for of in cells.values() for answer in of]
    for corpus, own in lab.answers(PLAIN, conversations).items():
        cells[corpus.name, corpus.name] = own
    figure = Figure(
        "another LoCoMo conversation's questions that bring nothing",
        None,
        f"{silent(foreign):.3f} of {len(foreign)}",
        least=OTHERS,
        value=silent(foreign),
    )
    said = "The same between LoCoMo's conversations, all questions:"
    return f"{said}\n\n{_matrix([corpus.name for corpus in conversations], cells)}", [figure]


def _elsewhere(lab: Lab, asked: dict[Corpus, list[tuple[str, Question]]]) -> dict[Corpus, list[tuple[str, Answer]]]:
    """Ask each corpus's store the questions listed for it; each with the name of where it comes from."""

    def work(corpus: Corpus) -> list[tuple[str, Answer]]:
        with lab.copy(lab.store(corpus)) as copied, lab.serving(copied) as server:
            say(f"{corpus.set}/{corpus.name}: {len(asked[corpus])} questions of others")
            return [(source, lab.ask_one(server, copied, question)) for source, question in asked[corpus]]

    corpora = sorted(asked, key=lambda corpus: -len(asked[corpus]))
    return dict(zip(corpora, lab.each(work, corpora), strict=True))


def _matrix(names: Sequence[str], cells: dict[tuple[str, str], list[Answer]]) -> str:
    rows = [[source, *(f"{silent(cells[source, target]):.2f}" for target in names)] for source in names]
    return table(["questions of \\ asked of", *names], rows)


# --- The evidence taken away ---


def _evidence_removed(lab: Lab) -> tuple[str, list[Figure]]:
    conversations = lab.of("locomo")
    asked: dict[Corpus, list[Question]] = defaultdict(list)
    every = [(corpus, question) for corpus in conversations for question in corpus.questions]
    for corpus, question in Random(SEED).sample(every, min(REMOVED, len(every))):
        asked[corpus].append(question)
    if not asked:
        return "", []
    pairs = [pair for found in lab.each(lambda c: _without(lab, c, asked[c]), list(asked)) for pair in found]
    before, after = ([pair[i] for pair in pairs] for i in (0, 1))
    return "", [
        Figure(
            "LoCoMo questions that bring nothing once their evidence is deleted",
            None,
            f"{silent(after):.2f} of {len(after)} (by a seed); with the evidence there {silent(before):.2f}",
        )
    ]


def _without(lab: Lab, corpus: Corpus, questions: list[Question]) -> list[tuple[Answer, Answer]]:
    """Each question's answer with its evidence and without; what was deleted is put back before the next."""
    with lab.copy(lab.store(corpus)) as copied, lab.serving(copied) as server:
        say(f"{corpus.set}/{corpus.name}: {len(questions)} questions without their evidence")
        exported = server.call("export_memories", limit=ALL)["result"]
        texts = dict(corpus.items)
        memories = {texts[copied.items[memory["id"]]]: memory for memory in exported}  # two items of one text are one
        pairs = []
        for question in questions:
            evidence = [memories[text] for text in dict.fromkeys(texts[item] for item in sorted(question.relevant))]
            before = lab.ask_one(server, copied, question)
            pairs.append((before, _asked_without(lab, server, copied, question, evidence)))
        return pairs


def _asked_without(
    lab: Lab, server: Server, stored: Stored, question: Question, evidence: list[dict[str, Any]]
) -> Answer:
    for memory in evidence:
        server.call("delete_memory", id=memory["id"])
    answer = lab.ask_one(server, stored, question)
    back = server.call("import_memories", memories=evidence)  # lossless, with its place in the session
    if back["imported"] != len(evidence):
        raise RuntimeError(f"{question.id}: the evidence was not put back: {back}")
    lab.settle(server)
    return answer


# --- What it costs ---


def _cost(lab: Lab) -> tuple[str, list[Figure]]:
    """recall@10 without the evidence floor less that with it: for every set, and all questions together."""
    with_it, without = lab.answers(PLAIN), lab.answers(NO_FLOOR)
    groups = {name: lab.of(name) for name in SETS} | {"all sets": lab.corpora}
    pairs = {name: (together(with_it, of), together(without, of)) for name, of in groups.items() if of}
    share = changed(*pairs["all sets"])
    said = f"{share:.3f} of {len(pairs['all sets'][0])}"
    return "", [
        Figure("rankings that switching the floor off changes", None, said, least=SWITCHED, value=share),
        *(_cost_of(name, *pair) for name, pair in pairs.items()),
    ]


def _cost_of(name: str, with_it: list[Answer], without: list[Answer]) -> Figure:
    lost = mean(without) - mean(with_it)
    return Figure(
        f"{name}, recall@10 that the evidence floor costs",
        None,
        f"{lost:.4f}: {mean(without):.3f} without the floor, {mean(with_it):.3f} with it; own questions that bring "
        f"nothing {silent(without):.3f}, {silent(with_it):.3f}",
        most=COST,
        value=lost,
    )
