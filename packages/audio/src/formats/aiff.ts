import type { AudioStream, Encoding } from "./audio-stream.ts";
import { ascii, type ByteReader } from "./byte-reader.ts";
import { availableBytes, isPlaceholder, readChunks } from "./chunks.ts";
import { damaged, refuseTruncated, unsupported } from "./faults.ts";
import { bytesOf, pcmSamples } from "./pcm.ts";

// Apple's Audio Interchange File Format 1.3 and AIFF-C. The chunks have no fixed order.

/** Accepts a few missing bytes, since some programs write a size that is too large. */
const toleranceBytes = 64;

interface Common {
  encoding: Encoding;
  sampleRate: number;
  channels: number;
  bitDepth: number;
  frames: number;
}

/** The compression types of AIFF-C for linear samples, except those whose size is in the COMM chunk. */
const compressions: Record<string, Encoding> = {
  "raw ": "u8",
  in24: "s24be",
  in32: "s32be",
  // The reversed name means little-endian.
  "42n1": "s24le",
  "42ni": "s24le",
  "23n1": "s32le",
  "23ni": "s32le",
  fl32: "f32be",
  FL32: "f32be",
  fl64: "f64be",
  FL64: "f64be",
};
/** Names of unsupported compression types, for error messages. */
const codecs: Record<string, string> = {
  alaw: "A-law",
  ALAW: "A-law",
  ulaw: "µ-law",
  ULAW: "µ-law",
  ima4: "IMA ADPCM",
  MAC3: "MACE 3:1",
  MAC6: "MACE 6:1",
  "GSM ": "GSM 6.10",
  agsm: "GSM 6.10",
  QDMC: "QDesign Music",
  QDM2: "QDesign Music",
  ".mp3": "MP3",
  alac: "Apple Lossless",
  dwvw: "DWVW",
};
const remedy = "export it without compression with 16 or 24 bits, or as WAV, FLAC or MP3";

export async function openAiff(reader: ByteReader): Promise<AudioStream> {
  await reader.read(12);
  let common: Common | null = null;
  let sound: { start: number; bytes: number } | null = null;
  for await (const chunk of readChunks(reader, "iff")) {
    if (chunk.name === "COMM") common = readCommon(await reader.view(Math.min(chunk.bytes, 22)));
    if (chunk.name === "SSND") {
      const bytes = availableBytes(chunk.bytes, reader.remaining);
      const offset = (await reader.view(8))?.getUint32(0) ?? 0;
      sound = { start: reader.position + offset, bytes: Math.max(0, bytes - 8 - offset) };
    }
    if (common !== null && sound !== null) break;
  }
  if (common === null || sound === null) throw damaged("AIFF", "it has no samples");
  const { encoding, frames, ...format } = common;
  const { channels } = format;
  const announced = frames * channels * bytesOf(encoding);
  const isUnknown = isPlaceholder(frames) || isPlaceholder(announced);
  const bytes = isUnknown ? sound.bytes : Math.min(sound.bytes, announced);
  reader.position = sound.start;
  refuseTruncated("AIFF", { available: reader.remaining, expected: bytes, tolerance: toleranceBytes });
  return { format: "aiff", ...format, ...pcmSamples(reader, { encoding, channels, bytes }) };
}

function readCommon(view: DataView | null): Common {
  if (view === null || view.byteLength < 18) throw damaged("AIFF", "its format is cut off");
  const bitDepth = view.getUint16(6);
  return {
    channels: view.getUint16(0),
    frames: view.getUint32(2),
    bitDepth,
    sampleRate: readExtended(view, 8),
    encoding: encodingOf(view.byteLength >= 22 ? ascii(view, 18, 4) : "NONE", bitDepth),
  };
}

function encodingOf(compression: string, bits: number): Encoding {
  const encoding = compressions[compression];
  if (encoding !== undefined) return encoding;
  const isLinear = ["NONE", "twos", "sowt"].includes(compression);
  if (!isLinear)
    throw unsupported("AIFF", codecs[compression] ?? `audio compressed as "${printable(compression)}"`, remedy);
  // Other sizes are padded to whole bytes, with the sample in the high bits.
  const size = Math.ceil(bits / 8) * 8;
  if (size === 8) return "s8";
  if (size === 16 || size === 24 || size === 32) return `s${size}${compression === "sowt" ? "le" : "be"}`;
  throw unsupported("AIFF", `samples of ${bits} bits`, remedy);
}

const printable = (text: string): string => text.replace(/[^ -~]/g, "?");

/** Reads an 80-bit floating-point number: sign, exponent and a mantissa with an explicit leading 1. */
function readExtended(view: DataView, offset: number): number {
  const exponent = view.getUint16(offset) & 0x7fff;
  return Math.round(view.getUint32(offset + 2) * 2 ** (exponent - 16_383 - 31));
}
