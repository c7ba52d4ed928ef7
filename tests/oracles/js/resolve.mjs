// What @a2a-js/sdk sees in the cards of agents, and whether it has a client for each: a JSON object with the URLs
// of the agents and the header fields to send, if not its own, on standard input, the results on standard output.
import { readFileSync } from "node:fs";
import { isDeepStrictEqual } from "node:util";
import { AgentCard } from "@a2a-js/sdk";
import {
  ClientFactory,
  DefaultAgentCardResolver,
  JsonRpcTransportFactory,
  RestTransportFactory,
} from "@a2a-js/sdk/client";

const { bases, headers } = JSON.parse(readFileSync(0, "utf8"));
const legacyCompat = { enabled: true };
// Of itself, the resolver asks for A2A 1.0.
const fetchImpl = (url, init) => fetch(url, headers ? { ...init, headers } : init);
const cardResolver = new DefaultAgentCardResolver({ fetchImpl, legacyCompat });
const factory = new ClientFactory({
  transports: [new JsonRpcTransportFactory({ legacyCompat }), new RestTransportFactory({ legacyCompat })],
  cardResolver,
});

// A hybrid is handed on as it was served; anything else has become the SDK's own AgentCard.
async function sight(base) {
  let served;
  const keeping = async (...request) => {
    const response = await fetchImpl(...request);
    served = await response.clone().json();
    return response;
  };
  const card = await new DefaultAgentCardResolver({ fetchImpl: keeping, legacyCompat }).resolve(base);
  return AgentCard.toJSON(isDeepStrictEqual(card, served) ? AgentCard.fromJSON(card) : card);
}

async function met(base) {
  try {
    const seen = await sight(base);
    return { seen, client: await factory.createFromUrl(base).then(() => true, () => false) };
  } catch (error) {
    return { refused: String(error) };
  }
}

process.stdout.write(JSON.stringify(await Promise.all(bases.map(met))));
