/**
 * `Content-Disposition: attachment` for a file name in any script (RFC 6266): `filename*` has the name, `filename` what
 * older programs show. Control characters, and what would name a folder, become "_".
 */
export function attachment(filename: string): string {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: those are replaced.
  const name = filename.toWellFormed().replaceAll(/[\x00-\x1f\x7f-\x9f/\\]/g, "_") || "file";
  const plain = name
    .normalize("NFKD")
    .replaceAll(/\p{M}/gu, "")
    .normalize("NFC")
    .replaceAll(/[^ -~]|["%]/g, "_");
  // RFC 8187: what encodeURIComponent leaves and an extended value may not have.
  const extended = encodeURIComponent(name).replaceAll(
    /['()*]/g,
    (each) => `%${each.charCodeAt(0).toString(16).toUpperCase()}`,
  );
  return `attachment; filename="${plain}"; filename*=UTF-8''${extended}`;
}
