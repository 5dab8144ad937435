import { beforeEach, expect, test } from "vitest";
import { runHere } from "../../test/harness/command.ts";
import { openTestDatabase, testDatabaseUrl } from "../../test/harness/database/database.ts";
import { upsertGenres } from "../resources/genres/genres.ts";
import { genresCommand } from "./genres.ts";

const url = await testDatabaseUrl();
const { driver, query } = openTestDatabase(url);
beforeEach(() => driver`truncate genres cascade`);

const add = (...args: string[]) => runHere(genresCommand, ["genres", "add", ...args], { DATABASE_URL: url });
const merged = (...args: string[]) => runHere(genresCommand, ["genres", "merged", ...args], { DATABASE_URL: url });

test("genres add makes genres once, and refuses a name that no genre can have", async () => {
  expect(await add("Trap", " Boom Bap ")).toMatchObject({
    out: expect.stringMatching(/^Genre \d+: Boom Bap\nGenre \d+: Trap\n$/),
    status: 0,
  });
  const { genres } = JSON.parse((await add("boom-bap", "R&B", "Lo\tFi", "--json")).out);
  expect(genres).toEqual([
    { id: expect.any(Number), name: "Boom Bap", is_new: false },
    { id: expect.any(Number), name: "Lo Fi", is_new: true },
    { id: expect.any(Number), name: "R&B", is_new: true },
  ]);
  expect((await add("TRAP")).out).toMatch(/^Genre \d+: Trap \(existed already\)\n$/);
  expect(await driver`select name from genres order by name`).toEqual(
    ["Boom Bap", "Lo Fi", "R&B", "Trap"].map((name) => ({ name })),
  );
  for (const name of [" ", "a".repeat(101), "\u200b"])
    expect(await add("Drill", name)).toMatchObject({
      status: 1,
      errors: expect.stringContaining(`${JSON.stringify(name)} is not a valid name of a genre`),
    });
});

test("genres merged lists the genres that an earlier release merged, and changes nothing", async () => {
  await driver`insert into genres (name, slug) values ('C', 'c'), ('ビート', 'ヒート'), ('Trap', 'trap')`;
  await upsertGenres(query, ["C", "C++", "C#"]);
  const { out, status } = await merged("--json");
  const groups = JSON.parse(out).map(({ genres }: { genres: { name: string }[] }) => genres.map(({ name }) => name));
  expect([groups, status]).toEqual([[["C", "C#", "C++"], ["ビート"]], 0]);
  expect((await merged()).out).toMatch(/^ +ID +GENRE +SLUG +BEATS\n\* +\d+ +C +c +0\n +\d+ +C# +c# +0\n/);
  expect(await driver`select count(*)::int as n from genres`).toEqual([{ n: 5 }]);
});

test("genres merged says when no genres were merged", async () => {
  await upsertGenres(query, ["Trap", "Música", "R&B"]);
  expect((await merged()).out).toBe("No genre can have beats of another one.\n");
});

test("a genre with the slug of another name gives the slug up when that name is imported", async () => {
  await driver`insert into genres (name, slug) values ('ビート', 'ヒート')`;
  const ids = await upsertGenres(query, ["ヒート", "ビート", "दिल", "दल"]);
  expect(new Set(ids.values()).size).toBe(4);
  expect(await driver`select name, slug from genres where name like '%ート' order by id`).toEqual([
    { name: "ビート", slug: "ビート" },
    { name: "ヒート", slug: "ヒート" },
  ]);
});
