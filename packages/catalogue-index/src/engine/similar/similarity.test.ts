import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { bySimilarity, foldTempo, keyRelation, neighbourhoods, similarity, type Traits } from "./similarity.ts";

const cMajor = 0;
const gMajor = 1;
const dMajor = 2;
const fMajor = 11;
const aMinor = 12;
const eMinor = 13;
const dMinor = 23;
const unknown = 24;

const beat = (traits: Partial<Traits>): Traits => ({
  id: 1,
  user_id: 1,
  genre_id: 1,
  key_code: cMajor,
  tempo: 120,
  popularity_key: 1000,
  duration_seconds: 180,
  ...traits,
});

const score = (own: Partial<Traits>, other: Partial<Traits>): number =>
  similarity(beat(own), beat({ id: 2, ...other }))?.score ?? Number.NaN;

const anyBeat = fc.record({
  id: fc.integer({ min: 1, max: 1e6 }),
  user_id: fc.integer({ min: 1, max: 3 }),
  genre_id: fc.integer({ min: 1, max: 3 }),
  key_code: fc.integer({ min: 0, max: 24 }),
  tempo: fc.double({ min: 1, max: 9999, noNaN: true }),
  popularity_key: fc.nat(1e9),
  duration_seconds: fc.nat(1e4),
});

describe("the score", () => {
  test("is 1 for a beat with equal traits, also an octave away", () => {
    const perfect = { score: 1, bpm_difference_percent: 0, key_relation: "same", same_genre: true };
    expect(similarity(beat({}), beat({ id: 2 }))).toEqual({ ...perfect, tempo_ratio: 1 });
    expect(similarity(beat({}), beat({ id: 2, tempo: 240 }))).toEqual({ ...perfect, tempo_ratio: 2 });
  });

  test("is below 1 if any trait differs, however little, or the length is unknown", () => {
    expect(score({}, { tempo: 120.001 })).toBe(0.9999);
    expect(score({ popularity_key: 1e9 }, { popularity_key: 1e9 + 1 })).toBe(0.9999);
    expect(score({ duration_seconds: 0 }, { duration_seconds: 0 })).toBe(0.985);
  });

  // The figures of docs/similarity.md.
  test.each([
    ["another genre", { genre_id: 2 }, 0.6],
    ["4 % faster", { tempo: 124.8 }, 0.85],
    ["8.16 % faster", { tempo: 120 * 1.04 ** 2 }, 0.775],
    ["the relative key", { key_code: aMinor }, 0.95],
    ["an adjacent key", { key_code: gMajor }, 0.9],
    ["an unrelated key", { key_code: dMajor }, 0.8],
    ["an unknown key", { key_code: unknown }, 0.8],
    ["another producer", { user_id: 2 }, 0.96],
    ["half as widely heard", { popularity_key: 499.5 }, 0.985],
    ["half as long", { duration_seconds: 90 }, 0.985],
    ["unknown length", { duration_seconds: 0 }, 0.985],
  ])("of a beat that differs only by %s is as documented", (_, difference, expected) => {
    expect(score({}, difference)).toBe(expected);
    expect(score(difference, {})).toBe(expected);
  });

  test("is between 0 and 1, and symmetric", () => {
    fc.assert(
      fc.property(anyBeat, anyBeat, (a, b) => {
        const there = similarity(a, b);
        const back = similarity(b, a);
        expect(there?.score).toBe(back?.score);
        expect(there?.score ?? 0).toBeGreaterThanOrEqual(0);
        expect(there?.score ?? 0).toBeLessThanOrEqual(1);
      }),
    );
  });

  test("orders best first, then by id", () => {
    const hits = [
      [7, 0.5],
      [3, 0.9],
      [2, 0.5],
    ].map(([id = 0, value = 0]) => ({ id, similarity: { ...similarity(beat({}), beat({})), score: value } }));
    expect(hits.sort(bySimilarity as never).map(({ id }) => id)).toEqual([3, 2, 7]);
  });
});

describe("tempi", () => {
  test.each([
    [60, 120, 2, 0],
    [120, 60, 0.5, 0],
    [120, 120, 1, 0],
    [140, 72, 0.5, 2.86],
    [72, 140, 2, 2.78],
    [100, 97.5, 1, 2.5],
    [128, 128.002, 1, 0],
    [100, 141, 1, 41],
    [100, 142, 2, 29],
  ])("of %s and %s meet in ratio %s, %s %% apart", (own, other, ratio, percent) => {
    expect(similarity(beat({ tempo: own }), beat({ tempo: other }))).toMatchObject({
      tempo_ratio: ratio,
      bpm_difference_percent: percent,
    });
  });

  test.each([
    [60, 240],
    [240, 60],
    [60, 170],
    [1, 9999],
  ])("of %s and %s are too far apart for any of the three ratios", (own, other) => {
    expect(similarity(beat({ tempo: own }), beat({ tempo: other }))).toBeNull();
  });

  test("match or fail to match symmetrically, and are never more than half an octave apart", () => {
    const tempo = fc.oneof(
      fc.double({ min: 1e-3, max: 9999, noNaN: true }),
      fc.integer({ min: -8, max: 8 }).map((halves) => 100 * 2 ** (halves / 2)),
    );
    fc.assert(
      fc.property(tempo, tempo, (a, b) => {
        const there = foldTempo(a, b);
        const back = foldTempo(b, a);
        expect(there === null).toBe(back === null);
        expect((there?.ratio ?? 1) * (back?.ratio ?? 1)).toBe(1);
        expect(there?.octavesApart ?? 0).toBeCloseTo(back?.octavesApart ?? 0, 9);
        expect(there?.octavesApart ?? 0).toBeLessThanOrEqual(0.5);
      }),
    );
  });
});

describe("keys", () => {
  test.each([
    [cMajor, cMajor, "same"],
    [cMajor, aMinor, "relative"],
    [cMajor, gMajor, "adjacent"],
    [cMajor, fMajor, "adjacent"],
    [aMinor, eMinor, "adjacent"],
    [aMinor, dMinor, "adjacent"],
    [cMajor, dMajor, "other"],
    [cMajor, eMinor, "other"],
    [fMajor, aMinor, "other"],
    [cMajor, unknown, "other"],
    [unknown, unknown, "other"],
  ])("%s and %s are %s", (a, b, relation) => {
    expect(keyRelation(a, b)).toBe(relation);
    expect(keyRelation(b, a)).toBe(relation);
  });
});

describe("neighbourhoods", () => {
  const codes = Array.from({ length: 25 }, (_, code) => code);

  test.each(codes)("of key %s have every key once within the genre and once outside it, best first", (key_code) => {
    const neighbourhoodsOfKey = neighbourhoods({ key_code }, true);
    for (const sameGenre of [true, false]) {
      const keys = neighbourhoodsOfKey.filter((one) => one.sameGenre === sameGenre).flatMap(({ keyCodes }) => keyCodes);
      expect(keys.toSorted((a, b) => a - b)).toEqual(codes);
    }
    expect(neighbourhoodsOfKey).toEqual(neighbourhoodsOfKey.toSorted((a, b) => b.best - a.best));
  });

  test("contain no beat that scores higher than their bound", () => {
    fc.assert(
      fc.property(anyBeat, anyBeat, (own, other) => {
        const compared = similarity(own, other);
        if (compared === null) return;
        const [home] = neighbourhoods(own, own.user_id === other.user_id).filter(
          ({ sameGenre, keyCodes }) => sameGenre === compared.same_genre && keyCodes.includes(other.key_code),
        );
        expect(compared.score).toBeLessThanOrEqual(home?.best ?? 0);
      }),
    );
  });
});
