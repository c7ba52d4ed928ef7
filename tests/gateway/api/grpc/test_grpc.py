"""The gRPC binding of the gateway, called by a2a-sdk's own clients and by bare stubs."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import jsonschema_rs
import pytest
from a2a.client import ClientConfig, ClientFactory
from a2a.compat.v0_3 import a2a_v0_3_pb2
from a2a.types import (
    AgentCard,
    GetExtendedAgentCardRequest,
    GetTaskRequest,
    ListTasksRequest,
    SendMessageRequest,
    TaskPushNotificationConfig,
    TaskState,
)
from a2a.utils.errors import TaskNotFoundError
from google.protobuf.json_format import ParseDict  # type: ignore[import-untyped] # no stubs

from cardwright import Card, call_agent
from cardwright.discovery.probe import probe
from cardwright.errors import BadConfiguration, BadResponse, MissingPackage
from cardwright.guard import Guard, GuardedClient
from cardwright.serve.listening import free_port
from cardwright.view.interfaces import interfaces
from cardwright_gateway import Gateway, GatewayConfig
from cardwright_gateway.auth.access_tokens import AccessTokens
from cardwright_rules import ROWS
from tests.discovery.probe.agents import Loopback
from tests.discovery.probe.certificates import issued, trusting
from tests.gateway.gateways import BASE, CARD
from tests.gateway.grpc_gateways import AGENTS, HOST, VERSION, message, refused, serving, stub
from tests.gateway.processes import before
from tests.gateway.tasks.gateways import OWNERS
from tests.grpc_modules import aio, grpc, services, services_of_0_3

if TYPE_CHECKING:
    from pathlib import Path

    from a2a.client import Client


async def client_of(gateway: Gateway, agent_id: str, version: str, *, streaming: bool) -> Client:
    """Return a2a-sdk's client for the gRPC interface of a card as the gateway serves it."""
    card = ParseDict(
        (await gateway.card(agent_id, form="1.0")).document, AgentCard(), ignore_unknown_fields=True
    )
    kept = [
        one
        for one in card.supported_interfaces
        if one.protocol_binding == "GRPC" and one.protocol_version == version
    ]
    del card.supported_interfaces[:]
    card.supported_interfaces.extend(kept)
    config = ClientConfig(
        streaming=streaming, grpc_channel_factory=aio.insecure_channel, supported_protocol_bindings=["GRPC"]
    )
    return ClientFactory(config).create(card)


def texts(event: Any) -> list[str]:
    parts = event.artifact_update.artifact.parts if event.HasField("artifact_update") else ()
    return [part.text for part in parts]


@pytest.mark.parametrize("version", ["1.0", "0.3"])
async def test_the_card_of_the_gateway_passes_its_schema_with_formats_asserted(version: str) -> None:
    async with serving(root="greeter") as (gateway, _):
        card = await gateway.card("greeter", form=version)

    schema = ROWS[str(card.dialect)].schema()
    assert "GRPC" in str(card.document)
    jsonschema_rs.Draft202012Validator(schema, validate_formats=True).validate(card.document)


@pytest.mark.parametrize("version", ["1.0", "0.3"])
async def test_the_client_of_the_sdk_sends_reads_and_lists_by_the_card(version: str) -> None:
    async with serving(root="greeter") as (gateway, _):
        client = await client_of(gateway, "greeter", version, streaming=False)
        async with client:
            (event,) = [one async for one in client.send_message(message("two words"))]
            task = event.task
            assert task.status.state == TaskState.TASK_STATE_COMPLETED
            assert [part.text for one in task.artifacts for part in one.parts] == ["2 words"]
            assert (await client.get_task(GetTaskRequest(id=task.id))).id == task.id
            with pytest.raises(TaskNotFoundError):
                await client.get_task(GetTaskRequest(id="none"))


@pytest.mark.parametrize("version", ["1.0", "0.3"])
async def test_a_stream_arrives_chunk_by_chunk(version: str) -> None:
    async with serving(root="pieces") as (gateway, _):
        client = await client_of(gateway, "pieces", version, streaming=True)
        async with client:
            events = [one async for one in client.send_message(message("Hel lo"))]
        assert [text for event in events for text in texts(event)] == ["Hel", "lo"]
        assert events[-1].status_update.status.state == TaskState.TASK_STATE_COMPLETED


