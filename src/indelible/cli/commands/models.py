"""Models of the user's choice: which there are, and installing and removing them."""

import argparse
from pathlib import Path
from typing import TYPE_CHECKING, Any

from indelible.cli import answers
from indelible.cli.opening import Adding, open_context_of, open_existing, refuse_read_only, settings_of
from indelible.cli.parsing import action, without_action
from indelible.cli.terminal import agrees, can_ask, counted, out, printable, table
from indelible.errors import Conflict, InvalidInput
from indelible.stderr import say, say_progress

if TYPE_CHECKING:
    from indelible.admin.hub import Progress
    from indelible.admin.models import Plan
    from indelible.embed.models.installed import Broken, Installed


def add(command: Adding) -> None:
    """Declare the command."""
    model = command("model", without_action, "list, install, use and remove models of your own choice")
    model.set_defaults(help_of=model)
    actions = model.add_subparsers(metavar="list|install|use|remove")
    action(actions, "list", _list, "list the models that are installed, and those that are known by name")
    install = action(
        actions,
        "install",
        _install,
        "install a model from a folder, or from the Hugging Face hub (the network is used)",
    )
    install.add_argument(
        "source", metavar="FOLDER|NAME|OWNER/REPO", help="a folder, a name of `indelible model list`, or a repository"
    )
    install.add_argument("--from-hub", action="store_true", help="download it from the hub, without asking")
    install.add_argument(
        "--revision", metavar="HASH", help="of the repository; default: the known one, else the newest"
    )
    install.add_argument("--file", metavar="PATH", help="the ONNX file; default: onnx/model.onnx or model.onnx")
    install.add_argument("--name", metavar="NAME", help="what it is called here; default: its own name")
    use = action(actions, "use", _use, "let a store search by an installed model, or by the built-in ones, from now on")
    chosen = use.add_mutually_exclusive_group(required=True)
    chosen.add_argument(
        "name",
        nargs="?",
        metavar="NAME",
        help="as `indelible model list` names it; `builtin` for the built-in ones. A cross-encoder orders the best "
        "hits of each recall anew, beside the dense model",
    )
    chosen.add_argument("--no-reranker", action="store_true", help="order hits by no cross-encoder any more")
    remove = action(actions, "remove", _remove, "delete an installed model, or what an interrupted installation left")
    remove.add_argument("name", metavar="NAME", help="as `indelible model list` names it")


def _list(arguments: argparse.Namespace) -> int:
    from indelible.embed.base import BUILT_IN
    from indelible.embed.models import catalogue, installed
    from indelible.embed.pinned import DATA

    found = installed.installed(settings_of(arguments).data)
    here = {each.folder.name for each in found}
    others = [known for known in catalogue.known().values() if known.name not in here]
    place, uses = _uses(arguments)
    if answers.are_wanted():
        known = [{"name": each.name, "state": "known", "repository": each.repository, **each.values} for each in others]
        shown = [*map(_as_json, found), *known]
        answers.give({"models": [{**each, "use": uses.get(each["name"])} for each in shown]})
    size = _megabytes(sum(path.stat().st_size for path in DATA.iterdir()))
    rows: list[tuple[str, ...]] = [
        (BUILT_IN, "dense, sparse", "built in", "384", size, "en", "Apache-2.0", "all-MiniLM-L6-v2, SPLADE-tiny")
    ]
    rows += [_row(each) for each in found]
    rows += [
        (
            *(each.name, each.values["kind"], "known", str(each.values.get("dimensions", "")), _megabytes(each.size)),
            *(_languages(each.values.get("languages", ())), each.values["licence"], each.note),
        )
        for each in others
    ]
    rows = [(name, kind, _state(state, uses.get(name)), *rest) for name, kind, state, *rest in rows]
    table(("name", "kind", "state", "dimensions", "size", "languages", "licence", "about"), rows)
    if place:
        say(f"of the store {printable(place)}: " + ", ".join(f"{use} {name}" for name, use in _said(uses)))
    return 0


def _state(state: str, use: str | None) -> str:
    return state if use is None else f"{state}, in use"


def _said(uses: dict[str, str]) -> list[tuple[str, str]]:
    words = {"searched": "searched by", "taking over": "changing to", "reranker": "hits ordered by"}
    return [(name, words[use]) for name, use in uses.items()]


def _install(arguments: argparse.Namespace) -> int:
    from indelible.admin import models

    data = settings_of(arguments).data
    folder = Path(arguments.source).expanduser()
    if folder.is_dir():
        if arguments.from_hub or arguments.revision:
            raise InvalidInput(f"{arguments.source} is a folder; --from-hub and --revision are for models of the hub")
        plan = models.plan_from_folder(folder, file=arguments.file, name=arguments.name)
        made = models.install_from_folder(folder, data, plan)
    else:
        from indelible.admin.hub import Hub
        from indelible.settings import hub_access

        hub = Hub(*hub_access())
        if not arguments.from_hub and not _confirmed(arguments.source, hub.endpoint):
            say("nothing was downloaded")
            return 1
        plan = models.plan_from_hub(
            hub, arguments.source, revision=arguments.revision, file=arguments.file, name=arguments.name
        )
        _tell(plan)
        made = models.install_from_hub(hub, data, plan, _progress())
    answers.give({"model": _as_json(made)})
    out(f"installed {made.description.name} in {made.folder}")
    _show(made, plan)
    return 0


