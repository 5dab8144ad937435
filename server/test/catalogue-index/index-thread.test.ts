import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { RecordingEngine } from "@beatmarket/catalogue-index/testing/recording-engine.ts";
import { IndexThread } from "@beatmarket/catalogue-index/worker/index-thread.ts";
import type { Question } from "@beatmarket/catalogue-index/worker/messages.ts";
import { expect, onTestFinished, test } from "vitest";
import { insertBeats } from "../harness/database/catalogue.ts";
import { testDatabase } from "../harness/database/database.ts";

const database = await testDatabase();
await insertBeats(database, [{ title: "Beat" }]);

const question = (id: number, version: number): Question => ({
  id,
  version,
  query: { list: { filters: {}, sort: "newest", offset: 0, limit: 1 } },
});

test("an idle thread merges remaining changes in parts, and answers queries between the parts", async () => {
  const folder = await mkdtemp(join(tmpdir(), "beatmarket-index-thread-"));
  onTestFinished(() => rm(folder, { recursive: true }));
  const happened: string[] = [];
  const isDone = Promise.withResolvers<void>();
  /** The messages that arrive while each part is merged. */
  const arriving = [[], [question(1, 0)], [question(2, 1)], []];
  class Merging extends RecordingEngine {
    // The build compacts before the first query, so that call does not count.
    override compact(): boolean {
      if (happened.length === 0) return false;
      const questions = arriving.shift();
      if (questions === undefined) {
        isDone.resolve();
        return false;
      }
      happened.push("merged");
      if (questions.length > 0) setImmediate(() => thread.receive(questions));
      return true;
    }
  }
  const thread: IndexThread = new IndexThread({
    address: database.address,
    session: {},
    // The thread starts to merge after the same short time.
    snapshots: { file: join(folder, "snapshot"), fromBeats: 1_000, minAgeMs: 5 },
    withoutSnapshot: false,
    early: null,
    fetchSnapshot: () => Promise.resolve(false),
    openEngine: () => new Merging(),
    post: ({ replies = [] }) => happened.push(...replies.map(({ id }) => `answered ${id}`)),
  });
  const running = thread.run();
  thread.receive([question(0, 0)]);
  await isDone.promise;
  thread.close();
  await running;
  expect(happened).toEqual(["answered 0", "merged", "merged", "answered 1", "merged", "answered 2", "merged"]);
});
