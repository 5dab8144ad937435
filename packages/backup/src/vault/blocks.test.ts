import { expect, test } from "vitest";
import { blocksOf } from "./blocks.ts";

/** Yields eight chunks of 3 bytes, and records whether it was closed. */
function source() {
  const state = { isClosed: false };
  const chunks = (async function* () {
    try {
      for (let n = 0; n < 8; n++) yield Buffer.alloc(3, n);
    } finally {
      state.isClosed = true;
    }
  })();
  return { state, chunks };
}

test("all blocks but the last have the same size, and the last one is marked", async () => {
  const { state, chunks } = source();
  const blocks = await Array.fromAsync(blocksOf(chunks, 10));
  expect(blocks.map(({ block, isLast }) => [block.length, isLast])).toEqual([
    [10, false],
    [10, false],
    [4, true],
  ]);
  expect(state.isClosed).toBe(true);
});

test("the source is closed when reading stops early", async () => {
  const { state, chunks } = source();
  for await (const _block of blocksOf(chunks, 10)) break;
  expect(state.isClosed).toBe(true);
});
