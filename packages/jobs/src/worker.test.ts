import { once } from "node:events";
import { FakeClock } from "@beatmarket/foundation/testing/fake-clock.ts";
import { until } from "@beatmarket/postgres/testing/processes.ts";
import { StorageUnavailable } from "@beatmarket/storage/storage.ts";
import pino from "pino";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { jobsDatabase } from "../testing/jobs-database.ts";
import { claimJob, enqueue, type Job } from "./queue.ts";
import { type JobHandler, JobPostponed, JobWorker } from "./worker.ts";

const database = await jobsDatabase();
const { query: db } = database;
let clock: FakeClock;
let workers: JobWorker[] = [];
beforeEach(async () => {
  clock = new FakeClock();
  await db.deleteFrom("media_jobs").execute();
});
afterEach(async () => {
  await Promise.all(workers.map((worker) => worker.stop()));
  workers = [];
});

interface Attempt {
  kind: string;
  hasFailed: boolean;
}

async function startWorker(run: JobHandler["run"], options: StartOptions = {}) {
  const { giveUp = async () => {} } = options;
  const attempts: Attempt[] = [];
  const reasons: string[] = [];
  const worker = new JobWorker({
    database,
    clock,
    log: pino({ level: "silent" }),
    slots: "slots" in options ? options.slots : 1,
    onAttempt: ({ kind, hasFailed }) => attempts.push({ kind, hasFailed }),
    handlers: {
      analyse: {
        run,
        giveUp: async (job, reason) => {
          await giveUp();
          reasons.push(`${job.subject}: ${reason}`);
        },
      },
    },
  });
  await worker.start();
  workers.push(worker);
  return { worker, attempts, reasons };
}
interface StartOptions {
  slots?: number | undefined;
  giveUp?(): Promise<void>;
}

const add = (subject: string) => enqueue(db, { kind: "analyse", subject, userId: 1, now: clock.now() });
const listJobs = () => db.selectFrom("media_jobs").selectAll().execute();
const untilEmpty = () => until(async () => (await listJobs()).length === 0);
/** Rejects when the signal is aborted, like a child process that the signal kills. */
async function untilAborted(signal: AbortSignal): Promise<never> {
  if (!signal.aborted) await once(signal, "abort");
  throw signal.reason;
}

test("a job runs when it is committed, and is deleted when it is done", async () => {
  const subjects: string[] = [];
  const { attempts } = await startWorker(async ({ subject }) => void subjects.push(subject));
  await add("a");
  await untilEmpty();
  expect(subjects).toEqual(["a"]);
  expect(attempts).toEqual([{ kind: "analyse", hasFailed: false }]);
});

test("at most as many jobs run at once as there are slots", async () => {
  let running = 0;
  let maxRunning = 0;
  const gate = Promise.withResolvers<void>();
  await startWorker(
    async () => {
      maxRunning = Math.max(maxRunning, ++running);
      if (running === 2) gate.resolve();
      await gate.promise;
      running--;
    },
    { slots: 2 },
  );
  for (const subject of ["a", "b", "c", "d", "e"]) await add(subject);
  await untilEmpty();
  expect(maxRunning).toBe(2);
});

test("a long job does not delay other jobs, on any machine", async () => {
  const gate = Promise.withResolvers<void>();
  const completedJobs: string[] = [];
  await startWorker(
    async ({ subject }) => {
      if (subject === "long") await gate.promise;
      completedJobs.push(subject);
    },
    { slots: undefined },
  );
  for (const subject of ["long", "a", "b"]) await add(subject);
  await until(async () => completedJobs.length === 2);
  expect(completedJobs).toEqual(["a", "b"]);
  gate.resolve();
  await untilEmpty();
});

