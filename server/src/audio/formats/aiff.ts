import { unusable } from "../media-task.ts";
import type { AudioStream, Encoding } from "./audio-stream.ts";
import { ascii, type ByteReader } from "./byte-reader.ts";
import { damaged, refuseTruncated } from "./faults.ts";
import { bytesOf, pcmSamples } from "./pcm.ts";

// Apple's Audio Interchange File Format 1.3 and AIFF-C. Its chunks come in any order.

const maxChunks = 1000;
/** Some programs count a byte too many. */
const toleratedBytes = 64;

interface Common {
  encoding: Encoding;
  sampleRate: number;
  channels: number;
  bitDepth: number;
  frames: number;
}

/** What AIFF-C calls its encodings, beside the linear ones whose size is in the COMM chunk. */
const compressions: Record<string, Encoding> = {
  "raw ": "u8",
  in24: "s24be",
  in32: "s32be",
  fl32: "f32be",
  FL32: "f32be",
  fl64: "f64be",
  FL64: "f64be",
};

export async function openAiff(reader: ByteReader): Promise<AudioStream> {
  await reader.read(12);
  let common: Common | null = null;
  let sound: { start: number; bytes: number } | null = null;
  for (let chunks = 0; chunks < maxChunks && (common === null || sound === null); chunks++) {
    const header = await reader.view(8);
    if (header === null) break;
    const name = ascii(header, 0, 4);
    const size = header.getUint32(4);
    const next = reader.position + size + (size % 2);
    if (name === "COMM") common = readCommon(await reader.view(Math.min(size, 22)));
    if (name === "SSND") {
      const offset = (await reader.view(8))?.getUint32(0) ?? 0;
      sound = { start: reader.position + offset, bytes: Math.max(0, size - 8 - offset) };
    }
    reader.position = next;
  }
  if (common === null || sound === null) throw damaged("AIFF", "it has no samples");
  const { encoding, frames, ...shown } = common;
  const { channels } = shown;
  const bytes = Math.min(sound.bytes, frames * channels * bytesOf(encoding));
  reader.position = sound.start;
  refuseTruncated("AIFF", { present: reader.remaining, expected: bytes, tolerated: toleratedBytes });
  return { format: "aiff", ...shown, ...pcmSamples(reader, { encoding, channels, bytes }) };
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
  const named = compressions[compression];
  if (named !== undefined) return named;
  const isLinear = ["NONE", "twos", "sowt"].includes(compression);
  // Samples of other sizes fill the next whole bytes from the top.
  const size = Math.ceil(bits / 8) * 8;
  if (isLinear && size === 8) return "s8";
  if (isLinear && (size === 16 || size === 24 || size === 32)) return `s${size}${compression === "sowt" ? "le" : "be"}`;
  throw unusable(
    "The AIFF file is compressed or has an unusual sample size: export it without compression, or as WAV, FLAC or MP3.",
  );
}

/** A number of 80 bits: sign and exponent, and a mantissa with its leading one. */
function readExtended(view: DataView, at: number): number {
  const exponent = view.getUint16(at) & 0x7fff;
  return Math.round(view.getUint32(at + 2) * 2 ** (exponent - 16_383 - 31));
}
