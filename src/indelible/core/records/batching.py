"""Pauses between the transactions of bulk work."""

import time


def breathe() -> None:
    """Sleep between two batches of bulk work, so that other processes get their turn."""
    time.sleep(0.002)
