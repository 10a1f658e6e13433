"""What the rules of the languages ask of the evaluation that they are a part of."""

from typing import Protocol

from indelible.source.parse.symbols import Import
from indelible.source.resolve.definition_index import Definitions, Place
from indelible.source.resolve.meaning import Meaning
from indelible.source.resolve.scopes import FileScopes


class Evaluator(Protocol):
    """Paths of names of one codebase (`evaluation.Evaluation`), each method as documented there."""

    definitions: Definitions
    visible: dict[str, frozenset[str]]
    includes: dict[str, tuple[str, ...]]

    def value(self, file: FileScopes, scope: int, path: str) -> Meaning | None:
        """What a path means in a scope."""

    def member(self, family: str, of: Meaning, name: str, *, own: bool = False) -> Meaning | None:
        """What a member of something means."""

    def of_container(self, family: str, container: str, name: str, path: str) -> Meaning | None:
        """What a name means among the members of a container."""

    def imported(self, file: FileScopes, each: Import, *, whole: bool = False) -> Meaning | None:
        """What an import brings."""

    def at(self, place: Place) -> tuple[FileScopes, int]:
        """The file and the scope of a definition."""

    def module(self, identity: str) -> Meaning:
        """A module as a meaning."""

    def instance(self, family: str, identity: str, confidence: float) -> Meaning:
        """An instance of a type as a meaning."""

    def has_body(self, place: Place) -> bool:
        """Whether a definition has a body."""

    def is_private(self, place: Place) -> bool:
        """Whether a definition is seen in its own file only."""
