// An agent of @a2a-js/sdk 0.3: JSON-RPC at /rpc, REST at /rest. `node agent-0.3.mjs PORT`.
import { DefaultRequestHandler, InMemoryTaskStore } from "a2a-js-sdk-0.3/server";
import { agentCardHandler, jsonRpcHandler, restHandler, UserBuilder } from "a2a-js-sdk-0.3/server/express";
import express from "express";
import { randomUUID } from "node:crypto";

const port = Number(process.argv[2]);
const origin = `http://127.0.0.1:${port}`;
const card = {
  name: "Tides",
  description: "Tells when the water is high.",
  version: "1.0.0",
  protocolVersion: "0.3.0",
  url: `${origin}/rpc`,
  preferredTransport: "JSONRPC",
  additionalInterfaces: [{ url: `${origin}/rest`, transport: "HTTP+JSON" }],
  capabilities: { streaming: true },
  defaultInputModes: ["text/plain"],
  defaultOutputModes: ["text/plain"],
  skills: [{ id: "high", name: "High water", description: "The next high water.", tags: ["sea"] }],
};
const waiting = new Map();
const message = (text, ids) => ({
  kind: "message",
  messageId: randomUUID(),
  role: "agent",
  parts: [{ kind: "text", text }],
  ...ids,
});

class Tides {
  async execute({ taskId, contextId, task, userMessage }, bus) {
    const ids = { taskId, contextId };
    const text = userMessage.parts.map((one) => one.text).join(" ");
    const status = (state, final, said) =>
      bus.publish({
        kind: "status-update",
        ...ids,
        status: { state, message: said && message(said, ids), timestamp: new Date().toISOString() },
        final,
      });
    const piece = (said, append) =>
      bus.publish({
        kind: "artifact-update",
        ...ids,
        artifact: { artifactId: "a", parts: [{ kind: "text", text: said }] },
        append,
      });
    if (task) {
      status("completed", true, `so it is ${text}`);
    } else if (!["task", "ask", "wait"].includes(text)) {
      bus.publish(message(`you said ${text}`, { contextId }));
    } else {
      bus.publish({ kind: "task", id: taskId, contextId, status: { state: "working" }, history: [userMessage], artifacts: [] });
      if (text === "ask") status("input-required", true, "which port?");
      if (text === "wait") {
        await new Promise((resolve) => waiting.set(taskId, resolve));
        status("canceled", true);
      }
      if (text === "task") {
        piece("high ", false);
        piece("water", true);
        status("completed", true);
      }
    }
    bus.finished();
  }

  cancelTask = async (taskId) => waiting.get(taskId)?.();
}

const requestHandler = new DefaultRequestHandler(card, new InMemoryTaskStore(), new Tides());
const options = { requestHandler, userBuilder: UserBuilder.noAuthentication };
const app = express();
app.use("/.well-known/agent-card.json", agentCardHandler({ agentCardProvider: requestHandler }));
app.use("/rpc", jsonRpcHandler(options));
app.use("/rest", restHandler(options));
app.listen(port, "127.0.0.1");
