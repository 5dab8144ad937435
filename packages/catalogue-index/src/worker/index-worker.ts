import { parentPort, workerData } from "node:worker_threads";
import { openEngine } from "../engine/open-engine.ts";
import { IndexThread } from "./index-thread.ts";
import type { FromThread, ThreadData, ToThread } from "./messages.ts";

// The entry point of the catalogue index's thread (catalogue-index.ts).

const thread = new IndexThread({
  ...(workerData as ThreadData),
  openEngine,
  post: (message: FromThread) => parentPort?.postMessage(message),
});
parentPort?.on("message", (message: ToThread) => {
  if (message === "close") thread.close();
  else thread.receive(message);
});
await thread.run();
process.exit();
