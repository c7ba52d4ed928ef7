// @a2a-js/sdk 1.3: its reader of cards for both versions, its signatures, and the server's handler.
import {
  AgentCard,
  canonicalizeAgentCard,
  generateAgentCardSignature,
  verifyAgentCardSignature,
} from "@a2a-js/sdk";
import { DefaultAgentCardResolver } from "@a2a-js/sdk/client";
import { agentCardHandler } from "@a2a-js/sdk/server/express";
import { createRequire } from "node:module";
import { createPrivateKey, createPublicKey } from "node:crypto";
import express from "express";
import { answerLines, only, serveApp, Unsupported } from "./adapter.mjs";

// As a client that also speaks 0.3 gets a card; the request never leaves this process.
async function resolved(card) {
  const fetchImpl = async () => Response.json(card);
  const resolver = new DefaultAgentCardResolver({ fetchImpl, legacyCompat: { enabled: true } });
  return resolver.resolve("https://agent.invalid");
}

const operations = {
  validate: async (given) => {
    const document = only(given, "a2a-1.0", "a2a-0.3");
    try {
      await resolved(document);
      return { valid: true };
    } catch {
      return { valid: false };
    }
  },
  convert: async ({ from, to, document }) => {
    if (from !== "a2a-0.3" || to !== "a2a-1.0") throw new Unsupported("converts from 0.3 to 1.0");
    return { document: AgentCard.toJSON(await resolved(document)) };
  },
  canonical: (given) => {
    if (given.profile === "as-received") throw new Unsupported("has one canonical form");
    return { bytes: canonicalizeAgentCard(AgentCard.fromJSON(only(given, "a2a-1.0"))) };
  },
  sign: async ({ document, key, kid, alg }) => {
    const header = { alg, kid, typ: "JOSE" };
    const signed = await generateAgentCardSignature(createPrivateKey({ key, format: "jwk" }), header)(document);
    return { signature: signed.signatures.at(-1) };
  },
  verify: async ({ card, card_text, keys }) => {
    const byId = new Map((keys?.keys ?? []).map((key) => [key.kid, key]));
    const keyOf = async (kid) => createPublicKey({ key: byId.get(kid), format: "jwk" });
    try {
      await verifyAgentCardSignature(keyOf)(card ?? JSON.parse(card_text));
      return { verified: true };
    } catch {
      return { verified: false };
    }
  },
  serve: async (given) => {
    const card = AgentCard.fromJSON(only(given, "a2a-1.0"));
    const agentCardProvider = async () => card;
    return serveApp(express().use("/.well-known/agent-card.json", agentCardHandler({ agentCardProvider })));
  },
};

const manifest = new URL("./package.json", import.meta.url);
const { dependencies } = createRequire(import.meta.url)(manifest.pathname);
await answerLines("@a2a-js/sdk", dependencies["@a2a-js/sdk"], operations);
