/** A page of a listing, as queries return it. */
export interface Page<T> {
  items: T[];
  page: number;
  limit: number;
  total: number;
  /** At least 1, even for an empty listing (docs/api/conventions.md, Pagination). */
  lastPage: number;
  next: PageLink | null;
  previous: PageLink | null;
}

/** The link to an adjacent page. */
export interface PageLink {
  page: number;
  /** The opaque `after` parameter; absent if the page number is enough. */
  after?: string;
}

export const lastPageOf = (total: number, limit: number): number => Math.max(1, Math.ceil(total / limit));

/**
 * Makes a page of a listing with page numbers and without `after` tokens. If the page combines entries of several
 * lists, `total` counts all of them, and `longest` is the length of the longest list, which determines the last page.
 */
export function countedPage<T>(
  items: T[],
  { page, limit, total, longest = total }: { page: number; limit: number; total: number; longest?: number },
): Page<T> {
  const lastPage = lastPageOf(longest, limit);
  return {
    items,
    page,
    limit,
    total,
    lastPage,
    next: page < lastPage ? { page: page + 1 } : null,
    previous: page > 1 ? { page: Math.min(page - 1, lastPage) } : null,
  };
}
