"""The outcome of a command by its output, where its client gives no exit status.

Only what programs print when they end counts, at the beginning of a line. An output without a rule is "unknown": a
wrong "ok" would end a failure that goes on.
"""

from indelible.sanitize.secret_rules import compiled

_LAST = 16_384  # characters at the end of an output that are read
_EXIT = (
    r"(?im)^[ \t]{0,4}(?:<?exit[_ -]?(?:code|status)>?|(?:process|command|shell)[a-z ]{0,24}exited with(?: exit)?"
    r"(?: code| status)?|(?:command )?failed with exit code|returned non-zero exit status)[ \t:=]{0,3}(-?[0-9]{1,10})\b"
)
_FAILED = (
    r"(?m)^(?:Traceback \(most recent call last\):|FAILED[ (]|(?:--- )?FAIL\b|FAILURES!|error(?:\[E[0-9]{4}\])?: "
    r"|[^\n:]{1,200}: error(?: TS[0-9]{1,5})?: |npm (?:ERR!|error) |[^\n:]{0,40}make(?:\[[0-9]+\])?: \*\*\* "
    r"|BUILD FAIL|\[ERROR\] BUILD FAILURE|fatal: |panic: |thread '[^'\n]{0,200}' panicked|Segmentation fault|Error: "
    r"|test result: FAILED|[A-Za-z_.]{0,80}(?:Error|Exception): |=+ [^\n]{0,80}\b[0-9]+ (?:failed|errors?)\b"
    r"|[^\n]{0,200}: (?:command not found|No such file or directory|Permission denied)$|Found [1-9][0-9]* errors?\b"
    r"|[ ]{0,8}(?:Tests|Test Suites|Test Files):? {1,12}[0-9]+ failed|[0-9]+ examples?, [1-9][0-9]* failures?"
    r"|[ ]{0,4}[0-9]+ failing$|[ ]{0,4}[1-9][0-9]* (?:failed|fail)$|(?:ℹ|#) fail [1-9]|Failed![ ]{1,4}- Failed:"
    r"|[0-9]+ (?:test|doctest|propert)[^\n]{0,60}, [1-9][0-9]* failures?\b|[0-9]{1,3}% tests passed, [1-9]"
    r"|[ \t]{0,8}Executed [0-9]+ tests?, with [1-9]|[ ]{0,4}evaluation failed :\()"
)
_PASSED = (
    r"(?m)^(?:=+ (?:[^\n]{0,80}, )?[0-9]+ passed\b|[0-9]+ passed\b|test result: ok|BUILD SUCCESS|\[INFO\] BUILD SUCCESS"
    r"|ok[ \t]+\S+[ \t]+(?:[0-9.]+s|\(cached\))|[ ]{0,8}(?:Tests|Test Suites|Test Files):? {1,12}[0-9]+ passed"
    r"|OK(?: \([^\n]{0,60}\))?$|Success: no issues found|All checks passed!|Found 0 errors|[0-9]+ examples?, 0 failures"
    r"|[ ]{0,4}[0-9]+ passing\b|[ ]{0,4}[0-9]+ passed \([0-9]|[ ]{0,4}0 fail$|(?:ℹ|#) fail 0$|ok \| [0-9]+ passed"
    r"|Passed![ ]{1,4}- Failed:[ ]{1,8}0,|[0-9]+ (?:test|doctest|propert)[^\n]{0,60}, 0 failures|100% tests passed"
    r"|[ \t]{0,8}Executed [0-9]+ tests?, with 0 failures|[ ]{0,4}congratulations :\))"
)
# Programs that show texts: errors in these are not their own.
_SHOWING = frozenset(
    "cat head tail less more bat rg grep egrep fgrep ag sed awk jq ls find tree echo printf diff history man".split()
)
_SHOWN_BY_GIT = frozenset("log diff show blame grep".split())


def of_status(status: object) -> str:
    """Return the outcome of a command with an exit status; "unknown" for an invalid one."""
    if isinstance(status, bool) or not isinstance(status, int):
        return "unknown"
    return "failed" if status else "ok"


def status_in(output: str) -> int | None:
    """Return the last exit status on a line of its own in an output."""
    statuses = compiled(_EXIT).findall(output[-_LAST:])
    return int(statuses[-1]) if statuses else None


def of_output(command: str, output: str) -> str:
    """Return the outcome in an output: by its exit status if given, else by how programs report failing and passing."""
    text = output[-_LAST:]
    if not text.strip() or _shows(command):
        return "unknown"
    status = status_in(text)
    if status is not None:
        return of_status(status)
    if compiled(_FAILED).search(text):
        return "failed"
    return "ok" if compiled(_PASSED).search(text) else "unknown"


def _shows(command: str) -> bool:
    words = command.split()
    program = words[0].rpartition("/")[2] if words else ""
    return program in _SHOWING or (program == "git" and len(words) > 1 and words[1] in _SHOWN_BY_GIT)
