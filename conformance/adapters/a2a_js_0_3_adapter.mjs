// @a2a-js/sdk 0.3: the server's handler. It has no reader of cards: it takes any JSON value for one.
import { agentCardHandler } from "a2a-js-sdk-0.3/server/express";
import express from "express";
import { answerLines, only, serveApp } from "./adapter.mjs";

const operations = {
  serve: async (given) => {
    const card = only(given, "a2a-0.3");
    const agentCardProvider = async () => card;
    return serveApp(express().use("/.well-known/agent-card.json", agentCardHandler({ agentCardProvider })));
  },
};

await answerLines("@a2a-js/sdk", "0.3.14", operations);
