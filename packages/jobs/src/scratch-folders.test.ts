import { mkdir, mkdtemp, readdir, rm, utimes, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { ScratchFolders } from "./scratch-folders.ts";

async function makeRoot(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), "beatmarket-scratch-"));
  onTestFinished(() => rm(folder, { recursive: true }));
  return join(folder, "scratch");
}

test("a folder exists during its use, and is deleted afterwards, even after an error", async () => {
  const root = await makeRoot();
  const folders = new ScratchFolders(root);
  const result = await folders.use(async (folder) => {
    await writeFile(join(folder, "master.wav"), "x");
    return readdir(folder);
  });
  expect(result).toEqual(["master.wav"]);
  const failing = folders.use(async (folder) => {
    await writeFile(join(folder, "master.wav"), "x");
    throw new Error("no room");
  });
  await expect(failing).rejects.toThrow("no room");
  expect(await readdir(root)).toEqual([]);
});

test("a sweep deletes the folders of killed workers, and no folder in use", async () => {
  const root = await makeRoot();
  const folders = new ScratchFolders(root);
  await folders.sweep(new Date());
  const now = new Date("2026-01-01T12:00:00Z");
  for (const [name, hours] of [
    ["job-left", 9],
    ["job-used", 11],
  ] as const) {
    await mkdir(join(root, name), { recursive: true });
    await writeFile(join(root, name, "master.wav"), "x");
    const time = new Date(Date.UTC(2026, 0, 1, hours));
    await utimes(join(root, name), time, time);
  }
  await folders.sweep(now);
  expect(await readdir(root)).toEqual(["job-used"]);
});
