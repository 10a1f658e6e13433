"""Other tools' data: a module for each, under the name of the source."""

NAMES = (
    *("claude-memory", "instructions", "codex", "codemem", "ltmc", "mcp-memory-service", "basic-memory", "serena"),
    *("claude-mem", "mem0", "specstory"),
)  # in the order in which `--from auto` looks for them
