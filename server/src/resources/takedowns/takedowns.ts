import { containing, hasTrigram, maxMatches } from "@beatmarket/postgres/text-parts.ts";
import { type RawBuilder, sql } from "kysely";
import type { Queryable } from "../../database/connect.ts";
import { type BeatStatus, statusSql } from "../beats/state.ts";

/** An operator's decision that hides a beat and takes it off sale. */
export interface Takedown {
  id: number;
  beat_id: number;
  /** The reason, for the producer and for buyers whose files are withdrawn. */
  reason: string;
  /** Whether the files of buyers are withdrawn too. */
  withdraws_files: boolean;
  taken_down_at: Date;
  /** The producer's answer. */
  answer: string | null;
  answered_at: Date | null;
  /** Null while the takedown is in force. */
  restored_at: Date | null;
}

const selectTakedowns = (db: Queryable) =>
  db
    .selectFrom("takedowns")
    .select(["id", "beat_id", "reason", "withdraws_files", "taken_down_at", "answer", "answered_at", "restored_at"]);

/** Returns the takedown in force, and undefined for a beat that is not taken down. */
export const findTakedown = (db: Queryable, beatId: number): Promise<Takedown | undefined> =>
  selectTakedowns(db).where("beat_id", "=", beatId).where("restored_at", "is", null).executeTakeFirst();

/** A beat in any state, with the facts for operators. */
export interface OperatorsBeat {
  id: number;
  title: string;
  producer_id: number;
  producer_name: string;
  status: BeatStatus;
  is_taken_down: boolean;
  /** The number of completed orders that are not refunded in full. A takedown affects their buyers. */
  orders: number;
  created_at: Date;
}

export interface BeatsSearch {
  /** An id, or a part of the title or of the producer's name. Undefined selects all beats. */
  search?: string | undefined;
  beatId?: number;
  producerId?: number | undefined;
  isTakenDown?: boolean | undefined;
  /** Selects only beats with lower ids. */
  beforeId?: number | undefined;
  limit: number;
}

/** Returns beats that were ever published, newest first. Drafts are visible only to their producers. */
export async function searchBeats(
  db: Queryable,
  { search, beatId, producerId, isTakenDown, beforeId, limit }: BeatsSearch,
): Promise<OperatorsBeat[]> {
  const conditions: RawBuilder<unknown>[] = [sql`(stage is null or published_at is not null)`];
  if (search !== undefined) {
    conditions.push(sql`beats.id = any (array(select id from (${selectMatchingIds(search, beforeId)}) as found))`);
  }
  if (beatId !== undefined) conditions.push(sql`beats.id = ${beatId}`);
  if (producerId !== undefined) conditions.push(sql`beats.user_id = ${producerId}`);
  if (isTakenDown !== undefined) conditions.push(sql`is_taken_down = ${isTakenDown}`);
  if (beforeId !== undefined) conditions.push(sql`beats.id < ${beforeId}`);
  const { rows } = await sql<OperatorsBeat>`
    select beats.id, beats.title, beats.user_id as producer_id, users.display_name as producer_name, is_taken_down,
      ${sql.raw(statusSql)} as status, beats.created_at,
      (select count(*)::int from orders where orders.beat_id = beats.id and status = 'completed'
        and not (refunded_at is not null and refunded_cents = amount_cents)) as orders
    from beats join users on users.id = beats.user_id left join beat_productions on beat_productions.beat_id = beats.id
    where ${sql.join(conditions, sql` and `)}
    order by beats.id desc limit ${limit}`.execute(db);
  return rows;
}

/**
 * Selects the ids of beats that match the text (`BeatsSearch`). Each kind of match uses its own index, and returns at
 * most the newest `maxMatches`. A text that is too short for an index is searched only in the newest `maxMatches`
 * beats.
 */
function selectMatchingIds(search: string, beforeId: number | undefined): RawBuilder<unknown> {
  const before = beforeId === undefined ? sql`` : sql`and beats.id < ${beforeId}`;
  const newest = sql`order by beats.id desc limit ${maxMatches}`;
  const pattern = containing(search);
  const id = /^\d{1,15}$/.test(search.trim()) ? Number(search) : 0;
  const parts = hasTrigram(search)
    ? sql`(select id from beats where title ilike ${pattern} ${before} ${newest})
      union (select beats.id from users join beats on beats.user_id = users.id
        where users.is_producer and users.display_name ilike ${pattern} ${before} ${newest})`
    : sql`(select beats.id from (select id, title, user_id from beats where true ${before} ${newest}) as beats
        join users on users.id = beats.user_id where title ilike ${pattern} or display_name ilike ${pattern})`;
  return sql`${parts} union (select id from beats where id = ${id})`;
}

/** Returns all takedowns of these beats, newest first. */
export const listTakedowns = (db: Queryable, beatIds: readonly number[]): Promise<Takedown[]> =>
  selectTakedowns(db).where(sql<boolean>`beat_id = any(${beatIds}::bigint[])`).orderBy("id", "desc").execute();
