// The client of @a2a-js/sdk 0.3 for one binding.
import {
  ClientFactory,
  DefaultAgentCardResolver,
  JsonRpcTransportFactory,
  RestTransportFactory,
} from "a2a-js-sdk-0.3/client";
import { GrpcTransportFactory } from "a2a-js-sdk-0.3/client/grpc";

const TRANSPORTS = { JSONRPC: JsonRpcTransportFactory, "HTTP+JSON": RestTransportFactory, GRPC: GrpcTransportFactory };

export async function olderClientOf(given, binding = "JSONRPC", { url = given.base, key = "" } = {}) {
  const fetchImpl = key ? (to, init) => fetch(to, { ...init, headers: { ...init?.headers, "X-Agent-API-Key": key } }) : fetch;
  return new ClientFactory({
    transports: [new TRANSPORTS[binding]({ fetchImpl })],
    preferredTransports: [binding],
    cardResolver: new DefaultAgentCardResolver({ fetchImpl }),
  }).createFromUrl(`${url}/`);
}
