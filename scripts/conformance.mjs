// npm run conformance: installs what is missing, then runs the scenarios of the client libraries on Node 26.
import { spawnSync } from "node:child_process";
import { fileURLToPath } from "node:url";
import { ensureInstalled } from "./node/install-packages.mjs";
import { node26 } from "./node/node26.mjs";
import { ensureRequirements, languages } from "./tests/requirements.mjs";

await ensureInstalled({ dev: true });
ensureRequirements(languages);
const main = fileURLToPath(new URL("../clients/conformance/main.ts", import.meta.url));
const { status } = spawnSync(node26(), [main, ...process.argv.slice(2)], { stdio: "inherit" });
process.exitCode = status ?? 1;
