"""The simple commands of a shell line, by bash's grammar: their words, and the operators between them."""

from collections.abc import Iterator
from functools import cache
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from tree_sitter import Language, Node

# Imported late (start): tree_sitter, tree_sitter_bash

HIDDEN = (
    "!"  # before a command whose exit status is not the line's: in a loop or a condition, negated, in non-bash text
)

_DEEPEST = 40  # nodes in one another that are looked into
_BETWEEN = frozenset(("&&", "||", "|", "|&", ";", "&", "\n"))
_HIDING = frozenset(
    """if_statement elif_clause else_clause while_statement for_statement c_style_for_statement case_statement case_item
    negated_command ERROR""".split()
)
_HOLDING = _HIDING | frozenset(
    """program list pipeline redirected_statement heredoc_redirect subshell compound_statement do_group
    variable_assignment variable_assignments string command_substitution""".split()
)
_COMMANDS = frozenset(("command", "declaration_command", "unset_command"))
_NO_WORDS = frozenset(("file_redirect", "herestring_redirect", "heredoc_redirect"))


def simple_commands(text: str) -> Iterator[tuple[list[str], str]]:
    """Yield the words of each simple command in the order of the text, as written, and the operator before it.

    "" stands for none, before the first, or HIDDEN is given. Of an assignment the commands of a substitution count.
    Functions that are only defined do not count, nor tests (`[ ]`), nor anything in a word of another command.
    """
    from tree_sitter import Parser  # here: hooks that only keep an event load none of it

    tree = Parser(_language()).parse(text.encode("utf-8", "replace"))
    yield from _commands(tree.root_node, "", 0)


@cache
def _language() -> "Language":
    import tree_sitter_bash
    from tree_sitter import Language

    return Language(tree_sitter_bash.language())


def _commands(node: "Node", before: str, depth: int) -> Iterator[tuple[list[str], str]]:
    if node.type in _COMMANDS:
        yield _words(node), before
    elif node.type in _HOLDING and depth < _DEEPEST:
        if node.type in _HIDING and not _is_piped(before):
            before = HIDDEN
        for child in node.children:
            if child.type in _BETWEEN:
                before = before if before == HIDDEN else child.type
            else:
                for words, between in _commands(child, before, depth + 1):
                    yield words, between
                    before = before if before == HIDDEN else ";"


def _is_piped(before: str) -> bool:
    return before in ("|", "|&")


def _words(command: "Node") -> list[str]:
    return [_written(child) for child in command.children if child.type not in _NO_WORDS]


def _written(node: "Node") -> str:
    return (node.text or b"").decode("utf-8", "replace")
