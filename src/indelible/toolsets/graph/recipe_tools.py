"""Recipes of the knowledge graph as tools for programs (`indelible.Client`); servers answer but do not list them.

Agents have prompts for the recipes; the command line has `indelible fixes` and `indelible breaks`.
"""

from typing import Annotated, Any

from pydantic import Field

from indelible.core.context.context import Context
from indelible.errors import NotFound
from indelible.toolsets.graph import recipes
from indelible.toolsets.registry import VISIBLE, WHOLE, tool

Text = Annotated[str, Field(min_length=1), VISIBLE]
Best = Annotated[int, Field(ge=0, le=100, description="Maximum results"), WHOLE]


@tool("graph", "Prior fixes", listed=False)
def fixes(ctx: Context, error: Text, k: Best = recipes.BEST) -> list[dict[str, Any]]:
    """Find the fixes of an error or warning, given by its message or key, best first."""
    return [recipes.fix_fields(found) for found in recipes.prior_fixes(ctx, error, k)]


@tool("graph", "What a command breaks", listed=False)
def breaks(ctx: Context, command: Text, k: Best = recipes.BEST) -> list[dict[str, Any]]:
    """The errors and warnings that a command led to, given as it is typed or by its key, with the best fix of each."""
    return [recipes.breakage_fields(found) for found in recipes.breaks(ctx, command, k)]


@tool("graph", "Fixes by dependency", listed=False)
def fixes_by_dependency(ctx: Context, dependency: Text, k: Best = recipes.BEST) -> list[dict[str, Any]]:
    """The fixes of errors that a dependency caused, given by its name or key, the best first."""
    return [recipes.fix_fields(found) for found in recipes.fixes_by_dependency(ctx, dependency, k)]


@tool("graph", "Evidence of a fix", listed=False)
def fix_evidence(ctx: Context, fix: Text) -> dict[str, Any]:
    """A fix by its key, with what it resolves, its outcomes and documents. Raises NotFound."""
    found = recipes.evidence(ctx, fix)
    if found is None:
        raise NotFound(f"there is no fix {fix!r:.200}; `fixes` lists the fixes of an error")
    return recipes.fix_fields(found)
