"""The HTTP server of a store with what the MCP conformance suite wants besides: tools, prompts, resources of its own.

    python tests/conformance/fixtures.py DATA

They stand beside Indelible's own in every list, and go through the same door, the same threads and the same transport.
Nothing of them is in the product. Listens on any free port and says on standard error which.
"""

import base64
import json
import sys
import time
from collections.abc import Awaitable, Callable, Mapping
from pathlib import Path
from typing import Any

import mcp_types as types
from mcp.server.context import ServerRequestContext
from mcp.server.lowlevel import Server
from mcp.shared.exceptions import MCPError

from indelible.core.context.call import Caller
from indelible.core.context.context import Context, open_context
from indelible.server.http import listen, server
from indelible.server.mcp import server as mcp_server
from indelible.server.mcp.progress import in_thread
from indelible.settings import Settings

Request = ServerRequestContext[Any]
Handler = Callable[[Request, Any], Awaitable[Any]]

# A transparent pixel, and a WAVE file without a sample.
PIXEL = "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=="
SILENCE = base64.b64encode(
    b"RIFF"
    + (36).to_bytes(4, "little")
    + b"WAVEfmt "
    + (16).to_bytes(4, "little")
    + b"\x01\x00\x01\x00"
    + (8000).to_bytes(4, "little") * 2
    + b"\x01\x00\x08\x00"
    + b"data"
    + bytes(4)
).decode()


def text(said: str) -> types.TextContent:
    return types.TextContent(text=said)


def image() -> types.ImageContent:
    return types.ImageContent(data=PIXEL, mime_type="image/png")


def embedded(uri: str, mime: str, said: str) -> types.EmbeddedResource:
    return types.EmbeddedResource(resource=types.TextResourceContents(uri=uri, mime_type=mime, text=said))


# --- Tools ---

CONTENT: dict[str, list[Any]] = {
    "test_simple_text": [text("This is a simple text response for testing.")],
    "test_image_content": [image()],
    "test_audio_content": [types.AudioContent(data=SILENCE, mime_type="audio/wav")],
    "test_embedded_resource": [embedded("test://embedded-resource", "text/plain", "This is embedded.")],
    "test_multiple_content_types": [
        text("Multiple content types test:"),
        image(),
        embedded("test://mixed-content-resource", "application/json", '{"test":"data","value":123}'),
    ],
    "test_logging_tool": [text("Nothing is logged to a client.")],
    "test_streaming_elicitation": [text("Nothing is asked of a client.")],
}
OTHERS = ("test_error_handling", "test_tool_with_progress", "test_missing_capability")


def progressing(caller: Caller) -> types.CallToolResult:
    """Three steps; in the thread of the call, as our own long calls do it."""
    for done in (0, 50, 100):
        caller.progress(done, 100, f"Completed step {done} of 100")
        time.sleep(0.3)  # of two reports at once the later one is sent
    return types.CallToolResult(content=[text("Done.")])


async def call_fixture(request: Request, name: str) -> types.CallToolResult:
    if name == "test_error_handling":
        said = "This tool intentionally returns an error for testing"
        return types.CallToolResult(content=[text(said)], is_error=True)
    if name == "test_missing_capability":
        missing = {"requiredCapabilities": {"sampling": {}}}
        raise MCPError(types.MISSING_REQUIRED_CLIENT_CAPABILITY, "it needs a client that samples", missing)
    if name == "test_tool_with_progress":
        return await in_thread(request, progressing, mcp_server.anyio.CapacityLimiter(1))
    return types.CallToolResult(content=CONTENT[name])


def fixture_tools() -> list[types.Tool]:
    empty = {"type": "object", "properties": {}, "additionalProperties": False}
    return [
        types.Tool(name=name, description="For the conformance suite only", input_schema=empty)
        for name in (*CONTENT, *OTHERS)
    ]


# --- Prompts and resources ---


def user(content: Any) -> types.PromptMessage:
    return types.PromptMessage(role="user", content=content)


