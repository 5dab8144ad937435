import { once } from "node:events";
import { type AddressInfo, createServer } from "node:net";
import { release } from "node:os";
import { setTimeout as sleep } from "node:timers/promises";
import { EarlyThread } from "@beatmarket/catalogue-index/early-thread.ts";
import { OperatorError } from "@beatmarket/foundation/errors.ts";
import { startTracing } from "@beatmarket/foundation/tracing/start-tracing.ts";
import { caFilePath } from "@beatmarket/http/tls/ca-file.ts";
import { serviceTimeouts } from "@beatmarket/postgres/connection/settings.ts";
import { claimDataDir } from "@beatmarket/postgres/embedded/claim.ts";
import type { Command } from "commander";
import { type Config, readConfig, requireServable, threadCount } from "../config.ts";
import { openDatabase } from "../database/open.ts";
import { createLogger } from "./terminal/output.ts";
import { browserWarning, curlLine, runCommand, stopSignal } from "./terminal/run.ts";

const stopTimeoutMs = 15_000;

export function serveCommand(command: Command): void {
  command
    .option("--no-worker", "leave webhooks and media jobs to `beatmarket worker` processes")
    .option(
      "--threads <number>",
      "threads that answer HTTP (default: THREADS, or half of the machine's cores; 1 with CATALOGUE_ENGINE)",
    )
    .option("--json", "print one line of JSON when ready")
    .addHelpText(
      "after",
      `
Environment: PORT (8443), HOST (127.0.0.1), PUBLIC_URL (https://localhost:$PORT), DATA_DIR (.data), DATABASE_URL,
DATABASE_OWNER_URL, DATABASE_REPLICA_URL, SANDBOX_DATABASE_URL, REDIS_URL, CATALOGUE_ENGINE, STORAGE_URL (DATA_DIR/objects), BACKUP_VAULT (none), BACKUP_KEY,
BACKUP_KEY_PREVIOUS, BACKUP_KEEP_DAYS (7), TLS_CERT and TLS_KEY (PEM files), TLS=off (behind a proxy that ends TLS), TRUSTED_PROXIES,
DEMO=off (no demo catalogue), LOG_LEVEL (info), METRICS_TOKEN, REQUEST_LOG_MAX_MB (10000), REQUEST_LOG_URL (the database),
ACCOUNT_STORAGE_GB (50), STOP_DELAY (0), THREADS,
SECRET_KEY, SECRET_KEY_PREVIOUS, SMTP_URL, MAIL_FROM, MAIL_FOOTER, MAIL_TEMPLATES (a folder),
SITE_NAME, SITE_LOGO (a file), SITE_LOGO_URL, SITE_COLOR, SITE_PAGES (a folder), WEBHOOK_ALLOW_PRIVATE, CURRENCY (USD), LICENSE_TERMS (a folder), LICENSE_LOG_WITNESSES,
PAYMENTS (sandbox or stripe), STRIPE_SECRET_KEY, STRIPE_WEBHOOK_SECRET, STRIPE_API_BASE, OTEL_EXPORTER_OTLP_ENDPOINT,
OTEL_EXPORTER_OTLP_HEADERS, OTEL_SERVICE_NAME, OTEL_TRACES_SAMPLER, OTEL_TRACES_SAMPLER_ARG. docs/operating.md explains each.`,
    )
    .action((options: ServeOptions) => runCommand(() => serve(options)));
}

interface ServeOptions {
  worker: boolean;
  threads?: string;
  json?: boolean;
}

