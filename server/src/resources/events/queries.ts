import { sql } from "kysely";
import type { Queryable } from "../../database/connect.ts";
import { marketplaceTypes } from "../webhooks/event-types.ts";

/** An event of an account, at its position in the order of commits. */
export interface FeedEvent {
  position: number;
  type: string;
  /** The body of webhooks, as JSON. */
  payload: string;
}

/** A page of an account's events. */
export interface EventPage {
  events: FeedEvent[];
  /** The position after which the next page begins. */
  next: number;
  /** Whether the page has as many events as its limit, so that more may follow. */
  isFull: boolean;
}

/** Selects events of an account. */
export interface EventsQuery {
  userId: number;
  /** Null: all types. */
  types: readonly string[] | null;
  /** Null: from the oldest stored event. */
  after: number | null;
  limit: number;
}

/** The stored range of an account's events at the time of a read. */
interface Extent {
  /** Events of the requested types up to this position were deleted. */
  horizon: number;
  /** The newest position of all the account's types. */
  newest: number;
  /** The highest position that any event ever had. */
  highest: number;
  /** Whether the account is flagged `marketplace`. */
  isMarketplace: boolean;
}

type Row = Extent & { [column in keyof FeedEvent]: FeedEvent[column] | null };

/** The feed that every account reads, and the feed that accounts flagged `marketplace` read too (migration 0025). */
const everyone = 0;
const marketplace = -1;
/** The feeds that may have events for an account. */
export const feedsOf = (userId: number, { isMarketplace }: { isMarketplace: boolean }): readonly number[] =>
  isMarketplace ? [everyone, userId, marketplace] : [everyone, userId];

/** Whether `account` reads a feed's entries of a type. Marketplace accounts also read the purchases of all accounts. */
const isRead = sql<boolean>`feed in (${everyone},
  case when account.marketplace and type = any (${sql.val(marketplaceTypes)}::text[]) then ${marketplace} else account.id end)`;

/**
 * At most `limit` of an account's events after `after`, in the order of commits, and the stored range. One statement
 * reads both, so that `newest` includes exactly the events that the statement sees. Reads at most `limit` entries of
 * each feed and type.
 */
export async function readEvents(
  db: Queryable,
  { userId, types, after, limit }: EventsQuery,
): Promise<{ page: EventPage; extent: Extent }> {
  const { rows } = await sql<Row>`
    with account as (select id, marketplace from users where id = ${userId}),
    own as (
      select event_feeds.*, ${types}::text[] is null or type = any (${types}) as is_wanted
      from account join event_feeds on ${isRead}
    ),
    extent as (
      select coalesce(max(horizon) filter (where is_wanted), 0) as horizon,
             coalesce(max(greatest(horizon, (
               select max(position) from event_feed_entries entry
               where (entry.feed, entry.type) = (own.feed, own.type)
             ))), 0) as newest,
             coalesce(pg_sequence_last_value('event_positions'::regclass), 0) as highest,
             (select marketplace from account) as "isMarketplace"
      from own
    ),
    page as (
      select entry.* from own cross join lateral (
        select position, type, event_id from event_feed_entries entry
        where (entry.feed, entry.type) = (own.feed, own.type) and position > ${after ?? 0}
        order by position limit ${limit}
      ) as entry
      where is_wanted order by position limit ${limit}
    )
    select extent.*, position, page.type, payload
    from extent left join (page join events on events.id = event_id) on true
    order by position`.execute(db);
  const [first] = rows;
  const extent = first ?? { horizon: 0, newest: 0, highest: 0, isMarketplace: false };
  const events = rows.filter((row): row is Extent & FeedEvent => row.position !== null);
  const isFull = events.length === limit;
  const next = isFull ? events.at(-1)?.position : Math.max(after ?? 0, extent.newest);
  return { extent, page: { events, next: next ?? extent.newest, isFull } };
}

/** The body of an event that the account receives; null for any other event. */
export async function findEvent(db: Queryable, userId: number, eventId: string): Promise<string | null> {
  const { rows } = await sql<{ payload: string }>`
    select payload from events join users account on account.id = ${userId}
    where events.id = ${eventId} and exists (
      select from event_feed_entries entry where event_id = events.id and ${isRead}
    )`.execute(db);
  return rows[0]?.payload ?? null;
}
