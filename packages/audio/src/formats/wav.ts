import type { AudioStream, Encoding } from "./audio-stream.ts";
import type { ByteReader } from "./byte-reader.ts";
import { availableBytes, type ChunkForm, readChunks } from "./chunks.ts";
import { damaged, refuseTruncated, unsupported } from "./faults.ts";
import { bytesOf, pcmSamples } from "./pcm.ts";
import { findContainer } from "./pcm-container.ts";

// RIFF WAVE (Microsoft), RF64 (EBU Tech 3306), BW64 (ITU-R BS.2088) and Sony Wave64.

const pcm = 0x0001;
const float = 0x0003;
const extensible = 0xfffe;
/** Accepts a few missing bytes, since some programs write a size that is too large. */
const toleranceBytes = 64;
const unknownSize = 0xffffffff;
/** Names of unsupported format tags (RFC 2361), for error messages. */
const codecs: Record<number, string> = {
  2: "Microsoft ADPCM",
  6: "A-law",
  7: "µ-law",
  17: "IMA ADPCM",
  49: "GSM 6.10",
  80: "MPEG layer II",
  85: "MP3",
  255: "AAC",
  352: "Windows Media Audio",
  353: "Windows Media Audio",
  354: "Windows Media Audio",
  355: "Windows Media Audio",
  5648: "AAC",
  8192: "AC-3",
  61868: "FLAC",
};
const remedy = "export it as PCM with 16 or 24 bits, or as FLAC or MP3";

interface Format {
  encoding: Encoding;
  sampleRate: number;
  channels: number;
  bitDepth: number;
  /** The size of a sample with its filler bytes. */
  containerBytes: number;
}

/** Opens WAV: reads the chunks before `data`, then the samples in it. */
export async function openWav(reader: ByteReader): Promise<AudioStream> {
  const form: ChunkForm = (await reader.read(12))[0] === 0x72 ? "wave64" : "riff";
  if (form === "wave64") await reader.read(28);
  let format: Format | null = null;
  let longSize: number | null = null;
  for await (const chunk of readChunks(reader, form)) {
    if (chunk.name === "ds64") longSize = readLongSize(await reader.view(16));
    if (chunk.name === "fmt ") format = readFormat(await reader.view(Math.min(chunk.bytes, 40)));
    if (chunk.name !== "data") continue;
    if (format === null) throw damaged("WAV", "its samples come before their format");
    const { encoding, containerBytes, ...properties } = format;
    const announced = chunk.bytes === unknownSize && longSize !== null ? longSize : chunk.bytes;
    const bytes = availableBytes(announced, reader.remaining);
    refuseTruncated("WAV", { available: reader.remaining, expected: bytes, tolerance: toleranceBytes });
    const layout = { encoding, channels: format.channels, bytes };
    const container = await findContainer(reader, { ...layout, containerBytes });
    const samples = pcmSamples(reader, container === null ? layout : { ...layout, container });
    return { format: "wav", ...properties, ...samples };
  }
  throw damaged("WAV", "it has no samples");
}

/** The 64-bit size of the `data` chunk. It follows the 64-bit size of the file. */
function readLongSize(view: DataView | null): number | null {
  return view === null ? null : Number(view.getBigUint64(8, true));
}

function readFormat(view: DataView | null): Format {
  if (view === null || view.byteLength < 16) throw damaged("WAV", "its format is cut off");
  const [tag, channels, frameBytes, bits] = [0, 2, 12, 14].map((offset) => view.getUint16(offset, true)) as [
    number,
    number,
    number,
    number,
  ];
  const isExtensible = tag === extensible;
  if (isExtensible && view.byteLength < 26) throw damaged("WAV", "its format is cut off");
  const encoding = encodingOf(isExtensible ? view.getUint16(24, true) : tag, bits);
  const sampleBytes = bytesOf(encoding);
  // Some programs omit the size of a frame.
  const containerBytes = frameBytes === 0 || channels === 0 ? sampleBytes : frameBytes / channels;
  if (!Number.isInteger(containerBytes) || containerBytes < sampleBytes)
    throw damaged("WAV", `it says that ${channels} samples of ${bits} bits are ${frameBytes} bytes`);
  const validBits = isExtensible ? view.getUint16(18, true) : 0;
  return {
    encoding,
    channels,
    sampleRate: view.getUint32(4, true),
    bitDepth: validBits > 0 && validBits < bits ? validBits : bits,
    containerBytes,
  };
}

function encodingOf(tag: number, bits: number): Encoding {
  if (tag === float && (bits === 32 || bits === 64)) return `f${bits}le`;
  if (tag === pcm && bits >= 1 && bits <= 8) return "u8";
  // Other sizes are padded to whole bytes, with the sample in the high bits.
  if (tag === pcm && bits > 8 && bits <= 32) return `s${(Math.ceil(bits / 8) * 8) as 16 | 24 | 32}le`;
  if (tag === pcm || tag === float)
    throw unsupported("WAV", `${tag === pcm ? "samples" : "floating-point samples"} of ${bits} bits`, remedy);
  throw unsupported("WAV", codecs[tag] ?? `audio compressed by codec 0x${tag.toString(16).padStart(4, "0")}`, remedy);
}
