/** A page of a listing, as queries return it. */
export interface Page<T> {
  items: T[];
  page: number;
  limit: number;
  total: number;
  next: PageLink | null;
  previous: PageLink | null;
}

/** The link to a neighbouring page. */
export interface PageLink {
  page: number;
  /** The opaque `after` parameter; absent if the page number is enough. */
  after?: string;
}

/** At least 1, even for an empty listing (docs/api/conventions.md, Pagination). */
export const lastPage = ({ total, limit }: { total: number; limit: number }): number =>
  Math.max(1, Math.ceil(total / limit));

/** Makes a page of a listing that has page numbers only. */
export function countedPage<T>(items: T[], given: { page: number; limit: number; total: number }): Page<T> {
  const { page, limit, total } = given;
  const last = lastPage(given);
  return {
    items,
    page,
    limit,
    total,
    next: page < last ? { page: page + 1 } : null,
    previous: page > 1 ? { page: Math.min(page - 1, last) } : null,
  };
}
