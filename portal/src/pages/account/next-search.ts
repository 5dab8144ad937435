import { searchParams } from "../../api/search-params.ts";

/**
 * The path to open after signing in. Only paths of the portal: an absolute URL would be an open redirect. Undefined for
 * the first page, which opens anyway; otherwise a mail would needlessly promise to lead back to it.
 */
export const nextSearch = searchParams<{ next?: string | undefined }>({
  next: (path) => (/^\/(?![/\\])[^\\\s]+$/.test(path) && path.length <= 500 ? path : undefined),
});
