/**
 * `Content-Disposition: attachment` for a file name in any script (RFC 6266). `filename*` has the full name, `filename`
 * an ASCII form for older programs. Control characters and slashes become "_".
 */
export function attachment(filename: string): string {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are replaced.
  const name = filename.toWellFormed().replaceAll(/[\x00-\x1f\x7f-\x9f/\\]/g, "_") || "file";
  const plain = name
    .normalize("NFKD")
    .replaceAll(/\p{M}/gu, "")
    .normalize("NFC")
    .replaceAll(/[^ -~]|["%]/g, "_");
  // encodeURIComponent leaves these characters, but RFC 8187 forbids them in an extended value.
  const extended = encodeURIComponent(name).replaceAll(
    /['()*]/g,
    (character) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`,
  );
  return `attachment; filename="${plain}"; filename*=UTF-8''${extended}`;
}
