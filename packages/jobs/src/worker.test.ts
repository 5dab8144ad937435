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
const queued = () => db.selectFrom("media_jobs").selectAll().execute();
const emptied = () => until(async () => (await queued()).length === 0);
/** Waits as a child process does that is killed with the signal. */
async function untilAborted(signal: AbortSignal): Promise<never> {
  if (!signal.aborted) await once(signal, "abort");
  throw signal.reason;
}

test("a job runs when it is committed, and is gone when it is done", async () => {
  const subjects: string[] = [];
  const { attempts } = await startWorker(async ({ subject }) => void subjects.push(subject));
  await add("a");
  await emptied();
  expect(subjects).toEqual(["a"]);
  expect(attempts).toEqual([{ kind: "analyse", hasFailed: false }]);
});

test("no more jobs run at once than there are slots", async () => {
  let running = 0;
  let most = 0;
  const gate = Promise.withResolvers<void>();
  await startWorker(
    async () => {
      most = Math.max(most, ++running);
      if (running === 2) gate.resolve();
      await gate.promise;
      running--;
    },
    { slots: 2 },
  );
  for (const subject of ["a", "b", "c", "d", "e"]) await add(subject);
  await emptied();
  expect(most).toBe(2);
});

test("a long job does not hold up the others, on any machine", async () => {
  const gate = Promise.withResolvers<void>();
  const done: string[] = [];
  await startWorker(
    async ({ subject }) => {
      if (subject === "long") await gate.promise;
      done.push(subject);
    },
    { slots: undefined },
  );
  for (const subject of ["long", "a", "b"]) await add(subject);
  await until(async () => done.length === 2);
  expect(done).toEqual(["a", "b"]);
  gate.resolve();
  await emptied();
});

describe("a job that fails", () => {
  test("for the storage waits for it, and no attempt is counted", async () => {
    let isAway = true;
    let runs = 0;
    const { worker, reasons, attempts } = await startWorker(async () => {
      runs++;
      if (isAway) throw new StorageUnavailable(new Error("connect ECONNREFUSED"));
    });
    await add("a");
    for (let outage = 1; outage <= 5; outage++) {
      await until(
        async () => runs === outage && (await queued()).some((each) => each.lease === null && each.attempts === 0),
      );
      isAway = outage < 5;
      clock.advance(15_000);
      worker.wake();
    }
    await emptied();
    expect([runs, reasons]).toEqual([6, []]);
    expect(attempts).toEqual([{ kind: "analyse", hasFailed: false }]);
  });

  test("is tried again twice, later each time, and then given up with a reason", async () => {
    let runs = 0;
    const { worker, reasons } = await startWorker(async () => {
      runs++;
      throw new Error("out of memory");
    });
    await add("a");
    for (const [made, delayMs] of [10_000, 60_000].entries()) {
      await until(async () => (await queued()).some(({ lease, attempts }) => lease === null && attempts === made + 1));
      clock.advance(delayMs - 1);
      expect(await claimJob(db, { kinds: ["analyse"], lease: "test", now: clock.now() })).toBeNull();
      clock.advance(1);
      worker.wake();
    }
    await emptied();
    expect(runs).toBe(3);
    expect(reasons).toEqual([expect.stringContaining("a: It could not be processed")]);
  });

  test("that is permanent is given up at once, with the reason that it gives", async () => {
    let runs = 0;
    const { reasons } = await startWorker(async () => {
      runs++;
      throw Object.assign(new Error("bad header"), { reason: "This is no audio file.", isFinal: true });
    });
    await add("a");
    await emptied();
    expect([runs, reasons]).toEqual([1, ["a: This is no audio file."]]);
  });

  test("once, and succeeds afterwards, is done", async () => {
    let runs = 0;
    const { worker, reasons } = await startWorker(async () => {
      if (++runs === 1) throw new Error("killed");
    });
    await add("a");
    await until(async () => (await queued()).some(({ lease, attempts }) => lease === null && attempts === 1));
    clock.advance(10_000);
    worker.wake();
    await emptied();
    expect([runs, reasons]).toEqual([2, []]);
  });

  test("stays until it could be given up", async () => {
    const { worker, reasons } = await startWorker(
      async () => {
        throw Object.assign(new Error(), { reason: "No.", isFinal: true });
      },
      {
        giveUp: async () => {
          if (reasonsRefused++ === 0) throw new Error("the database is unreachable");
        },
      },
    );
    let reasonsRefused = 0;
    await add("a");
    await until(() => reasonsRefused === 1);
    expect(reasons).toEqual([]);
    await db
      .updateTable("media_jobs")
      .set({ leased_until: new Date(0) })
      .execute();
    worker.wake();
    await emptied();
    expect(reasons).toEqual(["a: No."]);
  });
});

test("a job that kills its worker each time is given up without a further attempt", async () => {
  await add("a");
  for (let died = 0; died < 3; died++) {
    await claimJob(db, { kinds: ["analyse"], lease: crypto.randomUUID(), now: clock.now() });
    await db
      .updateTable("media_jobs")
      .set({ leased_until: new Date(0) })
      .execute();
  }
  let runs = 0;
  const { reasons } = await startWorker(async () => void runs++);
  await emptied();
  expect([runs, reasons.length]).toEqual([0, 1]);
});

test("a worker that stops aborts its job and gives it back without counting the attempt", async () => {
  const begun = Promise.withResolvers<Job>();
  const { worker } = await startWorker(async (job, { signal }) => {
    begun.resolve(job);
    await untilAborted(signal);
  });
  await add("a");
  await begun.promise;
  await worker.stop();
  expect(await queued()).toMatchObject([{ subject: "a", attempts: 0, lease: null, leased_until: null }]);
  const { attempts } = await startWorker(async () => {});
  await emptied();
  expect(attempts).toHaveLength(1);
});

test("a job that is postponed runs then, and has made no attempt", async () => {
  const attempts: number[] = [];
  const heldUntil = new Date(clock.nowMs() + 3_600_000);
  const { worker } = await startWorker(async (job) => {
    attempts.push(job.attempts);
    if (clock.now() < heldUntil) throw new JobPostponed(heldUntil);
  });
  await add("a");
  await until(async () =>
    (await queued()).some(({ lease, attempts: made }) => lease === null && made === 0 && attempts.length > 0),
  );
  expect(await queued()).toMatchObject([{ run_at: heldUntil, attempts: 0 }]);
  clock.advance(3_600_000);
  worker.wake();
  await emptied();
  expect(attempts).toEqual([1, 1]);
});

test("a worker that stops while a job ends by itself completes it", async () => {
  const begun = Promise.withResolvers<void>();
  const end = Promise.withResolvers<void>();
  const { worker } = await startWorker(async () => {
    begun.resolve();
    await end.promise;
  });
  await add("a");
  await begun.promise;
  const stopped = worker.stop();
  end.resolve();
  await stopped;
  expect(await queued()).toEqual([]);
});

test("a worker that is not started runs what is due on request, in the order of the queue", async () => {
  const done: string[] = [];
  const worker = new JobWorker({
    database,
    clock,
    log: pino({ level: "silent" }),
    handlers: {
      analyse: {
        run: async ({ subject }) => {
          done.push(subject);
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
  expect(done).toEqual([]);
  await worker.runDue(() => done.length === 1);
  expect(done).toEqual(["a"]);
  await worker.runDue();
  expect(done).toEqual(["a", "b", "c"]);
  expect(await queued()).toMatchObject([{ subject: "later" }]);
  clock.advance(1_000);
  await worker.runDue();
  expect(done.at(-1)).toBe("later");
  expect(await queued()).toEqual([]);
});
