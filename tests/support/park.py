"""A document to store in tests, its edits, and what is to be seen of them."""

from indelible.core.context.call import Call
from indelible.core.records import exporting
from indelible.core.records import undo as records_undo
from indelible.store.views import documents

SUBJECTS = ["owls", "zebras", "otters", "herons", "badgers", "lizards", "moles", "swans"]


def section(subject, words=40):
    return f"## About {subject}\n\n" + f"The {subject} of the park are fed by one keeper, who writes it down. " * (
        words // 13
    )


def text_of(*subjects):
    return "# The park\n\n" + "\n\n".join(map(section, subjects)) + "\n"


GUIDE = text_of(*SUBJECTS)


def exported(memory):
    return list(exporting.export_all(memory.context))


def of_kind(memory, kind):
    return [item for item in exported(memory) if item["kind"] == kind]


def texts_in_order(memory, number):
    with memory.context.store.read() as tx:
        return [chunk.text for chunk in documents.chunks(tx, str(number))]


def undo(memory, operation=None):
    return records_undo.undo(memory.context.for_call(Call(tool="undo")), operation)


EDITS = {
    "a changed section": GUIDE.replace("The otters", "All otters", 1),
    "a new section before all": f"# New\n\n{section('bats')}\n\n{GUIDE}",
    "sections in another order": text_of(*reversed(SUBJECTS)),
    "half of it": text_of(*SUBJECTS[::2]),
    "another text": "Nothing of what was there.",
    "a single character": "x",
    "a renamed title": GUIDE.replace("# The park", "# Our park"),
}
