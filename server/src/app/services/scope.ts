import type { IncomingMessage, Server, ServerResponse } from "node:http";
import type { Server as HttpsServer } from "node:https";
import type { BackupService } from "@beatmarket/backup/backup-service.ts";
import type { CatalogueIndexParts } from "@beatmarket/catalogue-index/catalogue-index.ts";
import type { EarlyThread } from "@beatmarket/catalogue-index/early-thread.ts";
import type { PrinterOptions } from "@beatmarket/documents/printer.ts";
import type { Clock } from "@beatmarket/foundation/clock.ts";
import type { Certificate } from "@beatmarket/http/tls/certificate.ts";
import type { Mailer } from "@beatmarket/mail/mailer.ts";
import type { DatabaseAddress } from "@beatmarket/postgres/connection/address.ts";
import type { StoredObjects } from "@beatmarket/storage/stored-objects.ts";
import type { RawBuilder } from "kysely";
import type { Logger } from "pino";
import type { Account } from "../../access/account.ts";
import type { Config } from "../../config.ts";
import type { Database } from "../../database/connect.ts";
import type { MediaJobMetrics } from "../../metrics/metrics-server.ts";
import type { WebhookContext } from "../../portal/webhooks/endpoint-routes.ts";
import type { SenderParts } from "../../resources/mails/outbox.ts";
import type { CheckoutDependencies, SettlementDependencies } from "../../resources/orders/checkout.ts";
import type { SandboxControl } from "../../resources/sandboxes/control.ts";
import type { ThreadMemory } from "../thread-memory.ts";

export interface AppParts {
  config: Pick<
    Config,
    | "dataDir"
    | "host"
    | "publicUrl"
    | "requestLogMaxMb"
    | "requestLogEngine"
    | "accountStorageGb"
    | "databaseReplicaUrl"
    | "redisUrl"
    | "catalogueEngine"
    | "tls"
    | "trustedProxies"
    | "metricsToken"
    | "currency"
    | "commissionBasisPoints"
    | "seller"
    | "payoutClearingDays"
    | "payoutDebtor"
    | "stripe"
    | "allowsDuplicates"
    | "licenseTerms"
    | "licenseLogWitnesses"
    | "storage"
    | "backup"
    | "mails"
    | "site"
  >;
  database: Database;
  objects: StoredObjects;
  clock: Clock;
  logger: Logger;
  /** Null behind a proxy that terminates TLS. */
  certificate: Certificate | null;
  portal: PortalParts;
  /** Absent without BACKUP_VAULT. */
  backups?: Pick<BackupService, "state" | "copyObjects">;
  /** Replaces the configured providers. */
  payments?: SettlementDependencies["payments"];
  /** Only if this service is a sandbox. */
  sandbox?: SandboxSettings;
  /** The server for databases of sandboxes. Without it, there is no test mode. */
  sandboxServer?: SandboxServerParts;
  /** Only if threads accept the connections. */
  threads?: ThreadSettings;
  /**
   * For tests: which queries of the catalogue index catch up, its snapshots, and how long a start waits for the first
   * build.
   */
  index?: Pick<CatalogueIndexParts, "catchesUpAlways" | "snapshots" | "buildWaitMs">;
  /** For tests: the time limit of printing. */
  documents?: Pick<PrinterOptions, "timeoutMs">;
  /** The thread of the catalogue index, if it was started before the database. */
  indexThread?: EarlyThread | undefined;
}

export interface ThreadSettings {
  memory: ThreadMemory;
  /** How many threads accept connections. */
  count: number;
  /** The module that a thread runs. */
  entry: URL;
  /** Called if threads end repeatedly. */
  onLost(error: Error): void;
}

