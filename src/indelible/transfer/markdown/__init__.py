"""A store as a tree of Markdown files that people read and edit, and that goes back in."""
