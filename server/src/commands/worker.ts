import type { Command } from "commander";
import type { Logger } from "pino";
import { startMediaJobs } from "../app/media-jobs.ts";
import { systemClock } from "../clock.ts";
import { type Config, readConfig } from "../config.ts";
import type { Database } from "../database/connection/connect.ts";
import { serviceTimeouts } from "../database/connection/settings.ts";
import { openDatabase } from "../database/open.ts";
import { openMailer } from "../mail/mailer.ts";
import { repeat } from "../repeat.ts";
import { openSecretBox, type SecretBox } from "../resources/secrets/secret-box.ts";
import { startWebhookJobs } from "../resources/webhooks/background-jobs.ts";
import { openKnownObjects } from "../storage/open-storage.ts";
import { startTracing } from "../tracing/start-tracing.ts";
import { createLogger } from "./terminal/logger.ts";
import { runCommand } from "./terminal/run.ts";
import { stopSignal } from "./terminal/stop-signal.ts";

const storageRetryMs = 10_000;

/** `worker`: delivers webhooks and does media jobs without serving the API. */
export function workerCommand(program: Command): void {
  program
    .command("worker")
    .description("Deliver webhooks and do media jobs, beside `serve` or other workers, without serving the API.")
    .option("--json", "print one line of JSON when ready")
    .addHelpText("after", "\nIt takes the environment of `serve`. docs/operating.md explains each variable.")
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
  try {
    const { waiting } = await database.migrate();
    if (waiting !== null) logger.warn(waiting.why);
    const secrets = await openSecretBox(config);
    await secrets.refresh(database.query);
    const stops = [await deliverWebhooks(config, database, secrets, logger), doMediaJobs(config, database, logger)];
    process.stdout.write(
      options.json === true ? `${JSON.stringify({ ready: true })}\n` : "ready: delivering webhooks, doing media jobs\n",
    );
    await stopping;
    logger.info("stopping");
    await Promise.all(stops.map((stop) => stop()));
  } finally {
    await database.close();
    await stopTracing();
  }
}

/** Starts media jobs once the servers' storage can be reached from here. Returns a function that stops them. */
function doMediaJobs(config: Config, database: Database, logger: Logger): () => Promise<void> {
  let stopJobs: (() => Promise<void>) | null = null;
  let isWarned = false;
  const start = async () => {
    if (stopJobs !== null) return;
    const objects = await openKnownObjects(database.query, config);
    if (objects !== null)
      stopJobs = await startMediaJobs({ config, database, objects, clock: systemClock, log: logger });
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
    mailer: openMailer(config, logger),
    allowPrivate: config.webhookAllowPrivate,
  });
}
