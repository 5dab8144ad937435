import type { AudioBlock, AudioStream } from "../formats/audio-stream.ts";
import { Resampler } from "./resampler.ts";

/** The blocks of a stream at another sample rate. */
export async function* resampled(
  { blocks, sampleRate, channels }: AudioStream,
  wantedRate: number,
): AsyncGenerator<AudioBlock> {
  if (sampleRate === wantedRate) {
    yield* blocks;
    return;
  }
  const resampler = new Resampler(sampleRate, wantedRate, channels);
  for await (const block of blocks) yield resampler.add(block);
  yield resampler.flush();
}
