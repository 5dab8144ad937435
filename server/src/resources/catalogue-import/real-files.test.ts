import { existsSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { beforeEach, describe, expect, test } from "vitest";
import { testDatabase } from "../../../test/harness/database.ts";
import { importFile, type Reject } from "../../../test/harness/imports.ts";

// The data sets are not part of the repository; CONTRIBUTING.md says where they lie.
const repository = join(import.meta.dirname, "../../../..");
const data = join(repository, "../shared/data");
const database = await testDatabase();
const { driver } = database;

const mapping = async (name: string) => JSON.parse(await readFile(join(repository, `mappings/${name}.json`), "utf8"));

/** How often each reason was given, whatever value it names. */
function reasons(rejects: readonly Reject[]): Record<string, number> {
  const counts: Record<string, number> = {};
  for (const { reason } of rejects) {
    const kind = reason.replace(/"[^"]*"/, "…");
    counts[kind] = (counts[kind] ?? 0) + 1;
  }
  return counts;
}

beforeEach(async () => {
  await driver`truncate beats, genres, users, producer_counts, search_words cascade`;
});

describe.runIf(existsSync(data))("the real files", { timeout: 240_000 }, () => {
  test("spotify_songs.csv: 32,833 rows of 28,356 tracks", async () => {
    const trial = { mapping: await mapping("spotify_songs") };
    const outcome = await importFile(database, join(data, "spotify_songs.csv"), trial);
    // Four tracks, one of them twice, have neither title nor artist ("NA"), and one has tempo 0: 6 rows of 5 tracks.
    expect(reasons(outcome.rejects)).toEqual({
      "the title (column track_name) is …, which stands for nothing": 5,
      "the tempo (column tempo) is …; it must be above 0 and below 1000": 1,
    });
    expect(outcome).toMatchObject({ rows: 32_833, rejected: 6, created: 28_356 - 5, updated: 0, unread: null });
    // The others are tracks that stand in several playlists.
    expect(outcome.unchanged).toBe(32_833 - 6 - 28_351);
    // A track in playlists of several genres has the genre of its first row.
    expect(await driver`select name, beats_count from genres order by name`).toEqual([
      { name: "EDM", beats_count: 4877 },
      { name: "Hip Hop", beats_count: 5398 },
      { name: "Latin", beats_count: 4136 },
      { name: "Pop", beats_count: 5132 },
      { name: "R&B", beats_count: 4504 },
      { name: "Rock", beats_count: 4304 },
    ]);
    expect(
      await driver`select title, key, key_code, duration_seconds, created_at, tags, price_cents, bpm.n as bpm
        from beats, lateral (select round(tempo)::int as n) bpm where external_id = '6f807x0ima9a1j3VPbc7VN'`,
    ).toEqual([
      {
        ...{ title: "I Don't Care (with Justin Bieber) - Loud Luxury Remix", key: "F# major", key_code: 6 },
        ...{
          duration_seconds: 195,
          created_at: new Date("2019-06-14"),
          tags: ["dance pop"],
          price_cents: 3999,
          bpm: 122,
        },
      },
    ]);
    expect(await importFile(database, join(data, "spotify_songs.csv"), trial)).toMatchObject({
      ...{ created: 0, updated: 0, unchanged: 32_827, rejected: 6 },
    });
  });

  test("tracks_231k.csv.gz: 231,551 rows of twenty sources", async () => {
    const trial = { mapping: await mapping("tracks_231k") };
    const outcome = await importFile(database, join(data, "tracks_231k.csv.gz"), trial);
    expect(reasons(outcome.rejects)).toEqual({
      // All of jacky_tracks (11,200) and sosamandara (9,777 of 9,779) came without artists; so did 2 of hannahlangen.
      "the producer (column artist) is empty": 20_979,
      // Those of the spotify songs without a name, whose title is "NA" too.
      "the producer (column artist) is …, which stands for nothing": 5,
      // 2 of sosamandara, 1 of vedapatel.
      "the title (column title) is empty": 3,
      "the tempo (column tempo) is …; it must be above 0 and below 1000": 61,
    });
    expect(outcome).toMatchObject({ rows: 231_551, rejected: 21_048, updated: 0, unread: null });
    // Repeated ids: 4,476 in the spotify songs, 1,698 in thinkr_deathcore, 1,426 in eight others.
    expect(outcome).toMatchObject({ created: 202_903, unchanged: 7_600 });
    const [genres] = await driver`select count(*) as count, max(beats_count) as most from genres`;
    // 38 genres; "Other" is the largest, as most sources name none.
    expect(genres).toEqual({ count: 38, most: 118_254 });
    expect(
      await driver`
      select count(*) filter (where key_code = 24 and key <> '') as notes, count(*) filter (where key = '') as none
      from beats`,
    ).toEqual([{ notes: 50_675, none: 0 }]);
    expect(
      await driver`
      select u.display_name from beats b join users u on u.id = b.user_id where b.source = 'tracks_10k' and b.title = 'Carve'`,
    ).toEqual([{ display_name: "Uli" }]);
    expect(await importFile(database, join(data, "tracks_231k.csv.gz"), trial)).toMatchObject({
      ...{ created: 0, updated: 0, unchanged: 210_503, rejected: 21_048 },
    });
  });

  test("odd_rows.csv: 325 rows that break importers", async () => {
    const outcome = await importFile(database, join(data, "odd_rows.csv"), { mapping: await mapping("tracks_231k") });
    expect(reasons(outcome.rejects)).toEqual({
      "the producer (column artist) is empty": 24,
      "the producer (column artist) is …, which stands for nothing": 5,
      "the title (column title) is empty": 3,
      "the tempo (column tempo) is empty": 41,
      "the tempo (column tempo) is …; it must be above 0 and below 1000": 22,
    });
    expect(outcome).toMatchObject({ created: 222, unchanged: 8, rejected: 95, unread: null });
    const file = await readFile(join(data, "odd_rows.csv"), "utf8");
    for (const { row } of outcome.rejects) expect(file).toContain(`\n${row}\n`);
  });
});
