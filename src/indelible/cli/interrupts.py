"""The sentence with which each command ends at Ctrl-C: what was kept, and how to go on."""

from collections.abc import Sequence

CONTINUES = "what was stored is kept, and the same command continues with the rest"
WHOLE = "it was done whole or not at all, as `indelible history` shows"
UNCHANGED = "nothing was changed"

# By command; those that are not here only read.
_SENTENCES = {
    "setup": "what was written is kept: the same command does what is missing, `indelible unsetup` takes it out again",
    "unsetup": "what was taken out is: the same command goes on with the rest",
    "remember": "the memory was stored whole or not at all, as `indelible list` shows",
    "add": CONTINUES,
    "index": "what was indexed is kept, and the same command continues with the rest",
    "export": "the output is not complete; nothing was changed",
    "export --to markdown": "files that were written are whole, and the same command goes on with the rest",
    "export --watch": "what was written is whole, and the same command brings it up to date again",
    "import": CONTINUES,
    "backup": "a backup is written whole or not at all; nothing else was changed",
    "restore": "the store is restored whole or as it was; what it held before is in its folder `backups` then",
    "sync": "what was taken in is kept, and the same command continues with the rest",
    "pin": WHOLE,
    "unpin": WHOLE,
    "delete": WHOLE,
    "undo": WHOLE,
    "promote": "what was promoted is trusted, and `indelible captured` lists what still waits",
    "review": "what was decided on is kept, and `indelible review` goes on with the rest",
    "pause": "`indelible pause --status` lists what is paused",
    "resume": "`indelible pause --status` lists what is paused",
    "drain": "what was processed is kept, and the next command or server goes on with the rest",
    "purge": "what it began to delete, `indelible purge` deletes wholly; nothing else is deleted",
    "redact": "what it began to remove, the same command removes wholly",
    "project": WHOLE,
    "consolidate": "cycles that had ended are kept, as `indelible history` shows, and the same command does the others",
    "doctor --repair": "a repair that had begun is done by the next `indelible doctor --repair`",
    "reembed": "what was embedded is kept, and the same command continues with the rest",
    "model": "no model was installed in part, and the same command goes on with a download",
    "database": "the same command goes on with the rest",
    "migrate": "what was copied is kept, and the same command continues with the rest",
    "token": "a token was created or revoked wholly or not at all, as `indelible token list` shows",
    "tenant": "the same command goes on with the rest",
    "call": "the tool did what it does whole or not at all, as `indelible history` shows",
}


def sentence(given: Sequence[str], *, at_first_question: bool = False) -> str:
    """Return what is said where the command of these words was ended by Ctrl-C.

    At its first question it had done nothing that is to be said.
    """
    if at_first_question:
        return f"stopped; {UNCHANGED}"
    command = given[0] if given else ""
    if "--repair" in given:
        command += " --repair"
    if command == "export" and "--watch" in given:
        command += " --watch"
    elif command == "export" and "markdown" in given:
        command += " --to markdown"
    return f"stopped; {_SENTENCES.get(command, UNCHANGED)}"
