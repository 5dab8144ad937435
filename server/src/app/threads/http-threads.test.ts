import type { CatalogueIndex } from "@beatmarket/catalogue-index/catalogue-index.ts";
import { expect, onTestFinished, test } from "vitest";
import { allocateThreadMemory, countsIn } from "../thread-memory.ts";
import { HttpThreads } from "./http-threads.ts";

/** The entry of a thread, as a module with this source. */
const entry = (source: string) => new URL(`data:text/javascript,${encodeURIComponent(source)}`);
/** The source of a thread that listens, and fails when it gets the message to retire. */
const failingEntry = `import { parentPort } from "node:worker_threads";
parentPort.on("message", (message) => {
  if (message === "retire") throw new Error("a mistake");
  if (message === "close") process.exit();
});
parentPort.postMessage("listening");`;

const logger = () => {
  const lines: string[] = [];
  const note = (_: unknown, text: string) => lines.push(text);
  return { lines, error: note, fatal: note };
};

function open(source: string, count = 2) {
  const log = logger();
  const errors: Error[] = [];
  const memory = allocateThreadMemory(count + 1);
  const threads = new HttpThreads({
    count,
    entry: entry(source),
    memory,
    certificate: null,
    onLost: (error) => errors.push(error),
    data: { address: { url: "" }, socketPath: "", port: 0, publicUrl: "", portalFolder: "" },
    index: { share: () => () => {} } as unknown as CatalogueIndex,
    logger: log as never,
  });
  onTestFinished(() => threads.close());
  return { threads, memory, lost: errors, log };
}

test("a thread that ends is replaced, counted and logged, and its connections no longer count", async () => {
  const { threads, memory, log, lost } = open(failingEntry);
  await threads.listen();
  const places = countsIn(memory).connections(0, () => {});
  places.run(() => places.add("192.0.2.7", 3));
  threads.retire();
  await expect.poll(() => threads.ends).toBe(2);
  expect(log.lines).toEqual(Array(2).fill("a thread that answers HTTP ended; starting another one"));
  expect(places.run(() => places.placesOf("192.0.2.7"))).toBe(0);
  await expect.poll(() => threads.size).toBe(2);
  expect(lost).toEqual([]);
});

test("threads that end repeatedly stop the server", async () => {
  const { threads, lost, log } = open(
    `import { parentPort } from "node:worker_threads";
     parentPort.on("message", () => process.exit());
     parentPort.postMessage("listening");
     setTimeout(() => { throw new Error("a mistake"); });`,
    1,
  );
  await threads.listen();
  await expect.poll(() => lost.length).toBe(1);
  expect(lost[0]?.message).toBe("5 threads that answer HTTP ended within a minute. The server stops.");
  expect(log.lines.at(-1)).toBe(lost[0]?.message);
  expect(threads.ends).toBe(5);
});

test("a thread that cannot listen causes the start to fail", async () => {
  const { threads } = open(`throw Object.assign(new Error("in use"), { code: "EADDRINUSE" });`, 1);
  await expect(threads.listen()).rejects.toThrow("in use");
});
