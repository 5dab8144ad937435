import { readMp3Header } from "./mp3-frame.ts";

/** Frames are looked for in so many bytes. */
const searchedBytes = 64 * 1024;
/** The longest frame, and the header of the next one. */
const lookaheadBytes = 8192 + 8;
/** As many bytes as `findFrames` looks at. */
export const framesHeadBytes = searchedBytes + lookaheadBytes;

/** Where the first of two frames in a row begins, of MP3 or of AAC (ADTS), whatever stands before. */
export function findFrames(head: Uint8Array): { type: "mp3" | "m4a"; offset: number } | null {
  const view = new DataView(head.buffer, head.byteOffset, head.length);
  for (let offset = 0; offset < Math.min(searchedBytes, head.length - 8); offset++) {
    if (head[offset] !== 0xff) continue;
    if (hasTwo(view, offset, readMp3Header)) return { type: "mp3", offset };
    if (hasTwo(view, offset, readAdtsHeader)) return { type: "m4a", offset };
  }
  return null;
}

interface Frame {
  bytes: number;
  sampleRate: number;
}

function hasTwo(view: DataView, offset: number, readHeader: (view: DataView, offset: number) => Frame | null): boolean {
  const first = readHeader(view, offset);
  if (first === null || offset + first.bytes + 8 > view.byteLength) return false;
  return readHeader(view, offset + first.bytes)?.sampleRate === first.sampleRate;
}

const adtsRates = [96_000, 88_200, 64_000, 48_000, 44_100, 32_000, 24_000, 22_050, 16_000, 12_000, 11_025, 8000, 7350];
const adtsHeaderBytes = 7;

/** ISO 14496-3, 1.A.2.2. */
function readAdtsHeader(view: DataView, offset: number): Frame | null {
  const bits = view.getUint32(offset);
  const sampleRate = adtsRates[(bits >>> 10) & 15];
  const bytes = (view.getUint32(offset + 3) >>> 13) & 0x1fff;
  // Sync, and the layer that is always 0.
  if (bits >>> 20 !== 0xfff || ((bits >>> 17) & 3) !== 0 || sampleRate === undefined) return null;
  return bytes > adtsHeaderBytes ? { bytes, sampleRate } : null;
}
