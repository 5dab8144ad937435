import { beforeEach, expect, test } from "vitest";
import { runHere } from "../../test/harness/command.ts";
import { insertBeats } from "../../test/harness/database/catalogue.ts";
import { openTestDatabase, testDatabaseUrl } from "../../test/harness/database/database.ts";
import { freeLicensesWarning, migrateCommand } from "./migrate.ts";

const url = await testDatabaseUrl();
const database = openTestDatabase(url);
const { driver } = database;
beforeEach(() => driver`truncate beats, genres, users, producer_counts cascade`);

const migrate = (...args: string[]) => runHere(migrateCommand, ["migrate", ...args], { DATABASE_URL: url });

/** Beats with free licenses, which an earlier release allowed, and a paid one. */
async function insertFreeBeats(): Promise<number[]> {
  const ids = await insertBeats(database, [
    // Every license is free.
    { title: "All free", priceCents: 0 },
    // Only the exclusive license is free.
    { title: "Free exclusive" },
    // Free, but its exclusive license is sold, so it has nothing left to sell.
    { title: "Sold", priceCents: 0 },
    // No license is free.
    { title: "Paid" },
  ]);
  const [, exclusive = 0, sold = 0] = ids;
  await driver`update beats set exclusive_price_cents = 0, source = 'shop' where id = ${exclusive}`;
  await driver`update beats set exclusive_state = 'sold', exclusive_order_id = 1, is_listed = false where id = ${sold}`;
  return ids;
}

test("migrate lists the beats whose unlimited or exclusive license is free, except sold beats", async () => {
  const [all, exclusive] = await insertFreeBeats();
  const { out, status } = await migrate("--json");
  expect([JSON.parse(out), status]).toEqual([
    {
      applied: [],
      waiting: [],
      free_licenses: [
        { beat_id: all, title: "All free", license_type: "unlimited", source: null },
        { beat_id: exclusive, title: "Free exclusive", license_type: "exclusive", source: "shop" },
      ],
    },
    0,
  ]);
  const text = (await migrate()).out;
  expect(text).toContain("cannot be bought at 0");
  expect(text).toMatch(new RegExp(`\\n${exclusive} +Free exclusive +exclusive +shop\\n`));
});

test("migrate shows 20 beats with a free license and says how many more exist", async () => {
  await insertBeats(
    database,
    Array.from({ length: 23 }, () => ({ priceCents: 0 })),
  );
  const { out } = await migrate();
  expect(out.match(/ unlimited\b/g)).toHaveLength(20);
  expect(out).toContain("\nand 3 more;");
});

test("migrate says when there is nothing to do", async () => {
  await insertBeats(database, [{}]);
  expect((await migrate()).out).toBe("The schema is up to date.\n");
});

test("the warning at start counts the beats with a free license and names the command", async () => {
  expect(await freeLicensesWarning(database.query)).toBeNull();
  await insertFreeBeats();
  expect(await freeLicensesWarning(database.query)).toBe(
    "2 beats have an unlimited or exclusive license at a price of 0, which nobody can buy. List them with: npx beatmarket migrate",
  );
});