def _use(arguments: argparse.Namespace) -> int:
    from indelible.admin import model_use
    from indelible.core.recall.reranking import MOST

    ctx = open_context_of(arguments)
    try:
        refuse_read_only(ctx.settings, "model use")
        if arguments.no_reranker:
            model_use.use_reranker(ctx, None)
            answers.give({"reranker": None})
            out("recall is ordered by no cross-encoder")
            return 0
        if model_use.is_reranker(ctx, arguments.name):
            model_use.use_reranker(ctx, arguments.name)
            answers.give({"reranker": arguments.name})
            out(f"the best {MOST} hits of each recall are ordered by {arguments.name} from now on")
            return 0
        used = model_use.use(ctx, arguments.name)
    finally:
        ctx.close()
    answers.give({"model": arguments.name, "searched_by": used.searched, "to_embed": used.left})
    if used.left:
        out(
            f"{counted(used.left, 'record')} will be embedded by {arguments.name}; recall goes on with {used.searched} "
            "until all are. Running servers do it in the background; `indelible reembed --wait` does it now"
        )
    else:
        out(f"recall searches by {used.searched}")
    return 0


def _remove(arguments: argparse.Namespace) -> int:
    from indelible.admin import models

    _, used = _uses(arguments)
    if arguments.name in used:
        how = "--no-reranker" if used[arguments.name] == "reranker" else "builtin"
        raise Conflict(
            f"this store uses {arguments.name}: choose another before it is removed, or none with "
            f"`indelible model use {how}`"
        )
    freed = models.remove(settings_of(arguments).data, arguments.name)
    answers.give({"name": arguments.name, "freed_bytes": freed})
    out(f"removed {arguments.name}: {_megabytes(freed)} are free")
    return 0


def _uses(arguments: argparse.Namespace) -> tuple[str, dict[str, str]]:
    """Return the place of the store, "" where there is none yet, and what it uses each model for."""
    from indelible.admin import model_use
    from indelible.store.sqlite.connection import FILE

    settings = settings_of(arguments)
    if not settings.database and not (settings.data / FILE).exists():
        return "", {}
    ctx = open_existing(arguments)
    try:
        return ctx.settings.place, model_use.uses(ctx)
    finally:
        ctx.close()


def _confirmed(source: str, endpoint: str) -> bool:
    """Return whether the person at the terminal wants the network used. Raises InvalidInput where there is none."""
    if not can_ask():
        raise InvalidInput(
            f"{source[:80]!r} is no folder; to download it from {endpoint} add --from-hub. Without it nothing is "
            "downloaded"
        )
    return agrees(f"Download {printable(source)} from {endpoint}?")


def _tell(plan: "Plan") -> None:
    """Say what is going to be downloaded, before it is."""
    licence = f", licence {plan.values['licence']}" if plan.values and plan.values.get("licence") else ""
    say(f"{plan.name}: {counted(len(plan.files), 'file')}, {_megabytes(plan.size)}, of {plan.source}{licence}")
    if not plan.is_pinned:
        say("its files' hashes are not known beforehand: they are taken down as they come, and checked from then on")


def _show(made: "Installed", plan: "Plan") -> None:
    """Say how the model is used and what was taken down about its files."""
    described = made.description
    used = [f"{described.kind}, windows of {described.max_tokens} tokens"]
    if described.kind == "dense":
        used.append(f"{described.width} values, pooling {described.pooling}")
        used += [f"{name} {text!r}" for name, text in _prefixes(made) if text]
    say(f"it is used so: {'; '.join(used)}")
    checked = "as known beforehand" if plan.is_pinned else "taken down now"
    table(("file", "bytes", f"SHA-256, {checked}"), [(p, f"{f.size:,}", f.sha256) for p, f in described.files.items()])


def _prefixes(made: "Installed") -> tuple[tuple[str, str], ...]:
    described = made.description
    return (("before a question", described.query_prefix), ("before a text", described.passage_prefix))


def _progress() -> "Progress":
    """Tells of each tenth of a file that has come, on a line of its own."""
    told: dict[str, int] = {}

    def tell(path: str, done: int, whole: int | None) -> None:
        tenth = done * 10 // whole if whole else 0
        if tenth > told.get(path, 0):
            told[path] = tenth
            say_progress(f"{path}: {tenth * 10} % of {_megabytes(whole or 0)}")

    return tell


def _row(found: "Installed | Broken") -> tuple[str, ...]:
    from indelible.embed.models.installed import Broken

    if isinstance(found, Broken):
        return (found.folder.name, "", "damaged", "", "", "", "", found.reason)
    described = found.description
    size = _megabytes(sum(file.size for file in described.files.values()))
    width = str(described.width) if described.width else ""
    return (
        *(described.name, described.kind, "installed", width, size, _languages(described.languages)),
        *(described.licence, described.source),
    )


def _as_json(found: "Installed | Broken") -> dict[str, Any]:
    from dataclasses import asdict

    from indelible.embed.models.installed import Broken

    if isinstance(found, Broken):
        return {"name": found.folder.name, "state": "damaged", "folder": str(found.folder), "reason": found.reason}
    return {**asdict(found.description), "state": "installed", "folder": str(found.folder)}


def _languages(codes: "tuple[str, ...] | list[str]") -> str:
    if not codes:
        return "not stated"
    return " ".join(codes) if len(codes) <= 3 else f"{len(codes)}"


def _megabytes(size: int) -> str:
    return f"{size / 1e6:,.1f} MB" if size else ""
