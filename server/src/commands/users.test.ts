import { mkdtemp, readdir, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterTestFile } from "@beatmarket/foundation/testing/clean-up.ts";
import { expect, test } from "vitest";
import { runHere } from "../../test/harness/command.ts";
import { openTestDatabase, testDatabaseUrl } from "../../test/harness/database/database.ts";
import { permissions } from "../access/roles.ts";
import { createKey } from "../resources/api-keys/queries.ts";
import { listAudit } from "../resources/audit/queries.ts";
import { createOrganisation } from "../resources/organisations/members.ts";
import { findOrCreateAccount } from "../resources/users/accounts.ts";
import { findStanding } from "../resources/users/standing.ts";
import { keysCommand } from "./keys.ts";
import { usersCommand } from "./users.ts";

const url = await testDatabaseUrl();
const { query: db } = openTestDatabase(url);
const dataDir = await mkdtemp(join(tmpdir(), "beatmarket-users-"));
afterTestFile(() => rm(dataDir, { recursive: true }));
const email = "ada@example.com";
const { id: userId } = await findOrCreateAccount(db, { email });

const users = (...args: string[]) =>
  runHere(usersCommand, ["users", ...args], { DATABASE_URL: url, DATA_DIR: dataDir });
const newestAudit = async () => (await listAudit(db, userId, { limit: 1 }))[0];

test("users operator marks an account and removes the mark, each with one entry in its log", async () => {
  expect(await users("operator", "--email", "ADA@example.com", "--json")).toMatchObject({
    status: 0,
    out: `{"email":"ADA@example.com","operator":true}\n`,
  });
  expect(await findStanding(db, userId)).toMatchObject({ isOperator: true });
  expect(await newestAudit()).toMatchObject({ action: "account.operator_marked", author: "operator" });
  await users("operator", "--email", email);
  expect((await listAudit(db, userId, { limit: 9 })).length).toBe(1);
  expect((await users("operator", "--email", email, "--off")).out).toContain("not an operator any more");
  expect(await findStanding(db, userId)).toMatchObject({ isOperator: false });
  expect(await newestAudit()).toMatchObject({ action: "account.operator_unmarked" });
  expect(await users("operator", "--email", "nobody@example.com")).toMatchObject({
    status: 1,
    errors: "error: There is no account with the e-mail address nobody@example.com.\n",
  });
});

test("users commission sets the commission of later sales, or the default again, each with an entry in the log", async () => {
  const commissionOf = async () =>
    (await db.selectFrom("users").select("commission_basis_points").where("id", "=", userId).executeTakeFirstOrThrow())
      .commission_basis_points;
  expect(await users("commission", "--email", email, "--basis-points", "1500", "--json")).toMatchObject({
    status: 0,
    out: `{"email":"${email}","user_id":${userId},"basis_points":1500}\n`,
  });
  expect(await commissionOf()).toBe(1500);
  expect(await newestAudit()).toMatchObject({
    action: "account.commission_changed",
    subject: "To 1500 basis points",
    author: "operator",
  });
  expect((await users("commission", "--email", email, "--default")).out).toContain("is the default from now on");
  expect(await commissionOf()).toBeNull();
  expect((await users("commission", "--email", email)).errors).toContain("--basis-points or --default");
  expect((await users("commission", "--email", email, "--basis-points", "10001")).errors).toContain("from 0 to 10000");
  expect((await users("commission", "--email", "no@example.com", "--default")).status).toBe(1);
});

