import { mkdir, mkdtemp, readdir, rename, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, expect, test, vi } from "vitest";
import { startS3Server } from "../testing/s3-server.ts";
import { AnchoredFiles, WrongPlace } from "./anchored-files.ts";
import type { Files } from "./files.ts";
import { openFiles } from "./open-storage.ts";
import { placeOf } from "./places.ts";
import { readAll } from "./whole.ts";

const s3 = await startS3Server();
for (const [name, value] of Object.entries(s3.credentials)) vi.stubEnv(name, value);
const folder = await mkdtemp(join(tmpdir(), "beatmarket-anchored-"));
afterAll(async () => {
  vi.unstubAllEnvs();
  await s3.close();
  await rm(folder, { recursive: true });
});

async function* text(content: string) {
  yield Buffer.from(content);
}
const isOurs = (content: string) => content === "ours";

/** A place with its anchor and one file. */
async function anchoredPlace(files: Files): Promise<AnchoredFiles> {
  await files.put("anchor", text("ours"));
  const anchored = new AnchoredFiles(files, { key: "anchor", isOurs });
  await anchored.put("folder/file", text("content"));
  return anchored;
}

/** Every operation on a place, by name. */
const uses = (place: AnchoredFiles): [string, () => Promise<unknown>][] => [
  ["put", () => place.put("folder/other", text("lost"))],
  ["get", () => place.get("folder/file")],
  ["head", () => place.head("folder/file")],
  ["delete", () => place.delete("folder/file")],
  ["list", () => Array.fromAsync(place.list(""))],
  ["deleteDrafts", () => place.deleteDrafts(new Date(), () => true)],
  ["check", () => place.check()],
];

test("a missing or empty mount point is neither read nor written; the files of a disk that is mounted again are unchanged", async () => {
  const root = join(folder, "disk");
  const place = await anchoredPlace(await openFiles({ folder: root, isNamed: true }, "STORAGE_URL"));
  await rename(root, `${root}-unmounted`);
  for (const mountPoint of [false, true]) {
    if (mountPoint) await mkdir(root);
    for (const [name, use] of uses(place)) await expect(use(), name).rejects.toThrow(WrongPlace);
  }
  expect(await readdir(root)).toEqual([]);
  await rm(root, { recursive: true });
  await rename(`${root}-unmounted`, root);
  expect((await Array.fromAsync(place.list(""))).map(({ key }) => key)).toEqual(["anchor", "folder/file"]);
  await place.put("folder/other", text("kept"));
  expect((await readAll((await place.get("folder/other")) ?? text(""))).toString()).toBe("kept");
});

test("a disk that is unmounted during a write fails that write", async () => {
  const root = join(folder, "going");
  const place = await anchoredPlace(await openFiles({ folder: root, isNamed: true }, "STORAGE_URL"));
  const going = async function* () {
    yield Buffer.from("begun");
    await rename(root, `${root}-unmounted`);
    await mkdir(join(root, "drafts"), { recursive: true });
    for (const draft of await readdir(join(`${root}-unmounted`, "drafts")))
      await rename(join(`${root}-unmounted`, "drafts", draft), join(root, "drafts", draft));
  };
  await expect(place.put("folder/other", going())).rejects.toThrow(/is not the place that was opened.*mount the disk/);
});

test("another place under the same name is rejected", async () => {
  const root = join(folder, "exchanged");
  const place = await anchoredPlace(await openFiles({ folder: root, isNamed: true }, "BACKUP_VAULT"));
  await writeFile(join(root, "anchor"), "theirs");
  await expect(place.put("folder/other", text("lost"))).rejects.toThrow(/its file "anchor" is another one/);
});

test("a bucket that was replaced is rejected by put, by delete, and by head of a missing file", async () => {
  const storage = placeOf("STORAGE_URL", s3.storageUrl("anchored"));
  const files = await openFiles(storage, "STORAGE_URL");
  await files.put("folder/file", text("content"));
  // A new object for each operation, since the check of a bucket is valid for a second.
  const place = () => new AnchoredFiles(files, { key: "anchor", isOurs });
  await expect(place().put("folder/other", text("lost"))).rejects.toThrow(/put back the bucket that was there/);
  await expect(place().head("folder/none")).rejects.toThrow(WrongPlace);
  await expect(place().delete("folder/file")).rejects.toThrow(WrongPlace);
  expect(await files.head("folder/other")).toBeNull();
  expect(await files.head("folder/file")).not.toBeNull();
  await files.put("anchor", text("ours"));
  await place().put("folder/other", text("kept"));
  expect(await files.head("folder/other")).not.toBeNull();
});

test("every operation on a deleted bucket reports that it is deleted", async () => {
  const storage = placeOf("STORAGE_URL", s3.storageUrl("deleted"));
  const files = await openFiles(storage, "STORAGE_URL");
  await rename(s3.folder, `${s3.folder}.away`);
  for (const [name, use] of uses(new AnchoredFiles(files, { key: "anchor", isOurs }))) {
    const error = await use().catch((fault: unknown) => fault);
    expect(files.explain(error), name).toMatch(/there is no bucket beats; create it, or correct STORAGE_URL/);
  }
  await rename(`${s3.folder}.away`, s3.folder);
});
