import { type RawBuilder, sql } from "kysely";
import { decodeAfter, encodeAfter, type KeyType, type Seek } from "./after-token.ts";
import { lastPage, type Page, type PageLink } from "./page.ts";

/** Rows in one order. The id is the last sort key, in the same direction, so pages never overlap. */
export interface Listing {
  /** Name and filters of the listing; binds its `after` tokens. */
  scope: string;
  /** `from … where …`, filters included. */
  source: RawBuilder<unknown>;
  key: RawBuilder<unknown>;
  /** Values in `after` tokens are cast to it. */
  keyType: KeyType;
  id: RawBuilder<unknown>;
  direction: "asc" | "desc";
}

/** A page, by number alone or by number and `after` token. */
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

/** A row whose position (0-based) is known: counting can start after it. */
export interface Anchor extends Place {
  position: number;
}

/** A page request with its `after` token decoded; shared by `pageQuery` and `pageOf`. */
export interface SeekPlan {
  listing: Listing;
  request: PageRequest;
  seek: Seek | null;
}

/** Decodes the request's `after` token. Throws invalid_request if it belongs to another listing or page. */
export function planPage(listing: Listing, request: PageRequest): SeekPlan {
  const scope = scopeOf(listing, request, request.page);
  const seek = request.after === undefined ? null : decodeAfter(request.after, scope, listing.keyType);
  return { listing, request, seek };
}

/**
 * Selects the ids and keys of the page, and of one more row that shows whether a next page exists. Seeks if there is an
 * `after` token, otherwise counts from the anchor.
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

/** Selects the row before `position` (0-based, not 0), counting from the nearer end of a listing of `total` rows. */
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
 * Selects every `step`th row of the listing and its position. Seeks from each to the next, which takes half the time of
 * numbering all rows.
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

/** The order of the rows of `pageQuery`, for a query that joins them as `page`. */
export function orderOfPage({ listing, seek }: SeekPlan): RawBuilder<unknown> {
  const order = sql.raw((listing.direction === "asc") !== (seek?.direction === "backward") ? "asc" : "desc");
  return sql`page.key ${order}, page.id ${order}`;
}

/** Makes a page of the rows found, which are in `orderOfPage`. `keyOf` returns a row's sort key. */
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

/** The row after which reading starts; null for the start of the listing. */
export const startOf = (seek: Seek | null, anchor: Anchor | null) =>
  seek ?? (anchor === null ? null : { key: keyText(anchor.key), id: anchor.id });

/** The number of rows to skip after `startOf`. */
export const offsetOf = ({ page, limit }: PageRequest, seek: Seek | null, anchor: Anchor | null): number =>
  seek === null ? (page - 1) * limit - (anchor === null ? 0 : anchor.position + 1) : 0;

const scopeOf = (listing: Listing, { limit }: PageRequest, page: number): string => `${listing.scope} ${page} ${limit}`;

const keyText = (key: Place["key"]): number | string => (key instanceof Date ? key.toISOString() : key);