/** The built service. */
export interface App {
  server: Server | HttpsServer;
  /** Uses another certificate for new connections, in all threads. */
  useCertificate(certificate: Certificate): void;
  /** Responds to a request. The server calls it for each request. */
  handle(request: IncomingMessage, response: ServerResponse): Promise<void>;
  /** Counts an attempt at a media job for /metrics. */
  observeMediaJob: MediaJobMetrics["observe"];
  /** Sets the expiry of the certificate in use for /metrics. */
  showCertificate(certificate: Certificate): void;
  /** All served paths, including prefixes: `/v1/beats/:beat_id`. */
  paths: readonly string[];
  /** Only for a service whose clock a program sets: a sandbox. */
  simulation: Simulation;
  /** Starts the background jobs of a service that does not listen. `close` stops them. */
  start(): Promise<void>;
  /** Listens, and starts the background jobs. */
  listen(address: { port: number; host: string }): Promise<void>;
  /**
   * Continues to serve, while /readyz is 503 and responses have `Connection: close`, so that proxies switch to other
   * instances.
   */
  retire(): void;
  /** Completes the running requests, stops the jobs, and writes what is still in memory. The database stays open. */
  close(): Promise<void>;
}

/** The parts of a service that a sandbox calls, because its jobs do not run by themselves. */
interface Simulation {
  checkout: CheckoutDependencies;
  /** The jobs in the order in which they run. */
  jobs: DueJob[];
  /** Tallies the orders that are not tallied yet. */
  tallyOrders(): Promise<void>;
  /** The work at the beginning of each day. `isLast`: no other day begins before the clock stops. */
  daily(day: { isLast: boolean }): Promise<void>;
  /** Never rejects. */
  publishLicenseLog(): Promise<void>;
}

/** A background job whose next time is known. */
export interface DueJob {
  name: string;
  /** An SQL expression for the moment. Null: never. A moment that has passed means now. */
  due: RawBuilder<unknown>;
  /**
   * Whether the result is the same if it runs later than it is due. While a sandbox advances, such a job runs at the
   * beginning of a month if it is due, and at the end in any case.
   */
  canWait?: boolean;
  /** A job of many long steps may end between two steps when `isOver` is true. The job is then still due. */
  run(isOver: () => boolean): Promise<void>;
}

/** The parts that a sandbox has instead of the live service's parts. */
export interface SandboxSettings {
  id: string;
  kind: "test" | "sandbox";
  /** The sandboxes of the account whose test mode this is; null in a sandbox. */
  control: SandboxControl | null;
  /** The path of the sandbox for requests without a key. */
  path: string;
  /** The account of a session of the live portal. */
  findAccount(headers: Headers): Promise<Account | null>;
}

/** The PostgreSQL server on which each sandbox has a separate database. */
export interface SandboxServerParts {
  /** Creates and deletes databases. */
  admin: DatabaseAddress;
  /** The address of a database for the role that owns it. */
  addressOf(database: string): DatabaseAddress;
  /** The role that owns the databases; null if it is the role that creates them. */
  owner: string | null;
  /** The prefix of the name of every sandbox's database. */
  prefix: string;
  /** A sandbox with a larger database refuses changes. Absent: 500 MB. */
  maxBytes?: number;
}

/** The settings of the developer portal. */
export interface PortalParts {
  mailer: Mailer;
  /** Only in a sandbox: records queued mails, which the mailer then does not send. */
  recordMails?: SenderParts["record"];
  /** The demo account, which anyone may use with one click; null outside demo mode. */
  demoEmail: string | null;
  /** Whether mails are written as files in the data folder, since there is no mail server. */
  mailsAreFiles: boolean;
  /** The folder of the built web app. */
  folder: string;
  webhooks: WebhookContext;
}

/** The settings of the service, and the stacks to which each part adds its function for closing. */
export interface ServiceScope extends AppParts {
  /**
   * Ends waiting requests and streams, so that the server can complete the others. Disposed of before the last
   * response.
   */
  waits: AsyncDisposableStack;
  /**
   * Writes the data in memory, and closes connections and threads. Disposed of after the last response. The database
   * stays open.
   */
  resources: AsyncDisposableStack;
}
