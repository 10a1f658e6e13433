"""Whatever a tool is called with: it answers in the advertised shape, or refuses in words and changes nothing.

CI calls each tool with one of three kinds of arguments, in turn; `--full` each with all of them.
"""

import json
import shutil
from contextlib import suppress
from functools import cache

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

import on_postgres
import tool_arguments as draw
from every_tool import SMALL_CODEBASE
from in_turn import in_turn
from indelible.api import Memory
from indelible.core.context.context import open_context
from indelible.core.records import exporting
from indelible.errors import Conflict, IndelibleError, InvalidInput
from indelible.settings import Settings
from indelible.toolsets.registry import all_tools
from open_stores import Clock

TOOLS = all_tools()
CODE = {name for name, tool in TOOLS.items() if tool.toolset == "code"}
bounded = settings(
    max_examples=settings.default.max_examples // 5,  # each is a call, and two exports of all that is stored
    suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow, HealthCheck.data_too_large],
)
KNOWN = [
    {
        "id": name,
        "content": f"known memory {name}",
        "edges": [{"source": name, "target": draw.IDS[0], "relationship": "LEADS_TO"}] if name != draw.IDS[0] else [],
    }
    for name in draw.IDS
] + [{"id": name, "kind": "solution", "content": f"Problem {name}\n\nSolution"} for name in draw.SOLUTIONS]

KNOWN += [{"id": name, "kind": "entity", "content": name, "memory_type": "thing"} for name in draw.ENTITIES]

KNOWN += [
    {"id": "900001", "kind": "document", "content": "Known. Text.", "label": "known.md", "memory_type": "document"},
    {"id": str(draw.CHUNK), "kind": "chunk", "content": "Known.", "session": "document:900001", "position": 1 << 40},
    {"id": str(draw.TODO), "kind": "todo", "content": "Known todo", "memory_type": "pending"},
]


def fill(memory, *, with_code):
    memory.import_memories(memories=KNOWN)
    if with_code:
        memory.index_codebase(path=SMALL_CODEBASE)


@pytest.fixture(scope="module")
def made(tmp_path_factory):
    """The directory of a store that was filled, by whether it has code: made once, and copied for each test."""

    @cache
    def directory(with_code):
        place = tmp_path_factory.mktemp("made")
        with Memory(open_context(Settings(data=place / "data", start=place, home=place), Clock())) as memory:
            fill(memory, with_code=with_code)
        return place / "data"

    return directory


@pytest.fixture
def store(open_store, tmp_path, made, request):
    case = getattr(request.node, "callspec", None)
    with_code = case is not None and case.params.get("name") in CODE
    if not on_postgres.is_chosen():
        shutil.copytree(made(with_code), tmp_path / "data")
        return open_store()
    memory = open_store()
    fill(memory, with_code=with_code)
    return memory


def exported(memory):
    """Everything in the store but the counts of accesses, which a recall may change."""
    return json.dumps(list(exporting.export_all(memory.context)), sort_keys=True)


class Watched:
    """A store of which is known what is in it: what there is before a call is what was there after the one before."""

    def __init__(self, memory):
        self.memory = memory
        self.contents = exported(memory)

    def attempt(self, name, arguments):
        """The refusal of a call, or None where it was answered; either way as it must be."""
        try:
            value = self.memory.call(name, **arguments)
        except IndelibleError as refusal:
            assert exported(self.memory) == self.contents
            return refusal
        draw.assert_fits(TOOLS[name], value)
        self.look()
        return None

    def look(self):
        """See what an answered call did."""
        now = exported(self.memory)
        if now != self.contents:
            self.memory.import_memories(memories=KNOWN)  # what a call deleted is there for the next one
            self.contents = exported(self.memory)


@pytest.fixture
def watched(store):
    return Watched(store)


@pytest.mark.parametrize("name", in_turn(TOOLS, 0, 3))
@pytest.mark.slow
def test_good_arguments_are_answered(watched, name):
    @bounded
    @given(draw.good(TOOLS[name]))
    def answered(arguments):
        refusal = watched.attempt(name, arguments)
        assert refusal is None or isinstance(refusal, Conflict), refusal  # an equal content may be there

    answered()


@pytest.mark.parametrize("name", in_turn(TOOLS, 1, 3))
@pytest.mark.slow
def test_one_bad_argument_is_refused_by_its_name_or_answered(watched, name):
    @bounded
    @given(draw.faulty(TOOLS[name]))
    def refused_or_answered(call):
        arguments, bad = call
        refusal = watched.attempt(name, arguments)
        if isinstance(refusal, Conflict):
            return
        assert refusal is None or bad in str(refusal), (bad, str(refusal))
        assert bad != "no_such_argument" or isinstance(refusal, InvalidInput)

    refused_or_answered()


@pytest.mark.parametrize("name", in_turn(TOOLS, 2, 3))
@pytest.mark.slow
def test_arguments_of_any_names_and_values_are_refused_or_answered(watched, name):
    @bounded
    @given(draw.anything(TOOLS[name]), st.one_of(st.none(), draw.texts(), st.sampled_from(draw.UNSTORABLE)))
    def refused_or_answered(arguments, key):
        named = [*TOOLS[name].input_schema.get("properties", {}), *arguments, "the name of an argument"]
        refusal = watched.attempt(name, arguments)
        spoken = [*named, *(repr(argument) for argument in named)]
        assert refusal is None or any(argument in str(refusal) for argument in spoken), str(refusal)
        with suppress(IndelibleError):
            watched.memory.call(name, request_key=key, **arguments)
            watched.look()

    refused_or_answered()


def test_an_argument_that_no_tool_has_is_refused_with_those_that_there_are(store):
    for name, tool in TOOLS.items():
        required = dict.fromkeys(tool.input_schema.get("required", []), "x")
        with pytest.raises(InvalidInput, match="unknown argument 'colour'; allowed are: "):
            store.call(name, **required, colour="red")


def test_an_unknown_tool_is_refused_with_those_that_there_are(store):
    with pytest.raises(InvalidInput, match="unknown tool 'forget_everything'; there are store_memory, recall_memory"):
        store.call("forget_everything")
    with pytest.raises(AttributeError, match="Memory has no attribute or tool 'forget_everything'"):
        store.forget_everything()


LONGER = "x" * ((1 << 20) + 1)


def test_a_text_over_one_mebibyte_is_refused_in_every_argument(store):
    store.index_codebase(path=SMALL_CODEBASE)
    before = exported(store)
    of_text = [
        (name, argument, schema["type"])
        for name, tool in TOOLS.items()
        for argument, schema in tool.input_schema.get("properties", {}).items()
        if schema.get("type") in ("string", "array") and argument != "memories"
    ]
    assert len(of_text) > 100
    for name, argument, type_ in of_text:
        with pytest.raises(InvalidInput, match=f"{argument} has 1,048,577 bytes, at most 1,048,576 are allowed"):
            store.call(name, **{argument: [LONGER] if type_ == "array" else LONGER})
    assert exported(store) == before


def test_an_error_repeats_no_more_than_the_head_of_a_long_value(store):
    with pytest.raises(InvalidInput) as refusal:
        store.store_memory(content="x", memory_type="long " * 10_000)
    assert len(str(refusal.value)) < 400
