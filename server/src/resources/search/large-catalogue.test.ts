import { beforeAll, describe, expect, test } from "vitest";
import { testDatabase } from "../../../test/harness/database/database.ts";
import { inventedCatalogue } from "../../../test/harness/database/invented-catalogue.ts";
import { addSearchableBeats } from "../../../test/harness/database/searchable-beats.ts";
import { search } from "./queries.ts";

const letters = "aeioutnsrl";

/** One mistake in the longest word, at a place and of a kind that its number decides. */
function misspelt(name: string, number: number): string {
  const word = name.split(/[^\p{L}]+/u).reduce((longest, next) => (next.length > longest.length ? next : longest));
  const at = 1 + (number % (word.length - 2));
  const [before, here, after] = [word.slice(0, at), word.slice(at, at + 1), word.slice(at + 1)];
  const letter = letters[number % letters.length] ?? "";
  const mistakes = [
    before + after,
    before + letter + here + after,
    before + letter + after,
    before + after.slice(0, 1) + here + after.slice(1),
  ];
  return name.replace(word, mistakes[number % mistakes.length] ?? "");
}

describe("on a catalogue of 15,000 beats with words as frequent as in real ones", async () => {
  const database = await testDatabase();
  const { query: db, driver } = database;

  beforeAll(async () => {
    await addSearchableBeats(database, inventedCatalogue(15_000, 7));
    await driver`analyze`;
  }, 120_000);

  const wellKnown = () => driver<{ id: number; name: string }[]>`
    select id, display_name as name from users join producer_counts on user_id = id
    where display_name ~ '[[:alpha:]]{5}' order by popularity_key desc limit 60`;

  const first = async (q: string) => (await search(db, { q, type: "all", page: 1, limit: 20 })).hits;

  test("the name of an artist leads to the artist", async () => {
    for (const { id, name } of await wellKnown())
      expect([name, (await first(name))[0]]).toEqual([name, { kind: "producer", id }]);
  }, 120_000);

  test("a misspelt name finds the artist on the first page", async () => {
    const lost: string[] = [];
    for (const [at, { id, name }] of (await wellKnown()).entries())
      for (const number of [at, at + 1, at + 2, at + 3]) {
        const q = misspelt(name, number);
        if (!(await first(q)).some((hit) => hit.kind === "producer" && hit.id === id)) lost.push(`${name} as ${q}`);
      }
    expect(lost).toEqual([]);
  }, 120_000);
});
