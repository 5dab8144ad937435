// Fills Node's compile cache with all that a server and its threads load, as a server would. Without it, each thread of the
// first start loads Node's TypeScript compiler, which takes 20 to 30 MB and stays.
import { fileURLToPath } from "node:url";
import { setFlagsFromString } from "node:v8";
import { continueOnNode26 } from "./node26.mjs";

const threads = ["packages/catalogue-index/src/worker/index-worker.ts", "server/src/commands/serve-thread.ts"];
const urlOf = (file) => new URL(`../../${file}`, import.meta.url).href;

if (process.execArgv.some((flag) => flag.startsWith("--max-semi-space-size="))) {
  // As in server/src/main.ts, since code that was compiled with other flags is not used.
  for (const flag of ["--max-semi-space-size=0", "--min-semi-space-size=0"]) setFlagsFromString(flag);
  // The program of a thread fails outside of one, but is compiled before it fails.
  for (const thread of threads) await import(urlOf(thread)).catch(() => {});
  process.argv.splice(2, Number.POSITIVE_INFINITY, "serve", "--help");
  await import(urlOf("server/src/main.ts"));
} else await continueOnNode26(fileURLToPath(import.meta.url), []);
