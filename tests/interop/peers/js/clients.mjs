// The client of @a2a-js/sdk 1.x for one binding and version of A2A.
import {
  ClientFactory,
  DefaultAgentCardResolver,
  JsonRpcTransportFactory,
  RestTransportFactory,
} from "@a2a-js/sdk/client";
import { GrpcTransportFactory } from "@a2a-js/sdk/client/grpc";

const legacyCompat = { enabled: true };
const TRANSPORTS = { JSONRPC: JsonRpcTransportFactory, "HTTP+JSON": RestTransportFactory, GRPC: GrpcTransportFactory };

export const resolver = (fetchImpl) => new DefaultAgentCardResolver({ legacyCompat, fetchImpl });

// Of a card with interfaces of several versions, only those of one version.
export async function clientOf(given, binding = "JSONRPC", { url = given.base, key = "" } = {}) {
  const fetchImpl = key ? (to, init) => fetch(to, { ...init, headers: { ...init?.headers, "X-Agent-API-Key": key } }) : fetch;
  const card = await resolver(fetchImpl).resolve(`${url}/`);
  const supportedInterfaces = card.supportedInterfaces.filter(
    (one) => one.protocolBinding === binding && one.protocolVersion.startsWith(given.version),
  );
  const transport = new TRANSPORTS[binding]({ legacyCompat, fetchImpl });
  return new ClientFactory({ transports: [transport] }).createFromAgentCard({ ...card, supportedInterfaces });
}
