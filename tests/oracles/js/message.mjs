// What the client of @a2a-js/sdk gets of an agent that answers by messages: a JSON object with its URL and the version of A2A
// to use on standard input, the results on standard output.
import { readFileSync } from "node:fs";
import { ClientFactory, DefaultAgentCardResolver, JsonRpcTransportFactory } from "@a2a-js/sdk/client";

const { base, version } = JSON.parse(readFileSync(0, "utf8"));
const legacyCompat = { enabled: true };
// The resolver takes the form of 1.0 of a card that has both.
const fetchImpl = async (url, init) => {
  const card = await (await fetch(url, init)).json();
  if (version === "0.3") delete card.supportedInterfaces;
  return Response.json(card);
};
const factory = new ClientFactory({
  transports: [new JsonRpcTransportFactory({ legacyCompat })],
  cardResolver: new DefaultAgentCardResolver({ fetchImpl, legacyCompat }),
});
const client = await factory.createFromUrl(`${base}/`);
const request = {
  message: {
    messageId: "m-1",
    role: 1,
    parts: [{ content: { $case: "text", value: "good day" }, metadata: undefined, filename: "", mediaType: "" }],
    contextId: "",
    taskId: "",
    extensions: [],
    referenceTaskIds: [],
    metadata: undefined,
  },
  configuration: undefined,
  metadata: undefined,
  tenant: "",
};
const text = (message) => message.parts[0].content.value;
const message = text(await client.sendMessage(request));
const messages = [];
for await (const { payload } of client.sendMessageStream(request)) messages.push(text(payload.value));
const named = { id: "none", tenant: "", historyLength: undefined, metadata: undefined };
const refused = await client.getTask(named).then(() => "", (error) => `${error.name}: ${error.message}`);

process.stdout.write(JSON.stringify({ messages: [message, ...messages], refused }));
