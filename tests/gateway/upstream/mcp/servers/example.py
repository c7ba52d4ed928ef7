"""An MCP server with the tools of the official conformance suite; names and texts are those of the suite.

Every part of MCP is in it that a gateway may pass on or not: kinds of content, resources, prompts, completions,
progress, logs, requests to the client, and since MCP 2026-07-28 requests for input.
"""

from __future__ import annotations

import asyncio
import base64
from typing import Annotated, Any

import mcp_types as types
from mcp import MCPError
from mcp.server.mcpserver import Context, MCPServer
from mcp.server.mcpserver.exceptions import ToolError
from mcp.server.mcpserver.prompts.base import UserMessage
from pydantic import BaseModel, Field

IMAGE = base64.b64encode(b"\x89PNG\r\n\x1a\n not quite an image").decode()
SOUND = base64.b64encode(b"RIFF not quite a sound").decode()
NAME = {"type": "object", "properties": {"name": {"type": "string"}}, "required": ["name"]}
ADDRESSED = {
    "$schema": "https://json-schema.org/draft/2020-12/schema",
    "type": "object",
    "$defs": {"address": {"$anchor": "addressDef", "type": "object", "properties": {"street": {"type": "string"}, "city": {"type": "string"}}}},
    "properties": {
        "name": {"type": "string"}, "address": {"$ref": "#/$defs/address"},
        "contactMethod": {"type": "string", "enum": ["phone", "email"]}, "phone": {"type": "string"}, "email": {"type": "string"},
    },
    "allOf": [{"anyOf": [{"required": ["phone"]}, {"required": ["email"]}]}],
    "if": {"properties": {"contactMethod": {"const": "phone"}}, "required": ["contactMethod"]},
    "then": {"required": ["phone"]},
    "else": {"required": ["email"]},
    "additionalProperties": False,
}  # fmt: skip


def image() -> types.ImageContent:
    return types.ImageContent(data=IMAGE, mime_type="image/png")


def embedded(uri: str, text: str, mime_type: str = "text/plain") -> types.EmbeddedResource:
    held = types.TextResourceContents(uri=uri, mime_type=mime_type, text=text)
    return types.EmbeddedResource(resource=held)


def elicited(message: str = "What is your name?") -> types.ElicitRequest:
    return types.ElicitRequest(params=types.ElicitRequestFormParams(message=message, requested_schema=NAME))


def sampled(text: str) -> types.CreateMessageRequest:
    message = types.SamplingMessage(role="user", content=types.TextContent(text=text))
    return types.CreateMessageRequest(
        params=types.CreateMessageRequestParams(messages=[message], max_tokens=50)
    )


class Answer(BaseModel):
    response: str


ExampleContext = Context[Any]
Region = Annotated[str, Field(json_schema_extra={"x-mcp-header": "Region"})]


