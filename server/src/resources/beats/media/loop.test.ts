import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { type LoopBeat, renderLoop } from "./loop.ts";

const beat = (traits: Partial<LoopBeat>): LoopBeat => ({ id: 1, tempo: 120, keyCode: 12, genreId: 1, ...traits });

/** Reads the file as a player does: by its header. */
function decode(file: Buffer): { sampleRate: number; samples: Int16Array } {
  expect(file.toString("latin1", 0, 4)).toBe("RIFF");
  expect(file.readUInt32LE(4)).toBe(file.length - 8);
  expect(file.toString("latin1", 8, 16)).toBe("WAVEfmt ");
  const [format, channels, bits] = [file.readUInt16LE(20), file.readUInt16LE(22), file.readUInt16LE(34)];
  expect({ format, channels, bits }).toEqual({ format: 1, channels: 1, bits: 16 });
  expect(file.readUInt32LE(28)).toBe(file.readUInt32LE(24) * 2);
  expect(file.toString("latin1", 36, 40)).toBe("data");
  expect(file.readUInt32LE(40)).toBe(file.length - 44);
  const samples = Int16Array.from({ length: (file.length - 44) / 2 }, (_, n) => file.readInt16LE(44 + 2 * n));
  return { sampleRate: file.readUInt32LE(24), samples };
}

/** How much brighter each 1/100 s of the loop is than the one before, round and round: hats and snares, not the bass. */
function onsets({ sampleRate, samples }: ReturnType<typeof decode>): { rises: number[]; framesPerSecond: number } {
  const bright = samples.map((sample, n) => (sample - (samples.at(n - 1) ?? 0)) / 2);
  const frames = Math.round((samples.length / sampleRate) * 100);
  const energies = Array.from({ length: frames }, (_, n) => {
    const part = bright.subarray((n * bright.length) / frames, ((n + 1) * bright.length) / frames);
    return Math.sqrt(part.reduce((sum, sample) => sum + sample * sample, 0) / part.length);
  });
  const rises = energies.map((energy, n) => Math.max(0, energy - (energies.at(n - 1) ?? 0)));
  return { rises, framesPerSecond: (frames * sampleRate) / samples.length };
}

/** How well the loop's onsets fall on a pulse of this many in a minute, wherever it begins. */
function pulseStrength({ rises, framesPerSecond }: ReturnType<typeof onsets>, tempo: number): number {
  let [x, y, all] = [0, 0, 0];
  for (const [n, rise] of rises.entries()) {
    const angle = (2 * Math.PI * n * tempo) / 60 / framesPerSecond;
    x += rise * Math.cos(angle);
    y += rise * Math.sin(angle);
    all += rise;
  }
  return Math.hypot(x, y) / all;
}