async def test_a_card_lists_only_grpc_interfaces_that_reach_the_agent() -> None:
    async with serving(root="pieces") as (gateway, address):
        for agent_id, versions in (("greeter", ["1.0"]), ("pieces", ["1.0", "0.3"]), ("bare", [])):
            card = await gateway.card(agent_id)
            listed = [one for one in interfaces(card) if one.binding == "GRPC"]
            assert [one.version for one in listed] == versions
            assert {one.url for one in listed} <= {address}
            assert [one.tenant for one in listed] == [agent_id, None][: len(versions)]
            assert card.valid
        older = (await gateway.card("greeter", form="0.3")).document
        assert "GRPC" not in str(older)
        older = (await gateway.card("pieces", form="0.3")).document
        assert {"url": address, "transport": "GRPC"} in older["additionalInterfaces"]


async def test_the_default_address_in_a_card_is_the_host_of_the_gateway() -> None:
    gateway = Gateway(
        {"base_url": "https://gw.example/x", "agents": AGENTS, "owners": OWNERS, "grpc": {"port": 50051}}
    )

    async with gateway:
        card = (await gateway.card("greeter")).document
        assert card["supportedInterfaces"][-1]["url"] == "gw.example:50051"
    quiet = {"greeter": {**AGENTS["greeter"], "grpc": {"listed": False}}}
    settings = {"base_url": "https://gw.example", "agents": quiet, "owners": OWNERS, "grpc": {"port": 50051}}
    async with Gateway(settings) as gateway:
        assert "GRPC" not in str((await gateway.card("greeter")).document)


def test_without_its_own_address_grpc_uses_that_of_the_command() -> None:
    value = {"base_url": BASE, "agents": {}, "grpc": {"port": 1}}
    config = {**value, "grpc": {"port": 1, "host": "::1"}}
    grpc_settings = [GatewayConfig.from_value(one).at(host="0.0.0.0").grpc for one in (value, config)]  # noqa: S104 - not bound
    assert [one and one.host for one in grpc_settings] == ["0.0.0.0", "::1"]  # noqa: S104 - not bound


async def test_a_call_names_its_agent_by_tenant_or_metadata() -> None:
    async with serving() as (_, address), stub(address) as agent:
        code, info = await refused(agent.SendMessage(message("hi", "nobody"), metadata=[VERSION]))
        assert (code, info["reason"]) == (grpc.StatusCode.NOT_FOUND, "AGENT_NOT_FOUND")
        code, info = await refused(agent.SendMessage(message("hi"), metadata=[VERSION]))
        assert (code, info["reason"]) == (grpc.StatusCode.NOT_FOUND, "AGENT_NOT_FOUND")
        assert "tenant" in info["message"]
        named = [VERSION, ("a2a-tenant", "greeter")]
        assert (await agent.SendMessage(message("hi"), metadata=named)).task.id
        code, info = await refused(agent.SendMessage(message("hi", "pieces"), metadata=named))
        assert (code, info["reason"]) == (grpc.StatusCode.INVALID_ARGUMENT, "BAD_HEADER")
        code, info = await refused(agent.SendMessage(message("hi", "bare")))
        assert (code, info["reason"]) == (grpc.StatusCode.UNAVAILABLE, "NO_BACKEND")


async def test_a_call_of_0_3_names_its_agent_by_metadata() -> None:
    async with serving() as (_, address), aio.insecure_channel(address) as channel:
        older = services_of_0_3.A2AServiceStub(channel)
        # a2a-sdk writes base64 into this field, others the file itself.
        file = a2a_v0_3_pb2.Part(file=a2a_v0_3_pb2.FilePart(file_with_bytes=b"\x00\xff"))
        content = [a2a_v0_3_pb2.Part(text="two words"), file]
        request = a2a_v0_3_pb2.SendMessageRequest(
            request=a2a_v0_3_pb2.Message(message_id="m", role=a2a_v0_3_pb2.ROLE_USER, content=content),
            configuration=a2a_v0_3_pb2.SendMessageConfiguration(blocking=True),
        )
        named = [("a2a-tenant", "greeter")]
        reply = await older.SendMessage(request, metadata=named)
        assert reply.task.artifacts[0].parts[0].text == "2 words"
        assert reply.task.history[0].content[1].file.file_with_bytes == b"AP8="
        name = f"tasks/{reply.task.id}"
        read = await older.GetTask(a2a_v0_3_pb2.GetTaskRequest(name=name), metadata=named)
        assert read.id == reply.task.id
        code, info = await refused(
            older.GetTask(a2a_v0_3_pb2.GetTaskRequest(name="tasks/none"), metadata=named)
        )
        assert (code, info["reason"]) == (grpc.StatusCode.NOT_FOUND, "TASK_NOT_FOUND")
        # The form that a2a-sdk's clients of 0.3 read.
        assert info["message"].startswith("TaskNotFoundError: ")
        request.request.ClearField("role")
        code, info = await refused(older.SendMessage(request, metadata=named))
        assert (code, info["reason"]) == (grpc.StatusCode.INVALID_ARGUMENT, "INVALID_PARAMS")
        code, info = await refused(
            older.CancelTask(a2a_v0_3_pb2.CancelTaskRequest(name=reply.task.id), metadata=named)
        )
        assert (code, info["reason"]) == (grpc.StatusCode.INVALID_ARGUMENT, "INVALID_PARAMS")


