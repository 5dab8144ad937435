const bracketed = /^\[.*\]$/s;
const item = /\s*(?:'((?:[^'\\]|\\.)*)'|"((?:[^"\\]|\\.)*)"|(-?\d+(?:\.\d+)?))\s*(,|$)/gsy;
const escapes: Record<string, string> = { n: "\n", r: "\r", t: "\t", b: "\b", f: "\f" };

/**
 * Parses a list in the notation of Python or JSON: ['Ana', "Bo's"]. Null for other texts, such as a name in brackets.
 * Pure.
 */
export function readList(text: string): string[] | null {
  const trimmed = text.trim();
  if (!bracketed.test(trimmed)) return null;
  const inside = trimmed.slice(1, -1).trim();
  const parts: string[] = [];
  item.lastIndex = 0;
  while (item.lastIndex < inside.length) {
    const match = item.exec(inside);
    if (match === null) return null;
    const [, single, double, number] = match;
    parts.push(number ?? unescapeText(single ?? double ?? ""));
  }
  return parts;
}

const unescapeText = (text: string): string =>
  text.replace(/\\(?:u([0-9a-f]{4})|x([0-9a-f]{2})|(.))/gis, (_, long?: string, short?: string, character = "") =>
    long !== undefined || short !== undefined
      ? String.fromCharCode(Number.parseInt(long ?? short ?? "", 16))
      : (escapes[character] ?? character),
  );
