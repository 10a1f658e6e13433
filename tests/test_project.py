import os
import subprocess
from pathlib import Path

import pytest

from indelible.errors import InvalidInput
from indelible.project import DIRECTORY, REPOSITORY, Location, locate, normalise_origin

LOGIN = ":".join(("ann", "word"))  # joined here, so that no scanner takes it for a password
ORIGIN = "git@github.com:Acme/Widgets.git"
KNOWN = "github.com/acme/widgets"


def git(directory: Path, *arguments: str) -> None:
    directory.mkdir(parents=True, exist_ok=True)
    name = ("-c", "user.name=ann", "-c", "user.email=ann@example.org", "-c", "protocol.file.allow=always")
    alone = {"GIT_CONFIG_GLOBAL": os.devnull, "GIT_CONFIG_NOSYSTEM": "1", "PATH": os.environ["PATH"]}
    subprocess.run(["git", *name, *arguments], cwd=directory, env=alone, check=True, capture_output=True)


def repository(directory: Path, origin: str | None = ORIGIN) -> Path:
    git(directory, "init", "-q", "-b", "main")
    git(directory, "commit", "-q", "--allow-empty", "-m", "first")
    if origin:
        git(directory, "remote", "add", "origin", origin)
    return directory


@pytest.fixture
def home(tmp_path: Path) -> Path:
    directory = Path(os.path.realpath(tmp_path)) / "home"
    directory.mkdir()
    return directory


def found(start: Path, home: Path, explicit: str | None = None, **environ: str) -> Location | None:
    return locate(explicit, environ, start, home)


def below(directory: Path) -> Path:
    (directory / "src" / "deep").mkdir(parents=True, exist_ok=True)
    return directory / "src" / "deep"


# --- The start directory ---


@pytest.mark.process
def test_a_server_started_anywhere_in_a_repository_belongs_to_its_top_level(home):
    code = repository(home / "code")
    assert found(code, home) == Location(str(code), KNOWN, kind=REPOSITORY)
    assert found(below(code), home) == Location(str(code), KNOWN, kind=REPOSITORY)
    assert found(code / ".git" / "hooks", home) == Location(str(code), KNOWN, kind=REPOSITORY)


@pytest.mark.process
def test_a_repository_without_an_origin_is_known_by_its_path(home):
    code = repository(home / "code", origin=None)
    assert found(below(code), home) == Location(str(code), None, kind=REPOSITORY)


def test_a_directory_without_a_repository_is_a_project_itself(home):
    assert found(below(home / "notes"), home) == Location(str(home / "notes" / "src" / "deep"), None, kind=DIRECTORY)


@pytest.mark.process
def test_a_link_into_a_repository_leads_to_its_real_path(home):
    code = repository(home / "code")
    (home / "link").symlink_to(below(code))
    assert found(home / "link", home) == Location(str(code), KNOWN, kind=REPOSITORY)


def test_the_home_directory_and_the_root_are_no_project(home):
    (home.parent / "link").symlink_to(home)
    for start in (home, home.parent / "link", Path("/")):
        assert found(start, home) is None
        assert found(home / "x", home, explicit=str(start)) is None
        assert found(home / "x", home, CLAUDE_PROJECT_DIR=str(start)) is None


@pytest.mark.process
def test_a_repository_in_the_home_directory_does_not_swallow_what_lies_below(home):
    repository(home)
    assert found(below(home / "notes"), home) == Location(str(home / "notes" / "src" / "deep"), None, kind=DIRECTORY)
    code = repository(home / "code")
    assert found(below(code), home) == Location(str(code), KNOWN, kind=REPOSITORY)


@pytest.mark.process
def test_a_worktree_of_a_repository_in_the_home_directory_is_its_own_project(home):
    git(repository(home), "worktree", "add", "-q", str(home / "dots"))
    assert found(below(home / "dots"), home) == Location(str(home / "dots"), KNOWN, kind=REPOSITORY)


# --- Worktrees and submodules ---


@pytest.mark.process
def test_a_worktree_belongs_to_the_main_worktree(home, monkeypatch):
    code = repository(home / "code")
    git(code, "worktree", "add", "-q", str(home / "elsewhere" / "feature"))
    git(code, "worktree", "add", "-q", str(code / ".worktrees" / "inner"))
    monkeypatch.setenv("PATH", "")  # git is not needed to tell
    for worktree in (home / "elsewhere" / "feature", code / ".worktrees" / "inner"):
        assert found(below(worktree), home) == Location(str(code), KNOWN, kind=REPOSITORY)


