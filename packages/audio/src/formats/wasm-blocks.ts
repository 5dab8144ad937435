import { type MediaTaskError, unusable } from "../media-task.ts";
import type { AudioBlock } from "./audio-stream.ts";
import type { ByteReader } from "./byte-reader.ts";

interface Decoded {
  channelData: Float32Array[];
  samplesDecoded: number;
  sampleRate: number;
  errors: { message: string }[];
}

/** What the decoders in WebAssembly have in common. */
export interface WasmDecoder {
  ready: Promise<void>;
  decode(data: Uint8Array): Decoded | Promise<Decoded>;
  free(): void;
}

/** Of encoded bytes, read at once. */
const chunkBytes = 64 * 1024;
/** A decoder that gets so much and finds nothing keeps all of it and searches it again. */
const maxBarrenBytes = 4 * 1024 * 1024;

interface Expected {
  channels: number;
  sampleRate: number;
  /** Whether an error of the decoder counts. A decoder of MP3 skips what it does not know. */
  isStrict: boolean;
  fault: (cause: unknown) => MediaTaskError;
}

/**
 * What a decoder makes of its next bytes; null when that is nothing yet.
 * @throws {MediaTaskError} at a change of the sample rate, and at damaged data where `isStrict`
 */
export async function blockOf(
  decoding: () => Decoded | Promise<Decoded>,
  { channels, sampleRate, isStrict, fault }: Expected,
): Promise<AudioBlock | null> {
  let decoded: Decoded;
  try {
    decoded = await decoding();
  } catch (error) {
    throw fault(error);
  }
  const { samplesDecoded, channelData, errors } = decoded;
  if (isStrict && errors.length > 0) throw fault(errors[0]?.message);
  if (samplesDecoded === 0) return null;
  if (decoded.sampleRate !== sampleRate || channelData.length < channels)
    throw unusable("The file changes its sample rate or channels on the way: export it again, as WAV, FLAC or MP3.");
  return channelData.slice(0, channels);
}

/**
 * Decodes the rest of a file. `fault` makes the error for a file that the decoder cannot read.
 * @throws {MediaTaskError} at a change of the sample rate, and at damaged data where `isStrict`
 */
export async function* wasmBlocks(
  reader: ByteReader,
  createDecoder: () => WasmDecoder,
  expected: Expected,
): AsyncGenerator<AudioBlock> {
  const decoder = createDecoder();
  await decoder.ready;
  try {
    let barrenBytes = 0;
    for (;;) {
      const chunk = await reader.read(chunkBytes);
      if (chunk.length === 0) break;
      const block = await blockOf(() => decoder.decode(chunk), expected);
      barrenBytes = block === null ? barrenBytes + chunk.length : 0;
      if (barrenBytes > maxBarrenBytes) throw expected.fault("no samples found");
      if (block !== null) yield block;
    }
  } finally {
    decoder.free();
  }
}
