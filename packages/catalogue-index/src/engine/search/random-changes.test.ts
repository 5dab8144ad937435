import { readQuery } from "@beatmarket/foundation/text/search-words.ts";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { plainSearch } from "../../../testing/plain-search.ts";
import { Searchable } from "../../../testing/searchable.ts";
import type { BeatEntry, CatalogueChange, GenreEntry, ProducerEntry } from "../../entry.ts";
import { openEngine } from "../open-engine.ts";

// Words that are more than two edits apart, but some with the same beginning.
const words = ["midnight", "mid", "harbour", "guitar", "guitarist", "xylophone", "Zürich", "東京都の夜", "9"];
const text = fc.array(fc.constantFrom(...words), { minLength: 1, maxLength: 3 }).map((some) => some.join(" "));
const popularityKey = fc.integer({ min: 0, max: 40 });
const id = fc.integer({ min: 1, max: 25 });
const few = fc.integer({ min: 1, max: 5 });

const beat: fc.Arbitrary<BeatEntry> = fc.record({
  id,
  title: text,
  tags: fc.array(text, { maxLength: 2 }),
  producerId: few,
  genreId: few,
  popularityKey,
  tempo: fc.constant(120),
  keyCode: fc.constant(24),
  priceCents: fc.constant(1_000),
  durationSeconds: fc.constant(180),
  createdAtMicroseconds: fc.constant(0),
  availableLicenses: fc.constantFrom(1, 8, 15),
});

const change: fc.Arbitrary<CatalogueChange> = fc.record({
  beats: fc.uniqueArray(beat, { maxLength: 12, selector: (one) => one.id }),
  goneBeats: fc.array(id, { maxLength: 3 }),
  producers: fc.uniqueArray(fc.record({ id: few, name: text, popularityKey }), {
    maxLength: 4,
    selector: (one) => one.id,
  }),
  goneProducers: fc.array(few, { maxLength: 1 }),
  genres: fc.uniqueArray(fc.record({ id: few, name: text }), { maxLength: 2, selector: (one) => one.id }),
  goneGenres: fc.constant([]),
});

const searchText = fc.oneof(text, fc.constantFrom("mi", "harbour gui", "guit", "mid night", "x", "zurich 9"));

test("after any changes, an uncorrected search returns the same hits in the same order as a scan of all beats and producers", () => {
  let compared = 0;
  fc.assert(
    fc.property(
      fc.array(change, { minLength: 1, maxLength: 6 }),
      fc.array(searchText, { minLength: 8 }),
      (changes, texts) => {
        let engine = openEngine();
        const beats = new Map<number, BeatEntry>();
        const producers = new Map<number, ProducerEntry>();
        const genres = new Map<number, GenreEntry>();
        for (const [index, each] of changes.entries()) {
          engine.apply(each);
          for (const one of each.beats) beats.set(one.id, one);
          for (const producer of each.producers) producers.set(producer.id, producer);
          for (const genre of each.genres) genres.set(genre.id, genre);
          for (const gone of each.goneBeats) beats.delete(gone);
          for (const gone of each.goneProducers) producers.delete(gone);
          // Sometimes the state becomes the base, so that later changes are applied to a base.
          if (index % 2 === 1) engine = openEngine(structuredClone(engine.save()));
          for (const typed of texts) {
            const expected = plainSearch(typed, Array.from(beats.values()), producers, genres);
            if (expected.length === 0) continue;
            compared++;
            const { hits, totals } = engine.search({
              text: typed,
              kinds: ["beats", "producers"],
              interpret: true,
              filters: {},
              offset: 0,
              limit: 100,
            });
            expect({ typed, hits, total: totals.beats + totals.producers }).toEqual({
              typed,
              hits: expected,
              total: expected.length,
            });
          }
        }
      },
    ),
    { numRuns: 40, seed: 2026 },
  );
  expect(compared).toBeGreaterThan(300);
});

describe("any text", () => {
  const any = fc.oneof(
    fc.string({ unit: "grapheme", maxLength: 40 }),
    fc.string({ unit: fc.constantFrom(..."abcé1٣-'./& $!+東京らラไท🔥ж한\ud800\u0000"), maxLength: 40 }),
  );

  test("finds the title and the name from which it was copied", () => {
    fc.assert(
      fc.property(any, (copied) => {
        fc.pre(readQuery(copied).some(({ kind }) => kind !== "ampersand"));
        const index = new Searchable().add({ title: copied, by: copied }, { title: "Other", by: "Another" });
        const hits = index.result(copied, { interpret: false }).hits.map(({ kind, id }) => `${kind} ${id}`);
        expect(hits).toContain("beat 1");
        expect(hits).toContain(`producer ${index.idOf(copied)}`);
      }),
      { numRuns: 200, seed: 2026 },
    );
  });

  test("never fails, and finds nothing if it has no words", () => {
    const index = new Searchable().add({ title: "Dusk", by: "Nightowl", tags: ["140 bpm"] });
    fc.assert(
      fc.property(any, (typed) => {
        const { totals } = index.result(typed);
        if (readQuery(typed).every(({ kind }) => kind === "ampersand"))
          expect(totals).toEqual({ beats: 0, producers: 0 });
      }),
      { numRuns: 200, seed: 2026 },
    );
  });
});