@pytest.mark.process
def test_the_worktrees_of_a_bare_repository_are_one_project(home):
    repository(home / "seed")
    project = home / "project"
    git(home, "clone", "-q", "--bare", str(home / "seed"), str(project / ".bare"))
    (project / ".git").write_text("gitdir: ./.bare\n")
    git(project, "worktree", "add", "-q", "one", "main")
    git(project, "worktree", "add", "-q", "two")
    places = {found(start, home) for start in (project, below(project / "one"), project / "two")}
    assert places == {Location(str(project), None, kind=REPOSITORY)}


@pytest.mark.process
def test_the_worktrees_of_a_bare_repository_without_a_folder_of_its_own_belong_to_it(home):
    repository(home / "seed")
    git(home, "clone", "-q", "--bare", str(home / "seed"), str(home / "widgets.git"))
    git(home / "widgets.git", "worktree", "add", "-q", str(home / "one"), "main")
    assert found(home / "one", home) == Location(str(home / "widgets.git"), None, kind=REPOSITORY)


@pytest.mark.process
def test_a_submodule_is_a_project_of_its_own_and_its_worktrees_belong_to_it(home):
    repository(home / "library", origin=None)
    code = repository(home / "code")
    git(code, "submodule", "add", "-q", str(home / "library"), "vendor/library")
    submodule = code / "vendor" / "library"
    assert found(below(submodule), home) == Location(str(submodule), None, kind=REPOSITORY)
    git(submodule, "remote", "set-url", "origin", "https://example.org/library.git")
    git(submodule, "worktree", "add", "-q", str(home / "feature"))
    expected = Location(str(submodule), "example.org/library", kind=REPOSITORY)
    assert (found(submodule, home), found(home / "feature", home)) == (expected, expected)


@pytest.mark.process
def test_a_repository_whose_git_directory_lies_elsewhere_is_known_by_its_worktree(home):
    git(home / "code", "init", "-q", f"--separate-git-dir={home / 'storage.git'}")
    git(home / "code", "remote", "add", "origin", ORIGIN)
    assert found(below(home / "code"), home) == Location(str(home / "code"), KNOWN, kind=REPOSITORY)


def test_a_worktree_whose_repository_is_gone_is_known_by_its_own_path(home):
    worktree = home / "feature"
    below(worktree)
    (worktree / ".git").write_text("gitdir: /nowhere/code/.git/worktrees/feature\n")
    assert found(below(worktree), home) == Location(str(worktree), None, kind=REPOSITORY)


@pytest.mark.process
@pytest.mark.parametrize("content", [None, "", "no pointer", "\xff\x00"])
def test_what_only_looks_like_a_repository_is_passed_over(home, content):
    code = repository(home / "code")
    marker = below(code) / ".git"
    marker.mkdir() if content is None else marker.write_text(content)
    assert found(below(code), home) == Location(str(code), KNOWN, kind=REPOSITORY)


# --- What was given ---


@pytest.mark.process
def test_a_project_given_as_a_path_is_the_repository_around_it(home):
    code = repository(home / "code")
    git(code, "worktree", "add", "-q", str(home / "feature"))
    (below(code) / "file.py").touch()
    for explicit in (str(code), "~/code/src", "./code", "../home/code", "~/feature", str(below(code) / "file.py")):
        assert found(home, home, explicit=explicit) == Location(str(code), KNOWN, kind=REPOSITORY)


@pytest.mark.process
@pytest.mark.parametrize(
    "name", ["team-alpha", "code", "acme/widgets", "日本", "/not/there", "./not-there", "~ann/code"]
)
def test_a_project_given_as_anything_else_is_a_name(home, name):
    repository(home / "code")
    assert found(home, home, explicit=name) == Location(name, None)


@pytest.mark.parametrize("blank", ["", "  "])
def test_a_blank_project_is_refused(home, blank):
    with pytest.raises(InvalidInput, match="--project"):
        found(home, home, explicit=blank)


@pytest.mark.process
def test_the_project_given_goes_before_the_environment_and_that_before_the_start(home):
    one, two, three = (repository(home / name, origin=None) for name in ("one", "two", "three"))
    assert found(three, home, explicit=str(one), CLAUDE_PROJECT_DIR=str(two)) == Location(
        str(one), None, kind=REPOSITORY
    )
    assert found(three, home, CLAUDE_PROJECT_DIR=str(two)) == Location(str(two), None, kind=REPOSITORY)
    assert found(three, home, CLAUDE_PROJECT_DIR="") == Location(str(three), None, kind=REPOSITORY)


@pytest.mark.process
def test_the_environments_directory_stands_for_its_main_worktree(home):
    code = repository(home / "code")
    git(code, "worktree", "add", "-q", str(home / "feature"))
    assert found(home, home, CLAUDE_PROJECT_DIR=str(below(home / "feature"))) == Location(
        str(code), KNOWN, kind=REPOSITORY
    )


# --- The origin ---


