/** Whether If-None-Match names a tag (RFC 9110 13.1.2): in a list of tags, compared weakly, or as `*`. */
export function matchesEntityTag(header: string | undefined, etag: string): boolean {
  if (header === undefined) return false;
  return (
    header === etag || header.split(",").some((tag) => tag.trim().replace(/^W\//, "") === etag || tag.trim() === "*")
  );
}

/**
 * Whether If-Match names an edit version (RFC 9110 13.1.1), as `"v7-…"` among others, or is `*` or absent. The version is
 * what is compared, and not the bytes behind it: both forms and every content coding of one version match. So do weak tags,
 * which proxies that compress make of strong ones.
 */
export const matchesEditVersion = (header: string | undefined, version: number): boolean =>
  header === undefined ||
  header.split(",").some((tag) => tag.trim() === "*" || /^(?:W\/)?"v(\d+)-/.exec(tag.trim())?.[1] === String(version));
