"""Containers by podman: the image of packaging/docker, and the services of its compose.yaml.

CI does not reach the registry of the official images: a Debian made by debootstrap stands for python:slim, and one with
Debian's PostgreSQL for postgres. Podman of Debian 12 knows no conditions of `depends_on`, so what compose.yaml says is
read here, field by field; a field that is not known fails.
"""

import json
import re
import shlex
import shutil
import subprocess
import tempfile
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import yaml

ROOT = Path(__file__).parents[2]
DOCKER = ROOT / "packaging" / "docker"
PATIENCE = 900  # seconds
WAITS = 100  # times that a service is asked whether it is healthy
# Where pip of this machine looks, which a build needs as well; nothing of it stays in the image.
PIP = ("/etc/pip.conf", "/etc/xdg/pip", "/etc/ssl/certs")
UNUSED = (
    "var/cache/apt",
    "var/lib/apt/lists",
    "usr/share/doc",
    "usr/share/locale",
    "usr/share/man",
)  # not in slim ones
POSTGRES = """\
FROM indelible-base
RUN apt-get update -qq && apt-get install -qq --yes --no-install-recommends postgresql
ENV PATH=/usr/lib/postgresql/15/bin:$PATH PGDATA=/var/lib/postgresql/data
COPY --chmod=755 entrypoint /entrypoint
ENTRYPOINT ["/entrypoint"]
"""
ENTRYPOINT = """\
#!/bin/sh
# What compose.yaml uses of the official image: a superuser postgres with this password, over TCP.
set -eu
install -d -o postgres -m 700 "$PGDATA"
printf '%s' "$POSTGRES_PASSWORD" >/tmp/password
chown postgres /tmp/password
su postgres -c "PATH=$PATH initdb --pgdata=$PGDATA --auth=scram-sha-256 --pwfile=/tmp/password --encoding=UTF8"
echo "host all all all scram-sha-256" >>"$PGDATA/pg_hba.conf"
exec su postgres -c "exec /usr/lib/postgresql/15/bin/postgres -D $PGDATA -c listen_addresses='*'"
"""


class Podman:
    """A podman with images and containers of its own."""

    def __init__(self, directory: Path):
        self._settings = directory / "containers.conf"
        runtime = "runc" if shutil.which("runc") else "crun"  # crun refuses control groups of both versions at once
        limits = 'default_ulimits = ["nofile=4096:4096", "nproc=4096:4096"]'  # a sandbox may not raise them
        self._settings.write_text(
            f'[containers]\n{limits}\n[engine]\ncgroup_manager = "cgroupfs"\nruntime = "{runtime}"\n'
        )
        # not below `directory`: podman takes 50 characters at most
        self._run = tempfile.TemporaryDirectory(prefix="podman-", dir="/tmp", ignore_cleanup_errors=True)
        stored = ("--root", str(directory / "images"), "--runroot", self._run.name)
        self._words = ("podman", "--storage-driver", "overlay", *stored)

    def try_to(self, *words: str, given: str | None = None) -> subprocess.CompletedProcess[str]:
        """Run a command of podman."""
        environ = {"CONTAINERS_CONF": str(self._settings), "PATH": "/usr/sbin:/usr/bin:/sbin:/bin"}
        return subprocess.run(
            (*self._words, *words),
            input=given,
            env=environ,
            capture_output=True,
            text=True,
            check=False,
            timeout=PATIENCE,
        )

    def __call__(self, *words: str, given: str | None = None) -> str:
        """Return what a command wrote, which must succeed."""
        ran = self.try_to(*words, given=given)
        assert ran.returncode == 0, f"{' '.join(words)}\n{ran.stdout}\n{ran.stderr}"
        return ran.stdout.strip()

    def close(self) -> None:
        """Remove every container and image."""
        self("rm", "--all", "--force", "--time=5")
        self("rmi", "--all", "--force")
        self._run.cleanup()

    def build(self, tag: str, file: Path, context: Path, seen: Iterable[str] = PIP, **arguments: str) -> None:
        """Build an image; the build sees these places of this machine as they are here."""
        mounts = [f"--volume={place}:{place}:ro" for place in seen if Path(place).exists()]
        given = [f"--build-arg={name}={value}" for name, value in arguments.items()]
        options = ("--quiet", "--format=docker", "--layers=false", "--isolation=chroot", "--network=host")
        self("build", *options, *mounts, *given, f"--file={file}", f"--tag={tag}", str(context))

    def make_base(self, directory: Path) -> None:
        """Make `indelible-base`: Debian with Python, as small as the official slim image."""
        ran = subprocess.run(
            (
                "debootstrap",
                "--variant=minbase",
                "--include=python3,python3-venv,ca-certificates",
                "bookworm",
                directory,
            ),
            capture_output=True,
            text=True,
            check=False,
            timeout=PATIENCE,
        )
        assert ran.returncode == 0, ran.stdout
        for unused in UNUSED:
            shutil.rmtree(directory / unused)
            (directory / unused).mkdir()
        archive = directory.with_suffix(".tar")
        subprocess.run(("tar", "-C", directory, "-cf", archive, "."), check=True)
        shutil.rmtree(directory)
        self("import", str(archive), "indelible-base")
        archive.unlink()

    def make_postgres(self, directory: Path) -> None:
        """Make `indelible-postgres`, which stands for the official image of PostgreSQL."""
        directory.mkdir()
        (directory / "Dockerfile").write_text(POSTGRES)
        (directory / "entrypoint").write_text(ENTRYPOINT)
        # Nothing is mounted: a package that it needs writes into /etc/ssl/certs.
        self.build("indelible-postgres", directory / "Dockerfile", directory, seen=())

    def size(self, image: str) -> int:
        """Return the bytes of an image."""
        return int(self("image", "inspect", "--format={{.Size}}", image))

    def address(self, container: str) -> str:
        """Return the address of a container that runs, "" else: there is no name server in a sandbox's network."""
        ran = self.try_to("inspect", "--format={{range .NetworkSettings.Networks}}{{.IPAddress}}{{end}}", container)
        return "" if ran.returncode else ran.stdout.strip()

    def becomes_healthy(self, container: str) -> None:
        """Wait until the check of a container succeeds."""
        for _ in range(WAITS):
            if self.try_to("healthcheck", "run", container).returncode == 0:
                return
        raise AssertionError(self.logs(container))

    def logs(self, container: str) -> str:
        """Return what a container wrote, on both streams."""
        ran = self.try_to("logs", container)
        return ran.stdout + ran.stderr


