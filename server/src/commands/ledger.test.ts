import { execFile } from "node:child_process";
import { lstat, mkdtemp, readdir, readFile, rm, symlink } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { beforeAll, expect, onTestFinished, test } from "vitest";
import { runHere } from "../../test/harness/command.ts";
import { insertBeats } from "../../test/harness/database/catalogue.ts";
import { openTestDatabase, testDatabaseUrl } from "../../test/harness/database/database.ts";
import { recordSales } from "../resources/ledger/record.ts";
import { ledgerCommand } from "./ledger.ts";

const url = await testDatabaseUrl();
const database = openTestDatabase(url);
const { query: db, driver } = database;
let producerId = 0;

beforeAll(async () => {
  const [beatId = 0] = await insertBeats(database, [{ title: "Midnight", producer: "Nightowl" }]);
  const orders = await driver`
    insert into orders (user_id, beat_id, title, producer_id, producer_name, license_type, amount_cents, currency, status,
      completed_at, payment_method, payment_provider, payment_key, payment_reference, created_at)
    select user_id, id, title, user_id, 'P', 'basic', n * 100, 'USD', 'completed', '2026-11-20T12:00Z', 'pm', 'sandbox',
      'key' || n, 'sandbox_' || n, '2026-11-20T12:00Z' from beats, generate_series(1, 2) n where id = ${beatId}
    returning id::int, producer_id::int, amount_cents`;
  producerId = Number(orders[0]?.producer_id);
  for (const [index, { id, amount_cents }] of orders.entries())
    await recordSales(db, [
      {
        orderId: id,
        provider: "sandbox",
        producerId,
        amountCents: amount_cents,
        currency: "USD",
        at: new Date(Date.UTC(2026, 10, 20 + index)),
      },
    ]);
});

async function ledger(...args: string[]) {
  const dataDir = await mkdtemp(join(tmpdir(), "beatmarket-ledger-"));
  onTestFinished(() => rm(dataDir, { recursive: true }));
  return runHere(ledgerCommand, ["ledger", ...args], {
    DATABASE_URL: url,
    DATA_DIR: dataDir,
    PUBLIC_URL: "https://beats.example",
    LOG_LEVEL: "silent",
  });
}

test("export writes beancount to standard output, or into a file that is complete", async () => {
  const { out } = await ledger("export");
  expect(out.match(/^2026-11-2\d \* "Sale"/gm)).toHaveLength(2);
  const folder = await mkdtemp(join(tmpdir(), "beatmarket-export-"));
  onTestFinished(() => rm(folder, { recursive: true }));
  const { errors, out: printed } = await ledger("export", "--output", join(folder, "all.beancount"));
  expect([await readFile(join(folder, "all.beancount"), "utf8"), printed]).toEqual([out, ""]);
  expect(errors).toContain("2 movements are in ");
  expect(await readdir(folder)).toEqual(["all.beancount"]);
  const refusal = await ledger("export", "--output", join(folder, "no", "folder"));
  expect([refusal.status, refusal.errors]).toEqual([
    1,
    `error: The file ${join(folder, "no", "folder")} cannot be written (ENOENT). Choose another with --output.\n`,
  ]);
});

test("export writes through a symbolic link, and does not replace it with a file", async () => {
  const folder = await mkdtemp(join(tmpdir(), "beatmarket-ledger-output-"));
  onTestFinished(() => rm(folder, { recursive: true }));
  const link = join(folder, "latest.beancount");
  await symlink(join(folder, "november.beancount"), link);
  const { errors } = await ledger("export", "--output", link);
  expect(errors).toBe(`2 movements are in ${link}.\n`);
  expect((await lstat(link)).isSymbolicLink()).toBe(true);
  expect((await readdir(folder)).sort()).toEqual(["latest.beancount", "november.beancount"]);
});

test("export ends quietly when its reader closes the pipe", async () => {
  const main = join(import.meta.dirname, "../main.ts");
  const { stderr } = await promisify(execFile)("sh", ["-c", '"$0" "$1" ledger export | true', process.execPath, main], {
    env: { ...process.env, DATABASE_URL: url, DATA_DIR: tmpdir() },
  });
  expect(stderr).toBe("");
});

test("export --json has a line for each movement of the period", async () => {
  const { out } = await ledger("export", "--json", "--from", "2026-11-21", "--to", "2026-11-22");
  expect(
    out
      .trimEnd()
      .split("\n")
      .map((line) => JSON.parse(line)),
  ).toMatchObject([
    {
      kind: "sale",
      at: "2026-11-21T00:00:00.000Z",
      title: "Midnight",
      entries: [
        { account: "assets:sandbox", amount: "2.00", currency: "USD" },
        { account: `liabilities:producers:${producerId}`, amount: "-2.00", currency: "USD" },
      ],
    },
  ]);
});

test("balances shows each account, with the producer's name", async () => {
  expect((await ledger("balances")).out).toBe(
    `ACCOUNT                  NAME      BALANCE  CURRENCY\nassets:sandbox                     3.00     USD\nliabilities:producers:${producerId}  Nightowl  -3.00    USD\n`,
  );
  expect(JSON.parse((await ledger("balances", "--json")).out).balances).toContainEqual({
    account: `liabilities:producers:${producerId}`,
    name: "Nightowl",
    amount: "-3.00",
    currency: "USD",
  });
});

test("compare lists the differences of a day, and ends with status 1 when there are any", async () => {
  const compared = await ledger("compare", "--day", "2026-11-20");
  expect(compared.status).toBe(1);
  expect(compared.out).toMatch(
    /^sandbox: 1 difference on 2026-11-20:\n- the charge sandbox_1 of order \d+ on 2026-11-20T00:00:00.000Z, 1.00 USD, is missing at sandbox.\n$/,
  );
  const quiet = await ledger("compare", "--day", "2026-11-01", "--json");
  expect([quiet.status, JSON.parse(quiet.out)]).toEqual([
    0,
    { day: "2026-11-01", compared: [{ provider: "sandbox", differences: [] }] },
  ]);
});

test.each([
  [["export", "--from", "2026-02-30"], "It takes a date such as 2026-11-30."],
  [["compare", "--day", "yesterday"], "It takes a date such as 2026-11-30."],
])("ledger %j is refused", async (args, sentence) => {
  expect(await ledger(...args)).toMatchObject({ status: 1, out: "", errors: expect.stringContaining(sentence) });
});

test("a period that ends before it begins is refused", async () => {
  const { errors } = await ledger("export", "--from", "2026-11-02", "--to", "2026-11-01");
  expect(errors).toBe("error: --from is not before --to; exchange them.\n");
});
