import { type MessagePort, parentPort, workerData } from "node:worker_threads";
import { openEngine } from "../engine/open-engine.ts";
import { IndexThread } from "./index-thread.ts";
import type { FromThread, Question, ThreadData, ToThread } from "./messages.ts";

// The entry point of the catalogue index's thread (catalogue-index.ts).

const { sharesSnapshots, ...data } = workerData as ThreadData;
const post = (message: FromThread) => parentPort?.postMessage(message);
let fetching = Promise.withResolvers<boolean>();
const thread = new IndexThread({
  ...data,
  openEngine,
  post,
  fetchSnapshot: (owner) => {
    if (!sharesSnapshots) return Promise.resolve(false);
    fetching = Promise.withResolvers();
    post({ fetch: owner });
    return fetching.promise;
  },
});
parentPort?.on("message", (message: ToThread) => {
  if (message === "close") thread.close();
  else if ("port" in message) attach(message.port);
  else if ("isFetched" in message) fetching.resolve(message.isFetched);
  else thread.receive(message);
});

function attach(port: MessagePort): void {
  const post = (reply: FromThread) => port.postMessage(reply);
  const detach = thread.attach(post);
  port.on("message", (questions: Question[]) => thread.receive(questions, post));
  port.on("close", detach);
}

await thread.run();
process.exit();