def filled(text: str, variables: Mapping[str, str]) -> str:
    """Return compose.yaml with its variables."""

    def value(found: re.Match[str]) -> str:
        if found[0] == "$$":
            return "$"
        return variables.get(found[1]) or (found[3] if found[2] == ":-" else variables[found[1]])

    return re.sub(r"\$\$|\$\{([A-Z_]+)(:-|:\?)([^}]*)\}", value, text)


@contextmanager
def composed(podman: Podman, variables: Mapping[str, str]) -> Iterator[dict[str, Any]]:
    """The network of compose.yaml, with no container yet; its services."""
    described = yaml.safe_load(filled((DOCKER / "compose.yaml").read_text(encoding="utf-8"), variables))
    podman("network", "create", "composed")
    try:
        yield described["services"]
    finally:
        for name in described["services"]:
            podman.try_to("rm", "--force", "--time=5", name)
        podman("network", "rm", "composed")
        podman("volume", "prune", "--force")


def start(podman: Podman, services: dict[str, Any], name: str, *instead: str) -> str:
    """Start a service and what it depends on, as its conditions say; `instead`: run it once, with these words."""
    service = dict(services[name])
    for other, how in service.pop("depends_on", {}).items():
        if podman.try_to("container", "exists", other).returncode:
            start(podman, services, other)
        if how["condition"] == "service_healthy":
            podman.becomes_healthy(other)
        else:
            assert how["condition"] == "service_completed_successfully"
            assert podman("wait", other) == "0", podman.logs(other)
    image, command = service.pop("image"), [*instead] or service.pop("command", [])
    service.pop("command", None)
    if instead:
        service.pop("ports")  # a server may have them
    words = [word for each in service.items() for word in OPTIONS[each[0]](each[1])]
    words += ["--rm"] if instead else ["--detach", f"--name={name}"]
    words += [f"--add-host={other}:{podman.address(other)}" for other in services if podman.address(other)]
    return podman("run", "--network=composed", *words, image, *command)


OPTIONS: Mapping[str, Any] = {
    "restart": lambda _: [],
    "environment": lambda given: [f"--env={name}={value}" for name, value in given.items()],
    "volumes": lambda given: [f"--volume={volume}" for volume in given],
    "ports": lambda given: [f"--publish={port}" for port in given],
    "healthcheck": lambda given: [f"--health-cmd={shlex.join(given['test'][1:])}"],
    "entrypoint": lambda given: [f"--entrypoint={json.dumps(given)}"],
    "read_only": lambda given: ["--read-only"] if given else [],
    "tmpfs": lambda given: [f"--tmpfs={place}" for place in given],
    "cap_drop": lambda given: [f"--cap-drop={capability}" for capability in given],
    "security_opt": lambda given: [f"--security-opt={option.removesuffix(':true')}" for option in given],
}
