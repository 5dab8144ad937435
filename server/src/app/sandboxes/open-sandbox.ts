import { join } from "node:path";
import type { Clock } from "@beatmarket/foundation/clock.ts";
import type { Mailer } from "@beatmarket/mail/mailer.ts";
import { openSecretBox } from "@beatmarket/secret-box/secret-box.ts";
import { openObjects } from "@beatmarket/storage/open-storage.ts";
import type { PlaceSettings } from "@beatmarket/storage/places.ts";
import { sql } from "kysely";
import type { Account } from "../../access/account.ts";
import { type Draws, drawKinds, onRandomSource, SeededSource } from "../../access/random-source.ts";
import type { Database, Queryable } from "../../database/connect.ts";
import { openTemplatedMailer } from "../../resources/mails/folder.ts";
import type { RecordedMail } from "../../resources/mails/outbox.ts";
import type { SandboxControl } from "../../resources/sandboxes/control.ts";
import type { Sandbox } from "../../resources/sandboxes/queries.ts";
import { addMirror } from "../../resources/users/accounts.ts";
import { startWebhookJobs } from "../../resources/webhooks/background-jobs.ts";
import { scratchFolders, startMediaJobs } from "../media-jobs.ts";
import type { App, AppParts, DueJob } from "../services/scope.ts";
import { SandboxDeliveries } from "./deliveries.ts";
import { SandboxMedia } from "./media.ts";
import { SandboxClock } from "./sandbox-clock.ts";

/** A running sandbox: the whole service on its own database. */
export interface OpenSandbox {
  app: App;
  database: Database;
  /** Null for test mode, which uses the real time. */
  clock: SandboxClock | null;
  seed: string;
  /** Days until a sale is cleared, so that a payout run pays it. */
  clearingDays: number;
  /** The settings for creating its webhook endpoints. */
  webhooks: AppParts["portal"]["webhooks"];
  /**
   * The jobs that are due in its time, in the order in which they run. `deliveries` is not among them: `advance` adds
   * it, and at other times its worker sends new deliveries by itself.
   */
  jobs: readonly DueJob[];
  /** Its webhook deliveries; null for test mode, whose worker runs by itself. */
  deliveries: SandboxDeliveries | null;
  /** How many changes were made while `advance` was running. */
  changes: { count: number };
  /** Runs work with the sandbox's random source. */
  within<T>(work: () => T): T;
  close(): Promise<void>;
}

export interface SandboxParts {
  /** The parts of the live service. */
  live: AppParts;
  build(parts: AppParts): Promise<App>;
  /** The sandboxes of an account. */
  controlOf(userId: number): SandboxControl;
  /** The live account of a request of the portal. */
  findAccount(headers: Headers): Promise<Account | null>;
}

const requestLogMaxMb = 50;
const accountStorageGb = 1;

/** The folder of a sandbox's files. */
export const folderOf = (live: AppParts, id: string): string => join(live.config.dataDir, "sandboxes", id);

/** The place of a sandbox's files: a part of the live service's place, under the sandbox's own prefix. */
export const placeOfSandbox = ({ config: { storage } }: AppParts, id: string): PlaceSettings =>
  "bucket" in storage
    ? { ...storage, prefix: `${storage.prefix}sandboxes/${id}/` }
    : { folder: join(storage.folder, "sandboxes", id), isNamed: true };

/** The path under which a sandbox is reached without a key: its links, pages and files. */
export const pathOf = (id: string): string => `/sandboxes/${id}`;

/** Opens the service of a sandbox on its database. `database` closes with it. */
export async function openSandbox(parts: SandboxParts, sandbox: Sandbox, database: Database): Promise<OpenSandbox> {
  const { live } = parts;
  const stack = new AsyncDisposableStack();
  stack.defer(() => database.close());
  try {
    // Test mode uses the system's random source, since several servers may run it at once.
    const source = sandbox.kind === "test" ? null : await openSource(database.query);
    if (source !== null) stack.defer(() => returnDraws(database.query, source));
    const within = <T>(work: () => T): T => (source === null ? work() : onRandomSource(source, work));
    return await within(async () => {
      const sandboxClock = await SandboxClock.open(database.query, live.clock);
      const clock = sandboxClock ?? live.clock;
      const appParts = await partsOf(parts, sandbox, database, clock);
      const app = await parts.build(appParts);
      stack.defer(() => app.close());
      const deliveries = sandboxClock === null ? null : new SandboxDeliveries(appParts);
      const jobs: DueJob[] = [...app.simulation.jobs];
      if (deliveries === null) stack.defer(await startRealTime(app, appParts));
      else {
        await deliveries.start();
        stack.defer(() => deliveries.stop());
        await scratchFolders(appParts.config.dataDir).sweep(new Date(live.clock.nowMs()));
        const media = new SandboxMedia(appParts);
        stack.defer(() => media.stop());
        jobs.push(media);
      }
      return {
        app,
        database,
        clock: sandboxClock,
        seed: sandbox.seed,
        clearingDays: live.config.payoutClearingDays,
        webhooks: appParts.portal.webhooks,
        jobs,
        deliveries,
        changes: { count: 0 },
        within,
        close: () => within(() => stack.disposeAsync()),
      };
    });
  } catch (error) {
    await stack.disposeAsync();
    throw error;
  }
}

