import type { AudioBlock } from "./audio-stream.ts";
import { refuseTruncated } from "./faults.ts";

/** Passes blocks on. Throws a `MediaTaskError` after the last block if there were fewer frames than expected. */
export async function* withLengthCheck(
  format: string,
  blocks: AsyncIterable<AudioBlock>,
  { expected, tolerance }: { expected: number; tolerance: number },
): AsyncGenerator<AudioBlock> {
  let frames = 0;
  for await (const block of blocks) {
    frames += block[0]?.length ?? 0;
    yield block;
  }
  refuseTruncated(format, { available: frames, expected, tolerance });
}
