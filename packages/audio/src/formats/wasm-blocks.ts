import { type MediaTaskError, unusable } from "../media-task.ts";
import type { AudioBlock } from "./audio-stream.ts";
import type { ByteReader } from "./byte-reader.ts";

interface DecoderResult {
  channelData: Float32Array[];
  samplesDecoded: number;
  sampleRate: number;
  errors: { message: string }[];
}

/** The common interface of the decoders in WebAssembly. */
export interface WasmDecoder {
  ready: Promise<void>;
  decode(data: Uint8Array): DecoderResult | Promise<DecoderResult>;
  free(): void;
}

/** The number of encoded bytes in one read. */
const chunkBytes = 64 * 1024;
/** The limit of bytes without samples, since the decoder keeps these bytes and searches them again. */
const maxBytesWithoutSamples = 4 * 1024 * 1024;

interface ExpectedAudio {
  channels: number;
  sampleRate: number;
  /** Whether an error that the decoder reports is fatal. The MP3 decoder reports unknown bytes, and skips them. */
  isStrict: boolean;
  /** Creates the error for a file that cannot be decoded. */
  fault: (cause: unknown) => MediaTaskError;
}

/**
 * Runs a decoder and checks its result. Returns null if there are no samples yet.
 * @throws {MediaTaskError} if the sample rate or the channels change, if the decoder throws, or if it reports an error
 * and `isStrict`
 */
export async function blockOf(
  decoding: () => DecoderResult | Promise<DecoderResult>,
  { channels, sampleRate, isStrict, fault }: ExpectedAudio,
): Promise<AudioBlock | null> {
  let decoded: DecoderResult;
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
 * Decodes the rest of a file.
 * @throws {MediaTaskError} as `blockOf`, and after more than 4 MB without samples
 */
export async function* wasmBlocks(
  reader: ByteReader,
  createDecoder: () => WasmDecoder,
  expected: ExpectedAudio,
): AsyncGenerator<AudioBlock> {
  const decoder = createDecoder();
  await decoder.ready;
  try {
    let bytesWithoutSamples = 0;
    for (;;) {
      const chunk = await reader.read(chunkBytes);
      if (chunk.length === 0) break;
      const block = await blockOf(() => decoder.decode(chunk), expected);
      bytesWithoutSamples = block === null ? bytesWithoutSamples + chunk.length : 0;
      if (bytesWithoutSamples > maxBytesWithoutSamples) throw expected.fault("no samples found");
      if (block !== null) yield block;
    }
  } finally {
    decoder.free();
  }
}
