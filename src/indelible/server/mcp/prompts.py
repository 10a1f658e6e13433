"""Prompts: what a person starts by name (`/mcp__indelible__recall-context`). Their descriptions are constants.

A task or topic is the person's own word and stands as it was given. What a program may have printed (an error, a
command, a summary) is pasted from anywhere: it is framed as data, like what is stored.
"""

from collections.abc import Callable, Collection, Mapping, Sequence
from typing import Any

import anyio
import mcp_types as types
from mcp.server.caching import CacheableMethod, CacheHint
from mcp.server.context import ServerRequestContext
from mcp.server.lowlevel import Server

from indelible.capture import brief, project_brief
from indelible.core.context.call import Caller
from indelible.core.context.context import Context
from indelible.core.recall import browse, candidates, recall
from indelible.dataclass import dataclass
from indelible.errors import InvalidInput
from indelible.model import MEMORY_TYPES
from indelible.sanitize.prompt_frame import Item, escaped, fitting, framed, review_frame
from indelible.sanitize.prompt_frame import given as as_given
from indelible.server.mcp.requests import ContextOf, answered, logged
from indelible.toolsets import shapes
from indelible.toolsets.graph import recipes
from indelible.toolsets.memory import decisions

# Imported late (start): indelible.toolsets.review.findings, indelible.toolsets.review.review

RECALLED = 10  # memories of recall-context
LONGEST = 2_000  # characters of each
CHAIN = 24_000  # bytes of a decision chain

CACHE_HINTS: dict[CacheableMethod, CacheHint] = {"prompts/list": CacheHint(ttl_ms=300_000, scope="public")}


@dataclass(frozen=True)
class Argument:
    """One argument of a prompt; `values` are the only ones it may have, () for any."""

    name: str
    description: str
    required: bool = False
    values: tuple[str, ...] = ()


@dataclass(frozen=True)
class Prompt:
    """A prompt: what clients list, and what makes its text.

    `text` takes the arguments, None where not given, and the names of the tools that the server offers; a server
    without one of those that the prompt `needs` does not list it.
    """

    name: str
    title: str
    description: str
    arguments: tuple[Argument, ...]
    text: Callable[[Context, Mapping[str, Any], Collection[str]], str]
    needs: tuple[str, ...] = ()

    def listed(self) -> types.Prompt:
        """The prompt as a client lists it."""
        arguments = [
            types.PromptArgument(name=argument.name, description=argument.description, required=argument.required)
            for argument in self.arguments
        ]
        return types.Prompt(name=self.name, title=self.title, description=self.description, arguments=arguments)

    def checked(self, given: Mapping[str, str]) -> dict[str, str | None]:
        """Its arguments by name, a blank one as not given. Raises InvalidInput."""
        names = [argument.name for argument in self.arguments]
        unknown = sorted(set(given) - set(names))
        if unknown:
            raise InvalidInput(f"prompt {self.name} has no argument {unknown[0]!r}; it takes {', '.join(names)}")
        values: dict[str, str | None] = {name: given.get(name, "").strip() or None for name in names}
        for argument in self.arguments:
            value = values[argument.name]
            if argument.required and value is None:
                raise InvalidInput(f"prompt {self.name} needs {argument.name}: {argument.description.lower()}")
            if argument.values and value is not None and value not in argument.values:
                raise InvalidInput(f"{argument.name} must be one of {', '.join(argument.values)}, got {value!r:.80}")
        return values


# --- What they say ---

_USE = (
    "Use what is relevant to the task; cite a memory's id when you rely on it. Where a memory and the code disagree, "
    "the code is right. A state says what of a memory no longer holds: then it is history. A memory marked "
    'shortened="yes" can be read in full at memory://ITS-ID (percent-encoded).'
)
_CORRECT = " Correct what is out of date: update_memory."
_STORE = " Store what you learn: store_memory."
_NOTHING = "Indelible knows nothing"

