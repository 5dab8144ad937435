import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { type LoopBeat, renderLoop } from "./loop.ts";
import { styleOf } from "./styles.ts";

/** Each style, with a slow tempo of its genre in beats per minute. */
const genres: readonly (readonly [name: string, tempo: number])[] = [
  ["Trap", 130],
  ["Drill", 138],
  ["Boom Bap", 84],
  ["Lo-Fi", 70],
  ["R&B", 62],
  ["Neo Soul", 70],
  ["House", 120],
  ["Deep House", 118],
  ["Techno", 126],
  ["Drum & Bass", 170],
  ["Dubstep", 138],
  ["UK Garage", 128],
  ["Afrobeats", 96],
  ["Amapiano", 108],
  ["Dancehall", 88],
  ["Reggaeton", 86],
  ["Synthwave", 80],
  ["Phonk", 120],
  ["Pop", 96],
  ["Ambient", 60],
];
const genreNames = genres.map(([name]) => name);

const beat = (traits: Partial<LoopBeat>): LoopBeat => ({
  id: 1,
  tempo: 120,
  keyCode: 12,
  genreName: "House",
  ...traits,
});

interface Sound {
  sampleRate: number;
  left: Float32Array;
  right: Float32Array;
  /** The mean of both channels. */
  mono: Float32Array;
}

/** Reads the file as a player does: by its header. */
function decode(file: Buffer): Sound {
  expect(file.toString("latin1", 0, 4)).toBe("RIFF");
  expect(file.readUInt32LE(4)).toBe(file.length - 8);
  expect(file.toString("latin1", 8, 16)).toBe("WAVEfmt ");
  const [format, channels, bits] = [file.readUInt16LE(20), file.readUInt16LE(22), file.readUInt16LE(34)];
  expect({ format, channels, bits }).toEqual({ format: 1, channels: 2, bits: 16 });
  expect(file.readUInt32LE(28)).toBe(file.readUInt32LE(24) * 4);
  expect(file.readUInt16LE(32)).toBe(4);
  expect(file.toString("latin1", 36, 40)).toBe("data");
  expect(file.readUInt32LE(40)).toBe(file.length - 44);
  const samples = new Int16Array(file.buffer, file.byteOffset + 44);
  const [left, right, mono] = Array.from({ length: 3 }, () => new Float32Array(samples.length / 2)) as [
    Float32Array,
    Float32Array,
    Float32Array,
  ];
  for (let n = 0; n < left.length; n++) {
    left[n] = (samples[2 * n] ?? 0) / 32_768;
    right[n] = (samples[2 * n + 1] ?? 0) / 32_768;
    mono[n] = ((left[n] ?? 0) + (right[n] ?? 0)) / 2;
  }
  return { sampleRate: file.readUInt32LE(24), left, right, mono };
}

const rms = (samples: Float32Array): number =>
  Math.sqrt(samples.reduce((sum, sample) => sum + sample * sample, 0) / samples.length);
const loudest = (samples: Float32Array): number =>
  samples.reduce((peak, sample) => Math.max(peak, Math.abs(sample)), 0);
const decibels = (level: number): number => 20 * Math.log10(level);

/**
 * The increase of high frequencies from each 1/100 s of the repeated loop to the next: hats and snares, not the bass.
 */
function onsets({ sampleRate, mono }: Sound): { rises: number[]; framesPerSecond: number } {
  const bright = mono.map((sample, n) => (sample - (mono.at(n - 1) ?? 0)) / 2);
  const frames = Math.round((mono.length / sampleRate) * 100);
  const energies = Array.from({ length: frames }, (_, n) =>
    rms(bright.subarray((n * bright.length) / frames, ((n + 1) * bright.length) / frames)),
  );
  const rises = energies.map((energy, n) => Math.max(0, energy - (energies.at(n - 1) ?? 0)));
  return { rises, framesPerSecond: (frames * sampleRate) / mono.length };
}

