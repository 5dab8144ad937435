import type { Clock } from "@beatmarket/foundation/clock.ts";
import { notFound, notYours } from "@beatmarket/foundation/errors.ts";
import type { Page } from "@beatmarket/http/listing/page.ts";
import { findPlaces, type Listing } from "@beatmarket/http/listing/seek.ts";
import type { LicenseBounds } from "@beatmarket/license-terms/limits.ts";
import { sql } from "kysely";
import type { Queryable } from "../../../database/connect.ts";
import type { BeatCatalogue } from "../catalogue/beat-catalogue.ts";
import { type SingleBeat, withAnalysis } from "../production.ts";
import { findSingleBeats } from "../queries.ts";
import { type BeatStatus, isShown, statusSql, stored } from "../state.ts";

/** A single beat, and whether the caller is its producer. */
export interface ShownBeat {
  beat: SingleBeat;
  isOwn: boolean;
}

export type OwnBeats = Page<SingleBeat>;

export interface OwnBeatsRequest {
  userId: number;
  status?: BeatStatus | undefined;
  page: number;
  limit: number;
  after?: string | undefined;
}

/**
 * A beat that the account may see: an own beat in any state, or another account's public beat. Own beats are read on
 * the primary, so that the account sees its latest write. Throws notFound for any other beat.
 */
export async function showBeat(
  { catalogue, primary }: { catalogue: Pick<BeatCatalogue, "find">; primary: Queryable },
  beatId: number,
  userId: number,
): Promise<ShownBeat> {
  const beat = await catalogue.find(beatId);
  if (beat === undefined || beat.user_id === userId) {
    const ownBeat = await findOwnBeat(primary, beatId, userId);
    if (ownBeat !== undefined) return { beat: ownBeat, isOwn: true };
  } else if (isShown(beat)) return { beat, isOwn: false };
  throw unknownBeat(beatId);
}

/** One of the account's beats in any state; undefined for an unknown beat or another account's. */
export async function findOwnBeat(db: Queryable, beatId: number, userId: number): Promise<SingleBeat | undefined> {
  const beat = (await findSingleBeats(db, [beatId])).get(beatId);
  return beat?.user_id === userId ? withAnalysis(beat) : undefined;
}

/**
 * Finds one of the account's beats for a change, and locks it until the transaction ends, so that no order buys the
 * beat in between. Throws notFound for a beat that the account may not see, and notYours for another account's visible
 * beat.
 */
export async function lockOwnBeat(transaction: Queryable, beatId: number, userId: number): Promise<SingleBeat> {
  const row = await transaction
    .selectFrom("beats")
    .select(["user_id", "is_listed", "is_taken_down", "exclusive_state"])
    .where("id", "=", beatId)
    .forUpdate()
    .executeTakeFirst();
  if (row === undefined || (row.user_id !== userId && !isShown(row))) throw unknownBeat(beatId);
  if (row.user_id !== userId) throw notYours(`Beat ${beatId} belongs to another producer.`);
  await ensureProduction(transaction, beatId);
  const beat = (await findSingleBeats(transaction, [beatId])).get(beatId);
  if (beat === undefined) throw new Error(`Beat ${beatId} was deleted while it was locked.`);
  return beat;
}

/** Gives an imported beat a production at its first change. The imported values count as the producer's. */
const ensureProduction = (transaction: Queryable, beatId: number) =>
  sql`
    insert into beat_productions (beat_id, stage, bpm_source, key_source, published_at)
    select id, ${stored.published.stage}, 'producer', case when key <> '' then 'producer' end, created_at from beats where id = ${beatId}
    on conflict do nothing`.execute(transaction);

/** One page of the account's beats, in every state or with one status, newest first (docs/api/users.md, Your beats). */
export async function listOwnBeats(db: Queryable, request: OwnBeatsRequest): Promise<OwnBeats> {
  const { userId, status } = request;
  const listing: Listing = {
    scope: `own beats ${userId} ${status ?? ""}`,
    source: sql`from beats left join beat_productions on beat_id = id where user_id = ${userId}
      ${status === undefined ? sql`` : sql`and ${sql.raw(statusSql)} = ${status}`}`,
    // Ids follow the order of creation. The created_at of a beat is the time of its publishing.
    key: sql.ref("id"),
    keyType: "bigint",
    id: sql.ref("id"),
    direction: "desc",
  };
  const page = await findPlaces(db, listing, request);
  const beats = await findSingleBeats(
    db,
    page.items.map(({ id }) => id),
  );
  return { ...page, items: page.items.flatMap(({ id }) => beats.get(id) ?? []).map(withAnalysis) };
}

/** The number of the account's beats with each status. */
export async function countOwnBeats(db: Queryable, userId: number): Promise<Record<BeatStatus, number>> {
  const { rows } = await sql<{ status: BeatStatus; beats: number }>`
    select ${sql.raw(statusSql)} as status, count(*) as beats
    from beats left join beat_productions on beat_id = id where user_id = ${userId} group by 1`.execute(db);
  const counts = { draft: 0, processing: 0, published: 0, withdrawn: 0 };
  for (const { status, beats } of rows) counts[status] = beats;
  return counts;
}

export const unknownBeat = (beatId: number) => notFound(`Beat ${beatId} does not exist.`);

/** The dependencies of publishing. */
export interface PublishingContext {
  /** The primary database. */
  db: Queryable;
  clock: Clock;
  /** Origin of the addresses in events. */
  publicUrl: string;
  /** Whether accounts may publish recordings that another account has published. */
  allowsDuplicates: boolean;
}

/** The dependencies of creating and changing beats. */
export interface EditContext extends PublishingContext {
  /** The ranges in which producers may change limits; null where the terms have no limits. */
  licenseBounds: LicenseBounds | null;
}

/** An account's request to change its beats. */
export interface OwnRequest {
  userId: number;
  /** Null without a request: for an operator's command, or at the time of `publish_at`. */
  requestId: string | null;
}
