import type { Insertable } from "kysely";
import { beforeEach, describe, expect, test } from "vitest";
import { PlainIndex } from "../../../test/harness/catalogue-index/plain-index.ts";
import { testDatabase } from "../../../test/harness/database/database.ts";
import { CatalogueVersion } from "../../database/catalogue/catalogue-version.ts";
import type { BeatsTable } from "../../database/tables.ts";
import { BeatCatalogue } from "./catalogue/beat-catalogue.ts";
import { findSimilarBeats } from "./list-beats.ts";

const database = await testDatabase();
const { driver, query: db } = database;
const catalogue = new BeatCatalogue(database, new CatalogueVersion());
const index = new PlainIndex(db);

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

let titleNumber = 0;

async function addBeats(...beats: NewBeat[]): Promise<number[]> {
  const defaults = {
    user_id: ada,
    genre_id: house,
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
    // Different titles: beats of one producer with the same title count as copies of one recording.
    .values(beats.map((beat) => ({ ...defaults, title: `Beat ${++titleNumber}`, ...beat })))
    .returning("id")
    .execute();
  return rows.map(({ id }) => id);
}

const similarIds = async (id: number, limit = 5): Promise<number[]> =>
  (await findSimilarBeats(index, catalogue, id, limit)).map(({ beat }) => beat.id);

/** Unlists the beats of earlier tests. */
const emptyCatalogue = () => driver`update beats set is_listed = false where is_listed`;
beforeEach(emptyCatalogue);

describe("similar beats", () => {
  test("come best first, with the usual fields of a beat and with the reasons", async () => {
    const [beat = 0, far, near, twin] = await addBeats(
      {},
      { genre_id: trap, tempo: 150, key_code: 6 },
      { tempo: 61.2, key_code: 12, user_id: ben },
      { title: "Twin" },
    );
    const similar = await findSimilarBeats(index, catalogue, beat, 5);
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

  test("include neither the beat itself nor a sold beat; a sold beat has similar beats, too", async () => {
    const [beat = 0, sold = 0, listed = 0] = await addBeats(
      {},
      { is_listed: false, exclusive_state: "sold", exclusive_order_id: 1 },
      {},
    );
    expect(await similarIds(beat)).toEqual([listed]);
    expect(await similarIds(sold)).toEqual([beat, listed]);
  });

  test("omit beats whose tempo stays far even if it is halved or doubled, however many such beats exist", async () => {
    const [beat = 0, half = 0] = await addBeats({ tempo: 60 }, { tempo: 30, genre_id: trap, key_code: 24 });
    await addBeats(...Array.from({ length: 100 }, () => ({ tempo: 240 })));
    expect(await similarIds(beat, 20)).toEqual([half]);
  });

  test("include beats on both sides of each tempo ratio at which halving or doubling begins", async () => {
    const [beat = 0, ...others] = await addBeats(
      { tempo: 100 },
      ...[141, 142, 71, 70, 36, 35.5, 282].map((tempo) => ({ tempo })),
    );
    expect((await similarIds(beat, 20)).toSorted((a, b) => a - b)).toEqual(others);
  });

  test("are none for the only beat, and 404 for an unknown beat", async () => {
    const [beat = 0] = await addBeats({});
    expect(await similarIds(beat)).toEqual([]);
    await expect(findSimilarBeats(index, catalogue, beat + 1, 5)).rejects.toMatchObject({
      status: 404,
      details: `Beat ${beat + 1} does not exist.`,
    });
  });

  test("are ranked by the other properties if the key of the beat is unknown", async () => {
    const [beat = 0, otherGenre = 0, faster = 0, same = 0] = await addBeats(
      { key_code: 24 },
      { key_code: 24, genre_id: trap },
      { key_code: 24, tempo: 125 },
      { key_code: 7 },
    );
    expect(await similarIds(beat)).toEqual([same, faster, otherGenre]);
  });

  test("are ranked by length and popularity if hundreds share tempo, key and genre, and are as many as requested", async () => {
    const otherBeats = Array.from({ length: 400 }, (_, n) => ({
      user_id: ben,
      play_count: 10 + (n % 20) * 50,
      duration_seconds: 60 + Math.floor(n / 20) * 20,
    }));
    const [beat = 0] = await addBeats({ play_count: 510, duration_seconds: 240 });
    const ids = await addBeats(...otherBeats);
    const similarBeats = (await similarIds(beat, 20)).map((id) => otherBeats[ids.indexOf(id)]);
    expect(similarBeats).toHaveLength(20);
    expect(similarBeats[0]).toMatchObject({ play_count: 510, duration_seconds: 240 });
    expect(similarBeats.every((beat) => beat && beat.play_count >= 360 && beat.play_count <= 710)).toBe(true);
  });

  test("of equal score come by id", async () => {
    const ids = await addBeats(...Array.from({ length: 120 }, () => ({})));
    expect(await similarIds(ids[60] ?? 0, 20)).toEqual(ids.slice(0, 20));
  });

  test("include a beat of the same producer among hundreds of another producer", async () => {
    const [beat = 0, sameProducer] = await addBeats({}, { tempo: 120.5 });
    await addBeats(...Array.from({ length: 300 }, (_, n) => ({ user_id: ben, tempo: 120 + n / 300 })));
    expect(await similarIds(beat)).toContain(sameProducer);
  });
});
