import { searchParams } from "../../api/search-params.ts";

/**
 * The path to open after signing in. It must be a path of this site, because an absolute URL would be an open redirect.
 * Undefined for the first page, which is the default.
 */
export const nextSearch = searchParams<{ next?: string | undefined }>({
  next: (path) => (/^\/(?![/\\])[^\\\s]+$/.test(path) && path.length <= 500 ? path : undefined),
});
