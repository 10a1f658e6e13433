"""Names of languages that join them otherwise, in the spelling that the others share: parts joined by `.` or `::`."""

from functools import lru_cache

from indelible.source.parse.names import LONGEST, NO_PATH, callee


def php(written: bytes) -> bytes:
    r"""Return `$this->a?->b` as `$this.a.b`, `\A\B::c` as `A.B::c`, `?A` as `A`."""
    return written.replace(b"?->", b".").replace(b"->", b".").lstrip(b"\\?").replace(b"\\", b".")


def ruby(written: bytes) -> bytes:
    """Return `@a&.b` as `self.a.b`, `::A::B` as `A::B`."""
    return written.replace(b"&.", b".").replace(b"@@", b"self.").replace(b"@", b"self.").removeprefix(b"::")


@lru_cache(maxsize=1 << 14)
def named_of_php(written: bytes) -> tuple[str, str]:
    """Return (name, receiver) of a reference of PHP, see `names.callee`."""
    return _named(php(written))


@lru_cache(maxsize=1 << 14)
def named_of_ruby(written: bytes) -> tuple[str, str]:
    """Return (name, receiver) of a reference of Ruby."""
    return _named(ruby(written))


def _named(written: bytes) -> tuple[str, str]:
    if len(written) <= LONGEST:
        return callee(written.decode("utf-8", "replace"))
    last = written[-LONGEST:].rpartition(b".")[2].decode("utf-8", "replace").strip()
    return (last, NO_PATH) if last.rstrip("?!").isidentifier() else ("", "")


@lru_cache(maxsize=1 << 14)
def word(written: bytes) -> tuple[str, str]:
    """Return (name, "") of a command of a shell, whatever its characters; nothing for a path."""
    return ("", "") if b"/" in written or len(written) > LONGEST else (written.decode("utf-8", "replace"), "")
