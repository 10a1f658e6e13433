"""Real source code to index: packages by name and version, fetched from the registries as they publish their source.

The rules were written while looking at the packages that are not held out. Those marked `held_out` were named, with
their versions, on 2026-11-22 before anything was run on them; their figures are the honest ones (docs/benchmarks.md has
the first run of each beside what came of it). `python bench/code_corpora.py [--into DIR] [NAME ...]` fetches what is
missing: sdists with `unearth` (pip would build their metadata, which needs Rust and a compiler), npm
packages with `npm pack`, Debian sources with `apt-get source` from a package list of its own, repositories with `git`.
"""

import argparse
import os
import shutil
import subprocess
import sys
import tarfile
import tempfile
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

DEFAULT = Path(tempfile.gettempdir()) / "indelible-corpora"
INDEX = "https://pypi.org/simple"
DEBIAN = "http://deb.debian.org/debian"
SUITE = "bookworm"


@dataclass(frozen=True, slots=True)
class Corpus:
    """One package at one version, and what is taken: the files of `language` under `within`, without `without`."""

    language: str
    package: str
    version: str
    source: str  # pypi, npm, debian, or github: owner/name at a commit
    within: str = ""
    without: tuple[str, ...] = ()
    held_out: bool = False

    @property
    def name(self) -> str:
        version = self.version[:12] if self.source == "github" else self.version.rpartition(":")[2]
        return f"{self.package}-{version}".replace("/", "-").replace("@", "")


