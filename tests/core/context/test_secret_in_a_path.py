"""A project whose own path holds a secret: it is neither stored nor taken for another project."""

from __future__ import annotations

from pathlib import Path
from random import Random

import pytest

import store_file
from apart import call
from command_line import settings
from indelible.admin import stored_secrets
from indelible.capture import hook_brief
from indelible.cli import paths
from indelible.core.context.context import Context, open_context
from indelible.errors import InvalidInput
from indelible.extraction import events
from indelible.project import locate
from indelible.sanitize.redact import redact
from indelible.sanitize.secret_spans import redact_text
from indelible.settings import Settings
from indelible.toolsets.code import index
from secret_formats import drawn

SECRETS = [drawn(Random(seed), "ghp_{a 36}") for seed in (1, 2)]


def opened(place: Path, secret: str, folder: str = "") -> Context:
    """The context of a server that was started in a project whose path holds the secret."""
    project = place / secret / "shop"
    (project / ".git").mkdir(parents=True, exist_ok=True)
    (project / ".git" / "HEAD").write_text("ref: refs/heads/main\n")
    (project / "src").mkdir(exist_ok=True)
    return open_context(Settings(data=place / "data", start=project / folder, home=place))


def test_it_is_not_stored_and_the_project_finds_its_own(tmp_path: Path):
    for number, secret in enumerate(SECRETS):
        ctx = opened(tmp_path, secret)
        call(ctx, "store_memory", content=f"Parcels of shop {number} leave at noon")
        ctx.close()
    for number, secret in enumerate(SECRETS):
        ctx = opened(tmp_path, secret, "src")  # a directory of the same repository
        (hit,) = call(ctx, "recall_memory", query="parcels leave at noon", namespace=str(tmp_path / secret / "shop"))
        assert hit["content"] == f"Parcels of shop {number} leave at noon"
        stored = call(ctx, "store_memory", content=f"Shop {number} is closed")
        exported = {each["id"]: each["namespace"] for each in call(ctx, "export_memories")}
        assert exported[stored["id"]] == exported[hit["id"]]
        found = hook_brief.brief(hook_brief.place_of(ctx.settings), locate(None, {}, ctx.settings.start, tmp_path))
        assert [n for n in range(len(SECRETS)) if f"Shop {n} is closed" in found.text] == [number]
        ctx.close()
    kept = store_file.kept(tmp_path / "data")
    assert [secret for secret in SECRETS if secret.encode() in kept] == []


def test_what_was_stored_under_the_path_is_found_after_it_was_redacted(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    from indelible.core.context import session

    with monkeypatch.context() as patch:  # as earlier versions did
        patch.setattr(session, "without_secrets", lambda location: location)
        ctx = opened(tmp_path, SECRETS[0])
        call(ctx, "store_memory", content="Parcels leave at noon")
        ctx.close()
    ctx = opened(tmp_path, SECRETS[0])
    stored_secrets.mend(ctx)
    (hit,) = call(ctx, "recall_memory", query="parcels leave at noon")
    assert hit["content"] == "Parcels leave at noon"
    call(ctx, "store_memory", content="Parcels are weighed")
    ctx.close()
    assert SECRETS[0].encode() not in store_file.kept(tmp_path / "data")


def test_code_in_such_a_place_is_not_indexed(tmp_path: Path):
    inside = tmp_path / "real" / SECRETS[0]
    inside.mkdir(parents=True)
    (inside / "a.py").write_text("A = 1\n")
    ctx = open_context(settings(tmp_path / "data"))
    try:
        with pytest.raises(InvalidInput, match=r"path holds what looks like a secret .*rename that directory"):
            index.index(ctx, inside)  # as the command does; the tool is given a path without its secret
    finally:
        ctx.close()
    assert SECRETS[0].encode() not in store_file.kept(tmp_path / "data")


def test_hooks_and_commands_name_it_as_the_server_does(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    ctx = opened(tmp_path, SECRETS[0])
    assert ctx.session.location is not None
    name = ctx.session.location.path
    ctx.close()
    project = tmp_path / SECRETS[0] / "shop"
    event = events.build("c", "s", "session_started", {}, time=1, cwd=str(project / "src"), project=str(project))
    assert (event["cwd"], event["project"]) == (f"{name}/src", name)
    monkeypatch.chdir(project)
    assert paths.namespace_of(".") == paths.namespace_of(str(project)) == name


def test_what_may_be_a_password_has_no_digest():
    path = "/login?user=keeper&password=kX9vQ2mPz7"
    assert redact(path, "content")[0] == redact_text(path)[0] != path


def test_marks_in_paths_tell_secrets_apart_and_stay():
    one, other = (f"/srv/{secret}/shop" for secret in SECRETS)
    named = [redact(path, "")[0] for path in (one, other, f"{one}/src")]
    assert len(set(named)) == 3
    assert str(named[2]) == f"{named[0]}/src"
    assert [redact(name, "") for name in named] == [(name, []) for name in named]
    assert redact(f"see {one}", "")[0] == redact(f"see {other}", "")[0]
