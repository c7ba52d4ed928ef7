// What the client of @a2a-js/sdk gets of an agent: a JSON object with its URL, the binding to use and
// the version to ask its card for on standard input, the results on standard output. The agent is one of tests/gateway/agents or old_sdk.
import { readFileSync } from "node:fs";
import { TaskState } from "@a2a-js/sdk";
import {
  ClientFactory,
  DefaultAgentCardResolver,
  JsonRpcTransportFactory,
  RestTransportFactory,
} from "@a2a-js/sdk/client";

const { base, binding, version } = JSON.parse(readFileSync(0, "utf8"));
const legacyCompat = { enabled: true };
// Of itself, the resolver asks for the card of A2A 1.0, which an agent of 0.3 has not.
const fetchImpl = (url, init) => fetch(url, { ...init, headers: { "A2A-Version": version } });
const transport = { JSONRPC: JsonRpcTransportFactory, "HTTP+JSON": RestTransportFactory }[binding];
const factory = new ClientFactory({
  transports: [new transport({ legacyCompat })],
  cardResolver: new DefaultAgentCardResolver({ fetchImpl, legacyCompat }),
});
const client = await factory.createFromUrl(`${base}/`);

let sent = 0;
const saying = (text) => ({
  message: {
    messageId: `m-${(sent += 1)}`,
    role: 1,
    parts: [{ content: { $case: "text", value: text }, metadata: undefined, filename: "", mediaType: "" }],
    contextId: "",
    taskId: "",
    extensions: [],
    referenceTaskIds: [],
    metadata: undefined,
  },
  configuration: undefined,
  metadata: undefined,
  tenant: "",
});
const message = await client.sendMessage(saying("good day"));
const events = [];
for await (const event of client.sendMessageStream(saying("task"))) {
  events.push(event);
}
const named = (id) => ({ id, tenant: "", historyLength: undefined, metadata: undefined });
const task = await client.getTask(named(events[0].payload.value.id));
const asked = await client.sendMessage(saying("ask"));
const cancelled = await client.cancelTask(named(asked.id));
const refused = await client.getTask(named("none")).then(() => "", (error) => `${error.name}: ${error.message}`);

process.stdout.write(
  JSON.stringify({
    message: message.parts[0].content.value,
    events: events.length,
    state: TaskState[task.status.state],
    cancelled: TaskState[cancelled.status.state],
    refused,
  }),
);
