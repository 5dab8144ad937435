import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { PlainEngine } from "../../testing/plain-engine.ts";
import { beatEntries, beatIds, listQueries, tempos } from "../../testing/random-entries.ts";
import { traitsOf } from "../../testing/traits.ts";
import { type BeatEntry, noChange } from "../entry.ts";
import { facetNames, type ListQuery, type SimilarQuery } from "../query.ts";
import type { Thresholds } from "./beats.ts";
import type { Engine, SavedArrays } from "./engine.ts";
import { openEngine } from "./open-engine.ts";

const seed = 20261122;

/** Beats are added, changed or removed, together or one by one; then perhaps merged, or saved and opened again. */
const steps = (most: number) =>
  fc.array(
    fc.record({
      beats: fc.array(beatEntries(), { maxLength: most, size: "max" }),
      goneBeats: fc.array(beatIds(), { maxLength: 10 }),
      isOneByOne: fc.boolean(),
      next: fc.constantFrom("query", "query", "compact", "restore"),
    }),
    { minLength: 1, maxLength: 6 },
  );

const similarQueries: fc.Arbitrary<SimilarQuery> = fc.record({
  own: beatEntries().map(traitsOf),
  limit: fc.constantFrom(0, 1, 3, 5, 20),
});

/** Copies the arrays, as if they were read from a file. */
const reread = (saved: SavedArrays): SavedArrays =>
  Object.fromEntries(Object.entries(saved).map(([name, array]) => [name, array.slice()]));

function expectSame(real: Engine, plain: PlainEngine, lists: ListQuery[], similar: SimilarQuery[]): void {
  expect(real.beats).toBe(plain.beats);
  for (const query of lists) expect(real.list(query), JSON.stringify(query)).toEqual(plain.list(query));
  for (const query of similar) expect(real.similar(query), JSON.stringify(query)).toEqual(plain.similar(query));
}

const thresholds: [string, Thresholds][] = [
  ["at once", { orders: { least: 0, share: 0 }, postings: { few: 0, many: 0 } }],
  ["now and then", { orders: { least: 6, share: 0.1 }, postings: { few: 5, many: 20 } }],
  ["never", { orders: { least: 10_000, share: 1 }, postings: { few: 10_000, many: 10_000 } }],
];

test.each(thresholds)(
  "an index that merges its changes %s gives the same results as a visit to every beat",
  (_, limits) => {
    fc.assert(
      fc.property(
        steps(60),
        fc.array(listQueries, { minLength: 12, maxLength: 12 }),
        fc.array(similarQueries, { minLength: 6, maxLength: 6 }),
        (all, lists, similar) => {
          const plain = new PlainEngine();
          let real = openEngine(undefined, limits);
          for (const { beats, goneBeats, isOneByOne, next } of all) {
            const removedIds = goneBeats.filter((id) => !beats.some((beat) => beat.id === id));
            const completeChange = { ...noChange, beats, goneBeats: removedIds };
            plain.apply(completeChange);
            if (isOneByOne) {
              for (const beat of beats) real.apply({ ...noChange, beats: [beat] });
              real.list({ filters: {}, sort: "newest", offset: 0, limit: 1 });
              for (const id of removedIds) real.apply({ ...noChange, goneBeats: [id] });
            } else real.apply(completeChange);
            if (next === "compact") real.compact();
            if (next === "restore") real = openEngine(reread(real.save()), limits);
            expectSame(real, plain, lists, similar);
            for (const { id } of beats) expect(real.producerOf(id)).toBe(plain.producerOf(id));
          }
        },
      ),
      { seed, numRuns: 20 },
    );
  },
);

test("applying a change twice has the effect of applying it once", () => {
  fc.assert(
    fc.property(fc.array(beatEntries(), { maxLength: 40 }), fc.array(listQueries, { maxLength: 5 }), (beats, lists) => {
      const unique = beats.filter(({ id }, index) => beats.findLastIndex((other) => other.id === id) === index);
      const real = openEngine();
      real.apply({ ...noChange, beats: unique });
      const before = lists.map((query) => real.list(query));
      const saved = reread(real.save());
      real.apply({ ...noChange, beats: unique, goneBeats: [-1], goneProducers: [-1], goneGenres: [-1] });
      expect(lists.map((query) => real.list(query))).toEqual(before);
      expect(reread(real.save())).toEqual(saved);
    }),
    { seed, numRuns: 20 },
  );
});

