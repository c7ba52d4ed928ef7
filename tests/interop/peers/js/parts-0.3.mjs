// @a2a-js/sdk 0.3: an agent at the ports `HTTP GRPC` in the arguments, or without arguments a client.
import { DefaultRequestHandler, InMemoryTaskStore } from "a2a-js-sdk-0.3/server";
import { jsonRpcHandler, restHandler, UserBuilder } from "a2a-js-sdk-0.3/server/express";
import { A2AService, grpcService } from "a2a-js-sdk-0.3/server/grpc";
import { randomUUID } from "node:crypto";
import { olderClientOf } from "./clients-0.3.mjs";
import { main, reply } from "./parts.mjs";

const FILES = { raw: (value) => ({ bytes: value.toString("base64") }), url: (value) => ({ uri: value }) };
const made = ([kind, value]) =>
  FILES[kind] ? { kind: "file", file: FILES[kind](value) } : { kind, [kind]: value };
const message = (role, contents, more) => ({
  kind: "message", messageId: randomUUID(), role, parts: contents.map(made), ...more,
});
const content = ({ kind, file, ...others }) => {
  if (kind !== "file") return [kind, others[kind]];
  return file.uri === undefined ? ["raw", Buffer.from(file.bytes, "base64")] : ["url", file.uri];
};

class Echo {
  async execute({ contextId, userMessage }, bus) {
    bus.publish(message("agent", reply(userMessage.parts.map(content)), { contextId }));
    bus.finished();
  }

  cancelTask = async () => {};
}

async function send(call, sent) {
  const client = await olderClientOf(call, call.binding);
  return (await client.sendMessage({ message: message("user", sent) })).parts.map(content);
}

await main("a2a-js-sdk-0.3", send, () => {
  const card = { name: "Echo", capabilities: { streaming: true }, skills: [] };
  const requestHandler = new DefaultRequestHandler(card, new InMemoryTaskStore(), new Echo());
  const options = { requestHandler, userBuilder: UserBuilder.noAuthentication };
  return [[["/rpc", jsonRpcHandler(options)], ["/rest", restHandler(options)]], [[A2AService, grpcService(options)]]];
});