_SAVE = """\
Store in Indelible what this session learned and what the code does not say by itself.

For each thing worth knowing in a later session:
1. Check with recall_memory whether it is known. If it is known but out of date, correct it with update_memory (or \
refine_memory, which keeps the old one as history); do not store it twice.
2. Otherwise call store_memory with one self-contained statement: it names the files, functions and error texts that \
it is about, and is understood without this conversation.
   - memory_type "decision": what was chosen, over what, and why.
   - "insight": a pitfall, its cause, or how a bug was fixed (symptom, cause, fix).
   - "preference": what the user wants, in general. "pattern", "style", "habit": how things are done here.
   - importance from 0.8 for what must not be forgotten, 0.5 for the ordinary; tags such as api:auth:tokens.
3. Relate what belongs together with associate_memories (LEADS_TO, SUPERSEDES, CONTRADICTS).

Never store secrets, keys or personal data; nothing that the code, the tests or git already say; nothing that you only \
suspect. Store few things, well. At the end list what you stored, changed and left out, one line each."""


def _if_offered(tools: Collection[str], tool: str, sentence: str) -> str:
    """A sentence about a tool, where the server offers it."""
    return sentence if tool in tools else ""


def _recall_context(ctx: Context, given: Mapping[str, Any], tools: Collection[str]) -> str:
    hits = recall.recall(ctx, candidates.Query(given["task"], RECALLED, given["memory_type"], given["namespace"]))
    task = f"The task:\n{given['task']}"
    if not hits and given["namespace"] is not None:
        browse.refuse_empty(ctx, given["namespace"])  # a slip: some clients split what is typed at its spaces
    if not hits:
        return f"{_NOTHING} that is relevant to this task.{_if_offered(tools, 'store_memory', _STORE)}\n\n{task}"
    block = framed([shapes.item(hit.record, shapes.standing(hit), LONGEST) for hit in hits], ctx.clock())
    return f"{block}\n\n{_USE}{_if_offered(tools, 'update_memory', _CORRECT)}\n\n{task}"


def _save_session(_: Context, given: Mapping[str, Any], __: Collection[str]) -> str:
    summary = given["summary"]
    return _SAVE if summary is None else f"{_SAVE}\n\n{as_given('What the session was about', 'summary', summary)}"


def _review_decisions(ctx: Context, given: Mapping[str, Any], tools: Collection[str]) -> str:
    file_path, topic = given["file_path"], given["topic"]
    if file_path is None and topic is None:
        raise InvalidInput("prompt review-decisions needs topic or file_path: what the decisions are about")
    about = " and ".join(value for value in (topic, file_path) if value is not None)
    chain = decisions.decision_chain(ctx, file_path, topic)
    if not chain:
        return f"{_NOTHING} about decisions on {about}.{_if_offered(tools, 'store_memory', _STORE)}"
    shown = fitting([_decided(decision) for decision in chain], ctx.clock(), CHAIN)
    return (
        f"{framed(shown, ctx.clock())}\n\nReview these decisions, {len(shown)} of {len(chain)}, the oldest first: what "
        "holds today, what was replaced and by what, which reasons no longer apply, what contradicts what. Check each "
        "against the code before you say so. Propose what should be corrected or related, and wait for consent before "
        f"you change a memory.\n\nThey are about:\n{about}"
    )


def _decided(decision: decisions.Decision) -> Item:
    mine = [f"{each.relationship} {each.target}" for each in decision.connections if each.source == decision.record.key]
    return shapes.item(decision.record, decision.stands, LONGEST)._replace(relations=", ".join(mine))


def _review_diff(ctx: Context, given: Mapping[str, Any], _: Collection[str]) -> str:
    from indelible.toolsets.review import findings, review

    range_ = given["range"]
    found = findings.shape(review.review(ctx, range_, staged=range_ is None))
    before, behind = review_frame()
    return (
        f"{before}{escaped(findings.text_of(found))}{behind}\n\nCheck each of these against the change: read "
        "the files that may have to change too, follow the decisions or say why not, run the tests that reach it. Then "
        "list what is still to be done, the worst first; change nothing that was not asked for."
    )


def _onboard(ctx: Context, given: Mapping[str, Any], _: Collection[str]) -> str:
    return project_brief.brief_of(ctx, given["namespace"]) or brief.NOTHING


# --- Recipes of the knowledge graph ---

