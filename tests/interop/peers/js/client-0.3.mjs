// The client of @a2a-js/sdk 0.3.
import { DefaultAgentCardResolver } from "a2a-js-sdk-0.3/client";
import { olderClientOf } from "./clients-0.3.mjs";
import { asked, report, run } from "./scenario.mjs";

const given = asked();
const client = (binding, options) => olderClientOf(given, binding, options);

let sent = 0;
const saying = (text) => ({
  message: { kind: "message", messageId: `m-${(sent += 1)}`, role: "user", parts: [{ kind: "text", text }] },
});
const texts = (parts) => parts.map((one) => one.text);

const sdk = {
  card: async () => (await new DefaultAgentCardResolver().resolve(`${given.base}/`)).name,
  send: async (text, binding) => texts((await (await client(binding)).sendMessage(saying(text))).parts).join(""),
  stream: async (text) => {
    const told = [];
    for await (const event of (await client()).sendMessageStream(saying(text))) {
      if (event.kind === "task") told.push(event.id, event.status.state);
      else if (event.kind === "status-update") told.push(event.status.state);
      else told.push(...texts(event.artifact.parts));
    }
    return told;
  },
  open: async () => (await (await client()).sendMessage(saying("ask"))).id,
  get: async (id) => {
    const task = await (await client()).getTask({ id });
    return [task.status.state, task.artifacts.flatMap((one) => texts(one.parts)).join("")];
  },
  // No `list`: A2A 0.3 has no method for it over JSON-RPC.
  cancel: async (id) => (await (await client()).cancelTask({ id })).status.state,
  resubscribe: async () => {
    const one = await client();
    const stream = one.sendMessageStream(saying("wait"));
    const { id } = (await stream.next()).value;
    await stream.return();
    const again = one.resubscribeTask({ id });
    await again.next();
    await one.cancelTask({ id });
    let last;
    for await (const event of again) last = event;
    return last.status.state;
  },
  pushSet: async (taskId, url) => {
    const config = { taskId, pushNotificationConfig: { id: "hook", url } };
    return (await (await client()).setTaskPushNotificationConfig(config)).pushNotificationConfig.id;
  },
  pushGet: async (id, config) => {
    const request = { id, pushNotificationConfigId: config };
    return (await (await client()).getTaskPushNotificationConfig(request)).pushNotificationConfig.url;
  },
  pushList: async (id) =>
    (await (await client()).listTaskPushNotificationConfig({ id })).map((one) => one.pushNotificationConfig.url),
  pushDelete: async (id, config) =>
    (await client()).deleteTaskPushNotificationConfig({ id, pushNotificationConfigId: config }),
  extended: async () => {
    const keyed = await client("JSONRPC", { url: given.kept, key: given.key });
    return (await keyed.getAgentCard()).description;
  },
};

report("a2a-js-sdk-0.3", await run(sdk, given));
