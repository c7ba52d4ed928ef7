// What every adapter in JavaScript needs: the lines of the protocol, and a server.
import { createServer } from "node:http";
import { createInterface } from "node:readline";

export class Unsupported extends Error {}

export function only(given, ...dialects) {
  if (!dialects.includes(given.dialect)) throw new Unsupported(`reads ${dialects.join(", ")}`);
  return given.document;
}

let server;

// Serve an Express application, instead of the one before, and return its address.
export async function serveApp(app) {
  server?.close();
  server = createServer(app);
  await new Promise((resolve) => server.listen(0, "127.0.0.1", resolve));
  return { url: `http://127.0.0.1:${server.address().port}` };
}

async function answered(operation, given) {
  try {
    return { result: await operation(given) };
  } catch (error) {
    return error instanceof Unsupported ? { unsupported: error.message } : { error: String(error) };
  }
}

export async function answerLines(name, version, operations) {
  // What a library prints must not come between the answers.
  const write = (value) => process.stdout.write(`${JSON.stringify(value)}\n`);
  for (const level of ["log", "info", "debug", "warn"]) console[level] = () => {};
  for await (const line of createInterface({ input: process.stdin })) {
    const { id, operation, input } = JSON.parse(line);
    if (operation === "start") {
      write({ protocol: 1, name, version, language: "JavaScript", operations: Object.keys(operations) });
    } else {
      write({ id, ...(await answered(operations[operation], input)) });
    }
  }
  process.exit();
}