_TRY = "Try them in this order, and check first that the cause is the same here."
_RECORD = (
    " Afterwards record the result: the fix as Fix with fix.apply, its effect as fix.outcome, and Fix RESOLVES "
    "Error (create_entities, add_observations, create_relations)."
)


def _prior_fixes(ctx: Context, given: Mapping[str, Any], tools: Collection[str]) -> str:
    found = recipes.prior_fixes(ctx, given["error"])
    return _fixes(ctx, found, tools, "about fixes of this error", as_given("The error", "error", given["error"]))


def _fixes_by_dependency(ctx: Context, given: Mapping[str, Any], tools: Collection[str]) -> str:
    found = recipes.fixes_by_dependency(ctx, given["dependency"])
    what = "about fixes of errors that this dependency caused"
    return _fixes(ctx, found, tools, what, as_given("The dependency", "dependency", given["dependency"]))


def _fixes(ctx: Context, found: Sequence[recipes.Fix], tools: Collection[str], what: str, asked: str) -> str:
    if not found:
        return f"{_NOTHING} {what}.\n\n{asked}"
    items = [
        item._replace(relations=f"RESOLVES {', '.join(fix.mends)}")
        for fix, item in zip(found, shapes.items(ctx, [fix.record for fix in found], LONGEST), strict=True)
    ]
    results = "\n".join(f"{number}. {_result(fix)}" for number, fix in enumerate(found, 1))
    advice = _TRY + _if_offered(tools, "create_relations", _RECORD)
    return f"{framed(items, ctx.clock())}\n\nThe fixes above, the best first:\n{results}\n\n{advice}\n\n{asked}"


def _result(fix: recipes.Fix) -> str:
    documented = ", documented" if fix.documents else ""
    if not fix.outcomes:
        return f"no outcome is known{documented}"
    return f"worked {_times(fix.worked)}, in part {fix.partial}, failed {fix.failed}{documented}"


def _times(count: int) -> str:
    return "once" if count == 1 else f"{count} times"


def _what_breaks(ctx: Context, given: Mapping[str, Any], tools: Collection[str]) -> str:
    asked = as_given("The command", "command", given["command"])
    found = recipes.breaks(ctx, given["command"])
    if not found:
        return f"{_NOTHING} about errors of this command.\n\n{asked}"
    shown, lines = [], []
    for number, each in enumerate(found, 1):
        shown.append(each.record)
        fix = "no fix is known" if each.fix is None else f"its best fix follows it: {_result(each.fix)}"
        shown += [each.fix.record] if each.fix is not None else []
        lines.append(f"{number}. captured {_times(each.captured)}, {fix}")
    advice = _TRY + _if_offered(tools, "create_relations", _RECORD)
    block = framed(shapes.items(ctx, shown, LONGEST), ctx.clock())
    return (
        f"{block}\n\nWhat this command led to before, in this order:\n" + "\n".join(lines) + "\n\n"
        f"Look out for these before and after you run it. {advice}\n\n{asked}"
    )


def _fix_evidence(ctx: Context, given: Mapping[str, Any], _: Collection[str]) -> str:
    asked = as_given("The fix", "fix", given["fix"])
    fix = recipes.evidence(ctx, given["fix"])
    if fix is None:
        return f"{_NOTHING} about this fix. Give its exact key (fix#...); search_nodes finds it.\n\n{asked}"
    outcomes = [outcome.record for outcome in fix.outcomes if outcome.record.id != fix.record.id]
    once = {record.id: record for record in (fix.record, *outcomes[: recipes.BEST], *fix.documents[: recipes.BEST])}
    block = framed(shapes.items(ctx, list(once.values()), LONGEST), ctx.clock())
    return (
        f"{block}\n\nThe fix comes first, then its outcomes and the documents that it derives "
        f"from: {_result(fix)}. Say how strong this evidence is, and what must still be verified.\n\n{asked}"
    )


_GRAPH = ("search_nodes",)

NAMESPACE = Argument("namespace", "Only memories of this project; default: every project, the server's own first")

