import type { AudioBlock } from "./audio-stream.ts";
import { refuseTruncated } from "./faults.ts";

/** The blocks, and a rejection at their end when there were fewer frames than announced. */
export async function* withEnd(
  format: string,
  blocks: AsyncIterable<AudioBlock>,
  { announced, tolerated }: { announced: number; tolerated: number },
): AsyncGenerator<AudioBlock> {
  let frames = 0;
  for await (const block of blocks) {
    frames += block[0]?.length ?? 0;
    yield block;
  }
  refuseTruncated(format, { present: frames, expected: announced, tolerated });
}