@pytest.mark.parametrize(("compat", "accepted"), [({"compat": "beeos"}, True), ({}, False)])
async def test_a_client_credentials_access_token_counts_as_its_key(
    compat: dict[str, Any], *, accepted: bool
) -> None:
    async with serving(**compat) as (gateway, address), stub(address) as agent:
        secret = gateway.keys.issue("kept", "acme", actor="test")[1]
        token = ("authorization", f"Bearer {AccessTokens(gateway.deployment).issue(secret)}")
        call = agent.SendMessage(message("two words", "kept"), metadata=[VERSION, token])
        if accepted:
            assert (await call).task.artifacts[0].parts[0].text == "2 words"
        else:
            assert (await refused(call))[0] == grpc.StatusCode.UNAUTHENTICATED


async def test_a_key_is_accepted_and_a_wrong_one_refused() -> None:
    async with serving() as (gateway, address), stub(address) as agent:
        secret = gateway.keys.issue("kept", "acme", actor="test")[1]
        wrong = secret[:-4] + ("AAAA" if secret[-4:] != "AAAA" else "BBBB")
        for name, value in (
            ("x-agent-api-key", wrong),
            ("authorization", f"Bearer {wrong}"),
            ("x-other", "1"),
        ):
            call = agent.SendMessage(message("hi", "kept"), metadata=[VERSION, (name, value)])
            code, info = await refused(call)
            assert (code, info["reason"]) == (grpc.StatusCode.UNAUTHENTICATED, "UNAUTHENTICATED")
            assert dict(await call.trailing_metadata())["www-authenticate"].startswith("ApiKey")
        for name, value in (("x-agent-api-key", secret), ("authorization", f"Bearer {secret}")):
            sent = [VERSION, (name, value)]
            task = (await agent.SendMessage(message("two words", "kept"), metadata=sent)).task
            assert task.artifacts[0].parts[0].text == "2 words"
        listed = await agent.ListTasks(ListTasksRequest(tenant="kept"), metadata=sent)
        assert listed.total_size == 2
        card = await agent.GetExtendedAgentCard(GetExtendedAgentCardRequest(tenant="kept"), metadata=sent)
        assert card.name == CARD["name"]


async def test_an_invalid_request_or_a_version_of_another_service_is_refused() -> None:
    async with serving() as (_, address), aio.insecure_channel(address) as channel:
        raw = channel.unary_unary("/lf.a2a.v1.A2AService/GetTask")
        code, info = await refused(raw(b"\xff\xff"))
        assert (code, info["reason"]) == (grpc.StatusCode.INVALID_ARGUMENT, "INVALID_REQUEST")
        sent = GetTaskRequest(tenant="greeter", id="t").SerializeToString()
        code, info = await refused(raw(sent, metadata=[("a2a-version", "0.3")]))
        assert (code, info["reason"]) == (grpc.StatusCode.FAILED_PRECONDITION, "VERSION_NOT_SUPPORTED")
        code, info = await refused(
            services.A2AServiceStub(channel).SendMessage(SendMessageRequest(tenant="greeter"))
        )
        assert (code, info["reason"]) == (grpc.StatusCode.INVALID_ARGUMENT, "INVALID_PARAMS")
        with pytest.raises(aio.AioRpcError) as caught:
            await channel.unary_unary("/lf.a2a.v1.A2AService/Other")(b"")
        assert caught.value.code() == grpc.StatusCode.UNIMPLEMENTED