describe("with 3,000 beats", () => {
  const beats = fc
    .sample(beatEntries(fc.constant(0)), { seed, numRuns: 3_000 })
    .map((beat, index) => ({ ...beat, id: index % 2 === 0 ? 10_000 - index : index + 2 ** 33 }));
  const plain = new PlainEngine();
  const real = openEngine();
  plain.apply({ ...noChange, beats });
  for (let start = 0; start < beats.length; start += 700)
    real.apply({ ...noChange, beats: beats.slice(start, start + 700) });

  test("every page, total, facet and similar beat is exact", () => {
    const similar = fc.sample(similarQueries, { seed, numRuns: 12 });
    expectSame(real, plain, fc.sample(listQueries, { seed, numRuns: 25 }), similar);
    while (real.compact());
    expectSame(real, plain, fc.sample(listQueries, { seed: seed + 1, numRuns: 25 }), similar);
  });

  test("walking page by page from either end by the last beat's key visits every match once", () => {
    const filters = { keys: [0, 1, 2, 3, 4, 5], availableLicenses: 4 } as const;
    const expected = plain.list({ filters, sort: "bpm_asc", offset: 0, limit: 5_000 }).ids;
    const byId = new Map(beats.map((beat) => [beat.id, beat]));
    for (const direction of ["forward", "backward"] as const) {
      const walked: number[] = [];
      let seek = { direction, key: direction === "forward" ? -1 : 1e6, id: 0 };
      for (;;) {
        const { ids } = real.list({ filters, sort: "bpm_asc", offset: 0, limit: 50, seek });
        walked.push(...ids.slice(0, 50));
        if (ids.length <= 50) break;
        const id = walked.at(-1) as number;
        seek = { direction, key: Math.max(1, Math.round((byId.get(id) as BeatEntry).tempo)), id };
      }
      expect(direction === "forward" ? walked : walked.reverse()).toEqual(expected);
    }
  });
});

test("facets of an empty selection are empty", () => {
  const query: ListQuery = { filters: { genres: [404] }, sort: "newest", offset: 0, limit: 5, facets: facetNames };
  const { ids, total, facets } = openEngine().list(query);
  expect({ ids, total, facets }).toEqual({
    ids: [],
    total: 0,
    facets: { genre: [], key: [], bpm: [], price: [], tag: [] },
  });
});

describe("similar beats", () => {
  test("are found among many of one genre, key and tempo, without copies of one another", () => {
    const alike = fc.record({
      id: fc.integer({ min: 1, max: 1e6 }),
      title: fc.constantFrom("One", "Two", "Three", "Four", "Five", "Six"),
      tags: fc.constant([]),
      producerId: fc.integer({ min: 1, max: 5 }),
      genreId: fc.constant(1),
      tempo: fc.oneof({ weight: 4, arbitrary: fc.constant(120) }, tempos),
      keyCode: fc.constantFrom(0, 24),
      priceCents: fc.constant(100),
      durationSeconds: fc.constantFrom(0, 179, 180, 181, 200),
      createdAtMicroseconds: fc.constant(0),
      popularityKey: fc.constantFrom(0, 0, 1, 100, 101, 5_000),
      availableLicenses: fc.constantFrom(1, 8, 15),
    });
    fc.assert(
      fc.property(
        fc.uniqueArray(alike, { selector: ({ id }) => id, maxLength: 250, size: "max" }),
        fc.nat(20),
        (beats, limit) => {
          const plain = new PlainEngine();
          const real = openEngine();
          plain.apply({ ...noChange, beats });
          real.apply({ ...noChange, beats });
          const queries = beats.slice(0, 8).map((beat) => ({ own: { ...traitsOf(beat), title: beat.title }, limit }));
          expectSame(real, plain, [], queries);
        },
      ),
      { seed, numRuns: 40 },
    );
  });

  test("to a beat of a producer with 1,350 beats are the same as after a visit to every beat", () => {
    const beats = fc.sample(beatEntries(fc.constant(0)), { seed: 3, numRuns: 1_500 }).map((beat, index) => ({
      ...beat,
      id: index + 1,
      producerId: index % 10 === 0 ? 2 : 1,
      title: `Title ${index % 700}`,
    }));
    const plain = new PlainEngine();
    const real = openEngine();
    plain.apply({ ...noChange, beats });
    real.apply({ ...noChange, beats });
    expectSame(
      real,
      plain,
      [],
      beats.slice(0, 30).map((beat) => ({ own: { ...traitsOf(beat), title: beat.title }, limit: 5 })),
    );
  });
});
