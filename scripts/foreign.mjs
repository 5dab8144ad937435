// npm run foreign: installs what is missing, then runs third-party tools against the server on Node 26.
import { spawnSync } from "node:child_process";
import { fileURLToPath } from "node:url";
import { ensureInstalled } from "./node/install-packages.mjs";
import { node26 } from "./node/node26.mjs";
import { ensureRequirements, programs } from "./tests/requirements.mjs";

await ensureInstalled({ dev: true });
ensureRequirements(programs.filter(({ packages }) => packages.includes("curl")));
const main = fileURLToPath(new URL("../server/test/foreign/foreign.main.ts", import.meta.url));
const { status } = spawnSync(node26(), [main, ...process.argv.slice(2)], { stdio: "inherit" });
process.exitCode = status ?? 1;