/** How well the loop's onsets match a pulse of this tempo, with any offset. */
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
    [74.99, 2],
    [75, 4],
    [127.994, 4],
    [149.9, 4],
    [174, 8],
    [299, 8],
  ])("at %s BPM is %s bars long, to the sample", (tempo, bars) => {
    const { sampleRate, mono } = decode(renderLoop(beat({ tempo })));
    expect(mono.length).toBe(Math.round((bars * 4 * 60 * sampleRate) / tempo));
  });

  test.each([
    [1, 32],
    [29, 58],
    [301, 150.5],
    [9999, 9999 / 64],
  ])("of a beat at %s BPM is played at %s, an octave of it", (tempo, played) => {
    expect(renderLoop(beat({ tempo })).equals(renderLoop(beat({ tempo: played })))).toBe(true);
  });

  test.each(genres.map(([name, tempo]) => [name, tempo + 1.3] as const))(
    "of %s at %s BPM has its onsets at that tempo",
    (genreName, tempo) => {
      const onsetsOfLoop = onsets(decode(renderLoop(beat({ tempo, genreName }))));
      const candidates = Array.from({ length: 401 }, (_, n) => tempo * (0.8 + n / 1000));
      const strengths = candidates.map((candidate) => pulseStrength(onsetsOfLoop, 4 * candidate));
      const tempoOfOnsets = candidates[strengths.indexOf(Math.max(...strengths))] ?? 0;
      expect(Math.abs(tempoOfOnsets / tempo - 1)).toBeLessThan(0.01);
    },
  );

  test.each(genreNames)("of %s has a level from -18 to -13 dB, and no seam", (genreName) => {
    const { left, right } = decode(renderLoop(beat({ genreName, tempo: 149, keyCode: 7 })));
    for (const channel of [left, right]) {
      expect(decibels(rms(channel))).toBeGreaterThan(-18);
      expect(decibels(rms(channel))).toBeLessThan(-13);
      expect(decibels(loudest(channel))).toBeLessThan(-0.9);
      expect(Math.abs(channel.reduce((sum, sample) => sum + sample, 0) / channel.length)).toBeLessThan(0.005);
      const steps = channel.map((sample, n) => Math.abs(sample - (channel.at(n - 1) ?? 0)));
      expect(steps[0]).toBeLessThan(0.5 * loudest(steps.subarray(1)));
    }
  });

  test("is never silent, clipped or larger than 2.9 MB, whatever the beat", () => {
    const anyBeat = fc.record({
      id: fc.nat(),
      tempo: fc.oneof(fc.double({ min: 1e-6, max: 9999.99, noNaN: true }), fc.integer({ min: 1, max: 9999 })),
      keyCode: fc.integer({ min: 0, max: 24 }),
      genreName: fc.oneof(fc.string(), fc.constantFrom(...genreNames)),
    });
    fc.assert(
      fc.property(anyBeat, (any) => {
        const file = renderLoop(any);
        expect(file.length).toBeLessThanOrEqual(2_900_000);
        const { left, right } = decode(file);
        expect(Math.min(loudest(left), loudest(right))).toBeGreaterThan(0.3);
        expect(Math.max(loudest(left), loudest(right))).toBeLessThan(0.9);
      }),
      { numRuns: 8 },
    );
  });

  test("is the same each time for the same beat, and differs for another beat", () => {
    expect(renderLoop(beat({})).equals(renderLoop(beat({})))).toBe(true);
    for (const other of [{ id: 2 }, { keyCode: 0 }, { tempo: 121 }, { genreName: "Techno" }])
      expect(renderLoop(beat({})).equals(renderLoop(beat(other)))).toBe(false);
  });

  test.each(Array.from({ length: 24 }, (_, keyCode) => keyCode))("in key %s sounds in that key", (keyCode) => {
    expect(keyHeard(decode(renderLoop(beat({ keyCode, genreName: "Pop", id: 2 }))))).toBe(keyCode);
  });

  test.each(genreNames)("of %s has mainly tones of the scale of its key", (genreName) => {
    const tones = tonesBeyondDrums(decode(renderLoop(beat({ genreName, keyCode: 13 }))));
    const scale = [4, 6, 7, 9, 11, 0, 2];
    const inside = scale.reduce((sum, tone) => sum + (tones[tone] ?? 0), 0);
    expect(tones.reduce((sum, energy) => sum + energy) - inside).toBeLessThan(0.25 * inside);
  });

  test("of a beat without a known key has only drums", () => {
    const [known, unknown] = [7, 24].map((keyCode) => tonesBeyondDrums(decode(renderLoop(beat({ keyCode })))));
    const sum = (tones: readonly number[] = []) => tones.reduce((total, energy) => total + energy);
    expect(sum(unknown)).toBeLessThan(0.2 * sum(known));
  });
});

