/** Of UTF-8: file systems take 255, and a download has `.part` behind it while it runs. */
const maxBytes = 200;
/** Separators, what Windows refuses, control characters, and what changes the direction of text. */
const unsafe = /[/\\:*?"<>|\p{Cc}\u200e\u200f\u202a-\u202e\u2066-\u2069]/gu;
const deviceOfWindows = /^(con|prn|aux|nul|com[1-9]|lpt[1-9])(\.|$)/i;

/** A name for a file of this kind that stays in its folder on every file system, and differs from those `taken`. */
export function safeFilename(filename: string, kind: string, taken: ReadonlySet<string>): string {
  const cleaned = clean(filename) || clean(kind) || "file";
  let name = clipped(deviceOfWindows.test(cleaned) ? `_${cleaned}` : cleaned);
  // File systems of Windows and macOS do not tell upper from lower case.
  while (taken.has(name.toLowerCase())) name = `${clean(kind)} ${name}`;
  return name;
}

const clean = (text: string): string =>
  text
    .toWellFormed()
    .replace(unsafe, "_")
    .replace(/^[ .]+|[ .]+$/g, "");

/** Its first bytes, at the end of a character, and its extension. */
function clipped(name: string): string {
  const encoder = new TextEncoder();
  const bytes = (text: string): number => encoder.encode(text).length;
  if (bytes(name) <= maxBytes) return name;
  const [extension = ""] = /\.[^.]{1,10}$/u.exec(name) ?? [];
  let stem = "";
  let left = maxBytes - bytes(extension);
  for (const character of name) {
    left -= bytes(character);
    if (left < 0) break;
    stem += character;
  }
  return stem + extension;
}
