import { crc32 } from "node:zlib";
import { unusable } from "../media-task.ts";

/** Of file systems: bytes of a part between slashes; and what programs take as a whole path. */
const maxPartBytes = 255;
const maxPathBytes = 1024;
const unicodePathField = 0x7075;
const control = /\p{Cc}/u;
/** Characters that turn the direction of text or are invisible, line separators, and what is no character. */
const deceiving =
  /[\u061c\u200b\u200e\u200f\u2028-\u202e\u2060-\u2069\ufeff\ufffd-\uffff]|\p{Cs}|[\u{e0000}-\u{e007f}]/u;
/** The upper half of the code page of MS-DOS, which APPNOTE.TXT (D.1) has for names that are not in UTF-8. */
const codePage437 =
  "ÇüéâäàåçêëèïîìÄÅÉæÆôöòûùÿÖÜ¢£¥₧ƒáíóúñÑªº¿⌐¬½¼¡«»░▒▓│┤╡╢╖╕╣║╗╝╜╛┐└┴┬├─┼╞╟╚╔╩╦╠═╬╧╨╤╥╙╘╒╓╫╪┘┌█▄▌▐▀" +
  "αßΓπΣσµτΦΘΩδ∞φε∩≡±≥≤⌠⌡÷≈°∙·√ⁿ²■\u00a0";
/** Names of devices in Windows, whatever follows the first dot. */
const device = /^(con|prn|aux|nul|conin\$|conout\$|(com|lpt)[0-9¹²³])\s*(\.|$)/i;

interface NamedEntry {
  fileNameRaw: Buffer;
  generalPurposeBitFlag: number;
  extraFields: readonly { id: number; data: Buffer }[];
}

/**
 * The path of an entry, with slashes: of its Unicode field, in UTF-8, in Shift-JIS, or in code page 437, whichever is the
 * first that its bytes are.
 * @throws {MediaTaskError} when unpacking it could write elsewhere, or its name could deceive
 */
export function entryPath(entry: NamedEntry): string {
  const raw = entry.fileNameRaw;
  const path = decoded(entry);
  // A program that knows nothing of the encoding reads each byte for itself.
  for (const reading of [path, raw.toString("latin1").replaceAll("\\", "/")]) checkPlace(reading, path);
  checkText(path);
  return path;
}

function decoded({ fileNameRaw, generalPurposeBitFlag, extraFields }: NamedEntry): string {
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

/** A name as a reason shows it: in quotes, on one line, not longer than a line. */
export function shown(path: string): string {
  const visible = path.replaceAll(/[^\p{L}\p{M}\p{N}\p{P}\p{S} ]/gu, "\ufffd");
  const characters = [...visible];
  return `"${characters.length > 80 ? `${characters.slice(0, 79).join("")}…` : visible}"`;
}

function checkPlace(reading: string, path: string): void {
  const isAbsolute = reading.startsWith("/") || /^[a-z]:/i.test(reading);
  if (isAbsolute || reading.split("/").includes(".."))
    throw unusable(
      `The ZIP file has a name that leads out of its folder, ${shown(path)}: pack the folder of the stems again.`,
    );
}

function checkText(path: string): void {
  const refuse = (what: string, remedy = "rename it and pack the stems again") =>
    unusable(`The ZIP file has a name ${what}, ${shown(path)}: ${remedy}.`);
  if (path === "") throw refuse("that is empty");
  if (control.test(path)) throw refuse("with a line break or another control character");
  if (deceiving.test(path)) throw refuse("with characters that are invisible or turn the direction of text");
  if (Buffer.byteLength(path) > maxPathBytes) throw refuse(`of more than ${maxPathBytes} bytes`);
  for (const part of path.replace(/\/$/, "").split("/")) {
    if (Buffer.byteLength(part) > maxPartBytes) throw refuse(`of more than ${maxPartBytes} bytes`);
    if (part.includes(":")) throw refuse("with a colon, which Windows does not write");
    if (device.test(part) || (part !== "." && /[. ]$/.test(part))) throw refuse("that Windows does not write");
  }
}

/** Names that one file system or another takes for the same. */
export const sameFile = (path: string): string => path.replace(/\/$/, "").normalize("NFKC").toLowerCase();
