import { join, resolve } from "node:path";
import type { EngineAddress } from "@beatmarket/catalogue-opensearch/address.ts";
import { type Clock, systemClock } from "@beatmarket/foundation/clock.ts";
import { inject } from "@beatmarket/http/testing/inject.ts";
import type { Certificate } from "@beatmarket/http/tls/certificate.ts";
import type { Mailer } from "@beatmarket/mail/mailer.ts";
import { openSecretBox, type SecretBox } from "@beatmarket/secret-box/secret-box.ts";
import type { PlaceOfFiles } from "@beatmarket/storage/files.ts";
import { FolderStorage } from "@beatmarket/storage/folder-storage.ts";
import type { Storage, StorageUpkeep } from "@beatmarket/storage/storage.ts";
import { StoredObjects } from "@beatmarket/storage/stored-objects.ts";
import type { InjectOptions, Response } from "light-my-request";
import pino, { type Logger } from "pino";
import { afterAll } from "vitest";
import type { PlanName } from "../../src/access/plans.ts";
import { type Permission, permissions } from "../../src/access/roles.ts";
import { buildApp } from "../../src/app/app.ts";
import type { App, AppParts, SandboxServerParts } from "../../src/app/services/scope.ts";
import { createKey } from "../../src/resources/api-keys/queries.ts";
import { findOrCreateAccount } from "../../src/resources/users/accounts.ts";
import type { SiteSettings } from "../../src/site-settings.ts";
import { type TestMode, testModeOf } from "../../tools/test-mode.ts";
import { testDatabase } from "./database/database.ts";
import type { TestDatabase } from "./database/driver.ts";
import { publicUrl } from "./public-url.ts";

export const consoleType = "application/vnd.beatmarket.console+json";
export { publicUrl };

/** The box that seals webhook secrets. */
export const webhookSecrets = await openSecretBox({ dataDir: "", secretKey: "a key for tests" });

/** The API on a database of the test file, called without a network. */
export interface TestApi {
  app: App;
  database: TestDatabase;
  /** The account of every default request: plan internal, all permissions. */
  userId: number;
  key: string;
  /** Present if the service is the test mode of an account. */
  testMode?: TestMode;
  makeKey(options?: { plan?: PlanName; permissions?: readonly Permission[]; email?: string }): Promise<string>;
  request(options: InjectOptions): Promise<Response>;
  /** GETs with the default key (null: no key) and, if given, an Accept header. */
  get(
    url: string,
    options?: { key?: string | null; accept?: string; headers?: Record<string, string> },
  ): Promise<Response>;
}

export interface TestApiOptions {
  database?: TestDatabase;
  clock?: Clock;
  tls?: { mode: "own" } | { mode: "off" };
  trustedProxies?: readonly string[];
  /** The DATA_DIR of the service. */
  dataDir?: string;
  /** The HOST of the service. */
  host?: string;
  /** By default, files are in `storageFolder` or, without it, in a folder of `dataDir`. */
  storage?: Storage & StorageUpkeep & PlaceOfFiles;
  /** The folder that STORAGE_URL names. */
  storageFolder?: string;
  stripe?: AppParts["config"]["stripe"];
  allowsDuplicates?: boolean;
  redisUrl?: string | undefined;
  catalogueEngine?: EngineAddress;
  databaseReplicaUrl?: string;
  /** The store that REQUEST_LOG_URL names. */
  requestLogEngine?: AppParts["config"]["requestLogEngine"];
  /** Whether tests may write to the tables and query immediately (default true). */
  indexCatchesUpAlways?: boolean;
  /** By default, the server's own settings for snapshots of the index. */
  snapshots?: { fromBeats: number; minAgeMs: number };
  /** By default, the sandbox and Stripe. */
  payments?: AppParts["payments"];
  /** By default, a mailer that discards mails. */
  mailer?: Mailer;
  /** The operator's settings for the pages. */
  site?: SiteSettings;
  /** The account that the portal offers with one click. */
  demoEmail?: string;
  /** The value of WEBHOOK_ALLOW_PRIVATE. */
  webhookAllowPrivate?: boolean;
  /** By default, a box with the tests' key. */
  secrets?: SecretBox;
  /** Only for a server that listens. Without it, the server speaks plain HTTP. */
  certificate?: Certificate;
  /** Only for a service that makes backups. */
  backups?: AppParts["backups"];
  /** The seller on invoices. Without it there are no invoices. */
  seller?: AppParts["config"]["seller"];
  /** The PostgreSQL server for the databases of sandboxes. Without it there is no test mode. */
  sandboxServer?: AppParts["sandboxServer"];
  /** Makes the service the test mode of the account of the default key, with sandboxes on this server. */
  asTestModeOn?: SandboxServerParts;
  /** By default, a silent logger. */
  logger?: Logger;
}

