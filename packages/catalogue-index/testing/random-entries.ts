import fc from "fast-check";
import type { BeatEntry } from "../src/entry.ts";
import { type BeatFilters, facetNames, type ListQuery, type Range } from "../src/query.ts";

/** Values that collide often, so that ties, copies and shared words are frequent; with extreme values. */
const titles = ["Night Drive", "night-drive", "Nîght Drive", "Intro", "Untitled 7", "東京 Nights", "!!!", "A"];
const tags = ["lo-fi", "LoFi", "trap", "Träp", "guitar", "dark", "808", "?"];

/** Ids of beats: mostly small, so that beats change, leave and return; some beyond 32 bits. */
export const beatIds = (highest = 60): fc.Arbitrary<number> =>
  fc.oneof(
    { weight: 9, arbitrary: fc.integer({ min: 1, max: highest }) },
    { weight: 1, arbitrary: fc.integer({ min: 2 ** 32 - 2, max: 2 ** 32 + 3 }) },
    { weight: 1, arbitrary: fc.constantFrom(2 ** 40, 2 ** 40 + 2 ** 32, Number.MAX_SAFE_INTEGER) },
  );

/** Tempos with many ties, halves and doubles. */
export const tempos: fc.Arbitrary<number> = fc.oneof(
  fc.constantFrom(0.4, 60, 70, 90, 119.5, 120, 120.001, 139.999, 140, 140.5, 240, 9999.9),
  fc.integer({ min: 1, max: 300 }),
  fc.double({ min: 40, max: 250, noNaN: true }),
);

export const beatEntries = (ids: fc.Arbitrary<number> = beatIds()): fc.Arbitrary<BeatEntry> =>
  fc.record({
    id: ids,
    title: fc.constantFrom(...titles),
    tags: fc.array(fc.constantFrom(...tags), { maxLength: 3 }),
    producerId: fc.oneof(fc.integer({ min: 1, max: 4 }), fc.constant(2 ** 33)),
    genreId: fc.integer({ min: 1, max: 4 }),
    tempo: tempos,
    keyCode: fc.integer({ min: 0, max: 24 }),
    priceCents: fc.oneof(fc.constantFrom(0, 1, 999, 1000, 2 ** 31 - 1), fc.integer({ min: 1_000, max: 5_000 })),
    durationSeconds: fc.oneof(fc.constantFrom(0, 180, 181), fc.integer({ min: 1, max: 600 })),
    createdAtMicroseconds: fc.oneof(
      fc.constantFrom(-1.5e15, 0, 1.7e15, 1.7e15 + 1),
      fc.integer({ min: 1_700_000_000_000_000, max: 1_700_000_000_000_100 }),
    ),
    popularityKey: fc.oneof(fc.constantFrom(0, 1, 128, 2 ** 40), fc.integer({ min: 0, max: 500 })),
    availableLicenses: fc.integer({ min: 0, max: 15 }),
  });

const range = (values: fc.Arbitrary<number>): fc.Arbitrary<Range> =>
  fc.record({ min: fc.option(values, { nil: undefined }), max: fc.option(values, { nil: undefined }) });

const maybe = <T>(values: fc.Arbitrary<T>): fc.Arbitrary<T | undefined> =>
  fc.option(values, { nil: undefined, freq: 2 });

/** Filters of values that entries have, and of some that no entry has. */
const beatFilters: fc.Arbitrary<BeatFilters> = fc.record({
  genres: maybe(fc.array(fc.integer({ min: 0, max: 5 }), { maxLength: 3 })),
  producers: maybe(fc.array(fc.constantFrom(1, 2, 3, 4, 5, 2 ** 33), { maxLength: 3 })),
  keys: maybe(fc.array(fc.integer({ min: 0, max: 24 }), { minLength: 3, maxLength: 20 })),
  tags: maybe(fc.array(fc.constantFrom("LO FI", "trap", "dark", "absent", "!?"), { maxLength: 2 })),
  bpm: maybe(fc.array(range(fc.oneof(fc.integer({ min: 0, max: 300 }), fc.constant(120.5))), { maxLength: 3 })),
  priceCents: maybe(range(fc.oneof(fc.integer({ min: 0, max: 5_000 }), fc.constant(1_000)))),
  durationSeconds: maybe(range(fc.integer({ min: 0, max: 600 }))),
  createdAtMicroseconds: maybe(range(fc.constantFrom(-2e15, 0, 1.7e15, 1_700_000_000_000_050, 2e15))),
  availableLicenses: maybe(fc.integer({ min: 1, max: 15 })),
});

const anyListQueries: fc.Arbitrary<ListQuery> = fc.record({
  // Few filters together, so that some beats pass.
  filters: fc
    .tuple(beatFilters, fc.integer({ min: 0, max: 511 }))
    .map(([filters, kept]) =>
      Object.fromEntries(Object.entries(filters).filter((_, index) => ((kept & (kept >> 1)) >> index) % 2 === 1)),
    ),
  sort: fc.constantFrom("newest", "popular", "price_asc", "price_desc", "bpm_asc", "bpm_desc"),
  offset: fc.oneof(fc.constantFrom(0, 0, 1), fc.integer({ min: 0, max: 80 }), fc.integer({ min: 0, max: 4_000 })),
  limit: fc.constantFrom(1, 5, 20, 100),
  seek: maybe(
    fc.record({
      direction: fc.constantFrom("forward", "backward"),
      key: fc.oneof(fc.integer({ min: 0, max: 5_000 }), fc.constantFrom(0, 120, 1_000, 1.7e15, 2 ** 31 - 1)),
      id: beatIds(),
    }),
  ),
  facets: maybe(fc.subarray([...facetNames])),
});

/** No beat has a shown tempo below 1 bpm, so no page ends below that. */
export const listQueries = anyListQueries.map((query) =>
  query.seek !== undefined && query.sort.startsWith("bpm")
    ? { ...query, seek: { ...query.seek, key: Math.max(1, query.seek.key) } }
    : query,
);
