import { join, resolve } from "node:path";
import type { Clock } from "@beatmarket/foundation/clock.ts";
import { inject } from "@beatmarket/http/testing/inject.ts";
import { openSecretBox } from "@beatmarket/secret-box/secret-box.ts";
import { FolderStorage } from "@beatmarket/storage/folder-storage.ts";
import { StoredObjects } from "@beatmarket/storage/stored-objects.ts";
import pino from "pino";
import { permissions } from "../src/access/roles.ts";
import { buildApp } from "../src/app/app.ts";
import type { AppParts, SandboxServerParts } from "../src/app/services/scope.ts";
import { demoSeller } from "../src/config/invoices.ts";
import type { Database } from "../src/database/connect.ts";
import { ensureDemo } from "../src/demo/seed.ts";
import { createKey } from "../src/resources/api-keys/queries.ts";
import { findOrCreateAccount } from "../src/resources/users/accounts.ts";
import { type DemoApi, insertBeatEvents, insertUploads, type MakeKey, publicUrl, recordedAtMs } from "./contract.ts";
import { buyerEmail, insertExampleBeats, insertExampleSale } from "./example-beats.ts";
import { insertExampleCalls } from "./example-calls.ts";
import { insertExampleFiles } from "./example-files.ts";
import { testModeOf } from "./test-mode.ts";

const standingClock: Clock = { nowMs: () => recordedAtMs, monotonicMs: () => 0 };

/** The API on the demo catalogue with a clock that stands still. It is the test mode of the account of the examples. */
export async function demoApi(
  database: Database,
  dataDir: string,
  sandboxServer: SandboxServerParts,
): Promise<DemoApi> {
  const logger = pino({ level: "silent" });
  await ensureDemo(database, { dataDir, clock: standingClock, log: () => {} });
  await insertBeatEvents(database.query);
  const parts: AppParts = {
    config: {
      // The document shows this folder relative to the working directory, so it is the same on every machine.
      dataDir: resolve(".data"),
      publicUrl,
      tls: { mode: "own" },
      trustedProxies: null,
      metricsToken: undefined,
      host: "127.0.0.1",
      mails: { templates: undefined, brand: { site: "Beat Marketplace", logoUrl: null, footer: null, links: [] } },
      site: { name: "Beat Marketplace", color: null, logo: undefined, pages: undefined },
      requestLogMaxMb: 10_000,
      requestLogEngine: undefined,
      accountStorageGb: 50,
      databaseReplicaUrl: undefined,
      redisUrl: undefined,
      catalogueEngine: null,
      currency: "USD",
      commissionBasisPoints: 0,
      seller: demoSeller("Beat Marketplace", "localhost"),
      payoutClearingDays: 7,
      payoutDebtor: null,
      stripe: null,
      licenseTerms: undefined,
      licenseLogWitnesses: [],
      allowsDuplicates: false,
      storage: { folder: join(dataDir, "objects"), isNamed: false },
      backup: { vault: null, key: undefined, keyPrevious: undefined, keepDays: 7 },
    },
    database,
    objects: new StoredObjects(database.query, new FolderStorage(join(dataDir, "objects"))),
    clock: standingClock,
    logger,
    certificate: null,
    portal: {
      mailer: { send: async () => {} },
      demoEmail: null,
      mailsAreFiles: true,
      folder: dataDir,
      // A fixed key, because it signs links.
      webhooks: {
        secrets: await openSecretBox({ dataDir, secretKey: "the key of the examples" }),
        allowPrivate: false,
      },
    },
  };
  const { id: buyerId } = await findOrCreateAccount(database.query, { email: buyerEmail, name: nameOf(buyerEmail) });
  const testMode = testModeOf({ ...parts, config: { ...parts.config, dataDir } }, sandboxServer, buyerId);
  const app = await buildApp({ ...parts, sandbox: testMode.settings });
  // An account may have ten active keys, so each key gets a separate account. Keys with all permissions
  // share one account, which has bought a beat.
  let accounts = 0;
  const makeKey: MakeKey = async ({ plan, permissions: granted = permissions }) => {
    const isBuyer = plan === "internal" && granted === permissions;
    const email = isBuyer ? buyerEmail : `example-${++accounts}@beatmarket.example`;
    const account = await findOrCreateAccount(database.query, { email, name: nameOf(email) });
    const now = new Date(recordedAtMs);
    const request = { userId: account.id, name: "examples", plan, permissions: granted, expiresAt: null };
    return (await createKey(database.query, request, now)).key;
  };
  const buyerKey = await makeKey({ plan: "internal" });
  await database.query
    .updateTable("users")
    .set({ created_at: new Date(recordedAtMs) })
    .where("email", "=", buyerEmail)
    .execute();
  await insertUploads(database.query, buyerEmail);
  await insertExampleBeats(database.query, buyerEmail, new Date(recordedAtMs));
  await inject(app, {
    method: "POST",
    url: "/v1/orders",
    headers: {
      authorization: `Bearer ${buyerKey}`,
      "idempotency-key": "an-earlier-purchase",
    },
    payload: { beat_id: 2, payment_method: "pm_card_visa" },
  });
  await inject(app, {
    method: "POST",
    url: "/v1/orders",
    headers: { authorization: `Bearer ${buyerKey}` },
    payload: { beat_id: 4, payment_method: "pm_card_visa_chargeDeclined" },
  });
  await insertExampleFiles(database.query, 1, new Date(recordedAtMs));
  await insertExampleSale(database.query, buyerEmail, new Date(recordedAtMs - 86_400_000));
  await insertExampleCalls(database.query, buyerEmail, recordedAtMs - 86_400_000);
  return { app, makeKey, testMode };
}

const nameOf = (email: string): string => email.split("@")[0] ?? "";
