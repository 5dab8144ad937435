import { createHash } from "node:crypto";
import { mkdtemp, readdir, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Readable } from "node:stream";
import { afterAll, beforeEach, describe, expect, test } from "vitest";
import { storageDatabase } from "../testing/storage-database.ts";
import { claimStorage } from "./claim-storage.ts";
import { FolderStorage } from "./folder-storage.ts";
import { objectKey } from "./storage.ts";
import { StoredObjects } from "./stored-objects.ts";
import { claimDeletion, deleteObject, releaseObjects, sweepObjects } from "./sweep-objects.ts";

const { driver, query } = await storageDatabase();
const folder = await mkdtemp(join(tmpdir(), "beatmarket-objects-"));
afterAll(() => rm(folder, { recursive: true }));

let root = "";
let storage: FolderStorage;
let objects: StoredObjects;
let identity = "";
let names = 0;
beforeEach(async () => {
  root = join(folder, `storage-${names++}`);
  storage = new FolderStorage(root);
  await driver`truncate stored_objects, object_deletions, storage_identity, documents`;
  identity = await claimStorage(query, storage, { mayReplace: false });
  objects = new StoredObjects(query, storage, identity);
});

const hash = (content: string): string => createHash("sha256").update(content).digest("hex");
async function file(content: string): Promise<string> {
  const path = join(folder, `file-${names++}`);
  await writeFile(path, content);
  return path;
}
async function readText(stream: Readable): Promise<string> {
  let text = "";
  for await (const chunk of stream) text += chunk;
  return text;
}

/** Ends the grace period of all objects. */
const age = () => driver`update stored_objects set touched_at = now() - interval '61 minutes'`;
/** Ends the leases of a killed process. */
const endLeases = () => driver`update object_deletions set leased_until = now() - interval '1 second'`;
const sweep = () => objects.sweep(new AbortController().signal);
/** Inserts a row of another table that refers to the object. */
async function refer(sha256: string): Promise<void> {
  await driver`insert into documents (sha256) values (${sha256})`;
}

/** The row, the deletion and the file of an object. */
async function stateOf(content: string) {
  const sha256 = hash(content);
  const [row] = await driver`select state from stored_objects where sha256 = ${sha256}`;
  const [deletion] = await driver`select 1 from object_deletions where sha256 = ${sha256}`;
  return {
    row: row?.state ?? null,
    isBeingDeleted: deletion !== undefined,
    hasFile: (await storage.head(sha256)) !== null,
  };
}
const stored = { row: "stored", isBeingDeleted: false, hasFile: true };
const deleted = { row: null, isBeingDeleted: false, hasFile: false };

describe("a stored file", () => {
  test("has the hash and the size of its content, and a row", async () => {
    expect(await objects.store(await file("beat"))).toEqual({ sha256: hash("beat"), bytes: 4 });
    expect(await stateOf("beat")).toEqual(stored);
    expect(await readText(await objects.open(hash("beat")))).toBe("beat");
    expect(await readText(await objects.open(hash("beat"), { first: 1, last: 2 }))).toBe("ea");
  });

  test("is one object, even if it is stored several times concurrently", async () => {
    const files = await Promise.all(Array.from({ length: 8 }, () => file("the same")));
    await Promise.all(files.map((path) => objects.store(path)));
    expect(await stateOf("the same")).toEqual(stored);
    expect((await Array.fromAsync(storage.list())).length).toBe(1);
  });

  test("is not copied again", async () => {
    await objects.store(await file("beat"));
    const puts = { count: 0 };
    const counting = Object.assign(new FolderStorage(root), { put: async () => void puts.count++ });
    await new StoredObjects(query, counting, identity).store(await file("beat"));
    expect(puts.count).toBe(0);
  });

  test("is copied again if its object is missing or truncated", async () => {
    for (const damage of [
      () => storage.delete(hash("beat")),
      () => writeFile(join(root, objectKey(hash("beat"))), "b"),
    ]) {
      await objects.store(await file("beat"));
      await damage();
      await objects.store(await file("beat"));
      expect(await readText(await objects.open(hash("beat")))).toBe("beat");
    }
  });

  test("fails before its end if its content has changed", async () => {
    await objects.store(await file("beat"));
    await writeFile(join(root, objectKey(hash("beat"))), "boat");
    let text = "";
    const read = async () => {
      for await (const chunk of await objects.open(hash("beat"))) text += chunk;
    };
    await expect(read()).rejects.toMatchObject({ name: "WrongContent" });
    expect(text).not.toHaveLength(4);
  });

  test("fails at the end of a range that was truncated", async () => {
    await objects.store(await file("beat"));
    await writeFile(join(root, objectKey(hash("beat"))), "be");
    const part = (first: number, last: number) => objects.open(hash("beat"), { first, last }).then(readText);
    expect(await part(0, 1)).toBe("be");
    for (const [first, last] of [
      [0, 2],
      [2, 3],
    ] as const)
      await expect(part(first, last)).rejects.toMatchObject({ name: "WrongContent" });
  });
});

