import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { FakeClock } from "@beatmarket/foundation/testing/fake-clock.ts";
import { beforeEach, describe, expect, test } from "vitest";
import { testDatabase } from "../../../test/harness/database/database.ts";
import { clearCatalogue, importFile, type Reject } from "../../../test/harness/imports.ts";

// The fixtures are invented rows, with the columns and spellings of the data sets for which the mappings were made.
const fixture = (name: string): string => join(import.meta.dirname, "fixtures", name);
const database = await testDatabase();
const { driver } = database;

const mapping = async (name: string) =>
  JSON.parse(await readFile(new URL(`../../../../mappings/${name}.json`, import.meta.url), "utf8"));

/** The number of rejects for each reason, with the values removed. */
function reasons(rejects: readonly Reject[]): Record<string, number> {
  const counts: Record<string, number> = {};
  for (const { reason } of rejects) {
    const kind = reason.replace(/"[^"]*"/, "…");
    counts[kind] = (counts[kind] ?? 0) + 1;
  }
  return counts;
}

beforeEach(() => clearCatalogue(database));

describe("spotify_songs", () => {
  test("imports a track of several playlists once, with the genre of its first row", async () => {
    const options = { mapping: await mapping("spotify_songs") };
    const outcome = await importFile(database, fixture("playlist_songs.csv"), options);
    expect(reasons(outcome.rejects)).toEqual({
      "the title (column track_name) is …, which stands for nothing": 2,
      "the tempo (column tempo) is …; it must be above 0 and below 1000": 1,
    });
    expect(outcome).toMatchObject({
      rows: 12,
      rejected: 3,
      created: 7,
      updated: 0,
      unchanged: 2,
      stoppedBecause: null,
    });
    expect(await driver`select name, beats_count from genres order by name`).toEqual([
      { name: "EDM", beats_count: 1 },
      { name: "Hip Hop", beats_count: 1 },
      { name: "Latin", beats_count: 1 },
      { name: "Pop", beats_count: 2 },
      { name: "R&B", beats_count: 1 },
      { name: "Rock", beats_count: 1 },
    ]);
    expect(
      await driver`select title, key, key_code, duration_seconds, created_at, tags, price_cents, bpm.n as bpm
        from beats, lateral (select round(tempo)::int as n) bpm where external_id = 'pl0001'`,
    ).toEqual([
      {
        title: "I Don't Mind (with Ana Berg) - Night Shift Remix",
        key: "F# major",
        key_code: 6,
        duration_seconds: 195,
        created_at: new Date("2019-06-14"),
        tags: ["dance pop"],
        price_cents: 3999,
        bpm: 122,
      },
    ]);
    expect(await importFile(database, fixture("playlist_songs.csv"), options)).toMatchObject({
      created: 0,
      updated: 0,
      unchanged: 9,
      rejected: 3,
    });
  });
});

describe("tracks_231k", () => {
  test("reads titles, genres, keys, durations and producers in the spellings of many sources", async () => {
    const options = { mapping: await mapping("tracks_231k") };
    const outcome = await importFile(database, fixture("gathered_tracks.csv"), options);
    expect(reasons(outcome.rejects)).toEqual({
      "the producer (column artist) is empty": 2,
      "the producer (column artist) is …, which stands for nothing": 1,
      "the title (column title) is empty": 1,
      "the tempo (column tempo) is …; it must be above 0 and below 1000": 1,
    });
    expect(outcome).toMatchObject({
      rows: 29,
      rejected: 5,
      created: 22,
      updated: 0,
      unchanged: 2,
      stoppedBecause: null,
    });
    const beats = await driver`
      select b.title, g.name as genre, b.key, b.duration_seconds as seconds, u.display_name as producer
      from beats b join genres g on g.id = b.genre_id join users u on u.id = b.user_id order by b.id`;
    expect(beats.map((beat) => Object.values(beat).join(" | "))).toEqual([
      "Harbour Lights | Pop | F# major | 195 | Edda Shore",
      "Mr. Daylight | Other | C# | 222 | The Tillers",
      "Sideways | Metal | D | 259 | Oak Street",
      "Jealous Kind of Fellow | Other | D# major | 174 | Gil Arden",
      "Porque? | Other | C# minor | 141 | Rena Rossi",
      "C'est le soir | Soundtrack | C# major | 99 | Henri Salvat",
      "Sans Vous | A Capella | F# minor | 137 | Les Fées",
      "Echo of a Note | Hip Hop | C# minor / F# minor | 120 | Les Fées",
      "Without a Key | Latin |  | 120 | Les Fées",
      "Carve | Other | C major | 127 | Uma",
      "Capítulo 2.16 | Other | C major | 98 | Fernanda P, Bo d'Or",
      "Learned a Little | Other | G minor | 271 | Jo Amber",
      "Angst No More | Other | C major | 0 | Mo Lane",
      "10,000 METRES | Other | C# major | 189 | $ilver$mith",
      "122 NIGHTS | Other | F# major | 184 | $ilver$mith",
      "Distant Ice | Classical | A major | 215 | Snorri Helgason",
      "Forty Winks | Jazz | E minor | 245 | Mo Lane",
      "Call Me Later (with Kid Cedar) | Hip Hop | G minor | 252 | Drey",
      "Limonata | Pop | A minor | 134 | Caltura",
      "Eyes of Tin | Other | A major | 126 | Malodor",
      "Canopy (Progress Mix) | Trance | D# major | 0 | Filip van Mul",
      "Realness (Crew Mix) | Hard Dance | A major | 0 | Crew, Lance Maddox",
    ]);
    expect(await importFile(database, fixture("gathered_tracks.csv"), options)).toMatchObject({
      created: 0,
      updated: 0,
      unchanged: 24,
      rejected: 5,
    });
  });

  test("accepts unusual rows, and rejects with a reason the rows that cannot be a beat", async () => {
    const outcome = await importFile(database, fixture("odd_rows.csv"), { mapping: await mapping("tracks_231k") });
    expect(reasons(outcome.rejects)).toEqual({
      "the producer (column artist) is empty": 1,
      "the producer (column artist) is …, which stands for nothing": 1,
      "the title (column title) is empty": 2,
      "the tempo (column tempo) is empty": 2,
      "the tempo (column tempo) is …; it must be above 0 and below 1000": 3,
    });
    expect(outcome).toMatchObject({ created: 37, unchanged: 1, rejected: 9, stoppedBecause: null });
    const file = await readFile(fixture("odd_rows.csv"), "utf8");
    for (const { row } of outcome.rejects) expect(file).toContain(`\n${row}\n`);
  });
});

test("the example of the README is imported completely", async () => {
  const file = new URL("../../../../mappings/example.csv", import.meta.url).pathname;
  const outcome = await importFile(database, file, {
    mapping: await mapping("example"),
    clock: new FakeClock(Date.UTC(2026, 10, 26)),
  });
  expect(outcome).toMatchObject({ rows: 12, created: 12, rejected: 0, stoppedBecause: null });
});
