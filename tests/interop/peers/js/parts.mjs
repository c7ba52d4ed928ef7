// The parts that go through the gateway, as ../parts.py has them: a client sends each, or an agent replies.
import grpc from "@grpc/grpc-js";
import express from "express";
import { readFileSync } from "node:fs";
import { asked, limited, report, short } from "./scenario.mjs";

const PARTS = Object.fromEntries(
  JSON.parse(readFileSync(new URL("../parts.json", import.meta.url))).map(({ name, kind, value }) => [
    name,
    [kind, kind === "raw" ? Buffer.from(value, "hex") : value],
  ]),
);

const asJson = (contents) =>
  contents.map(([kind, value]) => [kind, kind === "raw" ? Buffer.from(value).toString("hex") : value]);

export const reply = ([[, name], ...others]) => [["text", JSON.stringify(asJson(others))], PARTS[name]];

async function sendEach(send) {
  const found = {};
  for (const [name, part] of Object.entries(PARTS)) {
    try {
      const [[, text], ...back] = await limited(send([["text", name], part]));
      found[name] = { sent: JSON.parse(text), read: asJson(back) };
    } catch (error) {
      found[name] = { error: short(error) };
    }
  }
  return found;
}

// `routes` are [path, handler], `services` are [definition, implementation] of gRPC.
async function serve(routes, services) {
  const [port, grpcPort] = process.argv.slice(2);
  const server = new grpc.Server();
  for (const [definition, implementation] of services) server.addService(definition, implementation);
  const credentials = grpc.ServerCredentials.createInsecure();
  await new Promise((resolve) => server.bindAsync(`127.0.0.1:${grpcPort}`, credentials, resolve));
  const app = express();
  for (const [path, handler] of routes) app.use(path, handler);
  app.listen(Number(port), "127.0.0.1");
}

export async function main(module, send, agent) {
  if (process.argv.length > 2) return serve(...agent());
  const cells = [];
  for (const call of asked().calls) cells.push(await sendEach((contents) => send(call, contents)));
  report(module, cells);
}
