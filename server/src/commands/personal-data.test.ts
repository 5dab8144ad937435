import { mkdtemp, readdir, readFile, stat, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test } from "vitest";
import { runHere } from "../../test/harness/command.ts";
import { openTestDatabase, testDatabaseUrl } from "../../test/harness/database/database.ts";
import { findAccount, findOrCreateAccount } from "../resources/users/accounts.ts";
import { usersCommand } from "./users.ts";

const url = await testDatabaseUrl();
const { query: db } = openTestDatabase(url);
const run = (...args: string[]) => runHere(usersCommand, ["users", ...args], { DATABASE_URL: url });

test("an account is exported to standard output, or to a file that only its owner can read", async () => {
  const { id } = await findOrCreateAccount(db, { email: "ada@example.com", name: "Ada" });
  const { out } = await run("export", "Ada@example.com");
  expect(JSON.parse(out)).toMatchObject({ account: {}, profile: [{ id, email: "ada@example.com" }], orders: [] });
  const file = join(await mkdtemp(join(tmpdir(), "beatmarket-export-")), "ada.json");
  expect((await run("export", "ada@example.com", "--out", file)).out).toBe(`Everything of user ${id} is in ${file}.\n`);
  expect(JSON.parse(await readFile(file, "utf8")).profile[0].id).toBe(id);
  expect((await stat(file)).mode & 0o777).toBe(0o600);
  expect(JSON.parse((await run("export", "ada@example.com", "--out", `${file}.2`, "--json")).out)).toEqual({
    user_id: id,
    file: `${file}.2`,
  });
});

test("an export that cannot be written is refused with the name of the file, and overwrites nothing", async () => {
  await findOrCreateAccount(db, { email: "eve@example.com", name: "Eve" });
  const folder = await mkdtemp(join(tmpdir(), "beatmarket-export-"));
  const file = join(folder, "eve.json");
  await writeFile(file, "of before");
  expect(await run("export", "eve@example.com", "--out", file)).toMatchObject({
    status: 1,
    errors: `error: The file ${file} exists already, and is not overwritten. Choose another with --out.\n`,
  });
  expect(await readFile(file, "utf8")).toBe("of before");
  const missing = join(folder, "no", "eve.json");
  expect(await run("export", "eve@example.com", "--out", missing)).toMatchObject({
    status: 1,
    errors: `error: The file ${missing} cannot be written (ENOENT). Choose another with --out.\n`,
  });
  expect(await readdir(folder)).toEqual(["eve.json"]);
});

test.each(["export", "erase"])("users %s of an unknown address is refused with the address", async (command) => {
  const { status, errors } = await run(command, "nobody@example.com", ...(command === "erase" ? ["--yes"] : []));
  expect([status, errors]).toEqual([1, expect.stringMatching(/^error: .*nobody@example\.com/)]);
});

test("an account is erased only with --yes, and can be created again", async () => {
  const { id } = await findOrCreateAccount(db, { email: "bob@example.com", name: "Bob" });
  const refusal = await run("erase", "bob@example.com");
  expect([refusal.status, refusal.errors]).toEqual([
    1,
    `error: This deletes user ${id}, Bob, permanently. Add --yes to confirm. To keep a copy, run users export first.\n`,
  ]);
  expect(await findAccount(db, "bob@example.com")).not.toBeNull();
  expect(JSON.parse((await run("erase", "bob@example.com", "--yes", "--json")).out)).toEqual({
    user_id: id,
    erased: true,
    // After a restore, it shows which accounts must be erased again (docs/privacy.md).
    erased_at: expect.stringMatching(/^\d{4}-\d\d-\d\dT.*Z$/),
  });
  expect(await findAccount(db, "bob@example.com")).toBeNull();
  expect((await findOrCreateAccount(db, { email: "bob@example.com" })).id).not.toBe(id);
});
