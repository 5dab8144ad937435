import { ApiError } from "@beatmarket/foundation/errors.ts";
import { LongPolls } from "@beatmarket/http/long-polls.ts";
import type { KeyCall } from "@beatmarket/http/pipeline/route.ts";
import { sql } from "kysely";
import type { Database, Queryable } from "../../../../database/connect.ts";
import { isLossy } from "../../../beats/publishing/attach-files.ts";
import { enqueueRenditions, priorities } from "../../../jobs/media-jobs.ts";

export type RenditionKind = "mp3" | "wav";

/** A recording as an order froze it. An order may have been promised the WAV of a lossy recording. */
export interface Master {
  sha256: string;
  isLossy: boolean;
}

/** The kinds of files made of a master, by the names of its rows. */
const rowKinds = (isLossy: boolean) => (isLossy ? (["lossy_mp3"] as const) : (["mp3", "wav"] as const));

/** A file made of a master for its buyers. */
export interface Rendition {
  kind: RenditionKind;
  sha256: string;
  bytes: number;
  contentType: string;
}

/** The renditions of a master: none before they are made, then all. */
export async function findRenditions(db: Queryable, { sha256, isLossy }: Master): Promise<Rendition[]> {
  const kinds = rowKinds(isLossy);
  const rows = await db
    .selectFrom("renditions")
    .select(["kind", "sha256", "bytes", "content_type as contentType"])
    .where("master_sha256", "=", sha256)
    .where("kind", "in", kinds)
    .execute();
  if (rows.length < kinds.length) return [];
  return rows.map((row) => ({ ...row, kind: row.kind === "wav" ? "wav" : "mp3" }));
}

/** The forms in which a master is needed: for beats, and for the orders that froze it. */
export async function wantedMasters(db: Queryable, sha256: string): Promise<Master[]> {
  const { rows } = await sql<Master>`
    select ${sha256} as sha256, ${isLossy("master")} as "isLossy" from beat_files master
    where master.sha256 = ${sha256} and master.name = 'master'
    union
    select ${sha256}, is_master_lossy from orders where master_sha256 = ${sha256} and status <> 'failed'`.execute(db);
  return rows;
}

/** Stores all renditions of a master together. Existing ones stay, since certificates may name them. */
export async function storeRenditions(
  transaction: Queryable,
  { sha256: masterSha256, isLossy }: Master,
  renditions: readonly Rendition[],
): Promise<void> {
  await transaction
    .insertInto("renditions")
    .values(
      renditions.map(({ kind, sha256, bytes, contentType }) => ({
        master_sha256: masterSha256,
        kind: isLossy ? `lossy_${kind}` : kind,
        sha256,
        bytes,
        content_type: contentType,
      })),
    )
    .onConflict((conflict) => conflict.doNothing())
    .execute();
}

/** The channel for notices that a master's renditions were made or failed: a RenditionNotice in JSON. */
export const renditionsChannel = "renditions";

interface RenditionNotice {
  masterSha256: string;
  /** The reason why an attempt failed, a sentence; null when they are made. */
  failure: string | null;
}

/** Notifies waiting requests. Within a transaction, at its commit. */
export async function notifyOfRenditions(db: Queryable, notice: RenditionNotice): Promise<void> {
  await sql`select pg_notify(${renditionsChannel}, ${JSON.stringify(notice)})`.execute(db);
}

const maxPerSweep = 1_000;

/**
 * Queues the renditions of masters that were published or sold in the last 24 hours and have neither renditions nor a
 * job, for any reason: an older instance published them, or three attempts failed. Older ones are made when a buyer
 * asks. Returns how many it queued.
 */
