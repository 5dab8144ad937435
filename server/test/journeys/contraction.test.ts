import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { migrate, readMigrations } from "@beatmarket/postgres/migrate.ts";
import { emptyDatabaseUrl } from "@beatmarket/postgres/testing/test-database.ts";
import { expect, onTestFinished, test } from "vitest";
import { migrateSchema, migrations } from "../../src/database/connect.ts";
import { describeSchema } from "../../tools/schema.ts";
import { openTestDatabase } from "../harness/database/database.ts";
import { connectForTest } from "../harness/database/driver.ts";
import { importContent } from "../harness/imports.ts";

const content = "external_id,title,producer,genre,tempo,key\n1,One,Ana,Trap,90,Am\n2,Two,Bo,Drill,90,\n";

test("this release imports before and after the contracting migrations remove what earlier releases use", async () => {
  const url = await emptyDatabaseUrl();
  const database = openTestDatabase(url);
  const older = connectForTest({ url }, { max: 1 });
  // A connection of a running server makes the contracting migrations wait.
  await older.driver.unsafe("set application_name = 'beatmarket serve'");
  // Only contracting migrations have `needs`.
  const contracting = (await readMigrations(migrations.dir)).filter(({ needs }) => needs > 0).map(({ name }) => name);
  expect((await migrateSchema(database)).waiting?.names).toEqual(contracting);
  expect(await importContent(database, content)).toMatchObject({ created: 2, rejected: 0 });
  await older.close();
  const applied = async () => (await migrateSchema(database)).applied;
  await expect.poll(applied).toEqual(contracting);
  expect(await importContent(database, content.replace("One", "Uno"))).toMatchObject({ updated: 1, unchanged: 1 });
  expect(await importContent(database, `${content}3,Three,Cy,Drill,90,\n`)).toMatchObject({ created: 1 });
  expect(await database.driver`select name, beats_count::int as beats from genres order by name`).toEqual([
    { name: "Drill", beats: 2 },
    { name: "Trap", beats: 1 },
  ]);
});

test("the schema is the same whether the contracting migrations are applied in order or last", async () => {
  const inTurn = openTestDatabase(await emptyDatabaseUrl());
  const folder = await mkdtemp(join(tmpdir(), "migrations-"));
  onTestFinished(() => rm(folder, { recursive: true }));
  for (const { name, text } of await readMigrations(migrations.dir)) {
    await writeFile(join(folder, name), text.replace(/^-- contracts: .*$/m, ""));
  }
  await migrate(inTurn, { ...migrations, dir: pathToFileURL(`${folder}/`) });
  const last = openTestDatabase(await emptyDatabaseUrl());
  await migrateSchema(last);
  expect(await describeSchema(inTurn.query)).toEqual(await describeSchema(last.query));
});