@pytest.mark.parametrize("agent_id", ["pieces", "kept"])
async def test_the_cardwright_probe_finds_no_violation(agent_id: str) -> None:
    port = free_port(HOST, 0)
    agents = {name: AGENTS[name] for name in ("pieces", "kept")}
    grpc_settings = {"port": port, "address": f"{HOST}:{port}"}
    client = GuardedClient(Guard(allow=("127.0.0.0/8",)))
    async with before(agents, owners=OWNERS, root="pieces", grpc=grpc_settings) as running, client:
        report = await probe(running.at(agent_id), client=client, send=True)
    over_grpc = [check for check in report.checks if "over GRPC" in check.subject]
    assert [check for check in over_grpc if check.outcome in ("error", "warning")] == []
    reached = [check for check in over_grpc if check.id == "probe/interface-reachable"]
    assert [check.outcome for check in reached] == ["pass"] * (2 if agent_id == "pieces" else 1)


async def test_push_configurations_are_refused_if_webhooks_are_disabled() -> None:
    async with serving() as (_, address), stub(address) as agent:
        config = TaskPushNotificationConfig(tenant="greeter", task_id="t", url="https://a.example")
        code, info = await refused(agent.CreateTaskPushNotificationConfig(config))
        assert (code, info["reason"]) == (
            grpc.StatusCode.FAILED_PRECONDITION,
            "PUSH_NOTIFICATION_NOT_SUPPORTED",
        )


async def test_with_a_certificate_the_server_uses_tls(tmp_path: Path) -> None:
    key, chain = issued("gateway.example")
    (tmp_path / "key.pem").write_bytes(key)
    (tmp_path / "chain.pem").write_bytes(chain)
    files = {"private_key": str(tmp_path / "key.pem"), "certificate": str(tmp_path / "chain.pem")}

    async with serving(grpc=files) as (gateway, address):
        port = int(address.rpartition(":")[2])
        client = GuardedClient(Guard(allow=("127.0.0.0/8",)), resolver=Loopback(), ssl_context=trusting())
        entry = {
            "url": f"https://gateway.example:{port}",
            "protocolBinding": "GRPC",
            "protocolVersion": "1.0",
            "tenant": "greeter",
        }
        card = Card.from_document({**CARD, "supportedInterfaces": [entry]})
        async with client:
            reply = await call_agent(card, "two words", client=client)
            unknown = Card.from_document({**CARD, "supportedInterfaces": [{**entry, "tenant": "nobody"}]})
            with pytest.raises(BadResponse, match=r"gRPC status NOT_FOUND \(AGENT_NOT_FOUND\)"):
                await call_agent(unknown, "two words", client=client)
        assert reply.text == "2 words"
        assert gateway.agents["greeter"].running_calls == 0


async def test_a_call_that_came_from_the_gateway_itself_is_a_loop() -> None:
    async with serving() as (gateway, address), stub(address) as agent:
        came = [VERSION, ("cdn-loop", gateway.loops.name)]
        code, info = await refused(agent.SendMessage(message("hi", "greeter"), metadata=came))
        assert (code, info["reason"]) == (grpc.StatusCode.FAILED_PRECONDITION, "LOOP_DETECTED")


async def test_a_port_in_use_or_an_incomplete_certificate_is_a_settings_error() -> None:
    async with serving() as (_, address):
        port = int(address.rpartition(":")[2])
        second = Gateway({"base_url": BASE, "agents": {}, "grpc": {"port": port}})
        with pytest.raises(BadConfiguration, match=f"port {port}"):
            await second.start()
        await second.close()
    with pytest.raises(BadConfiguration, match="private_key is missing"):
        Gateway({"base_url": BASE, "agents": {}, "grpc": {"port": 1, "certificate": "a.pem"}})


def test_without_grpcio_the_error_has_the_install_command(monkeypatch: pytest.MonkeyPatch) -> None:
    import sys

    for name in [name for name in sys.modules if name.startswith("cardwright_gateway.api.grpc")]:
        monkeypatch.delitem(sys.modules, name)
    monkeypatch.setitem(sys.modules, "grpc", None)
    with pytest.raises(MissingPackage, match=r'grpcio is not installed; .*"cardwright\[grpc\]"'):
        Gateway({"base_url": BASE, "agents": {}, "grpc": {"port": 1}})
