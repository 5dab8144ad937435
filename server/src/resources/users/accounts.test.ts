import { beforeAll, describe, expect, test } from "vitest";
import { testDatabase } from "../../../test/harness/database/database.ts";
import type { Queryable } from "../../database/connect.ts";
import { createAccount, findAccount, findOrCreateAccount } from "./accounts.ts";

let db: Queryable;

beforeAll(async () => {
  db = (await testDatabase()).query;
});

describe("an account", () => {
  test("is the same for an e-mail address in upper and lower case", async () => {
    const account = await createAccount(db, { email: " Jane.Doe@Example.COM ", name: "Jane" });
    expect(account).toMatchObject({ email: "jane.doe@example.com", display_name: "Jane", username: "jane" });
    expect(await findAccount(db, "JANE.DOE@example.com")).toEqual(account);
    expect(await findOrCreateAccount(db, { email: "jane.doe@EXAMPLE.com", name: "Other" })).toEqual(account);
    await expect(createAccount(db, { email: "jane.doe@example.com" })).rejects.toMatchObject({
      status: 409,
      details: "There is already an account with the e-mail address jane.doe@example.com.",
    });
    expect(await findAccount(db, "nobody@example.com")).toBeNull();
  });

  test.each([createAccount, findOrCreateAccount])(
    "without a name gets a random name, which does not reveal the address: %o",
    async (make) => {
      const { display_name, username } = await make(db, { email: `max.power+${make.name}@example.com` });
      expect(display_name).toMatch(/^user-\d{1,9}$/);
      expect(username).toBe(display_name);
    },
  );

  test.each([
    ["Zoë Ångström", "zoe-angstrom"],
    ["Дмитрий", "user"],
    ["--- Beat & Bass! ---", "beat-bass"],
    ["x".repeat(100), "x".repeat(40)],
  ])("of %s has the username %s", async (name, username) => {
    const email = `${Buffer.from(name).toString("hex").slice(0, 30)}@example.org`;
    expect(await createAccount(db, { email, name })).toMatchObject({ username, display_name: name });
  });

  test("gets another username if the username exists", async () => {
    const accounts = await Promise.all(
      Array.from({ length: 20 }, (_, i) => createAccount(db, { email: `info@shop-${i}.example`, name: "Info" })),
    );
    const usernames = new Set(accounts.map((account) => account.username));
    expect(usernames.size).toBe(20);
    for (const username of usernames) expect(username).toMatch(/^info(-\d+)?$/);
  });

  test("is created once by many concurrent requests", async () => {
    const accounts = await Promise.all(
      Array.from({ length: 20 }, () => findOrCreateAccount(db, { email: "rush@example.com" })),
    );
    expect(new Set(accounts.map((account) => account.id)).size).toBe(1);
  });

  test.each([
    "",
    "jane",
    "jane@",
    "@example.com",
    "a b@example.com",
    "a@b@c",
    "a@b..c",
    "a\u0000@example.com",
    `${"x".repeat(250)}@example.com`,
  ])("is not created for %j, which is not an e-mail address", async (email) => {
    await expect(createAccount(db, { email, name: "Somebody" })).rejects.toMatchObject({ status: 400 });
    await expect(findAccount(db, email)).rejects.toMatchObject({ status: 400 });
  });

  test.each(["  ", "x".repeat(101)])("is not created with the name %j", async (name) => {
    await expect(createAccount(db, { email: "noname@example.com", name })).rejects.toMatchObject({ status: 400 });
  });
});
