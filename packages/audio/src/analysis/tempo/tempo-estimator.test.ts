import { seededRandom } from "@beatmarket/foundation/seeded-random.ts";
import { describe, expect, test } from "vitest";
import { TempoEstimator } from "./tempo-estimator.ts";

/** Low, so that the tests are fast. */
const sampleRate = 4_000;

function noise(seed = 1): () => number {
  const random = seededRandom(seed);
  return () => 2 * random() - 1;
}

interface Track {
  seconds: number;
  /** The positions of the clicks in a bar of four beats. */
  beats?: readonly number[];
  /** The level of the noise between clicks. A click starts at level 1. */
  noiseLevel?: number;
  rate?: number;
}

/** Clicks: bursts of noise that decay within 30 ms. */
function track(
  tempo: number,
  { seconds, beats = [0, 1, 2, 3], noiseLevel = 0, rate = sampleRate }: Track,
): Float32Array {
  const random = noise();
  const samples = Float32Array.from({ length: Math.round(seconds * rate) }, () => noiseLevel * random());
  for (let bar = 0; (bar * 240) / tempo < seconds; bar++) {
    for (const beat of beats) {
      const start = Math.round((((bar * 4 + beat) * 60) / tempo) * rate);
      for (let n = 0; n < 0.15 * rate && start + n < samples.length; n++) {
        samples[start + n] = (samples[start + n] ?? 0) + Math.exp(-n / (0.03 * rate)) * random();
      }
    }
  }
  return samples;
}

function estimate(
  samples: Float32Array,
  { rate = sampleRate, genre = undefined as string | undefined, block = 4_096 } = {},
) {
  const estimator = new TempoEstimator(rate);
  for (let start = 0; start < samples.length; start += block) estimator.add(samples.subarray(start, start + block));
  return estimator.result({ genre });
}

describe("clicks", () => {
  test.each([78, 86, 97, 110, 120, 128, 140, 155, 174])("at %i BPM have exactly that tempo", (tempo) => {
    const result = estimate(track(tempo, { seconds: 31 }));
    expect(result?.value).toBe(tempo);
    expect(result?.confidence).toBeGreaterThan(0.3);
  });

  test.each([92, 140, 172])("at %i BPM have nearly that tempo in noise at half their level", (tempo) => {
    const result = estimate(track(tempo, { seconds: 31, noiseLevel: 0.5 }));
    expect(Math.abs((result?.value ?? 0) - tempo)).toBeLessThan(0.3);
  });

  test("have a tempo with decimals, which is rounded if it is near an integer", () => {
    expect(estimate(track(127.5, { seconds: 60 }))?.value).toBeCloseTo(127.5, 1);
    expect(estimate(track(93.66, { seconds: 60 }))?.value).toBeCloseTo(93.66, 1);
    expect(estimate(track(127.96, { seconds: 60 }))?.value).toBe(128);
  });

  test("have the same tempo at sample rates from 8,000 to 48,000 Hz", () => {
    for (const rate of [8_000, 32_000, 48_000]) {
      expect(estimate(track(125, { seconds: 31, rate }), { rate })?.value).toBe(125);
    }
  });
});

describe("loops", () => {
  test.each([
    [120, 4],
    [140, 8],
    [95, 8],
    [128, 32],
  ])("at %i BPM with a length of %i beats have exactly that tempo", (tempo, beats) => {
    const result = estimate(track(tempo, { seconds: (beats * 60) / tempo, beats: [0, 0.5, 1, 1.75, 2, 2.5, 3] }));
    expect(result?.value).toBe(tempo);
  });

  test("shorter than a second have no tempo", () => {
    expect(estimate(track(140, { seconds: 0.9 }))).toBeNull();
    expect(estimate(new Float32Array())).toBeNull();
  });
});

describe("the octave", () => {
  const halfTime = track(70, { seconds: 31, beats: [0, 0.5, 1, 1.5, 2, 2.5, 3, 3.5] });

  test("is the genre's octave, and the other octave is the alternative", () => {
    expect(estimate(halfTime, { genre: "Trap" })?.value).toBe(140);
    expect(estimate(halfTime, { genre: "Lo-Fi" })).toMatchObject({ value: 70, alternative: 140 });
    expect(estimate(track(87, { seconds: 31 }), { genre: "drum & bass" })?.value).toBe(174);
  });

  test("does not change if the genre has no range, or if no octave is in the range", () => {
    const withoutGenre = estimate(track(120, { seconds: 31 }));
    expect(withoutGenre?.value).toBe(120);
    for (const genre of ["Polka", "constructor", "Psytrance"]) {
      expect(estimate(track(120, { seconds: 31 }), { genre })).toEqual(withoutGenre);
    }
  });
});

describe("without a pulse", () => {
  test("a single burst in a file of 1.2 to 9 seconds has no tempo, or low confidence", () => {
    for (const seconds of [1.2, 2, 4, 9]) {
      const burst = new Float32Array(seconds * sampleRate);
      const random = noise();
      for (let n = 0; n < burst.length; n++) burst[n] = Math.exp(-n / (0.2 * sampleRate)) * random();
      expect(estimate(burst)?.confidence ?? 0).toBeLessThan(0.2);
    }
  });

  test("silence, a constant signal and a tone have no tempo; noise has none, or low confidence", () => {
    for (const seconds of [5, 31]) {
      const length = seconds * sampleRate;
      const random = noise(7);
      expect(estimate(new Float32Array(length))).toBeNull();
      expect(estimate(new Float32Array(length).fill(0.7))).toBeNull();
      expect(estimate(Float32Array.from({ length }, (_, n) => Math.sin(n * 0.3)))).toBeNull();
      expect(estimate(Float32Array.from({ length }, random))?.confidence ?? 0).toBeLessThan(0.1);
    }
  });
});

test("a constant offset and samples that are not finite do not change the tempo of clicks", () => {
  const samples = track(132, { seconds: 31 }).map((sample) => sample * 0.3 + 0.5);
  samples[10_000] = Number.NaN;
  samples[60_000] = Number.POSITIVE_INFINITY;
  expect(estimate(samples)?.value).toBe(132);
});

test("the result does not depend on the block size, and can be read twice", () => {
  const samples = track(111, { seconds: 12, noiseLevel: 0.3 });
  const result = estimate(samples);
  for (const block of [1, 1_152, 50_000]) expect(estimate(samples, { block })).toEqual(result);
  const estimator = new TempoEstimator(sampleRate);
  estimator.add(samples);
  expect([estimator.result(), estimator.result()]).toEqual([result, result]);
});

test("the tempo of a file of four minutes is accurate to 0.02 BPM", () => {
  const rate = 1_000;
  const result = estimate(track(123.46, { seconds: 240, rate }), { rate });
  expect(Math.abs((result?.value ?? 0) - 123.46)).toBeLessThanOrEqual(0.02);
});