describe("a genre", () => {
  test.each([
    ["hip-hop", "Boom Bap"],
    ["Trap Soul", "Trap"],
    ["Melodic Techno", "Techno"],
    ["dnb", "Drum & Bass"],
    ["RnB", "R&B"],
    ["K-Pop", "Pop"],
    ["Electronic", "House"],
    ["UK drill", "Drill"],
  ])("by the name of %s is played as %s", (name, style) => {
    expect(styleOf(name, 100)).toBe(styleOf(style, 100));
  });

  test.each([
    [90, "Boom Bap"],
    [110, "Pop"],
    [125, "House"],
    [145, "Trap"],
    [174, "Drum & Bass"],
  ])("without its own style is played at %s BPM in the usual style, %s", (tempo, style) => {
    expect(styleOf("Zeuhl", tempo)).toBe(styleOf(style, tempo));
  });

  test.each(genreNames)("%s has patterns of half a bar, one bar or two bars, with known strokes", (name) => {
    const { drums, bass, chords } = styleOf(name, 100);
    for (const pattern of [...Object.values(drums), bass.pattern, chords.pattern])
      expect([8, 16, 32]).toContain(pattern.length);
    for (const pattern of Object.values(drums)) expect(pattern).toMatch(/^[.xort]+$/);
    expect(bass.pattern).toMatch(/^[.158]+$/);
    expect(chords.pattern).toMatch(/^[.xo]+$/);
  });
});

/** The energy of each of the twelve tones from G3 to B5, a range in which the drums have little energy. */
function tonesBeyondDrums({ sampleRate, mono }: Sound, lowest = 55): number[] {
  const thinned = 8;
  const samples = new Float32Array(Math.floor(mono.length / thinned));
  for (let n = 0; n < samples.length * thinned; n++) {
    const index = Math.floor(n / thinned);
    samples[index] = (samples[index] ?? 0) + (mono[n] ?? 0) / thinned;
  }
  const rate = sampleRate / thinned;
  // Windows of half a second distinguish neighbouring semitones.
  const length = Math.round(rate / 2);
  const energies = new Array<number>(12).fill(0);
  for (let midi = lowest; midi < 84; midi++) {
    const turn = (2 * Math.PI * 440 * 2 ** ((midi - 69) / 12)) / rate;
    for (let start = 0; start + length <= samples.length; start += length) {
      let [x, y] = [0, 0];
      for (let n = 0; n < length; n++) {
        const sample = (samples[start + n] ?? 0) * (0.5 - 0.5 * Math.cos((2 * Math.PI * n) / length));
        x += sample * Math.cos(turn * n);
        y += sample * Math.sin(turn * n);
      }
      energies[midi % 12] = (energies[midi % 12] ?? 0) + x * x + y * y;
    }
  }
  return energies;
}

// The weight of each tone in a major and in a minor key (Krumhansl and Kessler 1982).
const profiles = [
  [6.35, 2.23, 3.48, 2.33, 4.38, 4.09, 2.52, 5.19, 2.39, 3.66, 2.29, 2.88],
  [6.33, 2.68, 3.52, 5.38, 2.6, 3.53, 2.54, 4.75, 3.98, 2.69, 3.34, 3.17],
];

/** The key whose profile a sound's tones resemble most, as a key code. */
function keyHeard(sound: Sound): number {
  const tones = tonesBeyondDrums(sound, 45).map(Math.sqrt);
  const codes = Array.from({ length: 24 }, (_, code) => code);
  const likeness = codes.map((code) => {
    const place = ((code % 12) * 7) % 12;
    const tonic = code < 12 ? place : (place + 9) % 12;
    return correlation(
      tones,
      tones.map((_, tone) => profiles[code < 12 ? 0 : 1]?.[(tone - tonic + 12) % 12] ?? 0),
    );
  });
  return likeness.indexOf(Math.max(...likeness));
}

function correlation(a: readonly number[], b: readonly number[]): number {
  const mean = (values: readonly number[]) => values.reduce((sum, value) => sum + value) / values.length;
  const meanA = mean(a);
  const meanB = mean(b);
  const product = (f: (n: number) => number) => a.reduce((sum, _, n) => sum + f(n), 0);
  const da = (n: number) => (a[n] ?? 0) - meanA;
  const db = (n: number) => (b[n] ?? 0) - meanB;
  return product((n) => da(n) * db(n)) / Math.sqrt(product((n) => da(n) ** 2) * product((n) => db(n) ** 2));
}
