// npm run quality: installs what is missing, then judges search by server/test/search-quality on Node 26.
import { spawnSync } from "node:child_process";
import { fileURLToPath } from "node:url";
import { ensureInstalled } from "./node/install-packages.mjs";
import { node26 } from "./node/node26.mjs";

await ensureInstalled({ dev: true });
const main = fileURLToPath(new URL("../server/test/search-quality/search-quality.main.ts", import.meta.url));
const { status } = spawnSync(node26(), [main, ...process.argv.slice(2)], { stdio: "inherit" });
process.exitCode = status ?? 1;
