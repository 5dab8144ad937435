import { randomUUID } from "node:crypto";
import { setTimeout as sleep } from "node:timers/promises";
import type { EventType } from "../../../src/resources/webhooks/event-types.ts";
import { emitEvents } from "../../../src/resources/webhooks/outbox.ts";
import type { TestDatabase } from "../../harness/database/driver.ts";
import type { Report } from "../../harness/programmes/report.ts";
import type { Extent, Fault } from "../fault.ts";
import type { FaultPostgres } from "../stage/postgres.ts";
import { type Behaviour, Receiver, subscribe } from "../stage/receiver.ts";
import { hangingNameServer, mailServer } from "../stage/slow-services.ts";
import { hasEnded, type Stage } from "../stage/stage.ts";

const rounds = { whole: 300, short: 30 };
const everyMs = 100;
const healthyDelayLimitMs = 1_000;
/** A URL at a port on which nothing listens. */
const refusedUrl = "http://127.0.0.1:1/";
const healthyEventType = "user.updated";
const badEventType = "beat.updated";

interface Dependency {
  postgres: FaultPostgres;
  db: TestDatabase;
  /** Settings of the worker. */
  settings?: Record<string, string>;
  /** The host under which the worker reaches the healthy receiver. */
  host?: string;
  /** The number of additional events each second, only for the bad endpoints. */
  badEventsEachSecond?: number;
  initialBadEvents?: number;
  /** Proves that the dependency was slow: a count above 0. */
  proof: { check: string; count(): number | Promise<number> };
}

/** A worker sends deliveries to a healthy endpoint while the dependency is slow. */
async function isolate(stage: Stage, report: Report, extent: Extent, dependency: Dependency): Promise<void> {
  const {
    postgres,
    db,
    settings,
    host = "127.0.0.1",
    badEventsEachSecond = 0,
    initialBadEvents = 0,
    proof,
  } = dependency;
  const healthy = await Receiver.listen(stage);
  await subscribe(db, healthy.url.replace("127.0.0.1", host), "healthy@example.com", [healthyEventType]);
  const worker = stage.work(0, stage.databaseUrl(postgres), settings);
  await worker.ready;
  const committedMs = new Map<string, number>();
  const emitHealthy = async (count: number) => {
    const marks = await emit(db, healthyEventType, count);
    for (const mark of marks) committedMs.set(mark, performance.now());
  };
  const isDelivered = () => healthy.bodies.size === committedMs.size;
  const waitUntilDelivered = async () => {
    for (const deadlineMs = performance.now() + 60_000; !isDelivered() && performance.now() < deadlineMs; )
      await sleep(100);
  };
  // An endpoint is healthy after a success. A new endpoint shares half of the delivery slots with the bad endpoints.
  await emitHealthy(1);
  await waitUntilDelivered();
  await emit(db, badEventType, initialBadEvents);
  for (let round = 0; round < rounds[extent]; round++) {
    if (round % 10 === 0 && badEventsEachSecond > 0) await emit(db, badEventType, badEventsEachSecond);
    await emitHealthy(2);
    await sleep(everyMs);
  }
  await waitUntilDelivered();
  report.check("events at the healthy receiver", isDelivered(), `${healthy.bodies.size} of ${committedMs.size}`);
  const delays = [...healthy.bodies].map(([id, [body = ""]]) => {
    const { data } = JSON.parse(body) as { data: { mark: string } };
    return (healthy.firstMs.get(id) ?? 0) - (committedMs.get(data.mark) ?? 0);
  });
  const p99Ms = delays.sort((a, b) => a - b)[Math.floor(delays.length * 0.99)] ?? 0;
  report.bound("p99 from commit to healthy receiver", Math.max(p99Ms, 0), healthyDelayLimitMs, "ms");
  const count = await proof.count();
  report.check(proof.check, count > 0, count);
  report.check("the worker continues", !hasEnded(worker), hasEnded(worker) ? "it ended" : "same process");
}

