import { unusable } from "../media-task.ts";
import type { AudioStream, Encoding } from "./audio-stream.ts";
import { ascii, type ByteReader } from "./byte-reader.ts";
import { damaged, refuseTruncated } from "./faults.ts";
import { pcmSamples } from "./pcm.ts";

// RIFF WAVE as Microsoft documents it; RF64 and BW64 by EBU Tech 3306 and ITU-R BS.2088.

const pcm = 0x0001;
const float = 0x0003;
const extensible = 0xfffe;
const maxChunks = 1000;
/** Some programs count a byte too many. */
const toleratedBytes = 64;
/** What programs write that do not know the size yet. */
const unknownSizes = new Set([0, 0x7fffffff, 0xffffffff]);

interface Format {
  encoding: Encoding;
  sampleRate: number;
  channels: number;
  bitDepth: number;
}

/** The chunks up to `data`, and the samples in it. */
export async function openWav(reader: ByteReader): Promise<AudioStream> {
  await reader.read(12);
  let format: Format | null = null;
  let longSize: number | null = null;
  for (let chunks = 0; chunks < maxChunks; chunks++) {
    const header = await reader.view(8);
    if (header === null) break;
    const name = ascii(header, 0, 4);
    const size = header.getUint32(4, true);
    if (name === "data") {
      if (format === null) break;
      const bytes = dataBytes(size, longSize, reader.remaining);
      const { encoding, ...shown } = format;
      const { channels } = format;
      return { format: "wav", ...shown, ...pcmSamples(reader, { encoding, channels, bytes }) };
    }
    const next = reader.position + size + (size % 2);
    if (name === "ds64") longSize = readLongSize(await reader.view(16));
    if (name === "fmt ") format = readFormat(await reader.view(Math.min(size, 40)));
    reader.position = next;
  }
  throw damaged("WAV", "it has no samples");
}

function dataBytes(size: number, longSize: number | null, remaining: number): number {
  const bytes = size === 0xffffffff && longSize !== null ? longSize : size;
  // An empty chunk at the end of the file is empty; before other bytes, it was never completed.
  if (unknownSizes.has(bytes)) return remaining;
  refuseTruncated("WAV", { present: remaining, expected: bytes, tolerated: toleratedBytes });
  return bytes;
}

/** Of `data`, behind the size of the whole. */
function readLongSize(view: DataView | null): number | null {
  return view === null ? null : Number(view.getBigUint64(8, true));
}

function readFormat(view: DataView | null): Format {
  if (view === null || view.byteLength < 16) throw damaged("WAV", "its format is cut off");
  const tag = view.getUint16(0, true);
  const bits = view.getUint16(14, true);
  const isExtensible = tag === extensible && view.byteLength >= 26;
  return {
    encoding: encodingOf(isExtensible ? view.getUint16(24, true) : tag, bits),
    channels: view.getUint16(2, true),
    sampleRate: view.getUint32(4, true),
    bitDepth: (isExtensible && view.getUint16(18, true)) || bits,
  };
}

function encodingOf(tag: number, bits: number): Encoding {
  if (tag === pcm && bits === 8) return "u8";
  if (tag === pcm && (bits === 16 || bits === 24 || bits === 32)) return `s${bits}le`;
  if (tag === float && (bits === 32 || bits === 64)) return `f${bits}le`;
  throw unusable(
    "The WAV file is compressed or has an unusual sample size: export it as PCM with 16 or 24 bits, or as FLAC or MP3.",
  );
}
