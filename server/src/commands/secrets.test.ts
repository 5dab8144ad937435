import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import {
  addAuthenticator,
  authenticatorPlace,
  findAuthenticator,
} from "@beatmarket/authentication/authenticator-rows.ts";
import { eventually } from "@beatmarket/foundation/testing/eventually.ts";
import { startProgram, until } from "@beatmarket/postgres/testing/processes.ts";
import { openSecretBox, type SecretBox } from "@beatmarket/secret-box/secret-box.ts";
import { SigningKeys } from "@beatmarket/signing-keys/keys.ts";
import { openBucketKey } from "@beatmarket/webhooks/endpoints/destination.ts";
import { secretsOf } from "@beatmarket/webhooks/endpoints/endpoints.ts";
import { sql } from "kysely";
import { beforeEach, expect, onTestFinished, test } from "vitest";
import { runHere } from "../../test/harness/command.ts";
import { openTestDatabase, testDatabaseUrl } from "../../test/harness/database/database.ts";
import { findOrCreateAccount } from "../resources/users/accounts.ts";
import { createEndpoint, rotateSecret } from "../resources/webhooks/endpoints.ts";
import { secretsCommand } from "./secrets.ts";

const url = await testDatabaseUrl();
const { query: db } = openTestDatabase(url);
const { id: userId } = await findOrCreateAccount(db, { email: "subscriber@example.com" });
const [oldKey, newKey] = ["the key that has sealed so far, long enough", "the key that seals from now on, long enough"];
const now = new Date();

const boxWith = (secretKey: string, secretKeyPrevious?: string) =>
  openSecretBox({ dataDir: "/nonexistent", secretKey, secretKeyPrevious });
const [before, during, after] = await Promise.all([boxWith(oldKey), boxWith(newKey, oldKey), boxWith(newKey)]);

const create = async (secrets: SecretBox) => {
  const request = { userId, url: "https://receiver.example/", eventTypes: null };
  const { endpoint, secret } = await createEndpoint(db, request, { secrets, allowPrivate: false, now }, "operator");
  return { id: endpoint.id, secret };
};
/** The secrets that sign for an endpoint, as an instance with these keys opens them. */
const openedSecrets = (secrets: SecretBox, { id }: { id: number }) => secretsOf(db, id, "operator", { secrets, now });
/** Creates a bucket, whose access key is sealed too. */
const createBucket = async (secrets: SecretBox) => {
  const bucketKey = { accessKeyId: "AKIA1", secretAccessKey: "secret-of-the-bucket" };
  const request = { userId, url: "s3://events/?region=eu-central-1", bucketKey, eventTypes: null };
  const { endpoint } = await createEndpoint(db, request, { secrets, allowPrivate: false, now }, "operator");
  return { id: endpoint.id, bucketKey };
};
const openedKey = async (secrets: SecretBox, { id }: { id: number }) =>
  openBucketKey(
    id,
    await db.selectFrom("webhook_endpoints").selectAll().where("id", "=", id).executeTakeFirstOrThrow(),
    secrets,
  );
const keysInUse = async () => {
  const { rows } = await sql<{ key: string }>`
    select distinct split_part(sealed, ':', 1) || ' ' || split_part(sealed, ':', 2) as key
    from webhook_endpoints, unnest(array[secret, previous_secret, secret_access_key]) as sealed
    where sealed is not null`.execute(db);
  return rows.map(({ key }) => key);
};
const sealedUnder = (box: SecretBox) => [`v2 ${box.keys.newest.id}`];

beforeEach(async () => {
  await db.deleteFrom("webhook_endpoints").execute();
  await db.deleteFrom("signing_keys").execute();
  await db.deleteFrom("portal_authenticators").execute();
  await db.updateTable("sealing_key").set({ id: null, format: 2 }).execute();
});

const rotate = (env: Record<string, string>, ...args: string[]) =>
  runHere(secretsCommand, ["secrets", "rotate", ...args], { DATABASE_URL: url, ...env });
const bothKeys = { SECRET_KEY: newKey, SECRET_KEY_PREVIOUS: oldKey };

test("SECRET_KEY changes while instances with and without the new key run: no secret is ever unreadable", async () => {
  const [first, second] = [await create(before), await create(during)];
  await rotateSecret(db, second.id, "operator", 3_600_000, { secrets: during, now });
  const expected = [first.secret, ...(await openedSecrets(before, second))];
  const bucket = await createBucket(before);

  const signed = await new SigningKeys(db, before).sign({ jti: "x" }, "example+jwt", now);
  await sql`
    insert into portal_users (id, user_id, name, email, email_verified, created_at, updated_at)
    values ('a', ${userId}, 's', 'subscriber@example.com', true, now(), now())`.execute(db);
  const sealed = await before.seal(db, authenticatorPlace("a"), "GEZDGNBV");
  await addAuthenticator(db, { accountId: "a", sealed, lastStep: 0, recoveryCodes: ["AAAA"], now });

  const { out } = await rotate(bothKeys, "--json");
  expect(JSON.parse(out)).toEqual({
    key: after.keys.newest.id,
    previous_key: before.keys.newest.id,
    authenticators: { resealed: 1, unopened: [] },
    resealed: 3,
    unopened: [],
    signing_keys: { resealed: 1, unopened: [] },
  });
  expect(await openedKey(after, bucket)).toEqual(bucket.bucketKey);
  const authenticator = (await findAuthenticator(db, "a"))?.secret ?? "";
  expect(after.open(authenticator, authenticatorPlace("a"))).toBe("GEZDGNBV");
  expect(await new SigningKeys(db, after).sign({ jti: "x" }, "example+jwt", now)).toBe(signed);
  expect(await keysInUse()).toEqual(sealedUnder(after));
  for (const box of [during, after])
    expect([...(await openedSecrets(box, first)), ...(await openedSecrets(box, second))]).toEqual(expected);
  const third = await create(during);
  expect(await openedSecrets(after, third)).toEqual([third.secret]);

  const again = await rotate(bothKeys);
  expect(again.out).toMatch(/^Every secret is sealed under the key \w+ already\.\nTo change it, give every server/);
});