describe("the sweeper", () => {
  test("deletes unreferenced objects an hour after they were stored", async () => {
    await objects.store(await file("beat"));
    expect(await sweep()).toBe(0);
    await age();
    expect(await sweep()).toBe(1);
    expect(await stateOf("beat")).toEqual(deleted);
  });

  test("keeps referenced objects, and objects that were stored again in the meantime", async () => {
    await objects.store(await file("beat"));
    await refer(hash("beat"));
    await objects.store(await file("other"));
    await age();
    await objects.store(await file("other"));
    expect(await sweep()).toBe(0);
    expect([await stateOf("beat"), await stateOf("other")]).toEqual([stored, stored]);
  });

  test("keeps an object whose reference is being written, before or after the sweep begins", async () => {
    await objects.store(await file("beat"));
    await age();
    await query.transaction().execute(async (transaction) => {
      await transaction
        .insertInto("documents")
        .values({ sha256: hash("beat") })
        .execute();
      expect(await sweep()).toBe(0);
    });
    expect(await sweep()).toBe(0);
    expect(await stateOf("beat")).toEqual(stored);
    await driver`delete from documents`;
    await releaseObjects(query);
    await expect(refer(hash("beat"))).rejects.toThrow(/foreign key/);
  });

  test("deletes each object once, even if several processes sweep concurrently", async () => {
    for (const content of ["one", "two", "three", "four"]) await objects.store(await file(content));
    await age();
    const counts = await Promise.all([sweep(), sweep(), sweep()]);
    expect(counts.reduce((a, b) => a + b)).toBe(4);
    expect(await Array.fromAsync(storage.list())).toEqual([]);
  });

  test("deletes the other objects if one cannot be deleted, and retries that object later", async () => {
    for (const content of ["one", "two"]) await objects.store(await file(content));
    await age();
    const failing = Object.assign(new FolderStorage(root), {
      delete: async (sha256: string) => {
        if (sha256 === hash("one")) throw new Error("no");
        await storage.delete(sha256);
      },
    });
    for (let turn = 0; turn < 2; turn++)
      await sweepObjects(query, failing, new AbortController().signal).catch(() => {});
    expect(await stateOf("two")).toEqual(deleted);
    expect(await stateOf("one")).toEqual({ row: null, isBeingDeleted: true, hasFile: true });
    await endLeases();
    expect(await sweep()).toBe(1);
    expect(await stateOf("one")).toEqual(deleted);
  });
});

// The states after a kill between two steps.
describe("a store that was killed", () => {
  const touch = (content: string) =>
    driver`insert into stored_objects (sha256, bytes, touched_at) values (${hash(content)}, ${content.length}, now())`;
  const states: [string, () => Promise<unknown>][] = [
    ["with its row only", () => touch("beat")],
    [
      "with half a draft",
      async () => {
        await touch("beat");
        await objects.store(await file("another"));
        await writeFile(join(root, "drafts/half"), "be");
      },
    ],
    [
      "with its object, before the row says so",
      async () => {
        await touch("beat");
        await storage.put(await file("beat"), hash("beat"), 4);
      },
    ],
  ];

  test.each(states)("%s is completed when the file is stored again", async (_state, leave) => {
    await leave();
    await objects.store(await file("beat"));
    expect(await stateOf("beat")).toEqual(stored);
  });

  test.each(states)("%s is swept if the file is not stored again", async (_state, leave) => {
    await leave();
    expect((await stateOf("beat")).row).toBe("storing");
    await age();
    await sweep();
    expect(await stateOf("beat")).toEqual(deleted);
    expect(await Array.fromAsync(storage.list())).toEqual([]);
  });

  test("leaves a draft that `deleteDrafts` deletes", async () => {
    await objects.store(await file("beat"));
    await writeFile(join(root, "drafts/half"), "be");
    await storage.deleteDrafts(new Date(Date.now() + 1_000));
    expect(await readdir(join(root, "drafts"))).toEqual([]);
  });
});

describe("a sweep that was killed", () => {
  const states: [string, () => Promise<unknown>][] = [
    ["with the row released", () => releaseObjects(query)],
    [
      "under its lease",
      async () => {
        await releaseObjects(query);
        await claimDeletion(query);
      },
    ],
    [
      "with the object deleted",
      async () => {
        await releaseObjects(query);
        await claimDeletion(query);
        await storage.delete(hash("beat"));
      },
    ],
  ];
  beforeEach(async () => {
    await objects.store(await file("beat"));
    await age();
  });

  test.each(states)("%s is completed by the next sweep", async (_state, leave) => {
    await leave();
    expect((await stateOf("beat")).isBeingDeleted).toBe(true);
    await endLeases();
    await sweep();
    expect(await stateOf("beat")).toEqual(deleted);
  });

  test.each(states)("%s does not prevent storing the file again", async (_state, leave) => {
    await leave();
    await endLeases();
    await objects.store(await file("beat"));
    expect(await stateOf("beat")).toEqual(stored);
    expect(await sweep()).toBe(0);
    expect(await stateOf("beat")).toEqual(stored);
  });
});

test("a store waits for a running deletion of its object", async () => {
  await objects.store(await file("beat"));
  await age();
  await releaseObjects(query);
  const sha256 = (await claimDeletion(query)) ?? "";
  let isStored = false;
  const storing = objects.store(await file("beat")).then(() => {
    isStored = true;
  });
  await expect.poll(() => stateOf("beat")).toMatchObject({ row: "storing", isBeingDeleted: true });
  expect(isStored).toBe(false);
  await deleteObject(query, storage, sha256);
  await storing;
  expect(await stateOf("beat")).toEqual(stored);
});
