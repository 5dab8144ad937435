#!/usr/bin/env node
import { fileURLToPath } from "node:url";
import { continueOnNode26 } from "../../scripts/node/node26.mjs";

// Node resolves this file's own links, so it finds the program from node_modules/.bin too.
try {
  await continueOnNode26(fileURLToPath(new URL("../src/main.ts", import.meta.url)), process.argv.slice(2));
} catch (error) {
  console.error(`error: ${error.message}`);
  process.exitCode = 1;
}
