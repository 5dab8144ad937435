import { systemClock } from "@beatmarket/foundation/clock.ts";
import { repeat } from "@beatmarket/foundation/repeat.ts";
import { startTracing } from "@beatmarket/foundation/tracing/start-tracing.ts";
import { JobQueueWatch } from "@beatmarket/jobs/queue.ts";
import { openMailer } from "@beatmarket/mail/mailer.ts";
import { serviceTimeouts } from "@beatmarket/postgres/connection/settings.ts";
import { openSecretBox, type SecretBox } from "@beatmarket/secret-box/secret-box.ts";
import { openKnownObjects } from "@beatmarket/storage/open-storage.ts";
import { DeliveryQueueWatch } from "@beatmarket/webhooks/monitoring/queue-watch.ts";
import type { Command } from "commander";
import type { Logger } from "pino";
import { startMediaJobs } from "../app/media-jobs.ts";
import { type Config, readConfig } from "../config.ts";
import type { Database } from "../database/connect.ts";
import { openDatabase } from "../database/open.ts";
import { type MediaJobMetrics, serveMetrics, WorkerMetrics } from "../metrics/metrics-server.ts";
import { diskFolders, StorageWatch } from "../metrics/storage.ts";
import { openTemplatedMailer } from "../resources/mails/folder.ts";
import { startWebhookJobs } from "../resources/webhooks/background-jobs.ts";
import { createLogger } from "./terminal/output.ts";
import { runCommand, stopSignal } from "./terminal/run.ts";

const storageRetryMs = 10_000;
const queuesIntervalMs = 15_000;
const storageIntervalMs = 60_000;

/** `worker`: delivers webhooks and runs media jobs without serving the API. */
export function workerCommand(worker: Command): void {
  worker
    .option("--json", "print one line of JSON when ready")
    .addHelpText(
      "after",
      "\nThe command takes the environment of `serve`, and WORKER_METRICS_PORT. docs/operating.md explains each variable.",
    )
    .action((options: { json?: true }) => runCommand(() => work(options)));
}

async function work(options: { json?: true }): Promise<void> {
  const config = readConfig(process.env);
  const logger = createLogger(config);
  const stopping = stopSignal();
  const log = (text: string) => logger.info(text);
  const stopTracing = await startTracing(config.tracing, logger);
  const database = await openDatabase(config, {
    applicationName: "beatmarket worker",
    ...serviceTimeouts,
    log,
    mustExist: true,
  });
  const stops: (() => Promise<unknown>)[] = [];
  try {
    const { waiting } = await database.migrate();
    if (waiting !== null) logger.warn(waiting.why);
    const secrets = await openSecretBox(config);
    await secrets.refresh(database.query);
    const metrics = await showMetrics(config, database, logger);
    stops.push(metrics.stop);
    stops.push(await deliverWebhooks(config, database, secrets, logger));
    stops.push(doMediaJobs(config, database, logger, metrics.observeMediaJob));
    process.stdout.write(
      options.json === true ? `${JSON.stringify({ ready: true })}\n` : "ready: delivering webhooks, doing media jobs\n",
    );
    await stopping;
    logger.info("stopping");
  } finally {
    await Promise.all(stops.map((stop) => stop()));
    await database.close();
    await stopTracing();
  }
}

/** Measures the shared queues and the worker, and serves the metrics on WORKER_METRICS_PORT, if it is set. */
async function showMetrics(
  config: Config,
  database: Database,
  log: Logger,
): Promise<{ stop: () => Promise<unknown>; observeMediaJob?: MediaJobMetrics["observe"] }> {
  const { workerMetricsPort: port, host, metricsToken: token } = config;
  if (port === undefined) return { stop: async () => {} };
  const db = database.query;
  const deliveryQueue = new DeliveryQueueWatch();
  const mediaQueue = new JobQueueWatch();
  const storage = new StorageWatch({ db, folders: diskFolders(config), log });
  const { registry, mediaJobs } = new WorkerMetrics({ pool: database.pool, deliveryQueue, mediaQueue, storage });
  const close = await serveMetrics({ port, host, registry, token, log });
  const warn = (error: unknown) => log.warn({ err: error }, "measuring for /metrics failed; trying again");
  const now = () => new Date(systemClock.nowMs());
  const stops = [
    repeat(queuesIntervalMs, () => deliveryQueue.measure(db, now()), warn),
    repeat(queuesIntervalMs, () => mediaQueue.measure(db, now()), warn),
    repeat(storageIntervalMs, () => storage.measure(), warn),
  ];
  return {
    stop: () => Promise.all([close(), ...stops.map((stop) => stop())]),
    observeMediaJob: (attempt) => mediaJobs.observe(attempt),
  };
}

/** Starts media jobs once this process can reach the servers' storage. Returns a function that stops them. */
function doMediaJobs(
  config: Config,
  database: Database,
  logger: Logger,
  onAttempt: MediaJobMetrics["observe"] = () => {},
): () => Promise<void> {
  let stopJobs: (() => Promise<void>) | null = null;
  let isWarned = false;
  const start = async () => {
    if (stopJobs !== null) return;
    const objects = await openKnownObjects(database.query, config);
    if (objects !== null)
      stopJobs = await startMediaJobs({ config, database, objects, clock: systemClock, log: logger, onAttempt });
    else if (!isWarned)
      logger.warn(
        "this worker does no media jobs until it has the servers' storage; set STORAGE_URL or DATA_DIR to theirs",
      );
    isWarned = true;
  };
  const stopTrying = repeat(storageRetryMs, start, (error) =>
    logger.warn({ err: error }, "the storage cannot be reached; trying again"),
  );
  return async () => {
    await stopTrying();
    await stopJobs?.();
  };
}

/** Starts delivering webhooks with the configuration's settings. Returns a function that stops it. */
export async function deliverWebhooks(
  config: Config,
  database: Database,
  secrets: SecretBox,
  logger: Logger,
): Promise<() => Promise<void>> {
  return startWebhookJobs({
    database,
    clock: systemClock,
    log: logger,
    secrets,
    mails: {
      mailer: await openTemplatedMailer(openMailer(config, logger), { ...config.mails, db: database.query }),
      publicUrl: config.publicUrl,
    },
    allowPrivate: config.webhookAllowPrivate,
  });
}
