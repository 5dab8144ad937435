import { open } from "node:fs/promises";
import { createMp3Encoder } from "wasm-media-encoders";
import type { AudioBlock } from "../formats/audio-stream.ts";

/** What players take everywhere: 44.1 kHz where the sample rate is of its family, else 48. */
export const playerRate = (sampleRate: number): number => (sampleRate % 11_025 === 0 ? 44_100 : 48_000);

/** What the encoder makes of those of MPEG 1 layer III, in kbit/s. */
export const mp3BitRates = [32, 40, 48, 64, 80, 96, 112, 128, 160, 192, 224, 256, 320] as const;
export type Mp3BitRate = (typeof mp3BitRates)[number];

/** Encodes blocks into an MP3 file of frames alone, without metadata. Returns the bytes that were written. */
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
