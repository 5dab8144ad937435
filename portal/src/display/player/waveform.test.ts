import { expect, test } from "vitest";
import { loadPeaks, peaksOf } from "./waveform.ts";

test("each peak is the largest amplitude of all channels as a share of the file's largest amplitude", () => {
  expect(peaksOf({ channels: 2, data: [-64, 64, -128, 32, 0, 0, -1, 32] })).toEqual([1, 0.25]);
  expect(peaksOf({ channels: 1, data: [-16_384, 8_192, -4_096, 2_048] })).toEqual([1, 0.25]);
});

test("silence has peaks of 0", () => {
  expect(peaksOf({ channels: 1, data: [0, 0, 0, 0] })).toEqual([0, 0]);
});

test("a waveform that cannot be read has no peaks", async () => {
  expect(await loadPeaks("/waveform", async () => new Response("", { status: 404 }))).toEqual([]);
  expect(await loadPeaks("/waveform", () => Promise.reject(new TypeError("Failed to fetch")))).toEqual([]);
});
