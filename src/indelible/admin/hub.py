"""The Hugging Face hub, or a mirror of it, over HTTP: commits, lists of files, and downloads that can be resumed.

The only module that opens a connection which nobody else configured; `indelible model install` calls it after a yes.
Proxies are those of the environment, certificates those of the system.
"""

import hashlib
import http.client
import json
from collections.abc import Callable, Mapping
from dataclasses import field
from http.client import HTTPMessage
from pathlib import Path
from typing import IO, Any
from urllib.error import HTTPError, URLError
from urllib.parse import quote, urlsplit
from urllib.request import HTTPRedirectHandler, OpenerDirector, Request, build_opener

from indelible.dataclass import dataclass
from indelible.embed.models.description import ModelFile
from indelible.errors import IndelibleError, NotFound, StoreError, Unauthorized, Unavailable
from indelible.version import __version__

Progress = Callable[[str, int, int | None], None]  # path, bytes that are there, all

_TIMEOUT = 30.0  # seconds without a byte
_LARGEST_ANSWER = 16 << 20  # bytes of an answer about files
_CHUNK = 1 << 20


@dataclass(frozen=True, slots=True)
class Expected:
    """A file that is to come: its size and hash where they are known, else None."""

    size: int | None = None
    sha256: str | None = None


@dataclass(frozen=True, slots=True)
class Hub:
    """A hub at an address; `token` is for gated models and goes to that address only."""

    endpoint: str
    token: str | None = field(default=None, repr=False)

    def commit(self, repository: str, revision: str | None) -> str:
        """Return the commit that a branch, tag or commit (None: the default branch) is now."""
        about = self._json(f"api/models/{quote(repository)}/revision/{quote(revision or 'main', safe='')}")
        commit = about.get("sha") if isinstance(about, dict) else None
        if not isinstance(commit, str) or len(commit) != 40:
            raise Unavailable(f"{self.endpoint} does not answer as a hub: it names no commit of {repository}")
        return commit

    def files(self, repository: str, commit: str) -> dict[str, Expected]:
        """Return the files of a commit by path; it knows the hashes of the large ones."""
        listed = self._json(f"api/models/{quote(repository)}/tree/{commit}?recursive=true")
        try:
            return {
                each["path"]: Expected(int(each["size"]), (each.get("lfs") or {}).get("oid"))
                for each in listed
                if each["type"] == "file"
            }
        except (KeyError, TypeError, ValueError, AttributeError) as problem:
            raise Unavailable(f"{self.endpoint} does not answer as a hub: no list of the files of {repository}") from (
                problem
            )

    def download(
        self, repository: str, commit: str, path: str, target: Path, expected: Expected, progress: Progress
    ) -> ModelFile:
        """Bring a file to `target` and return its hash and size; what `target`.part has is kept and gone on with.

        StoreError for other content than is expected, of which nothing is kept, and where the disk is full. All other
        failures keep what has come.
        """
        target.parent.mkdir(parents=True, exist_ok=True)
        part = target.with_name(target.name + ".part")
        url = f"{self.endpoint}/{quote(repository)}/resolve/{commit}/{quote(path)}"
        while not self._brought(url, path, part, expected.size, progress):
            continue
        found = measured(part)
        if found.sha256 != (expected.sha256 or found.sha256) or found.size != (expected.size or found.size):
            part.unlink()
            raise StoreError(
                f"{url} has the SHA-256 {found.sha256} and {found.size:,} bytes; expected is "
                f"{expected.sha256 or 'any'} and {expected.size or 0:,} bytes: thrown away, nothing is installed"
            )
        part.rename(target)
        return found

    def _brought(self, url: str, path: str, part: Path, size: int | None, progress: Progress) -> bool:
        """Whether the file is complete after one more request; Unavailable where that brought nothing."""
        there = part.stat().st_size if part.exists() else 0
        if size is not None and there >= size:
            return True
        try:
            with self._open(url, {"Range": f"bytes={there}-"} if there else {}) as answer:
                if not str(answer.headers.get("Content-Range", "")).startswith(f"bytes {there}-"):
                    there = 0  # it gives the file from its beginning
                left = answer.headers.get("Content-Length")
                whole = size if left is None else there + int(left)
                came, is_whole = _written(answer, part, there, lambda done: progress(path, done, whole))
        except HTTPError as refused:
            if refused.code == http.client.REQUESTED_RANGE_NOT_SATISFIABLE and there:
                part.unlink()  # it is longer than the file: of another one
                return False
            raise self._refusal(refused, url) from None
        if is_whole and came >= (whole or 0):
            return True
        if came == there:
            raise Unavailable(f"{url} broke off after {came:,} bytes; run the command again, it goes on from there")
        return False

    def _json(self, path: str) -> Any:
        url = f"{self.endpoint}/{path}"
        try:
            with self._open(url, {"Accept": "application/json"}) as answer:
                content = answer.read(_LARGEST_ANSWER)
        except HTTPError as refused:
            raise self._refusal(refused, url) from None
        except (OSError, http.client.HTTPException) as problem:
            raise self._unreachable(problem) from problem
        try:
            return json.loads(content)
        except ValueError as problem:
            raise Unavailable(f"{url} does not answer as a hub: no JSON") from problem

    def _open(self, url: str, headers: Mapping[str, str]) -> Any:
        """The answer to a request. HTTPError for a refusal, Unavailable where none comes."""
        request = Request(url, headers={"User-Agent": f"indelible/{__version__}", **headers})
        if self.token:
            request.add_unredirected_header("Authorization", f"Bearer {self.token}")  # not to whom it leads on
        try:
            return _opener().open(request, timeout=_TIMEOUT)
        except HTTPError:
            raise
        except (OSError, http.client.HTTPException) as problem:
            raise self._unreachable(problem) from problem

    def _unreachable(self, problem: Exception) -> Unavailable:
        why = problem.reason if isinstance(problem, URLError) else problem
        return Unavailable(
            f"{self.endpoint} cannot be reached: {why}. Without a network, or behind a proxy that does not let it "
            "through (HTTPS_PROXY), bring the model's files to a folder and give that to `indelible model install`; "
            "HF_ENDPOINT names a mirror"
        )

    def _refusal(self, refused: HTTPError, url: str) -> IndelibleError:
        refused.close()
        said = f"{url} answers {refused.code} {http.client.responses.get(refused.code, '')}".rstrip()
        if refused.code in (401, 403):
            has = "the token of HF_TOKEN does not hold there" if self.token else "HF_TOKEN is not set"
            return Unauthorized(
                f"{said}: the model is gated or private, or there is none of this name; {has}. Accept its terms on its "
                "page, and set HF_TOKEN to a token that may read it"
            )
        if refused.code == 404:
            return NotFound(f"{said}: there is no such model, revision or file")
        return Unavailable(f"{said}; try again later, what has come is kept")


