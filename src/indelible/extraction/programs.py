"""Programs by the meaning of a run of them: it only looks, it changes what later commands run on, or it tests."""

from indelible.extraction import shell


def _names(table: str) -> frozenset[str]:
    """The names in a table: programs, and programs with their sub-commands, with commas between."""
    return frozenset(" ".join(name.split()) for name in table.split(","))


# They look, or move files about: a failure of theirs is not worth keeping.
_LOOKING = _names(
    """., ack, ag, alias, awk, base64, basename, bg, cat, cd, chmod, chown, clear, cmp, code, column,
    cp, cut, date, df, diff, dig, dirname, du, echo, egrep, env, exit, export, false,
    fd, fg, fgrep, file, find, gh, grep, head, history, hostname, htop, jobs, jq, kill, killall,
    less, ln, ls, lsof, man, md5sum, mkdir, more, mv, nano, netstat, nl, node, nslookup, od, open, perl,
    pgrep, ping, pkill, printenv, printf, ps, pwd, python, read, readlink, realpath, return, rev,
    rg, rm, rmdir, ruby, sed, seq, set, sha256sum, sleep, sort, source, ss, stat,
    strings, tac, tail, tee, test, top, touch, tr, tree, true, type, ulimit, uname, uniq, unset, vi, vim,
    wait, watch, wc, whereis, which, whoami, xargs, xdg-open, xxd, yq,
    git status, git log, git diff, git show, git branch, git stash, git checkout, git switch, git rev-parse,
    git ls-files, git blame, git grep, git fetch, git pull, git remote, git config, git add, git restore,
    git reset, git worktree, git describe, git cat-file, git rev-list, git merge-base, git tag, git clone,
    git show-ref, git check-ignore, npm view, npm ls, npm list, npm outdated, npm info, npm search, pip show,
    pip list, pip freeze, pip index, pip search, cargo search, cargo tree, go list, go env, go doc, docker ps,
    docker logs, docker images, docker inspect, docker compose ps, docker compose logs, kubectl get,
    kubectl describe, kubectl logs, brew list, brew info, brew search, apt search, apt list, gem list,
    systemctl status, yarn list, yarn why, pnpm why, pnpm list, uv tree, poetry show, helm list"""
)

# They change what later commands run on, as an edit does.
_CHANGING = _names(
    """pip install, pip uninstall, uv add, uv sync, uv lock, uv pip, uv remove, poetry add, poetry install,
    poetry lock, poetry update, pdm add, npm install, npm ci, npm update, npm uninstall, npm dedupe, pnpm install,
    pnpm add, pnpm remove, pnpm update, yarn add, yarn install, yarn remove, yarn upgrade, bun install, bun add,
    cargo add, cargo update, cargo fmt, cargo fix, go get, go mod, bundle install, bundle update, gem install,
    composer install, composer require, composer update, apt install, apt-get install, brew install, conda install,
    ruff format, alembic upgrade, manage.py migrate, prisma generate, prisma migrate, rails db:migrate, git apply,
    git revert, git cherry-pick, docker compose up, docker start, systemctl start, systemctl restart, brew services,
    service, createdb, createuser, pg_ctl, pg_ctlcluster, rustup, nvm, playwright install, mix deps.get, pod install,
    black, isort, prettier, gofmt, goimports, rustfmt, patch, autopep8, clang-format"""
)
_MENDING = (" --fix", " -w ", " --write", " -i ", " -pi", " --in-place", " --unsafe-fixes")  # flags that make one do so

_TESTING = _names(
    """pytest, py.test, jest, vitest, mocha, ava, rspec, phpunit, ctest, tox, nox, bats, playwright test, cypress,
    unittest, npm test, pnpm test, yarn test, bun test, cargo test, cargo nextest, go test, make test, make check,
    just test, mix test, rails test, rake test, dotnet test, gradle test, gradlew test, mvn test, mvnw test,
    swift test, flutter test, dart test, deno test, nx test, manage.py test, karma, pest"""
)


def is_looking(command: shell.Command) -> bool:
    """Whether a command only looks about or moves files."""
    return command.program in _LOOKING or command.name in _LOOKING


def is_changing(command: shell.Command) -> bool:
    """Whether a command changes files or installed packages, as an edit does."""
    return (
        command.name in _CHANGING
        or command.program in _CHANGING
        or any(flag in f"{command.text} " for flag in _MENDING)
    )


def is_test(command: shell.Command) -> bool:
    """Whether a command runs tests."""
    return command.name in _TESTING
