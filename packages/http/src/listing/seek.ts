import { type QueryExecutorProvider, type RawBuilder, sql } from "kysely";
import { decodeAfter, encodeAfter, type Seek, type TokenTypes } from "./after-token.ts";
import { lastPageOf, type Page, type PageLink } from "./page.ts";

/** The listing to which `after` tokens are bound. */
export interface TokenScope extends TokenTypes {
  /** Name, order and filters of the listing. */
  scope: string;
}

/** Rows in one order. The id is the last sort key, in the same direction, so pages never overlap. */
export interface Listing extends TokenScope {
  /** `from … where …`, filters included. */
  source: RawBuilder<unknown>;
  key: RawBuilder<unknown>;
  id: RawBuilder<unknown>;
  direction: "asc" | "desc";
}

/** A page, identified by its number, or by number and `after` token. */
export interface PageRequest {
  page: number;
  limit: number;
  after?: string | undefined;
}

/** The position of a row in a listing, by its sort key and id. */
export interface Place {
  key: number | string | Date;
  id: number;
}

/** A page request with its `after` token decoded; shared by `pageQuery` and `pageOf`. */
export interface SeekPlan<Scope extends TokenScope = Listing> {
  listing: Scope;
  request: PageRequest;
  seek: Seek | null;
}

/**
 * Decodes the request's `after` token. Throws the errors of `decodeAfter`, also for the token of another page or limit.
 */
export function planPage<Scope extends TokenScope>(listing: Scope, request: PageRequest): SeekPlan<Scope> {
  const scope = scopeOf(listing, request, request.page);
  const seek = request.after === undefined ? null : decodeAfter(request.after, scope, listing);
  return { listing, request, seek };
}

/**
 * Selects the ids and keys of the page's rows, and of one more row, which shows that a next page exists. Seeks if there
 * is an `after` token. Otherwise skips rows from the nearer end of the listing, which has `total` rows.
 */
export function pageQuery(plan: SeekPlan, total: number): RawBuilder<Place> {
  const { listing, request, seek } = plan;
  const { source, key, id, keyType } = listing;
  const position = (request.page - 1) * request.limit;
  const isFromEnd = seek === null && position > total / 2;
  const order = isAscending(plan) !== isFromEnd ? sql`asc` : sql`desc`;
  const beyond = isAscending(plan) ? sql`>` : sql`<`;
  const condition =
    seek === null ? sql`` : sql`and (${key}, ${id}) ${beyond} (${seek.key}::${sql.raw(keyType)}, ${seek.id})`;
  const rows = isFromEnd ? Math.max(0, Math.min(request.limit + 1, total - position)) : request.limit + 1;
  const rowsBefore = isFromEnd ? Math.max(0, total - position - rows) : position;
  const offset = seek === null ? rowsBefore : 0;
  return sql<Place>`select ${id} as id, ${key} as key ${source} ${condition}
    order by ${key} ${order}, ${id} ${order} limit ${rows} offset ${offset}`;
}

const isAscending = ({ listing, seek }: SeekPlan): boolean =>
  (listing.direction === "asc") !== (seek?.direction === "backward");

/** Returns the ids and keys of a page's rows, with the total. The caller then reads the rows by id. */
export async function findPlaces(
  db: QueryExecutorProvider,
  listing: Listing,
  request: PageRequest,
): Promise<Page<Place>> {
  const plan = planPage(listing, request);
  const { rows: counts } = await sql<{ total: number }>`select count(*) as total ${listing.source}`.execute(db);
  const total = Number(counts[0]?.total ?? 0);
  const { rows } = await pageQuery(plan, total).execute(db);
  const order = isAscending(plan) ? 1 : -1;
  const sorted = rows.toSorted((one, other) => order * (compareKeys(one.key, other.key) || one.id - other.id));
  return pageOf(plan, sorted, total, ({ key }) => key);
}

function compareKeys(one: Place["key"], other: Place["key"]): number {
  if (one < other) return -1;
  return one > other ? 1 : 0;
}

/** The order of the rows of `pageQuery`, for a query that joins them as `page`. */
export function orderOfPage(plan: SeekPlan): RawBuilder<unknown> {
  const order = sql.raw(isAscending(plan) ? "asc" : "desc");
  return sql`page.key ${order}, page.id ${order}`;
}

/**
 * Makes a page from the rows of `pageQuery`, sorted by `orderOfPage`: one row more than the limit means that further
 * rows follow. `keyOf` returns a row's sort key.
 */
export function pageOf<Row extends { id: number | string }>(
  plan: SeekPlan<TokenScope>,
  rows: Row[],
  total: number,
  keyOf: (row: Row) => Place["key"],
): Page<Row> {
  const { listing, request, seek } = plan;
  const { page, limit } = request;
  const backward = seek?.direction === "backward";
  const items = backward ? rows.slice(0, limit).reverse() : rows.slice(0, limit);
  const first = items[0];
  const last = items.at(-1);
  const link = (direction: Seek["direction"], row: Row, to: number): PageLink => ({
    page: to,
    after: encodeAfter({ direction, key: keyText(keyOf(row)), id: row.id }, scopeOf(listing, request, to)),
  });
  const lastPage = lastPageOf(total, limit);
  const previousPage = Math.min(page - 1, lastPage);
  const previousLink = (): PageLink =>
    previousPage === 1 || first === undefined ? { page: previousPage } : link("backward", first, page - 1);
  return {
    items,
    page,
    limit,
    total,
    lastPage,
    next: last !== undefined && (rows.length > limit || backward) ? link("forward", last, page + 1) : null,
    previous: page === 1 ? null : previousLink(),
  };
}

const scopeOf = (listing: TokenScope, { limit }: PageRequest, page: number): string =>
  `${listing.scope} ${page} ${limit}`;

const keyText = (key: Place["key"]): number | string => (key instanceof Date ? key.toISOString() : key);