async function serve(options: ServeOptions): Promise<void> {
  const settings = readConfig(process.env);
  const threads = threadCount("--threads", options.threads) ?? settings.threads;
  const config = await withPort({ ...settings, threads });
  requireServable(config);
  const logger = createLogger(config);
  if (!config.demo && config.stripe === null && config.payments === undefined)
    logger.warn("the payment sandbox completes orders without any money; set STRIPE_SECRET_KEY, or PAYMENTS=sandbox");
  const closing: (() => Promise<void>)[] = [];
  const closeAll = async () => {
    for (const close of closing.splice(0).reverse()) await close();
  };
  const stopping = stopSignal();
  const threadsLost = Promise.withResolvers<never>();
  threadsLost.promise.catch(() => {});
  let retire = () => {};
  try {
    closing.push(await startTracing(config.tracing, logger));
    const claim = await claimDataDir(config.dataDir);
    closing.push(() => claim.release());
    // Checks the port before a first start creates a catalogue, which takes long.
    await listenBriefly(config);
    // While this thread loads the rest of the program, PostgreSQL starts, and the thread of the index opens its snapshot.
    const indexThread = config.catalogueEngine === null ? new EarlyThread(config.dataDir) : undefined;
    closing.push(async () => indexThread?.close());
    const loadService = () => import("./start-service.ts");
    const database = await openDatabase(config, {
      applicationName: "beatmarket serve",
      ...serviceTimeouts,
      log: (text) => logger.info(text),
      onLaunch: () => void loadService().catch(() => {}),
    });
    closing.push(() => database.close());
    const { startService } = await loadService();
    const service = await startService({
      config,
      database,
      indexThread,
      logger,
      hasWorker: options.worker,
      onThreadsLost: threadsLost.reject,
      closing,
    });
    retire = service.retire;
    announce(config, { key: service.demoKey, caFile: service.caFile, json: options.json === true });
  } catch (error) {
    await closeAll();
    throw explained(error, config);
  }
  const failure = await Promise.race([stopping, threadsLost.promise.catch((error: Error) => error)]);
  logger.info("stopping");
  retire();
  if (failure === undefined) await sleep(config.stopDelaySeconds * 1_000);
  const deadline = setTimeout(() => {
    logger.warn(`not stopped within ${stopTimeoutMs} ms; exiting`);
    process.exit(1);
  }, stopTimeoutMs);
  await closeAll();
  clearTimeout(deadline);
  if (failure !== undefined) throw new OperatorError(failure.message, { cause: failure });
}

interface Announcement {
  key: string | null;
  caFile: string | null;
  json: boolean;
}

function announce(config: Config, { key, caFile, json }: Announcement): void {
  const base = `${config.publicUrl}/v1`;
  const print = (text: string) => process.stdout.write(`${text}\n`);
  if (json) {
    const portal = `${config.publicUrl}/portal`;
    print(JSON.stringify({ ready: base, portal, key, ca_file: caFile, data_dir: config.dataDir }));
    return;
  }
  print(`ready: ${base}`);
  if (key !== null) {
    print(`demo key: ${key}`);
    print(`try: ${curlLine(config, key, "/beats?limit=1")}`);
  } else if (config.demo) {
    print("This database has another catalogue than the demo's, so there is no demo key.");
    print("Create a key: npx beatmarket keys create --email you@example.com");
  }
  if (caFile !== null) {
    const certificate = { caFile: caFilePath(config.dataDir), platform: process.platform, release: release() };
    for (const line of browserWarning(certificate)) print(line);
  }
  print(`portal: ${config.publicUrl}/portal   (pre-release demo; stop with Ctrl-C)`);
}

/** Replaces PORT=0 by a free port, since absolute URLs need the port before the server listens. */
async function withPort(config: Config): Promise<Config> {
  if (config.port !== 0) return config;
  const port = await listenBriefly(config);
  const publicUrl = config.publicUrl === "https://localhost:0" ? `https://localhost:${port}` : config.publicUrl;
  return { ...config, port, publicUrl };
}

/** Checks that a server can listen: listens and stops. Returns the port. */
async function listenBriefly({ port, host }: Config): Promise<number> {
  const server = createServer().listen(port, host);
  await once(server, "listening");
  const { port: freePort } = server.address() as AddressInfo;
  server.close();
  await once(server, "close");
  return freePort;
}

/** Turns a failure to listen into a sentence for the operator. */
function explained(error: unknown, { port, host }: Config): unknown {
  const { code } = error as NodeJS.ErrnoException;
  if (code === "EADDRINUSE")
    return new OperatorError(`Port ${port} on ${host} is in use. Stop what listens there, or set PORT to another one.`);
  if (code === "EACCES" && port < 1024)
    return new OperatorError(`Port ${port} needs privileges. Set PORT to 1024 or more.`);
  if (code === "EADDRNOTAVAIL") return new OperatorError(`HOST is ${host}, which is not an address of this machine.`);
  return error;
}
