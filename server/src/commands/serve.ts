import { once } from "node:events";
import { type AddressInfo, createServer } from "node:net";
import { availableParallelism, release } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { BackupService } from "@beatmarket/backup/backup-service.ts";
import { stopArchiving } from "@beatmarket/backup/open-backup.ts";
import { openVault } from "@beatmarket/backup/vault/vault.ts";
import { systemClock } from "@beatmarket/foundation/clock.ts";
import { OperatorError } from "@beatmarket/foundation/errors.ts";
import { startTracing } from "@beatmarket/foundation/tracing/start-tracing.ts";
import { caFilePath } from "@beatmarket/http/tls/ca-file.ts";
import { ownCertificate } from "@beatmarket/http/tls/certificate.ts";
import { readCertificate } from "@beatmarket/http/tls/configured-certificate.ts";
import { renewDaily } from "@beatmarket/http/tls/renewal.ts";
import { openTerms } from "@beatmarket/license-terms/open-terms.ts";
import { openMailer } from "@beatmarket/mail/mailer.ts";
import { serviceTimeouts } from "@beatmarket/postgres/connection/settings.ts";
import { claimDataDir } from "@beatmarket/postgres/embedded/claim.ts";
import { superuser } from "@beatmarket/postgres/embedded/postgres/initdb.ts";
import { ownerRole } from "@beatmarket/postgres/embedded/roles.ts";
import { openSecretBox } from "@beatmarket/secret-box/secret-box.ts";
import { openObjects } from "@beatmarket/storage/open-storage.ts";
import type { Command } from "commander";
import type { Logger } from "pino";
import { buildApp } from "../app/app.ts";
import { startMediaJobs } from "../app/media-jobs.ts";
import type { AppParts } from "../app/services/scope.ts";
import { allocateThreadMemory } from "../app/thread-memory.ts";
import { type Config, readConfig, requireServable, threadCount } from "../config.ts";
import { type OpenedDatabase, openDatabase } from "../database/open.ts";
import { demoEmail, ensureDemo } from "../demo/seed.ts";
import { licenseLogFolder } from "../resources/licenses/log/license-log.ts";
import { freeLicensesWarning } from "./migrate.ts";
import { createLogger } from "./terminal/output.ts";
import { browserWarning, curlLine, recordAddress, runCommand, stopSignal } from "./terminal/run.ts";
import { deliverWebhooks } from "./worker.ts";

const stopTimeoutMs = 15_000;
/** The folder into which scripts/build-portal.mjs writes the web app. */
const portalFolder = join(import.meta.dirname, "../../../portal/dist");

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
    // Checks the port before a first start creates a catalogue. That takes long, and a port in use is reported early.
    await listenBriefly(config);
    const database = await openDatabase(config, {
      applicationName: "beatmarket serve",
      ...serviceTimeouts,
      log: (text) => logger.info(text),
    });
    closing.push(() => database.close());
    const { applied, waiting } = await database.migrate();
    if (waiting !== null) logger.warn(waiting.why);
    const free = applied.length > 0 ? await freeLicensesWarning(database.query) : null;
    if (free !== null) logger.warn(free);
    const secrets = await openSecretBox(config);
    await secrets.refresh(database.query);
    const demo = config.demo
      ? await ensureDemo(database, {
          dataDir: config.dataDir,
          clock: systemClock,
          trade: {
            currency: config.currency,
            commissionBasisPoints: config.commissionBasisPoints,
            seller: config.seller,
            publicUrl: config.publicUrl,
            termsVersion: (await openTerms(config.licenseTerms)).version,
            logger,
          },
          log: (text) => logger.info(text),
        })
      : null;
    const objects = await openObjects(database.query, config);
    const backups = await startBackups(config, database, logger);
    if (backups !== null) {
      closing.push(() => backups.stop());
      // PostgreSQL finishes its log when `database.close` stops it, so this runs after that.
      closing.unshift(() => backups.finish());
    }
    const { certificate, caFile } = await certificateFor(config, logger);
    const sandboxServer = sandboxServerOf(config, database);
    const app = await buildApp({
      config,
      database,
      ...(sandboxServer !== null && { sandboxServer }),
      ...threadsOf(config, threadsLost.reject),
      objects,
      clock: systemClock,
      logger,
      certificate,
      ...(backups !== null && { backups }),
      portal: {
        mailer: openMailer(config, logger),
        demoEmail: demo === null ? null : demoEmail,
        mailsAreFiles: config.smtpUrl === undefined,
        folder: portalFolder,
        webhooks: { secrets, allowPrivate: config.webhookAllowPrivate },
      },
    });
    closing.push(() => app.close());
    const scheme = certificate === null ? "http" : "https";
    await app.listen({ port: config.port, host: config.host });
    closing.push(await recordAddress(config));
    logger.info(
      `listening on ${scheme}://${config.host.includes(":") ? `[${config.host}]` : config.host}:${config.port}`,
    );
    if (certificate !== null) {
      const load = async () => (await certificateFor(config, logger)).certificate ?? certificate;
      const stopRenewing = renewDaily(certificate, load, logger, (next) => {
        app.useCertificate(next);
        app.showCertificate(next);
      });
      closing.push(async () => stopRenewing());
    }
    if (options.worker) {
      closing.push(await deliverWebhooks(config, database, secrets, logger));
      const { observeMediaJob: onAttempt } = app;
      closing.push(await startMediaJobs({ config, database, objects, clock: systemClock, log: logger, onAttempt }));
    }
    retire = app.retire;
    announce(config, { key: demo?.key ?? null, caFile, json: options.json === true });
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

