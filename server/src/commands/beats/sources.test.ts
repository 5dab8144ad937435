import { join } from "node:path";
import { programEnv, startProgram } from "@beatmarket/postgres/testing/processes.ts";
import { beforeEach, expect, test } from "vitest";
import { runHere } from "../../../test/harness/command.ts";
import { openTestDatabase, testDatabaseUrl } from "../../../test/harness/database/database.ts";
import { importContent } from "../../../test/harness/imports.ts";
import { beatsCommand } from "./beats.ts";

const main = join(import.meta.dirname, "../../main.ts");
const url = await testDatabaseUrl();
const database = openTestDatabase(url);
const { driver } = database;

beforeEach(async () => {
  await driver`truncate beats, genres, users, producer_counts cascade`;
  await importContent(
    database,
    "external_id,title,producer,genre,tempo,key\n1,One,Ana,Trap,90,Am\n2,Two,Bo,Drill,90,\n",
  );
});

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

test("beats list, withdraw and relist show and change the beats of a source; delete needs a confirmation", async () => {
  expect((await beats("list")).out.split("\n")).toEqual([
    "SOURCE  BEATS  LISTED  WITHDRAWN  SOLD  WITH ORDERS",
    "test    2      2       0          0     0",
    "",
  ]);
  expect((await beats("withdraw", "--source", "test")).out).toBe("2 beats of test are withdrawn.\n");
  expect(JSON.parse((await beats("list", "--source", "test", "--json")).out)).toMatchObject({
    source: "test",
    beats: 2,
    listed: 0,
    withdrawn: 2,
    sold: 0,
    ordered: 0,
    sample: [
      { external_id: "2", title: "Two", producer_name: "Bo", state: "withdrawn" },
      { external_id: "1", title: "One" },
    ],
  });
  expect((await beats("relist", "--source", "test", "--json")).out).toBe('{"relisted":2}\n');
  const unasked = await beats("delete", "--source", "test");
  expect(unasked).toMatchObject({
    status: 1,
    errors: "error: Delete 2 beats of test? This cannot be undone. Add --yes; nothing was changed.\n",
  });
  expect(await driver`select from beats where is_listed`).toHaveLength(2);
  expect((await beats("delete", "--source", "test", "--yes", "--json")).out).toBe(
    '{"deleted":2,"withdrawn":0,"held":0,"producers_deleted":2,"genres_deleted":2}\n',
  );
  expect(await driver`select from beats`).toEqual([]);
});

test("beats delete refuses beats that orders refer to, unless it may withdraw them", async () => {
  await driver`
    insert into orders (user_id, beat_id, title, producer_id, producer_name, license_type, amount_cents, currency,
                        payment_method, payment_provider, payment_key, created_at)
    select user_id, id, title, user_id, 'P', 'basic', 100, 'USD', 'pm', 'sandbox', 'k', now()
    from beats where external_id = '1'`;
  expect(await beats("delete", "--source", "test", "--yes")).toMatchObject({
    status: 1,
    errors:
      "error: Orders refer to 1 of the 2 beats of test, which cannot be deleted. Add --withdraw-ordered to withdraw these and delete the others.\n",
  });
  expect(await driver`select from beats where is_listed`).toHaveLength(2);
  expect((await beats("delete", "--source", "test", "--yes", "--withdraw-ordered")).out).toBe(
    "1 beats of test are deleted, and 1 producers and 1 genres without beats. 1 that orders refer to are withdrawn instead.\n",
  );
  expect(await driver`select external_id, is_listed from beats`).toEqual([{ external_id: "1", is_listed: false }]);
});

test.each([
  [["withdraw", "--source", "tset"], 1, "error: No beat has the source tset. Sources are test.\n"],
  [["withdraw"], 2, /required option '--source <name>' not specified/],
])("beats %j is refused with a sentence", async (args, status, message) => {
  const { status: ended, errors } = await run(...args);
  expect(ended).toBe(status);
  expect(errors).toEqual(typeof message === "string" ? message : expect.stringMatching(message));
});
