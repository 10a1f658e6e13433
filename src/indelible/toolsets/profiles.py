"""The tools that a server shows to agents, and whether it answers them at length or lean.

A list of all tools costs an agent thousands of tokens in each session, and JSON is most of what an answer costs. A
profile is what is worth that: `daily` what a coding agent uses every day, the name of a toolset that toolset. Without
one, and with `full`, all tools are listed and answer as documented.
"""

import difflib
from dataclasses import replace

from indelible.errors import InvalidInput
from indelible.settings import Settings
from indelible.toolsets import registry
from indelible.toolsets.registry import Tool

FULL = "full"

# What was learned, in and out; why something is as it is; what worked before; what is left to do; what a change breaks.
# Not here: statistics, imports and clean-up, which a person does; relations, the knowledge graph, vectors, documents,
# for those who use these tool families by name; and searches for what recall_memory finds too (documents, messages).
DAILY = (
    "store_memory",
    "recall_memory",
    "update_memory",
    "delete_memory",
    "get_decision_chain",
    "refine_memory",
    "matrix_recall",
    "matrix_store",
    "matrix_reward",
    "matrix_failure",
    "add_todo",
    "list_todos",
    "complete_todo",
    "index_codebase",
    "get_symbol_info",
    "get_dependencies",
    "get_impact",
    "search_code",
    "review_diff",
)

# Arguments that a lean list leaves out, and that are accepted all the same.
RARE = {
    "store_memory": ("links", "file_name", "resource_type"),
    **dict.fromkeys(("update_memory", "refine_memory"), ("expires_at", "pinned", "valid_from", "valid_to")),
    "matrix_store": ("expires_at", "pinned"),
    "matrix_failure": ("stackTrace",),
    **dict.fromkeys(("get_decision_chain", "get_dependencies", "get_impact", "graph_traverse"), ("limit",)),
}


def offered(settings: Settings) -> dict[str, Tool]:
    """Return the tools that agents are shown, by name, in the order of declaration.

    Named toolsets and tools come in addition to those of the profile; exclusion and reading only hold as without one.
    Raises InvalidInput for an unknown name, and where no tool is left.
    """
    name = settings.profile
    if name == "daily":
        settings = replace(settings, tools=(*DAILY, *settings.tools))
    elif name not in ("", FULL):
        toolsets = dict.fromkeys(tool.toolset for tool in registry.all_tools().values())
        if name not in toolsets:
            known = ("daily", FULL, *toolsets)
            near = difflib.get_close_matches(name, known, 1, 0.5)
            meant = f"did you mean {near[0]!r}? " if near else ""
            raise InvalidInput(
                f"unknown profile {name!r:.80} (--profile, INDELIBLE_PROFILE); {meant}there are {', '.join(known)}"
            )
        settings = replace(settings, toolsets=(name, *settings.toolsets))
    return registry.offered(settings)


def is_lean(settings: Settings) -> bool:
    """Return whether agents are answered with short text: as was said, else in any profile but `full`."""
    return (settings.answers or (FULL if settings.profile in ("", FULL) else "lean")) == "lean"
