import fc from "fast-check";
import type { Insertable } from "kysely";
import { beforeEach, describe, expect, test } from "vitest";
import { testDatabase } from "../../../../test/harness/database/database.ts";
import { lookedAt, scansOf } from "../../../../test/harness/plans.ts";
import { bySimilarity, similarity, type Traits } from "../../../catalogue-index/engine/similar/similarity.ts";
import { CatalogueVersion } from "../../../database/catalogue/catalogue-version.ts";
import type { BeatsTable } from "../../../database/tables.ts";
import { PageAnchors } from "../../../listing/page-anchors.ts";
import { BeatCatalogue } from "../catalogue/beat-catalogue.ts";
import { findSimilarBeats } from "./similar-queries.ts";

const database = await testDatabase();
const { driver, query: db } = database;
const version = new CatalogueVersion();
const reader = new BeatCatalogue(database, new PageAnchors(version), version);

const producers = await db
  .insertInto("users")
  .values(["ada", "ben", "cleo"].map((username) => ({ username, display_name: username, is_producer: true })))
  .returning("id")
  .execute();
const genres = await db
  .insertInto("genres")
  .values(["House", "Trap", "Dub"].map((name) => ({ name, slug: name.toLowerCase() })))
  .returning("id")
  .execute();
const [ada = 0, ben = 0] = producers.map(({ id }) => id);
const [house = 0, trap = 0] = genres.map(({ id }) => id);

type NewBeat = Partial<Insertable<BeatsTable>>;

async function addBeats(...beats: NewBeat[]): Promise<number[]> {
  const defaults = {
    user_id: ada,
    genre_id: house,
    title: "Beat",
    tempo: 120,
    key_code: 0,
    duration_seconds: 180,
    price_cents: 2990,
    premium_price_cents: 4990,
    unlimited_price_cents: 9990,
    exclusive_price_cents: 29900,
  };
  const rows = await db
    .insertInto("beats")
    .values(beats.map((beat) => ({ ...defaults, ...beat })))
    .returning("id")
    .execute();
  return rows.map(({ id }) => id);
}

const similarIds = async (id: number, limit = 5): Promise<number[]> =>
  (await findSimilarBeats(db, reader, id, limit)).map(({ beat }) => beat.id);

/** What earlier tests listed is out of the way. */
const emptyCatalogue = () => driver`update beats set is_listed = false where is_listed`;
beforeEach(emptyCatalogue);

describe("similar beats", () => {
  test("come best first, with the beat as everywhere else and with the reasons", async () => {
    const [own = 0, far, near, twin] = await addBeats(
      {},
      { genre_id: trap, tempo: 150, key_code: 6 },
      { tempo: 61.2, key_code: 12, user_id: ben },
      { title: "Twin" },
    );
    const similar = await findSimilarBeats(db, reader, own, 5);
    expect(similar.map(({ beat, similarity }) => [beat.id, similarity])).toEqual([
      [twin, { score: 1, tempo_ratio: 1, bpm_difference_percent: 0, key_relation: "same", same_genre: true }],
      [
        near,
        { score: 0.8214, tempo_ratio: 0.5, bpm_difference_percent: 2, key_relation: "relative", same_genre: true },
      ],
      [far, { score: 0.1058, tempo_ratio: 1, bpm_difference_percent: 25, key_relation: "other", same_genre: false }],
    ]);
    expect(similar[0]?.beat).toMatchObject({
      title: "Twin",
      producer_name: "ada",
      genre_name: "House",
      genre_id: house,
    });
  });

  test("never hold the beat itself, nor one that is sold; a sold beat has them all the same", async () => {
    const [own = 0, sold = 0, listed = 0] = await addBeats({}, { is_listed: false }, {});
    expect(await similarIds(own)).toEqual([listed]);
    expect(await similarIds(sold)).toEqual([own, listed]);
  });

  test("leave out a tempo that no octave brings near, however many there are", async () => {
    const [own = 0, half = 0] = await addBeats({ tempo: 60 }, { tempo: 30, genre_id: trap, key_code: 24 });
    await addBeats(...Array.from({ length: 100 }, () => ({ tempo: 240 })));
    expect(await similarIds(own, 20)).toEqual([half]);
  });

  test("are found on either side of the octave's edges", async () => {
    const [own = 0, ...others] = await addBeats(
      { tempo: 100 },
      ...[141, 142, 71, 70, 36, 35.5, 282].map((tempo) => ({ tempo })),
    );
    expect((await similarIds(own, 20)).toSorted((a, b) => a - b)).toEqual(others);
  });

  test("are none for the only beat, and 404 for one that is not there", async () => {
    const [own = 0] = await addBeats({});
    expect(await similarIds(own)).toEqual([]);
    await expect(findSimilarBeats(db, reader, own + 1, 5)).rejects.toMatchObject({
      status: 404,
      details: `Beat ${own + 1} does not exist.`,
    });
  });

  test("with keys unknown go by all the rest", async () => {
    const [own = 0, otherGenre = 0, faster = 0, same = 0] = await addBeats(
      { key_code: 24 },
      { key_code: 24, genre_id: trap },
      { key_code: 24, tempo: 125 },
      { key_code: 7 },
    );
    expect(await similarIds(own)).toEqual([same, faster, otherGenre]);
  });

  test("are as many as asked for when a hundred others share tempo, key and genre; length and popularity choose", async () => {
    const crowd = Array.from({ length: 400 }, (_, n) => ({
      user_id: ben,
      play_count: 10 + (n % 20) * 50,
      duration_seconds: 60 + Math.floor(n / 20) * 20,
    }));
    const [own = 0] = await addBeats({ play_count: 510, duration_seconds: 240 });
    const ids = await addBeats(...crowd);
    const chosen = (await similarIds(own, 20)).map((id) => crowd[ids.indexOf(id)]);
    expect(chosen).toHaveLength(20);
    expect(chosen[0]).toMatchObject({ play_count: 510, duration_seconds: 240 });
    expect(chosen.every((beat) => beat && beat.play_count >= 360 && beat.play_count <= 710)).toBe(true);
  });

  test("of one score come by id", async () => {
    const ids = await addBeats(...Array.from({ length: 120 }, () => ({})));
    expect(await similarIds(ids[60] ?? 0, 20)).toEqual(ids.slice(0, 20));
  });

  test("of the same producer are found among many of others", async () => {
    const [own = 0, kin] = await addBeats({}, { tempo: 120.5 });
    await addBeats(...Array.from({ length: 300 }, (_, n) => ({ user_id: ben, tempo: 120 + n / 300 })));
    expect(await similarIds(own)).toContain(kin);
  });
});