describe("a job that fails", () => {
  test("because of the storage is retried without a counted attempt", async () => {
    let isUnreachable = true;
    let runs = 0;
    const { worker, reasons, attempts } = await startWorker(async () => {
      runs++;
      if (isUnreachable) throw new StorageUnavailable(new Error("connect ECONNREFUSED"));
    });
    await add("a");
    for (let outage = 1; outage <= 5; outage++) {
      await until(
        async () => runs === outage && (await listJobs()).some((each) => each.lease === null && each.attempts === 0),
      );
      isUnreachable = outage < 5;
      clock.advance(15_000);
      worker.wake();
    }
    await untilEmpty();
    expect([runs, reasons]).toEqual([6, []]);
    expect(attempts).toEqual([{ kind: "analyse", hasFailed: false }]);
  });

  test("is retried twice with growing delays, and then given up with a reason", async () => {
    let runs = 0;
    const { worker, reasons } = await startWorker(async () => {
      runs++;
      throw new Error("out of memory");
    });
    await add("a");
    for (const [retries, delayMs] of [10_000, 60_000].entries()) {
      await until(async () =>
        (await listJobs()).some(({ lease, attempts }) => lease === null && attempts === retries + 1),
      );
      clock.advance(delayMs - 1);
      expect(await claimJob(db, { kinds: ["analyse"], lease: "test", now: clock.now() })).toBeNull();
      clock.advance(1);
      worker.wake();
    }
    await untilEmpty();
    expect(runs).toBe(3);
    expect(reasons).toEqual([expect.stringContaining("a: It could not be processed")]);
  });

  test("permanently is given up at once, with the reason of the failure", async () => {
    let runs = 0;
    const { reasons } = await startWorker(async () => {
      runs++;
      throw Object.assign(new Error("bad header"), { reason: "This is no audio file.", isFinal: true });
    });
    await add("a");
    await untilEmpty();
    expect([runs, reasons]).toEqual([1, ["a: This is no audio file."]]);
  });

  test("once and then succeeds is done", async () => {
    let runs = 0;
    const { worker, reasons } = await startWorker(async () => {
      if (++runs === 1) throw new Error("killed");
    });
    await add("a");
    await until(async () => (await listJobs()).some(({ lease, attempts }) => lease === null && attempts === 1));
    clock.advance(10_000);
    worker.wake();
    await untilEmpty();
    expect([runs, reasons]).toEqual([2, []]);
  });

  test("stays in the queue until its failure is recorded", async () => {
    const { worker, reasons } = await startWorker(
      async () => {
        throw Object.assign(new Error(), { reason: "No.", isFinal: true });
      },
      {
        giveUp: async () => {
          if (refusedRecords++ === 0) throw new Error("the database is unreachable");
        },
      },
    );
    let refusedRecords = 0;
    await add("a");
    await until(() => refusedRecords === 1);
    expect(reasons).toEqual([]);
    await db
      .updateTable("media_jobs")
      .set({ leased_until: new Date(0) })
      .execute();
    worker.wake();
    await untilEmpty();
    expect(reasons).toEqual(["a: No."]);
  });
});

test("a job that kills its worker each time is given up without a further attempt", async () => {
  await add("a");
  for (let deaths = 0; deaths < 3; deaths++) {
    await claimJob(db, { kinds: ["analyse"], lease: crypto.randomUUID(), now: clock.now() });
    await db
      .updateTable("media_jobs")
      .set({ leased_until: new Date(0) })
      .execute();
  }
  let runs = 0;
  const { reasons } = await startWorker(async () => void runs++);
  await untilEmpty();
  expect([runs, reasons.length]).toEqual([0, 1]);
});

test("a worker that stops aborts its job and releases it without counting the attempt", async () => {
  const start = Promise.withResolvers<Job>();
  const { worker } = await startWorker(async (job, { signal }) => {
    start.resolve(job);
    await untilAborted(signal);
  });
  await add("a");
  await start.promise;
  await worker.stop();
  expect(await listJobs()).toMatchObject([{ subject: "a", attempts: 0, lease: null, leased_until: null }]);
  const { attempts } = await startWorker(async () => {});
  await untilEmpty();
  expect(attempts).toHaveLength(1);
});

test("a postponed job runs at the requested time, without a counted earlier attempt", async () => {
  const attempts: number[] = [];
  const postponedUntil = new Date(clock.nowMs() + 3_600_000);
  const { worker } = await startWorker(async (job) => {
    attempts.push(job.attempts);
    if (clock.now() < postponedUntil) throw new JobPostponed(postponedUntil);
  });
  await add("a");
  await until(async () =>
    (await listJobs()).some((job) => job.lease === null && job.attempts === 0 && attempts.length > 0),
  );
  expect(await listJobs()).toMatchObject([{ run_at: postponedUntil, attempts: 0 }]);
  clock.advance(3_600_000);
  worker.wake();
  await untilEmpty();
  expect(attempts).toEqual([1, 1]);
});

test("a job that ends normally while its worker stops is completed", async () => {
  const start = Promise.withResolvers<void>();
  const end = Promise.withResolvers<void>();
  const { worker } = await startWorker(async () => {
    start.resolve();
    await end.promise;
  });
  await add("a");
  await start.promise;
  const stopped = worker.stop();
  end.resolve();
  await stopped;
  expect(await listJobs()).toEqual([]);
});

test("a worker that is not started runs due jobs on request, in the order of the queue", async () => {
  const completedJobs: string[] = [];
  const worker = new JobWorker({
    database,
    clock,
    log: pino({ level: "silent" }),
    handlers: {
      analyse: {
        run: async ({ subject }) => {
          completedJobs.push(subject);
          if (subject === "a") await add("c");
        },
        giveUp: async () => {},
      },
    },
  });
  workers.push(worker);
  await add("a");
  await add("b");
  await enqueue(db, { kind: "analyse", subject: "later", userId: 1, now: new Date(clock.nowMs() + 1_000) });
  expect(completedJobs).toEqual([]);
  await worker.runDue(() => completedJobs.length === 1);
  expect(completedJobs).toEqual(["a"]);
  await worker.runDue();
  expect(completedJobs).toEqual(["a", "b", "c"]);
  expect(await listJobs()).toMatchObject([{ subject: "later" }]);
  clock.advance(1_000);
  await worker.runDue();
  expect(completedJobs.at(-1)).toBe("later");
  expect(await listJobs()).toEqual([]);
});
