import fc from "fast-check";
import { Kysely, sql } from "kysely";
import { PostgresJSDialect } from "kysely-postgres-js";
import type { Sql, TransactionSql } from "postgres";
import { beforeEach, describe, expect, test } from "vitest";
import { testDatabase } from "../../../test/database.ts";
import { addSearchableBeats, type SearchableBeat } from "../../../test/searchable-beats.ts";
import type { Queryable } from "../../database/connect.ts";
import type { Tables } from "../../database/tables.ts";
import { readQuery, searchVector } from "../../search-words.ts";
import { renameProducerOfBeats } from "../beats/producer-name.ts";
import { type SearchRequest, search } from "./queries.ts";
import { lookupOf } from "./rules.ts";
import { type CommonWord, keptTotal, SearchTotals } from "./totals.ts";

const database = await testDatabase();
const { query: db, driver } = database;
let totals: SearchTotals;

beforeEach(async () => {
  await driver`
    truncate beats, users, producer_counts, search_words, search_totals, search_uncounted restart identity cascade`;
  totals = new SearchTotals(db, 1);
});

const common = (word: string): CommonWord => ({ word, found: lookupOf(readQuery(word))?.found ?? "" });

/** Keeps the totals of words. Nothing else may be writing. */
async function keep(...words: string[]): Promise<void> {
  for (const word of words) totals.want(common(word));
  for (let times = 0; times <= words.length; times++) await totals.keep();
}

/** What is kept and what is counted, of one moment. */
const totalsOf = (word: string) =>
  db
    .transaction()
    .setIsolationLevel("repeatable read")
    .execute(async (snapshot) => ({
      kept: (await sql<{ kept: number | null }>`select ${keptTotal(common(word), 10_000)} as kept`.execute(snapshot))
        .rows[0]?.kept,
      counted: await countOf(snapshot, common(word)),
    }));

/** The total that is kept, which must be what is counted. */
async function trueTotalOf(word: string): Promise<number> {
  const { kept, counted } = await totalsOf(word);
  expect(kept).toBe(counted);
  return counted;
}