CORPORA = (
    Corpus("python", "Django", "5.2.19", "pypi"),
    Corpus("python", "fastapi", "0.165.0", "pypi"),
    Corpus("python", "attrs", "26.1.0", "pypi"),
    Corpus("javascript", "eslint", "10.15.0", "npm", "lib"),
    Corpus("javascript", "three", "0.187.0", "npm", "src"),
    Corpus("javascript", "express", "5.3.0", "npm"),
    Corpus("typescript", "rxjs", "7.8.2", "npm", "src"),
    Corpus("typescript", "effect", "4.1.0", "npm", "src"),
    Corpus("tsx", "tldraw", "5.4.2", "npm", "src"),
    Corpus("rust", "ruff", "0.17.6", "pypi"),
    Corpus("rust", "pydantic-core", "2.50.4", "pypi"),
    Corpus("go", "golang-golang-x-tools", "1:0.5.0+ds-1", "debian"),
    Corpus("go", "golang-github-spf13-cobra", "1.6.1-1", "debian"),
    Corpus("c", "numpy", "2.4.6", "pypi", "numpy"),
    Corpus("c", "redis", "5:7.0.15-1~deb12u7", "debian", "src"),
    Corpus("cpp", "onnx", "1.23.2", "pypi", "onnx"),
    Corpus("cpp", "leveldb", "1.23-4", "debian"),
    Corpus("cpp", "fmtlib", "9.1.0+ds1-2", "debian"),
    Corpus("java", "jsoup", "1.15.3-1", "debian"),
    Corpus("java", "libcommons-lang3-java", "3.12.0-2+deb12u1", "debian"),
    Corpus("java", "guava-libraries", "31.1-1", "debian", "guava"),
    Corpus("python", "sqlalchemy", "2.1.9", "pypi", held_out=True),
    Corpus("python", "sphinx", "9.0.4", "pypi", held_out=True),
    Corpus("python", "twisted", "26.10.0", "pypi", held_out=True),
    Corpus("javascript", "webpack", "5.112.2", "npm", "lib", held_out=True),
    Corpus("javascript", "mongoose", "9.12.1", "npm", "lib", held_out=True),
    Corpus("typescript", "zod", "4.6.7", "npm", "src", held_out=True),
    Corpus("typescript", "ajv", "8.20.0", "npm", "lib", held_out=True),
    Corpus("typescript", "@tiptap/core", "3.34.0", "npm", "src", held_out=True),
    Corpus("tsx", "@tanstack/react-query", "5.108.0", "npm", "src", held_out=True),
    Corpus("tsx", "@blueprintjs/core", "6.20.0", "npm", "src", held_out=True),
    Corpus("rust", "cryptography", "50.0.2", "pypi", held_out=True),
    Corpus("rust", "uv", "0.13.9", "pypi", held_out=True),
    Corpus("go", "golang-github-spf13-viper", "1.10.1-1", "debian", held_out=True),
    Corpus("go", "caddy", "2.6.2-5", "debian", held_out=True),
    Corpus("c", "curl", "7.88.1-10+deb12u15", "debian", "lib", held_out=True),
    Corpus("c", "libuv1", "1.44.2-1+deb12u1", "debian", held_out=True),
    Corpus("cpp", "rocksdb", "7.8.3-2", "debian", held_out=True),
    Corpus("cpp", "re2", "20220601+dfsg-1", "debian", held_out=True),
    Corpus("java", "jackson-databind", "2.14.0-1+deb12u1", "debian", held_out=True),
    Corpus("java", "libcommons-collections4-java", "4.2-1", "debian", held_out=True),
    # Named on 2026-11-28 at 18:22 UTC, before the queries of their languages were written or anything was run on them.
    # Where the registry had no archive any more, the project's own repository at its newest commit took its place
    # (18:27; gradle-kotlin-dsl has none: okio), unseen too.
    Corpus("csharp", "JamesNK/Newtonsoft.Json", "09bb545d72969ad7fb4ea07db0d5c34f4fc07877", "github", held_out=True),
    Corpus("csharp", "keepass2", "2.47+dfsg-2", "debian", held_out=True),
    Corpus("ruby", "jekyll/jekyll", "202df571314ba1d18e9fccd81d12aaad4a703c38", "github", held_out=True),
    Corpus("ruby", "lostisland/faraday", "59334e0e9b1918bd26b143f4a7bbc8c765de3ac4", "github", held_out=True),
    Corpus("php", "composer", "2.5.5-1+deb12u5", "debian", held_out=True),
    Corpus("php", "php-monolog", "2.9.1-1", "debian", held_out=True),
    Corpus("kotlin", "Kotlin/kotlinx.coroutines", "792ac67bdcd5592e5764753e623a9e8c6e4bcb29", "github", held_out=True),
    Corpus("kotlin", "square/okio", "4164f2976ac7174f3d35d52150e8ffbdbe0acbec", "github", held_out=True),
    Corpus("scala", "json4s/json4s", "d1832fa0660f943f8b3571885cc9926732ddeeb0", "github", held_out=True),
    Corpus("scala", "scala/pickling", "f7c64bc11f11e78e80ff326da9fbc4fa8d045a80", "github", held_out=True),
    Corpus("swift", "@capacitor/ios", "8.5.2", "npm", held_out=True),
    Corpus("swift", "react-native-vision-camera", "5.2.3", "npm", held_out=True),
    Corpus("bash", "scop/bash-completion", "85661b2563340a85304c4fd41582c2dd97c549f5", "github", held_out=True),
    Corpus("bash", "dracut", "059-4", "debian", held_out=True),
    Corpus("sql", "roundcube", "1.6.5+dfsg-1+deb12u9", "debian", held_out=True),
    Corpus("sql", "Cacti/cacti", "8a8541d11dcf9c2205429f673eef41fc344ef820", "github", held_out=True),
    Corpus("markdown", "jekyll/jekyll", "202df571314ba1d18e9fccd81d12aaad4a703c38", "github", held_out=True),
    Corpus("markdown", "composer", "2.5.5-1+deb12u5", "debian", held_out=True),
    Corpus(
        "rust", "tokio-rs/tokio", "ea91b33ca57ff0581b38e735cc108f831bccbdaa", "github", held_out=True
    ),  # calls in macros
    Corpus("rust", "rust-clap", "4.0.32-1", "debian", held_out=True),
    Corpus("cpp", "abseil", "20220623.1-1+deb12u2", "debian", held_out=True),
    Corpus("cpp", "protobuf", "3.21.12-3+deb12u1", "debian", "src", held_out=True),
    Corpus("typescript", "@xterm/xterm", "6.0.0", "npm", "src", held_out=True),
    # Those that the queries of the same languages were written on.
    Corpus("csharp", "mono/mono-addins", "f11f373a38104a5b649fd20452d45e8c23511078", "github"),
    Corpus("ruby", "rack/rack", "8bf4eb078498edc9105fb04add80d89c5340e60b", "github"),
    Corpus("ruby", "rails/thor", "d89dd720c8774e6ba354d9df195ef003c3bbd465", "github"),
    Corpus("php", "php-twig", "3.5.1-1+deb12u3", "debian"),
    Corpus("kotlin", "expo-modules-core", "58.1.0", "npm"),
    Corpus("scala", "scala/scala-xml", "a4c4e52e88ea92fb019650208984170942407db4", "github"),
    Corpus("scala", "scala/scala-parser-combinators", "67da0ed57f9af1fe81b55e5d323fad26be15e7f8", "github"),
    Corpus("swift", "expo-modules-core", "58.1.0", "npm"),
    Corpus("bash", "debootstrap", "1.0.128+nmu2+deb12u2", "debian"),
    Corpus("bash", "bats-core/bats-core", "d22e41faad59f5fd942a88c992b4913a27a460c4", "github"),
    Corpus("sql", "Icinga/icingaweb2", "7c453d914a385a2b28302e879ffe37b776ebdde1", "github"),
    Corpus("markdown", "bats-core/bats-core", "d22e41faad59f5fd942a88c992b4913a27a460c4", "github"),
)


