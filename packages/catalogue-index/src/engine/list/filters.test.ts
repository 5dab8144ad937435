import { seededRandom } from "@beatmarket/foundation/seeded-random.ts";
import { expect, test } from "vitest";
import { PlainEngine } from "../../../testing/plain-engine.ts";
import { type BeatEntry, type CatalogueChange, noChange } from "../../entry.ts";
import { type BeatFilters, type BeatSort, facetNames, type ListQuery } from "../../query.ts";
import { openEngine } from "../open-engine.ts";

const random = seededRandom(20261130);
const below = (end: number): number => Math.floor(random() * end);
const sorts: readonly BeatSort[] = ["newest", "popular", "price_asc", "price_desc", "bpm_asc", "bpm_desc"];
/** So many that a filter can have few beats, several thousand, or most. */
const beatCount = 24_000;

const beatOf = (id: number): BeatEntry => ({
  id,
  title: "",
  tags: random() < 0.1 ? ["dark"] : [],
  producerId: 1 + below(1 + below(500)),
  genreId: 1 + below(1 + below(40)),
  tempo: 60 + below(1_000) / 8,
  keyCode: below(1 + below(25)),
  priceCents: 999 + 100 * below(60),
  durationSeconds: 60 + below(300),
  createdAtMicroseconds: 1.7e15 + below(5_000) * 1_000,
  popularityKey: below(300),
  availableLicenses: random() < 0.8 ? 15 : below(16),
});

const rangeOf = (lowest: number, width: number) => {
  const min = lowest + random() * width;
  return { min, max: min + (random() < 0.3 ? random() * width * 0.02 : random() * width) };
};

function filtersOf(): BeatFilters {
  const filters: BeatFilters = {
    genres: [1 + below(40), 1 + below(45)].slice(below(2)),
    producers: [1 + below(500), 1 + below(3)].slice(below(2)),
    keys: Array.from({ length: 1 + below(6) }, () => below(25)),
    bpm: random() < 0.5 ? [rangeOf(60, 130)] : [rangeOf(60, 40), rangeOf(70, 60), { min: 90, max: 80 }],
    priceCents: rangeOf(500, 6_500),
    durationSeconds: rangeOf(40, 350),
    createdAtMicroseconds: { min: 1.7e15 + below(5_000) * 1_000 },
    availableLicenses: 1 << below(4),
    tags: ["dark"],
  };
  return Object.fromEntries(
    Object.entries(filters)
      .filter(([name]) => name !== "tags" || random() < 0.2)
      .sort(() => random() - 0.5)
      .slice(0, 1 + below(4)),
  );
}

const queryOf = (_: unknown, index: number): ListQuery => ({
  filters: filtersOf(),
  sort: sorts[below(sorts.length)] as BeatSort,
  offset: index % 3 === 0 ? below(3_000) : below(60),
  limit: 20,
  ...(index % 8 === 0 && { facets: facetNames }),
});

test("totals, facets and pages of any filters equal those of a visit to every beat, before and after changes", () => {
  const [plain, real] = [new PlainEngine(), openEngine()];
  const apply = (part: CatalogueChange) => [plain, real].map((engine) => engine.apply(part));
  const expectSame = (): void => {
    for (const query of Array.from({ length: 40 }, queryOf)) {
      const expected = plain.list(query);
      expect(real.list(query), JSON.stringify(query)).toEqual(expected);
      const [last, key] = [expected.ids.at(-1), expected.keys.at(-1)];
      if (last === undefined || key === undefined || query.facets !== undefined) continue;
      const seek = { id: last, key, direction: random() < 0.5 ? "forward" : "backward" } as const;
      expect(real.list({ ...query, seek }), JSON.stringify({ ...query, seek })).toEqual(plain.list({ ...query, seek }));
    }
  };
  apply({ ...noChange, beats: Array.from({ length: beatCount }, (_, index) => beatOf(index + 1)) });
  expectSame();
  const changed = new Set(Array.from({ length: 2_500 }, () => 1 + below(beatCount + 1_000)));
  const gone = Array.from({ length: 1_500 }, () => 1 + below(beatCount)).filter((id) => !changed.has(id));
  apply({ ...noChange, beats: Array.from(changed, beatOf), goneBeats: gone });
  expectSame();
  while (real.compact());
  expectSame();
});
