import { constants } from "node:fs";
import { access, mkdtemp, readFile, rm, symlink } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, expect, test } from "vitest";
import { IncomingFiles } from "./incoming-files.ts";
import { Writers } from "./writers.ts";

const dataDir = await mkdtemp(join(tmpdir(), "beatmarket-receiving-"));
afterAll(() => rm(dataDir, { recursive: true }));
const hasFullDevice = await access("/dev/full", constants.W_OK).then(
  () => true,
  () => false,
);

test("what is synced stays when the rest is discarded", async () => {
  const files = new IncomingFiles(dataDir);
  const first = await files.append("a", 0);
  await first.write(Buffer.from("kept"));
  expect(await first.sync()).toBe(4);
  await first.close();
  const second = await files.append("a", 4);
  await second.write(Buffer.from("lost"));
  await second.sync();
  await second.discard();
  await second.close();
  expect(await readFile(files.path("a"), "utf8")).toBe("kept");
});

test.skipIf(!hasFullDevice)("507 for a full disk, with what to do", async () => {
  const files = new IncomingFiles(dataDir);
  await symlink("/dev/full", files.path("b"));
  const file = await files.append("b", 0);
  await file.write(Buffer.from("too much"));
  await expect(file.sync()).rejects.toMatchObject({
    status: 507,
    details: expect.stringContaining("What has arrived is kept"),
    headers: { "retry-after": "60" },
  });
  await file.close();
});

test("a stopping server interrupts its writers and takes no new ones", async () => {
  const writers = new Writers(() => 0);
  const lock = await writers.acquire("a");
  lock.interrupted.addEventListener("abort", () => lock.release());
  await writers.stop();
  expect(lock.interrupted.reason).toMatchObject({ status: 503, headers: { "retry-after": "2", connection: "close" } });
  await expect(writers.acquire("a")).rejects.toMatchObject({ status: 503 });
});