@pytest.mark.parametrize(
    ("url", "expected"),
    [
        ("git@github.com:Owner/Repo.git", "github.com/owner/repo"),
        (f"https://{LOGIN}@github.com/Owner/Repo.git/", "github.com/owner/repo"),
        ("https://GitHub.com/Owner/Repo", "github.com/owner/repo"),
        ("ssh://git@ssh.github.com:443/owner/repo.git", "github.com/owner/repo"),
        ("git://github.com/owner//repo", "github.com/owner/repo"),
        ("ssh://git@git.example.org:22/Owner/Repo", "git.example.org/Owner/Repo"),
        ("git@git.example.org:/Owner/Repo", "git.example.org/Owner/Repo"),
        (f"{LOGIN}@git.example.org:team/repo.git", "git.example.org/team/repo"),
        ("https://git.example.org/scm/repo.git?token=abc#x", "git.example.org/scm/repo"),
        (f"https://corp@{LOGIN}@git.example.org/repo", "git.example.org/repo"),
        ("work:Owner/Repo.git", "work/Owner/Repo"),
        ("ssh://[::1]:2222/repo.git", "[::1]/repo"),
        ("  git@gitlab.com:Group/Sub/Repo.git\n", "gitlab.com/group/sub/repo"),
        ("/srv/git/repo.git", None),
        ("../repo.git", None),
        ("file:///srv/git/repo.git", None),
        ("C:\\code\\repo", None),
        ("c:/code/repo", None),
        ("\\\\server\\share\\repo", None),
        ("ext::ssh -p 22 host %S", None),
        ("codecommit::eu-west-1://repo", None),
        (f"https://{LOGIN}/odd@git.example.org/repo", None),
        ("https://github.com/", None),
        ("https://github.com/.git", None),
        ("", None),
    ],
)
def test_every_url_of_a_repository_is_one_origin_without_credentials(url, expected):
    assert normalise_origin(url) == expected


@pytest.mark.process
@pytest.mark.parametrize(
    ("config", "expected"),
    [
        ('[remote "origin"]\n\turl = git@github.com:Acme/Widgets.git\n', KNOWN),
        ('\ufeff[core]\r\n\tbare = false\r\n[remote "origin"]\r\n\turl = git@github.com:Acme/Widgets.git\r\n', KNOWN),
        ('[remote "origin"] url = "https://github.com/acme/widgets" ; home\n', KNOWN),
        ('[REMOTE "origin"]\nURL=https://github.com/acme/\\\nwidgets # joined\n', KNOWN),
        ('[remote "origin"]\nfetch\nurl = https://github.com/acme/widgets\nurl = https://example.org/mirror', KNOWN),
        ('[remote "origin"]\nurl = https://github.com/acme/widgets\\\n\n[core]', KNOWN),
        ('[remote "upstream"]\nurl = https://github.com/acme/widgets\n', None),
        ('[remote "Origin"]\nurl = https://github.com/acme/widgets\n', None),
        ('[remote "origin"]\npushurl = https://github.com/acme/widgets\n', None),
        ('# [remote "origin"]\n# url = https://github.com/acme/widgets\n', None),
        ('[remote "origin"]\nurl = /srv/git/widgets\n', None),
        ('[remote "origin"]\nurl = "https://github.com/acme/widgets\n', None),
        ('[remote "origin"]\nurl = https://github.com/acme\\widgets\n', None),
        ('<<<<<<< ours\n[remote "origin"]\nurl = https://github.com/acme/widgets\n', None),
        ("", None),
    ],
)
def test_the_origin_is_read_from_the_repositorys_configuration(home, config, expected):
    code = repository(home / "code", origin=None)
    (code / ".git" / "config").write_text(config, encoding="utf-8", newline="")
    assert found(code, home) == Location(str(code), expected, kind=REPOSITORY)


@pytest.mark.process
@pytest.mark.parametrize("content", [None, b'[remote "origin"]\nurl = https://example.org/\xff\n'])
def test_a_configuration_that_cannot_be_read_gives_no_origin(home, content):
    code = repository(home / "code")
    (code / ".git" / "config").unlink()
    (code / ".git" / "config").mkdir() if content is None else (code / ".git" / "config").write_bytes(content)
    assert found(code, home) == Location(str(code), None, kind=REPOSITORY)


@pytest.mark.process
def test_files_that_are_too_large_to_be_gits_are_not_read(home):
    config = repository(home / "code") / ".git" / "config"
    with config.open("ab") as file:
        file.write(b"# " + b"x" * (1 << 20))
    assert found(home / "code", home) == Location(str(home / "code"), None, kind=REPOSITORY)
    pointer = home / "linked" / ".git"
    pointer.parent.mkdir()
    pointer.write_bytes(b"gitdir: ../code/.git" + b" " * (1 << 20))
    assert found(below(home / "linked"), home) == Location(str(below(home / "linked")), None, kind=DIRECTORY)