/**
 * The time limit for the first build of the index, and for a printed document, long enough for a busy machine. No test
 * checks their duration.
 */
const patientMs = 60_000;

/** Builds the API. It is closed after the test file. */
export async function testApi(options: TestApiOptions = {}): Promise<TestApi> {
  const database = options.database ?? (await testDatabase());
  const clock = options.clock ?? systemClock;
  const dataDir = options.dataDir ?? resolve(".data");
  const storageFolder = options.storageFolder ?? join(dataDir, "objects");
  const parts: AppParts = {
    config: {
      dataDir,
      host: options.host ?? "127.0.0.1",
      publicUrl,
      tls: options.tls ?? { mode: "own" },
      trustedProxies: options.trustedProxies ?? null,
      metricsToken: undefined,
      mails: { templates: undefined, brand: { site: "Beat Marketplace", logoUrl: null, footer: null, links: [] } },
      site: options.site ?? { name: "Beat Marketplace", color: null, logo: undefined, pages: undefined },
      requestLogMaxMb: 10_000,
      requestLogEngine: options.requestLogEngine,
      accountStorageGb: 50,
      databaseReplicaUrl: options.databaseReplicaUrl,
      redisUrl: options.redisUrl,
      catalogueEngine: options.catalogueEngine ?? null,
      currency: "USD",
      commissionBasisPoints: 0,
      seller: options.seller ?? null,
      payoutClearingDays: 7,
      payoutDebtor: null,
      stripe: options.stripe ?? null,
      licenseTerms: undefined,
      licenseLogWitnesses: [],
      allowsDuplicates: options.allowsDuplicates ?? false,
      storage: { folder: storageFolder, isNamed: options.storageFolder !== undefined },
      backup: { vault: null, key: undefined, keyPrevious: undefined, keepDays: 7 },
    },
    database,
    objects: new StoredObjects(database.query, options.storage ?? new FolderStorage(storageFolder)),
    clock,
    logger: options.logger ?? pino({ level: "silent" }),
    certificate: options.certificate ?? null,
    portal: {
      mailer: options.mailer ?? { send: async () => {} },
      demoEmail: options.demoEmail ?? null,
      mailsAreFiles: true,
      folder: join(import.meta.dirname, "../../../portal/dist"),
      webhooks: { secrets: options.secrets ?? webhookSecrets, allowPrivate: options.webhookAllowPrivate ?? false },
    },
    index: {
      catchesUpAlways: options.indexCatchesUpAlways ?? true,
      buildWaitMs: patientMs,
      ...(options.snapshots !== undefined && { snapshots: options.snapshots }),
    },
    documents: { timeoutMs: patientMs },
    ...(options.payments !== undefined && { payments: options.payments }),
    ...(options.sandboxServer !== undefined && { sandboxServer: options.sandboxServer }),
    ...(options.backups !== undefined && { backups: options.backups }),
  };
  const tester = { email: "tester@example.com", name: "tester" };
  const testMode =
    options.asTestModeOn === undefined
      ? undefined
      : testModeOf(parts, options.asTestModeOn, (await findOrCreateAccount(database.query, tester)).id);
  const app = await buildApp({ ...parts, ...(testMode !== undefined && { sandbox: testMode.settings }) });
  afterAll(async () => {
    await testMode?.close();
    await app.close();
  });

  // An account may have ten active keys, so by default each key gets a new account.
  let accounts = 0;
  const makeKey: TestApi["makeKey"] = async (keyOptions = {}) => {
    const email = keyOptions.email ?? `tester-${++accounts}@example.com`;
    const account = await findOrCreateAccount(database.query, { email, name: email.split("@")[0] });
    const { key } = await createKey(
      database.query,
      {
        userId: account.id,
        name: "test",
        plan: keyOptions.plan ?? "internal",
        permissions: keyOptions.permissions ?? permissions,
        expiresAt: null,
      },
      new Date(clock.nowMs()),
    );
    return key;
  };
  const key = await makeKey({ email: tester.email });
  const { id: userId } = await findOrCreateAccount(database.query, tester);
  const request: TestApi["request"] = (injected) => inject(app, injected);
  return {
    app,
    database,
    userId,
    key,
    makeKey,
    ...(testMode !== undefined && { testMode }),
    request,
    get: (url, { key: sentKey = key, accept, headers = {} } = {}) =>
      request({
        method: "GET",
        url,
        headers: {
          ...(sentKey !== null && { authorization: `Bearer ${sentKey}` }),
          ...(accept !== undefined && { accept }),
          ...headers,
        },
      }),
  };
}
