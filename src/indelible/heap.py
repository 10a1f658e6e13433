"""The C library's heap: what it keeps for later of what is no longer used."""

import sys

# Imported late (platform): ctypes


def trim() -> None:
    """Return free memory to the system, after a load: glibc keeps it, nearly as much as what was loaded takes."""
    if sys.platform == "linux":
        import ctypes

        give_back = getattr(ctypes.CDLL(None), "malloc_trim", None)  # musl has none
        if give_back is not None:
            give_back(0)