test("users suspend keeps the reason in the log and mails the owner, and unsuspend lifts the suspension", async () => {
  const suspended = await users("suspend", "--email", email, "--reason", "Scraping for resale", "--json");
  expect(suspended).toMatchObject({ status: 0, out: `{"email":"${email}","user_id":${userId},"suspended":true}\n` });
  expect((await findStanding(db, userId)).suspension).toMatchObject({ reason: "Scraping for resale." });
  expect(await newestAudit()).toMatchObject({
    action: "account.suspended",
    subject: "Reason: Scraping for resale.",
    author: "operator",
  });
  const [mail = ""] = await readdir(join(dataDir, "mail"));
  expect(await readFile(join(dataDir, "mail", mail), "utf8")).toContain("Scraping for resale");
  expect((await users("suspend", "--email", email, "--reason", "Again")).errors).toContain("is suspended already");
  expect((await users("unsuspend", "--email", email, "--reason", "Paid")).status).toBe(0);
  expect((await findStanding(db, userId)).suspension).toBeNull();
  expect((await users("unsuspend", "--email", email, "--reason", "Paid")).errors).toContain("is not suspended");
  expect((await users("suspend", "--email", email, "--reason", " ")).errors).toContain("The reason is a sentence");
});

test("users suspend and unsuspend accept an organisation by its username, and mail its owners", async () => {
  const author = { clientAddress: "192.0.2.1", userAgent: "", personId: userId };
  const maker = { personId: userId, author, now: new Date() };
  const { id, username } = await createOrganisation(db, "Acme Records", maker);
  const mails = async () => {
    const folder = join(dataDir, "mail");
    const texts = await Promise.all((await readdir(folder)).map((file) => readFile(join(folder, file), "utf8")));
    return texts.filter((text) => text.includes(`@${username}`) && text.includes(`To: ${email}\n`));
  };
  const suspended = await users(
    "suspend",
    "--organisation",
    `@${username.toUpperCase()}`,
    "--reason",
    "Spam",
    "--json",
  );
  expect(JSON.parse(suspended.out)).toMatchObject({ user_id: id, suspended: true });
  expect((await findStanding(db, id)).suspension).toMatchObject({ reason: "Spam." });
  expect((await findStanding(db, userId)).suspension).toBeNull();
  expect(await mails()).toEqual([expect.stringContaining("nobody can sign in to it or act as it")]);
  const lifted = await users("unsuspend", "--organisation", username, "--reason", "Settled");
  expect(lifted.out).toBe(`@${username} (user ${id}) is not suspended any more.\n`);
  expect(await mails()).toHaveLength(2);
  expect((await users("suspend", "--organisation", "ada", "--reason", "Spam")).errors).toContain(
    "no organisation @ada",
  );
  expect((await users("suspend", "--reason", "Spam")).errors).toContain("--email for a person, or --organisation");
  const result = await users("suspend", "--email", email, "--organisation", username, "--reason", "Spam");
  expect(result).toMatchObject({ status: 1, errors: expect.stringContaining("cannot be used with") });
});

test("an operator cannot be suspended before the mark is removed", async () => {
  await users("operator", "--email", email);
  expect((await users("suspend", "--email", email, "--reason", "Abuse")).errors).toContain("users operator --off");
  await users("operator", "--email", email, "--off");
});

test("keys plan changes a key's plan, with one log entry, and refuses revoked keys and unknown plans", async () => {
  const newKey = { userId, name: "Website", plan: "standard", permissions, expiresAt: null } as const;
  const { id } = await createKey(db, newKey, new Date());
  const plan = (...args: string[]) => runHere(keysCommand, ["keys", "plan", ...args], { DATABASE_URL: url });
  expect(await plan(String(id), "partner", "--json")).toMatchObject({ out: `{"id":${id},"plan":"partner"}\n` });
  expect(await newestAudit()).toMatchObject({
    action: "api_key.plan_changed",
    subject: expect.stringMatching(/: standard to partner$/),
    author: "operator",
  });
  expect((await plan(String(id), "gold")).errors).toContain("Allowed choices are standard, plus, partner, internal");
  await runHere(keysCommand, ["keys", "revoke", String(id)], { DATABASE_URL: url });
  expect((await plan(String(id), "plus")).errors).toContain("is revoked");
});
