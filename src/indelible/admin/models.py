"""Installing and removing models of the user's choice: from a folder, or from a hub where the user says so."""

import hashlib
import importlib.util
import json
import os
import shutil
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from indelible.admin.hub import Expected, Hub, Progress, full, measured
from indelible.dataclass import dataclass
from indelible.embed.models import catalogue, description, installed, published
from indelible.embed.models.cross import CrossEncoder
from indelible.embed.models.dense import DenseModel
from indelible.embed.models.description import FILE, Description, ModelFile
from indelible.embed.models.installed import FOLDER, Installed
from indelible.errors import Conflict, InvalidInput, MissingExtra, NotFound, StoreError
from indelible.filesystem import FileLock, prepare, sync_directory

Fetch = Callable[[str, Path, Expected], ModelFile]  # brings a file of a model to a path


@dataclass(frozen=True, slots=True)
class Plan:
    """A model that can be installed: where it comes from, how it is used, and what is known of its files.

    `values` are fields of a description, None where they are read from the files that come. `is_pinned` says that the
    hashes of all files were known before anybody was asked.
    """

    name: str
    source: str
    files: Mapping[str, Expected]
    values: Mapping[str, Any] | None
    is_pinned: bool = False

    @property
    def size(self) -> int:
        """Bytes of the files whose size is known."""
        return sum(file.size or 0 for file in self.files.values())


# --- From a hub ---


def plan_from_hub(
    hub: Hub, source: str, *, revision: str | None = None, file: str | None = None, name: str | None = None
) -> Plan:
    """Find out what would be downloaded for a name of the catalogue or an OWNER/REPOSITORY of the hub.

    Asks the hub only for what is not pinned in the catalogue. InvalidInput for neither of them, NotFound and others as
    the hub answers.
    """
    known = catalogue.known().get(source)
    repository = known.repository if known else source
    if known is None and not _is_repository(source):
        raise InvalidInput(
            f"{source[:80]!r} is neither a folder, nor a model of the catalogue ({', '.join(catalogue.known())}), nor "
            "a repository of the hub (OWNER/NAME)"
        )
    called = description.check_name(name or (source if known else source.split("/")[1].lower()))
    is_known = known is not None and revision is None and file is None
    if known and is_known and known.revision and all(known.files.values()):
        pinned = {path: Expected(each.size, each.sha256) for path, each in known.files.items() if each}
        return Plan(called, f"hub:{repository}@{known.revision}", pinned, known.values, is_pinned=True)
    commit = hub.commit(repository, revision or (known.revision if known else None))
    listed = hub.files(repository, commit)
    origin = f"hub:{repository}@{commit}"
    if known and is_known:
        return Plan(called, origin, {path: _listed(listed, path, origin) for path in known.files}, known.values)
    model, tokenizer, needed = published.files_of(listed, file)
    wanted = [*needed, *(path for path in published.ABOUT if path in listed)]
    values = {**known.values, "model": model, "tokenizer": tokenizer} if known else None
    return Plan(called, origin, {path: listed[path] for path in (needed if known else wanted)}, values)


def install_from_hub(hub: Hub, data: Path, plan: Plan, progress: Progress) -> Installed:
    """Download what was planned and install it; what an earlier call brought is gone on with.

    Raises as `Hub.download` and `_install`.
    """
    repository, _, commit = plan.source.removeprefix("hub:").partition("@")

    def fetch(path: str, target: Path, expected: Expected) -> ModelFile:
        return hub.download(repository, commit, path, target, expected, progress)

    return _install(data, plan, fetch, resumes=True)


def _listed(files: Mapping[str, Expected], path: str, origin: str) -> Expected:
    if path not in files:
        raise NotFound(f"{origin} has no {path}; another revision may have it (--revision), or another file (--file)")
    return files[path]


def _is_repository(text: str) -> bool:
    owner, slash, name = text.partition("/")
    allowed = set("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789._-")
    return bool(slash) and all(part and set(part) <= allowed and part.strip(".") for part in (owner, name))


# --- From a folder ---


