import { join } from "node:path";
import { systemClock } from "@beatmarket/foundation/clock.ts";
import { openSecretBox } from "@beatmarket/secret-box/secret-box.ts";
import { FolderStorage } from "@beatmarket/storage/folder-storage.ts";
import { StoredObjects } from "@beatmarket/storage/stored-objects.ts";
import pino from "pino";
import { buildApp } from "../../../src/app/app.ts";
import { sandboxControl } from "../../../src/app/sandboxes/control.ts";
import { SandboxServer } from "../../../src/app/sandboxes/sandbox-server.ts";
import { Sandboxes } from "../../../src/app/sandboxes/sandboxes.ts";
import type { AppParts, SandboxServerParts } from "../../../src/app/services/scope.ts";
import type { Database } from "../../../src/database/connect.ts";
import type { CheckoutDependencies } from "../../../src/resources/orders/checkout.ts";
import type { SandboxControl } from "../../../src/resources/sandboxes/control.ts";
import { listSandboxes } from "../../../src/resources/sandboxes/queries.ts";
import { findOrCreateAccount } from "../../../src/resources/users/accounts.ts";

/** The sandboxes of one account, in this process, without an HTTP server. */
export interface World {
  control: SandboxControl;
  /** Runs work on the database of a sandbox, and in its time. */
  within<T>(id: string, work: (db: Database["query"], checkout: CheckoutDependencies) => Promise<T>): Promise<T>;
  /** Deletes the sandboxes without recent requests. */
  sweep(): Promise<void>;
  close(): Promise<void>;
}

/** Opens the sandboxes of an account of `database`. Files are written into `dataDir`. */
export async function openWorld(
  database: Database,
  sandboxServer: SandboxServerParts,
  dataDir: string,
): Promise<World> {
  const publicUrl = "https://localhost:8443";
  const brand = { site: "Beat Marketplace", logoUrl: null, footer: null, links: [] };
  const live: AppParts = {
    config: {
      dataDir,
      publicUrl,
      host: "127.0.0.1",
      tls: { mode: "own" },
      trustedProxies: null,
      metricsToken: undefined,
      requestLogMaxMb: 100,
      requestLogEngine: undefined,
      accountStorageGb: 1,
      databaseReplicaUrl: undefined,
      redisUrl: undefined,
      catalogueEngine: null,
      licenseTerms: undefined,
      licenseLogWitnesses: [],
      currency: "USD",
      commissionBasisPoints: 1_000,
      seller: null,
      stripe: null,
      allowsDuplicates: false,
      payoutClearingDays: 7,
      payoutDebtor: null,
      mails: { templates: undefined, brand },
      site: { name: brand.site, color: null, logo: undefined, pages: undefined },
      storage: { folder: join(dataDir, "objects"), isNamed: false },
      backup: { vault: null, key: undefined, keyPrevious: undefined, keepDays: 7 },
    },
    database,
    objects: new StoredObjects(database.query, new FolderStorage(join(dataDir, "objects"))),
    clock: systemClock,
    logger: pino({ level: "warn" }, pino.destination(2)),
    certificate: null,
    portal: {
      mailer: { send: async () => {} },
      demoEmail: null,
      mailsAreFiles: true,
      folder: dataDir,
      webhooks: { secrets: await openSecretBox({ dataDir, secretKey: "the key of a world" }), allowPrivate: false },
    },
    sandboxServer,
  };
  const { id: userId } = await findOrCreateAccount(database.query, { email: "developer@example.com" });
  const sandboxes: Sandboxes = new Sandboxes(
    { live, build: buildApp, findAccount: async () => null, controlOf: () => control },
    new SandboxServer(sandboxServer),
  );
  const control = sandboxControl({
    sandboxes,
    userId,
    publicUrl,
    allowPrivate: false,
    list: () => listSandboxes(database.query, userId),
  });
  return {
    control,
    within: async (id, work) => {
      const sandbox = await sandboxes.find(id);
      if (sandbox === undefined) throw new Error(`There is no sandbox ${id}.`);
      return sandboxes.use(sandbox, (open) => work(open.database.query, open.app.simulation.checkout));
    },
    sweep: () => sandboxes.sweep(),
    close: async () => {
      for (const { id } of await listSandboxes(database.query, userId)) await control.delete(id);
      await sandboxes.close();
    },
  };
}
