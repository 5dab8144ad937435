import { ascii } from "./byte-reader.ts";

// Headers of MPEG audio, layer III (ISO 11172-3 and 13818-3).

const bitRates = {
  1: [0, 32, 40, 48, 56, 64, 80, 96, 112, 128, 160, 192, 224, 256, 320],
  2: [0, 8, 16, 24, 32, 40, 48, 56, 64, 80, 96, 112, 128, 144, 160],
};
const sampleRates = [44_100, 48_000, 32_000];
/** By the code of the version: MPEG 2.5, reserved, MPEG 2, MPEG 1. */
const rateDivisors = [4, 4, 2, 1];

export interface Mp3FrameHeader {
  sampleRate: number;
  channels: number;
  /** Samples per channel. */
  frames: number;
  bytes: number;
  /** The offset of a Xing header from the start of the frame. */
  xingOffset: number;
}

/** Parses the header at `offset`. Returns null if no header is there. */
export function readMp3Header(view: DataView, offset: number): Mp3FrameHeader | null {
  const bits = view.getUint32(offset);
  const version = (bits >>> 19) & 3;
  const isLayer3 = ((bits >>> 17) & 3) === 1;
  // Versions: 3 is MPEG 1, 2 is MPEG 2, 0 is MPEG 2.5. 1 is reserved.
  if (bits >>> 21 !== 0x7ff || version === 1 || !isLayer3) return null;
  const isMpeg1 = version === 3;
  const kbits = bitRates[isMpeg1 ? 1 : 2][(bits >>> 12) & 15] ?? 0;
  const sampleRate = (sampleRates[(bits >>> 10) & 3] ?? 0) / (rateDivisors[version] ?? 1);
  if (kbits === 0 || sampleRate === 0) return null;
  const channels = ((bits >>> 6) & 3) === 3 ? 1 : 2;
  const frames = isMpeg1 ? 1152 : 576;
  const monoSideBytes = isMpeg1 ? 17 : 9;
  const stereoSideBytes = isMpeg1 ? 32 : 17;
  const sideBytes = channels === 1 ? monoSideBytes : stereoSideBytes;
  return {
    sampleRate,
    channels,
    frames,
    bytes: Math.floor(((frames / 8) * kbits * 1000) / sampleRate) + ((bits >>> 9) & 1),
    xingOffset: 4 + sideBytes,
  };
}

/**
 * Whether a frame with a free bit rate begins at `offset`. The header of such a frame does not determine its length.
 */
export function hasFreeBitRate(view: DataView, offset: number): boolean {
  const bits = offset + 4 <= view.byteLength ? view.getUint32(offset) : 0;
  const version = (bits >>> 19) & 3;
  const layer = (bits >>> 17) & 3;
  const rate = (bits >>> 10) & 3;
  return bits >>> 21 === 0x7ff && version !== 1 && layer === 1 && rate !== 3 && ((bits >>> 12) & 15) === 0;
}

/** The number of samples per channel in a Xing or Info header. 0 if there is no such header. */
export function announcedFrames(view: DataView, offset: number, { xingOffset, frames }: Mp3FrameHeader): number {
  const start = offset + xingOffset;
  if (start + 12 > view.byteLength || !["Xing", "Info"].includes(ascii(view, start, 4))) return 0;
  const hasCount = (view.getUint32(start + 4) & 1) === 1;
  return hasCount ? view.getUint32(start + 8) * frames : 0;
}