PROMPTS: dict[str, Prompt] = {
    prompt.name: prompt
    for prompt in (
        Prompt(
            "recall-context",
            "Recall what is relevant to a task",
            "What earlier sessions learned about a task, and how to use it",
            (
                Argument("task", "The task, with the names of files, functions and errors", required=True),
                NAMESPACE,
                Argument("memory_type", "Only memories of this type", values=MEMORY_TYPES),
            ),
            _recall_context,
        ),
        Prompt(
            "save-session",
            "Save what this session learned",
            "Has the agent store decisions and their reasons, pitfalls, preferences and fixes, without duplicates",
            (Argument("summary", "What the session was about, if the agent could not know"),),
            _save_session,
            needs=("recall_memory", "store_memory"),
        ),
        Prompt(
            "review-decisions",
            "Review decisions",
            "The decisions about a topic or file in their order, to check whether they still hold",
            (
                Argument("topic", "Words of the decisions or their tags"),
                Argument("file_path", "A file that they are about"),
            ),
            _review_decisions,
        ),
        Prompt(
            "review-diff",
            "Review a change",
            "What a change concerns beside what it changes: missing files, decisions, failures, tests",
            (Argument("range", "A range of commits (A..B) or one commit; default: what is staged"),),
            _review_diff,
            needs=("review_diff",),
        ),
        Prompt(
            "onboard",
            "Get to know a project",
            f"A brief of a project in {brief.DEFAULT:,} tokens: decisions, open todos, failures and fixes, preferences",
            (Argument("namespace", "The project; default: that of the server"),),
            _onboard,
        ),
        Prompt(
            "prior-fixes",
            "What fixed this error before",
            "The best three fixes of an error or warning, with their outcomes",
            (Argument("error", "Its message, or its key (err#..., warn#...)", required=True),),
            _prior_fixes,
            needs=_GRAPH,
        ),
        Prompt(
            "what-breaks",
            "What this command breaks",
            "The errors and warnings that a command led to, with the best fix of each",
            (Argument("command", "As it is typed, or its key (cmd#...)", required=True),),
            _what_breaks,
            needs=_GRAPH,
        ),
        Prompt(
            "fixes-by-dependency",
            "What fixed errors of a dependency",
            "The best three fixes of errors that a dependency caused",
            (Argument("dependency", "Its name, name@version, or its key (dep#...)", required=True),),
            _fixes_by_dependency,
            needs=_GRAPH,
        ),
        Prompt(
            "fix-evidence",
            "Evidence of a fix",
            "A fix with its outcomes and the documents behind it",
            (Argument("fix", "Its key (fix#...)", required=True),),
            _fix_evidence,
            needs=_GRAPH,
        ),
    )
}


def offered(tools: Collection[str]) -> dict[str, Prompt]:
    """The prompts of a server that offers these tools."""
    return {name: prompt for name, prompt in PROMPTS.items() if all(tool in tools for tool in prompt.needs)}


def register(
    server: Server[Any], context_of: ContextOf, limiter: anyio.CapacityLimiter, tools: Collection[str]
) -> None:
    """Let a server that offers these tools list and give prompts."""
    known = offered(tools)
    listing = types.ListPromptsResult(prompts=[prompt.listed() for prompt in known.values()])

    async def list_prompts(_: ServerRequestContext[Any], __: types.PaginatedRequestParams) -> types.ListPromptsResult:
        return listing

    async def get(request: ServerRequestContext[Any], params: types.GetPromptRequestParams) -> types.GetPromptResult:
        ctx = context_of(request)

        def work(caller: Caller) -> types.GetPromptResult:
            prompt = find(known, params.name)
            values = prompt.checked(params.arguments or {})
            text = logged(ctx, f"prompts/get {prompt.name}", values, caller, lambda c, v: prompt.text(c, v, tools))
            message = types.PromptMessage(role="user", content=types.TextContent(text=text))
            return types.GetPromptResult(description=prompt.description, messages=[message])

        return await answered(request, limiter, work)

    server.add_request_handler("prompts/list", types.PaginatedRequestParams, list_prompts)
    server.add_request_handler("prompts/get", types.GetPromptRequestParams, get)


def find(known: Mapping[str, Prompt], name: str) -> Prompt:
    """The prompt of a name. Raises InvalidInput."""
    if name not in known:
        raise InvalidInput(f"unknown prompt {name!r:.80}; there are {', '.join(known)}")
    return known[name]
