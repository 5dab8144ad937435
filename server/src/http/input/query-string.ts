import { isUtf8 } from "node:buffer";
import { invalidRequest } from "../../errors.ts";
import { quoted } from "../../text/secrets.ts";

/**
 * The parameters of a query string, without its question mark. 400 for one that is not UTF-8, where URLSearchParams would
 * put replacement characters. A percent sign that begins no code stands for itself, as in URLSearchParams.
 */
export function readQueryString(query: string): [string, string][] {
  const parameters = [...new URLSearchParams(query)];
  if (!parameters.some(([name, value]) => name.includes(replacement) || value.includes(replacement))) return parameters;
  for (const part of query.split("&"))
    if (!isUtf8(percentDecoded(part))) {
      const [[name = ""] = []] = [...new URLSearchParams(part)];
      const shown = quoted(name);
      throw invalidRequest(
        `The ${shown} parameter is not UTF-8. Percent-encode its UTF-8 bytes, as encodeURIComponent does: é is %C3%A9.`,
        shown,
      );
    }
  return parameters;
}

const replacement = "\uFFFD";

/** The bytes that a percent-encoded text stands for. Node reads a request's target as Latin-1. */
const percentDecoded = (text: string): Buffer =>
  Buffer.from(
    text.replaceAll(/%([0-9A-Fa-f]{2})/g, (_, code: string) => String.fromCharCode(Number.parseInt(code, 16))),
    "latin1",
  );