export async function queueLostRenditions(db: Queryable, now: Date): Promise<number> {
  const since = new Date(now.getTime() - 86_400_000);
  const { rows: exhausted } = await sql<{ masterSha256: string; userId: number | null }>`
    with recent as (
      select file.sha256, beats.user_id from beats join beat_files file on file.beat_id = beats.id and file.name = 'master'
      where beats.is_listed and beats.updated_at > ${since}
      union all
      select master_sha256, user_id from orders where master_sha256 is not null and completed_at > ${since}
    )
    select sha256 as "masterSha256", min(user_id) as "userId" from recent
    where not exists (select from renditions where master_sha256 = recent.sha256)
      and not exists (select from media_jobs job where job.kind = 'renditions' and job.subject = recent.sha256)
    group by sha256 limit ${maxPerSweep}`.execute(db);
  for (const { masterSha256, userId } of exhausted)
    await enqueueRenditions(db, { masterSha256, userId, priority: priorities.afterPublishing, now });
  return exhausted.length;
}

/**
 * Deletes renditions whose master no beat and no order has any more. The next sweep of the storage deletes their
 * objects.
 */
export async function deleteUnusedRenditions(db: Queryable): Promise<void> {
  await sql`
    delete from renditions
    where not exists (select from beat_files file where file.sha256 = master_sha256 and file.name = 'master')
      and not exists (select from orders where orders.master_sha256 = renditions.master_sha256)`.execute(db);
}

/** The call that waits. */
export type WaitingCall = Pick<KeyCall<object, object, object>, "closed" | "context" | "underPermit" | "clock">;

const defaultMaxWaitMs = 10_000;
const retrySeconds = 5;

/** Requests that wait until any process has made the renditions of a master. */
export class RenditionWaits {
  readonly #db: Queryable;
  readonly #maxWaitMs: number;
  readonly #polls = new LongPolls<RenditionNotice | null>();
  #unfollow: () => void = () => {};

  constructor(db: Queryable, maxWaitMs = defaultMaxWaitMs) {
    this.#db = db;
    this.#maxWaitMs = maxWaitMs;
  }

  /** Resolves once notices arrive. */
  async follow({ listener }: Pick<Database, "listener">): Promise<void> {
    this.#unfollow = await listener.subscribe(renditionsChannel, {
      onNotification: (payload) => this.#polls.notify(JSON.parse(payload)),
      // Notices may have been missed, so every waiting request checks again.
      onListening: () => this.#polls.notify(null),
    });
  }

  /**
   * The renditions of a master, for a buyer. If there are none, they are made before all other waiting work, and the
   * call waits. Throws 503 with Retry-After when that takes too long or fails.
   */
  async of(master: Master, { userId, orderId }: { userId: number; orderId: number }, call: WaitingCall) {
    const { sha256: masterSha256 } = master;
    const find = async (): Promise<Rendition[] | null> => {
      const renditions = await call.underPermit(() => findRenditions(this.#db, master));
      return renditions.length > 0 ? renditions : null;
    };
    const existing = await find();
    if (existing !== null) return existing;
    let failure: string | null = null;
    const isNews = (notice: RenditionNotice | null) => {
      if (notice !== null && notice.masterSha256 !== masterSha256) return false;
      failure = notice?.failure ?? null;
      return true;
    };
    using watch = this.#polls.watch(isNews, call);
    const endMs = performance.now() + this.#maxWaitMs;
    const now = new Date(call.clock.nowMs());
    await call.underPermit(() =>
      enqueueRenditions(this.#db, { masterSha256, userId, priority: priorities.buyerWaits, now }),
    );
    for (;;) {
      const renditions = await find();
      if (renditions !== null) return renditions;
      if (failure !== null) throw notMade(orderId, failure);
      if (!(await watch.next(endMs - performance.now()))) break;
    }
    const late = await find();
    if (late === null) throw stillMade(orderId);
    return late;
  }

  /** Ends all waits, so that the server can stop. */
  stop(): void {
    this.#unfollow();
    this.#polls.stop();
  }
}

const unavailable = (details: string): ApiError =>
  new ApiError(503, "server_error", "Files are not ready", details, {
    headers: { "retry-after": String(retrySeconds) },
    refusedBy: "renditions",
  });

const stillMade = (orderId: number): ApiError =>
  unavailable(`The files of order ${orderId} are still being made; ask again in ${retrySeconds} seconds.`);

const notMade = (orderId: number, failure: string): ApiError =>
  unavailable(
    `The files of order ${orderId} could not be made this time: ${failure} Another request tries again. If it keeps failing, send the marketplace the number of the order.`,
  );
