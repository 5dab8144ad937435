// Fills Node's compile cache with all modules that a server and its threads load. With an empty cache, each thread of
// the first start loads Node's TypeScript compiler, which takes 20 to 30 MB and stays in memory.
import { fileURLToPath } from "node:url";
import { setFlagsFromString } from "node:v8";
import { continueOnNode26 } from "./node26.mjs";

const threads = ["packages/catalogue-index/src/worker/index-worker.ts", "server/src/commands/serve-thread.ts"];
/** The rest of the program of `serve`, which loads it while PostgreSQL starts. */
const service = "server/src/commands/start-service.ts";
const urlOf = (file) => new URL(`../../${file}`, import.meta.url).href;

if (process.execArgv.some((flag) => flag.startsWith("--max-semi-space-size="))) {
  // The same flags as in server/src/main.ts, because Node does not use code that was compiled with other flags.
  for (const flag of ["--max-semi-space-size=0", "--min-semi-space-size=0"]) setFlagsFromString(flag);
  // The program of a thread fails outside of a thread, but Node compiles it first.
  for (const thread of threads) await import(urlOf(thread)).catch(() => {});
  await import(urlOf(service));
  process.argv.splice(2, Number.POSITIVE_INFINITY, "serve", "--help");
  await import(urlOf("server/src/main.ts"));
} else await continueOnNode26(fileURLToPath(import.meta.url), []);
