import fc from "fast-check";
import { expect, test } from "vitest";
import { testDatabase } from "../../../test/harness/database/database.ts";
import { addSearchableBeats } from "../../../test/harness/database/searchable-beats.ts";
import { readQuery } from "../../text/search-words.ts";
import { lookupOf } from "./rules.ts";
import { countAndRank, type Kind, rankExactNames } from "./statements.ts";

const database = await testDatabase();
const { query: db, driver } = database;

const vocabulary = ["thunder", "thunders", "thundery", "thunnder", "thinner", "under", "rain"];
const text = fc.array(fc.constantFrom(...vocabulary), { minLength: 1, maxLength: 2 }).map((words) => words.join(" "));
const catalogue = fc.array(fc.record({ title: text, by: text, plays: fc.nat(30) }), {
  minLength: 60,
  maxLength: 150,
  size: "max",
});
const asked = fc.record({
  q: fc.oneof(text, fc.constantFrom("thun", "under r", "th", "rain thunder", "underr", "raint", "thunderth")),
  kinds: fc.constantFrom<readonly Kind[]>(["beats"], ["producers"], ["beats", "producers"]),
  offset: fc.nat(15),
  limit: fc.integer({ min: 1, max: 20 }),
});

test("what the words name, when that fills a page, is the page of all that matches", async () => {
  let compared = 0;
  await fc.assert(
    fc.asyncProperty(catalogue, fc.array(asked, { minLength: 20, maxLength: 20 }), async (beats, requests) => {
      await driver`truncate beats, users, producer_counts, search_words restart identity cascade`;
      await addSearchableBeats(database, beats);
      for (const { q, ...wanted } of requests) {
        const lookup = lookupOf(readQuery(q));
        if (lookup === undefined) throw new Error(`${q} has no words`);
        const named = await rankExactNames(db, { ...wanted, lookup });
        if (named === undefined) continue;
        compared++;
        const { hits } = await countAndRank(db, { ...wanted, lookup }, 10_000);
        expect({ q, ...wanted, hits: named }).toEqual({ q, ...wanted, hits });
      }
    }),
    { numRuns: 8, seed: 2026 },
  );
  expect(compared).toBeGreaterThan(20);
}, 60_000);
