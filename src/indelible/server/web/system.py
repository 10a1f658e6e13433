"""The page of system."""

from starlette.responses import Response

from indelible.server.web.page import Page


def show(page: Page) -> Response:
    """Show it."""
    return page.shown("problem.html", message="", status=200)


ROUTES = (("GET", "/system", show),)
