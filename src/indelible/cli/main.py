"""The command line: a few words for people, every tool for scripts. Loads only what a command needs."""

import gc
import io
import os
import sys
from collections.abc import Sequence

from indelible.errors import IndelibleError

# Imported late (cli): difflib, indelible.cli.completing, indelible.cli.hook, indelible.cli.interrupts,
#   indelible.sanitize.secret_spans, indelible.settings
# Imported late (hooks): indelible.cli.answers, indelible.cli.parsing, indelible.cli.terminal, indelible.hook_settings,
#   indelible.stderr

# The commands by what they are for, in the order of the help, and the module in cli/commands/ of each: a command loads
# its own only.
GROUPS = {
    "begin": {"setup": "setup", "unsetup": "setup", "doctor": "upkeep"},
    "remember and find": {
        "remember": "memories",
        "recall": "memories",
        "why": "memories",
        "list": "memories",
        "show": "memories",
        "ui": "serving",
        "brief": "brief",
        "solutions": "solutions",
        "failures": "solutions",
        "fixes": "graph",
        "breaks": "graph",
        "stats": "memories",
    },
    "sessions of agents": {
        "captured": "captured",
        "review": "captured",
        "promote": "captured",
        "pause": "captured",
        "resume": "captured",
        "drain": "captured",
        "hook": "captured",
    },
    "code and documents": {
        "add": "documents",
        "index": "index",
        "map": "map",
        "stale": "map",
        "review-diff": "graph",
        "what-changed": "graph",
    },
    "correct and delete": {
        "pin": "memories",
        "unpin": "memories",
        "delete": "memories",
        "undo": "upkeep",
        "history": "upkeep",
        "purge": "purge",
        "redact": "purge",
    },
    "move and keep": {
        "export": "transfer",
        "import": "importing",
        "backup": "transfer",
        "restore": "transfer",
        "sync": "sync",
        "migrate": "database",
    },
    "maintain": {
        "consolidate": "lifecycle",
        "patterns": "lifecycle",
        "project": "projects",
        "reembed": "upkeep",
        "model": "models",
        "database": "database",
        "token": "tokens",
        "tenant": "database",
    },
    "programs and scripts": {
        "serve": "serving",
        "encoder": "serving",
        "tools": "tools",
        "call": "memories",
        "key": "keys",
        "schema": "tools",
        "completion": "tools",
    },
}
COMMANDS = {name: module for group in GROUPS.values() for name, module in group.items()}
# What people type who know other programs, and the command that does it.
ELSEWHERE = {
    "forget": "delete",
    "remove": "delete",
    "search": "recall",
    "find": "recall",
    "query": "recall",
    "store": "remember",
    "save": "remember",
    "get": "show",
    "log": "history",
    "status": "doctor",
    "install": "setup",
    "init": "setup",
    "uninstall": "unsetup",
    "web": "ui",
}


# Commands that an agent waits for at each turn, or a script at each line.
AWAITED = frozenset({"hook", "recall", "remember", "brief"})


def main(argv: Sequence[str] | None = None) -> int:
    """Run a command; the exit code: 0 done, 1 refused or failed (said on stderr), 2 wrong usage."""
    given = sys.argv[1:] if argv is None else argv
    ends = argv is None and not AWAITED.isdisjoint(given[:1])
    if ends:
        gc.disable()  # before the imports: a tenth of the time, and nothing to gain in so short a life
    is_hook = given[:1] == ["hook"] and not {"-h", "--help"}.intersection(given)
    code = _hook(given[1:]) if is_hook else _answered(given)
    if ends:
        # Without taking Python down object by object, a seventh of a recall. The store is closed, standard output
        # flushed, and standard error goes out line by line.
        os._exit(code)
    return code


def _hook(argv: Sequence[str]) -> int:
    from indelible import hook_settings

    if not hook_settings.hooks_are_off():
        from indelible.cli import hook

        hook.main(argv)
    elif "antigravity" in argv:  # as capture.clients.MUST_ANSWER, which is not loaded for nothing
        os.write(1, b"{}\n")
    return 0


