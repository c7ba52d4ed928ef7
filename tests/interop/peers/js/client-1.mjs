// The client of @a2a-js/sdk 1.x; `version` is the version of A2A that it uses.
import { TaskState } from "@a2a-js/sdk";
import { clientOf, resolver } from "./clients.mjs";
import { asked, report, run } from "./scenario.mjs";

const given = asked();
const state = (value) =>
  TaskState[value].replace("TASK_STATE_", "").toLowerCase().replaceAll("_", "-").replace("cancelled", "canceled");
const client = (binding, options) => clientOf(given, binding, options);

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
const named = (id) => ({ id, tenant: "", historyLength: undefined, metadata: undefined });
const texts = (parts) => parts.map((one) => one.content.value);

const sdk = {
  card: async () => (await resolver(fetch).resolve(`${given.base}/`)).name,
  send: async (text, binding) => texts((await (await client(binding)).sendMessage(saying(text))).parts).join(""),
  stream: async (text) => {
    const told = [];
    for await (const { payload } of (await client()).sendMessageStream(saying(text))) {
      if (payload.$case === "task") told.push(payload.value.id, state(payload.value.status.state));
      else if (payload.$case === "statusUpdate") told.push(state(payload.value.status.state));
      else told.push(...texts(payload.value.artifact.parts));
    }
    return told;
  },
  open: async () => (await (await client()).sendMessage(saying("ask"))).id,
  get: async (id) => {
    const task = await (await client()).getTask(named(id));
    return [state(task.status.state), task.artifacts.flatMap((one) => texts(one.parts)).join("")];
  },
  // A2A 0.3 has no method for it over JSON-RPC.
  list:
    given.version === "1.0" &&
    (async () => {
      const keyed = await client("JSONRPC", { url: given.kept, key: given.key });
      const { id } = await keyed.sendMessage(saying("ask"));
      const { tasks } = await keyed.listTasks({ tenant: "", contextId: "", status: 0, pageSize: 50, pageToken: "" });
      return [id, tasks.map((one) => one.id)];
    }),
  cancel: async (id) => state((await (await client()).cancelTask(named(id))).status.state),
  resubscribe: async () => {
    const one = await client();
    const stream = one.sendMessageStream(saying("wait"));
    const { id } = (await stream.next()).value.payload.value;
    await stream.return();
    const again = one.resubscribeTask(named(id));
    await again.next();
    await one.cancelTask(named(id));
    let last;
    for await (const event of again) last = event;
    return state(last.payload.value.status.state);
  },
  pushSet: async (taskId, url) => {
    const config = { tenant: "", taskId, id: "hook", url, token: "", authentication: undefined };
    return (await (await client()).createTaskPushNotificationConfig(config)).id;
  },
  pushGet: async (taskId, id) =>
    (await (await client()).getTaskPushNotificationConfig({ tenant: "", taskId, id })).url,
  pushList: async (taskId) => {
    const request = { tenant: "", taskId, pageSize: 50, pageToken: "" };
    return (await (await client()).listTaskPushNotificationConfig(request)).configs.map((one) => one.url);
  },
  pushDelete: async (taskId, id) => (await client()).deleteTaskPushNotificationConfig({ tenant: "", taskId, id }),
  extended: async () => {
    const keyed = await client("JSONRPC", { url: given.kept, key: given.key });
    return (await keyed.getAgentCard()).description;
  },
};

report("@a2a-js/sdk", await run(sdk, given));
