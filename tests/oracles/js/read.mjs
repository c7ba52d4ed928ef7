// What @a2a-js/sdk sees in each card of a JSON array: from standard input to standard output.
import { readFileSync } from "node:fs";
import { isDeepStrictEqual } from "node:util";
import { AgentCard } from "@a2a-js/sdk";
import { DefaultAgentCardResolver } from "@a2a-js/sdk/client";

// As a client that also speaks 0.3 gets it; what is served never leaves this process.
async function resolved(card) {
  const fetchImpl = async () => Response.json(card);
  const resolver = new DefaultAgentCardResolver({ fetchImpl, legacyCompat: { enabled: true } });
  const met = await resolver.resolve("https://agent.invalid");
  // A hybrid is handed on as it was served; anything else has become the SDK's own AgentCard.
  return isDeepStrictEqual(met, card) ? met : AgentCard.toJSON(met);
}

async function sight(card) {
  try {
    return { read: AgentCard.toJSON(AgentCard.fromJSON(card)), resolved: await resolved(card) };
  } catch (error) {
    return { refused: String(error) };
  }
}

const cards = JSON.parse(readFileSync(0, "utf8"));
process.stdout.write(JSON.stringify(await Promise.all(cards.map(sight))));
