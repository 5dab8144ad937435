import type { AudioBlock, AudioStream } from "../formats/audio-stream.ts";
import { Resampler } from "./resampler.ts";

/** Converts the blocks of a stream to another sample rate. */
export async function* resample(
  { blocks, sampleRate, channels }: AudioStream,
  targetRate: number,
): AsyncGenerator<AudioBlock> {
  if (sampleRate === targetRate) {
    yield* blocks;
    return;
  }
  const resampler = new Resampler(sampleRate, targetRate, channels);
  for await (const block of blocks) yield resampler.add(block);
  yield resampler.flush();
}
