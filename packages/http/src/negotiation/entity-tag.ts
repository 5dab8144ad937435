/** Whether If-None-Match contains a tag (RFC 9110 13.1.2), compared weakly, or is `*`. */
export function matchesEntityTag(header: string | undefined, etag: string): boolean {
  if (header === undefined) return false;
  return (
    header === etag || header.split(",").some((tag) => tag.trim().replace(/^W\//, "") === etag || tag.trim() === "*")
  );
}

/**
 * Whether If-Match (RFC 9110 13.1.1) contains a tag with this edit version, such as `"v7-…"`, or is `*` or absent.
 * Compares only the version, so that both wire forms and every content coding match. Accepts weak tags, since
 * compressing proxies weaken strong tags.
 */
export const matchesEditVersion = (header: string | undefined, version: number): boolean =>
  header === undefined ||
  header.split(",").some((tag) => tag.trim() === "*" || /^(?:W\/)?"v(\d+)-/.exec(tag.trim())?.[1] === String(version));
