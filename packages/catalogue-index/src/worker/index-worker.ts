import { type MessagePort, parentPort, workerData } from "node:worker_threads";
import { openEngine } from "../engine/open-engine.ts";
import { openEarly } from "./early-snapshot.ts";
import { IndexThread } from "./index-thread.ts";
import type { FromThread, Question, ThreadData, ThreadDatabase, ToThread } from "./messages.ts";

// The entry point of the catalogue index's thread (catalogue-index.ts). It opens the snapshot, then waits for the
// database.

const data = workerData as ThreadData;
let early = data.withoutSnapshot ? null : openEarly(data.snapshots.file, openEngine);
const post = (message: FromThread) => parentPort?.postMessage(message);
let fetching = Promise.withResolvers<boolean>();
let thread: IndexThread | null = null;

parentPort?.on("message", (message: ToThread) => {
  if (message !== "close" && "database" in message) start(message.database);
  else if (thread === null) process.exit();
  else if (message === "close") thread.close();
  else if ("port" in message) attach(thread, message.port);
  else if ("isFetched" in message) fetching.resolve(message.isFetched);
  else thread.receive(message);
});

function start({ sharesSnapshots, ...database }: ThreadDatabase): void {
  thread = new IndexThread({
    ...data,
    ...database,
    openEngine,
    early,
    post,
    fetchSnapshot: (owner) => {
      if (!sharesSnapshots) return Promise.resolve(false);
      fetching = Promise.withResolvers();
      post({ fetch: owner });
      return fetching.promise;
    },
  });
  // Otherwise the memory of the early snapshot could not be freed when the index is built again.
  early = null;
  void thread.run().then(() => process.exit());
}

function attach(indexThread: IndexThread, port: MessagePort): void {
  const post = (reply: FromThread) => port.postMessage(reply);
  const detach = indexThread.attach(post);
  port.on("message", (questions: Question[]) => indexThread.receive(questions, post));
  port.on("close", detach);
}
