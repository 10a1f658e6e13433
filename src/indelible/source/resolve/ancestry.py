"""The bases of types, and the other names under which their members are defined."""

from indelible.source.parse.symbols import INHERIT, MODULE_LEVEL, Reference
from indelible.source.resolve.evaluator import Evaluator
from indelible.source.resolve.meaning import Meaning
from indelible.source.resolve.scopes import FileScopes, joined


class Ancestry:
    """The bases of the types of one codebase, cached: they are asked for again and again while it is resolved."""

    def __init__(self, of: Evaluator) -> None:
        self._of, self._definitions = of, of.definitions
        self._bases: dict[tuple[str, str], list[Meaning]] = {}
        self._apart: dict[str, dict[str, list[str]]] = {}
        self._type_of: dict[tuple[str, str], str] = {}
        self._outside: dict[tuple[str, str], bool] = {}
        self.pending = 0  # types whose bases are being found: until then they have none

    def bases(self, family: str, identity: str) -> list[Meaning]:
        """Return the known types that a type inherits from, extends or implements, in order."""
        key = (family, identity)
        if key not in self._bases:
            self._bases[key] = []
            self.pending += 1
            containers = (identity, *self.apart_of(family).get(identity, ()))
            paths = [place.path for place in self._definitions.named.get(key, ())]
            for container in containers[1:]:
                paths += [
                    place.path for ps in self._definitions.members.get((family, container), {}).values() for place in ps
                ]
            found = [
                base
                for path in dict.fromkeys(paths)
                for container in containers
                for reference in self._definitions.files[path].bases.get(container, ())
                if (base := self.base(self._definitions.files[path], reference)) is not None
            ]
            self._bases[key] = list({base.identity: base for base in found if base.identity != identity}.values())
            self.pending -= 1
        return self._bases[key]

    def superclass(self, family: str, identity: str) -> Meaning | None:
        """Return the first class that a type inherits from, not one that it implements or that extends it."""
        for place in self._definitions.named.get((family, identity), ()):
            file = self._definitions.files[place.path]
            for reference in file.bases.get(identity, ()):
                if reference.kind == INHERIT and (found := self.base(file, reference)) is not None:
                    return found
        return None

    def outside(self, family: str, identity: str) -> bool:
        """Whether a class of the chain above a type is outside this codebase: its members are unknown."""
        key = (family, identity)
        if key not in self._outside:
            self._outside[key] = False  # a ring is not outside
            self._outside[key] = any(
                base is None or self.outside(family, base.identity)
                for place in self._definitions.named.get(key, ())
                for reference in self._definitions.files[place.path].bases.get(identity, ())
                if reference.kind == INHERIT
                for base in [self.base(self._definitions.files[place.path], reference)]
            )
        return self._outside[key]

    def base(self, file: FileScopes, reference: Reference) -> Meaning | None:
        """Return the type that an inherit, extend or implement names, looked up around the type that states it."""
        scope = reference.scope
        if not reference.subject and scope != MODULE_LEVEL:
            scope = file.outer[scope]
        found = self._of.value(file, scope, joined(file, reference))
        return found if found is not None and found.kind == "symbol" else None

    def whole(self, file: FileScopes, owner: str) -> str:
        """Return the identity of the type that an `impl` or a method outside of its class names, as far as known."""
        key = (file.path, owner)
        if key not in self._type_of:
            self._type_of[key] = owner
            if file.family in ("rust", "c") and not self._definitions.named.get((file.family, owner)):
                found = self._named_type(file, owner)
                self._type_of[key] = found.identity if found is not None else owner
        return self._type_of[key]

    def _named_type(self, file: FileScopes, owner: str) -> Meaning | None:
        path = owner.rpartition("::")[2] if file.family == "rust" else owner
        found = self._of.value(file, MODULE_LEVEL, path)
        return found if found is not None and found.kind == "symbol" else None

    def apart_of(self, family: str) -> dict[str, list[str]]:
        """Return by the identity of a type: the other names under which its members are defined (Rust's impls, C++)."""
        if family not in ("rust", "c"):
            return {}
        if family not in self._apart:
            found: dict[str, list[str]] = {}
            self._apart[family] = found
            for (of, container), members in self._definitions.members.items():
                if of != family or not container or self._definitions.named.get((family, container)):
                    continue
                if self._definitions.modules.get((family, container)):
                    continue
                place = next((places[0] for places in members.values() if places), None)
                whole = self.whole(self._definitions.files[place.path], container) if place is not None else container
                if whole != container:
                    found.setdefault(whole, []).append(container)
        return self._apart[family]
