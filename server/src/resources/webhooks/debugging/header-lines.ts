import { invalidRequest } from "../../../errors.ts";

/**
 * Reads a request's headers as people copy them: lines of `name: value`, as logs and `curl -v` have them, or a JSON
 * object. Lines that are no headers, such as a request line, are passed over. 400 for what begins like JSON but is none.
 */
export function readHeaderLines(text: string): Record<string, string> {
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
