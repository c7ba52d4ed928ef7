// @a2a-js/sdk 1.x: an agent at the ports `HTTP GRPC` in the arguments, or without arguments a client.
import { AgentCard, Message } from "@a2a-js/sdk";
import { LegacyA2AService, legacyGrpcService } from "@a2a-js/sdk/compat/v0_3/server/grpc";
import { AgentEvent, DefaultRequestHandler, InMemoryTaskStore } from "@a2a-js/sdk/server";
import { jsonRpcHandler, restHandler, UserBuilder } from "@a2a-js/sdk/server/express";
import { A2AService, grpcService } from "@a2a-js/sdk/server/grpc";
import { randomUUID } from "node:crypto";
import { clientOf } from "./clients.mjs";
import { main, reply } from "./parts.mjs";

const message = (role, contents, more = {}) => ({
  ...Message.fromJSON({ messageId: randomUUID(), role, ...more }),
  parts: contents.map(([$case, value]) => ({ content: { $case, value }, metadata: undefined, filename: "", mediaType: "" })),
});
const contents = (parts) => parts.map(({ content }) => [content?.$case, content?.value]);

class Echo {
  async execute({ contextId, userMessage }, bus) {
    bus.publish(AgentEvent.message(message("ROLE_AGENT", reply(contents(userMessage.parts)), { contextId })));
    bus.finished();
  }

  cancelTask = async () => {};
}

async function send(call, sent) {
  const client = await clientOf(call, call.binding);
  const request = { message: message("ROLE_USER", sent), configuration: undefined, metadata: undefined, tenant: "" };
  return contents((await client.sendMessage(request)).parts);
}

await main("@a2a-js/sdk", send, () => {
  // The agent supports the versions of its card.
  const supportedInterfaces = ["1.0", "0.3"].flatMap((protocolVersion) =>
    ["JSONRPC", "HTTP+JSON", "GRPC"].map((protocolBinding) => ({ url: "http://echo.example", protocolBinding, protocolVersion })),
  );
  const card = AgentCard.fromJSON({ name: "Echo", supportedInterfaces, capabilities: { streaming: true } });
  const requestHandler = new DefaultRequestHandler(card, new InMemoryTaskStore(), new Echo());
  const options = { requestHandler, userBuilder: UserBuilder.noAuthentication, legacyCompat: { enabled: true } };
  return [
    [["/rpc", jsonRpcHandler(options)], ["/rest", restHandler(options)]],
    [[A2AService, grpcService(options)], [LegacyA2AService, legacyGrpcService(options)]],
  ];
});
