import { isUtf8 } from "node:buffer";
import { OperatorError } from "@beatmarket/foundation/errors.ts";

/** Encodings, by their names in the WHATWG Encoding Standard. */
export const encodings = [
  ...["utf-8", "utf-16le", "utf-16be"],
  ...["windows-1250", "windows-1251", "windows-1252", "windows-1253", "windows-1254", "windows-1255", "windows-1256"],
  ...["windows-1257", "windows-1258", "windows-874", "iso-8859-2", "iso-8859-15", "koi8-r", "koi8-u", "macintosh"],
  ...["shift_jis", "euc-jp", "euc-kr", "gb18030", "big5"],
] as const;
export type Encoding = (typeof encodings)[number];

/** An invalid byte becomes this code plus the value of the byte: a lone surrogate, which no valid text contains. */
const escapedByte = 0xdc00;
/** Replaces bytes that are invalid in another encoding than UTF-8. */
const unknownByte = "\udcff";

/**
 * Decodes the bytes of a file. Converts invalid UTF-8 to lone surrogates (U+DC80 to U+DCFF for the bytes), so that its
 * row can be rejected and shown without loss; `isWellFormed` detects them. Removes a byte order mark. Recognizes UTF-16
 * by the mark or by its zero bytes. Throws an OperatorError for a file that is not text.
 */
export async function* textChunks(
  chunks: AsyncIterable<Buffer>,
  encoding: Encoding | undefined,
  fileName: string,
): AsyncGenerator<string> {
  let decode: ((chunk: Buffer) => string) | undefined;
  for await (const chunk of chunks) {
    decode ??= decoder(encoding ?? encodingOf(chunk, fileName), chunk, fileName);
    const text = decode(chunk);
    if (text !== "") yield text;
  }
  const remaining = decode?.(Buffer.alloc(0)) ?? "";
  if (remaining !== "") yield remaining;
}

function encodingOf(start: Buffer, fileName: string): Encoding {
  // The positions of zeros in each group of four bytes show the width of characters and their byte order.
  const zeros = zeroShares(start.subarray(0, 4096));
  const isZero = (place: number) => (zeros[place] ?? 0) > 0.4;
  const hasLongMark = ["fffe0000", "0000feff"].includes(start.toString("hex", 0, 4));
  const isLong = isZero(1) && isZero(2) && (zeros[0] === 0 || zeros[3] === 0);
  if (hasLongMark || isLong)
    throw new OperatorError(`${fileName} is in UTF-32, which import does not read; save it in UTF-8.`);
  if (start[0] === 0xff && start[1] === 0xfe) return "utf-16le";
  if (start[0] === 0xfe && start[1] === 0xff) return "utf-16be";
  if (isZero(1) && isZero(3) && zeros[0] === 0 && zeros[2] === 0) return "utf-16le";
  if (isZero(0) && isZero(2) && zeros[1] === 0 && zeros[3] === 0) return "utf-16be";
  return "utf-8";
}

/** The share of zero bytes at each position in groups of four. */
function zeroShares(bytes: Buffer): number[] {
  const counts = [0, 0, 0, 0];
  for (let offset = bytes.indexOf(0); offset >= 0; offset = bytes.indexOf(0, offset + 1))
    counts[offset % 4] = (counts[offset % 4] ?? 0) + 1;
  return counts.map((count) => count / (bytes.length / 4));
}

/** Returns a function that decodes chunk after chunk. For an empty chunk, which marks the end, it returns the rest. */
function decoder(encoding: Encoding, start: Buffer, fileName: string): (chunk: Buffer) => string {
  if (encoding !== "utf-8") {
    const streaming = new TextDecoder(encoding);
    const hasInvalidBytes = !encoding.startsWith("utf-16");
    return (chunk) => {
      const text = streaming.decode(chunk, { stream: chunk.length > 0 });
      return hasInvalidBytes ? text.replaceAll("\ufffd", unknownByte) : text;
    };
  }
  if (start.includes(0)) {
    const line = start.subarray(0, start.indexOf(0)).toString("latin1").split("\n").length;
    throw new OperatorError(`${fileName} is not a text file: there is a zero byte in line ${line}.`);
  }
  let pending: Buffer = Buffer.alloc(0);
  let isStart = true;
  return (chunk) => {
    const bytes = pending.length === 0 ? chunk : Buffer.concat([pending, chunk]);
    const end = chunk.length === 0 ? bytes.length : bytes.length - openSequenceLength(bytes);
    pending = bytes.subarray(end);
    const text = decodeUtf8(bytes.subarray(0, end));
    if (!isStart || text === "") return text;
    isStart = false;
    return text.startsWith("\ufeff") ? text.slice(1) : text;
  };
}

/** The number of bytes at the end that belong to an incomplete character. */
function openSequenceLength(bytes: Buffer): number {
  for (let back = 1; back <= Math.min(3, bytes.length); back++) {
    const byte = bytes[bytes.length - back] ?? 0;
    if (byte >= 0xc0) return sequenceLength(byte) > back ? back : 0;
    if (byte < 0x80) return 0;
  }
  return 0;
}

/** The number of bytes of the UTF-8 character that begins with this byte. */
function sequenceLength(lead: number): number {
  if (lead < 0x80) return 1;
  if (lead < 0xe0) return 2;
  return lead < 0xf0 ? 3 : 4;
}

function decodeUtf8(bytes: Buffer): string {
  if (isUtf8(bytes)) return bytes.toString("utf8");
  let text = "";
  for (let offset = 0; offset < bytes.length; ) {
    const newline = bytes.indexOf(0x0a, offset);
    const end = newline < 0 ? bytes.length : newline + 1;
    const line = bytes.subarray(offset, end);
    text += isUtf8(line) ? line.toString("utf8") : escapeInvalid(line);
    offset = end;
  }
  return text;
}

function escapeInvalid(line: Buffer): string {
  let text = "";
  for (let offset = 0; offset < line.length; ) {
    const byte = line[offset] ?? 0;
    const sequence = line.subarray(offset, offset + sequenceLength(byte));
    const isValid = isUtf8(sequence);
    text += isValid ? sequence.toString("utf8") : String.fromCharCode(escapedByte + byte);
    offset += isValid ? sequence.length : 1;
  }
  return text;
}
