import type { BackupService } from "@beatmarket/backup/backup-service.ts";
import type { CatalogueIndexParts } from "@beatmarket/catalogue-index/catalogue-index.ts";
import type { Clock } from "@beatmarket/foundation/clock.ts";
import type { Certificate } from "@beatmarket/http/tls/certificate.ts";
import type { StoredObjects } from "@beatmarket/storage/stored-objects.ts";
import type { Logger } from "pino";
import type { Config } from "../../config.ts";
import type { Database } from "../../database/connect.ts";
import type { Mailer } from "../../mail/mailer.ts";
import type { WebhookContext } from "../../portal/webhooks/endpoint-routes.ts";
import type { SettlementDependencies } from "../../resources/orders/checkout.ts";

export interface AppParts {
  config: Pick<
    Config,
    | "dataDir"
    | "host"
    | "publicUrl"
    | "requestLogMaxMb"
    | "accountStorageGb"
    | "databaseReplicaUrl"
    | "redisUrl"
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
  /** For tests: which queries of the catalogue index catch up, and how long a start waits for the first build. */
  index?: Pick<CatalogueIndexParts, "catchesUpAlways" | "buildWaitMs">;
}

/** The settings of the developer portal. */
export interface PortalParts {
  mailer: Mailer;
  /** The account that anybody may use with one click; null outside demo mode. */
  demoEmail: string | null;
  /** Whether mails are written as files in the data folder, since there is no mail server. */
  mailsAreFiles: boolean;
  /** The folder of the built web app. */
  folder: string;
  webhooks: WebhookContext;
}

/** The settings of the service, and the stacks onto which each part pushes how to close it. */
export interface ServiceScope extends AppParts {
  /** Ends waiting requests and streams, so that the server can finish the others. Disposed of before the last response. */
  waits: AsyncDisposableStack;
  /** Writes what is still in memory and closes connections and threads. Disposed of after the last response. The database stays open. */
  resources: AsyncDisposableStack;
}
