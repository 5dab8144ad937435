import { open } from "node:fs/promises";
import { createMp3Encoder } from "wasm-media-encoders";
import type { AudioBlock } from "../formats/audio-stream.ts";

/** A sample rate that all MP3 players support: 44.1 kHz for multiples of 11,025 Hz, otherwise 48 kHz. */
export const mp3SampleRate = (sampleRate: number): number => (sampleRate % 11_025 === 0 ? 44_100 : 48_000);

/** The bit rates of MPEG 1 layer III that the encoder supports, in kbit/s. */
export const mp3BitRates = [32, 40, 48, 64, 80, 96, 112, 128, 160, 192, 224, 256, 320] as const;
export type Mp3BitRate = (typeof mp3BitRates)[number];

/** Encodes blocks into an MP3 file without metadata. Returns the size of the file. */
export async function writeMp3(
  file: string,
  blocks: Iterable<AudioBlock> | AsyncIterable<AudioBlock>,
  { sampleRate, channels, kbits }: { sampleRate: number; channels: number; kbits: Mp3BitRate },
): Promise<number> {
  const encoder = await createMp3Encoder();
  encoder.configure({ sampleRate, channels: channels === 1 ? 1 : 2, bitrate: kbits });
  const output = await open(file, "w");
  let bytes = 0;
  const write = async (encoded: Uint8Array): Promise<void> => {
    await output.write(encoded);
    bytes += encoded.length;
  };
  try {
    for await (const block of blocks) await write(encoder.encode(block.map(clamp)));
    await write(encoder.finalize());
  } finally {
    await output.close();
  }
  return bytes;
}

const clamp = (samples: Float32Array): Float32Array => samples.map((sample) => Math.max(-1, Math.min(1, sample)));