class _Redirects(HTTPRedirectHandler):
    """Follows redirections, but never from an encrypted address to one that is not."""

    def redirect_request(
        self, req: Request, fp: IO[bytes], code: int, msg: str, headers: HTTPMessage, newurl: str
    ) -> Request | None:
        if urlsplit(newurl).scheme != "https" and req.full_url.startswith("https:"):
            raise Unavailable(f"{req.full_url} leads to an address without encryption: {newurl:.200}")
        return super().redirect_request(req, fp, code, msg, headers, newurl)


def _opener() -> OpenerDirector:
    return build_opener(_Redirects)


def _written(answer: Any, part: Path, start: int, progress: Callable[[int], None]) -> tuple[int, bool]:
    """Write what comes behind the first `start` bytes; how many there are then, and whether it ended of itself.

    StoreError where the disk takes no more.
    """
    done = start
    try:
        with part.open("r+b" if start else "wb") as file:
            file.seek(start)
            while True:
                try:
                    chunk = answer.read(_CHUNK)
                except (OSError, http.client.HTTPException):  # it broke off: what came is kept
                    return done, False
                if not chunk:
                    return done, True
                file.write(chunk)
                done += len(chunk)
                progress(done)
    except OSError as problem:
        raise full(part, problem) from problem


def full(path: Path, problem: OSError) -> StoreError:
    """The error of a file of a model that cannot be written, most often for want of room."""
    return StoreError(
        f"{path} cannot be written: {problem.strerror}; make room and run the command again, it goes on where it was"
    )


def measured(path: Path) -> ModelFile:
    """The hash and size of a file."""
    with path.open("rb") as file:
        return ModelFile(hashlib.file_digest(file, "sha256").hexdigest(), path.stat().st_size)