def plan_from_folder(folder: Path, *, file: str | None = None, name: str | None = None) -> Plan:
    """Find out how the model in a folder is used: by its description, else as the catalogue or its own files say.

    `name` is that of the catalogue or a new one. InvalidInput where it cannot be found out, NotFound for no model.
    """
    paths = {path.relative_to(folder).as_posix() for path in folder.rglob("*") if path.is_file()}
    source = f"folder:{folder.resolve()}"
    if FILE in paths:
        values = _described(folder / FILE)
        called = description.check_name(name or str(values.get("name", folder.resolve().name)).lower())
        if "files" in values:
            listed = description.parse_files(values["files"])
            expected = {path: Expected(each.size, each.sha256) for path, each in listed.items()}
        else:
            needed = published.files_of(paths, str(values.get("model", "")) or None)[2]
            expected = {path: Expected() for path in (*needed, *{str(values.get("tokenizer", ""))} & paths)}
        own = ("name", "source", "files")
        return Plan(called, source, expected, {field: value for field, value in values.items() if field not in own})
    known = catalogue.known().get(name or "")
    if known and file is None:
        pinned = {path: Expected(each.size, each.sha256) if each else Expected() for path, each in known.files.items()}
        return Plan(known.name, source, pinned, known.values)
    model, tokenizer, needed = published.files_of(paths, file)
    values = {**published.values_of(folder), "model": model, "tokenizer": tokenizer}
    called = description.check_name(name or folder.resolve().name.lower())
    return Plan(called, source, {path: Expected() for path in needed}, values)


def install_from_folder(folder: Path, data: Path, plan: Plan) -> Installed:
    """Copy what was planned and install it. Raises as `_install`; StoreError where a file cannot be copied."""

    def fetch(path: str, target: Path, expected: Expected) -> ModelFile:
        target.parent.mkdir(parents=True, exist_ok=True)
        try:
            shutil.copyfile(folder / path, target)
        except FileNotFoundError as problem:
            raise NotFound(f"{folder / path} is not there, and belongs to {plan.name}") from problem
        except OSError as problem:
            raise full(target, problem) from problem
        found = measured(target)
        if found.sha256 != (expected.sha256 or found.sha256):
            raise StoreError(
                f"{folder / path} has the SHA-256 {found.sha256}, expected is {expected.sha256}: it is another file, "
                "or damaged; under a --name of its own it can be installed"
            )
        return found

    return _install(data, plan, fetch, resumes=False)


def _described(path: Path) -> dict[str, Any]:
    try:
        values = json.loads(path.read_bytes())
    except (ValueError, RecursionError) as problem:
        raise InvalidInput(f"{path} is not valid JSON: {problem}") from problem
    if not isinstance(values, dict):
        raise InvalidInput(f"{path} must hold a JSON object that describes a model")
    return values


# --- Both ---


def _install(data: Path, plan: Plan, fetch: Fetch, *, resumes: bool) -> Installed:
    """Bring all files into a folder beside the installed ones, run the model once, and move the folder into place.

    With `resumes` what has come is kept where it fails: a download takes long, a copy is soon made again.

    Conflict where a model of this name is there or another is being installed, StoreError without room on the disk.
    """
    if importlib.util.find_spec("tokenizers") is None:
        raise MissingExtra("a model of your own choice needs the package tokenizers: `pip install 'indelible[models]'`")
    final = installed.folder_of(data, plan.name)
    for path in plan.files:
        description.check_path(path)  # before anything is written there: a hub or a folder says what they are
    with _alone(data):
        if final.exists():
            raise Conflict(
                f"a model {plan.name!r} is installed in {final}; `indelible model remove {plan.name}` removes it, "
                "--name gives this one another name"
            )
        staging = _staging(data, plan)
        try:
            made = _completed(staging, plan, fetch)
            staging.rename(final)
            sync_directory(final.parent)
        finally:
            if not resumes:
                shutil.rmtree(staging, ignore_errors=True)
    return Installed(final, made)


