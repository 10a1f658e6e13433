"""Source code: indexing it, searching it, what calls and needs what, maps."""

# Tokens of a map. They stand here for the command line, which shows them without loading what draws one.
DEFAULT_TOKENS, LEAST_TOKENS, MOST_TOKENS = 2_000, 100, 50_000
