/** Whether If-None-Match contains a tag (RFC 9110 13.1.2), compared weakly, or is `*`. */
export function matchesEntityTag(header: string | undefined, etag: string): boolean {
  if (header === undefined) return false;
  return (
    header === etag || header.split(",").some((tag) => tag.trim().replace(/^W\//, "") === etag || tag.trim() === "*")
  );
}

/**
 * Whether If-Match contains an edit version (RFC 9110 13.1.1), as in `"v7-…"`, or is `*` or absent. Only the version is
 * compared, not the rest of the tag: both forms and every content coding of a version match. So do weak tags, since
 * compressing proxies weaken strong ones.
 */
export const matchesEditVersion = (header: string | undefined, version: number): boolean =>
  header === undefined ||
  header.split(",").some((tag) => tag.trim() === "*" || /^(?:W\/)?"v(\d+)-/.exec(tag.trim())?.[1] === String(version));
