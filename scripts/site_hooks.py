"""Hooks of `mkdocs build`: figures are drawn when the site is built, and no page may load anything from elsewhere.

The theme would let the browser fetch Mermaid from a CDN for each figure; drawn as SVG, a page needs no program for it.
"""

import hashlib
import re
from functools import cache
from pathlib import Path
from typing import Any

import mermaidx
from mkdocs.exceptions import PluginError
from pymdownx.superfences import SuperFencesException

LOADED = re.compile(r"<(?:script|img|iframe|source)\b[^>]*\ssrc=\"?(?:https?:)?//|<link\b[^>]*\shref=\"?(?:https?:)?//")


def on_config(config: Any) -> Any:
    """Let blocks of Mermaid be drawn."""
    fences = config["mdx_configs"].setdefault("pymdownx.superfences", {})
    fences["custom_fences"] = [{"name": "mermaid", "class": "figure", "format": _figure}]
    return config


def on_post_build(config: Any) -> None:
    """Refuse a site whose pages load a script, a style or a picture from another server."""
    site = Path(config["site_dir"])
    loading = [str(page.relative_to(site)) for page in site.rglob("*.html") if LOADED.search(page.read_text("utf-8"))]
    if loading:
        raise PluginError(f"these pages load something from another server: {', '.join(sorted(loading))}")


def _figure(source: str, *_: object, **__: object) -> str:
    """Return a Mermaid figure as HTML; it cannot be drawn where its source has an error."""
    return f"<figure>{_svg(source)}</figure>"


@cache
def _svg(source: str) -> str:
    try:
        drawn = mermaidx.render(source).svg()
    except RuntimeError as error:
        # Any other exception would leave the figure as text, without a word.
        raise SuperFencesException(f"a figure cannot be drawn: {error}\n{source}") from error
    # Its ids and styles carry one name, which would be every figure's of a page.
    return drawn.replace("my-svg", f"figure-{hashlib.sha256(source.encode()).hexdigest()[:8]}")
