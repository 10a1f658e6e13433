#!/usr/bin/env python3
"""Take the page's scripts of others from the npm registry, held against their hashes, to server/web/vendored.

    python scripts/vendor_page_scripts.py            write them
    python scripts/vendor_page_scripts.py --check    exit 1 where a file is not what the registry has

Needs npm. A new version: change it here with the hash that `npm view PACKAGE@VERSION dist.integrity` prints.
"""

import base64
import hashlib
import subprocess
import sys
import tarfile
import tempfile
from pathlib import Path

FOLDER = Path(__file__).resolve().parent.parent / "src" / "indelible" / "server" / "web" / "vendored"
# By file: the packages that it is made of, each with its version, the SHA-512 of the archive, and the script in it.
FILES = {
    "htmx.min.js": [
        (
            "htmx.org@2.0.11",
            "Thx/WtpeOQqSrqBCw/A1cwGJGg4UrVa3+sW0GmrM3p4gJgO89ecH4qtbnyzDDWFvBTqjnIMCgELTNt636dtamA==",
            "htmx.min.js",
        )
    ],
    "sse.min.js": [
        (
            "htmx-ext-sse@2.2.4",
            "LJmxVhykyflBWgh5PvbRidcyuqMHlgfajmmzumvKctv9puvsufeH6OaejSMZTNTnEI8O2wXXn4ZZtBdpEMqmEQ==",
            "sse.min.js",
        )
    ],
    "d3-force.min.js": [
        (
            "d3-dispatch@3.0.2",
            "sAzH4Y4nsLo8eSqw5jKiZt+LU2wZmL/qS+OkxQGjhwazB/D7TY34R/QK1eshfGr7cZEKymKZ/Haem7m+lu98Sg==",
            "d3-dispatch.min.js",
        ),
        (
            "d3-quadtree@3.0.2",
            "9Lu9mqJKRbIk0d6mKDjpvPURaPdwHVK5CYbcdd0/4vBgz4ldz/7TIOse3kNERsByGNfld58KEco507AztJWyTQ==",
            "d3-quadtree.min.js",
        ),
        (
            "d3-timer@3.0.2",
            "1Il1aliroVSErrv5aulRBxAY+7+DnaoLIWGd1C6SsBTWDeobWiP/V69vwb8vT6abR1kKwaNe1196pmaQ1fK90A==",
            "d3-timer.min.js",
        ),
        (
            "d3-force@3.0.1",
            "kAaaHLFebBYwgi5cYBXAI8vKrQFMCD2MEswj2QuPKKbdU1wYLc8WXtS7O8F/b6POCIe3gJjY6hkDstHi1yMETQ==",
            "d3-force.min.js",
        ),
    ],
}


def taken(package: str, digest: str, script: str) -> bytes:
    """Return a script of a package. Raises SystemExit where the archive is another one."""
    with tempfile.TemporaryDirectory() as folder:
        command = ["npm", "pack", "--silent", package]
        subprocess.run(command, cwd=folder, check=True, stdout=subprocess.DEVNULL)
        archive = next(Path(folder).glob("*.tgz"))
        found = base64.b64encode(hashlib.sha512(archive.read_bytes()).digest()).decode()
        if found != digest:
            raise SystemExit(f"{package}: the archive has the SHA-512 {found}, not {digest}")
        with tarfile.open(archive) as opened:
            file = opened.extractfile(f"package/dist/{script}")
            assert file is not None
            return file.read()


def main() -> int:
    """Write the files, or check them."""
    check = sys.argv[1:] == ["--check"]
    for name, parts in FILES.items():
        body = b"\n".join(taken(*part).rstrip(b"\n") for part in parts) + b"\n"
        if not check:
            (FOLDER / name).write_bytes(body)
        elif (FOLDER / name).read_bytes() != body:
            print(f"{name} is not what the registry has; run this script without --check")
            return 1
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
