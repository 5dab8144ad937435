import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { openSecretBox, sealUnder } from "@beatmarket/secret-box/secret-box.ts";
import { expect, onTestFinished, test } from "vitest";
import { addAccount, authenticationDatabase } from "../testing/authentication-database.ts";
import {
  addAuthenticator,
  authenticatorPlace,
  countRecoveryCodes,
  findAuthenticator,
  forgetAuthenticator,
  hasSecondFactor,
  removeAuthenticator,
  resealAuthenticators,
  useRecoveryCode,
  useStep,
} from "./authenticator-rows.ts";

const database = await authenticationDatabase();
const { query: db } = database;
const now = new Date("2026-11-20T08:00:00Z");

let accounts = 0;
async function accountWithAuthenticator(sealed = "sealed"): Promise<string> {
  const accountId = await addAccount(database, ++accounts);
  const recoveryCodes = ["AAAA-BBBB-CCCC-DDDD", "EEEE-FFFF-GGGG-HHHH"];
  expect(await addAuthenticator(db, { accountId, sealed, lastStep: 7, recoveryCodes, now })).toBe(true);
  return accountId;
}

test("an account has one authenticator", async () => {
  const accountId = await accountWithAuthenticator();
  const second = { accountId, sealed: "other", lastStep: 1, recoveryCodes: ["X"], now };
  expect(await addAuthenticator(db, second)).toBe(false);
  expect(await findAuthenticator(db, accountId)).toEqual({ secret: "sealed", createdAt: now });
  expect(await hasSecondFactor(db, accountId)).toBe(true);
});

test("a code works once, and no earlier code works after it", async () => {
  const accountId = await accountWithAuthenticator();
  expect(await useStep(db, accountId, 9)).toBe(true);
  expect(await useStep(db, accountId, 9)).toBe(false);
  expect(await useStep(db, accountId, 8)).toBe(false);
});

test("a recovery code works once, with or without hyphens, and only for its account", async () => {
  const accountId = await accountWithAuthenticator();
  const stranger = await accountWithAuthenticator();
  expect(await useRecoveryCode(db, accountId, "AAAABBBBCCCCDDDD")).toBe(true);
  expect(await useRecoveryCode(db, accountId, "AAAA-BBBB-CCCC-DDDD")).toBe(false);
  expect([await countRecoveryCodes(db, accountId), await countRecoveryCodes(db, stranger)]).toEqual([1, 2]);
});

test("an authenticator is removed with its recovery codes, unless it is older than the given time", async () => {
  const accountId = await accountWithAuthenticator();
  await forgetAuthenticator(db, accountId, new Date(now.getTime() + 1));
  expect(await hasSecondFactor(db, accountId)).toBe(true);
  await forgetAuthenticator(db, accountId, now);
  expect(await hasSecondFactor(db, accountId)).toBe(false);
  expect(await countRecoveryCodes(db, accountId)).toBe(0);
  expect(await removeAuthenticator(db, accountId)).toBe(false);
});

test("a rotation seals each secret under the new key, and names the accounts whose secret no key opens", async () => {
  await database.driver`delete from portal_authenticators`;
  const dataDir = await mkdtemp(join(tmpdir(), "beatmarket-authenticators-"));
  onTestFinished(() => rm(dataDir, { recursive: true }));
  const box = await openSecretBox({ dataDir, secretKey: "n".repeat(40), secretKeyPrevious: "o".repeat(40) });
  const opened = await accountWithAuthenticator();
  const place = authenticatorPlace(opened);
  await db
    .updateTable("portal_authenticators")
    .set({ secret: sealUnder(box.keys.oldest, place, "SECRET") })
    .where("account_id", "=", opened)
    .execute();
  await accountWithAuthenticator("v2:unknown:AAAA");
  expect(await resealAuthenticators(db, box, box.keys.newest)).toEqual({
    resealed: 1,
    unopened: [`ada${accounts}@example.com`],
  });
  const sealed = (await findAuthenticator(db, opened))?.secret ?? "";
  expect(sealed).toContain(box.keys.newest.id);
  expect(box.open(sealed, place)).toBe("SECRET");
});
