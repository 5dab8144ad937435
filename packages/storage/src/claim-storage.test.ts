import { mkdir, mkdtemp, rename, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { OperatorError } from "@beatmarket/foundation/errors.ts";
import { afterAll, beforeEach, expect, test } from "vitest";
import { storageDatabase } from "../testing/storage-database.ts";
import { claimStorage } from "./claim-storage.ts";
import { FolderStorage } from "./folder-storage.ts";
import { StoredObjects } from "./stored-objects.ts";

const { driver, query } = await storageDatabase();
const folder = await mkdtemp(join(tmpdir(), "beatmarket-claims-"));
afterAll(() => rm(folder, { recursive: true }));
let names = 0;
const newFolder = () => join(folder, `storage-${names++}`);

beforeEach(() => driver`truncate stored_objects, object_deletions, storage_identity cascade`);

const claim = (root: string, { mayReplace = false } = {}): Promise<string> =>
  claimStorage(query, new FolderStorage(root), { mayReplace });

async function storeIn(root: string, identity: string): Promise<void> {
  await writeFile(join(folder, "beat"), "beat");
  await new StoredObjects(query, new FolderStorage(root), identity).store(join(folder, "beat"));
}

test("the first server claims its storage; every later server with the same storage is accepted", async () => {
  const root = newFolder();
  const id = await claim(root);
  expect(await Promise.all([claim(root), claim(root), claim(`${root}/`)])).toEqual([id, id, id]);
});

test("exactly one of several servers with different folders that start together is accepted", async () => {
  const outcomes = await Promise.allSettled([claim(newFolder()), claim(newFolder()), claim(newFolder())]);
  expect(outcomes.filter(({ status }) => status === "fulfilled").length).toBe(1);
});

test("another folder than the claimed folder is refused with a sentence that names both and STORAGE_URL", async () => {
  const [claimed, other] = [newFolder(), newFolder()];
  await claim(claimed);
  await expect(claim(other)).rejects.toThrow(OperatorError);
  await expect(claim(other)).rejects.toThrow(
    new RegExp(`are in the folder ${claimed} on .*${other}. Set STORAGE_URL to one`),
  );
  expect(await claim(claimed)).toBeTruthy();
});

test("a storage that moved completely is accepted", async () => {
  const [before, after] = [newFolder(), newFolder()];
  const id = await claim(before);
  await storeIn(before, id);
  await rename(before, after);
  expect(await claim(after)).toBe(id);
});

test("the storage of another database is refused, before and after this database has claimed a storage", async () => {
  const root = newFolder();
  await mkdir(root);
  await writeFile(join(root, "identity"), "5b0f4ba1-0d4d-4f6d-9d3c-0e6c0e1b1f10\n");
  for (let turn = 0; turn < 2; turn++) {
    await expect(claim(root, { mayReplace: true })).rejects.toThrow(/holds the files of another database.*STORAGE_URL/);
    await claim(newFolder(), { mayReplace: true });
  }
});

test("a storage named by STORAGE_URL replaces another only while nothing is stored", async () => {
  const [first, second] = [newFolder(), newFolder()];
  const former = await claim(first);
  const id = await claim(second, { mayReplace: true });
  await expect(storeIn(first, former)).rejects.toThrow(/another storage/);
  await storeIn(second, id);
  await expect(claim(newFolder(), { mayReplace: true })).rejects.toThrow(/STORAGE_URL/);
  expect(await claim(second)).toBe(id);
});

test("an emptied folder is refused once something is stored", async () => {
  const root = newFolder();
  await storeIn(root, await claim(root));
  await rm(root, { recursive: true });
  await expect(claim(root, { mayReplace: true })).rejects.toThrow(/STORAGE_URL/);
});

// The states after a kill between two steps.
test("a claim that was killed before it was written to the storage can be made by the next server", async () => {
  await driver`insert into storage_identity (id, place) values (gen_random_uuid(), 'a folder')`;
  const root = newFolder();
  expect(await claim(root)).toBe(await claim(root));
});

test("a claim that was killed after it was written to the storage is completed only by a server with that storage", async () => {
  const root = newFolder();
  const id = await claim(root);
  await driver`update storage_identity set is_written = false`;
  expect(await claim(root)).toBe(id);
  await driver`update storage_identity set is_written = false`;
  await claim(newFolder());
  await expect(claim(root)).rejects.toThrow(/another database/);
});
