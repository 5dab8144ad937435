import { mkdtemp, readdir, readFile, rm } from "node:fs/promises";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { beforeEach, expect, onTestFinished, test } from "vitest";
import { runHere } from "../../test/harness/command.ts";
import { openTestDatabase, testDatabaseUrl } from "../../test/harness/database/database.ts";
import { claimsCommand } from "./claims.ts";

const url = await testDatabaseUrl();
const { driver } = openTestDatabase(url);
let producer = 0;

beforeEach(async () => {
  await driver`truncate users, producer_claims cascade`;
  const [row] = await driver`
    insert into users (username, display_name, import_name, is_producer) values ('ana', 'Ana', 'ana', true) returning id`;
  producer = Number(row?.id);
});

/** Runs `beatmarket claims` within this process. */
async function claims(args: string[], settings: Record<string, string> = {}) {
  const dataDir = await mkdtemp(join(tmpdir(), "beatmarket-claims-"));
  onTestFinished(() => rm(dataDir, { recursive: true }));
  const env = { DATABASE_URL: url, DATA_DIR: dataDir, PUBLIC_URL: "https://beats.example", LOG_LEVEL: "silent" };
  const output = await runHere(claimsCommand, ["claims", ...args], { ...env, ...settings });
  const mailFolder = join(dataDir, "mail");
  const names = await readdir(mailFolder).catch(() => []);
  const mails = await Promise.all(names.map((name) => readFile(join(mailFolder, name), "utf8")));
  return { ...output, mails };
}
const create = (settings?: Record<string, string>) =>
  claims(["create", String(producer), "--email", "Ana@Example.com", "--json"], settings);

test("create mails a link and prints the producer's name, but no secret", async () => {
  const { out, errors, mails, status } = await create();
  expect([errors, status]).toEqual(["", 0]);
  const claim = JSON.parse(out);
  expect(claim).toMatchObject({
    producer_id: producer,
    producer_name: "Ana",
    email: "ana@example.com",
    state: "waiting",
    user_id: null,
  });
  expect(Date.parse(claim.expires_at) - Date.parse(claim.created_at)).toBe(86_400_000);
  expect(mails).toHaveLength(1);
  expect(mails[0]).toContain("To: ana@example.com\n");
  expect(mails[0]).toContain(`mailbox: Ana\n\nhttps://beats.example/v1/users/${producer}\n`);
  const token = /https:\/\/beats\.example\/portal\/claim#([\w-]{43})\n/.exec(mails[0] ?? "")?.[1];
  expect(token).toBeDefined();
  expect(out).not.toContain(token);
});

test("a mail that cannot be sent leaves no claim", async () => {
  const server = createServer((socket) => socket.end("554 not today\r\n"));
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  onTestFinished(() => void server.close());
  const { port } = server.address() as { port: number };
  const { out, errors, status } = await create({ SMTP_URL: `smtp://127.0.0.1:${port}` });
  expect([out, status]).toEqual(["", 1]);
  expect(errors).toMatch(/^error: The mail to ana@example\.com was not sent, so there is no claim: .*Check SMTP_URL/);
  expect(await driver`select id from producer_claims`).toEqual([]);
});

test("list shows claims, and revoke ends one that is not confirmed", async () => {
  const { id } = JSON.parse((await create()).out);
  expect((await claims(["list"])).out).toMatch(new RegExp(`${id} +${producer} +Ana +ana@example\\.com +waiting`));
  expect(JSON.parse((await claims(["list", "--json"])).out)).toMatchObject([{ id, state: "waiting" }]);
  expect(JSON.parse((await claims(["revoke", String(id), "--json"])).out)).toEqual({ id });
  expect((await claims(["list"])).out).toBe("No claims.\n");
});

test.each([
  ["create 999999 --email ana@example.com", "There is no producer 999999."],
  ["create PRODUCER --email ana", '"ana" is not an e-mail address such as name@example.com.'],
  ["revoke 999999", "There is no claim 999999."],
])("claims %s is refused with a sentence", async (words, why) => {
  const { out, errors, mails, status } = await claims(words.replace("PRODUCER", String(producer)).split(" "));
  expect([out, errors, mails, status]).toEqual(["", `error: ${why}\n`, [], 1]);
});