def files(corpus: Corpus, into: Path, dialects: frozenset[str] = frozenset()) -> Iterator[Path]:
    """The files of a corpus in the order of their names; those over 1 MiB are left out as in the index."""
    from indelible.source.parse.languages import language_of

    top = into / corpus.name / corpus.within
    for path in sorted(top.rglob("*")):
        if not path.is_file() or path.is_symlink() or path.stat().st_size > 1 << 20:
            continue
        relative = path.relative_to(into / corpus.name).as_posix()
        if any(part in relative for part in corpus.without):
            continue
        language = language_of(relative, path.read_bytes())
        if language is not None and language.name in {corpus.language, *dialects}:
            yield path


def fetch(corpus: Corpus, into: Path) -> Path:
    """The directory of a package's source, fetched where it is not there yet."""
    to = into / corpus.name
    if to.is_dir():
        return to
    with tempfile.TemporaryDirectory(dir=_made(into)) as work:
        part = Path(work, "unpacked")
        _FETCH[corpus.source](corpus, Path(work), part)
        os.rename(part, to)
    return to


def _pypi(corpus: Corpus, work: Path, to: Path) -> None:
    unearth = shutil.which("unearth") or str(Path(sys.executable).with_name("unearth"))
    wanted = f"{corpus.package}=={corpus.version}"
    _run([unearth, "-i", INDEX, "--no-binary", wanted, "-d", str(_made(work / "sdist"))], work)
    _unpack(next((work / "sdist").glob("*.tar.gz")), to)


def _npm(corpus: Corpus, work: Path, to: Path) -> None:
    _run(["npm", "pack", "--silent", f"{corpus.package}@{corpus.version}"], work)
    _unpack(next(work.glob("*.tgz")), to)


def _debian(corpus: Corpus, work: Path, to: Path) -> None:
    lists = _made(work.parent / "apt-lists")
    sources = lists.with_name("apt-sources.list")
    options = [f"Dir::Etc::sourcelist={sources}", "Dir::Etc::sourceparts=-", f"Dir::State::lists={lists}"]
    options = [word for option in options for word in ("-o", option)]
    if not any(lists.glob("*_Sources*")):
        sources.write_text(f"deb-src {DEBIAN} {SUITE} main\n", encoding="utf-8")
        _run(["apt-get", *options, "update"], work)
    _run(["apt-get", *options, "source", f"{corpus.package}={corpus.version}"], work)
    os.rename(next(path for path in work.iterdir() if path.is_dir()), to)


def _github(corpus: Corpus, work: Path, to: Path) -> None:
    _run(["git", "init", "-q", str(_made(to))], work)
    _run(["git", "fetch", "-q", "--depth=1", f"https://github.com/{corpus.package}.git", corpus.version], to)
    _run(["git", "checkout", "-q", "FETCH_HEAD"], to)


_FETCH = {"pypi": _pypi, "npm": _npm, "debian": _debian, "github": _github}


def _unpack(archive: Path, to: Path) -> None:
    """A tar file's one directory under the name `to`."""
    raw = _made(to.with_name("raw"))
    with tarfile.open(archive) as tar:
        tar.extractall(raw, filter="data")
    os.rename(next(raw.iterdir()), to)


def _made(path: Path) -> Path:
    path.mkdir(parents=True, exist_ok=True)
    return path


def _run(command: list[str], directory: Path) -> None:
    subprocess.run(command, cwd=directory, check=True, stdout=subprocess.DEVNULL)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--into", type=Path, default=DEFAULT)
    parser.add_argument("names", nargs="*", help="packages; none means all")
    arguments = parser.parse_args()
    for corpus in CORPORA:
        if not arguments.names or corpus.package in arguments.names:
            print(fetch(corpus, arguments.into.resolve()))


if __name__ == "__main__":
    main()
