import { FakeClock } from "@beatmarket/foundation/testing/fake-clock.ts";
import { beforeEach, describe, expect, test } from "vitest";
import { jobsDatabase } from "../testing/jobs-database.ts";
import {
  claimJob,
  completeJob,
  enqueue,
  failJob,
  type Job,
  nextDueMs,
  queueState,
  releaseJob,
  renewLease,
} from "./queue.ts";

const { query: db } = await jobsDatabase();
const clock = new FakeClock();
const kinds = ["analyse"];
beforeEach(() => db.deleteFrom("media_jobs").execute());

const add = (subject: string, userId: number | null = 1, priority = 0) =>
  enqueue(db, { kind: "analyse", subject, userId, priority, now: clock.now() });
const claim = () => claimJob(db, { kinds, lease: crypto.randomUUID(), now: clock.now() });
async function claimed(): Promise<Job> {
  const job = await claim();
  if (job === null) throw new Error("No job is due.");
  return job;
}
/** As when the worker died a minute ago. */
const expireLeases = () =>
  db
    .updateTable("media_jobs")
    .set({ leased_until: new Date(0) })
    .execute();
async function doneInOrder(): Promise<string[]> {
  const subjects: string[] = [];
  for (let job = await claim(); job !== null; job = await claim()) {
    subjects.push(job.subject);
    await completeJob(db, job);
  }
  return subjects;
}

describe("a job", () => {
  test("is one however often it is asked for, and can be asked for again when it is done", async () => {
    await add("a");
    await add("a");
    expect(await doneInOrder()).toEqual(["a"]);
    await add("a");
    expect(await doneInOrder()).toEqual(["a"]);
  });

  test("that is asked for while it runs is done again afterwards", async () => {
    await add("a");
    const first = await claimed();
    await add("a");
    expect(await claim()).toBeNull();
    await completeJob(db, first);
    const second = await claimed();
    expect(second).toMatchObject({ subject: "a", attempts: 1 });
    await completeJob(db, second);
    expect(await claim()).toBeNull();
  });

  test("is held by one worker, until its lease expires", async () => {
    await add("a");
    const first = await claimed();
    expect(await claim()).toBeNull();
    expect(await renewLease(db, first)).toBe(true);
    await expireLeases();
    expect(await claimed()).toMatchObject({ subject: "a", attempts: 2 });
  });

  test("is none of the worker's any more that lost its lease", async () => {
    await add("a");
    const first = await claimed();
    await expireLeases();
    const second = await claimed();
    expect(await renewLease(db, first)).toBe(false);
    await failJob(db, first, { error: "x", retryAt: clock.now() });
    await releaseJob(db, first, clock.now());
    await completeJob(db, first);
    expect(await claim()).toBeNull();
    expect(await renewLease(db, second)).toBe(true);
  });

  test("that failed is due again later, and keeps its attempts and its error", async () => {
    await add("a");
    await failJob(db, await claimed(), { error: "out of memory", retryAt: new Date(clock.nowMs() + 10_000) });
    expect(await claim()).toBeNull();
    expect(await nextDueMs(db, kinds, clock.now())).toBe(10_000);
    clock.advance(10_000);
    expect(await claimed()).toMatchObject({ attempts: 2 });
    expect(await db.selectFrom("media_jobs").select("last_error").execute()).toEqual([{ last_error: "out of memory" }]);
  });

  test("that is given back has made no attempt", async () => {
    await add("a");
    await releaseJob(db, await claimed(), clock.now());
    expect(await claimed()).toMatchObject({ attempts: 1 });
  });

  test("is not there when its transaction is rolled back", async () => {
    const rollback = db.transaction().execute(async (transaction) => {
      await enqueue(transaction, { kind: "analyse", subject: "a", userId: 1, now: clock.now() });
      throw new Error("rolled back");
    });
    await expect(rollback).rejects.toThrow("rolled back");
    expect(await claim()).toBeNull();
  });

  test("of another kind stays for a worker that can do it", async () => {
    await enqueue(db, { kind: "preview", subject: "1", userId: 1, now: clock.now() });
    expect(await claim()).toBeNull();
    expect(await nextDueMs(db, kinds, clock.now())).toBeNull();
    expect(await nextDueMs(db, ["preview"], clock.now())).toBe(0);
  });
});

describe("the order", () => {
  test("alternates between accounts, however many files one of them sent before", async () => {
    for (const subject of ["a1", "a2", "a3", "a4", "a5"]) await add(subject, 1);
    const first = await claimed();
    await add("b1", 2);
    await add("b2", 2);
    await completeJob(db, first);
    expect([first.subject, ...(await doneInOrder())]).toEqual(["a1", "b1", "a2", "b2", "a3", "a4", "a5"]);
  });

  test("lets an account that comes later be next, not first of all", async () => {
    for (const subject of ["a1", "a2", "a3"]) await add(subject, 1);
    for (const subject of ["b1", "b2", "b3"]) await add(subject, 2);
    for (let done = 0; done < 4; done++) await completeJob(db, await claimed());
    await add("c1", 3);
    expect(await doneInOrder()).toEqual(["a3", "b3", "c1"]);
  });

  test("has what nobody waits for at its end", async () => {
    await add("demo", null, 10);
    await add("a", 1);
    expect(await doneInOrder()).toEqual(["a", "demo"]);
  });
});

test("two workers that claim at once get different jobs", async () => {
  for (let n = 0; n < 6; n++) await add(String(n), n);
  const jobs = await Promise.all(Array.from({ length: 4 }, claim));
  const subjects = jobs.flatMap((job) => (job === null ? [] : [job.subject]));
  expect(new Set(subjects).size).toBe(subjects.length);
  expect(subjects.length).toBeGreaterThan(0);
});

test("the state of the queue: waiting jobs, running jobs, and the due time of the oldest", async () => {
  expect(await queueState(db, clock.now())).toEqual({ waiting: 0, running: 0, oldestSeconds: 0 });
  await add("a");
  await add("b");
  await add("c");
  await claimed();
  clock.advance(5_000);
  expect(await queueState(db, clock.now())).toEqual({ waiting: 2, running: 1, oldestSeconds: 5 });
  await expireLeases();
  expect(await queueState(db, clock.now())).toMatchObject({ waiting: 3, running: 0 });
});
