import { unusable } from "../media-task.ts";
import type { ByteReader } from "./byte-reader.ts";

const headerBytes = 27;
const maxPageBytes = 65_307;
const windowBytes = 4 * maxPageBytes;
const capture = Buffer.from("OggS");

export interface OggPage {
  /** The whole page with its header. */
  bytes: Uint8Array;
  body: Uint8Array;
  serial: number;
  isFirst: boolean;
  isLast: boolean;
  /**
   * The granule position: the number of frames up to the end of the page's last packet. Null if no packet ends in it.
   */
  granule: number | null;
}

/**
 * Reads the pages of a file (RFC 3533), of all its streams. Skips other bytes between them.
 * @throws {MediaTaskError} if the last page is incomplete
 */
export async function* oggPages(reader: ByteReader): AsyncGenerator<OggPage> {
  const serials = new Set<number>();
  let window = Buffer.alloc(0);
  for (;;) {
    if (window.length < maxPageBytes && reader.remaining > 0)
      window = Buffer.concat([window, await reader.read(windowBytes)]);
    const start = window.indexOf(capture);
    if (start !== 0) {
      if (start === -1 && reader.remaining === 0) return;
      // The window may end with the start of a capture pattern.
      window = window.subarray(start === -1 ? Math.max(0, window.length - capture.length + 1) : start);
      continue;
    }
    const page = readPage(window);
    if (page !== null && page.bytes.length > 0) {
      serials.add(page.serial);
      yield page;
      window = window.subarray(page.bytes.length);
      continue;
    }
    const isCutOff = window.length < headerBytes || (page !== null && serials.has(page.serial));
    if (isCutOff) throw unusable("The Ogg file is cut off: its last page is incomplete. Export or upload it again.");
    window = window.subarray(capture.length);
  }
}

/** Parses the page at the start of a window. Returns null if there is none. An incomplete page has empty `bytes`. */
function readPage(window: Buffer): OggPage | null {
  const [version, flags = 0] = window.subarray(4, 6);
  if (window.length < headerBytes || version !== 0 || flags > 7) return null;
  const segments = window.readUInt8(26);
  const bodyStart = headerBytes + segments;
  const end = window.subarray(headerBytes, bodyStart).reduce((sum, bytes) => sum + bytes, bodyStart);
  const isWhole = window.length >= end;
  const granule = window.readBigInt64LE(6);
  return {
    bytes: isWhole ? window.subarray(0, end) : new Uint8Array(0),
    body: window.subarray(bodyStart, end),
    serial: window.readUInt32LE(14),
    isFirst: (flags & 2) !== 0,
    isLast: (flags & 4) !== 0,
    granule: granule < 0n ? null : Number(granule),
  };
}