/**
 * By default, half of the cores answer HTTP, because PostgreSQL and the index of the catalogue need the others. With
 * CATALOGUE_ENGINE, and with one thread, the main thread answers.
 */
function threadsOf({ threads, catalogueEngine }: Config, onLost: (error: Error) => void): Pick<AppParts, "threads"> {
  const count = threads ?? (catalogueEngine === null ? Math.max(1, Math.floor(availableParallelism() / 2)) : 1);
  if (count === 1) return {};
  const entry = new URL("./serve-thread.ts", import.meta.url);
  return { threads: { count, entry, onLost, memory: allocateThreadMemory(count + 1) } };
}

/** The server for the databases of sandboxes; null without test mode. */
function sandboxServerOf(
  { sandboxDatabaseUrl: url }: Config,
  { embedded }: OpenedDatabase,
): NonNullable<AppParts["sandboxServer"]> | null {
  const prefix = "beatmarket_sandbox_";
  if (url !== undefined)
    return {
      prefix,
      admin: { url },
      owner: null,
      addressOf: (database) => ({ url: Object.assign(new URL(url), { pathname: `/${database}` }).href }),
    };
  if (embedded === null) return null;
  return {
    prefix,
    admin: embedded.addressFor(superuser),
    owner: ownerRole,
    addressOf: (database) => ({ ...embedded.addressFor(ownerRole), database }),
  };
}

/** Starts the backups of the service. Returns null without BACKUP_VAULT. */
async function startBackups(config: Config, database: OpenedDatabase, logger: Logger): Promise<BackupService | null> {
  const { storage, dataDir, backup } = config;
  if (backup.vault === null) {
    if (database.embedded !== null) await stopArchiving(database.embedded);
    return null;
  }
  const service = new BackupService({
    database,
    storage,
    logFolder: licenseLogFolder,
    vault: await openVault(backup.vault, backup),
    dataDir,
    clock: systemClock,
    log: logger,
    program: { module: join(import.meta.dirname, "../main.ts"), execArgv: process.execArgv },
  });
  await service.start();
  return service;
}

async function certificateFor(config: Config, logger: Logger) {
  if (config.tls.mode === "off") return { certificate: null, caFile: null };
  if (config.tls.mode === "given")
    return { certificate: await readCertificate(config.tls.certFile, config.tls.keyFile, systemClock), caFile: null };
  const hosts = [config.host, new URL(config.publicUrl).hostname];
  const certificate = await ownCertificate(
    { dataDir: config.dataDir, organization: config.site.name, hosts },
    systemClock,
    logger,
  );
  return { certificate, caFile: certificate.caFile };
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
