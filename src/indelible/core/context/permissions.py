"""What a caller may do, and where: the scope of a token and the namespaces that it holds in."""

from typing import Literal, NamedTuple, get_args

Scope = Literal["read", "write", "admin"]
SCOPES: tuple[Scope, ...] = get_args(Scope)  # each may do what those before it may


class Grant(NamedTuple):  # which a hook makes in a third of the time of a dataclass
    """Who calls, what that may do, and in which namespaces; None means all, and what belongs to no project too.

    `who` is a token's id, the subject of a JWT with a digest of the namespaces that it is limited to, or "" where
    nobody had to say who it is.
    """

    who: str = ""
    scope: Scope = "admin"
    namespaces: frozenset[str] | None = None

    def allows(self, scope: Scope) -> bool:
        """Whether it may do what needs a scope."""
        return SCOPES.index(scope) <= SCOPES.index(self.scope)

    @property
    def limited(self) -> bool:
        """Whether there are namespaces that it does not hold in."""
        return self.namespaces is not None


EVERYTHING = Grant()  # of a process of the user's own, and of a server that has no token yet
