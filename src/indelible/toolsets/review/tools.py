"""Toolset `review`: what a change concerns, and what changed."""

from typing import Annotated

from pydantic import Field

from indelible.core.context.context import Context
from indelible.sanitize.validate import LONGEST
from indelible.toolsets.registry import VISIBLE, WHOLE, tool
from indelible.toolsets.review.shapes import FILES, MOST_FILES, ChangedShape, ReviewShape

# Imported late (start, cli): indelible.toolsets.review.changed, indelible.toolsets.review.findings,
#   indelible.toolsets.review.review


Revision = Annotated[str, Field(min_length=1, max_length=400), VISIBLE]


@tool("review", "Review a change")
def review_diff(
    ctx: Context,
    range: Annotated[Revision | None, Field(description="A..B, or one commit")] = None,
    staged: Annotated[bool, Field(description="What a commit would change now")] = False,
    diff: Annotated[str | None, Field(min_length=1, max_length=LONGEST, description="Output of git diff")] = None,
    limit: Annotated[int, Field(ge=0, le=MOST_FILES, description="Files that may be missing"), WHOLE] = FILES,
) -> ReviewShape:
    """Show before a commit what a change concerns: files it may have left out, decisions, failures, tests. Worst first.

    Give exactly one of range, staged, diff.
    """
    from indelible.toolsets.review import findings, review  # with git, which no other call needs

    return findings.shape(review.review(ctx, range, staged=staged, text=diff, limit=limit))


@tool("review", "What changed")
def what_changed(
    ctx: Context,
    since: Annotated[
        str, Field(min_length=1, max_length=200, description="12h, 2d, ISO 8601 time, or a commit"), VISIBLE
    ],
) -> ChangedShape:
    """List what changed in the project since a time or commit: commits, symbols, memories, sessions; newest first."""
    from indelible.toolsets.review import changed

    return changed.what_changed(ctx, since)
