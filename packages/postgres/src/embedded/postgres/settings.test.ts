import { expect, test } from "vitest";
import { serverSettings } from "./settings.ts";

const gigabyte = 1024 ** 3;

test.each([
  [0.5 * gigabyte, "64MB", "256MB"],
  [4 * gigabyte, "512MB", "2048MB"],
  [1024 * gigabyte, "2048MB", "16384MB"],
])(
  "the memory settings for a machine with %d bytes are shares of its memory, within limits",
  (memoryBytes, buffers, cache) => {
    expect(serverSettings(memoryBytes)).toMatchObject({ shared_buffers: buffers, effective_cache_size: cache });
  },
);
