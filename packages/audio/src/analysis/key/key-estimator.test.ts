import { keyName } from "@beatmarket/foundation/music/musical-key.ts";
import { seededRandom } from "@beatmarket/foundation/seeded-random.ts";
import { describe, expect, test } from "vitest";
import { KeyEstimator } from "./key-estimator.ts";

/** Low, so that the tests are fast. */
const sampleRate = 11_025;

interface Tuning {
  /** The tuning above A = 440 Hz. */
  cents?: number;
  rate?: number;
  secondsPerChord?: number;
}

/** A sequence of chords of MIDI notes. Each note has six partials. */
function chords(
  notes: readonly (readonly number[])[],
  { cents = 0, rate = sampleRate, secondsPerChord = 0.4 }: Tuning = {},
) {
  const length = Math.round(secondsPerChord * rate);
  const samples = new Float32Array(notes.length * length);
  for (const [chord, tones] of notes.entries()) {
    for (const tone of tones) {
      const hertz = 440 * 2 ** ((tone - 69 + cents / 100) / 12);
      for (let partial = 1; partial <= 6 && hertz * partial < 0.45 * rate; partial++) {
        for (let n = 0; n < length; n++) {
          const index = chord * length + n;
          samples[index] =
            (samples[index] ?? 0) + (0.1 / partial) * Math.sin((2 * Math.PI * hertz * partial * n) / rate);
        }
      }
    }
  }
  return samples;
}

const triad = (root: number, third: number) => [root - 12, root, root + third, root + 7];

/** Tonic, subdominant, dominant, tonic. */
function cadence(keyCode: number): number[][] {
  const isMajor = keyCode < 12;
  const tonic = 48 + (((keyCode % 12) * 7 + (isMajor ? 0 : 9)) % 12);
  const third = isMajor ? 4 : 3;
  return [triad(tonic, third), triad(tonic + 5, third), triad(tonic + 7, third), triad(tonic, third)];
}

function estimate(samples: Float32Array, { rate = sampleRate, block = 4_096 } = {}) {
  const estimator = new KeyEstimator(rate);
  for (let start = 0; start < samples.length; start += block) estimator.add(samples.subarray(start, start + block));
  return estimator.result();
}

const keyCodes = Array.from({ length: 24 }, (_, keyCode) => keyCode);

describe("a cadence in each of the 24 keys", () => {
  test.each(keyCodes.map((keyCode) => [keyName(keyCode), keyCode] as const))("%s", (name, keyCode) => {
    const key = estimate(chords(cadence(keyCode)));
    expect(key?.value).toBe(name);
    expect(key?.confidence).toBeGreaterThan(0.4);
    expect(key?.alternative).not.toBe(name);
  });
});

test("the key does not depend on the tuning of the file", () => {
  for (const cents of [-40, -20, 20, 40]) {
    for (const keyCode of [0, 19]) {
      expect(estimate(chords(cadence(keyCode), { cents }))?.value).toBe(keyName(keyCode));
    }
  }
});

test("the key is estimated at sample rates of 8,000 and 48,000 Hz", () => {
  for (const rate of [8_000, 48_000]) {
    const samples = chords(cadence(13), { rate });
    expect(estimate(samples, { rate })?.value).toBe("E minor");
  }
});

test("a chord of a tenth of a second is enough for an estimate", () => {
  expect(estimate(chords([triad(57, 3)], { secondsPerChord: 0.1 }))?.value).toBe("A minor");
});

test("a single note has the key of that note, with low confidence in the mode", () => {
  const key = estimate(chords([[36], [48]]));
  expect([key?.value, key?.alternative].toSorted()).toEqual(["C major", "C minor"]);
  expect(key?.confidence).toBeLessThan(0.7);
});

test("noise, silence and a constant signal have no key; drums have none, or one with low confidence", () => {
  const uniform = seededRandom(1);
  const random = () => 2 * uniform() - 1;
  const length = 5 * sampleRate;
  expect(estimate(new Float32Array())).toBeNull();
  expect(estimate(new Float32Array(length))).toBeNull();
  expect(estimate(new Float32Array(length).fill(0.7))).toBeNull();
  expect(estimate(Float32Array.from({ length }, random))).toBeNull();
  const drums = Float32Array.from({ length }, (_, n) => Math.exp(-(n % 5_000) / 500) * random());
  expect(estimate(drums)?.confidence ?? 0).toBeLessThan(0.4);
});

test("a constant offset and samples that are not finite do not change the key", () => {
  const samples = chords(cadence(9)).map((sample) => sample + 0.4);
  samples[5_000] = Number.NaN;
  samples[9_000] = Number.NEGATIVE_INFINITY;
  expect(estimate(samples)?.value).toBe(keyName(9));
});

test("the result does not depend on the block size, and can be read twice", () => {
  const samples = chords(cadence(3), { rate: 44_100, secondsPerChord: 0.4 });
  const key = estimate(samples, { rate: 44_100 });
  for (const block of [1, 1_152, 50_000]) expect(estimate(samples, { rate: 44_100, block })).toEqual(key);
  const estimator = new KeyEstimator(44_100);
  estimator.add(samples);
  expect([estimator.result(), estimator.result()]).toEqual([key, key]);
});
