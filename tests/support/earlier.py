"""A store that one reader sees as it was before a write, while the caches have that write already."""

from contextlib import nullcontext


class EarlierFirst:
    """A store whose first reader sees it as it was at an earlier moment, as one does that begins beside a write."""

    def __init__(self, store, earlier):
        self._moments = [nullcontext(earlier)]
        self._store = store

    def read(self):
        return self._moments.pop() if self._moments else self._store.read()

    def __getattr__(self, name):
        return getattr(self._store, name)
