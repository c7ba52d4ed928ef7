// An agent of @a2a-js/sdk 1.x, with A2A 1.0 and 0.3: JSON-RPC at /rpc, REST at /rest. `node agent-1.mjs PORT`.
import { AgentCard, Message, Task, TaskArtifactUpdateEvent, TaskState, TaskStatusUpdateEvent } from "@a2a-js/sdk";
import { AgentEvent, DefaultRequestHandler } from "@a2a-js/sdk/server";
import { InMemoryTaskStore } from "@a2a-js/sdk/server";
import { agentCardHandler, jsonRpcHandler, restHandler, UserBuilder } from "@a2a-js/sdk/server/express";
import express from "express";
import { randomUUID } from "node:crypto";

const port = Number(process.argv[2]);
const origin = `http://127.0.0.1:${port}`;
const card = AgentCard.fromJSON({
  name: "Tides",
  description: "Tells when the water is high.",
  version: "1.0.0",
  supportedInterfaces: ["1.0", "0.3"].flatMap((protocolVersion) => [
    { url: `${origin}/rpc`, protocolBinding: "JSONRPC", protocolVersion },
    { url: `${origin}/rest`, protocolBinding: "HTTP+JSON", protocolVersion },
  ]),
  capabilities: { streaming: true },
  defaultInputModes: ["text/plain"],
  defaultOutputModes: ["text/plain"],
  skills: [{ id: "high", name: "High water", description: "The next high water.", tags: ["sea"] }],
});
const waiting = new Map();
const message = (text, ids) =>
  Message.fromJSON({ messageId: randomUUID(), role: "ROLE_AGENT", parts: [{ text }], ...ids });

class Tides {
  async execute({ taskId, contextId, task, userMessage }, bus) {
    const ids = { taskId, contextId };
    const text = userMessage.parts.map((one) => one.content.value).join(" ");
    const status = (state, said) =>
      bus.publish(
        AgentEvent.statusUpdate(
          TaskStatusUpdateEvent.fromJSON({
            ...ids,
            status: { state, message: said && Message.toJSON(message(said, ids)), timestamp: new Date().toISOString() },
          }),
        ),
      );
    const piece = (said, append) =>
      bus.publish(
        AgentEvent.artifactUpdate(
          TaskArtifactUpdateEvent.fromJSON({ ...ids, artifact: { artifactId: "a", parts: [{ text: said }] }, append }),
        ),
      );
    if (task) {
      bus.publish(AgentEvent.task(task));
      status("TASK_STATE_COMPLETED", `so it is ${text}`);
    } else if (!["task", "ask", "wait"].includes(text)) {
      bus.publish(AgentEvent.message(message(`you said ${text}`, { contextId })));
    } else {
      bus.publish(
        AgentEvent.task(
          Task.fromJSON({ id: taskId, contextId, status: { state: "TASK_STATE_WORKING" }, history: [Message.toJSON(userMessage)] }),
        ),
      );
      if (text === "ask") status("TASK_STATE_INPUT_REQUIRED", "which port?");
      if (text === "wait") {
        await new Promise((resolve) => waiting.set(taskId, resolve));
        status("TASK_STATE_CANCELED");
      }
      if (text === "task") {
        piece("high ", false);
        piece("water", true);
        status("TASK_STATE_COMPLETED");
      }
    }
    bus.finished();
  }

  cancelTask = async (taskId) => waiting.get(taskId)?.();
}

const requestHandler = new DefaultRequestHandler(card, new InMemoryTaskStore(), new Tides());
const options = { requestHandler, userBuilder: UserBuilder.noAuthentication, legacyCompat: { enabled: true } };
const app = express();
app.use("/.well-known/agent-card.json", agentCardHandler({ agentCardProvider: requestHandler, legacyCompat: { enabled: true } }));
app.use("/rpc", jsonRpcHandler(options));
app.use("/rest", restHandler(options));
app.listen(port, "127.0.0.1");
