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

# The module in cli/commands/ of each command, in the order of the help: a command loads its own only.
COMMANDS = {
    "setup": "setup",
    "unsetup": "setup",
    "remember": "memories",
    "add": "documents",
    "index": "index",
    "recall": "memories",
    "list": "memories",
    "show": "memories",
    "brief": "brief",
    "map": "map",
    "stale": "map",
    "stats": "memories",
    "fixes": "graph",
    "breaks": "graph",
    "review-diff": "graph",
    "what-changed": "graph",
    "key": "keys",
    "solutions": "solutions",
    "failures": "solutions",
    "export": "transfer",
    "import": "transfer",
    "backup": "transfer",
    "restore": "transfer",
    "delete": "memories",
    "undo": "upkeep",
    "history": "upkeep",
    "captured": "captured",
    "promote": "captured",
    "review": "captured",
    "pause": "captured",
    "resume": "captured",
    "drain": "captured",
    "purge": "purge",
    "project": "projects",
    "redact": "purge",
    "consolidate": "lifecycle",
    "patterns": "lifecycle",
    "doctor": "upkeep",
    "reembed": "upkeep",
    "model": "models",
    "database": "database",
    "migrate": "database",
    "token": "tokens",
    "hook": "captured",
    "tools": "tools",
    "call": "memories",
    "schema": "shell",
    "completion": "shell",
    "serve": "serving",
    "encoder": "serving",
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
    from indelible.stderr import say

    try:
        return _run(argv)
    except IndelibleError as error:
        from indelible.sanitize.secret_spans import redact_text

        message = redact_text(str(error))[0]  # it may repeat what was typed
        answers.fail(error.code, message)
        say(f"indelible: {message}")
        return 1
    except KeyboardInterrupt:
        from indelible.cli import interrupts

        message = interrupts.sentence(argv)
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
    asked = argv[0] if argv else ""
    # Until the words are parsed it is not known who reads the answer: a wrong usage is answered as it was meant.
    answers.begin(asked if asked in COMMANDS else "") if "--json" in argv else answers.drop()
    try:
        parser = parsing.parser_of(asked, COMMANDS)
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


def _unknown(given: str) -> str:
    """Return what is said of a command that does not exist: the nearest one, or where all are listed."""
    import difflib

    from indelible.cli.terminal import printable, shown

    near = difflib.get_close_matches(given, COMMANDS, 1)
    meant = f"did you mean {near[0]!r}?" if near else "`indelible --help` lists all"
    return f"unknown command {printable(shown(given))!r}; {meant}"


def _drop_output() -> None:
    """Discard buffered output, which would fail once more at the end of the program."""
    if sys.stdout is not None:
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


if __name__ == "__main__":
    sys.exit(main())
