"""Pauses between the transactions of bulk work."""

import time


def breathe() -> None:
    """The pause between two batches of bulk work: other processes get their turn."""
    time.sleep(0.002)
