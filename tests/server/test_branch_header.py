"""The branch that a client over HTTP names: a server elsewhere knows no other."""

import pytest

from indelible.core.context import checkout
from indelible.core.context.permissions import EVERYTHING
from indelible.errors import InvalidInput
from indelible.git import Head
from indelible.server.request_context import BRANCH, Connection, client


def of(memory, headers):
    return client(memory.context, EVERYTHING, Connection(), headers, None).ctx


def test_a_request_without_it_is_on_no_branch_and_one_with_it_on_that(memory):
    assert checkout.head_of(of(memory, {})) is None
    assert checkout.head_of(of(memory, {BRANCH: "feature/till"})) == Head("feature/till", "")


@pytest.mark.parametrize("name", ["", " ", "two words", "x" * 251, "a\u202eb"])
def test_what_is_no_branch_is_refused_by_the_headers_name(memory, name):
    with pytest.raises(InvalidInput, match="X-Indelible-Branch must be the name of a branch"):
        of(memory, {BRANCH: name.encode().decode("latin-1")})
