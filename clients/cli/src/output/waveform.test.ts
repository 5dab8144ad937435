import { expect, test } from "vitest";
import { isWaveform, waveformText } from "./waveform.ts";

test("a waveform fills the width, and each block is as high as its loudest point", () => {
  const data = [0, 0, -10, 20, -128, 64, 0, 0, -64, 0, -1, 1];
  expect(waveformText({ data }, 6)).toBe("▁▂█▁▅▁");
  expect(waveformText({ data }, 3)).toBe("▂█▅");
});

test("a short waveform is not stretched, and silence is flat", () => {
  expect(waveformText({ data: [-128, 127, 0, 0] }, 80)).toBe("█▁");
  expect(waveformText({ data: [0, 0, 0, 0] }, 80)).toBe("▁▁");
  expect(waveformText({ data: [] }, 80)).toBe("");
});

test("data that is not a waveform is not drawn", () => {
  for (const value of [null, "text", {}, { data: "text" }, { data: [null] }]) expect(isWaveform(value)).toBe(false);
});
