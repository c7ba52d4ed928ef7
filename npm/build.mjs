// `node npm/build.mjs VERSION SOURCE TARGET`: build the npm package from the bundled schemas, rules and README in SOURCE.
import Ajv2020 from "ajv/dist/2020.js";
import standaloneCode from "ajv/dist/standalone/index.js";
import { build } from "esbuild";
import { compile } from "json-schema-to-typescript";
import { cp, mkdir, readFile, readdir, rm, writeFile } from "node:fs/promises";
import { basename, join } from "node:path";

const [version, source, target] = process.argv.slice(2);
const here = import.meta.dirname;
const SUFFIX = ".schema.json";
const names = (await readdir(join(source, "schemas"))).sort().map((file) => basename(file, SUFFIX));

await rm(target, { recursive: true, force: true });
await mkdir(join(target, "schemas"), { recursive: true });
await mkdir(join(target, "types"));

// Verdicts of Python and JavaScript agree: neither asserts formats.
const options = { allErrors: true, validateFormats: false, unicodeRegExp: true, logger: false };
const ajv = new Ajv2020({ ...options, code: { source: true, esm: true, lines: false } });
const functions = {};
const types = {};
for (const name of names) {
  const text = await readFile(join(source, "schemas", name + SUFFIX), "utf8");
  const schema = JSON.parse(text);
  await writeFile(join(target, "schemas", name + SUFFIX), JSON.stringify(schema));
  ajv.addSchema(schema, name);
  functions[identifier(name)] = name;
  types[name] = schema.title;
  // TypeScript has no conditions: what they distinguish is a union in a schema of its own.
  const union = await readFile(join(source, "types", name + SUFFIX), "utf8").catch(() => text);
  const code = await compile(JSON.parse(union), schema.title, {
    bannerComment: `/** Generated from ${schema.$id}. */`,
    additionalProperties: true,
    format: false,
    strictIndexSignatures: true,
    unreachableDefinitions: false,
  });
  await writeFile(join(target, "types", `${name}.d.ts`), code);
}

// One file without dependencies: the code that Ajv writes imports two of its helpers.
await build({
  stdin: { contents: standaloneCode(ajv, functions), resolveDir: here, loader: "js" },
  outfile: join(target, "validators.js"),
  bundle: true,
  format: "esm",
  minify: true,
  target: "es2022",
  legalComments: "none",
});

const entries = Object.entries(functions);
await writeFile(
  join(target, "index.js"),
  `// The functions of the package; the README describes them.
import * as compiled from "./validators.js";

const validators = { ${entries.map(([name, dialect]) => `"${dialect}": compiled.${name}`).join(", ")} };

export const dialects = Object.freeze(Object.keys(validators));

export function validate(dialect, document) {
  const validator = Object.hasOwn(validators, dialect) ? validators[dialect] : undefined;
  if (!validator) throw new RangeError(\`unknown dialect \${dialect}; known dialects: \${dialects.join(", ")}\`);
  const valid = validator(document);
  const errors = (validator.errors ?? []).map(({ instancePath, keyword, message, params }) => ({
    pointer: instancePath,
    keyword,
    message: message ?? keyword,
    params,
  }));
  return { valid, errors };
}
`,
);
await writeFile(
  join(target, "index.d.ts"),
  `${names.map((name) => `import type { ${types[name]} as ${identifier(name)} } from "./types/${name}.js";`).join("\n")}

/** The type of a document of each dialect. */
export interface Documents {
${names.map((name) => `  "${name}": ${identifier(name)};`).join("\n")}
}
export type Dialect = keyof Documents;

/** The names of the dialects. */
export const dialects: readonly Dialect[];

/** A keyword of the schema that a value breaks. */
export interface SchemaError {
  /** The place of the value (RFC 6901). */
  pointer: string;
  /** The JSON Schema keyword. */
  keyword: string;
  message: string;
  params: Record<string, unknown>;
}
export interface Verdict {
  valid: boolean;
  errors: SchemaError[];
}

/**
 * Validate a document against the schema of a dialect. Rules beyond the schema, which \`rules.json\` describes, are not applied.
 *
 * @throws RangeError if there is no such dialect.
 */
export function validate(dialect: Dialect, document: unknown): Verdict;
`,
);
await cp(join(source, "rules.json"), join(target, "rules.json"));
await cp(join(source, "README.md"), join(target, "README.md"));
await cp(join(here, "..", "LICENSE"), join(target, "LICENSE"));
await writeFile(
  join(target, "package.json"),
  `${JSON.stringify(
    {
      name: "cardwright-schemas",
      version,
      description: "JSON Schemas, TypeScript types and validators of A2A, Beach and MCP agent cards, and their rules.",
      license: "Apache-2.0",
      homepage: "https://cardwright.dev",
      keywords: ["a2a", "agent-card", "json-schema", "mcp", "validation"],
      type: "module",
      sideEffects: false,
      exports: {
        ".": { types: "./index.d.ts", default: "./index.js" },
        "./rules.json": "./rules.json",
        "./schemas/*": "./schemas/*",
        "./types/*": { types: "./types/*.d.ts" },
      },
      types: "./index.d.ts",
    },
    null,
    2,
  )}\n`,
);

function identifier(name) {
  return name.replace(/[^A-Za-z0-9]/g, "_");
}
