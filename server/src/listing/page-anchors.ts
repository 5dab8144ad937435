import { LRUCache } from "lru-cache";
import type { CatalogueVersion } from "../database/catalogue/catalogue-version.ts";
import type { Queryable } from "../database/connection/connect.ts";
import { type Anchor, anchorQuery, anchorsQuery, type Listing, type PageRequest } from "./seek.ts";

const step = 250;
/** A page is found by skipping at most this many rows, from the start or from an anchor. */
export const maxSkippedRows = 2 * step;
const maxListings = 200;
const maxTotals = 10_000;

/**
 * Finds a deep page without counting all rows before it. The first page that somebody asks for by its number, beyond the
 * first few of a listing, is counted from the nearer end. From the second one on every 250th row is remembered until the
 * catalogue changes; a page is then at most 250 rows of counting away, however deep. Finding them takes one walk over the
 * listing's index, about what OFFSET would have cost for its last page.
 */
export class PageAnchors {
  readonly #version: CatalogueVersion;
  /** Null anchors: a page was asked for, and may have been the only one. */
  readonly #listings = new LRUCache<string, { version: number; anchors: Promise<Anchor[]> | null }>({
    max: maxListings,
  });

  readonly #totals = new LRUCache<string, { version: number; total: Promise<number> }>({ max: maxTotals });

  constructor(version: CatalogueVersion) {
    this.#version = version;
  }

  /** The last anchor before the page, or null where counting from the start is as good. */
  async before(db: Queryable, listing: Listing, { page, limit }: PageRequest, total: number): Promise<Anchor | null> {
    const position = (page - 1) * limit;
    if (position <= maxSkippedRows || position >= total) return null;
    const anchors = this.#anchors(db, listing);
    if (anchors === null) return (await anchorQuery(listing, position, total).execute(db)).rows[0] ?? null;
    const known = await anchors;
    return known[Math.floor(position / step) - 1] ?? known.at(-1) ?? null;
  }

  /** How many rows there are, in whatever order, looked up once until the catalogue changes. */
  total(rows: string, count: () => Promise<number>): Promise<number> {
    const version = this.#version.current;
    const known = this.#totals.get(rows);
    if (known !== undefined && known.version === version) return known.total;
    const total = count();
    this.#totals.set(rows, { version, total });
    total.catch(() => this.#totals.delete(rows));
    return total;
  }

  /** Null when nobody has asked for a deep page since the catalogue changed. */
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