const catalogue = fc.array(
  fc.record({
    user_id: fc.constantFrom(...producers.map(({ id }) => id)),
    genre_id: fc.constantFrom(...genres.map(({ id }) => id)),
    key_code: fc.integer({ min: 0, max: 24 }),
    tempo: fc.oneof(fc.integer({ min: 60, max: 180 }), fc.double({ min: 20, max: 400, noNaN: true })),
    play_count: fc.oneof(fc.constant(0), fc.nat(5000)),
    duration_seconds: fc.oneof(fc.constant(0), fc.integer({ min: 60, max: 400 })),
    is_listed: fc.integer({ min: 0, max: 9 }).map((n) => n > 0),
  }),
  { minLength: 200, maxLength: 400, size: "max" },
);

test("similar beats are those a comparison with every beat finds", async () => {
  let found = 0;
  let wanted = 0;
  await fc.assert(
    fc.asyncProperty(catalogue, fc.integer({ min: 1, max: 20 }), async (beats, limit) => {
      await emptyCatalogue();
      const [id = 0] = await addBeats(...beats);
      const all = await db.selectFrom("beats").selectAll().where("is_listed", "=", true).execute();
      const own = await db.selectFrom("beats").selectAll().where("id", "=", id).executeTakeFirstOrThrow();
      const best = everyComparison(own, all).slice(0, limit);
      const similar = await findSimilarBeats(db, reader, id, limit);
      expect(similar).toHaveLength(best.length);
      expect(similar[0]?.similarity.score).toBe(best[0]?.similarity.score);
      const last = best.at(-1)?.similarity.score ?? 0;
      found += similar.filter(({ similarity }) => similarity.score >= last).length;
      wanted += best.length;
    }),
    { numRuns: 25, seed: 2026 },
  );
  expect(wanted).toBeGreaterThan(100);
  expect(found / wanted).toBeGreaterThan(0.99);
});

function everyComparison(own: Traits, all: Traits[]) {
  return all
    .filter(({ id }) => id !== own.id)
    .flatMap((other) => {
      const compared = similarity(own, other);
      return compared === null ? [] : [{ id: other.id, similarity: compared }];
    })
    .sort(bySimilarity);
}

describe("the cost", () => {
  test("is index entries only, and no more of them in a catalogue ten times as large", async () => {
    await fill(2_000);
    const small = await entriesRead();
    await fill(18_000);
    const large = await entriesRead();
    expect(large).toBeLessThanOrEqual(1.5 * small);
    expect(large).toBeLessThan(2_000);
  });

  const fill = async (count: number): Promise<void> => {
    await driver`
      insert into beats (user_id, genre_id, title, tempo, key_code, duration_seconds, play_count, price_cents,
                         premium_price_cents, unlimited_price_cents, exclusive_price_cents)
      select ${ada}::bigint + n % 3, ${house}::bigint + n / 3 % 3, 'Beat', 60 + n * 7919 % 12000 / 100.0, n * 31 % 25,
             60 + n % 300, n * 104729 % 5000, 1, 1, 1, 1
      from generate_series(1, ${count}::integer) n`;
    await driver`vacuum analyze beats`;
  };

  /** Runs every statement of one call again under EXPLAIN ANALYZE, and adds up what was read of beats. */
  const entriesRead = async (): Promise<number> => {
    const statements: { sql: string; parameters: readonly unknown[] }[] = [];
    const listening = database.logged((statement) => statements.push(statement));
    const { id } = await db
      .selectFrom("beats")
      .select("id")
      .where("is_listed", "=", true)
      .limit(1)
      .offset(500)
      .executeTakeFirstOrThrow();
    expect(await findSimilarBeats(listening, reader, id, 20)).toHaveLength(20);
    let entries = 0;
    for (const { sql, parameters } of statements) {
      const [row] = await driver.unsafe(`explain (analyze, format json) ${sql}`, parameters);
      for (const scan of scansOf("beats", row?.["QUERY PLAN"][0].Plan)) {
        expect(scan["Node Type"]).toMatch(/^Index/);
        entries += lookedAt(scan);
      }
    }
    return entries;
  };
});
