import { sql } from "kysely";
import { beforeEach, describe, expect, test } from "vitest";
import { testDatabase } from "../../../../test/harness/database/database.ts";
import type { Driver } from "../../../../test/harness/database/driver.ts";
import { common, keepTotals } from "../../../../test/harness/database/search-totals.ts";
import { addSearchableBeats, type SearchableBeat } from "../../../../test/harness/database/searchable-beats.ts";
import type { Queryable } from "../../../database/connection/connect.ts";
import { searchVector } from "../../../text/search-words.ts";
import { search } from "../queries.ts";
import { type CommonWord, keptTotal, SearchTotals } from "./totals.ts";

const database = await testDatabase();
const { query: db, driver } = database;
let totals: SearchTotals;

beforeEach(async () => {
  await driver`
    truncate beats, users, producer_counts, search_words, search_totals, search_uncounted restart identity cascade`;
  totals = new SearchTotals(db, 1);
});

const keep = (...words: string[]) => keepTotals(totals, ...words);

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
const within = (transaction: Driver) => ({ ...database, driver: transaction });

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
    await totals.refresh();
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
    for (let times = 0; times < 10; times++) await totals.refresh();
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
    await driver.begin(async (transaction) => {
      await transaction`set transaction isolation level repeatable read`;
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

  test("is exact at every moment, for any writer, and while the changes are counted", async () => {
    const words = ["rain", "sun", "snow"];
    const texts = [...words, "rain sun", "fog"].map((text) => searchVector([{ text, weight: "A" }]));
    await addSearchableBeats(database, [...beats, ...words.flatMap((title) => [{ title }, { title }])]);
    await keep("rain");
    for (const word of words) totals.enqueue(common(word));
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
      while (isWriting) await Promise.all([totals.refresh(), other.refresh()]);
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
