import { expect, test } from "vitest";
import { isWaveform, waveformText } from "./waveform.ts";

test("a waveform fills the width, each block as high as the loudest of its points", () => {
  const data = [0, 0, -10, 20, -128, 64, 0, 0, -64, 0, -1, 1];
  expect(waveformText({ data }, 6)).toBe("▁▂█▁▅▁");
  expect(waveformText({ data }, 3)).toBe("▂█▅");
});

test("a short waveform is not stretched, and silence is flat", () => {
  expect(waveformText({ data: [-128, 127, 0, 0] }, 80)).toBe("█▁");
  expect(waveformText({ data: [0, 0, 0, 0] }, 80)).toBe("▁▁");
  expect(waveformText({ data: [] }, 80)).toBe("");
});

test("what is no waveform is not drawn", () => {
  for (const value of [null, "text", {}, { data: "text" }, { data: [null] }]) expect(isWaveform(value)).toBe(false);
});
