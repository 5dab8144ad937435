import { MPEGDecoder } from "mpg123-decoder";
import type { AudioStream } from "./audio-stream.ts";
import { ascii, type ByteReader } from "./byte-reader.ts";
import { damaged } from "./faults.ts";
import { wasmBlocks } from "./wasm-blocks.ts";
import { withEnd } from "./with-end.ts";

// ISO 11172-3 and 13818-3, layer III; the frame count is that of the Xing or Info header which encoders write.

/** The first frame is looked for in so many bytes. */
const searchedBytes = 256 * 1024;
const bitRates = {
  1: [0, 32, 40, 48, 56, 64, 80, 96, 112, 128, 160, 192, 224, 256, 320],
  2: [0, 8, 16, 24, 32, 40, 48, 56, 64, 80, 96, 112, 128, 144, 160],
};
const sampleRates = [44_100, 48_000, 32_000];

interface FrameHeader {
  sampleRate: number;
  channels: number;
  /** Samples of a channel. */
  frames: number;
  bytes: number;
  /** From the start of the frame to a Xing header. */
  xingOffset: number;
}

/** Opens MP3 at its first frame, behind any ID3v2 tags. */
export async function openMp3(reader: ByteReader): Promise<AudioStream> {
  const start = reader.position;
  const head = await reader.read(searchedBytes);
  const view = new DataView(head.buffer, head.byteOffset, head.length);
  const found = findFirstFrame(view);
  if (found === null) throw damaged("MP3", "it has no frames of layer III");
  const { header, offset } = found;
  reader.position = start + offset;
  const { sampleRate, channels } = header;
  const blocks = wasmBlocks(reader, () => new MPEGDecoder(), {
    prefix: new Uint8Array(0),
    channels,
    sampleRate,
    isStrict: false,
    fault: (cause) => damaged("MP3", "its samples cannot be decoded", cause),
  });
  const announced = announcedFrames(view, offset, header);
  return { format: "mp3", sampleRate, channels, blocks: announced === 0 ? blocks : withEnd("MP3", blocks, announced) };
}

/** The first header that another one follows, so that bytes which look like one are passed over. */
function findFirstFrame(view: DataView): { header: FrameHeader; offset: number } | null {
  for (let offset = 0; offset + 4 <= view.byteLength; offset++) {
    const header = readFrameHeader(view, offset);
    if (header === null) continue;
    const next = offset + header.bytes;
    if (next + 4 > view.byteLength) continue;
    if (readFrameHeader(view, next)?.sampleRate === header.sampleRate) return { header, offset };
  }
  return null;
}

function readFrameHeader(view: DataView, offset: number): FrameHeader | null {
  const bits = view.getUint32(offset);
  const version = (bits >>> 19) & 3;
  const isLayer3 = ((bits >>> 17) & 3) === 1;
  // Version 1 of the bits is reserved; 3 is MPEG 1, 2 is MPEG 2, 0 is MPEG 2.5.
  if (bits >>> 21 !== 0x7ff || version === 1 || !isLayer3) return null;
  const isMpeg1 = version === 3;
  const kbits = bitRates[isMpeg1 ? 1 : 2][(bits >>> 12) & 15] ?? 0;
  const sampleRate = (sampleRates[(bits >>> 10) & 3] ?? 0) / (isMpeg1 ? 1 : version === 2 ? 2 : 4);
  if (kbits === 0 || sampleRate === 0) return null;
  const channels = ((bits >>> 6) & 3) === 3 ? 1 : 2;
  const frames = isMpeg1 ? 1152 : 576;
  const sideBytes = isMpeg1 ? (channels === 1 ? 17 : 32) : channels === 1 ? 9 : 17;
  return {
    sampleRate,
    channels,
    frames,
    bytes: Math.floor(((frames / 8) * kbits * 1000) / sampleRate) + ((bits >>> 9) & 1),
    xingOffset: 4 + sideBytes,
  };
}

/** 0 where the file does not say. */
function announcedFrames(view: DataView, offset: number, { xingOffset, frames }: FrameHeader): number {
  const at = offset + xingOffset;
  if (at + 12 > view.byteLength || !["Xing", "Info"].includes(ascii(view, at, 4))) return 0;
  const hasCount = (view.getUint32(at + 4) & 1) === 1;
  return hasCount ? view.getUint32(at + 8) * frames : 0;
}
