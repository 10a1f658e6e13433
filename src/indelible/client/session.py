"""The cache of a task's reads, used while the server is away."""

import hashlib
import json
import threading
from collections import OrderedDict
from collections.abc import Mapping
from typing import Any

MOST = 256  # answers of a task
LARGEST = 256 << 10  # characters of one, as JSON


class Session:
    """Answers by key, the oldest used go first. Safe to share between threads.

    Answers are copied, so that changing one returned value changes no other.
    """

    def __init__(self, name: str = ""):
        self.name = name
        self._lock = threading.Lock()
        self._answers: OrderedDict[str, str] = OrderedDict()
        self._stems: dict[str, str] = {}

    def keep(self, key: str, value: Any, stem: str = "") -> None:
        """Keep an answer under its key, and under what is left of the key without versions and paths."""
        text = json.dumps(value, ensure_ascii=False)
        if len(text) > LARGEST:
            return
        with self._lock:
            self._answers[key] = text
            self._answers.move_to_end(key)
            if stem:
                self._stems[stem] = key
            while len(self._answers) > MOST:
                oldest, _ = self._answers.popitem(last=False)
                self._stems = {stem: key for stem, key in self._stems.items() if key != oldest}

    def find(self, key: str, stem: str = "") -> tuple[Any, bool] | None:
        """The answer kept under a key, else under a stem, and whether it was the key; None where there is none."""
        with self._lock:
            exact = key in self._answers
            found = key if exact else self._stems.get(stem, "") if stem else ""
            if found not in self._answers:
                return None
            self._answers.move_to_end(found)
            text = self._answers[found]
        return json.loads(text), exact

    def end(self) -> None:
        """Forget everything."""
        with self._lock:
            self._answers.clear()
            self._stems.clear()


def key_of(tool: str, arguments: Mapping[str, Any]) -> str:
    """The key of a reading call: a digest, which may be logged."""
    text = json.dumps([tool, arguments], sort_keys=True, ensure_ascii=False)
    return hashlib.sha256(text.encode()).hexdigest()[:16]
