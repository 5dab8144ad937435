import { join } from "node:path";
import { programEnv, startProgram } from "@beatmarket/postgres/testing/processes.ts";
import { expect, test } from "vitest";
import { runHere } from "../../../test/harness/command.ts";
import { insertBeats } from "../../../test/harness/database/catalogue.ts";
import { openTestDatabase, testDatabaseUrl } from "../../../test/harness/database/database.ts";
import { beatsCommand } from "./beats.ts";

const main = join(import.meta.dirname, "../../main.ts");
const url = await testDatabaseUrl();
const database = openTestDatabase(url);
const { driver } = database;
const [beat = 0] = await insertBeats(database, [{ title: "Midnight" }]);

const beats = (...args: string[]) => runHere(beatsCommand, ["beats", ...args], { DATABASE_URL: url });

/** Runs the command as a separate process, because `runHere` has another exit status for an invalid command line. */
async function run(...args: string[]) {
  const program = startProgram(process.execPath, [main, "beats", ...args], {
    env: { ...programEnv, DATABASE_URL: url },
  });
  program.child.stdin?.end();
  const { code, stderr } = await program.ended;
  return { status: code, errors: stderr };
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
    `Beat ${beat} is taken down. Its buyers cannot download its files any more. \`beatmarket beats restore ${beat} --reason "…"\` undoes it.\n`,
  );
  expect(await state()).toEqual({ is_listed: false, is_taken_down: true, withdraws_files: true });
  const again = await beats("takedown", String(beat), ...reason);
  expect(again).toMatchObject({ status: 1, errors: expect.stringContaining(`Beat ${beat} is taken down already.`) });
  expect((await beats("restore", String(beat), ...reason, "--json")).out).toBe(
    `{"beat_id":${beat},"taken_down":false}\n`,
  );
  expect(await state()).toEqual({ is_listed: true, is_taken_down: false, withdraws_files: null });
  const unknown = await beats("takedown", "midnight", ...reason);
  expect(unknown).toMatchObject({ status: 1, errors: expect.stringContaining("midnight is not a beat.") });
  const silent = await run("takedown", String(beat));
  expect(silent).toMatchObject({ status: 2, errors: expect.stringContaining("--reason") });
});
