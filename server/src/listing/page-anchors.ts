import { LRUCache } from "lru-cache";
import type { CatalogueVersion } from "../database/catalogue/catalogue-version.ts";
import type { Queryable } from "../database/connection/connect.ts";
import { type Anchor, anchorQuery, anchorsQuery, type Listing, type PageRequest } from "./seek.ts";

const step = 250;
/** The most rows that finding a page skips, from the start or from an anchor. */
export const maxSkippedRows = 2 * step;
const maxListings = 200;
const maxTotals = 10_000;

/**
 * Finds a deep page without counting all rows before it. The first request for a deep page by number counts from the
 * nearer end of the listing. The second request caches every 250th row as an anchor until the catalogue changes; from
 * then on a page is at most 250 rows after an anchor. Building the anchors scans the listing's index once, about as
 * expensive as OFFSET for the last page.
 */
export class PageAnchors {
  readonly #version: CatalogueVersion;
  /** By scope. Null anchors: one deep page was requested so far. */
  readonly #listings = new LRUCache<string, { version: number; anchors: Promise<Anchor[]> | null }>({
    max: maxListings,
  });

  readonly #totals = new LRUCache<string, { version: number; total: Promise<number> }>({ max: maxTotals });

  constructor(version: CatalogueVersion) {
    this.#version = version;
  }

  /** The last anchor before the page; null if counting from the start is as fast. */
  async before(db: Queryable, listing: Listing, { page, limit }: PageRequest, total: number): Promise<Anchor | null> {
    const position = (page - 1) * limit;
    if (position <= maxSkippedRows || position >= total) return null;
    const anchors = this.#anchors(db, listing);
    if (anchors === null) return (await anchorQuery(listing, position, total).execute(db)).rows[0] ?? null;
    const known = await anchors;
    return known[Math.floor(position / step) - 1] ?? known.at(-1) ?? null;
  }

  /** The number of rows of a listing, in any order. `count` runs once until the catalogue changes. */
  total(rows: string, count: () => Promise<number>): Promise<number> {
    const version = this.#version.current;
    const known = this.#totals.get(rows);
    if (known !== undefined && known.version === version) return known.total;
    const total = count();
    this.#totals.set(rows, { version, total });
    total.catch(() => this.#totals.delete(rows));
    return total;
  }

  /** Null for the first deep page since the catalogue changed. */
  #anchors(db: Queryable, listing: Listing): Promise<Anchor[]> | null {
    const version = this.#version.current;
    const known = this.#listings.get(listing.scope);
    if (known?.version !== version) {
      this.#listings.set(listing.scope, { version, anchors: null });
      return null;
    }
    if (known.anchors !== null) return known.anchors;
    const anchors = anchorsQuery(listing, step)
      .execute(db)
      .then(({ rows }) => rows);
    this.#listings.set(listing.scope, { version, anchors });
    anchors.catch(() => this.#listings.delete(listing.scope));
    return anchors;
  }
}