def _answered(argv: Sequence[str]) -> int:
    from indelible.cli.terminal import OutputError, flush, put_answer
    from indelible.stderr import say

    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):  # whatever the locale says: an export is UTF-8, as import reads it
            stream.reconfigure(encoding="utf-8", errors="backslashreplace")
    try:
        code = _outcome(argv)
        put_answer(code)
        flush()  # a reader that went away is noticed here, not after the end of the program
        return code
    except OutputError as error:
        say(f"indelible: standard output cannot be written: {error}")
        _drop_output()
        return 1
    except BrokenPipeError:  # the reader of our output went away (`| head`)
        _drop_output()
        return 1
    except KeyboardInterrupt:  # once more, behind the first one's words
        return 130


def _outcome(argv: Sequence[str]) -> int:
    """Run a command; the exit code. What went wrong is said, and noted for a script that asked for JSON."""
    from indelible.cli import answers
    from indelible.cli.terminal import StoppedAtFirstQuestion
    from indelible.stderr import say

    try:
        return _run(argv)
    except IndelibleError as error:
        from indelible.sanitize.secret_spans import redact_text

        message = redact_text(str(error))[0]  # it may repeat what was typed
        answers.fail(error.code, message)
        say(f"indelible: {message}")
        return 1
    except KeyboardInterrupt as stopped:
        from indelible.cli import interrupts

        message = interrupts.sentence(argv, at_first_question=isinstance(stopped, StoppedAtFirstQuestion))
        answers.fail("interrupted", message)
        if sys.stderr is not None:
            begun = "\n" if sys.stderr.isatty() else ""  # the terminal wrote ^C, perhaps behind a question
            say(f"{begun}{message}")
        return 130


def _run(argv: Sequence[str]) -> int:
    from indelible.cli import answers, parsing
    from indelible.hook_settings import completed_line

    line = completed_line()
    if line is not None:
        from indelible.cli import completing

        completing.answer(line, COMMANDS)
    argv = _as_help(argv)
    asked = argv[0] if argv else ""
    # Until the words are parsed it is not known who reads the answer: a wrong usage is answered as it was meant.
    answers.begin(asked if asked in COMMANDS else "") if "--json" in argv else answers.drop()
    try:
        parser = parsing.parser_of(asked, COMMANDS, GROUPS)
        if not argv:
            return parsing.without_command(parser)
        if asked and not asked.startswith("-") and asked not in COMMANDS:
            parser.error(_unknown(asked))
        arguments = parser.parse_args(argv)
        if arguments.json and asked in parsing.WITHOUT_JSON:
            parser.error(f"`indelible {asked}` has no --json: {parsing.WITHOUT_JSON[asked]}")
    except SystemExit as end:  # with the help or the usage, which may not have gone out yet
        if not end.code:
            answers.drop()
        return end.code if isinstance(end.code, int) else 0
    answers.begin(parsing.name_of(arguments)) if arguments.json else answers.drop()
    from indelible.settings import spare_threads

    spare_threads()
    return int(arguments.run(arguments))


def _as_help(argv: Sequence[str]) -> Sequence[str]:
    """Return the words of a command line, `help` and `help COMMAND` as the option that they mean."""
    return [*argv[1:2], "--help"] if argv[:1] == ["help"] else argv


def _unknown(given: str) -> str:
    """Return what is said of a command that does not exist: the nearest one, or where all are listed."""
    import difflib

    from indelible.cli.terminal import printable, shown

    near = [ELSEWHERE[given]] if given in ELSEWHERE else difflib.get_close_matches(given, COMMANDS, 1)
    meant = f"did you mean {near[0]!r}?" if near else "`indelible --help` lists all"
    return f"unknown command {printable(shown(given))!r}; {meant}"


def _drop_output() -> None:
    """Discard buffered output, which would fail once more at the end of the program."""
    if sys.stdout is not None:
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


if __name__ == "__main__":
    sys.exit(main())
