import { readMp3Header } from "./mp3-frame.ts";

/** The first frame must begin within this distance. */
const searchedBytes = 64 * 1024;
/** The longest frame and the header of the next frame. */
const lookaheadBytes = 8192 + 8;
/** The number of bytes that `findFrames` needs. */
export const framesHeadBytes = searchedBytes + lookaheadBytes;

/**
 * Finds the first two consecutive frames of MP3 or AAC (ADTS), after any other bytes. Returns the offset of the first.
 */
export function findFrames(head: Uint8Array): { type: "mp3" | "m4a"; offset: number } | null {
  const view = new DataView(head.buffer, head.byteOffset, head.length);
  for (let offset = 0; offset < Math.min(searchedBytes, head.length - 8); offset++) {
    if (head[offset] !== 0xff) continue;
    if (hasTwoFrames(view, offset, readMp3Header)) return { type: "mp3", offset };
    if (hasTwoFrames(view, offset, readAdtsHeader)) return { type: "m4a", offset };
  }
  return null;
}

interface Frame {
  bytes: number;
  sampleRate: number;
}

function hasTwoFrames(
  view: DataView,
  offset: number,
  readHeader: (view: DataView, offset: number) => Frame | null,
): boolean {
  const first = readHeader(view, offset);
  if (first === null || offset + first.bytes + 8 > view.byteLength) return false;
  return readHeader(view, offset + first.bytes)?.sampleRate === first.sampleRate;
}

const adtsRates = [96_000, 88_200, 64_000, 48_000, 44_100, 32_000, 24_000, 22_050, 16_000, 12_000, 11_025, 8000, 7350];
const adtsHeaderBytes = 7;

/** Parses the header of an ADTS frame (ISO 14496-3, 1.A.2.2). Returns null for other bytes. */
function readAdtsHeader(view: DataView, offset: number): Frame | null {
  const bits = view.getUint32(offset);
  const sampleRate = adtsRates[(bits >>> 10) & 15];
  const bytes = (view.getUint32(offset + 3) >>> 13) & 0x1fff;
  // A header begins with the frame sync. Its layer is always 0.
  if (bits >>> 20 !== 0xfff || ((bits >>> 17) & 3) !== 0 || sampleRate === undefined) return null;
  return bytes > adtsHeaderBytes ? { bytes, sampleRate } : null;
}
