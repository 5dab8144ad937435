import { join } from "node:path";
import { startProgram } from "@beatmarket/postgres/testing/processes.ts";
import { expect, test } from "vitest";
import { insertBeats } from "../../../test/harness/database/catalogue.ts";
import { openTestDatabase, testDatabaseUrl } from "../../../test/harness/database/database.ts";

const main = join(import.meta.dirname, "../../main.ts");
const url = await testDatabaseUrl();
const database = openTestDatabase(url);
const { driver } = database;
const [beat = 0] = await insertBeats(database, [{ title: "Midnight" }]);

async function beats(...args: string[]) {
  const program = startProgram(process.execPath, [main, "beats", ...args], {
    env: { PATH: process.env.PATH, DATABASE_URL: url },
  });
  let out = "";
  program.child.stdout?.on("data", (data) => {
    out += data;
  });
  program.child.stdin?.end();
  const { code, stderr } = await program.ended;
  return { code, stderr, out };
}
const state = async () =>
  (
    await driver`select is_listed, is_taken_down, withdraws_files from beats
    left join takedowns on beat_id = beats.id and restored_at is null where beats.id = ${beat}`
  )[0];

test("beats takedown and restore report their result, the command that undoes it, and invalid input", async () => {
  const reason = ["--reason", "A stolen sample"];
  const takedown = await beats("takedown", String(beat), ...reason, "--withdraw-files");
  expect(takedown.out).toBe(
    `Beat ${beat} is taken down. Its buyers cannot download its files any more. \`beatmarket beats restore ${beat}\` undoes it.\n`,
  );
  expect(await state()).toEqual({ is_listed: false, is_taken_down: true, withdraws_files: true });
  const again = await beats("takedown", String(beat), ...reason);
  expect(again).toMatchObject({ code: 1, stderr: expect.stringContaining(`Beat ${beat} is taken down already.`) });
  expect((await beats("restore", String(beat), ...reason, "--json")).out).toBe(
    `{"beat_id":${beat},"taken_down":false}\n`,
  );
  expect(await state()).toEqual({ is_listed: true, is_taken_down: false, withdraws_files: null });
  const unknown = await beats("takedown", "midnight", ...reason);
  expect(unknown).toMatchObject({ code: 1, stderr: expect.stringContaining("midnight is not a beat.") });
  const silent = await beats("takedown", String(beat));
  expect(silent).toMatchObject({ code: 2, stderr: expect.stringContaining("--reason") });
});
