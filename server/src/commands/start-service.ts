import { availableParallelism } from "node:os";
import { join } from "node:path";
import { BackupService } from "@beatmarket/backup/backup-service.ts";
import { stopArchiving } from "@beatmarket/backup/open-backup.ts";
import { openVault } from "@beatmarket/backup/vault/vault.ts";
import type { EarlyThread } from "@beatmarket/catalogue-index/early-thread.ts";
import { systemClock } from "@beatmarket/foundation/clock.ts";
import { ownCertificate } from "@beatmarket/http/tls/certificate.ts";
import { readCertificate } from "@beatmarket/http/tls/configured-certificate.ts";
import { renewDaily } from "@beatmarket/http/tls/renewal.ts";
import { openTerms } from "@beatmarket/license-terms/open-terms.ts";
import { openMailer } from "@beatmarket/mail/mailer.ts";
import { superuser } from "@beatmarket/postgres/embedded/postgres/initdb.ts";
import { ownerRole } from "@beatmarket/postgres/embedded/roles.ts";
import { openSecretBox } from "@beatmarket/secret-box/secret-box.ts";
import { openObjects } from "@beatmarket/storage/open-storage.ts";
import type { Logger } from "pino";
import { buildApp } from "../app/app.ts";
import { startMediaJobs } from "../app/media-jobs.ts";
import type { AppParts } from "../app/services/scope.ts";
import { allocateThreadMemory } from "../app/thread-memory.ts";
import type { Config } from "../config.ts";
import type { OpenedDatabase } from "../database/open.ts";
import { demoEmail, ensureDemo } from "../demo/seed.ts";
import { licenseLogFolder } from "../resources/licenses/log/license-log.ts";
import { freeLicensesWarning } from "./migrate.ts";
import { recordAddress } from "./terminal/run.ts";
import { deliverWebhooks } from "./worker.ts";

/** The folder into which scripts/build-portal.mjs writes the web app. */
const portalFolder = join(import.meta.dirname, "../../../portal/dist");

interface ServiceParts {
  config: Config;
  database: OpenedDatabase;
  /** Absent with CATALOGUE_ENGINE. */
  indexThread: EarlyThread | undefined;
  logger: Logger;
  /** Whether this process delivers webhooks and runs media jobs. */
  hasWorker: boolean;
  /** Called if threads end repeatedly. */
  onThreadsLost(error: Error): void;
  /** Receives the functions that close what was opened; the last one closes first. */
  closing: (() => Promise<void>)[];
}

export interface StartedService {
  /** The demo's key; null without the demo's catalogue. */
  demoKey: string | null;
  caFile: string | null;
  /** Makes /readyz fail, so that proxies switch to other instances. The service continues to serve. */
  retire(): void;
}

/**
 * Starts the service on an open database, until it listens. `serve` loads this module while PostgreSQL starts, since the
 * program takes as long to load.
 */
export async function startService(parts: ServiceParts): Promise<StartedService> {
  const { config, database, indexThread, logger, hasWorker, onThreadsLost, closing } = parts;
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
    indexThread,
    ...(sandboxServer !== null && { sandboxServer }),
    ...threadsOf(config, onThreadsLost),
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
  if (hasWorker) {
    closing.push(await deliverWebhooks(config, database, secrets, logger));
    const { observeMediaJob: onAttempt } = app;
    closing.push(await startMediaJobs({ config, database, objects, clock: systemClock, log: logger, onAttempt }));
  }
  return { demoKey: demo?.key ?? null, caFile, retire: app.retire };
}

/**
 * By default, half of the cores answer HTTP, because PostgreSQL and the index of the catalogue need the others; with
 * CATALOGUE_ENGINE, one thread does. A single thread is the main thread.
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
