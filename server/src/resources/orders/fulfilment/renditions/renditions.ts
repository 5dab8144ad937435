import { ApiError } from "@beatmarket/foundation/errors.ts";
import { LongPolls } from "@beatmarket/http/long-polls.ts";
import type { KeyCall } from "@beatmarket/http/pipeline/route.ts";
import { sql } from "kysely";
import type { Database, Queryable } from "../../../../database/connect.ts";
import { isLossy } from "../../../beats/publishing/attach-files.ts";
import { enqueueRenditions, priorities } from "../../../jobs/media-jobs.ts";

export type RenditionKind = "mp3" | "wav";

/**
 * A recording. Its renditions are an MP3 if `isLossy` is true, otherwise an MP3 and a WAV. Orders that are older than
 * the column `is_master_lossy` include a WAV of a lossy recording too, so `isLossy` is false for them.
 */
export interface Master {
  sha256: string;
  isLossy: boolean;
}

/** The values of the column `kind` for the renditions of a master. */
const rowKinds = (isLossy: boolean) => (isLossy ? (["lossy_mp3"] as const) : (["mp3", "wav"] as const));

/** A file for buyers that was made from a master. */
export interface Rendition {
  kind: RenditionKind;
  sha256: string;
  bytes: number;
  contentType: string;
}

/** Returns all renditions of a master, or an empty list while any of them is missing. */
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

/** Returns the master as lossy, as lossless, or both, depending on the beats and orders that have it. */
export async function findMasters(db: Queryable, sha256: string): Promise<Master[]> {
  const { rows } = await sql<Master>`
    select ${sha256} as sha256, ${isLossy("master")} as "isLossy" from beat_files master
    where master.sha256 = ${sha256} and master.name = 'master'
    union
    select ${sha256}, is_master_lossy from orders where master_sha256 = ${sha256} and status <> 'failed'`.execute(db);
  return rows;
}

/**
 * Stores all renditions of a master together. Existing renditions stay unchanged, because certificates may name them.
 */
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

/** The channel for notices that a master's renditions exist or failed. The payload is a RenditionNotice in JSON. */
export const renditionsChannel = "renditions";

interface RenditionNotice {
  masterSha256: string;
  /** A sentence with the reason of the failure. Null if the renditions exist. */
  failure: string | null;
}

/** Notifies waiting requests. In a transaction, the notice is sent at the commit. */
export async function notifyOfRenditions(db: Queryable, notice: RenditionNotice): Promise<void> {
  await sql`select pg_notify(${renditionsChannel}, ${JSON.stringify(notice)})`.execute(db);
}

const maxPerSweep = 1_000;

/**
 * Queues the renditions of masters whose beat is listed and changed in the last 24 hours, or that were sold in that
 * time, and that have neither renditions nor a job. For example, an older instance published the beat, or three
 * attempts failed. Renditions of older masters are made when a buyer requests them. Returns the number of queued
 * masters.
 */
export async function queueLostRenditions(db: Queryable, now: Date): Promise<number> {
  const since = new Date(now.getTime() - 86_400_000);
  const { rows: masters } = await sql<{ masterSha256: string; userId: number | null }>`
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
  for (const { masterSha256, userId } of masters)
    await enqueueRenditions(db, { masterSha256, userId, priority: priorities.afterPublishing, now });
  return masters.length;
}

/**
 * Deletes renditions whose master no longer belongs to a beat or an order. The next sweep of the storage deletes their
 * objects.
 */
export async function deleteUnusedRenditions(db: Queryable): Promise<void> {
  await sql`
    delete from renditions
    where not exists (select from beat_files file where file.sha256 = master_sha256 and file.name = 'master')
      and not exists (select from orders where orders.master_sha256 = renditions.master_sha256)`.execute(db);
}

/** A call that waits for renditions. */
export type WaitingCall = Pick<KeyCall<object, object, object>, "closed" | "context" | "underPermit" | "clock">;

const defaultMaxWaitMs = 10_000;
const retrySeconds = 5;

/** Requests that wait until any process has made the renditions of a master. */
export class RenditionWaits {
  readonly #db: Queryable;
  readonly #maxWaitMs: number;
  readonly #polls = new LongPolls<RenditionNotice | null>();
  #unsubscribe: () => void = () => {};

  constructor(db: Queryable, maxWaitMs = defaultMaxWaitMs) {
    this.#db = db;
    this.#maxWaitMs = maxWaitMs;
  }

  /** Subscribes to notices. Resolves when the subscription works. */
  async follow({ listener }: Pick<Database, "listener">): Promise<void> {
    this.#unsubscribe = await listener.subscribe(renditionsChannel, {
      onNotification: (payload) => this.#polls.notify(JSON.parse(payload)),
      // Notices may have been lost, so every waiting request checks again.
      onListening: () => this.#polls.notify(null),
    });
  }

  /**
   * Returns the renditions of a master, for a buyer. If there are none, queues them before all other work, and waits
   * for them. Throws 503 with Retry-After if the wait is too long or the job fails.
   */
  async renditionsOf(master: Master, { userId, orderId }: { userId: number; orderId: number }, call: WaitingCall) {
    const { sha256: masterSha256 } = master;
    const find = async (): Promise<Rendition[] | null> => {
      const renditions = await call.underPermit(() => findRenditions(this.#db, master));
      return renditions.length > 0 ? renditions : null;
    };
    const existing = await find();
    if (existing !== null) return existing;
    let failure: string | null = null;
    /** Returns whether the notice is about this master. If it is, stores the notice's failure. */
    const receiveNotice = (notice: RenditionNotice | null) => {
      if (notice !== null && notice.masterSha256 !== masterSha256) return false;
      failure = notice?.failure ?? null;
      return true;
    };
    using watch = this.#polls.watch(receiveNotice, call);
    const endMs = performance.now() + this.#maxWaitMs;
    const now = new Date(call.clock.nowMs());
    await call.underPermit(() =>
      enqueueRenditions(this.#db, { masterSha256, userId, priority: priorities.buyerWaits, now }),
    );
    for (;;) {
      const renditions = await find();
      if (renditions !== null) return renditions;
      if (failure !== null) throw failedError(orderId, failure);
      if (!(await watch.next(endMs - performance.now()))) break;
    }
    const late = await find();
    if (late === null) throw pendingError(orderId);
    return late;
  }

  /** Ends all waits, so that the server can stop. */
  stop(): void {
    this.#unsubscribe();
    this.#polls.stop();
  }
}

const unavailable = (details: string): ApiError =>
  new ApiError(503, "server_error", "Files are not ready", details, {
    headers: { "retry-after": String(retrySeconds) },
    refusedBy: "renditions",
  });

const pendingError = (orderId: number): ApiError =>
  unavailable(
    `The files of order ${orderId} are still being created; send the request again in ${retrySeconds} seconds.`,
  );

const failedError = (orderId: number, failure: string): ApiError =>
  unavailable(
    `The files of order ${orderId} could not be created this time: ${failure} Another request tries again. If it keeps failing, send the marketplace the number of the order.`,
  );
