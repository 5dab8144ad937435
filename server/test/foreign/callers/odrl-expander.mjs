// Prints a policy as N-Quads: node odrl-expander.mjs MODULES POLICY. Fails where JSON-LD would drop a term.
import { readFile } from "node:fs/promises";
import { createRequire } from "node:module";
import { join } from "node:path";

const [, , modules = "", file = ""] = process.argv;
const require = createRequire(join(modules, "index.js"));
const jsonld = require("jsonld");
const { CONTEXT_V1: context } = require("@digitalbazaar/odrl-context");

const documentLoader = async (url) => {
  if (!url.endsWith("www.w3.org/ns/odrl.jsonld")) throw new Error(`No context is known for ${url}.`);
  return { contextUrl: null, documentUrl: url, document: context };
};
const policy = JSON.parse(await readFile(file, "utf8"));
process.stdout.write(await jsonld.toRDF(policy, { format: "application/n-quads", documentLoader, safe: true }));
