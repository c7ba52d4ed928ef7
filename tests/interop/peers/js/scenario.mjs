// The calls that a JavaScript client makes, as ../scenario.py has them: an adapter has one function for each feature,
// and no function for a feature that its SDK does not have.
import { readFileSync } from "node:fs";

export const asked = () => JSON.parse(readFileSync(0, "utf8"));
const NAME = "Tides";
// The public card of the agent that needs a key has another one.
const DESCRIPTION = "Tells when the water is high.";
const MILLISECONDS = 20_000;

export const short = (error) =>
  `${error?.name ?? "Error"}: ${error?.message ?? error}`
    .replace(/(127\.0\.0\.1|localhost):\d+/g, "$1")
    .replace(/[0-9a-f]{8}-([0-9a-f]{4}-){3}[0-9a-f]{12}/g, "…")
    .replace(/\s+/g, " ")
    .replaceAll("|", "/")
    .slice(0, 160);

const expect = (seen, wanted) => {
  const [one, other] = [JSON.stringify(seen), JSON.stringify(wanted)];
  if (one !== other) throw new Error(`${other} expected, ${one} found`);
};

export const limited = (work) =>
  Promise.race([
    work,
    new Promise((_, reject) => setTimeout(() => reject(new Error("no result in time")), MILLISECONDS).unref()),
  ]);

export async function run(sdk, { hook }) {
  let task, open, config;
  const sending = (binding) => async () => expect(await sdk.send("good day", binding), "you said good day");
  const calls = {
    "read card": [sdk.card, async () => expect(await sdk.card(), NAME)],
    send: [sdk.send, sending("JSONRPC")],
    "HTTP+JSON": [sdk.send, sending("HTTP+JSON")],
    gRPC: [sdk.send, sending("GRPC")],
    stream: [
      sdk.stream,
      async () => {
        const [id, ...told] = await sdk.stream("task");
        task = id;
        expect(told.at(-1), "completed");
        expect(told.filter((one) => one === "high " || one === "water"), ["high ", "water"]);
      },
    ],
    "get task": [sdk.get, async () => expect(await sdk.get(task), ["completed", "high water"])],
    "list tasks": [
      sdk.list,
      async () => {
        const [opened, listed] = await sdk.list();
        expect(listed.includes(opened), true);
      },
    ],
    cancel: [sdk.cancel, async () => expect(await sdk.cancel(await sdk.open()), "canceled")],
    resubscribe: [sdk.resubscribe, async () => expect(await sdk.resubscribe(), "canceled")],
    "push set": [
      sdk.pushSet,
      async () => {
        open = await sdk.open();
        config = await sdk.pushSet(open, hook);
      },
    ],
    "push get": [sdk.pushGet, async () => expect(await sdk.pushGet(open, config), hook)],
    "push list": [sdk.pushList, async () => expect(await sdk.pushList(open), [hook])],
    "push delete": [
      sdk.pushDelete,
      async () => {
        await sdk.pushDelete(open, config);
        expect(await sdk.pushList(open), []);
      },
    ],
    "extended card": [sdk.extended, async () => expect(await sdk.extended(), DESCRIPTION)],
  };
  const cells = {};
  for (const [feature, [has, call]] of Object.entries(calls)) {
    if (!has) cells[feature] = "–";
    else cells[feature] = await limited(call()).then(() => "yes", (error) => `no: ${short(error)}`);
  }
  return cells;
}

export function report(module, cells) {
  const { version } = JSON.parse(readFileSync(new URL(`node_modules/${module}/package.json`, import.meta.url)));
  process.stdout.write(JSON.stringify({ version, cells }), () => process.exit(0));
}
