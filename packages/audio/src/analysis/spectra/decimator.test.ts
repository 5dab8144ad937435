import { expect, test } from "vitest";
import { Decimator } from "./decimator.ts";

const sine = (hertz: number, sampleRate: number, seconds = 1) =>
  Float32Array.from({ length: sampleRate * seconds }, (_, n) => Math.sin((2 * Math.PI * hertz * n) / sampleRate));
const level = (samples: Float32Array) =>
  Math.sqrt(samples.reduce((sum, sample) => sum + sample * sample, 0) / samples.length) * Math.SQRT2;

test("the sample rate is lowered by an integer factor, and never raised", () => {
  expect(new Decimator(44_100, 22_050).sampleRate).toBe(22_050);
  expect(new Decimator(48_000, 11_025).sampleRate).toBe(12_000);
  expect(new Decimator(192_000, 22_050).sampleRate).toBeCloseTo(21_333.3, 1);
  expect(new Decimator(8_000, 22_050).sampleRate).toBe(8_000);
});

test("frequencies in the pass band stay, without delay; those above the new Nyquist frequency are removed", () => {
  const low = new Decimator(44_100, 11_025).add(sine(1_000, 44_100));
  const expected = sine(1_000, 11_025);
  expect(level(low.map((sample, n) => sample - (expected[n] ?? 0)).slice(20, -20))).toBeLessThan(0.005);
  expect(level(new Decimator(44_100, 11_025).add(sine(9_000, 44_100)))).toBeLessThan(0.01);
});

test("the output does not depend on the length of the blocks", () => {
  const samples = sine(440, 48_000);
  const output = [...new Decimator(48_000, 11_025).add(samples)];
  const decimator = new Decimator(48_000, 11_025);
  const parts = [];
  for (let start = 0, length = 0; start < samples.length; start += length) {
    length = (length * 7 + 1) % 3_001;
    parts.push(...decimator.add(samples.subarray(start, start + length)));
  }
  expect(parts).toEqual(output);
});

test("a constant signal stays constant from the first sample", () => {
  const constant = new Decimator(44_100, 22_050).add(new Float32Array(10_000).fill(0.5));
  expect(Math.max(...constant.map((sample) => Math.abs(sample - 0.5)))).toBeLessThan(1e-5);
});
