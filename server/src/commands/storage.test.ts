import { createHash } from "node:crypto";
import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { pathToFileURL } from "node:url";
import { claimStorage } from "@beatmarket/storage/claim-storage.ts";
import { FolderStorage } from "@beatmarket/storage/folder-storage.ts";
import { objectKey } from "@beatmarket/storage/storage.ts";
import { StoredObjects } from "@beatmarket/storage/stored-objects.ts";
import { afterAll, beforeEach, expect, test } from "vitest";
import { runHere } from "../../test/harness/command.ts";
import { openTestDatabase, testDatabaseUrl } from "../../test/harness/database/database.ts";
import { storageCommand } from "./storage.ts";

const url = await testDatabaseUrl();
const { driver, query } = openTestDatabase(url);
const folder = await mkdtemp(join(tmpdir(), "beatmarket-verify-"));
afterAll(() => rm(folder, { recursive: true }));
await driver`insert into users (username, display_name) values ('nightowl', 'Nightowl')`;

const hash = (content: string): string => createHash("sha256").update(content).digest("hex");
const contents = ["used", "unused", "also used"];
let root = "";
let objects: StoredObjects;
let names = 0;

beforeEach(async () => {
  root = join(folder, `storage-${names++}`);
  const storage = new FolderStorage(root);
  await driver`truncate stored_objects, object_deletions, storage_identity, uploads cascade`;
  objects = new StoredObjects(query, storage, await claimStorage(query, storage, { mayReplace: false }));
  for (const content of contents) await store(content);
  await driver`
    insert into uploads (id, user_id, kind, filename, bytes, created_at, expires_at)
    select 'upl_1', id, 'audio', 'a.wav', 1, now(), now() from users limit 1`;
  await driver`
    insert into upload_files (upload_id, name, sha256, bytes, content_type)
    values ('upl_1', 'original', ${hash("used")}, 4, 'audio/wav'), ('upl_1', 'cover', ${hash("also used")}, 9, 'image/png')`;
});

async function store(content: string): Promise<void> {
  await writeFile(join(folder, "file"), content);
  await objects.store(join(folder, "file"));
}
const write = async (content: string, under = content): Promise<void> => {
  const path = join(root, objectKey(hash(under)));
  await mkdir(dirname(path), { recursive: true });
  await writeFile(path, content);
};
const remove = (content: string) => rm(join(root, objectKey(hash(content))));

const verify = (...args: string[]) =>
  runHere(storageCommand, ["storage", "verify", ...args], { DATABASE_URL: url, STORAGE_URL: pathToFileURL(root).href });
const findings = async (...args: string[]) => {
  const { out, status } = await verify("--json", ...args);
  const report = JSON.parse(out) as { findings: { sha256: string; fault: string; is_repaired: boolean }[] };
  return { status, found: report.findings.map(({ sha256, fault, is_repaired }) => [sha256, fault, is_repaired]) };
};

test("a healthy storage has no problems, with and without --checksums and --repair", async () => {
  for (const args of [[], ["--checksums"], ["--repair"]])
    expect(await verify(...args)).toEqual({
      out: `All is well: 3 files with 19 bytes in the folder ${root}.\n`,
      errors: "",
      status: 0,
    });
  expect(JSON.parse((await verify("--json")).out)).toEqual({
    place: `the folder ${root}`,
    objects: 3,
    bytes: 19,
    findings: [],
  });
});

test("missing, damaged and unknown objects are reported, with the rows that refer to them and the remedy", async () => {
  await remove("used");
  await write("un", "unused");
  await write("nobody's");
  const { out, status } = await verify();
  expect(status).toBe(1);
  expect(out).toMatch(
    new RegExp(
      `missing +${hash("used")} +4 +upload_files \\(upload_id upl_1, name original\\) +restore it from a backup`,
    ),
  );
  expect(out).toMatch(new RegExp(`damaged +${hash("unused")} +6 +nothing +run the command with --repair`));
  expect(out).toMatch(new RegExp(`unknown +${hash("nobody's")} +8 +nothing +run the command with --repair`));
  expect(out).toMatch(/3 faults among 4 files/);
});

test("the checksum detects other content of the same size", async () => {
  await write("USED", "used");
  expect(await findings()).toEqual({ status: 0, found: [] });
  expect(await findings("--checksums")).toEqual({ status: 1, found: [[hash("used"), "damaged", false]] });
});

test("--repair removes objects without a reference, and the sweeper deletes their files", async () => {
  await remove("unused");
  await write("nobody's");
  const expected = [
    [hash("nobody's"), "unknown", true],
    [hash("unused"), "missing", true],
  ].sort();
  expect(await findings("--repair")).toEqual({ status: 0, found: expected });
  expect(await findings()).toEqual({ status: 0, found: [] });
  await driver`update stored_objects set touched_at = now() - interval '2 hours'`;
  expect(await objects.sweep(new AbortController().signal)).toBe(1);
  expect(await Array.fromAsync(new FolderStorage(root).list())).toHaveLength(2);
});

test("storing the same file again repairs a missing or damaged object", async () => {
  await remove("used");
  await write("ALSO USED", "also used");
  expect((await findings("--repair", "--checksums")).status).toBe(1);
  for (const content of contents) await store(content);
  expect(await findings("--checksums")).toEqual({ status: 0, found: [] });
});

test("an object that is being stored or deleted is not reported", async () => {
  await driver`insert into stored_objects (sha256, bytes, touched_at) values (${hash("coming")}, 6, now())`;
  await driver`insert into object_deletions (sha256, leased_until) values (${hash("going")}, now())`;
  await write("going");
  expect(await findings("--repair")).toEqual({ status: 0, found: [] });
});

test("another storage than the service's is refused", async () => {
  root = join(folder, "another");
  const { errors, status } = await verify("--repair");
  expect(errors).toMatch(/^error: The files of this database are in the folder .* not in the folder .*another\./);
  expect(status).toBe(1);
});
