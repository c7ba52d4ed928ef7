// Run the MCP conformance suite with the given arguments, also with node 20, which lacks a function that the suite imports
// for its other commands.
import { register } from "node:module";

const fs = `export * from "node:fs"; export { default } from "node:fs"; export const globSync = () => [];`;
const hooks = `
export const resolve = (specifier, context, next) =>
  specifier === "fs" && context.parentURL?.includes("/@modelcontextprotocol/conformance/")
    ? { url: "data:text/javascript," + encodeURIComponent(${JSON.stringify(fs)}), shortCircuit: true }
    : next(specifier, context);
`;
register(`data:text/javascript,${encodeURIComponent(hooks)}`);
await import("./node_modules/@modelcontextprotocol/conformance/dist/index.js");
