import { invalidRequest } from "@beatmarket/foundation/errors.ts";

/**
 * Parses copied request headers: `name: value` lines, as in logs and `curl -v`, or a JSON object. Ignores other lines,
 * such as the request line. 400 for invalid JSON.
 */
export function parseHeaders(text: string): Record<string, string> {
  if (text.trimStart().startsWith("{")) return jsonHeaders(text);
  const lines = text.split(/\r?\n/).map((line) => /^(?:> )?([\w-]+):(.*)$/.exec(line));
  return Object.fromEntries(lines.flatMap((match) => (match === null ? [] : [[match[1], match[2]?.trim() ?? ""]])));
}

function jsonHeaders(text: string): Record<string, string> {
  try {
    const headers: object = JSON.parse(text);
    return Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, String(value)]));
  } catch {
    throw invalidRequest(
      "The headers begin like a JSON object but are none; give lines of name: value, or JSON.",
      "headers",
    );
  }
}
