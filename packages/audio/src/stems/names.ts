import { crc32 } from "node:zlib";
import { unusable } from "../media-task.ts";

// The limits of file systems for a part between slashes, and of programs for a whole path.
const maxPartBytes = 255;
const maxPathBytes = 1024;
const unicodePathField = 0x7075;
const control = /\p{Cc}/u;
/** Invisible characters, direction controls, line separators, and code points that are not characters. */
const deceptive =
  /[\u061c\u200b\u200e\u200f\u2028-\u202e\u2060-\u2069\ufeff\ufffd-\uffff]|\p{Cs}|[\u{e0000}-\u{e007f}]/u;
/** The upper half of code page 437 (MS-DOS), the encoding of names that are not UTF-8 (APPNOTE.TXT, D.1). */
const codePage437 =
  "ÇüéâäàåçêëèïîìÄÅÉæÆôöòûùÿÖÜ¢£¥₧ƒáíóúñÑªº¿⌐¬½¼¡«»░▒▓│┤╡╢╖╕╣║╗╝╜╛┐└┴┬├─┼╞╟╚╔╩╦╠═╬╧╨╤╥╙╘╒╓╫╪┘┌█▄▌▐▀" +
  "αßΓπΣσµτΦΘΩδ∞φε∩≡±≥≤⌠⌡÷≈°∙·√ⁿ²■\u00a0";
/** Device names of Windows, with any extension. */
const device = /^(con|prn|aux|nul|conin\$|conout\$|(com|lpt)[0-9¹²³])\s*(\.|$)/i;

interface NamedEntry {
  fileNameRaw: Buffer;
  generalPurposeBitFlag: number;
  extraFields: readonly { id: number; data: Buffer }[];
}

/**
 * The path of an entry, with slashes. Decodes the Unicode path field if it has the checksum of the name and the name
 * has no UTF-8 flag; otherwise the name: with the flag as UTF-8, without it as the first of UTF-8, Shift-JIS and code
 * page 437 that is valid.
 * @throws {MediaTaskError} if the path leads out of the folder, is empty, too long or deceptive, or Windows cannot
 * write it
 */
export function entryPath(entry: NamedEntry): string {
  const raw = entry.fileNameRaw;
  const path = decodePath(entry);
  // Also checks the name with each byte as a character, since some programs do not know the encoding.
  for (const reading of [path, raw.toString("latin1").replaceAll("\\", "/")]) checkPlace(reading, path);
  checkText(path);
  return path;
}

function decodePath({ fileNameRaw, generalPurposeBitFlag, extraFields }: NamedEntry): string {
  const isUtf8 = (generalPurposeBitFlag & 0x800) !== 0;
  const field = extraFields.find(({ id }) => id === unicodePathField)?.data;
  if (!isUtf8 && field !== undefined && field.length > 5 && field.readUInt32LE(1) === crc32(fileNameRaw))
    return slashes(decode(field.subarray(5), "utf-8") ?? "\ufffd");
  const utf8 = decode(fileNameRaw, "utf-8");
  if (utf8 !== null || isUtf8) return slashes(utf8 ?? "\ufffd");
  const japanese = decode(fileNameRaw, "shift_jis");
  return slashes(japanese === null || control.test(japanese) ? decode437(fileNameRaw) : japanese);
}

function decode(bytes: Uint8Array, encoding: "utf-8" | "shift_jis"): string | null {
  try {
    return new TextDecoder(encoding, { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    return null;
  }
}

const decode437 = (bytes: Uint8Array): string =>
  Array.from(bytes, (byte) => codePage437[byte - 0x80] ?? String.fromCharCode(byte)).join("");

const slashes = (path: string): string => path.replaceAll("\\", "/");

/** A name in quotes for a message: on one line, at most 80 characters. */
export function quotedName(path: string): string {
  const visible = path.replaceAll(/[^\p{L}\p{M}\p{N}\p{P}\p{S} ]/gu, "\ufffd");
  const characters = [...visible];
  return `"${characters.length > 80 ? `${characters.slice(0, 79).join("")}…` : visible}"`;
}

function checkPlace(reading: string, path: string): void {
  const isAbsolute = reading.startsWith("/") || /^[a-z]:/i.test(reading);
  if (isAbsolute || reading.split("/").includes(".."))
    throw unusable(
      `The ZIP file has a name that leads out of its folder, ${quotedName(path)}: pack the folder of the stems again.`,
    );
}

function checkText(path: string): void {
  const refuse = (problem: string, remedy = "rename it and pack the stems again") =>
    unusable(`The ZIP file has a name ${problem}, ${quotedName(path)}: ${remedy}.`);
  if (path === "") throw refuse("that is empty");
  if (control.test(path)) throw refuse("with a line break or another control character");
  if (deceptive.test(path)) throw refuse("with characters that are invisible or turn the direction of text");
  if (Buffer.byteLength(path) > maxPathBytes) throw refuse(`of more than ${maxPathBytes} bytes`);
  for (const part of path.replace(/\/$/, "").split("/")) {
    if (Buffer.byteLength(part) > maxPartBytes) throw refuse(`of more than ${maxPartBytes} bytes`);
    if (part.includes(":")) throw refuse("with a colon, which Windows does not write");
    if (device.test(part) || (part !== "." && /[. ]$/.test(part))) throw refuse("that Windows does not write");
  }
}

/** Equal for paths that some file system treats as the same file. */
export const comparisonKey = (path: string): string => path.replace(/\/$/, "").normalize("NFKC").toLowerCase();
