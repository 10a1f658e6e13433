"""Git beside an indexed codebase: branches, commits, and which commit changed what texts name."""
