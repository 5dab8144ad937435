import { expect, test } from "vitest";
import { bytesText } from "./bytes-text.ts";

test.each([
  [0, "0 bytes"],
  [999, "999 bytes"],
  [1_000, "1 kB"],
  [4_240_112, "4.2 MB"],
  [99_960_000, "100 MB"],
  [999_600_000, "1 GB"],
  [2_147_483_648, "2.1 GB"],
])("%i bytes are %s", (bytes, text) => {
  expect(bytesText(bytes)).toBe(text);
});
