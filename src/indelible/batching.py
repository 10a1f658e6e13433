"""Pauses and stops between the batches of long work, and those of work that makes none."""

import time


def breathe() -> None:
    """Sleep between two batches of bulk work, so that other processes get their turn."""
    time.sleep(0.002)


def no_pause() -> None:
    """Go on at once: nobody waits for this process between two batches."""


def never() -> bool:
    """Return False, where work asks between two batches whether it is to stop or to go on."""
    return False
