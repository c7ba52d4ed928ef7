// What @a2a-js/sdk signs of each card and which signatures it takes: a JSON array of jobs on standard input,
// the results on standard output.
import { readFileSync } from "node:fs";
import { AgentCard, canonicalizeAgentCard, generateAgentCardSignature, verifyAgentCardSignature } from "@a2a-js/sdk";

// The SDK tells there what it thinks of each signature.
console.debug = () => {};

const work = {
  // The bytes that it signs, of the JSON value or of its own AgentCard.
  value: ({ card }) => canonicalizeAgentCard(card),
  instance: ({ card }) => canonicalizeAgentCard(AgentCard.fromJSON(card)),
  sign: ({ card, key, header }) => generateAgentCardSignature(key, header)(card),
  verify: async ({ card, keys }) => {
    await verifyAgentCardSignature(async (kid) => keys[kid])(card);
    return true;
  },
};

async function done(job) {
  try {
    return { result: await work[job.task](job) };
  } catch (error) {
    return { refused: String(error) };
  }
}

const jobs = JSON.parse(readFileSync(0, "utf8"));
process.stdout.write(JSON.stringify(await Promise.all(jobs.map(done))));