test("secrets of earlier releases, which are bound to no row, are bound to their rows", async () => {
  await db.updateTable("sealing_key").set({ format: 1 }).execute();
  const [one, other] = [await create(before), await create(before)];
  expect((await keysInUse())[0]).toMatch(/^v1 /);
  await rotate({ SECRET_KEY: oldKey });
  expect(await keysInUse()).toEqual(sealedUnder(before));
  expect(await openedSecrets(before, one)).toEqual([one.secret]);
  await sql`
    update webhook_endpoints set secret = (select secret from webhook_endpoints where id = ${one.id})
    where id = ${other.id}`.execute(db);
  await expect(openedSecrets(before, other)).rejects.toThrow(`row ${other.id} was changed, or sealed for another row`);
});

test("a rotation that was killed resumes where it stopped", async () => {
  await db.updateTable("sealing_key").set({ format: 1 }).execute();
  const { secret } = await create(before);
  // One full batch, and one more endpoint, whose row is locked.
  await sql`
    insert into webhook_endpoints (user_id, url, secret, created_at)
    select user_id, url, secret, created_at from webhook_endpoints cross join generate_series(1, 100)`.execute(db);
  const { id } = await db
    .selectFrom("webhook_endpoints")
    .select(({ fn }) => fn.max("id").as("id"))
    .executeTakeFirstOrThrow();
  await db.transaction().execute(async (transaction) => {
    await transaction.selectFrom("webhook_endpoints").select("id").where("id", "=", id).forUpdate().execute();
    const program = startProgram(process.execPath, [join(import.meta.dirname, "../main.ts"), "secrets", "rotate"], {
      env: { ...process.env, DATABASE_URL: url, ...bothKeys },
    });
    await program.waitForStderr("Sealed 100 endpoints");
    // The program is killed within its second batch. Its connection waits for the lock, and stays open after the kill
    // until the test ends the session.
    const waiting = sql<{ pid: number }>`
      select pid from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`;
    await until(async () => (await waiting.execute(db)).rows.length === 1);
    program.child.kill("SIGKILL");
    await program.ended;
    const { rows } = await waiting.execute(db);
    expect(rows).toHaveLength(1);
    await sql`select pg_terminate_backend(${rows[0]?.pid})`.execute(db);
  });
  expect((await keysInUse()).length).toBeGreaterThan(1);
  expect(await openedSecrets(during, { id })).toEqual([secret]);
  await eventually(async () =>
    expect(JSON.parse((await rotate(bothKeys, "--json")).out)).toMatchObject({ resealed: 1 }),
  );
  expect(await keysInUse()).toEqual(sealedUnder(after));
  expect(await openedSecrets(after, { id })).toEqual([secret]);
});

test("a wrong key is refused, and nothing changes; secrets of a lost key are abandoned on request", async () => {
  const endpoint = await create(before);
  const { errors } = await rotate({ SECRET_KEY: newKey });
  expect(errors).toBe(
    `error: The secrets in the database are sealed under the key ${before.keys.newest.id}, and this process has ${after.keys.newest.id}. Give the key that is missing as SECRET_KEY, or as SECRET_KEY_PREVIOUS during a rotation.\n`,
  );
  expect(process.exitCode).toBe(1);
  expect(await openedSecrets(before, endpoint)).toEqual([endpoint.secret]);

  const { out } = await rotate({ SECRET_KEY: newKey }, "--lost-key");
  expect(out).toContain(
    `No key opens the secrets of endpoint ${endpoint.id}. Give each endpoint a new secret: \`npx beatmarket webhooks`,
  );
  const { secret } = await rotateSecret(db, endpoint.id, "operator", 3_600_000, { secrets: after, now });
  expect(await openedSecrets(after, endpoint)).toEqual([secret]);
});

test("a rotation without SECRET_KEY creates a key in DATA_DIR, keeps the previous one, and deletes older ones", async () => {
  const dataDir = await mkdtemp(join(tmpdir(), "beatmarket-rotate-"));
  onTestFinished(() => rm(dataDir, { recursive: true }));
  const file = join(dataDir, "secret-key");
  const keys = async () => (await readFile(file, "utf8")).trim().split("\n");
  const running = await openSecretBox({ dataDir, secretKey: undefined });
  const endpoint = await create(running);
  const [first] = await keys();
  await rotate({ DATA_DIR: dataDir });
  const [second, ...rest] = await keys();
  expect([second === first, rest]).toEqual([false, [first]]);
  expect(await openedSecrets(running, endpoint)).toEqual([endpoint.secret]);
  await rotate({ DATA_DIR: dataDir });
  expect((await keys()).slice(1)).toEqual([second]);

  // The state that a rotation leaves when it is killed before it sealed anything under its new key.
  await writeFile(file, `${newKey.replaceAll(" ", "-")}\n${(await keys()).join("\n")}\n`);
  await rotate({ DATA_DIR: dataDir });
  expect((await keys())[0]).toBe(newKey.replaceAll(" ", "-"));
  expect(await keys()).toHaveLength(2);
  expect(await openedSecrets(running, endpoint)).toEqual([endpoint.secret]);
});
