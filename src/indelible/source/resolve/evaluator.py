"""The interface of the evaluation that the rules of the languages use."""

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
    scripts: dict[str, list[Place]]

    def value(self, file: FileScopes, scope: int, path: str) -> Meaning | None:
        """Return the meaning of a path in a scope."""

    def member(self, family: str, of: Meaning, name: str, *, own: bool = False) -> Meaning | None:
        """Return the meaning of a member."""

    def of_container(self, family: str, container: str, name: str, path: str) -> Meaning | None:
        """Return the meaning of a name among the members of a container."""

    def imported(self, file: FileScopes, each: Import, *, whole: bool = False) -> Meaning | None:
        """Return the meaning of an import."""

    def at(self, place: Place) -> tuple[FileScopes, int]:
        """Return the file and the scope of a definition."""

    def module(self, identity: str) -> Meaning:
        """Return a module as a meaning."""

    def instance(self, family: str, identity: str, confidence: float) -> Meaning:
        """Return an instance of a type as a meaning."""

    def has_body(self, place: Place) -> bool:
        """Whether a definition has a body."""

    def is_private(self, place: Place) -> bool:
        """Whether a definition is visible in its own file only."""
