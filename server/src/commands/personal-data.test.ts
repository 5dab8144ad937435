import { mkdtemp, readFile, stat } from "node:fs/promises";
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

test("an account is exported to standard output, or to a file that only its owner reads", async () => {
  const { id } = await findOrCreateAccount(db, { email: "ada@example.com", name: "Ada" });
  const { out } = await run("export", "Ada@example.com");
  expect(JSON.parse(out)).toMatchObject({ account: {}, profile: [{ id, email: "ada@example.com" }], orders: [] });
  const file = join(await mkdtemp(join(tmpdir(), "beatmarket-export-")), "ada.json");
  await run("export", "ada@example.com", "--out", file);
  expect(JSON.parse(await readFile(file, "utf8")).profile[0].id).toBe(id);
  expect((await stat(file)).mode & 0o777).toBe(0o600);
});

test("an account is erased with --yes alone, and may be made anew", async () => {
  const { id } = await findOrCreateAccount(db, { email: "bob@example.com", name: "Bob" });
  const refused = await run("erase", "bob@example.com");
  expect([refused.status, refused.errors]).toEqual([1, expect.stringContaining("--yes")]);
  expect(await findAccount(db, "bob@example.com")).not.toBeNull();
  expect(JSON.parse((await run("erase", "bob@example.com", "--yes", "--json")).out)).toEqual({
    user_id: id,
    erased: true,
  });
  expect(await findAccount(db, "bob@example.com")).toBeNull();
  expect((await findOrCreateAccount(db, { email: "bob@example.com" })).id).not.toBe(id);
  expect((await run("erase", "bob@example.com.example", "--yes")).status).toBe(1);
});
