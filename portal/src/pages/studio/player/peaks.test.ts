import { expect, test } from "vitest";
import { peaksOf } from "./peaks.ts";

test("peaks are the extremes of all channels, in relation to full scale", () => {
  const data = [-64, 64, -128, 32, 0, 0, -1, 127];
  expect(peaksOf({ channels: 2, bits: 8, data })).toEqual([
    [0.5, 127 / 128],
    [-1, -1 / 128],
  ]);
  expect(peaksOf({ channels: 1, bits: 16, data: [-16_384, 8_192] })).toEqual([[0.25], [-0.5]]);
});