async function emit(db: TestDatabase, type: EventType, count: number): Promise<string[]> {
  const marks = Array.from({ length: count }, () => randomUUID());
  await emitEvents(
    db.query,
    marks.map((mark) => ({ type, data: { mark }, at: new Date(), audience: "everyone" })),
  );
  return marks;
}

const countOf = async ({ driver }: TestDatabase, condition: string): Promise<number> =>
  Number((await driver.unsafe(`select count(*)::int as count from ${condition}`))[0]?.count);

export const slowMail: Fault = {
  name: "webhook-isolation-mail",
  about: "the mail server takes 8 s for each reply, while endpoints begin to fail",
  run: async (stage, report, extent) => {
    const postgres = await stage.postgres();
    const db = stage.connect(postgres);
    // The bad endpoints receive the healthy endpoint's events, so that the worker records their attempts together.
    for (let n = 0; n < 20; n++) await subscribe(db, refusedUrl, `ill-${n}@example.com`, [healthyEventType]);
    const { url } = await mailServer(stage, 8_000);
    const count = () => countOf(db, "webhook_endpoints where mail_due is not null");
    const proof = { check: "mails that wait for the mail server", count };
    await isolate(stage, report, extent, { postgres, db, settings: { SMTP_URL: url }, proof });
  },
};

export const hangingNames: Fault = {
  name: "webhook-isolation-dns",
  about: "the name server never answers for the names of 80 endpoints",
  run: async (stage, report, extent) => {
    const postgres = await stage.postgres();
    const db = stage.connect(postgres);
    for (let n = 0; n < 80; n++)
      await subscribe(db, `http://hanging-${n}.test:1/`, `ill-${n % 4}@example.com`, [badEventType]);
    const { settings, unanswered } = await hangingNameServer(stage);
    const proof = { check: "queries without a response", count: unanswered };
    await isolate(stage, report, extent, {
      postgres,
      db,
      settings,
      host: "healthy.test",
      badEventsEachSecond: 20,
      proof,
    });
  },
};

const badBehaviours: Behaviour[] = [
  // Never responds.
  () => {},
  // Sends a byte a second.
  (_, response) => {
    const timer = setInterval(() => response.write("."), 1_000);
    response.on("close", () => clearInterval(timer));
  },
  // Just below the limit for a slow response.
  (_, response) => void setTimeout(() => response.end("ok"), 900),
];

export const badReceivers: Fault = {
  name: "webhook-isolation-receivers",
  about:
    "600 endpoints of 30 accounts never respond, send a byte a second or respond slowly, with 6,000 deliveries due",
  run: async (stage, report, extent) => {
    const postgres = await stage.postgres();
    const db = stage.connect(postgres);
    const receivers = await Promise.all(badBehaviours.map((behaviour) => Receiver.listen(stage, behaviour)));
    for (let n = 0; n < 600; n++)
      await subscribe(db, receivers[n % 3]?.url ?? "", `ill-${n % 30}@example.com`, [badEventType]);
    const count = () => countOf(db, "webhook_deliveries where state in ('pending', 'sending')");
    const proof = { check: "deliveries that still wait for bad receivers", count };
    await isolate(stage, report, extent, { postgres, db, badEventsEachSecond: 1, initialBadEvents: 10, proof });
  },
};

export const slowDisk: Fault = {
  name: "webhook-isolation-disk",
  about: "each commit of PostgreSQL takes 100 ms longer, as on a slow disk",
  run: async (stage, report, extent) => {
    // commit_delay adds a wait before the flush of the write-ahead log, which all commits await.
    const postgres = await stage.postgres({ fsync: "on", commit_delay: 100_000, commit_siblings: 0 });
    const db = stage.connect(postgres);
    for (let n = 0; n < 20; n++) await subscribe(db, refusedUrl, `ill-${n}@example.com`, [healthyEventType]);
    const startMs = performance.now();
    await emit(db, badEventType, 1);
    const commitMs = Math.round(performance.now() - startMs);
    const proof = { check: "ms of a commit, less 100", count: () => commitMs - 100 };
    await isolate(stage, report, extent, { postgres, db, proof });
  },
};
