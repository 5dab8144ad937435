// npm run conformance: installs what is missing, then drives the client libraries through their scenarios on Node 26.
import { spawnSync } from "node:child_process";
import { fileURLToPath } from "node:url";
import { ensureInstalled } from "./install.mjs";
import { ensureLanguages } from "./languages.mjs";
import { node26 } from "./node26.mjs";

await ensureInstalled({ dev: true });
ensureLanguages();
const main = fileURLToPath(new URL("../clients/conformance/main.ts", import.meta.url));
const { status } = spawnSync(node26(), [main, ...process.argv.slice(2)], { stdio: "inherit" });
process.exitCode = status ?? 1;
