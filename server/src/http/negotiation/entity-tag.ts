/** Whether If-None-Match names a tag (RFC 9110 13.1.2): in a list of tags, compared weakly, or as `*`. */
export function matchesEntityTag(header: string | undefined, etag: string): boolean {
  if (header === undefined) return false;
  return (
    header === etag || header.split(",").some((tag) => tag.trim().replace(/^W\//, "") === etag || tag.trim() === "*")
  );
}