class Example(MCPServer):
    """The server. Each call of `streamable_http_app` needs a new one."""

    def __init__(self) -> None:
        super().__init__("example", version="1.0.0", log_level="CRITICAL")
        for name in dir(self):
            if name.startswith("tool_"):
                self.add_tool(
                    getattr(self, name), name=f"test_{name.removeprefix('tool_')}", description="Test."
                )
            elif name.startswith("prompt_"):
                self.prompt(name=f"test_{name.removeprefix('prompt_')}", description="Test.")(
                    getattr(self, name)
                )
        self.add_tool(self.tool_simple_text, name="json_schema_2020_12_tool", description="Test.")
        self._tool_manager._tools["json_schema_2020_12_tool"].parameters = ADDRESSED  # pyright: ignore[reportPrivateUsage] # no other way
        self.resource("test://static-text", description="A text.")(self._text)
        self.resource("test://static-binary", mime_type="image/png")(self._image)
        self.resource("test://watched-resource")(self._text)
        self.resource("test://template/{id}/data")(self._templated)
        self.completion()(self._completed)  # type: ignore[no-untyped-call] # as mcp has it
        server = self._lowlevel_server
        server.add_request_handler("logging/setLevel", types.SetLevelRequestParams, self._empty)
        server.add_request_handler("resources/subscribe", types.SubscribeRequestParams, self._empty)
        server.add_request_handler("resources/unsubscribe", types.UnsubscribeRequestParams, self._empty)

    async def _empty(self, context: Any, params: Any) -> types.EmptyResult:
        del context, params
        return types.EmptyResult()

    async def _completed(self, ref: Any, argument: Any, context: Any) -> types.Completion:
        del ref, context
        return types.Completion(values=[f"{argument.value}-ville"], total=1, has_more=False)

    def _text(self) -> str:
        return "This is the content."

    def _image(self) -> bytes:
        return base64.b64decode(IMAGE)

    def _templated(self, id: str) -> str:  # noqa: A002 - as the template has it
        return f'{{"id": "{id}"}}'

    def tool_simple_text(self) -> str:
        return "This is a simple text response for testing."

    def tool_image_content(self) -> list[types.ImageContent]:
        return [image()]

    def tool_audio_content(self) -> list[types.AudioContent]:
        return [types.AudioContent(data=SOUND, mime_type="audio/wav")]

    def tool_embedded_resource(self) -> list[types.EmbeddedResource]:
        return [embedded("test://embedded-resource", "This is an embedded resource content.")]

    def tool_multiple_content_types(self) -> list[types.ContentBlock]:
        link = types.ResourceLink(name="static", uri="test://static-text")
        held = embedded("test://mixed-content-resource", '{"test":"data"}', "application/json")
        return [types.TextContent(text="Multiple content types test:"), image(), held, link]

    def tool_x_mcp_header(self, region: Region = "none") -> str:
        return f"region={region}"

    def tool_error_handling(self) -> str:
        raise ToolError("This tool intentionally returns an error for testing")

    async def tool_tool_with_logging(self, ctx: ExampleContext) -> str:
        for text in ("started", "processing", "completed"):
            await ctx.info(text)  # pyright: ignore[reportDeprecated] # what is tested
            await asyncio.sleep(0.05)
        return "done"

    async def tool_logging_tool(self, ctx: ExampleContext) -> str:
        return await self.tool_tool_with_logging(ctx)

    async def tool_tool_with_progress(self, ctx: ExampleContext) -> str:
        for done in (0, 50, 100):
            await ctx.report_progress(done, 100, f"step {done}")
            await asyncio.sleep(0.05)
        return "done"

    async def tool_sampling(self, prompt: str, ctx: ExampleContext) -> str:
        message = types.SamplingMessage(role="user", content=types.TextContent(text=prompt))
        result = await ctx.session.create_message(messages=[message], max_tokens=100)  # pyright: ignore[reportDeprecated] # what is tested
        return f"LLM response: {getattr(result.content, 'text', '')}"

    async def tool_elicitation(self, message: str, ctx: ExampleContext) -> str:
        result = await ctx.elicit(message=message, schema=Answer)
        return f"User response: {result.action}"

    async def tool_missing_capability(self, ctx: ExampleContext) -> str:
        declared = ctx.session.client_capabilities
        if declared is None or declared.sampling is None:
            needed: dict[str, Any] = {"requiredCapabilities": {"sampling": {}}}
            raise MCPError(types.MISSING_REQUIRED_CLIENT_CAPABILITY, "sampling is required", needed)
        return "ok"

    async def _input_required(self, ctx: ExampleContext, *, state: str | None = None, **requests: Any) -> Any:
        """Return a request for input; "ok" once every input is there, with the state if there is one."""
        given = ctx.input_responses or {}
        if requests.keys() <= given.keys() and ctx.request_state == state:
            return "ok, state-ok: everything is there"
        return types.InputRequiredResult(input_requests=requests, request_state=state)

    async def tool_input_required_result_elicitation(
        self, ctx: ExampleContext
    ) -> str | types.InputRequiredResult:
        result: str | types.InputRequiredResult = await self._input_required(ctx, user_name=elicited())
        return result

    async def tool_streaming_elicitation(self, ctx: ExampleContext) -> str | types.InputRequiredResult:
        return await self.tool_input_required_result_elicitation(ctx)

    async def tool_input_required_result_sampling(
        self, ctx: ExampleContext
    ) -> str | types.InputRequiredResult:
        result: str | types.InputRequiredResult = await self._input_required(
            ctx, capital_question=sampled("Which?")
        )
        return result

    async def tool_input_required_result_list_roots(
        self, ctx: ExampleContext
    ) -> str | types.InputRequiredResult:
        result: str | types.InputRequiredResult = await self._input_required(
            ctx, client_roots=types.ListRootsRequest()
        )
        return result

    async def tool_input_required_result_request_state(
        self, ctx: ExampleContext
    ) -> str | types.InputRequiredResult:
        result: str | types.InputRequiredResult = await self._input_required(
            ctx, state="nonce", confirm=elicited()
        )
        return result

    async def tool_input_required_result_tampered_state(
        self, ctx: ExampleContext
    ) -> str | types.InputRequiredResult:
        return await self.tool_input_required_result_request_state(ctx)

    async def tool_input_required_result_multiple_inputs(
        self, ctx: ExampleContext
    ) -> str | types.InputRequiredResult:
        result: str | types.InputRequiredResult = await self._input_required(
            ctx,
            state="several",
            user_name=elicited(),
            greeting=sampled("Greet."),
            client_roots=types.ListRootsRequest(),
        )
        return result

    async def tool_input_required_result_multi_round(
        self, ctx: ExampleContext
    ) -> str | types.InputRequiredResult:
        state, given = ctx.request_state or "0", ctx.input_responses or {}
        if state == "2" and "step2" in given:
            return "done after two rounds"
        step = 2 if state == "1" and "step1" in given else 1
        requests: dict[str, Any] = {f"step{step}": elicited(f"Step {step}: What is it?")}
        return types.InputRequiredResult(input_requests=requests, request_state=str(step))

    async def tool_input_required_result_capabilities(self, ctx: ExampleContext) -> types.InputRequiredResult:
        declared = ctx.client_capabilities or types.ClientCapabilities()
        requests: dict[str, Any] = {}
        if declared.sampling is not None:
            requests["sample"] = sampled("Say hello.")
        if declared.elicitation is not None:
            requests["ask"] = elicited()
        return types.InputRequiredResult(input_requests=requests, request_state="gated")

    async def prompt_simple_prompt(self) -> list[UserMessage]:
        return [UserMessage("This is a simple prompt for testing.")]

    async def prompt_prompt_with_arguments(self, arg1: str, arg2: str) -> list[UserMessage]:
        return [UserMessage(f"Prompt with arguments: arg1='{arg1}', arg2='{arg2}'")]

    async def prompt_prompt_with_embedded_resource(self, resourceUri: str) -> list[UserMessage]:  # noqa: N803 - as the suite has it
        return [UserMessage(embedded(resourceUri, "Embedded.")), UserMessage("Please process it.")]

    async def prompt_prompt_with_image(self) -> list[UserMessage]:
        return [UserMessage(image()), UserMessage("Please analyze it.")]

    async def prompt_input_required_result_prompt(
        self, ctx: ExampleContext
    ) -> list[UserMessage] | types.InputRequiredResult:
        if "user_context" in (ctx.input_responses or {}):
            return [UserMessage("Use the context.")]
        return types.InputRequiredResult(input_requests={"user_context": elicited("Which context?")})
