import { type RawBuilder, sql } from "kysely";
import { decodeAfter, encodeAfter, type Seek } from "./after-token.ts";
import { lastPage, type Page, type PageLink } from "./page.ts";

/** Rows in one order. The id is the last key of every order, in the key's direction, so pages never overlap. */
export interface Listing {
  /** Distinguishes this listing's `after` tokens from those of others: its name and filters. */
  scope: string;
  /** `from … where …`, filters included. */
  source: RawBuilder<unknown>;
  key: RawBuilder<unknown>;
  /** How a key value stands in an `after` token, and how it is read back into a comparison. */
  keyType: "bigint" | "text" | "timestamptz";
  id: RawBuilder<unknown>;
  direction: "asc" | "desc";
}

/** The page wanted: by number, or by number and `after` token. */
export interface PageRequest {
  page: number;
  limit: number;
  after?: string | undefined;
}

/** A row's place in a listing. */
export interface Place {
  key: number | string | Date;
  id: number;
}

/** A row known to stand at `position` (0-based): counting may begin behind it. */
export interface Anchor extends Place {
  position: number;
}

/** What `pageQuery` was asked, as `pageOf` needs it again. */
export interface SeekPlan {
  listing: Listing;
  request: PageRequest;
  seek: Seek | null;
}

/** Reads the request's `after` token; 400 when it does not belong to this listing and page. */
export function planPage(listing: Listing, request: PageRequest): SeekPlan {
  const seek = request.after === undefined ? null : decodeAfter(request.after, scopeOf(listing, request, request.page));
  return { listing, request, seek };
}

/**
 * The ids and keys of the page, and of one row more that tells whether there is a next one: by seeking where there is
 * an `after` token, else by counting from the nearest known anchor.
 */
export function pageQuery({ listing, request, seek }: SeekPlan, anchor: Anchor | null): RawBuilder<Place> {
  const { source, key, id, direction } = listing;
  const backward = seek?.direction === "backward";
  const start = startOf(seek, anchor);
  const beyond = (direction === "asc") !== backward ? sql`>` : sql`<`;
  const condition =
    start === null
      ? sql``
      : sql`and (${key}, ${id}) ${beyond} (${start.key}::${sql.raw(listing.keyType)}, ${start.id})`;
  const order = sql.raw((direction === "asc") !== backward ? "asc" : "desc");
  const offset = offsetOf(request, seek, anchor);
  return sql<Place>`select ${id} as id, ${key} as key ${source} ${condition}
    order by ${key} ${order}, ${id} ${order} limit ${request.limit + 1} offset ${offset}`;
}

/** The row before the one at `position` (0-based, not 0), found by counting from the nearer end of a listing of `total` rows. */
export const anchorQuery = (
  { source, key, id, direction }: Listing,
  position: number,
  total: number,
): RawBuilder<Anchor> => {
  const isForward = position <= total / 2;
  const order = sql.raw((direction === "asc") === isForward ? "asc" : "desc");
  return sql<Anchor>`
    select ${id} as id, ${key} as key, ${position - 1}::bigint as position ${source}
    order by ${key} ${order}, ${id} ${order} offset ${isForward ? position - 1 : total - position} limit 1`;
};

/**
 * Every `step`th row of the listing and its position: from each to the next one as pages are found, which takes half of
 * what numbering all rows does.
 */
export const anchorsQuery = ({ source, key, id, direction }: Listing, step: number): RawBuilder<Anchor> => {
  const order = sql.raw(direction);
  const beyond = direction === "asc" ? sql`>` : sql`<`;
  const last = sql`order by ${key} ${order}, ${id} ${order} offset ${step - 1} limit 1`;
  return sql<Anchor>`
    with recursive anchors as (
      (select ${id} as id, ${key} as key, ${step - 1}::bigint as position ${source} ${last})
      union all
      select following.id, following.key, anchors.position + ${step}
      from anchors, lateral (
        select ${id} as id, ${key} as key ${source} and (${key}, ${id}) ${beyond} (anchors.key, anchors.id) ${last}
      ) as following
    )
    select id, key, position from anchors order by position`;
};

/** The order `pageQuery` returns rows in; a query that joins them says it again, on the joined `page` columns. */
export function orderOfPage({ listing, seek }: SeekPlan): RawBuilder<unknown> {
  const order = sql.raw((listing.direction === "asc") !== (seek?.direction === "backward") ? "asc" : "desc");
  return sql`page.key ${order}, page.id ${order}`;
}

/** Makes the page out of the rows found, given in `orderOfPage`. `keyOf` is a row's value of the listing's key. */
export function pageOf<Row extends { id: number }>(
  plan: SeekPlan,
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
  const previousPage = Math.min(page - 1, lastPage({ total, limit }));
  return {
    items,
    page,
    limit,
    total,
    next: last !== undefined && (rows.length > limit || backward) ? link("forward", last, page + 1) : null,
    previous:
      page === 1
        ? null
        : previousPage === 1 || first === undefined
          ? { page: previousPage }
          : link("backward", first, page - 1),
  };
}

/** The row behind which reading begins; null for the listing's start. */
export const startOf = (seek: Seek | null, anchor: Anchor | null) =>
  seek ?? (anchor === null ? null : { key: keyText(anchor.key), id: anchor.id });

/** How many rows from there to skip. */
export const offsetOf = ({ page, limit }: PageRequest, seek: Seek | null, anchor: Anchor | null): number =>
  seek === null ? (page - 1) * limit - (anchor === null ? 0 : anchor.position + 1) : 0;

const scopeOf = (listing: Listing, { limit }: PageRequest, page: number): string => `${listing.scope} ${page} ${limit}`;

const keyText = (key: Place["key"]): number | string => (key instanceof Date ? key.toISOString() : key);
