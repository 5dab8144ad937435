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
async function claimDueJob(): Promise<Job> {
  const job = await claim();
  if (job === null) throw new Error("No job is due.");
  return job;
}
/** Simulates workers that died a minute ago. */
const expireLeases = () =>
  db
    .updateTable("media_jobs")
    .set({ leased_until: new Date(0) })
    .execute();
async function completeAll(): Promise<string[]> {
  const subjects: string[] = [];
  for (let job = await claim(); job !== null; job = await claim()) {
    subjects.push(job.subject);
    await completeJob(db, job);
  }
  return subjects;
}

describe("a job", () => {
  test("is queued once, however often it is requested, and can be requested again when it is done", async () => {
    await add("a");
    await add("a");
    expect(await completeAll()).toEqual(["a"]);
    await add("a");
    expect(await completeAll()).toEqual(["a"]);
  });

  test("runs again after a request during its attempt", async () => {
    await add("a");
    const first = await claimDueJob();
    await add("a");
    expect(await claim()).toBeNull();
    await completeJob(db, first);
    const second = await claimDueJob();
    expect(second).toMatchObject({ subject: "a", attempts: 1 });
    await completeJob(db, second);
    expect(await claim()).toBeNull();
  });

  test("belongs to one worker until its lease expires", async () => {
    await add("a");
    const first = await claimDueJob();
    expect(await claim()).toBeNull();
    expect(await renewLease(db, first)).toBe(true);
    await expireLeases();
    expect(await claimDueJob()).toMatchObject({ subject: "a", attempts: 2 });
  });

  test("cannot be changed by a worker that lost the lease", async () => {
    await add("a");
    const first = await claimDueJob();
    await expireLeases();
    const second = await claimDueJob();
    expect(await renewLease(db, first)).toBe(false);
    await failJob(db, first, { error: "x", retryAt: clock.now() });
    await releaseJob(db, first, clock.now());
    await completeJob(db, first);
    expect(await claim()).toBeNull();
    expect(await renewLease(db, second)).toBe(true);
  });

  test("becomes due again after a failure, and keeps its attempts and its error", async () => {
    await add("a");
    await failJob(db, await claimDueJob(), { error: "out of memory", retryAt: new Date(clock.nowMs() + 10_000) });
    expect(await claim()).toBeNull();
    expect(await nextDueMs(db, kinds, clock.now())).toBe(10_000);
    clock.advance(10_000);
    expect(await claimDueJob()).toMatchObject({ attempts: 2 });
    expect(await db.selectFrom("media_jobs").select("last_error").execute()).toEqual([{ last_error: "out of memory" }]);
  });

  test("counts no attempt if the worker releases it", async () => {
    await add("a");
    await releaseJob(db, await claimDueJob(), clock.now());
    expect(await claimDueJob()).toMatchObject({ attempts: 1 });
  });

  test("does not exist after its transaction is rolled back", async () => {
    const rollback = db.transaction().execute(async (transaction) => {
      await enqueue(transaction, { kind: "analyse", subject: "a", userId: 1, now: clock.now() });
      throw new Error("rolled back");
    });
    await expect(rollback).rejects.toThrow("rolled back");
    expect(await claim()).toBeNull();
  });

  test("is claimed only by a worker for its kind", async () => {
    await enqueue(db, { kind: "preview", subject: "1", userId: 1, now: clock.now() });
    expect(await claim()).toBeNull();
    expect(await nextDueMs(db, kinds, clock.now())).toBeNull();
    expect(await nextDueMs(db, ["preview"], clock.now())).toBe(0);
  });
});

describe("the order", () => {
  test("alternates between accounts, however many earlier jobs an account has", async () => {
    for (const subject of ["a1", "a2", "a3", "a4", "a5"]) await add(subject, 1);
    const first = await claimDueJob();
    await add("b1", 2);
    await add("b2", 2);
    await completeJob(db, first);
    expect([first.subject, ...(await completeAll())]).toEqual(["a1", "b1", "a2", "b2", "a3", "a4", "a5"]);
  });

  test("places the first job of a new account after one more job of every other account", async () => {
    for (const subject of ["a1", "a2", "a3"]) await add(subject, 1);
    for (const subject of ["b1", "b2", "b3"]) await add(subject, 2);
    for (let count = 0; count < 4; count++) await completeJob(db, await claimDueJob());
    await add("c1", 3);
    expect(await completeAll()).toEqual(["a3", "b3", "c1"]);
  });

  test("places jobs of low priority last", async () => {
    await add("demo", null, 10);
    await add("a", 1);
    expect(await completeAll()).toEqual(["a", "demo"]);
  });
});

test("concurrent claims return different jobs", async () => {
  for (let n = 0; n < 6; n++) await add(String(n), n);
  const jobs = await Promise.all(Array.from({ length: 4 }, claim));
  const subjects = jobs.flatMap((job) => (job === null ? [] : [job.subject]));
  expect(new Set(subjects).size).toBe(subjects.length);
  expect(subjects.length).toBeGreaterThan(0);
});

test("the state of the queue counts waiting and running jobs and has the age of the oldest due job", async () => {
  expect(await queueState(db, clock.now())).toEqual({ waiting: 0, running: 0, oldestSeconds: 0 });
  await add("a");
  await add("b");
  await add("c");
  await claimDueJob();
  clock.advance(5_000);
  expect(await queueState(db, clock.now())).toEqual({ waiting: 2, running: 1, oldestSeconds: 5 });
  await expireLeases();
  expect(await queueState(db, clock.now())).toMatchObject({ waiting: 3, running: 0 });
});