def _completed(staging: Path, plan: Plan, fetch: Fetch) -> Description:
    """Bring all files into this folder, run the model once, and bring its description to the disk."""
    _check_room(staging, plan)
    prepare(staging)
    files = {path: _brought(fetch, staging / path, path, file) for path, file in plan.files.items()}
    made = _describe(staging, plan, files)
    (DenseModel if made.kind == "dense" else CrossEncoder).load(Installed(staging, made))
    _settle(staging, made)
    return made


def _brought(fetch: Fetch, target: Path, path: str, expected: Expected) -> ModelFile:
    """The hash and size of a file, fetched unless an earlier call brought it whole."""
    if target.exists() and expected.sha256:
        found = measured(target)
        if found.sha256 == expected.sha256:
            return found
    return fetch(path, target, expected)


def _describe(staging: Path, plan: Plan, files: Mapping[str, ModelFile]) -> Description:
    """The description of what has come, checked, without the files that only told how the model is used."""
    values = plan.values
    if values is None:
        model, tokenizer, _ = published.files_of(files, next(path for path in files if path.endswith(".onnx")))
        values = {**published.values_of(staging), "model": model, "tokenizer": tokenizer}
    kept = {path: {"sha256": f.sha256, "size": f.size} for path, f in files.items() if path not in published.ABOUT}
    return description.parsed({**values, "name": plan.name, "files": kept, "source": plan.source})


def _settle(staging: Path, made: Description) -> None:
    """Bring the described files and the description to the disk, closed to other users; all else is deleted."""
    try:
        (staging / FILE).write_text(description.written(made), encoding="utf-8")
        for path in sorted(staging.rglob("*"), reverse=True):  # what a folder holds before the folder
            if path.is_dir():
                if not any(path.iterdir()):
                    path.rmdir()
                    continue
                path.chmod(0o700)
                sync_directory(path)
            elif path.relative_to(staging).as_posix() in (*made.files, FILE):
                path.chmod(0o600)
                with path.open("rb+") as file:
                    os.fsync(file.fileno())
            else:
                path.unlink()  # of an earlier call, for another file of the same source
        sync_directory(staging)
    except OSError as problem:
        raise full(staging, problem) from problem


def _check_room(staging: Path, plan: Plan) -> None:
    """Raise StoreError where the disk has less room than is missing of the files."""
    there = sum(path.stat().st_size for path in staging.rglob("*") if path.is_file())
    free = shutil.disk_usage(staging.parent).free
    if plan.size - there > free:
        raise StoreError(
            f"{plan.name} needs {plan.size - there:,} bytes in {staging.parent}, and the disk has {free:,} left; make "
            "room, or give a directory on another disk with --data"
        )


@contextmanager
def _alone(data: Path) -> Iterator[None]:
    """Hold the lock of the models of a data directory, which is made. Conflict where another command holds it."""
    prepare(data)
    prepare(data / FOLDER)
    lock = FileLock(data / FOLDER / "indelible.lock")
    if not lock.try_acquire():
        raise Conflict(f"another command installs or removes a model in {data / FOLDER}; wait until it is through")
    try:
        yield
    finally:
        lock.release()


def _staging(data: Path, plan: Plan) -> Path:
    """The hidden folder in which what comes is kept: the same for the same name and source only."""
    return data / FOLDER / f".{plan.name}-{hashlib.sha256(plan.source.encode()).hexdigest()[:12]}"


def remove(data: Path, name: str) -> int:
    """Delete an installed model, or what an installation left of it; how many bytes that freed. NotFound for none."""
    with _alone(data):
        folder = installed.folder_of(data, name)
        leftover = sorted(folder.parent.glob(f".{name}-????????????"))
        if not folder.exists() and not leftover:
            raise NotFound(
                f"no model {name!r} is installed in {folder.parent}; `indelible model list` shows those that are"
            )
        gone = folder.with_name(f".{name}-removed")
        if folder.exists():
            folder.rename(gone)  # at once for all who look for it
            leftover.append(gone)
        freed = sum(path.stat().st_size for each in leftover for path in each.rglob("*") if path.is_file())
        for each in leftover:
            shutil.rmtree(each)
    return freed
