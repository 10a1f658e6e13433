"""A command line as one text, for the shell that a client gives it to, and the words of such a text."""

import shlex

# Which shell a client runs a hook in on Windows; everywhere else it is a POSIX one. Sources: code.claude.com/docs/en/
# hooks (Git Bash), codex-rs/hooks/src/engine/command_runner.rs (cmd.exe /C), packages/core/src/utils/shell-utils.ts of
# Gemini CLI and speakeasy-api/gram#3736 for Cursor (PowerShell).
POSIX = "posix"
CMD = "cmd"
POWERSHELL = "powershell"
_OPERATORS = "&|;<>()`\n"  # they end a command, or redirect it


def line_of(words: tuple[str, ...], shell: str) -> str:
    """A command line as a text; a program's path is written with slashes where a backslash would mean something."""
    if shell == POSIX:
        program = words[0].replace("\\", "/") if _is_windows(words[0]) else words[0]
        return shlex.join((program, *words[1:]))
    if shell == CMD:
        return " ".join(f'"{word}"' if _needs_quotes(word) else word for word in words)
    quoted = [_single(word) if _needs_quotes(word) else word for word in words]
    return ("& " if quoted[0] != words[0] else "") + " ".join(quoted)


def words_of(line: str) -> list[list[str]]:
    """The words of a text: as a POSIX shell reads it, and as those of Windows do. What cannot be read has none.

    Operators outside of quotes are words of their own; the `&` by which PowerShell starts a quoted program is left out.
    """
    found = []
    for posix in (True, False):
        lexer = shlex.shlex(line.strip(), posix=posix, punctuation_chars=_OPERATORS)
        lexer.whitespace_split, lexer.whitespace, lexer.commenters = True, " \t\r", ""
        try:
            words = list(lexer)
        except ValueError:
            continue
        words = words[1:] if words[:1] == ["&"] else words
        found.append(words if posix else [word.strip("'\"") for word in words])
    return found


def is_operator(word: str) -> bool:
    """Is a word of a text an operator of a shell, such as `&&` or `>`?"""
    return word != "" and all(sign in _OPERATORS for sign in word)


def _is_windows(path: str) -> bool:
    return path[1:3] == ":\\" or path.startswith("\\\\")


def _needs_quotes(word: str) -> bool:
    return not word or any(not (sign.isalnum() or sign in "\\/:._-@=+") for sign in word)


def _single(word: str) -> str:
    return "'" + word.replace("'", "''") + "'"