describe("the loop", () => {
  test.each([
    [61, 2],
    [90, 2],
    [119.99, 2],
    [120, 4],
    [127.994, 4],
    [174, 4],
    [299, 4],
  ])("at %s BPM is %s bars long, to the sample", (tempo, bars) => {
    const { sampleRate, samples } = decode(renderLoop(beat({ tempo })));
    expect(samples.length).toBe(Math.round((bars * 4 * 60 * sampleRate) / tempo));
  });

  test.each([
    [1, 32],
    [29, 58],
    [301, 150.5],
    [9999, 9999 / 64],
  ])("of a beat at %s BPM is played at %s, an octave of it", (tempo, played) => {
    expect(renderLoop(beat({ tempo })).equals(renderLoop(beat({ tempo: played })))).toBe(true);
  });

  test.each([1, 2, 3, 4, 5, 6, 7, 8])(
    "of genre %s is heard at its own tempo by whoever listens for onsets",
    (genreId) => {
      const tempo = 97.3;
      const heard = onsets(decode(renderLoop(beat({ tempo, genreId }))));
      const candidates = Array.from({ length: 401 }, (_, n) => tempo * (0.8 + n / 1000));
      const strengths = candidates.map((candidate) => pulseStrength(heard, 4 * candidate));
      const found = candidates[strengths.indexOf(Math.max(...strengths))] ?? 0;
      expect(Math.abs(found / tempo - 1)).toBeLessThan(0.004);
    },
  );

  test("has no seam: what rings at the end goes on at the beginning", () => {
    for (let id = 1; id < 20; id++) {
      const { samples } = decode(renderLoop(beat({ id, genreId: id, tempo: 70 + 5 * id, keyCode: id })));
      const steps = samples.map((sample, n) => Math.abs(sample - (samples.at(n - 1) ?? 0)));
      expect(steps[0]).toBeLessThanOrEqual(steps.subarray(1).reduce((a, b) => Math.max(a, b)));
    }
  });

  test("is never silent, cut off or larger than 706 kB, whatever the beat", () => {
    const anyBeat = fc.record({
      id: fc.nat(),
      tempo: fc.oneof(fc.double({ min: 1e-6, max: 9999.99, noNaN: true }), fc.integer({ min: 1, max: 9999 })),
      keyCode: fc.integer({ min: 0, max: 24 }),
      genreId: fc.nat(),
    });
    fc.assert(
      fc.property(anyBeat, (any) => {
        const file = renderLoop(any);
        expect(file.length).toBeLessThanOrEqual(706_000);
        const loudest = decode(file).samples.reduce((most, sample) => Math.max(most, Math.abs(sample)), 0);
        expect(loudest).toBeGreaterThan(20_000);
        expect(loudest).toBeLessThan(32_000);
      }),
      { numRuns: 40 },
    );
  });

  test("is the same each time for the same beat, and another for another", () => {
    expect(renderLoop(beat({})).equals(renderLoop(beat({})))).toBe(true);
    for (const other of [{ id: 2 }, { keyCode: 0 }, { tempo: 121 }, { genreId: 2 }])
      expect(renderLoop(beat({})).equals(renderLoop(beat(other)))).toBe(false);
  });

  test.each([
    [0, 0, "C"],
    [1, 7, "G"],
    [11, 5, "F"],
    [12, 9, "A minor"],
    [13, 4, "E minor"],
    [23, 2, "D minor"],
  ])("in key %s keeps to its scale, with tonic %s (%s)", (keyCode, tonic) => {
    const scale = (keyCode < 12 ? [0, 2, 4, 5, 7, 9, 11] : [0, 2, 3, 5, 7, 8, 10]).map((step) => (tonic + step) % 12);
    const tones = tonesBeyondDrums(beat({ keyCode }));
    expect(tones[tonic]).toBeGreaterThan(0);
    const outside = tones.filter((_, pitch) => !scale.includes(pitch)).reduce((a, b) => a + b);
    const inside = tones.reduce((a, b) => a + b) - outside;
    expect(outside).toBeLessThan(0.1 * inside);
  });
});

/** The energy of each of the twelve tones between 180 and 380 Hz, where the chords lie and the drums do not ring. */
function tonesBeyondDrums(traits: LoopBeat): number[] {
  const { sampleRate, samples } = decode(renderLoop({ ...traits, tempo: 40 }));
  const energies = new Array<number>(12).fill(0);
  for (let midi = 55; midi < 67; midi++) {
    const hertz = 440 * 2 ** ((midi - 69) / 12);
    // Windows of half a second tell neighbouring semitones apart.
    const length = Math.round(sampleRate / 2);
    for (let start = 0; start + length <= samples.length; start += length) {
      let [x, y] = [0, 0];
      for (let n = 0; n < length; n++) {
        const weight = 0.5 - 0.5 * Math.cos((2 * Math.PI * n) / length);
        const angle = (2 * Math.PI * hertz * n) / sampleRate;
        const sample = ((samples[start + n] ?? 0) / 32768) * weight;
        x += sample * Math.cos(angle);
        y += sample * Math.sin(angle);
      }
      energies[midi % 12] = (energies[midi % 12] ?? 0) + x * x + y * y;
    }
  }
  return energies;
}
