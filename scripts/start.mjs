import { fileURLToPath } from "node:url";
import { ensurePortalBuilt } from "./build-portal.mjs";
import { requireGlibc } from "./node/glibc.mjs";
import { ensureInstalled } from "./node/install-packages.mjs";
import { continueOnNode26 } from "./node/node26.mjs";

// `npm start`: installs and builds what is missing, then serves. Parameters after `--` go to the server.

try {
  requireGlibc();
  await ensureInstalled();
  await ensurePortalBuilt();
  const main = fileURLToPath(new URL("../server/src/main.ts", import.meta.url));
  await continueOnNode26(main, ["serve", ...process.argv.slice(2)]);
} catch (error) {
  console.error(`error: ${error.message}`);
  process.exitCode = 1;
}
