import fc from "fast-check";
import { beforeEach, describe, expect, test } from "vitest";
import { testDatabase } from "../../../../test/harness/database/database.ts";
import { keepTotals } from "../../../../test/harness/database/search-totals.ts";
import { addSearchableBeats, type SearchableBeat } from "../../../../test/harness/database/searchable-beats.ts";
import { lookedAt, scansOf } from "../../../../test/harness/plans.ts";
import { type SearchRequest, search } from "../queries.ts";
import { SearchTotals } from "./totals.ts";

// Searches where totals are kept.

const database = await testDatabase();
const { query: db, driver } = database;

const truncate = () => driver`
  truncate beats, users, producer_counts, search_words, search_totals, search_uncounted restart identity cascade`;
beforeEach(async () => {
  await truncate();
});

const keep = (...words: string[]) => keepTotals(new SearchTotals(db, 1), ...words);

describe("the ranking", () => {
  const vocabulary = ["midnight", "midsummer", "thunder", "velvet", "gold", "ocean"];
  const texts = fc.array(fc.constantFrom(...vocabulary), { minLength: 1, maxLength: 3 }).map((each) => each.join(" "));
  const beat = fc.record({
    title: texts,
    by: fc.oneof(fc.constantFrom(...vocabulary), texts),
    plays: fc.nat(40),
    isListed: fc.integer({ min: 0, max: 9 }).map((n) => n > 0),
  });
  const catalogue = fc.array(beat, { minLength: 900, maxLength: 1_200, size: "max" });
  const asked = fc.record({
    q: fc.oneof(
      fc.constantFrom(...vocabulary, "mid", "thun", "v"),
      texts,
      texts.map((text) => text.slice(0, -2)),
    ),
    type: fc.constantFrom("all" as const, "beats" as const, "producers" as const),
    page: fc.integer({ min: 1, max: 4 }),
    limit: fc.integer({ min: 1, max: 50 }),
    cap: fc.constantFrom(40, 250, 10_000),
  });

  test("is that of a comparison of all with all, whether totals are kept or not, and while they change", async () => {
    await fc.assert(
      fc.asyncProperty(
        catalogue,
        fc.array(beat, { maxLength: 5 }),
        fc.array(asked, { minLength: 25, maxLength: 25 }),
        async (before, after, requests) => {
          await truncate();
          await addSearchableBeats(database, before);
          await driver`analyze beats, users`;
          await keep("midnight", "mid", "gold", "velvet");
          await addSearchableBeats(database, after);
          const rows = await everything();
          for (const { cap, ...request } of requests) {
            const result = await search(db, request, { cap });
            expect({ request, cap, ...result }).toEqual({ request, cap, ...reference(rows, request, cap) });
          }
        },
      ),
      { numRuns: 6, seed: 2026 },
    );
  }, 60_000);

  interface Row {
    isBeat: boolean;
    id: number;
    key: number;
    title: string;
    by: string;
  }

  const everything = async (): Promise<Row[]> => {
    const beats = await driver<SearchableBeat[]>`
      select true as "isBeat", beats.id, popularity_key as key, title, display_name as by
      from beats join users on users.id = user_id where is_listed`;
    const users = await driver`
      select false as "isBeat", id, popularity_key as key, display_name as title, '' as by
      from users join producer_counts on user_id = id where is_producer`;
    return [...beats, ...users] as unknown as Row[];
  };

  /** The rules of docs/decisions, implemented again, without an index or an optimization. No word is near another. */
  function reference(rows: Row[], { q, type, page, limit }: SearchRequest, cap: number) {
    const typed = q.split(" ");
    const whole = typed.join("");
    const wholeOf = (text: string) => text.replaceAll(" ", "");
    const has = (text: string) => {
      const words = text.split(" ");
      return (word: string, at: number) =>
        at === typed.length - 1 ? words.some((each) => each.startsWith(word)) : words.includes(word);
    };
    const greatest = (isBeat: boolean) =>
      Math.max(...rows.filter((row) => row.isBeat === isBeat).map(({ key }) => key));
    const most = { beat: Math.log(2 + greatest(true)), producer: Math.log(2 + greatest(false)) };
    const found = rows
      .filter(({ isBeat }) => type === "all" || isBeat === (type === "beats"))
      .filter(
        ({ title, by }) => typed.every(has(`${title} ${by}`)) || [title, by].some((text) => wholeOf(text) === whole),
      )
      .map(({ isBeat, id, key, title, by }) => ({
        isBeat,
        id,
        popularity: Math.log(1 + key) / (isBeat ? most.beat : most.producer),
        tier:
          wholeOf(title) === whole
            ? Number(isBeat)
            : wholeOf(title).startsWith(whole) || wholeOf(by) === whole
              ? 2
              : typed.every(has(title))
                ? 3
                : 4,
      }));
    const isTooMany = found.length > cap;
    const place = (tier: number) => (isTooMany && tier > 0 ? 9 : tier);
    const ranking = found.toSorted(
      (a, b) =>
        place(a.tier) - place(b.tier) ||
        b.popularity - a.popularity ||
        Number(a.isBeat) - Number(b.isBeat) ||
        b.id - a.id,
    );
    const hits = ranking.slice(0, cap).slice((page - 1) * limit, page * limit);
    return {
      total: Math.min(found.length, cap),
      hits: hits.map(({ isBeat, id }) => ({ kind: isBeat ? "beat" : "producer", id })),
    };
  }
});

describe("the rows that a search of a common word reads", () => {
  const request: SearchRequest = { q: "rain", type: "all", page: 1, limit: 20 };

  test.each([
    ["all of which are ranked", 10_000],
    ["too many to rank", 100],
  ])("are no more among ten times as many matches, %s", async (_, cap) => {
    await addSearchableBeats(
      database,
      Array.from({ length: 40 }, (_, n) => ({ title: "Rain", plays: n })),
    );
    await fill(900);
    await keep("rain");
    const few = await rowsRead(cap);
    await fill(8_100);
    await keep();
    const many = await rowsRead(cap);
    expect(few).toBeGreaterThan(0);
    expect(many).toBeLessThanOrEqual(1.5 * few);
    expect((await search(db, request)).total).toBe(4_540);
  });

  /** Half of them match. */
  const fill = async (count: number) => {
    await addSearchableBeats(
      database,
      Array.from({ length: count }, (_, n) => ({ title: n % 2 === 0 ? "Late Rain" : "Sun", plays: (n * 31) % 101 })),
    );
    await driver`vacuum analyze beats`;
  };

  /** Runs every statement of one search again under EXPLAIN ANALYZE, and adds up what was read of beats. */
  const rowsRead = async (cap: number): Promise<number> => {
    const statements: { sql: string; parameters: readonly unknown[] }[] = [];
    const listening = database.logged((statement) => statements.push(statement));
    expect((await search(listening, request, { cap })).hits).toHaveLength(20);
    return driver.begin(async (transaction) => {
      let rows = 0;
      await transaction`set local enable_seqscan = off`;
      for (const { sql: text, parameters } of statements.filter(({ sql: text }) => text.includes("search @@"))) {
        const [row] = await transaction.unsafe(`explain (analyze, format json) ${text}`, parameters);
        for (const scan of scansOf("beats", row?.["QUERY PLAN"][0].Plan)) rows += lookedAt(scan);
      }
      return rows;
    });
  };
});