async function partsOf(
  { live, findAccount, controlOf }: SandboxParts,
  { id, kind, user_id }: Sandbox,
  database: Database,
  clock: Clock,
): Promise<AppParts> {
  const { rows } = await sql<{ secret: string }>`select secret from sandbox.state`.execute(database.query);
  const dataDir = folderOf(live, id);
  const storage = placeOfSandbox(live, id);
  const secrets = await openSecretBox({ dataDir, secretKey: rows[0]?.secret });
  await secrets.refresh(database.query);
  return {
    config: {
      ...live.config,
      dataDir,
      storage,
      requestLogMaxMb,
      accountStorageGb,
      stripe: null,
      seller: null,
      redisUrl: undefined,
      databaseReplicaUrl: undefined,
      requestLogEngine: undefined,
      catalogueEngine: null,
      // Its license log has the same name as the live log, so witnesses would take it for a fork.
      licenseLogWitnesses: [],
      publicUrl: live.config.publicUrl + pathOf(id),
      backup: { ...live.config.backup, vault: null },
    },
    database,
    objects: await openObjects(database.query, { storage, databaseUrl: undefined }),
    clock,
    logger: live.logger.child({ sandbox: id }),
    certificate: live.certificate,
    portal: {
      mailer: recordingMailer(database.query, clock),
      // A sandbox with its own clock sends each mail at the time when it is due, even in a job that sends many mails.
      ...(kind === "sandbox" && { recordMails }),
      demoEmail: null,
      mailsAreFiles: true,
      folder: live.portal.folder,
      webhooks: { secrets, allowPrivate: live.portal.webhooks.allowPrivate },
    },
    ...(live.index !== undefined && { index: live.index }),
    sandbox: {
      id,
      kind,
      path: pathOf(id),
      control: kind === "test" ? controlOf(user_id) : null,
      findAccount: kind === "test" ? accountsOf(database.query, user_id, findAccount) : async () => null,
    },
  };
}

/**
 * Finds the live account of a portal request in test mode. At the first request of a member, adds the member to the
 * database of the test mode, under the same id.
 */
function accountsOf(
  db: Queryable,
  userId: number,
  findAccount: SandboxParts["findAccount"],
): (headers: Headers) => Promise<Account | null> {
  const ids = new Set<number>();
  return async (headers) => {
    const account = await findAccount(headers);
    if (account === null || account.userId !== userId) return null;
    if (!ids.has(account.personId)) await addMirror(db, account.personId, "Member");
    ids.add(account.personId);
    return { ...account, isOperator: false, readAgain: () => findAccount(headers) };
  };
}

const recordingMailer = (db: Queryable, clock: Clock): Mailer => ({
  send: (mail) => recordMails(db, [{ ...mail, sentAt: new Date(clock.nowMs()) }]),
});

async function recordMails(db: Queryable, mails: readonly RecordedMail[]): Promise<void> {
  await sql`
    insert into sandbox.mails (recipient, subject, body, sent_at)
    select * from unnest(${mails.map(({ to }) => to)}::text[], ${mails.map(({ subject }) => subject)}::text[],
      ${mails.map(({ text }) => text)}::text[], ${mails.map(({ sentAt }) => sentAt.toISOString())}::timestamptz[])`.execute(
    db,
  );
}

/** Starts the background jobs, webhook deliveries and media jobs of test mode. Returns a function that stops them. */
async function startRealTime(app: App, parts: AppParts): Promise<() => Promise<void>> {
  const { config, database, objects, clock, logger, portal } = parts;
  await using starting = new AsyncDisposableStack();
  await app.start();
  starting.defer(
    await startWebhookJobs({
      database,
      clock,
      log: logger,
      ...portal.webhooks,
      mails: {
        mailer: await openTemplatedMailer(portal.mailer, { ...config.mails, db: database.query }),
        publicUrl: config.publicUrl,
      },
    }),
  );
  starting.defer(await startMediaJobs({ config, database, objects, clock, log: logger }));
  const started = starting.move();
  return () => started.disposeAsync();
}

/** More draws of each kind than a sandbox makes while it is open. */
const reservedDraws = 1_000_000_000;

/**
 * The random source of a sandbox. It continues after the earlier draws. Reserves draws, so that neither a crash nor a
 * second server draws the same values again.
 */
async function openSource(db: Queryable): Promise<SeededSource> {
  const { rows } = await sql<{ seed: string; draws: Draws }>`
    update sandbox.state set draws = draws + ${reservedDraws}::bigint, kind_draws = (
      select jsonb_object_agg(kind, coalesce((kind_draws ->> kind)::bigint, 0) + ${reservedDraws}::bigint)
      from unnest(${drawKinds.filter((kind) => kind !== "other")}::text[]) as kind)
    returning seed, kind_draws || jsonb_build_object('other', draws) as draws`.execute(db);
  const { seed = "", draws } = rows[0] ?? {};
  const reserved = Object.entries(draws ?? {}).map(([kind, count]) => [kind, count - reservedDraws]);
  return new SeededSource(seed, Object.fromEntries(reserved));
}

/** Gives back the reserved draws that were not made, unless another server has opened the sandbox since. */
async function returnDraws(db: Queryable, source: SeededSource): Promise<void> {
  const { other, ...ofKinds } = source.draws;
  await sql`
    update sandbox.state set draws = ${other}, kind_draws = ${ofKinds}
    where draws = ${source.openedAt.other + reservedDraws}`.execute(db);
}
