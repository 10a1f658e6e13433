"""The meaning of a path of names, and its confidence."""

from typing import NamedTuple

from indelible.source.resolve.definition_index import Place

# The confidence that a name means what was found, by the weakest rule on the way. docs/design/source.md.
EXACT = 1.0  # defined in the same scope, file or package; a member of the type around, or of a module by its name
IMPORTED = 0.95  # through an import that names it
INHERITED = 0.9  # a member of a base
GLOBBED = 0.9  # through an import of everything, an include, a namespace that is used
TYPED = 0.85  # a member of a name's value, whose type is written or constructed beside it
FIELD = 0.8  # the same of a field
RETURNED = 0.75  # a member of the result of a function, by its signature
ALONE = 0.6  # the only definition of the name where it may be linked from (C)


class Meaning(NamedTuple):
    """The meaning of a path.

    `kind`: module, symbol, instance (of the type that is named), super (the bases of the type), or unknown.
    """

    kind: str
    identity: str
    places: tuple[Place, ...]
    confidence: float

    def at_most(self, confidence: float) -> "Meaning":
        """Return the same with at most this confidence."""
        return self if self.confidence <= confidence else Meaning(self.kind, self.identity, self.places, confidence)


UNKNOWN = Meaning("unknown", "", (), 0.0)