def prompt_messages(name: str, given: Mapping[str, str]) -> list[types.PromptMessage]:
    if name == "test_simple_prompt":
        return [user(text("This is a simple prompt for testing."))]
    if name == "test_prompt_with_arguments":
        return [user(text(f"Prompt with arguments: arg1='{given.get('arg1')}', arg2='{given.get('arg2')}'"))]
    if name == "test_prompt_with_image":
        return [user(image()), user(text("Please analyze the image above."))]
    resource = embedded(given.get("resourceUri", ""), "text/plain", "Embedded resource content for testing.")
    return [user(resource), user(text("Please process the embedded resource above."))]


PROMPTS = {
    "test_simple_prompt": (),
    "test_prompt_with_arguments": ("arg1", "arg2"),
    "test_prompt_with_image": (),
    "test_prompt_with_embedded_resource": ("resourceUri",),
}


def fixture_prompts() -> list[types.Prompt]:
    return [
        types.Prompt(
            name=name,
            description="For the conformance suite only",
            arguments=[types.PromptArgument(name=each, description="Any text", required=True) for each in arguments],
        )
        for name, arguments in PROMPTS.items()
    ]


def contents(uri: str) -> types.TextResourceContents | types.BlobResourceContents | None:
    if uri == "test://static-text":
        return types.TextResourceContents(uri=uri, mime_type="text/plain", text="This is static text.")
    if uri == "test://static-binary":
        return types.BlobResourceContents(uri=uri, mime_type="image/png", blob=PIXEL)
    if uri.startswith("test://template/") and uri.endswith("/data"):
        number = uri.split("/")[3]
        said = json.dumps({"id": number, "templateTest": True, "data": f"Data for ID: {number}"})
        return types.TextResourceContents(uri=uri, mime_type="application/json", text=said)
    return None


# --- Beside our own ---


def with_fixtures(*given: Any) -> Server[Any]:
    """Indelible's server, as it is served, with the fixtures around it."""
    server = mcp_server.build(*given)

    def around(method: str, make: Callable[[Handler], Handler]) -> None:
        entry = server.get_request_handler(method)
        assert entry is not None
        server.add_request_handler(method, entry.params_type, make(entry.handler))

    around("tools/list", lambda own: _listed(own, "tools", fixture_tools()))
    around("prompts/list", lambda own: _listed(own, "prompts", fixture_prompts()))
    around("tools/call", _calling)
    around("prompts/get", _prompting)
    around("resources/read", _reading)
    around("completion/complete", _completing)
    return server


def _listed(own: Handler, key: str, fixtures: list[Any]) -> Handler:
    async def lists(request: Request, params: Any) -> Any:
        result = await own(request, params)
        return result.model_copy(update={key: [*getattr(result, key), *fixtures]})

    return lists


def _calling(own: Handler) -> Handler:
    async def call(request: Request, params: types.CallToolRequestParams) -> Any:
        is_fixture = params.name in CONTENT or params.name in OTHERS
        return await (call_fixture(request, params.name) if is_fixture else own(request, params))

    return call


def _prompting(own: Handler) -> Handler:
    async def get(request: Request, params: types.GetPromptRequestParams) -> Any:
        if params.name not in PROMPTS:
            return await own(request, params)
        return types.GetPromptResult(messages=prompt_messages(params.name, params.arguments or {}))

    return get


def _reading(own: Handler) -> Handler:
    async def read(request: Request, params: types.ReadResourceRequestParams) -> Any:
        found = contents(params.uri)
        return await own(request, params) if found is None else types.ReadResourceResult(contents=[found])

    return read


def _completing(own: Handler) -> Handler:
    async def complete(request: Request, params: types.CompleteRequestParams) -> Any:
        if isinstance(params.ref, types.PromptReference) and params.ref.name in PROMPTS:
            return types.CompleteResult(completion=types.Completion(values=[], total=0, has_more=False))
        return await own(request, params)

    return complete


def main() -> None:
    address = listen.parse("127.0.0.1:0")
    sockets = listen.listening(address)
    ctx: Context = open_context(Settings(data=Path(sys.argv[1]).absolute()))
    server.serve(ctx, sockets, listen.where(sockets, address), with_fixtures)


if __name__ == "__main__":
    main()