async function countOf(snapshot: Queryable, { found }: CommonWord): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    select count(*) as count from beats where is_listed and search @@ ${found}::tsquery`.execute(snapshot);
  return rows[0]?.count ?? Number.NaN;
}

/** The database as a transaction sees it. */
const within = (transaction: TransactionSql) => ({ ...database, driver: transaction as unknown as Sql });

/** How many locks for counting there are, or are waited for. */
const locks = async (granted: boolean) =>
  (
    await driver`
      select from pg_locks where relation = 'search_uncounted'::regclass and granted = ${granted}
        and mode = 'ShareUpdateExclusiveLock'
        and database = (select oid from pg_database where datname = current_database())`
  ).length;

const uncounted = async () => (await driver`select from search_uncounted`).length;

describe("the total of a word", () => {
  const beats = [
    { title: "Rain" },
    { title: "Rainy Rain Day" },
    { title: "R ain" },
    { title: "Sun", by: "Rainer" },
    { title: "Rain", isListed: false },
    { title: "Brain" },
  ];

  test("counts beats with a word that begins so, each once, and those that are this when written together", async () => {
    await addSearchableBeats(database, beats);
    await keep("rain");
    expect(await totalsOf("rain")).toEqual({ kept: 4, counted: 4 });
  });

  test("is not kept until the word was wanted, nor for words that find few", async () => {
    totals = new SearchTotals(db, 5);
    await addSearchableBeats(database, beats);
    await totals.keep();
    expect((await totalsOf("rain")).kept).toBeNull();
    await keep("rain");
    expect((await totalsOf("rain")).kept).toBeNull();
  });

  test("is kept before anybody asks, of words and beginnings that the statistics say are common", async () => {
    totals = new SearchTotals(db, 30);
    await addSearchableBeats(
      database,
      Array.from({ length: 60 }, (_, n) => ({ title: n % 2 === 0 ? "Rainy Day" : `Sun ${n}`, by: `Ray ${n}` })),
    );
    await totals.expectCommonWords();
    await keep();
    expect((await totalsOf("rain")).kept).toBeNull();
    await driver`analyze beats`;
    await totals.expectCommonWords();
    for (let times = 0; times < 10; times++) await totals.keep();
    for (const word of ["ra", "rain", "rainy", "day", "sun", "ray"]) {
      const { kept, counted } = await totalsOf(word);
      expect({ word, kept }).toEqual({ word, kept: counted });
    }
    expect((await totalsOf("rainyday")).kept).toBeNull();
    expect((await totalsOf("sun1")).kept).toBeNull();
  });

  describe.each([
    ["at once", async () => {}],
    ["once they are counted", () => keep()],
  ])("follows, %s,", (_, settle) => {
    beforeEach(async () => {
      await addSearchableBeats(database, beats);
      await keep("rain", "sun");
    });

    async function expectTotals(rain: number, sun: number) {
      await settle();
      expect([await totalsOf("rain"), await totalsOf("sun")]).toEqual([
        { kept: rain, counted: rain },
        { kept: sun, counted: sun },
      ]);
    }

    test("beats that are made", async () => {
      await addSearchableBeats(database, [{ title: "Sun and Rain" }, { title: "Rain", isListed: false }]);
      await expectTotals(5, 2);
    });

    test("beats that are sold, and listed again", async () => {
      await driver`update beats set is_listed = false where title = 'R ain'`;
      await expectTotals(3, 1);
      await driver`update beats set is_listed = true`;
      await expectTotals(5, 1);
    });

    test("titles and names of producers that change", async () => {
      const [vector] = [searchVector([{ text: "Sunrise", weight: "A" }])];
      await driver`update beats set search = ${vector ?? ""}::tsvector where title = 'Rain'`;
      await expectTotals(3, 2);
      const [producer] = await driver`select id from users where display_name = 'Rainer'`;
      await renameProducerOfBeats(db, producer?.id, "Snow");
      await expectTotals(2, 2);
    });

    test("beats that are deleted, changed or not before", async () => {
      await driver`update beats set is_listed = true where title = 'Rain'`;
      await driver`delete from beats where title in ('Rain', 'Sun')`;
      await expectTotals(2, 0);
    });

    test("beats that change and change back in one transaction", async () => {
      await driver.begin(async (transaction) => {
        await transaction`update beats set is_listed = not is_listed`;
        await transaction`update beats set is_listed = not is_listed`;
      });
      await expectTotals(4, 1);
    });
  });

  const hundreds: SearchableBeat[] = Array.from({ length: 1_001 }, (_, n) => ({
    title: n % 2 === 0 ? "Rainy Rain" : "Sun",
    by: n % 3 === 0 ? "Rainer" : "Snow",
    isListed: n % 7 > 0,
  }));

  test("follows beats that are made by the hundred as they are made, with none left to count", async () => {
    await addSearchableBeats(database, beats);
    await keep("rain", "sun", "s");
    await addSearchableBeats(database, hundreds);
    expect(await uncounted()).toBe(0);
    for (const word of ["rain", "sun", "s"]) expect(await trueTotalOf(word)).toBeGreaterThan(400);
    await driver`delete from beats where id % 3 = 0`;
    await keep();
    for (const word of ["rain", "sun", "s"]) expect(await trueTotalOf(word)).toBeGreaterThan(200);
  });

  test("misses no beat of hundreds that are made while a word is learnt", async () => {
    await addSearchableBeats(database, beats);
    await keep("sun");
    await driver
      .begin(async (learning) => {
        await learning`lock table search_uncounted in share update exclusive mode`;
        const made = addSearchableBeats(database, hundreds);
        await expect.poll(() => locks(false)).toBeGreaterThan(0);
        await learning`insert into search_totals (word, beats_count) values ('rain', 4)`;
        return { made };
      })
      .then(({ made }) => made);
    expect(await trueTotalOf("rain")).toBeGreaterThan(400);
  });

  test("is learnt once hundreds that are being made are there", async () => {
    await addSearchableBeats(database, beats);
    await keep("sun");
    const making = Promise.withResolvers<void>();
    const made = driver.begin(async (transaction) => {
      await addSearchableBeats(within(transaction), hundreds);
      await making.promise;
    });
    await expect.poll(() => locks(true)).toBeGreaterThan(0);
    await keep("rain");
    expect((await totalsOf("rain")).kept).toBeNull();
    making.resolve();
    await made;
    await keep("rain");
    expect(await trueTotalOf("rain")).toBeGreaterThan(400);
  });

  test("is as true where hundreds are made in a transaction that sees nothing of what was learnt since", async () => {
    await addSearchableBeats(database, beats);
    await keep("sun");
    await driver.begin("isolation level repeatable read", async (transaction) => {
      await transaction`select from beats`;
      await keep("rain");
      await addSearchableBeats(within(transaction), hundreds);
    });
    expect(await trueTotalOf("rain")).toBeGreaterThan(400);
  });

  test("is unknown while more has changed than can be looked at in passing", async () => {
    await addSearchableBeats(database, [...beats, ...hundreds]);
    await keep("rain");
    const { counted } = await totalsOf("rain");
    await driver`update beats set is_listed = not is_listed`;
    await driver`update beats set is_listed = not is_listed where id > 1`;
    expect((await totalsOf("rain")).kept).toBeNull();
    await keep();
    expect(await totalsOf("rain")).toEqual({ kept: counted - 1, counted: counted - 1 });
  });

  test("is known to be beyond the cap for as long as what has changed cannot have brought it below", async () => {
    await addSearchableBeats(
      database,
      Array.from({ length: 1_200 }, (_, n) => ({ title: n < 1_150 ? "Rain" : "Sun", plays: n })),
    );
    await keep("rain");
    const keptBeyond = async (cap: number) =>
      (await sql<{ kept: number | null }>`select ${keptTotal(common("rain"), cap)} as kept`.execute(db)).rows[0]?.kept;
    await driver`update beats set is_listed = false where title = 'Sun' or id <= 1001`;
    expect(await uncounted()).toBeGreaterThan(1_000);
    const left = 1_150 - (await uncounted());
    expect(await keptBeyond(left - 1)).toBe(left);
    expect(await keptBeyond(left)).toBeNull();
    expect(await search(db, { q: "rain", type: "beats", page: 1, limit: 2 }, { cap: left - 1 })).toMatchObject({
      total: left - 1,
      hits: [{ id: 1_150 }, { id: 1_149 }],
    });
  });

  test("is counted by one instance at a time, which keeps no writer waiting", async () => {
    await addSearchableBeats(database, beats);
    await keep("rain");
    await driver.begin(async (other) => {
      await other`lock table search_uncounted in share update exclusive mode`;
      await addSearchableBeats(database, [{ title: "Rain" }]);
      await keep("sun");
      expect([await uncounted(), (await totalsOf("sun")).kept]).toEqual([1, null]);
    });
    await keep();
    expect([await uncounted(), (await totalsOf("sun")).kept]).toEqual([0, 1]);
  });

  test("costs those who change beats nothing while none is kept", async () => {
    await addSearchableBeats(database, beats);
    await driver`update beats set is_listed = not is_listed`;
    expect(await uncounted()).toBe(0);
  });

  test("changes with nothing but what is found: plays leave no trace", async () => {
    await addSearchableBeats(database, beats);
    await keep("rain");
    await driver`update beats set play_count = play_count + 1`;
    expect(await uncounted()).toBe(0);
  });

  test("is true at every moment, whoever writes, and while the changes are counted", async () => {
    const words = ["rain", "sun", "snow"];
    const texts = [...words, "rain sun", "fog"].map((text) => searchVector([{ text, weight: "A" }]));
    await addSearchableBeats(database, [...beats, ...words.flatMap((title) => [{ title }, { title }])]);
    await keep("rain");
    for (const word of words) totals.want(common(word));
    let isWriting = true;
    const write = async (seed: number) => {
      for (let n = seed; n < seed + 40; n++) {
        const vector = texts[n % texts.length] ?? "";
        if (n % 4 === 0) await addSearchableBeats(database, [{ title: words[n % 3] ?? "" }, { title: "Rain" }]);
        else
          await driver.begin(async (transaction) => {
            const ids = await transaction`select id from beats where id % 5 = ${n % 5} order by id for update`;
            await transaction`update beats set search = ${vector}::tsvector, is_listed = ${n % 3 > 0}
              where id = any (${ids.map(({ id }) => id)}::bigint[])`;
          });
      }
    };
    const checked: { kept: number | null | undefined; counted: number }[] = [];
    const check = async () => {
      while (isWriting) for (const word of words) checked.push(await totalsOf(word));
    };
    const count = async () => {
      const other = new SearchTotals(db, 1);
      while (isWriting) await Promise.all([totals.keep(), other.keep()]);
    };
    const others = [check(), count()];
    await Promise.all([write(0), write(1_000)]);
    isWriting = false;
    await Promise.all(others);
    await keep(...words);
    for (const word of words) checked.push(await totalsOf(word));
    expect(await uncounted()).toBe(0);
    expect(checked.filter(({ kept }) => kept !== null).length).toBeGreaterThan(20);
    expect(checked.filter(({ kept, counted }) => kept !== null && kept !== counted)).toEqual([]);
  }, 30_000);
});

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
          await driver`
            truncate beats, users, producer_counts, search_words, search_totals, search_uncounted
            restart identity cascade`;
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

  /** The rules of docs/decisions, read again, without an index or a shortcut. No word is near another. */
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
    const listening = new Kysely<Tables>({
      dialect: new PostgresJSDialect({ postgres: driver as never }),
      log: ({ query }) => void statements.push(query),
    });
    expect((await search(listening, request, { cap })).hits).toHaveLength(20);
    return driver.begin(async (transaction) => {
      let rows = 0;
      await transaction`set local enable_seqscan = off`;
      for (const { sql: text, parameters } of statements.filter(({ sql: text }) => text.includes("search @@"))) {
        const [row] = await transaction.unsafe(`explain (analyze, format json) ${text}`, [...parameters] as never[]);
        for (const scan of scansOfBeats(row?.["QUERY PLAN"][0].Plan))
          rows += scan["Actual Loops"] * (scan["Actual Rows"] + (scan["Rows Removed by Filter"] ?? 0));
      }
      return rows;
    });
  };

  interface PlanNode {
    "Relation Name"?: string;
    "Actual Rows": number;
    "Actual Loops": number;
    "Rows Removed by Filter"?: number;
    Plans?: PlanNode[];
  }

  const scansOfBeats = (node: PlanNode): PlanNode[] => [
    ...(node["Relation Name"] === "beats" ? [node] : []),
    ...(node.Plans ?? []).flatMap(scansOfBeats),
  ];
});
