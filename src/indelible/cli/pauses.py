"""`indelible pause` and `resume`, and the lines that say what is paused."""

import argparse
import os
import shlex
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any

from indelible.capture import hook_brief, pausing
from indelible.cli import answers
from indelible.cli.opening import open_existing, refuse_read_only, settings_of
from indelible.cli.terminal import out, printable, shown
from indelible.clock import age_text, micros, time_text, utc_now
from indelible.errors import InvalidInput, StoreError
from indelible.filesystem import prepare
from indelible.project import NAME, Location, is_path
from indelible.stderr import say
from indelible.store.tables import projects

if TYPE_CHECKING:
    from indelible.settings import Settings

_GIVE = "give the project's directory (--project DIR), run it there, or give --all"


def pause(arguments: argparse.Namespace) -> int:
    """Run `indelible pause`; the exit code."""
    settings = settings_of(arguments)
    if arguments.status:
        _refuse_with_status(arguments)
        return _list(arguments, settings)
    if arguments.all and arguments.for_good:
        raise InvalidInput(
            "--for-good leaves one project out; to stop recording everywhere, `indelible unsetup --hooks`"
        )
    refuse_read_only(settings.for_disk(), "pause")
    if arguments.all:
        project, origin = pausing.EVERY, None
    else:
        location = _project(settings)
        _refuse_unknown(arguments, settings, location)
        project, origin = location.path, location.origin
    with _file_named(settings):
        _make_inbox(settings)
        pausing.pause(settings.inbox, project, left_out=arguments.for_good, origin=origin)
    code = _list(arguments, settings)
    if not arguments.all:
        lasting = "" if arguments.for_good else ", and `--for-good` leaves this one out even after `resume --all`"
        say(f"other projects are still recorded; `indelible pause --all` pauses those too{lasting}")
    return code


def resume(arguments: argparse.Namespace) -> int:
    """Run `indelible resume`; the exit code. A pause that holds for other reasons is named on standard error."""
    settings = settings_of(arguments)
    refuse_read_only(settings.for_disk(), "resume")
    location = None if arguments.all else _project(settings)
    project, origin = (pausing.EVERY, None) if location is None else (location.path, location.origin)
    was_damaged = _is_damaged(settings)
    with _file_named(settings):
        ended = pausing.resume(settings.inbox, project, origin)
        left = pausing.paused(settings.inbox)
    holding = pausing.holding(left, location, project)
    if was_damaged:
        say("what was paused could not be read and is forgotten: leave out again what is to be left out for good")
    elif holding == pausing.EVERY:
        say("every project is paused: `indelible resume --all` ends that")
    elif holding is not None:
        say(f"{printable(project)} is paused with {printable(holding)}: `{_end(holding)}` ends that")
    elif not ended:
        say("nothing was paused" if arguments.all else f"{printable(project)} was not paused by itself")
    return _list(arguments, settings)


def pause_lines(settings: "Settings") -> list[str]:
    """Return a line for each pause of a store, those for good last; one line where they cannot be read."""
    try:
        pauses = pausing.paused(settings.inbox)
    except (OSError, ValueError):
        return [
            "recording is paused: what is paused cannot be read; `indelible resume --all` mends it, or says why not"
        ]
    return [_line(project, each) for project, each in _sorted(pauses)]


def _line(project: str, pause: dict[str, Any]) -> str:
    where = "every project" if project == pausing.EVERY else printable(project)
    how = "left out for good" if pause.get("left_out") else "paused"
    since = pause.get("since")
    age = "" if since is None else f" since {time_text(since)} ({age_text(micros(utc_now()) - since)})"
    return f"recording is {how} for {where}{age}: `{_end(project)}` ends it"


def _end(project: str) -> str:
    """Return the command that ends a pause."""
    return "indelible resume " + (
        "--all" if project == pausing.EVERY else f"--project {shlex.quote(printable(project))}"
    )


def _sorted(pauses: dict[str, dict[str, Any]]) -> list[tuple[str, dict[str, Any]]]:
    return sorted(pauses.items(), key=lambda each: (bool(each[1].get("left_out")), each[0]))


def _list(arguments: argparse.Namespace, settings: "Settings") -> int:
    with _file_named(settings):
        pauses = _sorted(pausing.paused(settings.inbox))
    answers.give({"paused": [_fields(project, each) for project, each in pauses]})
    for line in [_line(project, each) for project, each in pauses] or ["recording is not paused anywhere"]:
        out(line)
    return 0


def _fields(project: str, pause: dict[str, Any]) -> dict[str, object]:
    since = pause.get("since")
    left_out = bool(pause.get("left_out"))
    return {"project": project, "since": None if since is None else time_text(since), "left_out": left_out}


# --- The project ---


def _project(settings: "Settings") -> Location:
    """Return the project of the command line or the working directory. Raises InvalidInput where there is none."""
    location = settings.project_found.location
    if location is None:
        raise InvalidInput(f"--project: the home directory and the root are no project; {_GIVE}")
    return location


def _refuse_unknown(arguments: argparse.Namespace, settings: "Settings", location: Location) -> None:
    """Raise InvalidInput for a project that no hook would find: a pause of it would hold for nothing.

    A name is one that the environment gives, to hooks too, or that the store knows.
    """
    given = arguments.project
    if given is None or location.kind != NAME or (not is_path(given) and _is_known(arguments, settings, given)):
        return
    here = os.path.join(os.curdir, given)
    meant = f"; did you mean {printable(shown(here))}?" if os.path.isdir(settings.start / given) else ""
    raise InvalidInput(
        f"--project {shown(given)!r} is neither a directory that exists nor the name of a known project{meant}; {_GIVE}"
    )


def _is_known(arguments: argparse.Namespace, settings: "Settings", name: str) -> bool:
    if not hook_brief.is_current(hook_brief.place_of(settings)):
        return False
    with closing(open_existing(arguments)) as ctx, ctx.store.read() as tx:
        return name in projects.noted(tx)


def _refuse_with_status(arguments: argparse.Namespace) -> None:
    given = [f"--{name.replace('_', '-')}" for name in ("all", "for_good") if getattr(arguments, name)]
    if given:
        raise InvalidInput(f"--status changes nothing; leave out {' and '.join(given)}, or --status")


# --- The file ---


def _make_inbox(settings: "Settings") -> None:
    """Make the directories, which only the owner can enter, where this is the first that is kept there."""
    if not os.path.isdir(settings.inbox):
        prepare(Path(settings.data))
        os.makedirs(settings.inbox, mode=0o700, exist_ok=True)


def _is_damaged(settings: "Settings") -> bool:
    try:
        pausing.paused(settings.inbox)
    except ValueError:
        return True
    except OSError:  # which the change itself reports
        return False
    return False


@contextmanager
def _file_named(settings: "Settings") -> Iterator[None]:
    """Name the file and the remedy where it cannot be read or written. Raises StoreError."""
    path = os.path.join(settings.inbox, pausing.FILE)
    try:
        yield
    except ValueError:
        raise StoreError(
            f"{path} is damaged, and nothing is recorded until it is mended; `indelible resume --all` begins anew"
        ) from None
    except OSError as error:
        raise StoreError(
            f"{path} cannot be read or written ({error.strerror}); while it is there and cannot be read, nothing is "
            "recorded until it can: make it a file of your own in a directory that you can write to, or remove it"
        ) from None
